// SPDX-License-Identifier: Apache-2.0
#include "ligament/simulation/point_mass_twin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "ligament/math/point_masses.h"
#include "ligament/measure/rank.h"
#include "ligament/model/model_builder.h"
#include "ligament/steppers/words.h"

namespace ligament {
namespace {

constexpr double most_gap = 1e-6;  // [m] of a joint, to be called closed

// How many points a joint shares between its bodies: on its axis, or in its frame.
int shared_points(JointKind kind) {
  if (kind == JointKind::ball) return 1;
  if (kind == JointKind::hinge) return 2;
  return kind == JointKind::fixed ? 3 : 0;
}

bool is_length(JointKind kind) {
  return kind == JointKind::distance || kind == JointKind::rope || kind == JointKind::spring;
}

class TwinMaker {
 public:
  TwinMaker(const Model& model, const State& state, const TwinOptions& options)
      : model_(model), state_(state), options_(options) {}

  PointMassTwin make() {
    refuse_what_has_no_twin();
    collect_given_points();
    for (std::uint32_t i = 0; i < model_.bodies().size(); ++i) make_points(BodyId{i});
    tie_joints();
    for (std::size_t i = 0; i < points_.size(); ++i) tie_body(i);
    std::vector<bool> keep(pairs_.size(), true);
    if (options_.distances == TwinDistances::independent) leave_out_dependent(keep);
    Model twin = build(keep);
    // Particles are numbered after the world, in the order of the masses that were not merged.
    std::vector<std::uint32_t> number(masses_.size(), 0);
    std::uint32_t next = 1;
    for (std::uint32_t i = 0; i < masses_.size(); ++i)
      if (root(i) == i) number[i] = next++;
    for (std::vector<TwinPoint>& points : points_)
      for (TwinPoint& point : points) point.particle = BodyId{number[point.particle.index()]};
    return {std::move(twin), points_};
  }

 private:
  struct Mass {
    double mass = 0.0;
    Vec3 x = Vec3::Zero(), momentum = Vec3::Zero(), force = Vec3::Zero();
    std::string name;
  };
  struct Anchor {                  // of joint j: points of bodies a and b
    std::vector<Vec3> on_a, on_b;  // world
  };
  struct Pair {
    std::uint32_t a, b;
  };

  void refuse_what_has_no_twin() const {
    if (!model_.shapes().empty()) throw TwinError("shapes have no twin of point masses");
    if (!model_.controls().empty())
      throw TwinError(
          fmt::format("control \"{}\": controls act on joints, which a twin of point "
                      "masses does not have",
                      model_.name(ControlId{0})));
    if (!model_.loads().empty())
      throw TwinError(fmt::format("load \"{}\": loads that depend on time have no twin",
                                  model_.name(LoadId{0})));
    for (std::uint32_t i = 0; i < model_.bodies().size(); ++i) {
      const Body& body = model_.bodies()[i];
      const char* why = body.kind == BodyKind::rod ? "a rod is a line, whose points are not rigid"
                        : body.motion >= 0      ? "a body that is moved as prescribed has no twin"
                        : !body.torque.isZero() ? "a constant torque has no twin"
                                                : nullptr;
      if (why) throw TwinError(fmt::format("body \"{}\": {}", model_.name(BodyId{i}), why));
    }
    for (std::uint32_t i = 0; i < model_.joints().size(); ++i) {
      const JointKind kind = model_.joints()[i].kind;
      if (shared_points(kind) == 0 && !is_length(kind))
        throw TwinError(fmt::format(
            "joint \"{}\": a {} joint cannot be made of point masses and distances; ball, hinge, "
            "fixed, distance, rope and spring can",
            model_.name(JointId{i}), name_of(kind)));
    }
  }

  bool is_fixed(BodyId id) const { return model_.body(id).kind == BodyKind::fixed; }

  // A length that suits the machine: from the centre of body to body, or of a body itself.
  double size_of(BodyId id) const {
    const Body& body = model_.body(id);
    return body.kind == BodyKind::rigid ? std::sqrt(body.moments.maxCoeff() / body.mass) : 0.0;
  }

