// SPDX-License-Identifier: Apache-2.0
#include "papers/impulse_2005/machines.h"

#include <cmath>

#include "papers/simulate.h"

namespace ligament::papers::impulse {

Machine read_machine(const std::string& name, const std::vector<Override>& overrides) {
  Scene scene = read_paper_scene(fmt::format("impulse_2005/{}.json", name), overrides);
  State start = scene.model.initial_state();
  if (scene.assemble && !assemble(scene.model, start).ok())
    throw std::runtime_error(fmt::format("{} cannot be assembled", name));
  return {.name = scene.name, .model = std::move(scene.model), .start = std::move(start)};
}

Flight fly(const Machine& machine, const Stepper& stepper, double T) {
  Flight flight{.state = machine.start};
  Workspace work(machine.model);
  const long steps = std::lround(T / step_size(stepper));
  for (long i = 0; i < steps; ++i) {
    const StepReport report = take_step(machine.model, stepper, flight.state, work);
    flight.gap = std::max(flight.gap, report.violation.max);
    flight.speed_miss = std::max(flight.speed_miss, report.residual);
    flight.passes += static_cast<double>(report.solve.iterations) / static_cast<double>(steps);
  }
  return flight;
}

namespace {

template <class Measure>
double sum_up(const Model& model, const Measure& measure) {
  double sum = 0.0;
  for (std::uint32_t i = 1; i < model.bodies().size(); ++i) sum += measure(BodyId{i});
  return std::sqrt(sum);
}

}  // namespace

double position_error(const Model& model, const State& state, const State& truth) {
  return sum_up(model, [&](BodyId id) {
    const Frame a = compute_pose(model, state, id), b = compute_pose(model, truth, id);
    return (a.p - b.p).squaredNorm() +
           (a.R.toRotationMatrix() - b.R.toRotationMatrix()).squaredNorm();
  });
}

double velocity_error(const Model& model, const State& state, const State& truth) {
  return sum_up(model, [&](BodyId id) {
    return (velocity_of(model, state, id) - velocity_of(model, truth, id)).squaredNorm() +
           (compute_angular_velocity(model, state, id) - compute_angular_velocity(model, truth, id))
               .squaredNorm();
  });
}

State find_truth(const Machine& machine, double T) {
  return fly(machine,
             Impulse{.h = T / 400.0,
                     .tolerance = 1e-14,
                     .higher_order = HigherOrder::extrapolation_8,
                     .rotation = FreeRotation::axes},
             T)
      .state;
}

Impulse table_method(double h) {
  return {.h = h, .tolerance = 1e-13, .rotation = FreeRotation::axes};
}

std::vector<Case> read_cases() {
  const auto hinged = [] {
    Machine machine = read_machine("boxes", {set("hinges", 1)});
    machine.name = "two boxes on skew hinges";
    return machine;
  };
  std::vector<Case> out;
  out.push_back({read_machine("double_pendulum"), {1.015e-2, 2.502e-3, 6.236e-4, 1.558e-4}});
  out.push_back({read_machine("triple_pendulum"), {9.012e-3, 2.235e-3, 5.575e-4, 1.393e-4}});
  out.push_back({read_machine("cuboid"), {1.868e-3, 4.664e-4, 1.166e-4, 2.914e-5}});
  out.push_back({read_machine("boxes"), {3.72e-2, 9.21e-3, 2.30e-3, 5.74e-4}, true});
  out.push_back({hinged(), {2.98e-3, 7.46e-4, 1.86e-4, 4.66e-5}, true});
  out.push_back({read_machine("four_bar"), {2.41e-2, 6.00e-3, 1.50e-3, 3.74e-4}, true});
  return out;
}

}  // namespace ligament::papers::impulse
