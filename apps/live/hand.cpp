// SPDX-License-Identifier: Apache-2.0
#include "apps/live/hand.h"

#include <algorithm>
#include <numbers>

namespace ligament::apps {
namespace {

constexpr double hand_rate = 2.0 * std::numbers::pi * 2.0;  // [rad/s] two swings a second
constexpr double most_rate = 0.3;                           // times 1/h

}  // namespace

Hand make_hand(const Model& model, BodyId id, const Vec3& point, double h) {
  const Body& body = model.body(id);
  Hand hand{.body = id, .point = point};
  if (body.kind == BodyKind::particle) hand.point.setZero();
  if (body.kind == BodyKind::rod) hand.point.tail<2>().setZero();
  double mobility = 1.0 / body.mass;
  if (body.kind != BodyKind::particle)
    mobility += hand.point.squaredNorm() / body.moments.minCoeff();
  const double rate = std::min(hand_rate, most_rate / h);
  hand.stiffness = rate * rate / mobility;
  hand.damping = 2.0 * rate / mobility;
  return hand;
}

void pull(const Model& model, const State& state, Hand& hand) {
  const Frame pose = compute_pose(model, state, hand.body);
  const Vec3 lever = pose.R * hand.point;
  hand.grip = pose.p + lever;
  const Vec3 velocity = velocity_of(model, state, hand.body) +
                        compute_angular_velocity(model, state, hand.body).cross(lever);
  hand.force = hand.stiffness * (hand.target - hand.grip) - hand.damping * velocity;
}

Load make_load(const std::shared_ptr<Hand>& hand) {
  Load load{.name = "hand", .body = hand->body, .point = hand->point};
  for (std::size_t i = 0; i < 3; ++i)
    load.force[i] = [hand, i](double) { return hand->force[static_cast<Eigen::Index>(i)]; };
  return load;
}

}  // namespace ligament::apps
