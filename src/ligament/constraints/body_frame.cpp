// SPDX-License-Identifier: Apache-2.0
#include "ligament/constraints/body_frame.h"

namespace ligament {

void update_frame(const Body& body, const State& state, BodyFrame& out) {
  const int at = body.q_offset;
  out.kind = body.kind;
  out.x = state.q.segment<3>(at);
  if (out.kind == BodyKind::rod) {
    out.R.col(0) = state.q.segment<3>(at + 3);
  } else if (out.kind != BodyKind::particle) {
    out.e = Quat(state.q(at + 3), state.q(at + 4), state.q(at + 5), state.q(at + 6));
    out.R = out.e.toRotationMatrix();
  }
}

void update_frames(const Model& model, const State& state, std::vector<BodyFrame>& out) {
  const std::span<const Body> bodies = model.bodies();
  out.resize(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) update_frame(bodies[i], state, out[i]);
}

}  // namespace ligament
