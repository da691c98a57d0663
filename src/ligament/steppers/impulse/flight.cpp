// SPDX-License-Identifier: Apache-2.0
#include "ligament/steppers/impulse/flight.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ligament/math/worst.h"
#include "ligament/model/joint_coordinates.h"
#include "ligament/steppers/impulse/flight_rows.h"
#include "ligament/steppers/words.h"

namespace ligament {
namespace {

// ν − (the law's) nearest point to ν − r/s, times s: r where the impulse is free, 0 where r pushes
// it against its bound.                                                                   [WA.4]
double natural_miss(const Law& law, double nu, double r, double s) {
  double lower = -unlimited, upper = unlimited;
  if (std::holds_alternative<Unilateral>(law)) lower = 0.0;
  if (const auto* box = std::get_if<Box>(&law)) lower = box->lower, upper = box->upper;
  if (lower == -unlimited && upper == unlimited) return r;
  return s * (nu - std::clamp(nu - r / s, lower, upper));
}

void add_report(const SolveReport& from, SolveReport& to) {
  to.status = from.status;
  to.factorizations += from.factorizations;
  to.work += from.work;
  to.analysed = to.analysed || from.analysed;
  to.culprit_block = from.culprit_block;
  for (std::size_t i = 0; i < to.chosen.size(); ++i) to.chosen[i] += from.chosen[i];
}

}  // namespace

double Flight::tolerance(const State& state) const {
  constexpr double roundings = 16.0 * std::numeric_limits<double>::epsilon();
  const double size = state.q.size() > 0 ? state.q.lpNorm<Eigen::Infinity>() : 0.0;
  return std::max(method_.tolerance, roundings * size);
}

void Flight::begin(const State& state) {
  const int blocks = work_.contacts.joint_blocks, rows = work_.contacts.joint_rows;
  StepProblem& problem = own_.problem;
  if (problem.M.blocks.size() != work_.problem.M.blocks.size()) {
    problem.M = work_.problem.M;
    problem.G = work_.problem.G;
    problem.G.truncate(blocks);
    resize_to_structure(problem);
    own_.end.G = problem.G;
    own_.end.P = work_.P;
    own_.end.P.truncate(blocks);
    own_.start.P = own_.end.P;
    for (VecX* of_rows : {&own_.start.g, &own_.end.g, &own_.nu, &own_.speed, &own_.end_speed,
                          &own_.drift, &own_.rest, &own_.rebound, &own_.step, &own_.total})
      of_rows->setZero(rows);
    for (VecX* of_columns : {&own_.p, &own_.u, &own_.impulse})
      of_columns->setZero(problem.columns());
    own_.body_of_block.clear();
    for (std::uint32_t i = 0; i < model_.bodies().size(); ++i)
      if (model_.bodies()[i].mass_block >= 0) own_.body_of_block.push_back(i);
    own_.pressed.assign(model_.bodies().size(), 0);
    own_.idle_rows.assign(static_cast<std::size_t>(rows), 0);
    own_.hit_rows.assign(static_cast<std::size_t>(rows), 0);
  }
  std::copy_n(work_.problem.G.values.begin(), problem.G.values.size(), problem.G.values.begin());
  std::copy_n(work_.P.values.begin(), own_.start.P.values.size(), own_.start.P.values.begin());
  own_.start.frames = work_.frames;
  own_.start.g = work_.g.head(rows);
  own_.trial = state;
  own_.total.setZero();
  compute_applied_forces(model_, own_.start.frames, state.t, work_.constant_forces, own_.forces);
}

void Flight::swap_ends() {
  std::swap(own_.problem.G, own_.end.G);
  std::swap(own_.start.P, own_.end.P);
  std::swap(own_.start.g, own_.end.g);
  std::swap(own_.start.frames, own_.end.frames);
}

// Σ and laws of [IB.1]. Springs with the damper τ, both over the mean of the flight:
//     ν = −(h/2) ((g + g⁺)/2 + τ (g⁺ − g)/h)/ε                                            [IB.6]
void Flight::discretize_start(double h, const State& from) {
  StepProblem& problem = own_.problem;
  const double floor = sigma_floor(method_.compliance_floor, work_);
  multiply_inverse(problem.M, from.p, own_.u);
  multiply(problem.G, own_.u, own_.speed);
  if (work_.constraints.bounces) {  // of the free motion
    own_.impulse = from.p;
    add_forces(model_, h, own_.forces, own_.pressed, own_.impulse);
    multiply_inverse(problem.M, own_.impulse, own_.u);
    multiply(problem.G, own_.u, own_.end_speed);
  }
  if (work_.constraints.drifts) {
    compute_drift(model_, from.t, h, work_.problem.G, own_.start.P, work_, own_.drift);
    own_.speed += own_.drift;
    own_.end_speed += own_.drift;
  }
  for (std::size_t b = 0; b < problem.G.blocks.size(); ++b) {
    const RowBlock& block = problem.G.blocks[b];
    for (int r = block.first_row; r < block.first_row + block.rows; ++r) {
      const auto i = static_cast<std::size_t>(r);
      const RowPhysics& row = work_.constraints.physics[i];
      double& Sigma = problem.Sigma(r);
      if (own_.idle_rows[i])
        Sigma = idle;
      else if (is_rigid(row))
        Sigma = floor;
      else if (row.kind == RowKind::velocity)
        Sigma = std::max(2.0 * row.compliance / h, floor);
      else
        Sigma = std::max(2.0 * row.compliance / (h * (0.5 * h + damping_time_of(row, h))), floor);
      own_.hit_rows[i] = row.restitution > 0.0 && !own_.idle_rows[i] &&
                         bounces(row, own_.start.g(r), own_.speed(r), own_.end_speed(r), h);
      if (own_.hit_rows[i]) own_.rebound(r) = -row.restitution * own_.speed(r);
    }
    const RowPhysics& first = work_.constraints.physics[static_cast<std::size_t>(block.first_row)];
    const double most = 0.5 * h * work_.constraints.blocks[b].max_force;
    if (first.unilateral)
      problem.laws[b] = Unilateral{};
    else if (work_.constraints.blocks[b].max_force < unlimited)
      problem.laws[b] = Box{.lower = -most, .upper = most};
    else
      problem.laws[b] = Equality{};
  }
}

// The pose that momentum p' leads to, and its rows.
void Flight::move_to_end(double h, const State& from) {
  own_.trial.q = from.q;
  own_.trial.s = from.s;
  own_.trial.t = from.t + h;
  for (std::uint32_t i = 0; i < model_.bodies().size(); ++i)
    move_freely(model_, BodyId{i}, own_.p, h, method_.rotation, own_.trial.q);
  if (!model_.motions().empty())
    for (const Body& body : model_.bodies())
      if (body.motion >= 0) move_as_prescribed(model_, body, own_.trial.t, own_.trial);
  if (model_.joint_coordinates() > 0) update_joint_coordinates(model_, own_.trial);
  update_frames(model_, own_.trial, own_.end.frames);
  ligament::build_rows(work_.constraints, model_, own_.end.frames, own_.trial.s, own_.trial.t,
                       own_.end.G, own_.end.P, own_.end.g);
}

// By how much each row misses what [IB.1] asks of it, as a velocity, without its own Σ ν where it
// is relaxed; and G u.
void Flight::compute_rests(double h, const State& from) {
  StepProblem& problem = own_.problem;
  multiply_inverse(problem.M, own_.p, own_.u);
  multiply(problem.G, own_.u, own_.speed);
  if (work_.constraints.has_velocity_rows) {
    multiply(own_.end.G, own_.u, own_.end_speed);
    own_.end_speed = 0.5 * (own_.end_speed + own_.speed);
    if (work_.constraints.drifts) {
      compute_drift(model_, from.t, h, work_.problem.G, own_.start.P, work_, own_.drift);
      own_.end_speed += 0.5 * own_.drift;
      compute_drift(model_, from.t, h, work_.problem.G, own_.end.P, work_, own_.drift);
      own_.end_speed += 0.5 * own_.drift;
    }
  }
  for (int r = 0; r < problem.rows(); ++r) {
    const RowPhysics& row = work_.constraints.physics[static_cast<std::size_t>(r)];
    const double g = own_.start.g(r), g_plus = own_.end.g(r);
    if (own_.idle_rows[static_cast<std::size_t>(r)]) {
      own_.rest(r) = 0.0;
    } else if (is_rigid(row)) {
      own_.rest(r) = g_plus / h;
    } else if (row.kind == RowKind::velocity) {
      own_.rest(r) = own_.end_speed(r);
    } else {
      const double tau = damping_time_of(row, h);
      own_.rest(r) = (0.5 * (g + g_plus) + tau * (g_plus - g) / h) / (0.5 * h + tau);
    }
  }
}

// The largest displacement that is still missing [m, rad], and the row that misses it.
double Flight::compute_miss(double h) {
  const StepProblem& problem = own_.problem;
  Worst worst;
  for (std::size_t b = 0; b < problem.G.blocks.size(); ++b) {
    const RowBlock& block = problem.G.blocks[b];
    for (int r = block.first_row; r < block.first_row + block.rows; ++r) {
      const bool rigid = is_rigid(work_.constraints.physics[static_cast<std::size_t>(r)]);
      const double mobility = std::max(work_.mobility(r), 1e-6 * work_.largest_mobility);
      const double miss = rigid ? own_.rest(r)
                                : (own_.rest(r) + problem.Sigma(r) * own_.nu(r)) * mobility /
                                      (mobility + problem.Sigma(r));
      worst.add(std::abs(h * natural_miss(problem.laws[b], own_.nu(r), miss, mobility)), r);
    }
  }
  open_row = worst.index;
  return worst.size;
}

bool Flight::run_solver(bool first) {
  const SolveReport report =
      first ? ligament::solve(method_.solver, own_.problem, own_.solver, own_.solution)
            : solve_again(method_.solver, own_.problem, own_.solver, own_.solution);
  add_report(report, solve);
  return report.ok();
}

bool Flight::close_by_newton(double h, const State& from) {
  const double enough = tolerance(from);
  const bool linear = has_only_equalities(own_.problem);
  double start = 0.0;
  own_.broyden.clear();
  for (int pass = 0; pass <= method_.max_passes; ++pass) {
    move_to_end(h, from);
    compute_rests(h, from);
    const double miss = compute_miss(h);
    if (miss <= enough) {
      open_row = -1;
      return true;
    }
    if (pass == 0) start = miss;
    constexpr double lost = 1e6;
    if (!(miss < lost * (start + 1.0)) || pass == method_.max_passes) return false;
    ++solve.iterations;
    if (!(linear ? solve_linear_pass(pass == 0) : solve_bounded_pass(pass == 0))) return false;
    own_.broyden.improve(own_.problem, own_.step);
    own_.nu += own_.step;
    multiply_transposed(own_.problem.G, own_.nu, own_.impulse);
    own_.p = own_.kicked + own_.impulse;
  }
  return false;
}

bool Flight::close(double h, const State& from) {
  assemble_inertia(model_, own_.start.frames, own_.problem.M);
  discretize_start(h, from);
  own_.kicked = from.p;
  add_forces(model_, 0.5 * h, own_.forces, own_.pressed, own_.kicked);
  own_.p = own_.kicked;
  own_.nu.setZero();
  return method_.form == ImpulseForm::sweeps ? close_by_sweeps(h, from) : close_by_newton(h, from);
}

bool Flight::fly(double h, State& state) {
  if (!close(h, state)) return false;
  state.q = own_.trial.q;
  state.s = own_.trial.s;
  state.t = own_.trial.t;
  if (!settle(h, state)) return false;
  if (solve.status == SolveStatus::not_run) solve.status = SolveStatus::solved;  // free motion
  return true;
}

}  // namespace ligament
