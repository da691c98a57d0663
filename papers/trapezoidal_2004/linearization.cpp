// SPDX-License-Identifier: Apache-2.0
// Sections 2, 8 and 9, with what the engine does not use: a mass matrix that depends on the pose, a
// force that is quadratic in the velocity, the exact Jacobian of a spring, and a bowl to slide in.
// The step by hand, θ = ½:
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

// A bob of 1 kg on a spring of 1 m with a damper, from the origin: s = |q| − 1.
struct Spring {
  double gamma, delta;

  Vec2 find_force(const Vec2& q, const Vec2& v) const {
    const Vec2 n = q.normalized();
    return -(gamma * (q.norm() - 1.0) + delta * n.dot(v)) * n + Vec2(0.0, -9.8);
  }
  Mat2 by_velocity(const Vec2& q) const {
    const Vec2 n = q.normalized();
    return -delta * n * n.transpose();
  }
  Mat2 by_pose(const Vec2& q, const Vec2& v) const {
    const double r = q.norm();
    const Vec2 n = q / r;
    const Mat2 along = n * n.transpose(), turn = (Mat2::Identity() - along) / r;  // ∂n/∂q
    const double rate = n.dot(v), size = gamma * (r - 1.0) + delta * rate;
    return -gamma * along - delta * n * (turn * v).transpose() - size * turn;
  }
};

Vec2 bounce(const Spring& spring, double h) {
  Vec2 q(1.1, 0.0), v(0.0, 0.5);
  for (long i = 0; i < std::lround(1.0 / h); ++i) {
    const Mat2 kq = spring.by_pose(q, v);
    const Mat2 M = Mat2::Identity() - 0.5 * h * spring.by_velocity(q) - 0.25 * h * h * kq;
    const Vec2 w =
        v + M.partialPivLu().solve(0.5 * h * (spring.find_force(q, v) + 0.5 * h * kq * v));
    q += h * w;
    v = 2.0 * w - v;
  }
  return q;
}

Vec2 find_bounce(const Spring& spring) {
  using Vec4 = Eigen::Vector4d;
  const auto f = [&](const Vec4& y) {
    const Vec2 q = y.head<2>(), v = y.tail<2>();
    Vec4 out;
    out.head<2>() = v;
    out.tail<2>() = spring.find_force(q, v);
    return out;
  };
  return integrate(Vec4(1.1, 0.0, 0.0, 0.5), f).head<2>();
}

// A point of 1 kg that slides down in a circular bowl of 1 m, pressed on it all the time: N w = 0,
// and friction μ c_n against the slip. N and D at q, as printed, or half a step ahead.
enum class NormalAt : unsigned char { start, middle };

Vec2 slide(NormalAt where, double mu, double h) {
  Vec2 q(std::sin(-1.0), -std::cos(1.0)), v = Vec2::Zero();
  for (long i = 0; i < std::lround(0.5 / h); ++i) {
    const Vec2 at = where == NormalAt::middle ? Vec2(q + 0.5 * h * v) : q;
    const Vec2 in = -at.normalized(), along(in.y(), -in.x());
    const Vec2 free = v + 0.5 * h * Vec2(0.0, -9.8);
    const double press = -in.dot(free);
    // It slides forth for 0.5 s: friction takes what it can of the mean velocity.
    const double slip = std::max(0.0, along.dot(free) - mu * press);
    const Vec2 w = slip * along;
    q += h * w;
    v = 2.0 * w - v;
  }
  return q;
}

Vec2 find_slide(double mu) {
  // φ from below, φ̈ = −g sin φ − μ (φ̇² + g cos φ) while it goes forth.
  const auto f = [&](const Vec2& y) {
    return Vec2(0.5 * y(1),
                0.5 * (-9.8 * std::sin(y(0)) - mu * (y(1) * y(1) + 9.8 * std::cos(y(0)))));
  };
  const double phi = integrate(Vec2(-1.0, 0.0), f)(0);
  return {std::sin(phi), -std::cos(phi)};
}

class Orders {
 public:
  explicit Orders(Experiment& out, double longest = std::exp2(-8)) : out_(out), longest_(longest) {}
  template <class Run, class Vector>
  void add(const char* text, double expected, const Run& run, const Vector& truth) {
    Curve curve{.label = text, .x = halvings(longest_, 5), .mark = Mark::both};
    for (const double h : curve.x) curve.y.push_back((run(h) - truth).norm());
    out_.claims.push_back({.text = fmt::format("{}: order", text),
                           .source = "(2.9), (5.6), sections 8 and 9",
                           .expected = expected,
                           .measured = fit_last_order(curve.x, curve.y, 4),
                           .tolerance = {expected - 0.1, expected + 0.1},
                           .reason = "the next term of the expansion over the last halvings"});
    curves.push_back(std::move(curve));
  }
  std::vector<Curve> curves;

 private:
  Experiment& out_;
  double longest_;  // [s] step
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

// The exact Jacobian of springs, and a bowl.
void add_by_hand(Experiment& out) {
  Orders more(out);
  for (const double gamma : {1e2, 1e4}) {
    Orders springs(out, gamma < 1e3 ? std::exp2(-8) : std::exp2(-11));  // ω h ≪ 1
    for (const double delta : {0.0, 5.0, 50.0}) {
      const Spring spring{gamma, delta};
      const std::string name =
          fmt::format("spring {} N/m, damper {} N s/m, exact Jacobian", power(gamma), delta);
      springs.add(
          name.c_str(), 2.0, [&](double h) { return bounce(spring, h); }, find_bounce(spring));
    }
  }
  for (const double mu : {0.0, 0.2}) {
    const Vec2 bottom = find_slide(mu);
    for (const NormalAt where : {NormalAt::start, NormalAt::middle}) {
      const bool ahead = where == NormalAt::middle;
      const auto run = [&](double h) { return slide(where, mu, h); };
      const std::string name =
          fmt::format("bowl, μ = {}, N and D {}", mu, ahead ? "ahead" : "at the start");
      more.add(name.c_str(), ahead ? 2.0 : 1.0, run, bottom);
      if (mu > 0.0) continue;
      out.claims.push_back({.text = "… error at 0.5 s, h = 0.5/1024",
                            .source = "(5.6)",
                            .unit = "m",
                            .expected = ahead ? 1.2e-6 : 1.6e-3,
                            .measured = (run(0.5 / 1024) - bottom).norm(),
                            .unknown = "radius and start of its bowl"});
    }
  }
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
          "Four systems by the step written out, over 1 s: a double pendulum in its angles, a free "
          "body about its own axes, a bob on a spring with the exact Jacobian, and over 0.5 s a "
          "point in a circular bowl. The engine's bodies have constant masses."};
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
  add_by_hand(out);
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
