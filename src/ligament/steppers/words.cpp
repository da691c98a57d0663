// SPDX-License-Identifier: Apache-2.0
#include "ligament/steppers/words.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ligament/math/rotation.h"
#include "ligament/model/joint_coordinates.h"
#include "ligament/steppers/gyroscopic.h"

namespace ligament {
namespace {

// The tangent of what hardly spins differs from its transpose by less than solvers resolve, and
// would make every factorization take twice as long.
void drop_rounding(Mat3& tangent) {
  const Mat3 transposed = tangent.transpose();
  if ((tangent - transposed).cwiseAbs().maxCoeff() <= 1e-12 * tangent.trace())
    tangent = 0.5 * (tangent + transposed);
}

// The rotational block of a rigid body and its part of p.
//
// midpoint:  M̃ = R T Rᵀ, p = M̃ ŵ_f + h torque, T the tangent [GY.4] at the free motion ŵ_f of l
// drift:     M = R I Rᵀ, p = l + h torque
//
// The torque is not part of the free motion: a body that a joint holds against it does not spin,
// and must not feel the gyroscopic terms of a spin that never happens.                    [GY.3]
// Returns whether the body takes the midpoint.
bool assemble_spin(const Body& body, const Vec3& l, const Vec3& kick, const StepSpan& span,
                   Gyroscopic gyroscopic, Spin& spin, BodyBlock& block, VecX& p) {
  const double h = span.h;
  const Vec3 l_P = spin.R_WP.transpose() * l;
  Mat3 tangent = body.moments.asDiagonal();
  spin.midpoint = gyroscopic == Gyroscopic::midpoint;
  if (spin.midpoint) {
    spin.w_P = guess_midpoint(body.moments, l_P, h);
    spin.midpoint = solve_midpoint(body.moments, l_P, h, spin.w_P);
    if (spin.midpoint) tangent = compute_midpoint_tangent(body.moments, spin.w_P, h);
    spin.midpoint = spin.midpoint && is_positive_definite(tangent);
    drop_rounding(tangent);
  }
  if (!spin.midpoint) {
    tangent = body.moments.asDiagonal();
    spin.w_P = l_P.cwiseQuotient(body.moments);
  }
  block.symmetric = tangent(0, 1) == tangent(1, 0) && tangent(0, 2) == tangent(2, 0) &&
                    tangent(1, 2) == tangent(2, 1);
  tangent /= span.theta;
  block.rotation = spin.R_WP * tangent * spin.R_WP.transpose();
  p.segment<3>(block.offset + 3) = spin.R_WP * (tangent * spin.w_P) + kick;
  return spin.midpoint;
}

// Attitude and mean angular velocity at the end of the step from the momentum l⁺.
void advance_spin(const Body& body, const Spin& spin, double h, const Vec3& l, const Mat3& R_BP,
                  State& state) {
  auto e_out = state.q.segment<4>(body.q_offset + 3);
  auto w = state.v.segment<3>(body.v_offset + 3);
  Quat e(e_out(0), e_out(1), e_out(2), e_out(3));
  const Vec3 l_P = spin.R_WP.transpose() * l;
  Vec3 w_P = spin.R_WP.transpose() * w;  // guess: the velocity that the step problem gave
  if (spin.midpoint && solve_midpoint(body.moments, l_P, h, w_P)) {
    w = spin.R_WP * w_P;
    e = cayley_turn(h * Vec3(w), e);
  } else {
    const Quat e_BP(R_BP);
    w = spin.R_WP * l_P.cwiseQuotient(body.moments);
    e = compute_symmetric_top_drift(body.moments, l, h, e * e_BP) * e_BP.conjugate();
  }
  e_out << e.w(), e.x(), e.y(), e.z();
}

}  // namespace

Workspace::Workspace(const Model& model) : sleep(model) {
  constraints = make_constraints(model, {problem.M, problem.G, P});
  for (std::size_t i = 0; i < model.motions().size(); ++i) prescribed_columns.add_block(6);
  contacts.joint_blocks = static_cast<int>(problem.G.blocks.size());
  contacts.joint_rows = problem.rows();
  if (!model.shapes().empty()) collision.emplace(model);
  resize_to_structure(problem);
  for (std::size_t i = 0; i < problem.laws.size(); ++i)
    if (constraints.physics[static_cast<std::size_t>(problem.G.blocks[i].first_row)].unilateral)
      problem.laws[i] = Unilateral{};
  for (VecX* rows : {&g, &row_speed, &drift_before, &drift, &free_speed})
    rows->setZero(problem.rows());
  schemes.resize(static_cast<std::size_t>(problem.rows()));
  solution.u.setZero(problem.columns());
  solution.lambda.setZero(problem.rows());
  constant_forces.setZero(problem.columns());
  for (const Body& body : model.bodies()) {
    if (body.kind == BodyKind::fixed) continue;
    constant_forces.segment<3>(body.v_offset) = body.mass * model.gravity() + body.force;
    if (body.kind != BodyKind::particle)
      constant_forces.segment<3>(body.v_offset + 3) = body.torque;
  }
  applied = constant_forces;
  free_velocity.setZero(problem.columns());
  prescribed.setZero(P.columns);
  spins.resize(model.bodies().size());

  // diag(G M⁻¹ Gᵀ) in the initial pose, Σ = 0.
  build_rows(model, model.initial_state(), *this);
  assemble_motion(model, model.initial_state(), 0.0, Gyroscopic::kick_drift, *this);
  compute_row_mobility(problem, mobility);
  if (problem.rows() > 0) largest_mobility = mobility.maxCoeff();
}

void compute_applied_forces(const Model& model, const std::vector<BodyFrame>& frames, double t,
                            const VecX& constant_forces, VecX& out) {
  if (model.loads().empty() && out.size() == constant_forces.size()) return;  // nothing changes
  out = constant_forces;
  for (const Load& load : model.loads()) {
    const Body& body = model.body(load.body);
    const BodyFrame& frame = frames[load.body.index()];
    Vec3 force, torque;
    for (std::size_t i = 0; i < 3; ++i) {
      force(i) = load.force[i](t);
      torque(i) = load.torque[i](t);
    }
    if (load.in_body_axes && body.kind == BodyKind::rigid) {
      force = frame.R * force;
      torque = frame.R * torque;
    }
    const Vec3 point = load.point.value_or(Vec3::Zero());
    out.segment<3>(body.v_offset) += force;
    if (body.kind == BodyKind::rod) out.segment<3>(body.v_offset + 3) += point.x() * force;
    if (body.kind == BodyKind::rigid)
      out.segment<3>(body.v_offset + 3) += torque + lever(frame, point).cross(force);
  }
}

void compute_drift(const Model& model, double t, double h, const BlockRows& G, const BlockRows& P,
                   Workspace& work, VecX& drift) {
  for (std::size_t i = 0; i < model.motions().size(); ++i) {
    const Frame from = model.motions()[i](t), to = model.motions()[i](t + h);
    const auto at = static_cast<Eigen::Index>(6 * i);
    work.prescribed.segment<3>(at) = (to.p - from.p) / h;
    work.prescribed.segment<3>(at + 3) = cayley_between(from.R, to.R) / h;
  }
  multiply(P, work.prescribed, drift);
  add_target_drift(work.constraints, model, t, h, G, drift);
}

void build_rows(const Model& model, const State& state, Workspace& work) {
  update_frames(model, state, work.frames);
  build_rows(work.constraints, model, work.frames, state.s, state.t, work.problem.G, work.P,
             work.g);
}

void compute_row_speeds(const Model& model, const State& state, double h, Workspace& work) {
  multiply(work.problem.G, state.v, work.row_speed);
  if (work.constraints.drifts) {
    compute_drift(model, state.t - h, h, work.problem.G, work.P, work, work.drift_before);
    compute_drift(model, state.t, h, work.problem.G, work.P, work, work.drift);
    // A function may begin at the time at hand; then it has been as it will be.
    if (!work.drift_before.allFinite()) work.drift_before = work.drift;
    work.row_speed += work.drift_before;
  }
  if (work.constraints.bounces || work.contacts.bounces) {
    multiply_inverse(work.problem.M, work.problem.p, work.free_velocity);
    multiply(work.problem.G, work.free_velocity, work.free_speed);
    work.free_speed += work.drift;
  }
}

bool bounces(const RowPhysics& row, double g, double speed, double free_speed, double h) {
  return speed < 0.0 && g + h * speed < 0.0 && -row.restitution * speed > speed - free_speed;
}

void compute_drift_rate(const Model& model, double t, const BlockRows& G, const BlockRows& P,
                        Workspace& work, VecX& drift) {
  constexpr double dt = 1e-5;  // [s] short for machines and long for rounding
  compute_drift(model, t - dt, 2.0 * dt, G, P, work, drift);
}

void update_velocities(const Model& model, State& state) {
  const auto bodies = model.bodies();
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    if (body.kind == BodyKind::fixed) continue;
    const int at = body.v_offset;
    state.v.segment<3>(at) = state.p.segment<3>(at) / body.mass;
    if (body.kind == BodyKind::rod)
      state.v.segment<3>(at + 3) = state.p.segment<3>(at + 3) / body.moments.x();
    if (body.kind == BodyKind::rigid)
      state.v.segment<3>(at + 3) = compute_angular_velocity(model, state, BodyId{i});
  }
}

