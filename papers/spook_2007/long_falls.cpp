// SPDX-License-Identifier: Apache-2.0
// Figures 4 and 5: energy and violation of short and long ladders.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "papers/spook_2007/experiments.h"
#include "papers/spook_2007/fall.h"

namespace ligament::papers {
namespace {

// What the notes have of a fall from rest: energies at the times below, and what is accepted of
// the violation over 30 s.
struct Reference {
  int cells;
  std::array<double, 6> energy;  // (E − E_min)/D
  double mean, max;              // rms of g [m], with what is accepted below
  double accepted_mean, accepted_max;
  double rebound;                // largest rise of the energy above its running minimum, over D
  double speed;                  // [m/s] the largest
  double worst_mean, worst_max;  // [m] rms of g, of disturbed starts
};
constexpr std::array<double, 6> times{1.0, 2.0, 5.0, 10.0, 30.0, 60.0};
constexpr std::array<Reference, 3> references{{{10,
                                                {.984, .972, .859, .53, .37, .31},
                                                2.5e-3,
                                                2.4e-2,
                                                1e-2,
                                                0.2,
                                                0.026,
                                                30.0,
                                                3.3e-3,
                                                4.3e-2},
                                               {20,
                                                {.988, .969, .940, .79, .48, .40},
                                                3.1e-3,
                                                4.9e-2,
                                                1e-2,
                                                0.2,
                                                0.034,
                                                59.0,
                                                4.4e-3,
                                                8.3e-2},
                                               {100,
                                                {.998, .995, .933, .96, .68, .59},
                                                5.8e-3,
                                                0.24,
                                                1.5e-2,
                                                0.6,
                                                0.087,
                                                182.0,
                                                6.6e-3,
                                                0.26}}};
constexpr const char* chaotic =
    "the motion after the first whiplash depends on the last digit of all that was before";

// Whether the energy at a time is still the same for everyone: before the whips of a long ladder.
bool is_settled(int cells, double time) { return time <= (cells == 100 ? 2.0 : 10.0); }

// The fall from rest.
void add_fall_claims(const Reference& reference, const Fall& fall, Experiment& e) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double value = fall.energy_at(times[i]), expected = reference.energy[i];
    if (std::isnan(value)) continue;
    const double room = times[i] < 6.0 ? 1e-3 : 1e-2;  // a unit of the last digit
    e.claims.push_back(
        {.text = fmt::format("N = {}: what is left of the energy after {:.0f} s, over D",
                             reference.cells, times[i]),
         .source = "figure 4",
         .expected = expected,
         .measured = value,
         .tolerance = {expected - room, expected + room},
         .reason = "the energy dissipates, but slowly; as many digits as are given",
         .unknown = is_settled(reference.cells, times[i]) ? "" : chaotic});
  }
  if (fall.t.back() < 29.0) return;
  const auto add = [&](const char* text, double expected, double measured, double accepted) {
    e.claims.push_back({.text = fmt::format("N = {}: {} in 30 s", reference.cells, text),
                        .source = "figure 5",
                        .unit = "m",
                        .expected = expected,
                        .measured = measured,
                        .tolerance = below(accepted),
                        .reason = "chaotic: two to four times what the prototype gave"});
  };
  const std::span rms(fall.rms.data(), std::min<std::size_t>(fall.rms.size(), 1801));
  double mean = 0.0;
  for (const double value : rms) mean += value / static_cast<double>(rms.size() - 1);
  add("mean rms of g", reference.mean, mean, reference.accepted_mean);
  add("largest rms of g", reference.max, *std::ranges::max_element(rms), reference.accepted_max);
  e.claims.push_back({.text = fmt::format("N = {}: largest speed", reference.cells),
                      .source = "figure 4",
                      .unit = "m/s",
                      .expected = reference.speed,
                      .measured = fall.max_speed,
                      .unknown = "over what time; " + std::string(chaotic)});
}

// Disturbed starts. Whether the largest of one whip can be held to the prototype's bound: its
// starts are not known, and with N = 100 four of 31 of ours, with velocities of 1e-9 to 1e-2 m/s,
// whip to more than 0.6 m.
void add_start_claims(const Reference& reference, double time, int starts, Experiment& e) {
  const WorstFall worst = find_worst_fall(reference.cells, time, starts);
  const std::string machine =
      fmt::format("N = {}, {:.0f} s, {} disturbed starts", reference.cells, time, starts);
  const bool is_long = reference.cells == 100;
  e.claims.push_back({.text = fmt::format("{}: runs that reach their end", machine),
                      .source = "figure 4",
                      .expected = static_cast<double>(starts),
                      .measured = static_cast<double>(worst.completed),
                      .tolerance = exactly(starts)});
  e.claims.push_back({.text = "… the energy never exceeds its start: largest rise over D",
                      .source = "figure 4",
                      .expected = 0.0,
                      .measured = worst.energy_rise,
                      .tolerance = below(1e-6),
                      .reason = "the disturbance has 1e-8 of D"});
  e.claims.push_back({.text = "… the violation stays small: largest mean of its rms",
                      .source = "figure 5",
                      .unit = "m",
                      .expected = reference.worst_mean,
                      .measured = worst.mean_rms,
                      .tolerance = below(reference.accepted_mean),
                      .reason = "chaotic: two to three times what other starts gave"});
  e.claims.push_back(
      {.text = fmt::format("… also in the whiplash: largest rms of all starts, median {:.2g} m",
                           worst.usual_max_rms),
       .source = "figure 5",
       .unit = "m",
       .expected = reference.worst_max,
       .measured = worst.max_rms,
       .tolerance = below(reference.accepted_max),
       .reason = "chaotic: more than twice what 20 other starts gave",
       .unknown = is_long
                      ? "how its five starts were disturbed. One in eight of ours exceeds the "
                        "0.6 m that it would accept, in the whip at 13.9 s, which five starts miss "
                        "as often as not"
                      : ""});
  if (is_long)
    e.claims.push_back({.text = "… of the median start",
                        .source = "figure 5",
                        .unit = "m",
                        .expected = reference.max,
                        .measured = worst.usual_max_rms,
                        .tolerance = below(reference.accepted_max),
                        .reason = "chaotic: more than twice what other starts gave"});
  e.claims.push_back({.text = "… the energy is not monotone: largest rise above what was the least "
                              "before, over D",
                      .source = "figure 4",
                      .expected = reference.rebound,
                      .measured = worst.rebound,
                      .unknown = "its starts, and how many; " + std::string(chaotic)});
}

