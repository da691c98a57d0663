// SPDX-License-Identifier: Apache-2.0
// Heaps in Bullet's discrete dynamics world: sequential impulses with its defaults, on one thread.
// It solves friction and positions in its own way; what is compared is time and where the bodies
// are.
#include <btBulletDynamicsCommon.h>

#include <deque>
#include <limits>

#include "bench/support/heaps.h"

namespace ligament::bench {
namespace {

btVector3 to_bullet(const Vec3& v) { return {btScalar(v.x()), btScalar(v.y()), btScalar(v.z())}; }

btDefaultCollisionConstructionInfo make_info(std::size_t items) {
  btDefaultCollisionConstructionInfo info;
  const int pool = static_cast<int>(std::clamp<std::size_t>(16 * items, 4096, 400000));
  info.m_defaultMaxPersistentManifoldPoolSize = pool;
  info.m_defaultMaxCollisionAlgorithmPoolSize = pool;
  return info;
}

class BulletHeap final : public HeapEngine {
 public:
  BulletHeap(const Heap& heap, double h, int iterations)
      : h_(h),
        configuration_(make_info(heap.items.size())),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broad_phase_, &solver_, &configuration_) {
    world_.setGravity({0, 0, btScalar(-9.81)});
    world_.getSolverInfo().m_numIterations = iterations;
    add_plane({0, 0, 1}, 0, heap.friction);
    if (heap.wall > 0.0)
      for (const btVector3& n :
           {btVector3(1, 0, 0), btVector3(-1, 0, 0), btVector3(0, 1, 0), btVector3(0, -1, 0)})
        add_plane(n, btScalar(-heap.wall), heap.friction);
    planes_ = bodies_.size();
    for (const HeapItem& item : heap.items) add_item(item, heap.friction);
  }
  ~BulletHeap() override {
    for (btRigidBody& body : bodies_) world_.removeRigidBody(&body);
  }

  void step() override { world_.stepSimulation(btScalar(h_), 0, btScalar(h_)); }
  std::vector<Vec3> centres() const override {
    std::vector<Vec3> centres;
    for (std::size_t i = planes_; i < bodies_.size(); ++i) {
      const btVector3& p = bodies_[i].getWorldTransform().getOrigin();
      centres.emplace_back(p.x(), p.y(), p.z());
    }
    return centres;
  }
  double fastest() const override {
    double fastest = 0.0;
    for (const btRigidBody& body : bodies_)
      fastest = std::max(fastest, double(body.getLinearVelocity().length()));
    return fastest;
  }
  int contacts() const override {
    int contacts = 0;
    auto& dispatcher = const_cast<btCollisionDispatcher&>(dispatcher_);
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i)
      contacts += dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
    return contacts;
  }
  double residual() const override { return std::numeric_limits<double>::quiet_NaN(); }
  double velocity_error() const override { return std::numeric_limits<double>::quiet_NaN(); }

 private:
  void add(std::unique_ptr<btCollisionShape> shape, double mass, const Vec3& start,
           double friction) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0.0) shape->calculateLocalInertia(btScalar(mass), inertia);
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shape.get(), inertia);
    info.m_startWorldTransform.setOrigin(to_bullet(start));
    info.m_friction = btScalar(std::sqrt(friction));  // of a pair: the product
    shapes_.push_back(std::move(shape));
    bodies_.emplace_back(info);
    bodies_.back().setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(&bodies_.back());
  }
  void add_plane(const btVector3& normal, btScalar offset, double friction) {
    add(std::make_unique<btStaticPlaneShape>(normal, offset), 0.0, Vec3::Zero(), friction);
  }
  void add_item(const HeapItem& item, double friction) {
    if (item.is_sphere)
      add(std::make_unique<btSphereShape>(btScalar(item.half.x())), item.mass, item.start,
          friction);
    else
      add(std::make_unique<btBoxShape>(to_bullet(item.half)), item.mass, item.start, friction);
  }

  double h_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::deque<btRigidBody> bodies_;
  std::size_t planes_ = 0;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
};

}  // namespace

std::unique_ptr<HeapEngine> make_bullet_heap(const Heap& heap, double h, int iterations) {
  return std::make_unique<BulletHeap>(heap, h, iterations);
}

}  // namespace ligament::bench