void move_prescribed_bodies(const Model& model, double t, State& state) {
  for (const Body& body : model.bodies())
    if (body.motion >= 0) move_as_prescribed(model, body, t, state);
}

int assemble_motion(const Model& model, const State& state, double h, Gyroscopic gyroscopic,
                    Workspace& work) {
  compute_applied_forces(model, work.frames, state.t, work.constant_forces, work.applied);
  return assemble_free_motion(model, state, work.frames, {.h = h}, gyroscopic, work);
}

int assemble_free_motion(const Model& model, const State& state,
                         const std::vector<BodyFrame>& frames, const StepSpan& span,
                         Gyroscopic gyroscopic, Workspace& work) {
  int drifted = 0;
  const double h = span.h;
  VecX& p = work.problem.p;
  p = state.p / span.theta + h * work.applied;
  const auto bodies = model.bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    if (body.kind == BodyKind::fixed) continue;
    BodyBlock& block = work.problem.M.blocks[static_cast<std::size_t>(body.mass_block)];
    const int at = body.v_offset;
    block.mass = body.mass / span.theta;
    if (work.sleep.is_asleep(BodyId{static_cast<std::uint32_t>(i)})) {
      p.segment(at, velocities_of(body.kind)).setZero();
      continue;
    }
    if (body.kind == BodyKind::rod) {
      block.rotation = (body.moments / span.theta).asDiagonal();
    } else if (body.kind == BodyKind::rigid) {
      const BodyId id{static_cast<std::uint32_t>(i)};
      Spin& spin = work.spins[i];
      spin.R_WP = frames[i].R;
      if (!body.principal_axes) spin.R_WP *= model.principal_axes(id);
      const Vec3 l = state.p.segment<3>(at + 3);
      const Vec3 kick = h * work.applied.segment<3>(at + 3);
      if (assemble_spin(body, l, kick, span, gyroscopic, spin, block, p)) continue;
      const double ratio = body.moments.maxCoeff() / body.moments.minCoeff();
      if (h * spin.w_P.norm() * ratio > 1.0) ++drifted;
    }
  }
  return drifted;
}

