// SPDX-License-Identifier: Apache-2.0
// Broad and narrow phase of Bullet, in the precision that it was compiled with, on one thread.
//
// What is done for it: lengths are multiplied by 10, so that its margins, which are lengths (0.02
// and 0.05), are 2 % and 5 % of an ordinary body as they are meant to be, and 2 % as in Ligament;
// fixed objects sleep, so that their boxes are not computed in each step, and are filtered from
// each other; pools are large. Boxes keep their margin, which lies inside of them: with less of it,
// the test of spheres against boxes would fall back to the slower EPA more often.
//
// What is not equal: contacts of spheres against boxes are gathered over steps, one a step, up to
// four of a pair; spheres report a contact only where they overlap; where boxes are involved, up to
// a few pairs in a hundred are told to touch that do not, or the other way round.
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "bench/support/collide_engines.h"

namespace ligament::bench {
namespace {

constexpr double units = 10.0;  // of length in a metre

btVector3 to_bullet(const Vec3& v) { return {btScalar(v.x()), btScalar(v.y()), btScalar(v.z())}; }

btDefaultCollisionConstructionInfo make_info(const Scene& scene) {
  btDefaultCollisionConstructionInfo info;
  const int pool = static_cast<int>(std::clamp<std::size_t>(8 * scene.items.size(), 4096, 400000));
  info.m_defaultMaxPersistentManifoldPoolSize = pool;
  info.m_defaultMaxCollisionAlgorithmPoolSize = pool;
  return info;
}

class BulletEngine final : public Engine {
 public:
  explicit BulletEngine(const Scene& scene)
      : configuration_(make_info(scene)),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broad_phase_, &configuration_) {
    world_.setForceUpdateAllAabbs(false);  // those of active objects only
    for (const Item& item : scene.items) {
      const btVector3 half = to_bullet(units * item.half);
      if (item.is_sphere)
        shapes_.push_back(std::make_unique<btSphereShape>(half.x()));
      else
        shapes_.push_back(std::make_unique<btBoxShape>(half));
      objects_.emplace_back().setCollisionShape(shapes_.back().get());
    }
    place(scene);
    using Filter = btBroadphaseProxy;
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      const bool moves = scene.items[i].moves;
      objects_[i].setCollisionFlags(moves ? 0 : btCollisionObject::CF_STATIC_OBJECT);
      objects_[i].forceActivationState(moves ? ACTIVE_TAG : ISLAND_SLEEPING);
      world_.addCollisionObject(&objects_[i], moves ? Filter::DefaultFilter : Filter::StaticFilter,
                                moves ? Filter::AllFilter : Filter::DefaultFilter);
    }
  }
  // Without this, the world would look through all pairs for each object that it lets go.
  ~BulletEngine() override {
    struct All final : btOverlapCallback {
      bool processOverlap(btBroadphasePair&) override { return true; }
    } all;
    broad_phase_.getOverlappingPairCache()->processAllOverlappingPairs(&all, &dispatcher_);
  }

  void place(const Scene& scene) override {
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      const Quat& R = scene.poses[i].R;
      const btQuaternion turn(btScalar(R.x()), btScalar(R.y()), btScalar(R.z()), btScalar(R.w()));
      objects_[i].setWorldTransform(btTransform(turn, to_bullet(units * scene.poses[i].p)));
    }
  }

  void find() override { world_.performDiscreteCollisionDetection(); }

  Found found() const override {
    auto& dispatcher = const_cast<btCollisionDispatcher&>(dispatcher_);
    auto& broad_phase = const_cast<btDbvtBroadphase&>(broad_phase_);
    Found found;
    found.box_pairs =
        static_cast<std::size_t>(broad_phase.getOverlappingPairCache()->getNumOverlappingPairs());
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
      const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
      bool touches = false;
      for (int k = 0; k < manifold.getNumContacts(); ++k)
        touches |= manifold.getContactPoint(k).getDistance() <= 0;
      found.contacts += static_cast<std::size_t>(manifold.getNumContacts());
      found.touching_pairs += touches;
    }
    return found;
  }

 private:
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::deque<btCollisionObject> objects_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btCollisionWorld world_;
};

}  // namespace

std::unique_ptr<Engine> make_bullet_engine(const Scene& scene) {
  return std::make_unique<BulletEngine>(scene);
}

std::string describe_bullet() {
  return "Bullet " + std::to_string(btGetVersion() / 100) + "." +
         std::to_string(btGetVersion() % 100) + ": " +
         (sizeof(btScalar) == 8 ? "double" : "single") + " precision, one thread";
}

}  // namespace ligament::bench