// The rows of 2005 on the same ladder.
void add_relaxed_rows(const Effort& effort, Experiment& e) {
  double rise = 0.0, mean = 0.0;
  for (const char* damping : {"0", "1.5"}) {
    const WorstFall worst =
        find_worst_fall(20, effort.quick ? 10.0 : 30.0, effort.quick ? 1 : 5,
                        {{"stepper.type", "relaxed"}, {"stepper.damping_steps", damping}});
    rise = std::max(rise, worst.completed == worst.starts ? worst.energy_rise : 1e300);
    mean = std::max(mean, worst.mean_rms);
  }
  e.claims.push_back({.text = "The rows of 2005, a = 0 and 1.5 h, are as stable, N = 20: largest "
                              "rise of the energy over D",
                      .source = "section 6",
                      .expected = 0.0,
                      .measured = rise,
                      .tolerance = below(1e-6),
                      .reason = "as of the rows of 2007 above"});
  e.claims.push_back({.text = "… largest mean rms of g",
                      .source = "section 6",
                      .unit = "m",
                      .expected = 3.1e-3,
                      .measured = mean,
                      .tolerance = below(1e-2),
                      .reason = "as of the rows of 2007 above"});
}

}  // namespace

Experiment run_long_falls(const Effort& effort) {
  Experiment e{
      .title = "Ladder: energy and violation over a minute",
      .source = "section 6, figures 4 and 5",
      .paper_says =
          "The energy of ladders with N = 10 and N = 100 dissipates, because violations are "
          "damped, most when the ladder passes the vertical. The violation is kept within "
          "tight bounds even for large systems.",
      .we_did =
          "h = 1/60 s, ε = 1e-8, τ = 2 h. Energy is shown as (E − E_min)/D with E_min that of "
          "all rods hanging and D = E₀ − E_min; violation as the root mean square of g over "
          "the rows of the plane. Beyond the first whiplash at about 4 s the motion is "
          "chaotic, so bounds are tested on starts with random velocities of 1e-3 m/s."};
  Figure energy{.title = "Energy",
                .x = {.label = "time [s]"},
                .y = {.label = "(E − E_min)/D", .range = {{0.0, 1.05}}}};
  Figure rms{.title = "Constraint violation",
             .x = {.label = "time [s]"},
             .y = {.label = "rms of g [m]", .logarithmic = true, .range = {{1e-6, 1.0}}}};
  Table table{.caption = "One fall each",
              .head = {"N", "(E − E_min)/D at 1 s", "2 s", "5 s", "10 s", "30 s", "60 s",
                       "mean rms g [m]", "largest rms g [m]", "largest speed [m/s]"}};
  for (const Reference& reference : references) {
    const int cells = reference.cells;
    const Scene scene = read_ladder(cells);
    const double time = effort.quick ? (cells == 100 ? 6.0 : 30.0) : 60.0;
    const Fall fall = let_fall(scene, cells, scene.model.initial_state(), std::lround(60.0 * time));
    const std::string label = fmt::format("N = {}", cells);
    energy.curves.push_back({.label = label, .x = fall.t, .y = fall.energy});
    rms.curves.push_back({.label = label, .x = fall.t, .y = fall.rms});
    std::vector<std::string> row{fmt::format("{}", cells)};
    for (const double at : times) {
      const double value = fall.energy_at(at);
      row.push_back(std::isnan(value) ? "" : fmt::format("{:.3f}", value));
    }
    row.push_back(fmt::format("{:.2g}", fall.mean_rms));
    row.push_back(fmt::format("{:.2g}", fall.max_rms));
    row.push_back(fmt::format("{:.0f}", fall.max_speed));
    table.rows.push_back(std::move(row));
    add_fall_claims(reference, fall, e);
  }
  for (const std::size_t i : {0U, 1U})
    add_start_claims(references[i], 30.0, effort.quick ? 3 : 20, e);
  add_start_claims(references[2], effort.quick ? 10.0 : 30.0, effort.quick ? 1 : 5, e);
  add_relaxed_rows(effort, e);
  e.pictures = {{"energy", std::move(energy), "Figure 4"},
                {"violation", std::move(rms), "Figure 5"}};
  e.tables.push_back(std::move(table));
  return e;
}

}  // namespace ligament::papers