  void collect_given_points() {
    given_.resize(model_.bodies().size());
    for (std::uint32_t i = 0; i < model_.joints().size(); ++i) {
      const Joint& joint = model_.joints()[i];
      const Frame A = compute_pose(model_, state_, joint.a),
                  B = compute_pose(model_, state_, joint.b);
      const Vec3 p_a = A.p + A.R * joint.frame_a.p, p_b = B.p + B.R * joint.frame_b.p;
      Anchor anchor{{p_a}, {p_b}};
      if (const int count = shared_points(joint.kind); count > 0) {
        if ((p_a - p_b).norm() > most_gap)
          throw TwinError(
              fmt::format("joint \"{}\" is open by {:.3g} m: assemble the machine first",
                          model_.name(JointId{i}), (p_a - p_b).norm()));
        const double arm = std::max(size_of(joint.a), size_of(joint.b));
        const Quat R = A.R * joint.frame_a.R;
        if (count > 1) anchor.on_a.push_back(p_a + arm * (R * Vec3::UnitZ()));
        if (count > 2) anchor.on_a.push_back(p_a + arm * (R * Vec3::UnitX()));
        anchor.on_b = anchor.on_a;
      }
      for (const auto& [id, places] : {std::pair(joint.a, &anchor.on_a), {joint.b, &anchor.on_b}})
        for (const Vec3& x : *places) give(id, x);
      anchors_.push_back(anchor);
    }
  }

  void give(BodyId id, const Vec3& x) {
    if (model_.body(id).kind == BodyKind::rigid) given_[id.index()].push_back(to_body(id, x));
  }
  Vec3 to_body(BodyId id, const Vec3& x) const {
    const Frame pose = compute_pose(model_, state_, id);
    return pose.R.conjugate() * (x - pose.p);
  }

  void make_points(BodyId id) {
    points_.emplace_back();
    const Body& body = model_.body(id);
    if (body.kind == BodyKind::fixed) return;
    const Frame pose = compute_pose(model_, state_, id);
    const Vec3 v = velocity_of(model_, state_, id);
    PointMasses found{{{body.mass, Vec3::Zero()}}, {}};
    Vec3 w = Vec3::Zero();
    if (body.kind == BodyKind::rigid) {
      const Mat3& R_BP = model_.principal_axes(id);
      const MassProperties mass{body.mass, R_BP * body.moments.asDiagonal() * R_BP.transpose()};
      w = compute_angular_velocity(model_, state_, id);
      try {
        found = make_point_masses(mass, given_[id.index()], options_.fraction);
      } catch (const std::invalid_argument& error) {
        throw TwinError(fmt::format("body \"{}\": {}", model_.name(id), error.what()));
      }
    }
    for (std::size_t k = 0; k < found.points.size(); ++k) {
      const PointMass& point = found.points[k];
      const Vec3 r = pose.R * point.x;
      points_.back().push_back({BodyId{static_cast<std::uint32_t>(masses_.size())}, point.x});
      merged_.push_back(static_cast<std::uint32_t>(masses_.size()));
      masses_.push_back({point.mass, pose.p + r, point.mass * (v + w.cross(r)),
                         body.force * (point.mass / body.mass),
                         body.kind == BodyKind::rigid ? fmt::format("{} {}", model_.name(id), k + 1)
                                                      : model_.name(id)});
    }
  }

  std::uint32_t root(std::uint32_t i) const {
    while (merged_[i] != i) i = merged_[i];
    return i;
  }
  // The mass of a body at a place in the world, which was given.
  std::uint32_t mass_at(BodyId id, const Vec3& x) const {
    const std::vector<TwinPoint>& points = points_[id.index()];
    if (model_.body(id).kind == BodyKind::particle) return root(points[0].particle.value);
    const Vec3 local = to_body(id, x);
    const auto nearest = std::ranges::min_element(
        points, {}, [&](const TwinPoint& point) { return (point.x - local).squaredNorm(); });
    return root(nearest->particle.value);
  }

  // Makes one mass of those that a joint shares.
  void tie_joints() {
    for (std::size_t j = 0; j < anchors_.size(); ++j) {
      const Joint& joint = model_.joints()[j];
      if (shared_points(joint.kind) == 0 || is_fixed(joint.a) || is_fixed(joint.b)) continue;
      for (const Vec3& x : anchors_[j].on_a) {
        const std::uint32_t a = mass_at(joint.a, x), b = mass_at(joint.b, x);
        if (a == b) continue;
        masses_[a].mass += masses_[b].mass;
        masses_[a].momentum += masses_[b].momentum;
        masses_[a].force += masses_[b].force;
        merged_[b] = a;
      }
    }
    for (std::vector<TwinPoint>& points : points_)
      for (TwinPoint& point : points) point.particle = BodyId{root(point.particle.value)};
  }

