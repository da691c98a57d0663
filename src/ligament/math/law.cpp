// SPDX-License-Identifier: Apache-2.0
#include "ligament/math/law.h"

#include "ligament/math/cones.h"

namespace ligament {
namespace {

struct Projection {
  Eigen::Ref<VecX> lambda;

  void operator()(const Equality&) {}
  void operator()(const Unilateral&) { lambda = lambda.cwiseMax(0.0); }
  void operator()(const Box& box) { lambda = lambda.cwiseMax(box.lower).cwiseMin(box.upper); }
  void operator()(const Disc& disc) { project_onto_disc(disc.radius, lambda); }
  void operator()(const Cone& cone) { project_onto_cone(cone.mu, lambda); }
};

}  // namespace

const char* name_of(const Law& law) {
  constexpr const char* names[] = {"equality", "unilateral", "box", "disc", "cone"};
  static_assert(std::variant_size_v<Law> == std::size(names));
  return names[law.index()];
}

void project(const Law& law, Eigen::Ref<VecX> lambda) { std::visit(Projection{lambda}, law); }

}  // namespace ligament
