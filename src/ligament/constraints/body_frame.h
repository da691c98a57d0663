// SPDX-License-Identifier: Apache-2.0
// Where the bodies stand: the state unpacked once a step for all rows to read.
#pragma once

#include <vector>

#include "ligament/model/model.h"

namespace ligament {

struct BodyFrame {
  Vec3 x;  // [m] centre
  Mat3 R;  // R_WB; of a rod only the first column counts and is u; of a particle none
  Quat e;  // attitude of a rigid or fixed body
  BodyKind kind;
};

void update_frame(const Body& body, const State& state, BodyFrame& out);
// out[i] is the frame of body i.
void update_frames(const Model& model, const State& state, std::vector<BodyFrame>& out);

// The lever arm of a body-fixed point in world axes. On a rod p_B = (s, 0, 0), and R p_B = s u.
inline Vec3 lever(const BodyFrame& body, const Vec3& p_B) {
  if (body.kind == BodyKind::particle) return Vec3::Zero();
  if (body.kind == BodyKind::rod) return p_B.x() * body.R.col(0);
  return body.R * p_B;
}

}  // namespace ligament
