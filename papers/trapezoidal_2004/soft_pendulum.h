// SPDX-License-Identifier: Apache-2.0
// The machine of section 9: a pendulum of two links, the lower one a spring, its bob on a rough
// wall.
#pragma once

#include "ligament/ligament.h"

namespace ligament::papers::trapezoidal {

struct SoftPendulum {
  double gamma = 100.0, delta = 0.0, stretch = 0.0;  // of the lower link
  double friction = 0.3;
  double gravity = 9.8;  // presses the bob on the wall
  Vec3 first{1.0, -1.0, 0}, second{0.0, -2.0, 0};
  Vec3 v1 = Vec3::Zero(), v2 = Vec3::Zero();
  bool rigid_link = false;
};

inline Model make_soft_pendulum(const SoftPendulum& o) {
  constexpr double radius = 0.1;
  ModelBuilder b{{.gravity = {-o.gravity, 0, 0}}};
  const MaterialId rough = b.add_material({"rough", {.friction = o.friction}});
  const Relaxation rigid{.compliance = 0.0};
  const auto add_bob = [&](const char* name, const Vec3& at, const Vec3& v) {
    return b.add_body({.name = name,
                       .kind = BodyKind::particle,
                       .mass = {.mass = 1.0},
                       .position = at,
                       .velocity = v});
  };
  const BodyId one = add_bob("one", o.first, o.v1), two = add_bob("two", o.second, o.v2);
  b.add_joint(Distance{.b = one, .point_a = Vec3::Zero(), .relaxation = rigid});
  const double length = (o.second - o.first).norm() - o.stretch;
  if (o.rigid_link)
    b.add_joint(Distance{.a = one, .b = two, .length = length, .relaxation = rigid});
  else
    b.add_joint(
        Spring{.a = one, .b = two, .length = length, .stiffness = o.gamma, .damping = o.delta});
  b.add_shape(
      {.name = "wall",
       .geometry = HalfSpaceShape{},
       .pose = {.p = {-radius, 0, 0}, .R = Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitX())},
       .material = rough});
  b.add_shape({.name = "bob", .body = two, .geometry = SphereShape{radius}, .material = rough});
  return std::move(b).build();
}

// The paper's step: rows without compliance, no drift control, no events but hits.
inline Trapezoidal make_plain_step(double h) {
  return {.h = h, .compliance_floor = 0.0, .drift = DriftControl::none, .stop_events = false};
}

}  // namespace ligament::papers::trapezoidal
