// SPDX-License-Identifier: Apache-2.0
#include <span>
#include <utility>
#include <vector>

#include "bench/support/collide_engines.h"
#include "ligament/collision/collision_world.h"
#include "ligament/model/model_builder.h"

namespace ligament::bench {
namespace {

constexpr double step_size = 1.0 / 60.0;  // [s] what a step of a scene stands for

// Body i + 1 is item i: 0 is the world. Fixed items are bodies of their own, as they are objects of
// their own in the other engines.
Model make_model(const Scene& scene) {
  ModelBuilder builder;
  for (std::size_t i = 0; i < scene.items.size(); ++i) {
    const Item& item = scene.items[i];
    const BodyId body =
        builder.add_body({.kind = item.moves ? BodyKind::rigid : BodyKind::fixed,
                          .mass = item.is_sphere ? solid_sphere(item.half.x(), 1000.0)
                                                 : solid_box(item.half, 1000.0),
                          .position = scene.poses[i].p,
                          .orientation = scene.poses[i].R});
    const Geometry geometry = item.is_sphere ? Geometry(SphereShape{.radius = item.half.x()})
                                             : Geometry(BoxShape{.half = item.half});
    builder.add_shape({.body = body, .geometry = geometry});
  }
  return std::move(builder).build();
}

class LigamentEngine final : public Engine {
 public:
  LigamentEngine(const Scene& scene, const LigamentOptions& options)
      : model_(make_model(scene)),
        state_(model_.initial_state()),
        is_looking_ahead_(options.lookahead > 0.0),
        is_broad_(options.broad_phase_alone),
        world_(model_, {.lookahead = options.lookahead, .threads = options.threads}) {}

  void place(const Scene& scene) override {
    for (std::size_t i = 0; i < scene.items.size(); ++i) {
      const BodyId id{static_cast<std::uint32_t>(i + 1)};
      const Frame& pose = scene.poses[i];
      const int q = model_.body(id).q_offset;
      state_.q.segment<3>(q) = pose.p;
      state_.q.segment<4>(q + 3) << pose.R.w(), pose.R.x(), pose.R.y(), pose.R.z();
      if (is_looking_ahead_ && scene.items[i].moves)
        set_velocity(model_, id, scene.velocities[i] / step_size, scene.items[i].spin / step_size,
                     state_);
    }
  }
  void find() override {
    if (is_broad_)
      world_.place_shapes(state_);
    else
      contacts_ = world_.find_contacts(state_);
  }

  Found found() const override {
    Found found{.box_pairs = world_.counts().candidates, .contacts = contacts_.size()};
    std::pair<ShapeId, ShapeId> last{ShapeId{0}, ShapeId{0}};  // contacts of a pair stand together
    for (const Contact& contact : contacts_) {
      const std::pair pair{contact.shape_a, contact.shape_b};
      if (contact.gap > 0.0 || pair == last) continue;
      last = pair;
      ++found.touching_pairs;
    }
    return found;
  }

 private:
  Model model_;
  State state_;
  bool is_looking_ahead_, is_broad_;
  CollisionWorld world_;
  std::span<const Contact> contacts_;
};

}  // namespace

std::unique_ptr<Engine> make_ligament_engine(const Scene& scene, const LigamentOptions& options) {
  return std::make_unique<LigamentEngine>(scene, options);
}

// The options of the compiler are the same for the library.
std::string describe_ligament() {
#ifdef __AVX__
  return "Ligament: compiled for this processor (-march=native)";
#else
  return "Ligament: compiled for any processor of its kind";
#endif
}

}  // namespace ligament::bench
