// SPDX-License-Identifier: Apache-2.0
#include "ligament/constraints/body_frame.h"

namespace ligament {

void update_frames(const Model& model, const State& state, std::vector<BodyFrame>& out) {
  const std::span<const Body> bodies = model.bodies();
  out.resize(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const int at = bodies[i].q_offset;
    BodyFrame& frame = out[i];
    frame.kind = bodies[i].kind;
    frame.x = state.q.segment<3>(at);
    if (frame.kind == BodyKind::rod) {
      frame.R.col(0) = state.q.segment<3>(at + 3);
    } else if (frame.kind != BodyKind::particle) {
      frame.e = Quat(state.q(at + 3), state.q(at + 4), state.q(at + 5), state.q(at + 6));
      frame.R = frame.e.toRotationMatrix();
    }
  }
}

}  // namespace ligament
