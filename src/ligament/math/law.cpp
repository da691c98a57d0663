// SPDX-License-Identifier: Apache-2.0
#include "ligament/math/law.h"

#include <algorithm>

#include "ligament/math/cones.h"

namespace ligament {
namespace {

struct Projection {
  Eigen::Ref<Eigen::VectorXd> lambda;

  void operator()(const Equality&) {}
  void operator()(const Unilateral&) { lambda = lambda.cwiseMax(0.0); }
  void operator()(const Box& box) { lambda = lambda.cwiseMax(box.lower).cwiseMin(box.upper); }
  void operator()(const Disc& disc) { project_onto_disc(disc.radius, lambda); }
  void operator()(const Cone& cone) { project_onto_cone(cone.mu, lambda); }
  void operator()(const Coulomb& law) { project_onto_cone(law.mu, lambda); }
};

}  // namespace

const char* name_of(const Law& law) {
  constexpr const char* names[] = {"equality", "unilateral", "box", "disc", "cone", "coulomb"};
  static_assert(std::variant_size_v<Law> == std::size(names));
  return names[law.index()];
}

int normal_row_of(const Law& law) {
  if (const Box* box = std::get_if<Box>(&law)) return box->normal;
  if (const Disc* disc = std::get_if<Disc>(&law)) return disc->normal;
  return -1;
}

Law bounded_by(const VecX& lambda, const Law& law) {
  const int normal = normal_row_of(law);
  if (normal < 0) return law;
  const double press = std::max(0.0, lambda(normal));
  if (const Disc* disc = std::get_if<Disc>(&law)) return Disc{.radius = disc->mu * press};
  const double most = std::get<Box>(law).mu * press;
  return Box{.lower = -most, .upper = most};
}

void project(const Law& law, Eigen::Ref<Eigen::VectorXd> lambda) {
  std::visit(Projection{lambda}, law);
}

}  // namespace ligament
