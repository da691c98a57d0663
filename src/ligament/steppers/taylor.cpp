// SPDX-License-Identifier: Apache-2.0
// Taylor, the baseline of the impulse paper: multipliers of the accelerations, then a series.
//
// Problem   M a = f + Gᵀ λ,   G a + Ġ v + 2 α ġ + β² g = 0, all at the start of the step.
// Scheme    q⁺ = q ⊕ (h v + (h²/2) a),   v⁺ = v + h a                                    [IB.10]
//           Springs and dampers are forces at the start. Ġ v by differences along the motion.
// Terms     α, β Baumgarte's [1/s]: 0 for the method of the paper.
// Promises  first order, whatever the series looks like; joints drift, by O(h) in a given time.
// Reference Schmitt, Bender and Prautzsch 2005, section 6; Baumgarte 1972.
#include <algorithm>
#include <cmath>

#include "ligament/model/joint_coordinates.h"
#include "ligament/steppers/take_step.h"
#include "ligament/steppers/words.h"

namespace ligament {
namespace {

// Ġ v: the derivative of G(q ⊕ t v) v by t at 0, by differences of order four over points as far
// apart as the rows are smooth.
void compute_curvature(const Model& model, const State& state, Workspace& work, VecX& out) {
  ImpulseWorkspace& own = work.impulse;
  constexpr double length = 1e-3;  // [m, rad] that something moves: error 1e-12, roundings 1e-13
  const double speed = state.v.size() > 0 ? state.v.lpNorm<Eigen::Infinity>() : 0.0;
  out.setZero(work.contacts.joint_rows);
  if (speed == 0.0) return;
  const double delta = length / speed;
  own.speed.resize(out.size());
  own.end.g.resize(out.size());
  if (own.end.G.rows != work.problem.G.rows) {
    own.end.G = work.problem.G;
    own.end.P = work.P;
  }
  for (const double points : {-2.0, -1.0, 1.0, 2.0}) {
    own.trial = state;
    displace(model, state.v, points * delta, own.trial);
    update_frames(model, own.trial, own.end.frames);
    build_rows(work.constraints, model, own.end.frames, own.trial.s, state.t, own.end.G, own.end.P,
               own.end.g);
    multiply(own.end.G, state.v, own.speed);
    const double weight = std::abs(points) == 1.0 ? 8.0 * points : -points / 2.0;
    out += weight / (12.0 * delta) * own.speed;
  }
}

// The torque −ω × I ω of rigid bodies.
void add_gyroscopic_torques(const Model& model, const State& state, double h, VecX& p) {
  for (const Body& body : model.bodies())
    if (body.kind == BodyKind::rigid) {
      const Vec3 l = state.p.segment<3>(body.v_offset + 3);
      p.segment<3>(body.v_offset + 3) -= h * Vec3(state.v.segment<3>(body.v_offset + 3)).cross(l);
    }
}

}  // namespace

StepReport take_step(const Taylor& taylor, const Model& model, State& state, Workspace& work) {
  StepReport report;
  StepProblem& problem = work.problem;
  const double h = taylor.h;
  build_rows(model, state, work);
  if (find_unsupported(taylor, model, work).any()) {
    report.solve.status = SolveStatus::unsupported;
    return report;
  }
  assemble_inertia(model, work.frames, problem.M);
  multiply_inverse(problem.M, state.p, state.v);
  compute_curvature(model, state, work, work.impulse.curvature);
  compute_applied_forces(model, work.frames, state.t, work.constant_forces, work.applied);
  multiply(problem.G, state.v, work.row_speed);
  problem.p = h * work.applied;
  add_gyroscopic_torques(model, state, h, problem.p);
  constexpr double idle = 1e30;  // Σ of a row that is a force and no constraint
  const double floor = sigma_floor(taylor.compliance_floor, work);
  VecX& forces = work.impulse.step;
  forces.setZero(problem.rows());
  for (int r = 0; r < problem.rows(); ++r) {
    const RowPhysics& row = work.constraints.physics[static_cast<std::size_t>(r)];
    const double g = work.g(r), speed = work.row_speed(r);
    if (!row.elastic) {
      problem.b(r) = -h * (work.impulse.curvature(r) + 2.0 * taylor.alpha * speed +
                           taylor.beta * taylor.beta * g);
    } else {
      const double tau = row.damping_time < 0.0 ? 2.0 * h : row.damping_time;
      const double stretch = row.kind == RowKind::velocity ? speed : g + tau * speed;
      forces(r) = -h * stretch / row.compliance;
      problem.b(r) = 0.0;
    }
    problem.Sigma(r) = row.elastic ? idle : floor;
  }
  work.impulse.impulse.resize(problem.columns());
  multiply_transposed(problem.G, forces, work.impulse.impulse);
  problem.p += work.impulse.impulse;
  report.solve = solve(taylor.solver, problem, work.solver, work.solution);
  if (!report.solve.ok()) return report;
  // What the softness of the solve leaves open is made up for.
  for (int r = 0; r < problem.rows(); ++r)
    if (problem.Sigma(r) < idle) problem.b(r) += problem.Sigma(r) * work.solution.lambda(r);
  report.solve = solve_again(taylor.solver, problem, work.solver, work.solution);
  compute_residual(problem, work.solution, work.residual);
  measure(work, report);
  std::ranges::fill(work.schemes, RowScheme{.scale = h});  // all rows tie changes of velocity
  explain(h, work, report);

  const VecX& change = work.solution.u;  // h a
  work.impulse.u = state.v + 0.5 * change;
  state.v += change;
  displace(model, work.impulse.u, h, state);
  update_frames(model, state, work.impulse.end.frames);
  assemble_inertia(model, work.impulse.end.frames, problem.M);
  multiply(problem.M, state.v, state.p);
  state.t += h;
  work.solution.lambda += forces;
  return report;
}

}  // namespace ligament
