// SPDX-License-Identifier: Apache-2.0
// The end of a flight: forces, the other halves of springs and dampers, and the correction of the
// velocities.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ligament/math/worst.h"
#include "ligament/steppers/impulse/flight.h"
#include "ligament/steppers/impulse/flight_rows.h"
#include "ligament/steppers/words.h"

namespace ligament {
namespace {

// The weight of the end velocity in the second half of a damper's step, such that both halves decay
// by e^(−z) together: 1/(1 + y) in the first, y = z/2.                                    [IB.7]
double fit_second_half(double z) {
  if (z < 1e-2) return z / 3.0 - z * z / 6.0;
  const double y = 0.5 * z, decay = std::exp(-z) * (1.0 + y);
  return (decay - 1.0 + y) / (y * (1.0 - decay));
}

}  // namespace

// The other halves of springs, and the explicit part of the other halves of dampers. [IB.6], [IB.7]
void Flight::add_relaxed_impulses(double h) {
  bool any = false;
  own_.step.setZero();
  for (int r = 0; r < own_.problem.rows(); ++r) {
    const RowPhysics& row = work_.constraints.physics[static_cast<std::size_t>(r)];
    if (!row.elastic || own_.idle_rows[static_cast<std::size_t>(r)]) continue;
    any = true;
    if (row.kind == RowKind::holonomic)
      own_.step(r) = -0.25 * h * (own_.start.g(r) + own_.end.g(r)) / row.compliance;
    const double c = 1.0 / inverse_drag_of(row, h);
    const double w = fit_second_half(h * c * work_.mobility(r));
    own_.step(r) -= 0.5 * h * (1.0 - w) * c * own_.speed(r);
  }
  if (!any) return;
  own_.total += own_.step;
  multiply_transposed(own_.problem.G, own_.step, own_.impulse);
  own_.p += own_.impulse;
}

// Σ, b and laws of [IB.2], in the rows at the end of the flight. own_.speed is the rate of the
// rows at the end of the free motion.
void Flight::discretize_end(double h) {
  StepProblem& problem = own_.problem;
  const double floor = sigma_floor(method_.compliance_floor, work_);
  constexpr double touching = 1e-9;  // [m, rad]
  for (std::size_t b = 0; b < problem.G.blocks.size(); ++b) {
    const RowBlock& block = problem.G.blocks[b];
    for (int r = block.first_row; r < block.first_row + block.rows; ++r) {
      const auto i = static_cast<std::size_t>(r);
      const RowPhysics& row = work_.constraints.physics[i];
      problem.Sigma(r) = floor;
      problem.b(r) = -own_.drift(r);
      if (own_.idle_rows[i]) {
        problem.Sigma(r) = idle;
      } else if (row.elastic) {
        const double c = 1.0 / inverse_drag_of(row, h);
        const double w = fit_second_half(h * c * work_.mobility(r));
        problem.Sigma(r) = std::clamp(2.0 / (h * w * c), floor, idle);
      } else if (row.kind == RowKind::velocity) {
        problem.Sigma(r) = std::max(2.0 * row.compliance / h, floor);
      } else if (row.unilateral) {
        const bool closed = own_.nu(r) > 0.0 || own_.start.g(r) < touching;
        problem.laws[b] = closed ? Law(Unilateral{}) : Law(Box{});
        if (own_.hit_rows[i] && own_.nu(r) > 0.0) problem.b(r) += own_.rebound(r);
      }
    }
  }
}

// The drift of the rows at the time t.
void Flight::compute_drift_at(double t) {
  compute_drift_rate(model_, t, work_.problem.G, own_.start.P, work_, own_.drift);
}

// μ of [IB.2] in own_.step. What the softness of the solve leaves open is made up for, until
// roundings are all that is left.
bool Flight::correct_velocities() {
  StepProblem& problem = own_.problem;
  own_.step.setZero();
  if (problem.rows() == 0) return true;
  constexpr int refinements = 4;
  double before = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < refinements; ++pass) {
    if (!run_solver(pass == 0)) return false;
    ++velocity_passes;
    multiply(problem.G, own_.solution.u, own_.speed);
    Worst worst;
    for (int r = 0; r < problem.rows(); ++r) {
      const auto i = static_cast<std::size_t>(r);
      const RowPhysics& row = work_.constraints.physics[i];
      if (!is_rigid(row) || own_.idle_rows[i]) continue;
      if (!row.unilateral) worst.add(std::abs(own_.speed(r) + own_.drift(r)), r);
      problem.b(r) = problem.Sigma(r) * own_.solution.lambda(r) - own_.drift(r);
      if (own_.hit_rows[i] && own_.nu(r) > 0.0) problem.b(r) += own_.rebound(r);
    }
    if (!(worst.size < 0.5 * before)) break;
    own_.step = own_.solution.lambda;
    before = speed_miss = worst.size;
    worst_speed_row = worst.index;
  }
  return true;
}

