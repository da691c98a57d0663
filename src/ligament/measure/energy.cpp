// SPDX-License-Identifier: Apache-2.0
#include "ligament/measure/energy.h"

namespace ligament {

Energy compute_energy(const Model& model, const State& state) {
  Energy energy;
  const auto bodies = model.bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    if (body.kind == BodyKind::fixed) continue;
    const Vec3 x = state.q.segment<3>(body.q_offset);
    energy.kinetic += 0.5 * state.p.segment<3>(body.v_offset).squaredNorm() / body.mass;
    energy.potential -= (body.mass * model.gravity() + body.force).dot(x);
    if (body.kind == BodyKind::rod)
      energy.kinetic +=
          0.5 * state.p.segment<3>(body.v_offset + 3).squaredNorm() / body.moments.x();
    if (body.kind != BodyKind::rigid) continue;
    const Vec3 l = state.p.segment<3>(body.v_offset + 3);
    const BodyId id{static_cast<std::uint32_t>(i)};
    energy.kinetic += 0.5 * l.dot(compute_angular_velocity(model, state, id));
  }
  return energy;
}

Momentum compute_momentum(const Model& model, const State& state) {
  Momentum momentum;
  for (const Body& body : model.bodies()) {
    if (body.kind == BodyKind::fixed) continue;
    const Vec3 x = state.q.segment<3>(body.q_offset);
    const Vec3 p = state.p.segment<3>(body.v_offset);
    momentum.linear += p;
    momentum.angular += x.cross(p);
    if (body.kind == BodyKind::rigid) momentum.angular += state.p.segment<3>(body.v_offset + 3);
    if (body.kind == BodyKind::rod) {  // Σ over the rod of (s u) × (s u̇) dm = u × p_u
      const Vec3 u = state.q.segment<3>(body.q_offset + 3);
      momentum.angular += u.cross(Vec3(state.p.segment<3>(body.v_offset + 3)));
    }
  }
  return momentum;
}

}  // namespace ligament
