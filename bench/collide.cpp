// SPDX-License-Identifier: Apache-2.0
// The cost of finding all contacts, broad and narrow phase, against the number of bodies, for
// Ligament on one thread and on all cores, and for FCL and Bullet where they are installed. The
// bodies are moved by the benchmark: everybody gets the same poses, and nobody computes forces.
//
// Times are of one step: the median over the steps, and the mean, in which the steps that build a
// tree anew count as well. Processor time for what runs on one thread, which other programs on the
// machine disturb least; elapsed time for several threads. Copying the poses into the variables of
// an engine is not counted, the boxes of the shapes are.
//
// What to keep in mind when comparing: FCL stops after the broad phase; Bullet keeps contacts of
// earlier steps, Ligament computes all of them anew. Both come as the distribution has compiled
// them, for any x86-64; the report says if Ligament was compiled for this processor, which favours
// Ligament. collide_fcl.cpp and collide_bullet.cpp say what is done in favour of the others. The
// number of pairs that touch is a check that all of this is the same question.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "bench/support/collide_engines.h"
#include "bench/support/collide_scenes.h"
#include "bench/support/results.h"

namespace {

using namespace ligament;

struct Options {
  std::string csv;
  std::vector<std::string> scenes = bench::scene_names();
  std::vector<int> sizes = {1000, 10000, 100000};
  std::vector<std::string> engines = {"ligament", "fcl", "bullet"};
  int warm = 5;    // steps before the clock starts
  int steps = 15;  // steps that are timed; as many for all sizes, for trees age
  int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  bool looks_ahead = false;
};

Options parse(int argc, char** argv) {
  Options options;
  CLI::App app("Finding contacts: Ligament, the broad phase of FCL, Bullet");
  app.add_option("--csv", options.csv, "write the table to this file");
  app.add_option("--scenes", options.scenes, "some of: grid pile giant static shower")
      ->check(CLI::IsMember(bench::scene_names()));
  app.add_option("--sizes", options.sizes, "numbers of bodies")->check(CLI::Range(100, 10000000));
  app.add_option("--engines", options.engines, "some of: ligament fcl bullet")
      ->check(CLI::IsMember(std::vector<std::string>{"ligament", "fcl", "bullet"}));
  app.add_option("--warm", options.warm, "steps before the clock starts")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--steps", options.steps, "steps that are timed")->check(CLI::PositiveNumber);
  app.add_option("--threads", options.threads, "threads of the parallel run, 1: none")
      ->check(CLI::PositiveNumber);
  app.add_flag("--lookahead", options.looks_ahead,
               "Ligament looks one step ahead, which the others do not");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) == 0 ? 0 : 2);
  }
  return options;
}

struct Contestant {
  std::string name;
  int threads = 1;
  std::function<std::unique_ptr<bench::Engine>(const bench::Scene&)> make;
};

std::vector<Contestant> find_contestants(const Options& options) {
  std::vector<Contestant> list;
  const auto add_ligament = [&](const char* name, int threads, bool broad_phase_alone) {
    const bench::LigamentOptions ours{.threads = threads,
                                      .lookahead = options.looks_ahead ? 1.0 / 60.0 : 0.0,
                                      .broad_phase_alone = broad_phase_alone};
    list.push_back({name, threads, [ours](const bench::Scene& scene) {
                      return bench::make_ligament_engine(scene, ours);
                    }});
  };
  const auto is_wanted = [&](const char* name) {
    return std::ranges::find(options.engines, name) != options.engines.end();
  };
  if (is_wanted("ligament")) add_ligament("ligament", 1, false);
  if (is_wanted("ligament") && options.threads > 1)
    add_ligament("ligament", options.threads, false);
  if (is_wanted("ligament")) add_ligament("broad", 1, true);
#ifdef LIGAMENT_BENCH_FCL
  fmt::print("{}\n", bench::describe_fcl());
  if (is_wanted("fcl")) list.push_back({"fcl", 1, bench::make_fcl_engine});
#else
  fmt::print("FCL was not there when this was compiled: left out\n");
#endif
#ifdef LIGAMENT_BENCH_BULLET
  fmt::print("{}\n", bench::describe_bullet());
  if (is_wanted("bullet")) list.push_back({"bullet", 1, bench::make_bullet_engine});
#else
  fmt::print("Bullet was not there when this was compiled: left out\n");
#endif
  fmt::print("{}, contacts {}\n\n", bench::describe_ligament(),
             options.looks_ahead ? "of the next 1/60 s (the others: of now)" : "of now");
  return list;
}

