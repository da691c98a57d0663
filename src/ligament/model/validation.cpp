// SPDX-License-Identifier: Apache-2.0
#include "ligament/model/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ligament/model/model_builder.h"

namespace ligament {
namespace {

constexpr double largest_number = 1e30;
constexpr double smallest_positive = 1e-30;

void check_inertia(const Culprit& culprit, const Mat3& inertia) {
  for (int i = 0; i < 3; ++i) culprit.require_vector("inertia", inertia.row(i).transpose());
  const double size = inertia.cwiseAbs().maxCoeff();
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > 1e-9 * size)
    culprit.fail("inertia is not symmetric: I_xy must equal I_yx, and so on");
  Vec3 moments = compute_principal_inertia(inertia).moments;
  std::ranges::sort(moments);
  if (!(moments(0) > 1e-12 * size) || moments(0) < smallest_positive)
    culprit.fail(
        fmt::format("inertia is not positive definite: its principal moments are "
                    "{:.6g}, {:.6g}, {:.6g} kg m² and all must be > 0",
                    moments(0), moments(1), moments(2)));
  // ∫(y² + z²) + ∫(x² + z²) ≥ ∫(x² + y²) for every distribution of mass.
  if (moments(0) + moments(1) < (1.0 - 1e-9) * moments(2))
    culprit.fail(
        fmt::format("no body has this inertia: the principal moments {:.6g}, {:.6g}, {:.6g} kg m² "
                    "break the triangle inequality (the two smaller must add up to at "
                    "least the largest)",
                    moments(0), moments(1), moments(2)));
}

void check_pose(const Culprit& culprit, const Frame& pose) {
  culprit.require_vector("motion", pose.p);
  if (!(std::abs(pose.R.norm() - 1.0) < 1e-3))
    culprit.fail(fmt::format("motion gives a quaternion of length {:g} at t = 0: it must be 1",
                             pose.R.norm()));
}

}  // namespace

Culprit::Culprit(std::string element, std::size_t index, std::string name, std::string owner)
    : element_(std::move(element)),
      index_(index),
      name_(std::move(name)),
      owner_(std::move(owner)) {}

void Culprit::fail(const std::string& what) const {
  if (element_.empty()) throw ModelError(element_, index_, fmt::format("{}: {}", name_, what));
  throw ModelError(
      element_, index_,
      fmt::format("{}{}{} \"{}\": {}", owner_, owner_.empty() ? "" : ", ", element_, name_, what));
}

void Culprit::require_number(const char* what, double value) const {
  if (!std::isfinite(value)) fail(fmt::format("{} is {}: it must be a finite number", what, value));
  if (std::abs(value) > largest_number)
    fail(
        fmt::format("{} is {:g}: numbers must be below {:g} in size", what, value, largest_number));
}

void Culprit::require_vector(const char* what, const Vec3& value) const {
  for (int i = 0; i < 3; ++i) require_number(what, value(i));
}

void Culprit::require_positive(const char* what, double value) const {
  require_number(what, value);
  if (value < smallest_positive) fail(fmt::format("{} is {:g}: it must be > 0", what, value));
}

void Culprit::require_non_negative(const char* what, double value) const {
  require_number(what, value);
  if (value < 0.0) fail(fmt::format("{} is {:g}: it must be ≥ 0", what, value));
}

void Culprit::require_relaxation(const Relaxation& given) const {
  require_non_negative("compliance", given.compliance);
  require_non_negative("angular compliance", given.angular_compliance);
  if (given.damping_time) require_non_negative("damping time", *given.damping_time);
}

void check_body(const Culprit& culprit, const BodySpec& spec) {
  culprit.require_vector("position", spec.position);
  culprit.require_vector("centre", spec.centre);
  if (spec.kind != BodyKind::rigid && !spec.centre.isZero(0.0))
    culprit.fail(fmt::format("its centre is given, but the frame of a {} body is at its centre",
                             name_of(spec.kind)));
  culprit.require_vector("velocity", spec.velocity);
  culprit.require_vector("angular velocity", spec.angular_velocity);
  culprit.require_vector("force", spec.force);
  culprit.require_vector("torque", spec.torque);
  for (int i = 0; i < 4; ++i) culprit.require_number("orientation", spec.orientation.coeffs()(i));
  const double length = spec.orientation.norm();
  if (std::abs(length - 1.0) > 1e-3)
    culprit.fail(fmt::format("orientation is a quaternion of length {:g}: it must be 1", length));
  if (spec.motion && spec.kind != BodyKind::fixed)
    culprit.fail(
        "its motion is prescribed, which only a fixed body allows: make it one, or drive a "
        "joint");
  if (spec.kind == BodyKind::fixed) {
    if (spec.motion) check_pose(culprit, spec.motion(0.0));
    return;
  }
  culprit.require_positive("mass", spec.mass.mass);
  if (spec.kind == BodyKind::rod) culprit.require_positive("length", spec.length);
  culprit.require_relaxation(spec.relaxation);
  if (spec.kind == BodyKind::rigid) check_inertia(culprit, spec.mass.inertia);
  if (spec.kind == BodyKind::particle && !spec.torque.isZero(0.0))
    culprit.fail("a torque acts on it, but a particle cannot turn: use a rigid body");
  if (spec.kind == BodyKind::rod && !spec.torque.isZero(0.0))
    culprit.fail("a torque acts on it, but a rod has no spin to turn: use a rigid body");
}

Body make_body(const BodySpec& spec) {
  Body body{.kind = spec.kind,
            .mass = spec.mass.mass,
            .force = spec.force,
            .torque = spec.torque,
            .centre = spec.centre};
  if (spec.kind == BodyKind::rod) {
    body.length = spec.length;
    body.relaxation = spec.relaxation;
    body.moments.setConstant(spec.mass.mass * spec.length * spec.length / 12.0);
  }
  if (spec.kind == BodyKind::rigid) {
    body.principal_axes = spec.mass.inertia.isDiagonal(0.0);
    body.moments = compute_principal_inertia(spec.mass.inertia).moments;
  }
  if (spec.kind == BodyKind::fixed) body.mass = 0.0;
  return body;
}

void place_body(const Model& model, BodyId id, const BodySpec& spec, State& state) {
  const Body& body = model.body(id);
  const Frame pose = spec.motion ? spec.motion(0.0) : Frame{spec.position, spec.orientation};
  const Quat e = pose.R.normalized();
  state.q.segment<3>(body.q_offset) = pose.p + e * spec.centre;
  if (spec.kind == BodyKind::rod) state.q.segment<3>(body.q_offset + 3) = e * Vec3::UnitX();
  if (spec.kind == BodyKind::rigid || spec.kind == BodyKind::fixed)
    state.q.segment<4>(body.q_offset + 3) << e.w(), e.x(), e.y(), e.z();
  set_velocity(model, id, spec.velocity, spec.angular_velocity, state);
}

}  // namespace ligament
