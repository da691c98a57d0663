// SPDX-License-Identifier: Apache-2.0
#include "ligament/simulation/hanging.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace ligament {
namespace {

// Whether a link can swing about this joint.
bool can_swing(JointKind kind) {
  using enum JointKind;
  return kind == ball || kind == hinge || kind == universal || kind == constant_velocity ||
         kind == cylindrical || kind == distance || kind == rope;
}

bool ties(JointKind kind) {
  return kind != JointKind::spring && kind != JointKind::bushing && kind != JointKind::actuator;
}

// Links and the joints between them: a graph whose bridges are the joints that weights hang on.
class Links {
 public:
  explicit Links(const Model& model) : link_(model.bodies().size()) {
    std::iota(link_.begin(), link_.end(), 0U);
    for (std::uint32_t i = 0; i < link_.size(); ++i)
      if (model.bodies()[i].kind == BodyKind::fixed) unite(0, i);
    for (const Joint& joint : model.joints())
      if (joint.kind == JointKind::fixed) unite(joint.a.value, joint.b.value);
    mass_.assign(link_.size(), 0.0);
    for (std::uint32_t i = 0; i < link_.size(); ++i) mass_[of(i)] += model.bodies()[i].mass;
    edges_.resize(link_.size());
    for (std::uint32_t i = 0; i < model.joints().size(); ++i) {
      const Joint& joint = model.joints()[i];
      const std::uint32_t a = of(joint.a.value), b = of(joint.b.value);
      if (!ties(joint.kind) || a == b) continue;
      edges_[a].push_back({b, i});
      edges_[b].push_back({a, i});
    }
  }

  std::uint32_t of(std::uint32_t body) {
    while (link_[body] != body) body = link_[body] = link_[link_[body]];
    return body;
  }
  double mass(std::uint32_t link) const { return mass_[link]; }

  // Calls found(joint, mass beyond it) for each joint that a part of the machine hangs on. Depth
  // first from the world, without recursion: chains are long.
  template <class Found>
  void find_bridges(Found&& found) {
    constexpr std::uint32_t unseen = ~0U;
    std::vector<std::uint32_t> order(link_.size(), unseen), low(link_.size(), 0);
    std::vector<double> below = mass_;
    std::vector<Visit> stack{{of(0), unseen, 0}};
    std::uint32_t count = 0;
    order[of(0)] = low[of(0)] = count++;
    while (!stack.empty()) {
      Visit& at = stack.back();
      if (at.next < edges_[at.link].size()) {
        const Edge edge = edges_[at.link][at.next++];
        if (edge.joint == at.joint) continue;
        if (order[edge.link] != unseen) {
          low[at.link] = std::min(low[at.link], order[edge.link]);
        } else {
          order[edge.link] = low[edge.link] = count++;
          stack.push_back({edge.link, edge.joint, 0});
        }
        continue;
      }
      const Visit done = at;
      stack.pop_back();
      if (stack.empty()) break;
      const std::uint32_t parent = stack.back().link;
      low[parent] = std::min(low[parent], low[done.link]);
      below[parent] += below[done.link];
      if (low[done.link] > order[parent]) found(JointId{done.joint}, below[done.link]);
    }
  }

 private:
  struct Edge {
    std::uint32_t link, joint;
  };
  struct Visit {
    std::uint32_t link, joint;
    std::size_t next;
  };

  void unite(std::uint32_t a, std::uint32_t b) {
    a = of(a);
    b = of(b);
    link_[std::max(a, b)] = std::min(a, b);
  }

  std::vector<std::uint32_t> link_;  // a body of the same link, down to the first
  std::vector<double> mass_;         // [kg] by link
  std::vector<std::vector<Edge>> edges_;
};

// Gravity across the axis of a joint that turns about one [m/s²].
double pull_across(const Model& model, const State& state, const Joint& joint) {
  const Vec3& gravity = model.gravity();
  if (joint.kind != JointKind::hinge && joint.kind != JointKind::cylindrical) return gravity.norm();
  const Frame a = compute_pose(model, state, joint.a);
  const Vec3 axis = a.R * (joint.frame_a.R * Vec3::UnitZ());
  return (gravity - axis.dot(gravity) * axis).norm();
}

}  // namespace

HangingLoad find_hanging_load(const Model& model, const State& state, double h) {
  HangingLoad worst;
  Links links(model);
  links.find_bridges([&](JointId id, double beyond) {
    const Joint& joint = model.joint(id);
    if (!can_swing(joint.kind)) return;
    const double weight = beyond * pull_across(model, state, joint);
    const std::pair<BodyId, const Frame*> sides[] = {{joint.a, &joint.frame_a},
                                                     {joint.b, &joint.frame_b}};
    for (const auto& [body, frame] : sides) {
      const double mass = links.mass(links.of(body.value));
      const bool by_length = joint.kind == JointKind::distance || joint.kind == JointKind::rope;
      const double length = by_length ? joint.length : 2.0 * frame->p.norm();
      if (mass == 0.0 || length == 0.0) continue;
      const double number = weight * h * h / (mass * length);
      if (number > worst.number) worst = {number, id, body, weight, mass, length};
    }
  });
  return worst;
}

}  // namespace ligament
