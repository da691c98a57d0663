// SPDX-License-Identifier: Apache-2.0
#include "ligament/steppers/stepper.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "ligament/steppers/take_step.h"

namespace ligament {
namespace {

void require(bool fine, const char* option, double value, const char* what) {
  if (!fine) throw std::invalid_argument(fmt::format("{} is {:g}: {}", option, value, what));
}

}  // namespace

const char* name_of(const Stepper& stepper) {
  constexpr const char* names[] = {"spook", "relaxed"};
  static_assert(std::variant_size_v<Stepper> == std::size(names));
  return names[stepper.index()];
}

double step_size(const Stepper& stepper) {
  return std::visit([](const auto& s) { return s.h; }, stepper);
}

const Solver& solver_of(const Stepper& stepper) {
  return std::visit([](const auto& s) -> const Solver& { return s.solver; }, stepper);
}

void check_options(const Stepper& stepper) {
  std::visit(
      [](const auto& s) {
        require(std::isfinite(s.h) && s.h >= 1e-15 && s.h <= 1e6, "h", s.h,
                "the time step must be between 1e-15 s and 1e6 s");
        require(s.damping_steps >= 0.0 && s.damping_steps <= 1e9, "damping_steps", s.damping_steps,
                "it must be between 0 and 1e9 steps");
        require(s.compliance_floor >= 0.0 && s.compliance_floor <= 1e15, "compliance_floor",
                s.compliance_floor, "it must be between 0 (off) and 1e15 roundings");
        const auto check_refinements = [](int count) {
          require(count >= 0 && count <= 10, "refinements", count, "it must be between 0 and 10");
        };
        if (const auto* direct = std::get_if<Direct>(&s.solver))
          check_refinements(direct->refinements);
        if (const auto* pivot = std::get_if<BlockPivot>(&s.solver)) {
          check_refinements(pivot->refinements);
          require(pivot->pivots_per_row >= 1 && pivot->pivots_per_row <= 1000, "pivots_per_row",
                  pivot->pivots_per_row, "it must be between 1 and 1000");
        }
      },
      stepper);
}

StepReport step(const Stepper& stepper, const Model& model, State& state, Workspace& workspace) {
  return std::visit([&](const auto& method) { return take_step(method, model, state, workspace); },
                    stepper);
}

}  // namespace ligament
