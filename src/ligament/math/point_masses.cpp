// SPDX-License-Identifier: Apache-2.0
#include "ligament/math/point_masses.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ligament {
namespace {

// Adds a mass, to a point that is there already if one is. Returns its index.
int add_mass(double mass, const Vec3& x, double nearness, std::vector<PointMass>& points) {
  for (std::size_t i = 0; i < points.size(); ++i)
    if ((points[i].x - x).norm() <= nearness) {
      points[i].mass += mass;
      return static_cast<int>(i);
    }
  points.push_back({mass, x});
  return static_cast<int>(points.size()) - 1;
}

template <class Visit>
void for_each_image(const Vec3& x, Visit&& visit) {
  for (int i = 0; i < 8; ++i)
    visit(Vec3((i & 1) != 0 ? -x.x() : x.x(), (i & 2) != 0 ? -x.y() : x.y(),
               (i & 4) != 0 ? -x.z() : x.z()));
}

}  // namespace

PointMasses make_point_masses(const MassProperties& body, std::span<const Vec3> given,
                              double fraction) {
  if (!(fraction > 0.0 && fraction < 1.0))
    throw std::invalid_argument("the fraction of the mass at given points must be between 0 and 1");
  const PrincipalInertia principal = compute_principal_inertia(body.inertia);
  const Vec3& I = principal.moments;
  Vec3 rest = Vec3::Constant(0.5 * I.sum()) - I;  // second moments
  if (!(rest.minCoeff() > 1e-9 * I.maxCoeff()))
    throw std::invalid_argument(
        "a body that is flat or thin has no rigid twin of point masses: its principal moments must "
        "be less than the sum of the other two");
  Vec3 squares = Vec3::Zero();
  const double nearness = 1e-9 * std::sqrt(rest.maxCoeff() / body.mass);
  std::vector<Vec3> places;
  for (const Vec3& x : given) {
    const Vec3 x_P = principal.R_BP.transpose() * x;
    const auto is_there = [&](const Vec3& other) { return (other - x_P).norm() <= nearness; };
    if (std::ranges::any_of(places, is_there)) continue;
    places.push_back(x_P);
    squares += x_P.cwiseAbs2();
  }
  const auto count = static_cast<double>(places.size());
  double mass = count > 0.0 ? body.mass / (8.0 * count) : 0.0;
  for (int i = 0; i < 3; ++i)
    if (squares(i) > 0.0) mass = std::min(mass, rest(i) / (8.0 * squares(i)));
  mass *= fraction;  // [IB.13]
  rest -= 8.0 * mass * squares;
  const double other = (body.mass - 8.0 * count * mass) / 8.0;

  PointMasses out;
  for (const Vec3& x : places)
    for_each_image(x, [&](const Vec3& image) { add_mass(mass, image, nearness, out.points); });
  for_each_image((rest / (8.0 * other)).cwiseSqrt(),
                 [&](const Vec3& image) { add_mass(other, image, nearness, out.points); });
  for (const Vec3& x : given)
    out.given.push_back(add_mass(0.0, principal.R_BP.transpose() * x, nearness, out.points));
  for (PointMass& point : out.points) point.x = principal.R_BP * point.x;
  return out;
}

}  // namespace ligament
