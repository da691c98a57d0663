// SPDX-License-Identifier: Apache-2.0
#include "papers/trapezoidal_2004/printed_pendulum.h"

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace ligament::papers::trapezoidal {
namespace {

using Vec4 = Eigen::Vector4d;
using Active = std::array<bool, 2>;

constexpr double closed = 1e-9, restitution = 0.1;  // [m], part that is given back

double gap(const Vec4& q, std::size_t bob) { return q(bob == 0 ? 0 : 2); }

Eigen::Matrix<double, 2, 4> rods(const Vec4& q) {
  const Eigen::Vector2d lower = q.tail<2>() - q.head<2>();
  Eigen::Matrix<double, 2, 4> G;
  G << q(0), q(1), 0, 0, -lower(0), -lower(1), lower(0), lower(1);
  return G;
}

struct Projected {
  Vec4 w;
  Eigen::Vector2d press = Eigen::Vector2d::Zero();  // of the contacts
};

// The w nearest to `free` (unit masses) with G w = 0 and 0 ≤ w_x ⟂ press ≥ 0 for what is active.
Projected project(const Vec4& free, const Eigen::Matrix<double, 2, 4>& G, const Active& active) {
  Projected out;
  for (unsigned subset = 0; subset < 4; ++subset) {
    if (((subset & 1U) && !active[0]) || ((subset & 2U) && !active[1])) continue;
    std::vector<std::size_t> held;
    for (std::size_t bob = 0; bob < 2; ++bob)
      if (subset & (1U << bob)) held.push_back(bob);
    MatX A(2 + static_cast<Eigen::Index>(held.size()), 4);
    A.topRows<2>() = G;
    for (std::size_t i = 0; i < held.size(); ++i)
      A.row(2 + static_cast<Eigen::Index>(i)) = Vec4::Unit(held[i] == 0 ? 0 : 2).transpose();
    const VecX c = (A * A.transpose()).ldlt().solve(-A * free);
    out.w = free + A.transpose() * c;
    out.press.setZero();
    for (std::size_t i = 0; i < held.size(); ++i)
      out.press(static_cast<Eigen::Index>(held[i])) = c(2 + static_cast<Eigen::Index>(i));
    bool lawful = out.press.minCoeff() >= -1e-14;
    for (std::size_t bob = 0; bob < 2; ++bob)
      lawful = lawful && (!active[bob] || gap(out.w, bob) >= -1e-12);
    if (lawful) break;
  }
  return out;
}

// Poisson's two phases.
Vec4 hit(const Vec4& q, const Vec4& v, const Active& active) {
  const auto G = rods(q);
  const Projected pressed = project(v, G, active);
  Vec4 kick = Vec4::Zero();
  kick(0) = restitution * pressed.press(0);
  kick(2) = restitution * pressed.press(1);
  return project(pressed.w + kick, G, active).w;
}

// Where the cubic through gaps and their rates at both ends first falls to zero, 0 … 1.
double find_root(double p0, double u0, double p1, double u1, double h) {
  const auto value = [&](double s) {
    const double a = 1 - s;
    return p0 * a * a * (1 + 2 * s) + h * u0 * s * a * a + p1 * s * s * (3 - 2 * s) -
           h * u1 * s * s * a;
  };
  // The first of many pieces in which it changes from above to below.
  constexpr int pieces = 64;
  for (int i = 0; i < pieces; ++i) {
    double low = static_cast<double>(i) / pieces, high = static_cast<double>(i + 1) / pieces;
    if (!(value(low) > 0.0 && value(high) <= 0.0)) continue;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (value(middle) > 0.0 ? low : high) = middle;
    }
    return high;
  }
  return 1.0;
}

class Pendulum {
 public:
  explicit Pendulum(PrintedRule rule) : rule_(rule) {
    const double pi = std::numbers::pi, a = pi / 3, b = pi / 5;
    q << std::sin(a), -std::cos(a), std::sin(a) + std::sin(b), -std::cos(a) - std::cos(b);
  }

  void advance(double h) {
    double left = h;
    Active collided{false, false};
    while (left > 1e-12 * h) {
      const Active active = find_active(left, collided);
      const Vec4 at = rule_ == PrintedRule::rods_at_start ? q : Vec4(q + 0.5 * left * v);
      const Vec4 w = project(v + 0.5 * left * gravity_, rods(at), active).w;
      const Vec4 v1 = 2.0 * w - v, q1 = q + left * w;
      double when = 2.0;
      std::size_t who = 0;
      for (std::size_t bob = 0; bob < 2; ++bob) {
        if (active[bob] || gap(q1, bob) >= -1e-13) continue;
        const double root = find_root(gap(q, bob), gap(v, bob), gap(q1, bob), gap(v1, bob), left);
        if (root < when) when = root, who = bob;
      }
      if (when > 1.0) {
        q = q1, v = v1;
        return;
      }
      // The interpolant of q is a quadratic.
      q += when * left * v + 0.5 * when * when * left * (v1 - v);
      v += when * (v1 - v);
      Active taking_part = active;
      taking_part[who] = collided[who] = true;
      v = hit(q, v, taking_part);
      ++hits;
      left -= when * left;
    }
  }

  Vec4 q, v = Vec4::Zero();
  int hits = 0;

 private:
  Active find_active(double h, const Active& collided) const {
    Active out = collided;
    for (std::size_t bob = 0; bob < 2; ++bob) {
      const double now = gap(q, bob), rate = gap(v, bob);
      if (rule_ == PrintedRule::active_set)
        out[bob] = out[bob] || std::min(now, now + h * rate) <= closed;
      else
        out[bob] = out[bob] || (now <= closed && std::abs(rate) <= 1e-9);
    }
    return out;
  }

  PrintedRule rule_;
  Vec4 gravity_{0, -9.8, 0, -9.8};
};

}  // namespace

PrintedSwing swing_as_printed(double h, PrintedRule rule) {
  Pendulum pendulum(rule);
  const long steps = std::lround(2.5 / h);
  for (long i = 0; i < steps; ++i) pendulum.advance(h);
  return {pendulum.q, pendulum.hits};
}

}  // namespace ligament::papers::trapezoidal
