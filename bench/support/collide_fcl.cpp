// SPDX-License-Identifier: Apache-2.0
// The broad phase of FCL alone: which boxes overlap. That favours it: the others go on to compute
// contacts.
//
// Its boxes have no margin. For a turned shape FCL would take the box of the bounding sphere, which
// for a cube is 1.7 times too wide; here it is given the exact box, computed beforehand. Fixed and
// moving objects are in two managers, so that pairs of fixed ones cost nothing.
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/config.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision_object.h>

#include <deque>
#include <vector>

#include "bench/support/collide_engines.h"

namespace ligament::bench {
namespace {

class FclEngine final : public Engine {
 public:
  explicit FclEngine(const Scene& scene) {
    std::vector<fcl::CollisionObjectd*> moving, fixed;
    for (const Item& item : scene.items) {
      std::shared_ptr<fcl::CollisionGeometryd> geometry;
      if (item.is_sphere)
        geometry = std::make_shared<fcl::Sphered>(item.half.x());
      else
        geometry = std::make_shared<fcl::Boxd>(2.0 * item.half);
      // Objects of FCL are not made by `new`: their deleting destructor is in FCL, which was
      // compiled with another alignment of Eigen's memory than Ligament.
      objects_.emplace_back(geometry);
      (item.moves ? moving : fixed).push_back(&objects_.back());
    }
    place(scene);
    for (fcl::CollisionObjectd& object : objects_) object.computeAABB();
    moving_.registerObjects(moving);
    moving_.setup();
    has_fixed_ = !fixed.empty();
    if (has_fixed_) fixed_.registerObjects(fixed);
    fixed_.setup();
    moving_objects_ = std::move(moving);
  }

  void place(const Scene& scene) override {
    for (std::size_t i = 0; i < scene.items.size(); ++i) {
      const Item& item = scene.items[i];
      Vec3 reach = item.half;
      if (!item.is_sphere) reach = scene.poses[i].R.toRotationMatrix().cwiseAbs() * item.half;
      // A geometry belongs to one object: its local box can follow the attitude.
      auto& geometry = const_cast<fcl::CollisionGeometryd&>(*objects_[i].collisionGeometry());
      geometry.aabb_local = fcl::AABBd(-reach, reach);
      objects_[i].setTranslation(scene.poses[i].p);
    }
  }

  void find() override {
    for (fcl::CollisionObjectd* object : moving_objects_) object->computeAABB();
    moving_.update();
    pairs_ = 0;
    moving_.collide(&pairs_, count);
    if (has_fixed_) moving_.collide(&fixed_, &pairs_, count);
  }

  Found found() const override { return {.box_pairs = pairs_}; }

 private:
  static bool count(fcl::CollisionObjectd*, fcl::CollisionObjectd*, void* pairs) {
    ++*static_cast<std::size_t*>(pairs);
    return false;  // go on
  }

  std::deque<fcl::CollisionObjectd> objects_;
  std::vector<fcl::CollisionObjectd*> moving_objects_;
  fcl::DynamicAABBTreeCollisionManagerd moving_, fixed_;
  bool has_fixed_ = false;
  std::size_t pairs_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_fcl_engine(const Scene& scene) {
  return std::make_unique<FclEngine>(scene);
}

std::string describe_fcl() { return "FCL " FCL_VERSION ": broad phase only"; }

}  // namespace ligament::bench
