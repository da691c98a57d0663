// SPDX-License-Identifier: Apache-2.0
#include "ligament/math/rotation.h"
#include "ligament/steppers/gyroscopic.h"
#include "ligament/steppers/impulse/flight.h"

namespace ligament {
namespace {

// Attitude of the principal axes after the time h.
Quat turn_freely(const Vec3& moments, const Vec3& l, double h, FreeRotation rotation,
                 const Quat& e_WP) {
  if (rotation == FreeRotation::axes) return compute_axes_drift(moments, l, h, e_WP);
  if (rotation == FreeRotation::midpoint) {
    const Vec3 l_P = e_WP.conjugate() * l;
    Vec3 w_P = guess_midpoint(moments, l_P, h);
    if (solve_midpoint(moments, l_P, h, w_P)) return cayley_turn(h * (e_WP * w_P), e_WP);
  }
  return compute_symmetric_top_drift(moments, l, h, e_WP);
}

}  // namespace

void move_freely(const Model& model, BodyId id, const VecX& p, double h, FreeRotation rotation,
                 VecX& q) {
  const Body& body = model.body(id);
  if (body.kind == BodyKind::fixed) return;
  q.segment<3>(body.q_offset) += h / body.mass * p.segment<3>(body.v_offset);
  if (body.kind == BodyKind::particle) return;
  const Vec3 turning = p.segment<3>(body.v_offset + 3);
  if (body.kind == BodyKind::rod) {
    q.segment<3>(body.q_offset + 3) += h / body.moments.x() * turning;
    return;
  }
  auto e_out = q.segment<4>(body.q_offset + 3);
  const Quat e_WB(e_out(0), e_out(1), e_out(2), e_out(3));
  Quat e = e_WB;
  if (body.principal_axes) {
    e = turn_freely(body.moments, turning, h, rotation, e_WB);
  } else {
    const Quat e_BP(model.principal_axes(id));
    e = turn_freely(body.moments, turning, h, rotation, e_WB * e_BP) * e_BP.conjugate();
  }
  e_out << e.w(), e.x(), e.y(), e.z();
}

}  // namespace ligament