  void tie_body(std::size_t body) {
    const std::vector<TwinPoint>& points = points_[body];
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t j = i + 1; j < points.size(); ++j) {
        const auto [a, b] = std::minmax(points[i].particle.value, points[j].particle.value);
        if (seen_.insert({a, b}).second) pairs_.push_back({a, b});
      }
  }

  // Distances that follow from those before them and from what holds the machine.
  void leave_out_dependent(std::vector<bool>& keep) const {
    const Model all = build(keep);
    Workspace work(all);
    build_rows(all, all.initial_state(), work);
    assemble_inertia(all, work.frames, work.problem.M);
    std::vector<bool> wanted(work.constraints.physics.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
      wanted[i] = !work.constraints.physics[i].elastic && !work.constraints.physics[i].unilateral;
    const int first = work.contacts.joint_rows - static_cast<int>(pairs_.size());
    for (const int row : compute_rank(work.problem.M, work.problem.G, wanted).dependent)
      if (row >= first) keep[static_cast<std::size_t>(row - first)] = false;
  }

  // Particles in the order of masses that were not merged; joints to the world and between masses,
  // then the distances that are kept.
  Model build(const std::vector<bool>& keep) const {
    ModelBuilder b{{.gravity = model_.gravity()}};
    std::vector<BodyId> ids(masses_.size());
    for (std::uint32_t i = 0; i < masses_.size(); ++i) {
      const Mass& mass = masses_[i];
      if (root(i) != i) continue;
      ids[i] = b.add_body({.name = mass.name,
                           .kind = BodyKind::particle,
                           .mass = {.mass = mass.mass},
                           .position = mass.x,
                           .velocity = mass.momentum / mass.mass,
                           .force = mass.force});
    }
    for (std::uint32_t j = 0; j < anchors_.size(); ++j) add_joint(j, ids, b);
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      if (keep[i]) b.add_joint(Distance{.a = ids[pairs_[i].a], .b = ids[pairs_[i].b]});
    return std::move(b).build();
  }

  void add_joint(std::uint32_t j, const std::vector<BodyId>& ids, ModelBuilder& b) const {
    const Joint& joint = model_.joints()[j];
    const std::string& name = model_.name(JointId{j});
    if (shared_points(joint.kind) > 0) {
      if (!is_fixed(joint.a) && !is_fixed(joint.b)) return;
      const BodyId body = is_fixed(joint.a) ? joint.b : joint.a;
      for (std::size_t k = 0; k < anchors_[j].on_a.size(); ++k) {
        const Vec3& x = anchors_[j].on_a[k];
        b.add_joint(Ball{.name = k == 0 ? name : fmt::format("{} {}", name, k + 1),
                         .b = ids[mass_at(body, x)],
                         .point = x});
      }
      return;
    }
    const auto end = [&](BodyId id, const Vec3& x) {
      return is_fixed(id) ? world : ids[mass_at(id, x)];
    };
    const Vec3 &x_a = anchors_[j].on_a[0], &x_b = anchors_[j].on_b[0];
    const BodyId a = end(joint.a, x_a), c = end(joint.b, x_b);
    if (joint.kind == JointKind::spring) {
      const Rate& rate = model_.rates()[static_cast<std::size_t>(joint.rates)];
      b.add_joint(Spring{name, a, c, x_a, x_b, joint.length, rate.stiffness, rate.damping});
    } else if (joint.kind == JointKind::rope) {
      b.add_joint(Rope{name, a, c, x_a, x_b, joint.length, joint.relaxation});
    } else {
      b.add_joint(Distance{name, a, c, x_a, x_b, joint.length, joint.relaxation});
    }
  }

  const Model& model_;
  const State& state_;
  const TwinOptions options_;
  std::vector<std::vector<Vec3>> given_;        // by body, in its axes
  std::vector<Anchor> anchors_;                 // by joint
  std::vector<std::vector<TwinPoint>> points_;  // by body
  std::vector<Mass> masses_;
  std::vector<std::uint32_t> merged_;  // by mass: the one it has become part of
  std::vector<Pair> pairs_;            // of masses, tied by distances
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen_;
};

}  // namespace

PointMassTwin make_point_mass_twin(const Model& model, const State& state,
                                   const TwinOptions& options) {
  return TwinMaker(model, state, options).make();
}

}  // namespace ligament
