// SPDX-License-Identifier: Apache-2.0
// Theorem 9.1: what a step does to the energy, tried on random machines, and on machines that lose
// none.
#include <cmath>
#include <optional>
#include <random>

#include "papers/simulate.h"
#include "papers/trapezoidal_2004/experiments.h"
#include "papers/trapezoidal_2004/soft_pendulum.h"

namespace ligament::papers::trapezoidal {
namespace {

struct Trial {
  SoftPendulum machine;
  double h = 0.01;
};

enum class Losses : unsigned char { some, none };  // friction and damping

Trial draw(std::mt19937& generator, Losses losses) {
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  const auto random = [&] { return uniform(generator); };
  Trial trial;
  SoftPendulum& o = trial.machine;
  o.gamma = std::pow(10.0, 6.0 * random());
  o.delta = std::pow(10.0, 4.0 * random() - 1.0);
  o.stretch = 0.4 * random() - 0.2;
  o.friction = random();
  o.gravity = 10.0 * random();  // presses the bob on the wall
  if (losses == Losses::none) o.friction = o.delta = 0.0;
  o.x = 0.3 + random();
  o.y = -2.0 - random();
  for (int i = 0; i < 3; ++i) o.v1(i) = random() - 0.5;
  for (int i = 1; i < 3; ++i) o.v2(i) = random() - 0.5;
  trial.h = std::pow(10.0, -3.0 * random());
  return trial;
}

// What a step did to ½ vᵀ M v + ½ γ s² beyond the work of gravity, s at its end as the rows see it,
// s + h J w.
struct Change {
  double growth = 0.0;  // over the largest of these energies and the work
  double press = 0.0;   // [N s] of the wall
};

// Nothing if a hit divided the step.
std::optional<Change> measure(const Trial& trial) {
  const Scene scene = read_soft_pendulum(trial.machine);
  const Model& model = scene.model;
  State state = model.initial_state();
  Workspace work(model);
  Trapezoidal method = std::get<Trapezoidal>(scene.stepper);
  method.h = trial.h;
  method.solver = Lemke{};  // exact to rounding, as the paper's PATH
  const StepReport report = take_step(model, method, state, work);
  if (!work.trapezoidal.impacts.empty()) return std::nullopt;
  Eigen::Index spring = -1;
  for (std::size_t r = 0; r < work.constraints.physics.size(); ++r)
    if (work.constraints.physics[r].elastic) spring = static_cast<Eigen::Index>(r);
  VecX speed(work.problem.rows());
  multiply(work.problem.G, work.solution.u, speed);
  const double s = trial.machine.stretch, s1 = s + trial.h * speed(spring);
  const double gamma = trial.machine.gamma;
  const Energy start = compute_energy(model, model.initial_state()),
               end = compute_energy(model, state);
  const double before = start.kinetic + 0.5 * gamma * s * s;
  const double after = end.kinetic + 0.5 * gamma * s1 * s1;
  const double work_done = start.potential - end.potential;  // gravity is constant: exact
  return Change{
      .growth = (after - before - work_done) / std::max({before, after, std::abs(work_done)}),
      .press = report.largest_press};
}

}  // namespace

Experiment show_theorem_9_1(const Effort& effort) {
  const int trials = effort.quick ? 600 : 3000;
  std::mt19937 generator(7);
  double worst = -1.0, off = 0.0, pressed = 0.0;
  int whole = 0;
  Curve growth{.label = "", .mark = Mark::points};
  for (int i = 0; i < trials; ++i) {
    const Losses losses = i % 3 == 0 ? Losses::none : Losses::some;
    const Trial trial = draw(generator, losses);
    const std::optional<Change> change = measure(trial);
    if (!change) continue;
    ++whole;
    pressed += change->press > 0.0;
    worst = std::max(worst, change->growth);
    if (losses == Losses::none) off = std::max(off, std::abs(change->growth));
    if (i >= 600) continue;  // enough for a picture
    growth.x.push_back(trial.h * trial.h * trial.machine.gamma);
    growth.y.push_back(1.0 + change->growth);
  }
  Experiment out{
      .title = "The energy theorem",
      .source = "section 9, theorem 9.1",
      .paper_says =
          "With joints, contacts, friction, springs and dampers a step adds nothing to the "
          "energy of motion and springs beyond what applied forces do, whatever the step "
          "and the stiffness.",
      .we_did = fmt::format(
          "{} single steps of random machines: two bobs, a rod, a spring with a damper, a rough "
          "wall, gravity of up to 10 m/s² towards it; stiffness 1 … 1e6 N/m, damping 0.1 … 1e3 "
          "N s/m, friction 0 … 1, h = 1e-3 … 1 s. A third of them have neither friction nor "
          "damping.",
          trials)};
  out.claims = {
      {.text = "Largest relative growth of energy in a step beyond the work of gravity",
       .source = "theorem 9.1",
       .expected = 0.0,
       .measured = worst,
       .tolerance = below(1e-10),
       .reason = "an inequality: roundings of the complementarity solver, 2e-13 in a prototype"},
      {.text = "… of machines without friction and damping: largest change",
       .source = "theorem 9.1",
       .expected = 0.0,
       .measured = off,
       .tolerance = below(1e-10),
       .reason = "there the inequality is an equation: roundings"},
      {.text = "… steps in which the wall presses",
       .source = "theorem 9.1",
       .expected = static_cast<double>(trials),
       .measured = pressed,
       .tolerance = above(0.2 * trials),
       .reason = "the others pull the bob off the wall: the sample must have both"},
      {.text = "Steps that no hit divided, to which the theorem applies",
       .source = "theorem 9.1",
       .expected = static_cast<double>(trials),
       .measured = static_cast<double>(whole),
       .tolerance = above(0.9 * trials),
       .reason = "the bob starts on the wall: the sample must not be empty"}};
  out.pictures.push_back({.file = "growth",
                          .figure = {.title = "Energy after a step over that before",
                                     .x = {.label = "h² γ [kg]", .logarithmic = true},
                                     .y = {.label = "ratio of energies"},
                                     .curves = {growth}},
                          .caption = "Each point is a step, the work of gravity taken "
                                     "off: none is above 1."});
  out.remarks.push_back(
      "Section 8 writes f′ = 2F with a skew F for Coriolis forces. No such F exists (a tensor that "
      "is symmetric in two indices and skew in two is zero): f′(v) u = F(v) u + F(u) v. The energy "
      "argument only needs F to be skew.");
  return out;
}

}  // namespace ligament::papers::trapezoidal
