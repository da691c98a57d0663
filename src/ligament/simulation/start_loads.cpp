// SPDX-License-Identifier: Apache-2.0
#include "ligament/simulation/start_loads.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ligament/simulation/row_forms.h"
#include "ligament/steppers/contacts.h"

namespace ligament {
namespace {

constexpr double touching = 1e-6;      // of the extent of the machine
constexpr double softness = 1e-3;      // of its mobility: the softest row in a solve
constexpr double left_out = 1e12;      // of the largest mobility: a row that does nothing
constexpr double no_stiffness = 1e29;  // [m/N] and more: an axis that nothing holds

class LoadProblem {
 public:
  LoadProblem(const Model& model, const Stepper& stepper, const State& state, Workspace& work)
      : model_(model), stepper_(stepper), state_(state), work_(work), h_(step_size(stepper)) {}

  StartLoads solve_for(Springs springs) {
    find_rows();
    assemble_motion(model_, state_, h_, Gyroscopic::kick_drift, work_);
    add_gyroscopic_torques();
    compute_row_speeds(model_, state_, h_, work_);
    take_joint_rows(springs);
    take_contact_rows();
    set_softness();
    return solve_to_the_limit();
  }

 private:
  // Rows at the pose; of the contacts those that touch.
  void find_rows() {
    build_rows(model_, state_, work_);
    if (!work_.collision) return;
    const ContactModel contacts = contacts_of(stepper_);
    find_contacts(model_, state_, h_, contacts, work_);
    const double most = touching * compute_extent(model_, state_);
    std::erase_if(work_.contacts.rows,
                  [&](const ContactRows& rows) { return rows.contact.gap > most; });
    work_.contacts.memories.assign(work_.contacts.rows.size(), nullptr);
    build_contact_rows(model_, contacts.friction, work_);
  }

  // The free motion of the drift has none, for it turns bodies afterwards.
  void add_gyroscopic_torques() {
    for (std::uint32_t i = 0; i < model_.bodies().size(); ++i) {
      const Body& body = model_.bodies()[i];
      if (body.kind != BodyKind::rigid) continue;
      const Vec3 w = compute_angular_velocity(model_, state_, BodyId{i});
      const Vec3 l = state_.p.segment<3>(body.v_offset + 3);
      work_.problem.p.segment<3>(body.v_offset + 3) -= h_ * w.cross(l);
    }
  }

  void take_joint_rows(Springs springs) {
    const VecX curvature = compute_curvature(model_, state_);
    const double floor = sigma_floor(compliance_floor_of(stepper_), work_);
    weight_.setZero(work_.problem.rows());
    compliance_ = weight_;
    VecX speed(work_.problem.rows()), exerted = weight_;
    multiply(work_.problem.G, state_.v, speed);
    for (std::size_t i = 0; i < work_.constraints.physics.size(); ++i) {
      const RowPhysics& row = work_.constraints.physics[i];
      const auto at = static_cast<Eigen::Index>(i);
      const bool stiff = row.compliance < no_stiffness;
      work_.problem.b(at) = -work_.drift(at);
      if (row.elastic && springs == Springs::as_they_are && stiff)
        exerted(at) = compute_force(row, work_.g(at), speed(at));
      else if (row.kind == RowKind::velocity && !row.elastic)
        weight_(at) = -1.0;
      else if (row.kind == RowKind::holonomic && stiff && !is_open(row, at)) {
        compliance_(at) = row.elastic ? row.compliance : effective_compliance(stepper_, row, floor);
        weight_(at) = has_rigid_joints(stepper_) && !row.elastic ? 1e-12 : compliance_(at);
        work_.problem.b(at) = speed(at) - h_ * curvature(at);
      }
    }
    set_laws(exerted);
    VecX push(work_.problem.columns());
    multiply_transposed(work_.problem.G, exerted, push);
    work_.problem.p += h_ * push;
  }

  bool is_open(const RowPhysics& row, Eigen::Index at) const {
    return row.unilateral && work_.g(at) > touching * compute_extent(model_, state_);
  }

  double compute_force(const RowPhysics& row, double g, double speed) const {
    if (row.kind == RowKind::velocity) return -speed / row.compliance;
    return -(g + damping_time_of(stepper_, row) * speed) / row.compliance;
  }

  // Bounds of drives hold for what springs exert too.
  void set_laws(VecX& exerted) {
    for (std::size_t b = 0; b < work_.constraints.blocks.size(); ++b) {
      const int row = work_.problem.G.blocks[b].first_row;
      const double most = work_.constraints.blocks[b].max_force;
      exerted(row) = std::clamp(exerted(row), -most, most);
      Law& law = work_.problem.laws[b];
      if (most < unlimited)
        law = Box{.lower = -h_ * most, .upper = h_ * most};
      else if (work_.constraints.physics[static_cast<std::size_t>(row)].unilateral)
        law = Unilateral{};
      else
        law = Equality{};
    }
  }

  void take_contact_rows() {
    const double floor = compliance_floor_of(stepper_);
    for (const ContactRows& rows : work_.contacts.rows) {
      const double least = sigma_floor(floor, model_, rows.contact);
      const ContactPhysics physics = physics_of(*rows.material, -1.0);
      const auto take = [&](int first, int count, const RowPhysics& row) {
        for (int r = first; first >= 0 && r < first + count; ++r) {
          RowPhysics damped = row;
          damped.damping_time = rows.material->damping_time.value_or(-1.0);
          compliance_(r) = effective_compliance(stepper_, damped, least);
          weight_(r) = compliance_(r);
          work_.problem.b(r) = work_.constraints.drifts ? -work_.drift(r) : 0.0;
        }
      };
      take(rows.normal_row, 1, physics.normal);
      take(rows.friction_row, 2, physics.sliding);
      take(rows.spinning_row, 1, physics.spinning);
      take(rows.rolling_row, 2, physics.rolling);
      // What arrives or leaves goes on as it does: impacts are no loads.
      work_.problem.b(rows.normal_row) = work_.row_speed(rows.normal_row);
    }
  }

