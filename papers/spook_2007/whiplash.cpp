// SPDX-License-Identifier: Apache-2.0
// Section 6: other methods of fixed step, on the same ladder.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "papers/baselines/steps.h"
#include "papers/chance.h"
#include "papers/spook_2007/experiments.h"
#include "papers/spook_2007/fall.h"

namespace ligament::papers {
namespace {

constexpr double h = 1.0 / 60, duration = 30.0;
constexpr int cells = 10;

// E₀ − E_min of the ladder.
constexpr double range = 100.0 * (cells * cells + cells + 0.5 * (cells + 1) * (cells + 1)) +
                         100.0 * (0.5 * (cells + 1) + cells);

struct PlanarFall {
  std::vector<double> t, energy;  // above the start, over D
  double lost = duration;         // [s] when it broke down; the whole time: it did not
  bool failed = false;            // its equations had no solution that it found
};

// Falls until the step fails or the energy is `most` D above its start.
template <class Step>
PlanarFall fall_by(const QuadraticSystem& system, const VecX& v, double most, Step&& take) {
  PlanarMotion motion = start_motion(system, v, h);
  const double start = system.compute_energy(motion.q, motion.v);
  PlanarFall fall;
  for (int i = 0; i < static_cast<int>(duration / h); ++i) {
    fall.t.push_back(i * h);
    fall.energy.push_back((system.compute_energy(motion.q, motion.v) - start) / range);
    fall.failed = !take(motion);
    if (!fall.failed && fall.energy.back() < most) continue;
    fall.lost = i * h;
    break;
  }
  return fall;
}

// Velocities of 1e-3 m/s that the rows allow.
std::vector<VecX> make_starts(const QuadraticSystem& system, int count) {
  Chance chance(8);
  std::vector<VecX> starts;
  for (int k = 0; k < count; ++k) {
    VecX v(system.start.size());
    for (double& value : v) value = 1e-3 * chance.around_zero();
    starts.push_back(project_velocity(system, system.start, v));
  }
  return starts;
}

struct Losses {
  double earliest = duration, latest = 0.0;
  int runs = 0, lost = 0;
  void add(double time) {
    ++runs;
    lost += time < duration;
    earliest = std::min(earliest, time);
    latest = std::max(latest, time);
  }
  std::string text() const { return fmt::format("{:.1f} … {:.1f}", earliest, latest); }
};

// The engine and the step written out in the plane, for 3 s, which is before the whiplash: largest
// distance of two centres.
double compare_with_engine(const QuadraticSystem& system) {
  const Scene scene = read_ladder(cells);
  State state = scene.model.initial_state();
  Workspace work(scene.model);
  PlanarMotion motion = start_motion(system, VecX::Zero(system.start.size()), h);
  double worst = 0.0;
  for (int i = 0; i < 180; ++i) {
    if (!step(scene.stepper, scene.model, state, work).ok() || !step_spook(system, h, {}, motion))
      return 1e300;
    for (std::size_t k = 1; k < scene.model.bodies().size(); ++k) {
      const int at = scene.model.bodies()[k].q_offset, rod = 4 * (static_cast<int>(k) - 1);
      worst = std::max(
          worst, std::hypot(state.q(at) - motion.q(rod), state.q(at + 2) - motion.q(rod + 1)));
    }
  }
  return worst;
}

// The energy of a fall, with a point where the method is lost without leaving the figure.
void add_curve(std::string label, const PlanarFall& fall, Figure& figure) {
  const auto colour = static_cast<int>(std::ranges::count(figure.curves, Mark::line, &Curve::mark));
  figure.curves.push_back({.label = label, .x = fall.t, .y = fall.energy, .colour = colour});
  if (!fall.failed) return;
  figure.curves.push_back({.label = label + ", lost",
                           .x = {fall.t.back()},
                           .y = {fall.energy.back()},
                           .mark = Mark::points,
                           .colour = colour});
}

struct Outcome {
  Losses shake, newton, difference, held, spook;
  double spook_rise = 0.0, held_rise = 0.0;
};

Outcome try_methods(const QuadraticSystem& system, const std::vector<VecX>& starts,
                    Figure& figure) {
  Outcome outcome;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const auto draw = [&](const char* label, const PlanarFall& fall) {
      if (k == 0) add_curve(label, fall, figure);
    };
    const PlanarFall spook = fall_by(system, starts[k], 10.0,
                                     [&](PlanarMotion& m) { return step_spook(system, h, {}, m); });
    const PlanarFall shake =
        fall_by(system, starts[k], 10.0, [&](PlanarMotion& m) { return step_shake(system, h, m); });
    const auto iterate = [&](Damper damper) {
      return fall_by(system, starts[k], 10.0, [&](PlanarMotion& m) {
        return step_spook_by_newton(system, h, {.damper = damper}, m);
      });
    };
    const PlanarFall newton = iterate(Damper::end), difference = iterate(Damper::difference),
                     held = iterate(Damper::start);
    outcome.spook.add(spook.lost);
    outcome.shake.add(shake.lost);
    outcome.newton.add(newton.lost);
    outcome.difference.add(difference.lost);
    outcome.held.add(held.lost);
    outcome.held_rise = std::max(outcome.held_rise, *std::ranges::max_element(held.energy));
    outcome.spook_rise = std::max(outcome.spook_rise, *std::ranges::max_element(spook.energy));
    draw("SPOOK", spook);
    draw("SHAKE", shake);
    draw("SPOOK, iterated", newton);
  }
  return outcome;
}

// Runge–Kutta with Baumgarte's terms: how long it lasts by gain.
struct Gains {
  Losses all;
  double best = 0.0, longest = 0.0;  // [1/s, s]
};

Gains try_gains(const QuadraticSystem& system, const std::vector<VecX>& starts,
                const Effort& effort, Figure& figure, Table& table) {
  Gains out;
  const std::vector<double> gains =
      effort.quick ? std::vector<double>{5.0, 60.0} : std::vector<double>{1.0, 5.0, 20.0, 60.0};
  const std::size_t count = std::min<std::size_t>(starts.size(), 3);
  for (const double gain : gains) {
    Losses losses;
    for (std::size_t k = 0; k < count; ++k) {
      const PlanarFall fall = fall_by(system, starts[k], 10.0, [&](PlanarMotion& m) {
        return step_runge_kutta(system, h, gain, m);
      });
      losses.add(fall.lost);
      out.all.add(fall.lost);
      if (k == 0 && gain == gains.back())
        add_curve(fmt::format("Runge–Kutta, Baumgarte {}/s", gain), fall, figure);
    }
    if (losses.latest > out.longest) out.longest = losses.latest, out.best = gain;
    table.rows.push_back({fmt::format("Runge–Kutta, Baumgarte's gain {}/s", gain),
                          fmt::format("{}", count), losses.text()});
  }
  return out;
}

void add_number(std::string text, double expected, double measured, Experiment& e) {
  e.claims.push_back({.text = std::move(text),
                      .source = "section 6",
                      .unit = "s",
                      .expected = expected,
                      .measured = measured,
                      .unknown = "its starts; the motion is chaotic when the methods break"});
}

// Twice as long. D is four times that of the short one.
void add_longer_ladder(Experiment& e) {
  const QuadraticSystem system = make_planar_ladder(20);
  Losses shake, runge_kutta;
  for (const VecX& v : make_starts(system, 8)) {
    shake.add(
        fall_by(system, v, 40.0, [&](PlanarMotion& m) { return step_shake(system, h, m); }).lost);
    runge_kutta.add(fall_by(system, v, 40.0, [&](PlanarMotion& m) {
                      return step_runge_kutta(system, h, 60.0, m);
                    }).lost);
  }
  add_number("N = 20, 8 starts: SHAKE breaks down, the earliest", 6.0, shake.earliest, e);
  add_number("… the latest", 6.2, shake.latest, e);
  add_number("… Runge–Kutta with Baumgarte's terms, 60/s, the earliest", 2.6, runge_kutta.earliest,
             e);
  add_number("… the latest", 14.0, runge_kutta.latest, e);
}

// Other numbers of iterations, until the energy is a thousand times D above the start.
void add_iterations(const QuadraticSystem& system, const VecX& start, Experiment& e) {
  double latest = 0.0;
  for (const int iterations : {1, 2, 3, 5, 10, 20})
    latest =
        std::max(latest, fall_by(system, start, 1e3, [&](PlanarMotion& m) {
                           return step_spook_by_newton(system, h, {.iterations = iterations}, m);
                         }).lost);
  e.claims.push_back({.text = "… with 1, 2, 3, 5, 10 and 20 iterations: the latest time at which "
                              "the energy is 1000 D above the start",
                      .source = "section 6",
                      .unit = "s",
                      .expected = 2.4,
                      .measured = latest,
                      .tolerance = below(5.0),
                      .reason = "by a factor of 1e3 to 1e6 within 0.8 to 2.4 s in the prototype"});
}

void add_claims(const QuadraticSystem& system, const VecX& start, const Outcome& outcome,
                const Gains& gains, Experiment& e) {
  const auto add = [&](const char* method, const Losses& losses, double earliest, double latest,
                       double fewest, const char* reason) {
    e.claims.push_back({.text = fmt::format("{}: share of {} runs that break down within 30 s",
                                            method, losses.runs),
                        .source = "section 6",
                        .expected = 1.0,
                        .measured = static_cast<double>(losses.lost) / losses.runs,
                        .tolerance = {fewest, 1.0},
                        .reason = reason});
    if (earliest > 0.0) add_number("… the earliest", earliest, losses.earliest, e);
    add_number("… the latest", latest, losses.latest, e);
  };
  add("SHAKE", outcome.shake, 4.5, 7.4, 1.0, "all of them, as in the prototype");
  add("Runge–Kutta with Baumgarte's terms, all gains", gains.all, 2.3, 27.0, 0.5,
      "all in the prototype, the last after 27 s; when it happens hangs on chance, and some last "
      "longer");
  e.claims.push_back({.text = "… the gain with which it lasts longest",
                      .source = "section 6",
                      .unit = "1/s",
                      .expected = 60.0,
                      .measured = gains.best,
                      .tolerance = exactly(60.0),
                      .reason = "the largest of those tried here and in the notes"});
  e.claims.push_back({.text = "SPOOK with Newton's method blows up: the latest time of all starts",
                      .source = "section 6",
                      .unit = "s",
                      .expected = 2.4,
                      .measured = outcome.newton.latest,
                      .tolerance = below(5.0),
                      .reason = "0.8 to 2.4 s in the prototype",
                      .correction =
                          "The paper finds the refined solution worse during whiplash. It is "
                          "worse than that: iterated as (26) is printed, with G at the end of "
                          "the step, it gains energy before the whiplash. G at the start on "
                          "both sides is what makes the step dissipative, not an "
                          "approximation that costs accuracy."});
  add_number("… the earliest", 0.8, outcome.newton.earliest, e);
  add_iterations(system, start, e);
  add("SPOOK with Newton's method and the damper on g(q⁺) − g(q)", outcome.difference, 0.0, 11.0,
      1.0, "all of them, as in the prototype");
  e.claims.push_back({.text = "… with the damper on G of the start it gets through: earliest end",
                      .source = "section 6",
                      .unit = "s",
                      .expected = duration,
                      .measured = outcome.held.earliest,
                      .tolerance = exactly(duration)});
  e.claims.push_back({.text = "… without gaining energy: largest rise over D",
                      .source = "section 6",
                      .expected = 0.0,
                      .measured = outcome.held_rise,
                      .tolerance = below(1e-6),
                      .reason = "as good as the linear step, and no better"});
  e.claims.push_back(
      {.text = "SPOOK, one linear system a step, gets through all 30 s: earliest end",
       .source = "section 6",
       .unit = "s",
       .expected = duration,
       .measured = outcome.spook.earliest,
       .tolerance = exactly(duration)});
  e.claims.push_back({.text = "… without gaining energy: largest rise over D",
                      .source = "section 6",
                      .expected = 0.0,
                      .measured = outcome.spook_rise,
                      .tolerance = below(1e-6),
                      .reason = "the disturbance has 1e-8 of D"});
}

}  // namespace

