// SPDX-License-Identifier: Apache-2.0
// The shapes of a model, ready to be asked what they touch.
//
// What it keeps from call to call only makes the next one faster: the contacts of a state do not
// depend on what was asked before, nor on the number of threads, to the last bit.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ligament/collision/contact.h"
#include "ligament/model/model.h"

namespace ligament {

struct ContactOptions {
  // Shapes report contacts up to a margin before they touch: what they can travel in this time [s],
  // usually one step, at their speeds and falling freely, and a share of their smallest half size.
  double lookahead = 1.0 / 60.0;  // [s] ≥ 0
  double slack = 0.002;           // ≥ 0, of the smallest half size of a shape
  int threads = 1;                // ≥ 1
};

// Throws std::invalid_argument that names the option.
void check_options(const ContactOptions& options);

struct RayHit {
  ShapeId shape{};
  BodyId body{};
  double distance = 0.0;        // [m] along the ray
  Vec3 point = Vec3::Zero();    // [m] world
  Vec3 normal = Vec3::UnitZ();  // unit, world, outward
};

// The nearest points of two shapes, or the deepest if they overlap.
struct ShapeDistance {
  double gap = 0.0;                                     // [m]
  Vec3 normal = Vec3::UnitZ();                          // unit, world, from a to b
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  // [m] world
};

class CollisionWorld {
 public:
  // The model must outlive the world.
  explicit CollisionWorld(const Model& model, const ContactOptions& options = {});
  ~CollisionWorld();
  CollisionWorld(CollisionWorld&&) noexcept;
  CollisionWorld& operator=(CollisionWorld&&) noexcept;

  // Of the calls to come. Throws as check_options.
  void set_options(const ContactOptions& options);

  // All contacts of a state, in an order that depends on the shapes alone. Valid until the next
  // call. No allocation once warm. A pose that is not finite gives no contacts for its body, and
  // the body's name in culprits().
  // Sleepers, one entry a body, not 0 if it is asleep: they do not move, and have contacts with
  // those who are awake only. Looking after them costs next to nothing.
  std::span<const Contact> find_contacts(const State& state,
                                         std::span<const unsigned char> sleepers = {});
  // A second look at the state of the last find_contacts, for bodies that got the velocities v and
  // are faster than they were: contacts beyond the margins of then that close within the lookahead,
  // but for those that an earlier second look found. Valid until the next call.
  std::span<const Contact> find_missed_contacts(const State& state, const VecX& v);
  // Bodies with a pose that is not finite, at the last call.
  std::span<const BodyId> culprits() const;

  // Queries at the poses of the last find_contacts or place_shapes.
  void place_shapes(const State& state);
  // The first surface that a ray hits from outside, within a distance [m]: a shape that the ray
  // starts in is not hit. The direction need not be of unit length.
  std::optional<RayHit> cast_ray(const Vec3& origin, const Vec3& direction,
                                 double farthest = 1e30) const;
  // Gap of two shapes, however far apart. Two that are not convex have none.
  std::optional<ShapeDistance> find_distance(ShapeId a, ShapeId b) const;

  // Smallest half size of a shape [m]; 0 for what has no thickness.
  double thickness_of(ShapeId shape) const;
  // Its farthest point from its origin [m]; 0 for what has no end.
  double size_of(ShapeId shape) const;

  struct Counts {
    std::size_t candidates = 0;  // pairs of shapes whose boxes are near each other
    std::size_t pairs = 0;       // of them looked at closely
    std::size_t rebuilds = 0;    // of the tree, since the beginning
  };
  Counts counts() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace ligament