// [s] Processor time of the whole process, or time on the wall.
double read_clock(bool wall) {
  if (wall)
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Result {
  double median = 0.0;  // [s] a step
  double mean = 0.0;    // [s] a step
  bench::Found found;   // in the last step
};

Result measure(const Contestant& contestant, bench::Scene& scene, const Options& options) {
  scene.move_to(0);
  const std::unique_ptr<bench::Engine> engine = contestant.make(scene);
  std::vector<double> seconds;
  for (int step = 0; step < options.warm + options.steps; ++step) {
    scene.move_to(step);
    engine->place(scene);
    const double start = read_clock(contestant.threads > 1);
    engine->find();
    const double end = read_clock(contestant.threads > 1);
    if (step >= options.warm) seconds.push_back(end - start);
  }
  std::ranges::sort(seconds);
  const std::size_t n = seconds.size();
  return {.median = 0.5 * (seconds[(n - 1) / 2] + seconds[n / 2]),
          .mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(n),
          .found = engine->found()};
}

// How many times longer the others take than Ligament on one thread, smallest to largest: Bullet
// than all of it, FCL's broad phase than all of it and than the broad phase alone.
void print_ratios(const bench::Table& table, const std::vector<std::string>& scenes) {
  fmt::print("\ntimes that others take of Ligament's on one thread, over the sizes\n");
  for (const std::string& scene : scenes)
    for (const auto& [engine, ours] : {std::pair{"bullet", "ligament"},
                                       std::pair{"fcl", "ligament"}, std::pair{"fcl", "broad"}}) {
      const std::string other = engine, own = ours;
      const auto compare = [&](const char* column) {
        const auto pick = [&](const std::string& name) {
          return table.numbers(table.select({{"scene", scene}, {"engine", name}, {"threads", "1"}}),
                               column);
        };
        return bench::ratio_range(pick(other), pick(own));
      };
      const auto [low, high] = compare("ms_per_step");
      const auto [mean_low, mean_high] = compare("mean_ms");
      if (high > 0.0)
        fmt::print("  {:7} {:7} to {:9} medians {:.2f} … {:.2f}   means {:.2f} … {:.2f}\n", scene,
                   engine, ours, low, high, mean_low, mean_high);
    }
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  const std::vector<Contestant> contestants = find_contestants(options);
  bench::Table table({"scene", "bodies", "engine", "threads", "ms_per_step", "mean_ms",
                      "us_per_body", "box_pairs", "contacts", "touching_pairs", "to_ligament"});
  for (const std::string& name : options.scenes)
    for (const int size : options.sizes) {
      bench::Scene scene = bench::make_scene(name, size);
      double ours = std::nan("");
      for (const Contestant& contestant : contestants) {
        const Result result = measure(contestant, scene, options);
        if (contestant.name == "ligament" && contestant.threads == 1) ours = result.median;
        const auto bodies = static_cast<double>(scene.items.size());
        const bool has_contacts = contestant.name != "fcl" && contestant.name != "broad";
        table.add({name, fmt::to_string(scene.items.size()), contestant.name,
                   fmt::to_string(contestant.threads), fmt::format("{:.4g}", 1e3 * result.median),
                   fmt::format("{:.4g}", 1e3 * result.mean),
                   fmt::format("{:.4g}", 1e6 * result.median / bodies),
                   fmt::to_string(result.found.box_pairs),
                   has_contacts ? fmt::to_string(result.found.contacts) : "-",
                   has_contacts ? fmt::to_string(result.found.touching_pairs) : "-",
                   fmt::format("{:.3g}", result.median / ours)});
      }
    }
  table.write_csv(options.csv);
  print_ratios(table, options.scenes);
  return 0;
}
