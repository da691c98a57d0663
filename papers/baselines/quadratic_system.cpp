// SPDX-License-Identifier: Apache-2.0
#include "papers/baselines/quadratic_system.h"

#include <cmath>
#include <numbers>

namespace ligament::papers {
namespace {

constexpr double g = 10.0;  // [m/s²]

using Entries = std::vector<Eigen::Triplet<double>>;

// Rods, and the linear rows of their joints as they are added.
class RodBuilder {
 public:
  explicit RodBuilder(const PlanarRod& rod) : rod_(rod) {}

  int add(double x, double z, double angle) {  // centre, and the angle of u from the x axis
    for (const double value : {x, z, std::cos(angle), std::sin(angle)}) start_.push_back(value);
    return static_cast<int>(start_.size()) / 4 - 1;
  }
  // End `side` (−1 tail, 1 head) of rod a to that of b; b < 0: to the origin.
  void tie(int a, double side_a, int b = -1, double side_b = 0.0) {
    for (int k = 0; k < 2; ++k, ++rows_) {
      add_end(a, side_a, k, 1.0);
      if (b >= 0) add_end(b, side_b, k, -1.0);
    }
  }

  QuadraticSystem build() const {
    const auto n = static_cast<Eigen::Index>(start_.size());
    QuadraticSystem system;
    system.mass.resize(n);
    system.force.setZero(n);
    for (int i = 0; i < n; i += 4) {
      system.mass.segment<4>(i) << rod_.mass, rod_.mass, rod_.inertia, rod_.inertia;
      system.force(i + 1) = -rod_.mass * g;
      system.units.push_back(i + 2);
    }
    system.linear.resize(rows_, n);
    system.linear.setFromTriplets(entries_.begin(), entries_.end());
    system.start = Eigen::Map<const Eigen::VectorXd>(start_.data(), n);
    return system;
  }

 private:
  void add_end(int rod, double side, int k, double sign) {
    entries_.emplace_back(rows_, 4 * rod + k, sign);
    entries_.emplace_back(rows_, 4 * rod + 2 + k, 0.5 * side * sign);
  }

  PlanarRod rod_;
  std::vector<double> start_;
  Entries entries_;
  int rows_ = 0;
};

}  // namespace

VecX QuadraticSystem::compute_g(const VecX& q) const {
  VecX value(rows());
  value.head(linear.rows()) = linear * q;
  for (std::size_t i = 0; i < units.size(); ++i)
    value(linear.rows() + static_cast<int>(i)) = 0.5 * (q.segment<2>(units[i]).squaredNorm() - 1.0);
  return value;
}

SparseRows QuadraticSystem::compute_G(const VecX& q) const {
  Entries entries;
  for (int column = 0; column < linear.outerSize(); ++column)
    for (SparseRows::InnerIterator it(linear, column); it; ++it)
      entries.emplace_back(it.row(), it.col(), it.value());
  for (std::size_t i = 0; i < units.size(); ++i)
    for (int k = 0; k < 2; ++k)
      entries.emplace_back(linear.rows() + static_cast<int>(i), units[i] + k, q(units[i] + k));
  SparseRows G(rows(), q.size());
  G.setFromTriplets(entries.begin(), entries.end());
  return G;
}

VecX QuadraticSystem::compute_curvature(const VecX& v) const {
  VecX value = VecX::Zero(rows());
  for (std::size_t i = 0; i < units.size(); ++i)
    value(linear.rows() + static_cast<int>(i)) = v.segment<2>(units[i]).squaredNorm();
  return value;
}

double QuadraticSystem::compute_energy(const VecX& q, const VecX& v) const {
  return 0.5 * v.dot(mass.cwiseProduct(v)) - force.dot(q);
}

QuadraticSystem make_planar_pendulum() {
  QuadraticSystem system;
  system.mass = VecX::Ones(2);
  system.force = -g * VecX::Unit(2, 1);
  system.linear.resize(0, 2);
  system.units = {0};
  system.start = VecX::Unit(2, 0);
  return system;
}

QuadraticSystem make_planar_rod(const PlanarRod& rod, double angle) {
  RodBuilder b(rod);
  const double turn = angle - 0.5 * std::numbers::pi;
  b.tie(b.add(0.5 * std::cos(turn), 0.5 * std::sin(turn), turn), -1.0);
  return b.build();
}

QuadraticSystem make_planar_ladder(int cells, const PlanarRod& rod) {
  constexpr double tail = -1.0, head = 1.0, up = 0.5 * std::numbers::pi;
  RodBuilder b(rod);
  int rung = b.add(0.0, 0.5, up), lower = -1;
  b.tie(rung, tail);
  for (int k = 0; k < cells; ++k) {
    const int next_lower = b.add(k + 0.5, 0.0, 0.0), upper = b.add(k + 0.5, 1.0, 0.0);
    const int next_rung = b.add(k + 1.0, 0.5, up);
    b.tie(next_lower, tail, lower, head);
    b.tie(upper, tail, rung, head);
    b.tie(next_rung, tail, next_lower, head);
    b.tie(upper, head, next_rung, head);
    rung = next_rung;
    lower = next_lower;
  }
  return b.build();
}

VecX project_velocity(const QuadraticSystem& system, const VecX& q, const VecX& v) {
  const SparseRows G = system.compute_G(q), Gt = G.transpose();
  const VecX inverse = system.mass.cwiseInverse();
  const Eigen::SimplicialLDLT<SparseRows> S(SparseRows(G * inverse.asDiagonal() * Gt));
  const VecX impulse = S.solve(VecX(G * v));
  return v - inverse.cwiseProduct(VecX(Gt * impulse));
}

}  // namespace ligament::papers
