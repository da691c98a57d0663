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

void require_count(int count, int least, int most, const char* option) {
  if (count < least || count > most)
    throw std::invalid_argument(
        fmt::format("{} is {}: it must be between {} and {}", option, count, least, most));
}

// Options of all solvers, by the names they share.
void check_solver(const Solver& solver) {
  constexpr int many = 1'000'000'000;
  std::visit(
      [](const auto& s) {
        if constexpr (requires { s.refinements; })
          require_count(s.refinements, 0, 10, "refinements");
        if constexpr (requires { s.pivots_per_row; })
          require_count(s.pivots_per_row, 1, 1000, "pivots_per_row");
        if constexpr (requires { s.passes; }) require_count(s.passes, 1, 1000, "passes");
        if constexpr (requires { s.max_sweeps; })
          require_count(s.max_sweeps, 0, many, "max_sweeps");
        if constexpr (requires { s.least_sweeps; })
          require_count(s.least_sweeps, 0, many, "least_sweeps");
        if constexpr (requires { s.settled; })
          require(s.settled >= 0.0 && s.settled <= 1.0, "settled", s.settled,
                  "the relative error of the velocities must be between 0 and 1");
        if constexpr (requires { s.max_work; })
          require(s.max_work > 0.0, "max_work", s.max_work, "it must be > 0 multiply-adds");
        if constexpr (requires { s.max_iterations; })
          require_count(s.max_iterations, 1, many, "max_iterations");
        if constexpr (requires { s.direct_bodies; })
          require_count(s.direct_bodies, 0, many, "direct_bodies");
        if constexpr (requires { s.directions; }) {
          require_count(s.directions, 2, 64, "directions");
          require_count(s.max_unknowns, 1, 20000, "max_unknowns");
        }
        if constexpr (requires { s.threads; }) require_count(s.threads, 1, 256, "threads");
        if constexpr (requires { s.sweep_tolerance; })
          require(s.sweep_tolerance >= 0.0 && s.sweep_tolerance <= 1e6, "sweep_tolerance",
                  s.sweep_tolerance, "it must be between 0 and 1e6");
        if constexpr (requires { s.tolerance; })
          require(s.tolerance >= 0.0 && s.tolerance <= 1.0, "tolerance", s.tolerance,
                  "the relative error of the velocities must be between 0 and 1");
      },
      solver);
}

void check_contacts(const ContactModel& contacts) {
  require(contacts.slip >= 0.0 && std::isfinite(contacts.slip), "slip", contacts.slip,
          "it must be ≥ 0 m/(N s)");
  require(contacts.slack >= 0.0 && contacts.slack <= 1e6, "slack", contacts.slack,
          "it must be between 0 and 1e6 of the smallest half size");
  require_count(contacts.threads, 1, 256, "threads");
  require(contacts.sleep_after >= 0.0, "sleep_after", contacts.sleep_after, "it must be ≥ 0 s");
  require(contacts.sleep_speed >= 0.0, "sleep_speed", contacts.sleep_speed, "it must be ≥ 0 m/s");
}

void check_trapezoidal(const Trapezoidal& s) {
  const auto require_size = [](double size, const char* option, const char* what) {
    require(size >= 0.0 && std::isfinite(size), option, size, what);
  };
  require(s.theta >= 0.5 && s.theta <= 1.0, "theta", s.theta,
          "it must be between 0.5 (trapezoidal) and 1 (implicit Euler)");
  require(s.stabilization >= 0.0 && s.stabilization <= 1.0, "stabilization", s.stabilization,
          "it must be between 0 and 1");
  require(!std::isnan(s.damped_until), "damped_until", s.damped_until, "it must be a time in s");
  require_size(s.closed, "closed", "it must be ≥ 0 m");
  require_size(s.still, "still", "it must be ≥ 0 m/s");
  require_size(s.plastic_speed, "plastic_speed", "it must be ≥ 0 m/s");
  require(!s.as_printed.gyroscopic || !needs_symmetry(s.solver), "as_printed.gyroscopic", 1.0,
          "its matrix is not symmetric, as this solver needs it: choose another one");
  require(s.contacts.sleep_after == 0.0, "sleep_after", s.contacts.sleep_after,
          "this stepper puts nobody to sleep: it must be 0");
}

}  // namespace

const char* name_of(const Stepper& stepper) {
  constexpr const char* names[] = {"spook",       "relaxed", "regularized_vi",
                                   "trapezoidal", "impulse", "taylor"};
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
        if constexpr (requires { s.damping_steps; })
          require(s.damping_steps >= 0.0 && s.damping_steps <= 1e9, "damping_steps",
                  s.damping_steps, "it must be between 0 and 1e9 steps");
        if constexpr (requires { s.push_out; })
          require(s.push_out >= 0.0 && s.push_out <= 1.0, "push_out", s.push_out,
                  "it must be between 0 and 1");
        if constexpr (requires { s.max_push_out_speed; })
          require(s.max_push_out_speed >= 0.0, "max_push_out_speed", s.max_push_out_speed,
                  "it must be ≥ 0 m/s");
        if constexpr (requires { s.theta; }) check_trapezoidal(s);
        if constexpr (requires { s.max_halvings; }) {
          require(s.tolerance > 0.0 && s.tolerance <= 1.0, "tolerance", s.tolerance,
                  "it must be > 0 and at most 1 m or rad");
          require(s.compliance_floor > 0.0, "compliance_floor", s.compliance_floor,
                  "it must be > 0 roundings");
          require_count(s.max_passes, 1, 1'000'000, "max_passes");
          require_count(s.max_sweeps, 1, 1'000'000'000, "max_sweeps");
          require_count(s.max_halvings, 0, 30, "max_halvings");
        }
        if constexpr (requires { s.alpha; }) {
          require(s.alpha >= 0.0 && s.alpha <= 1e9, "alpha", s.alpha, "it must be 0 … 1e9 1/s");
          require(s.beta >= 0.0 && s.beta <= 1e9, "beta", s.beta, "it must be 0 … 1e9 1/s");
        }
        if constexpr (requires { s.contacts; }) check_contacts(s.contacts);
        check_solver(s.solver);
        require(s.compliance_floor >= 0.0 && s.compliance_floor <= 1e15, "compliance_floor",
                s.compliance_floor, "it must be between 0 (off) and 1e15 roundings");
      },
      stepper);
}

StepReport step(const Stepper& stepper, const Model& model, State& state, Workspace& workspace) {
  return std::visit([&](const auto& method) { return take_step(method, model, state, workspace); },
                    stepper);
}

}  // namespace ligament
