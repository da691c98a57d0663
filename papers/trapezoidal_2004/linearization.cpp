// SPDX-License-Identifier: Apache-2.0
// Sections 2 and 8, in coordinates that the engine does not use: a mass matrix that depends on the
// pose, and a force that is quadratic in the velocity. The step by hand, θ = ½:
//
//     M̃ w = M̃ v + kt/2,  M̃ = M − (h/2) k_v − (h²/4) k_q,  kt = h (k + (h/2) k_q v),
//     v⁺ = 2 w − v,  q⁺ = q + h w
#include <Eigen/Dense>
#include <cmath>

#include "papers/orders.h"
#include "papers/simulate.h"
#include "papers/trapezoidal_2004/experiments.h"

namespace ligament::papers::trapezoidal {
namespace {

using Vec2 = Eigen::Vector2d;
using Mat2 = Eigen::Matrix2d;

// A double pendulum in its angles: masses of 1 kg, rods of 1 m, g = 9.8 m/s².
struct Angles {
  Vec2 q, v;
};
Mat2 find_mass(const Vec2& q) {
  const double c = std::cos(q(0) - q(1));
  return Mat2{{2.0, c}, {c, 1.0}};
}
Vec2 find_force(const Vec2& q, const Vec2& v) {
  const double s = std::sin(q(0) - q(1));
  return {-s * v(1) * v(1) - 2.0 * 9.8 * std::sin(q(0)), s * v(0) * v(0) - 9.8 * std::sin(q(1))};
}
Mat2 force_by_pose(const Vec2& q, const Vec2& v) {
  const double c = std::cos(q(0) - q(1));
  return Mat2{{-c * v(1) * v(1) - 19.6 * std::cos(q(0)), c * v(1) * v(1)},
              {c * v(0) * v(0), -c * v(0) * v(0) - 9.8 * std::cos(q(1))}};
}
Mat2 force_by_velocity(const Vec2& q, const Vec2& v) {
  const double s = std::sin(q(0) - q(1));
  return Mat2{{0.0, -2.0 * s * v(1)}, {2.0 * s * v(0), 0.0}};
}

enum class MassAt : unsigned char { start, middle };

Vec2 swing(MassAt where, double h) {
  Angles a{{1.0, 2.0}, {0.5, -1.0}};
  for (long i = 0; i < std::lround(1.0 / h); ++i) {
    const Mat2 kq = force_by_pose(a.q, a.v);
    const Vec2 at = where == MassAt::middle ? Vec2(a.q + 0.5 * h * a.v) : a.q;
    const Mat2 M = find_mass(at) - 0.5 * h * force_by_velocity(a.q, a.v) - 0.25 * h * h * kq;
    const Vec2 kt = h * (find_force(a.q, a.v) + 0.5 * h * kq * a.v);
    const Vec2 w = a.v + M.partialPivLu().solve(0.5 * kt);
    a = {a.q + h * w, 2.0 * w - a.v};
  }
  return a.q;
}

// y′ = f(y) for 1 s by Runge and Kutta's method of order four: the truth.
template <class Vector, class Derivative>
Vector integrate(Vector y, const Derivative& f) {
  constexpr int steps = 20000;
  const double h = 1.0 / steps;
  for (int i = 0; i < steps; ++i) {
    const Vector k1 = f(y), k2 = f(Vector(y + 0.5 * h * k1)), k3 = f(Vector(y + 0.5 * h * k2)),
                 k4 = f(Vector(y + h * k3));
    y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return y;
}

Vec2 find_swing() {
  using Vec4 = Eigen::Vector4d;
  const auto f = [](const Vec4& y) {
    const Vec2 q = y.head<2>(), v = y.tail<2>();
    Vec4 out;
    out.head<2>() = v;
    out.tail<2>() = find_mass(q).inverse() * find_force(q, v);
    return out;
  };
  return integrate(Vec4(1.0, 2.0, 0.5, -1.0), f).head<2>();
}

// A free body about its axes: I ẇ = F(w) w with the skew F(w) a = I w × a.
const Vec3 inertia(1.0, 2.0, 2.5);
Mat3 find_F(const Vec3& w) {
  const Vec3 L = inertia.cwiseProduct(w);
  return Mat3{{0, -L.z(), L.y()}, {L.z(), 0, -L.x()}, {-L.y(), L.x(), 0}};
}
Mat3 find_other_half(const Vec3& w) {  // a ↦ F(a) w
  return Mat3{{0, inertia.y() * w.z(), -inertia.z() * w.y()},
              {-inertia.x() * w.z(), 0, inertia.z() * w.x()},
              {inertia.x() * w.y(), -inertia.y() * w.x(), 0}};
}

enum class Jacobian : unsigned char { F_at_start, twice_F, exact, F_ahead };

struct Spin {
  Vec3 w;
  double energy_off = 0.0;  // largest relative change
};
double energy_of(const Vec3& w) { return 0.5 * w.dot(inertia.cwiseProduct(w)); }

Spin tumble(Jacobian by, double h, double time = 1.0) {
  Spin spin{.w = {0.3, 3.0, 0.4}};
  const Mat3 M = inertia.asDiagonal();
  const double start = energy_of(spin.w);
  for (long i = 0; i < std::lround(time / h); ++i) {
    const Vec3 w = spin.w;
    Mat3 F = find_F(w);
    if (by == Jacobian::F_ahead) F = find_F(w + 0.5 * h * (F * w).cwiseQuotient(inertia));
    const Vec3 force = F * w;
    Mat3 kv = F;
    if (by == Jacobian::twice_F) kv *= 2.0;
    if (by == Jacobian::exact) kv += find_other_half(w);
    const Vec3 mean = w + (M - 0.5 * h * kv).partialPivLu().solve(Vec3(0.5 * h * force));
    spin.w = 2.0 * mean - w;
    spin.energy_off = std::max(spin.energy_off, std::abs(energy_of(spin.w) / start - 1.0));
  }
  return spin;
}

class Orders {
 public:
  explicit Orders(Experiment& out) : out_(out) {}
  template <class Run, class Vector>
  void add(const char* text, double expected, const Run& run, const Vector& truth) {
    Curve curve{.label = text, .x = halvings(std::exp2(-8), 5), .mark = Mark::both};
    for (const double h : curve.x) curve.y.push_back((run(h) - truth).norm());
    out_.claims.push_back({.text = fmt::format("{}: order", text),
                           .source = "(2.9), section 8",
                           .expected = expected,
                           .measured = fit_last_order(curve.x, curve.y, 4),
                           .tolerance = {expected - 0.1, expected + 0.1},
                           .reason = "the next term of the expansion over the last halvings"});
    curves.push_back(std::move(curve));
  }
  std::vector<Curve> curves;

 private:
  Experiment& out_;
};

void add_energies(Experiment& out) {
  const double h = 1.0 / 256, time = 3200 * h;
  const auto add = [&](const char* text, Jacobian by, double expected, Band band,
                       const char* reason) {
    out.claims.push_back({.text = text,
                          .source = "section 8",
                          .expected = expected,
                          .measured = tumble(by, h, time).energy_off,
                          .tolerance = band,
                          .reason = reason});
  };
  add("Energy in 3200 steps, F(w) at the start: relative change", Jacobian::F_at_start, 2e-14,
      below(1e-12), "F is skew: roundings");
  add("… F ahead", Jacobian::F_ahead, 7e-14, below(1e-12), "F is skew: roundings");
  add("… exact Jacobian, which drifts", Jacobian::exact, 9e-5, {}, "");
  out.claims.back().unknown = "spin and step of its body";
}

}  // namespace

Experiment show_linearization(const Effort&) {
  Experiment out{
      .title = "Masses and forces, linearized once a step",
      .source = "sections 2 and 8",
      .paper_says =
          "With a mass matrix of the start of the step the order is one. Of Coriolis forces "
          "F(v) v the derivative is taken as 2 F with F skew, which keeps the energy.",
      .we_did =
          "Two systems by the step written out, over 1 s: a double pendulum in its angles, and a "
          "free body about its own axes. The engine's bodies have constant masses."};
  Orders orders(out);
  const Vec2 end = find_swing();
  orders.add(
      "M(q) at the start", 1.0, [](double h) { return swing(MassAt::start, h); }, end);
  orders.add(
      "M(q) ahead", 2.0, [](double h) { return swing(MassAt::middle, h); }, end);
  const auto turn = [](const Vec3& w) { return Vec3((find_F(w) * w).cwiseQuotient(inertia)); };
  const Vec3 spin = integrate(Vec3(0.3, 3.0, 0.4), turn);
  const auto by = [](Jacobian jacobian) {
    return [jacobian](double h) { return tumble(jacobian, h).w; };
  };
  orders.add("k_v = F at the start", 1.0, by(Jacobian::F_at_start), spin);
  orders.add("k_v = 2 F", 1.0, by(Jacobian::twice_F), spin);
  orders.add("k_v exact", 2.0, by(Jacobian::exact), spin);
  orders.add("F ahead", 2.0, by(Jacobian::F_ahead), spin);
  out.claims[3].correction =
      "A tensor that is symmetric in two indices and skew in two is zero, so that f′ = 2 F with F "
      "skew cannot be: f′(v) u = F(v) u + F(u) v.";
  add_energies(out);
  out.pictures.push_back({.file = "errors",
                          .figure = {.title = "Errors at 1 s",
                                     .x = {.label = "step h [s]", .logarithmic = true},
                                     .y = {.label = "error [rad, rad/s]", .logarithmic = true},
                                     .curves = std::move(orders.curves),
                                     .height = 420},
                          .caption = "Taken half a step ahead, both are of second order."});
  return out;
}

}  // namespace ligament::papers::trapezoidal