  // Σ in proportion to compliance, the softest row far softer than rounding and far stiffer than
  // the bodies are light.
  void set_softness() {
    VecX& Sigma = work_.problem.Sigma;
    Sigma.setZero();
    VecX mobility;
    compute_row_mobility(work_.problem, mobility);
    const double largest = mobility.size() > 0 ? mobility.maxCoeff() : 1.0;
    const double least = 1e3 * std::numeric_limits<double>::epsilon() * largest;
    double softest = 0.0;
    for (Eigen::Index i = 0; i < mobility.size(); ++i)
      if (weight_(i) > 0.0 && mobility(i) > 0.0)
        softest = std::max(softest, weight_(i) / mobility(i));
    for (Eigen::Index i = 0; i < mobility.size(); ++i) {
      if (weight_(i) > 0.0)
        Sigma(i) = std::max(softness * weight_(i) / softest, least);
      else if (weight_(i) < 0.0)  // a velocity row: as in a step
        Sigma(i) = std::max(physics(i).compliance / h_, least);
      else
        Sigma(i) = left_out * largest;
    }
  }
  const RowPhysics& physics(Eigen::Index i) const {
    return work_.constraints.physics[static_cast<std::size_t>(i)];
  }

  StartLoads solve_to_the_limit() {
    constexpr int most = 50;
    StartLoads loads;
    const VecX b = work_.problem.b;
    VecX before = VecX::Zero(b.size());
    for (int i = 0; i < most; ++i) {
      for (Eigen::Index k = 0; k < b.size(); ++k)
        work_.problem.b(k) = b(k) + (weight_(k) > 0.0 ? work_.problem.Sigma(k) * before(k) : 0.0);
      loads.report = solve(Automatic{}, work_.problem, work_.solver, work_.solution);
      if (!loads.ok()) return loads;
      const VecX& lambda = work_.solution.lambda;
      const double change = b.size() > 0 ? (lambda - before).lpNorm<Eigen::Infinity>() : 0.0;
      before = lambda;
      if (!(change > 1e-8 * lambda.lpNorm<Eigen::Infinity>())) break;
    }
    loads.force = before / h_;
    loads.compliance = compliance_;
    for (Eigen::Index k = 0; k < b.size(); ++k)
      if (weight_(k) == 0.0) loads.force(k) = 0.0;
    return loads;
  }

  const Model& model_;
  const Stepper& stepper_;
  const State& state_;
  Workspace& work_;
  double h_;
  VecX weight_;  // (rows) > 0: compliance; < 0: velocity row; 0: takes no part
  VecX compliance_;
};

}  // namespace

StartLoads compute_start_loads(const Model& model, const Stepper& stepper, const State& state,
                               Springs springs, Workspace& work) {
  return LoadProblem(model, stepper, state, work).solve_for(springs);
}

double compute_extent(const Model& model, const State& state) {
  Eigen::AlignedBox3d box;
  for (std::uint32_t i = 1; i < model.bodies().size(); ++i)
    if (model.bodies()[i].kind != BodyKind::fixed)
      box.extend(compute_pose(model, state, BodyId{i}).p);
  for (const Joint& joint : model.joints()) {
    const Frame pose = compute_pose(model, state, joint.b);
    box.extend(Vec3(pose.p + pose.R * joint.frame_b.p));
    const Frame other = compute_pose(model, state, joint.a);
    box.extend(Vec3(other.p + other.R * joint.frame_a.p));
  }
  for (std::uint32_t i = 0; i < model.bodies().size(); ++i) {
    const Body& body = model.bodies()[i];
    if (body.kind != BodyKind::rod && body.kind != BodyKind::rigid) continue;
    // No body is smaller than its radius of gyration.
    const double radius = std::sqrt(body.moments.maxCoeff() / body.mass);
    const Vec3 x = compute_pose(model, state, BodyId{i}).p;
    box.extend(Vec3(x.array() + radius));
    box.extend(Vec3(x.array() - radius));
  }
  const double diagonal = box.isEmpty() ? 0.0 : box.diagonal().norm();
  return diagonal > 0.0 ? diagonal : 1.0;
}

VecX compute_curvature(const Model& model, const State& state) {
  Workspace work(model);
  const double speed = state.v.size() > 0 ? state.v.lpNorm<Eigen::Infinity>() : 0.0;
  const double dt = 1e-3 / std::max(speed, 1.0);  // [s] ways of a millimetre, a milliradian
  const auto rows_after = [&](double time) {
    State there = state;
    displace(model, state.v, time, there);
    there.t += time;
    move_prescribed_bodies(model, there.t, there);
    build_rows(model, there, work);
    return work.g;
  };
  const VecX after = rows_after(dt), before = rows_after(-dt), now = rows_after(0.0);
  const VecX curvature = (after + before - 2.0 * now) / (dt * dt);
  return curvature.allFinite() ? curvature : VecX(VecX::Zero(curvature.size()));
}

}  // namespace ligament
