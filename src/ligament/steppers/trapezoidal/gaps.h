// SPDX-License-Identifier: Apache-2.0
// What must not close: contacts, and the unilateral rows of limits and ropes, looked at in the same
// way. At the start of a step each plays a role; in the course of it those that play none are
// watched.
//
//     open         g > eps                      watched
//     hits         g ≤ eps,  ġ < −eps_v         an impact, before anything else
//     rests        g ≤ eps,  |ġ| ≤ eps_v        active: a row of the step problem
//     parts        g ≤ eps,  ġ > eps_v          watched                                     [TR.8]
//
// What pressed in the step before and has not gone farther than its own impulse could bring it
// back rests though it may have drifted: curved contacts drift by O(h²).
#pragma once

#include <cstdint>
#include <vector>

#include "ligament/collision/contact.h"
#include "ligament/constraints/body_frame.h"
#include "ligament/constraints/constraint_set.h"

namespace ligament {

struct Workspace;
struct Trapezoidal;

// A contact by its shapes and feature, or a row of the constraints.
struct GapKey {
  ShapeId a{}, b{};
  std::uint64_t feature = 0;
  int row = -1;
  friend bool operator==(const GapKey&, const GapKey&) = default;
  bool same_pair(const GapKey& other) const {
    return row < 0 && other.row < 0 && a == other.a && b == other.b;
  }
};

enum class GapRole : unsigned char { open, hits, rests, parts };

struct Gap {
  GapKey key;
  GapRole role = GapRole::open;
  double gap = 0.0;    // [m, rad] g ≥ 0
  double speed = 0.0;  // [m/s, rad/s] ġ
  double restitution = 0.0;
  double pressed = 0.0;  // [m/s, rad/s] what its impulse of the last step can do to ġ at most
  Contact contact{};     // of contacts
  bool is_active() const { return role == GapRole::rests; }
};

// The gaps of a state, and its rows of joints and controls.
struct GapScan {
  std::vector<Gap> gaps;
  std::vector<BodyFrame> frames;
  BlockRows G, P;
  VecX g;      // (rows of constraints)
  VecX speed;  // (rows of constraints) ġ

  const Gap* find(const GapKey& key) const;
  // The gap with this key; if there is none, the smallest between the same shapes of those that are
  // not active, here or in another scan. Null if there is neither.
  Gap* find_or_nearest(const GapKey& key);
  const Gap* find_or_nearest(const GapKey& key, const GapScan& roles) const;
  // Whether an active contact is between the same shapes.
  bool has_active_pair(const GapKey& key) const;
};

// Gaps that are closed or may be at the end of a step, all with the role open.
void scan_gaps(const Model& model, const State& state, Workspace& work, GapScan& out);

// What the state remembers of the gaps: `pressed`. The state's memory must stay where it is.
void recall_pressing(const Model& model, const State& state, Workspace& work, GapScan& scan);

// The roles at the start of a step. What is in `hit` rests: it collided in this nominal step.
void assign_roles(const Trapezoidal& method, const std::vector<GapKey>& hit, GapScan& scan);

}  // namespace ligament