void move_as_prescribed(const Model& model, const Body& body, double t, State& state) {
  const Frame pose = model.motions()[static_cast<std::size_t>(body.motion)](t);
  state.q.segment<3>(body.q_offset) = pose.p;
  const Quat e = pose.R.normalized();
  state.q.segment<4>(body.q_offset + 3) << e.w(), e.x(), e.y(), e.z();
}

void assemble_inertia(const Model& model, const std::vector<BodyFrame>& frames, BlockDiagonal& M) {
  const auto bodies = model.bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    if (body.kind == BodyKind::fixed) continue;
    BodyBlock& block = M.blocks[static_cast<std::size_t>(body.mass_block)];
    block.mass = body.mass;
    if (body.kind == BodyKind::rod) block.rotation = body.moments.asDiagonal();
    if (body.kind != BodyKind::rigid) continue;
    Mat3 R_WP = frames[i].R;
    if (!body.principal_axes) R_WP *= model.principal_axes(BodyId{static_cast<std::uint32_t>(i)});
    block.rotation = R_WP * body.moments.asDiagonal() * R_WP.transpose();
  }
}

double fit_lateness(const RowPhysics& row, double mobility, double h) {
  if (row.damping_time < 0.0) return 1.0;
  const double rate =
      row.kind == RowKind::velocity ? 1.0 / row.compliance : row.damping_time / row.compliance;
  const double z = h * rate * mobility;
  // 1/(1 − e⁻ᶻ) − 1/z, by its series where both terms are large.
  return z < 1e-2 ? 0.5 + z / 12.0 : 1.0 / -std::expm1(-z) - 1.0 / z;
}