Experiment run_whiplash(const Effort& effort) {
  Experiment e{.title = "Whiplash: what other methods do",
               .source = "section 6",
               .paper_says =
                   "Runge–Kutta of order four with Baumgarte stabilization and plain SHAKE "
                   "break down completely when whiplash occurs. The linear step of SPOOK "
                   "works best; Newton iterations make it worse, by a sudden increase in "
                   "energy.",
               .we_did =
                   "The ladder of 10 cells, h = 1/60 s, up to 30 s, by each method written out in "
                   "papers/baselines, from several disturbed starts. A run is lost when its "
                   "equations have no solution that Newton's method finds in 50 iterations, or "
                   "when its energy is 10 D above the start."};
  const QuadraticSystem system = make_planar_ladder(cells);
  const std::vector<VecX> starts = make_starts(system, effort.quick ? 1 : 8);
  Figure figure{.title = "Energy of the ladder",
                .x = {.label = "time [s]", .range = {{0.0, 12.0}}},
                .y = {.label = "energy above the start, over D", .range = {{-1.0, 3.0}}}};
  const Outcome outcome = try_methods(system, starts, figure);
  Table table{.caption = "When the methods are lost [s]; 30 means not at all",
              .head = {"method", "starts", "earliest … latest [s]"}};
  const std::string count = fmt::format("{}", starts.size());
  table.rows = {{"SPOOK", count, outcome.spook.text()},
                {"SHAKE", count, outcome.shake.text()},
                {"SPOOK iterated by Newton", count, outcome.newton.text()},
                {"… damper on g(q⁺) − g(q)", count, outcome.difference.text()},
                {"… damper on G of the start", count, outcome.held.text()}};
  const Gains gains = try_gains(system, starts, effort, figure, table);
  add_claims(system, starts.front(), outcome, gains, e);
  if (!effort.quick) add_longer_ladder(e);
  e.claims.push_back(
      {.text = "The engine and the step written out in the plane agree before the "
               "whiplash: largest distance in 3 s",
       .source = "equation 29",
       .unit = "m",
       .expected = 0.0,
       .measured = compare_with_engine(system),
       .tolerance = below(1e-10),
       .reason = "the same equations by other code: 1e-15 m, which grows by e^(some/s)"});
  e.pictures.push_back({"energy", std::move(figure),
                        "One start each; a curve ends where the method "
                        "is lost"});
  e.tables.push_back(std::move(table));
  return e;
}

}  // namespace ligament::papers