bool Flight::settle(double h, State& state) {
  StepProblem& problem = own_.problem;
  swap_ends();
  assemble_inertia(model_, own_.start.frames, problem.M);
  compute_applied_forces(model_, own_.start.frames, state.t, work_.constant_forces, own_.forces);
  multiply_inverse(problem.M, own_.p, own_.u);
  multiply(problem.G, own_.u, own_.speed);
  if (work_.constraints.drifts) {
    compute_drift_at(state.t);
    own_.speed += own_.drift;
  }
  own_.total += own_.nu;
  add_forces(model_, 0.5 * h, own_.forces, own_.pressed, own_.p);
  add_relaxed_impulses(h);
  discretize_end(h);
  problem.p = own_.p;
  own_.step.setZero();
  const bool swept = method_.form == ImpulseForm::sweeps;
  if (method_.velocity_correction && !(swept ? correct_by_sweeps() : correct_velocities()))
    return false;
  multiply_transposed(problem.G, own_.step, own_.impulse);
  own_.total += own_.step;
  state.p = own_.p + own_.impulse;
  multiply_inverse(problem.M, state.p, state.v);
  return true;
}

// The rows of [IB.2] tie velocities: with t = 0 and κ = h what they miss is a slip [ER.2].
void Flight::explain_velocities(const State& state, StepReport& report) {
  StepProblem& problem = own_.problem;
  for (int r = 0; r < problem.rows(); ++r) {
    const auto i = static_cast<std::size_t>(r);
    if (!is_rigid(work_.constraints.physics[i]) || own_.idle_rows[i]) continue;
    problem.b(r) = problem.Sigma(r) * own_.step(r) - own_.drift(r);  // G⁺ v⁺ + drift = 0
    if (own_.hit_rows[i] && own_.nu(r) > 0.0) problem.b(r) += own_.rebound(r);
    work_.schemes[i] = {.scale = method_.h};
  }
  own_.solution.u = state.v;
  own_.solution.lambda = own_.step;
  compute_residual(problem, own_.solution, work_.residual);
  report.speed = largest_speed(problem, own_.solution);
  report.accurate = !(speed_miss > 1e-6 * report.speed);
  report.error = explain_step({.problem = problem,
                               .solution = own_.solution,
                               .residual = work_.residual,
                               .schemes = work_.schemes,
                               .contacts = {},
                               .h = method_.h,
                               .speed = report.speed},
                              work_.error);
}

bool Flight::project(State& state) {
  StepProblem& problem = own_.problem;
  const double enough = tolerance(state), floor = sigma_floor(method_.compliance_floor, work_);
  const auto is_joint = [&](int r) {
    return is_rigid(work_.constraints.physics[static_cast<std::size_t>(r)]);
  };
  for (int r = 0; r < problem.rows(); ++r) problem.Sigma(r) = is_joint(r) ? floor : idle;
  for (int pass = 0;; ++pass) {
    update_frames(model_, state, own_.start.frames);
    ligament::build_rows(work_.constraints, model_, own_.start.frames, state.s, state.t, problem.G,
                         own_.start.P, own_.start.g);
    assemble_inertia(model_, own_.start.frames, problem.M);
    Worst worst;
    for (int r = 0; r < problem.rows(); ++r) {
      problem.b(r) = is_joint(r) ? -own_.start.g(r) : 0.0;
      worst.add(std::abs(problem.b(r)), r);
    }
    if (worst.size <= enough) break;
    open_row = worst.index;
    if (pass == method_.max_passes) return false;
    problem.p.setZero();
    if (!run_solver(true)) return false;
    for (int r = 0; r < problem.rows(); ++r)  // [IB.4]
      if (is_joint(r)) problem.b(r) -= floor * own_.solution.lambda(r);
    if (!run_solver(false)) return false;
    displace(model_, own_.solution.u, 1.0, state);
  }
  open_row = -1;
  if (work_.constraints.drifts) compute_drift_at(state.t);
  for (int r = 0; r < problem.rows(); ++r) problem.b(r) = is_joint(r) ? -own_.drift(r) : 0.0;
  problem.p = state.p;
  if (!correct_velocities()) return false;
  multiply_transposed(problem.G, own_.step, own_.impulse);
  state.p += own_.impulse;
  multiply_inverse(problem.M, state.p, state.v);
  return true;
}

}  // namespace ligament