bool has_finite_input(const Model& model, const Workspace& work) {
  if (!work.constraints.drifts && model.loads().empty()) return true;
  return work.problem.p.allFinite() && work.problem.b.allFinite();
}

double sigma_floor(double compliance_floor, const Workspace& work) {
  return compliance_floor * std::numeric_limits<double>::epsilon() * work.largest_mobility;
}

void advance(const Model& model, double h, Workspace& work, State& state, double theta) {
  const VecX& impulse = work.residual.impulse;
  const VecX& forces = work.applied;
  state.v = work.solution.u;
  const auto bodies = model.bodies();
  // p takes the whole of the change, and returns what it was at θ.
  const auto kick = [&](int at) -> Vec3 {
    const Vec3 change = h * forces.segment<3>(at) + impulse.segment<3>(at);
    const Vec3 mean = state.p.segment<3>(at) + theta * change;
    state.p.segment<3>(at) += change;
    return mean;
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    if (body.motion >= 0) move_as_prescribed(model, body, state.t + h, state);
    if (body.kind == BodyKind::fixed || work.sleep.is_asleep(BodyId{static_cast<std::uint32_t>(i)}))
      continue;
    const int at = body.v_offset;
    state.v.segment<3>(at) = kick(at) / body.mass;
    state.q.segment<3>(body.q_offset) += h * state.v.segment<3>(at);
    if (body.kind == BodyKind::particle) continue;
    const Vec3 turning = kick(at + 3);
    if (body.kind == BodyKind::rod) {
      state.v.segment<3>(at + 3) = turning / body.moments.x();
      state.q.segment<3>(body.q_offset + 3) += h * state.v.segment<3>(at + 3);
    } else {
      const BodyId id{static_cast<std::uint32_t>(i)};
      advance_spin(body, work.spins[i], h, turning, model.principal_axes(id), state);
    }
  }
  update_joint_coordinates(model, state);
  state.t += h;
}

double largest_speed(const StepProblem& problem, const StepSolution& solution) {
  double speed = 0.0;
  for (const BodyBlock& body : problem.M.blocks)
    speed = std::max(speed, problem.p.segment<3>(body.offset).norm() / body.mass);
  if (problem.rows() > 0) speed = std::max(speed, problem.b.lpNorm<Eigen::Infinity>());
  if (problem.columns() > 0) speed = std::max(speed, solution.u.lpNorm<Eigen::Infinity>());
  return speed;
}

void measure(Workspace& work, StepReport& report) {
  work.error.exact = true;  // until it is explained
  report.residual = work.residual.row_max;
  report.worst_residual_row = work.residual.worst_row;
  report.momentum_residual = work.residual.momentum_max;
  report.speed = largest_speed(work.problem, work.solution);
  report.accurate = !(report.residual > 1e-6 * report.speed);
  report.injected_energy = work.residual.injected_energy;
  report.friction_error = work.residual.friction_error;
  report.violation = compute_violation(work.constraints, work.g);
  report.sleepers = work.sleep.sleeping();
  report.contacts = static_cast<int>(work.contacts.rows.size());
  for (int i = 0; i < report.contacts; ++i) {
    const ContactRows& rows = work.contacts.rows[static_cast<std::size_t>(i)];
    const double depth = -rows.contact.gap, press = work.solution.lambda(rows.normal_row);
    if (depth > report.penetration) {
      report.penetration = depth;
      report.deepest_contact = i;
    }
    if (press > report.largest_press) {
      report.largest_press = press;
      report.hardest_contact = i;
    }
  }
}

void explain(double h, Workspace& work, StepReport& report) {
  const SolvedStep step{.problem = work.problem,
                        .solution = work.solution,
                        .residual = work.residual,
                        .schemes = work.schemes,
                        .contacts = work.contacts.rows,
                        .h = h,
                        .speed = report.speed};
  report.error = explain_step(step, work.error);
}

}  // namespace ligament
