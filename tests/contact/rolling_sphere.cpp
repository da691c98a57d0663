// SPDX-License-Identifier: Apache-2.0
// Spheres that slide, roll and spin, against their closed forms.
//
// A step is exact in momentum, and a contact that slides brakes with μ λ_n: speeds while sliding
// are those of the closed form at every step. The forces act at the middle of the overlap, δ/2
// below the lowest point of an ideal sphere: levers, and with them all speeds of rolling, are off
// by δ/(2 R), δ = ε m g.
#include <gtest/gtest.h>

#include <vector>

#include "analytic/dry_friction.h"
#include "support/contact_scenes.h"
#include "support/measured.h"
#include "support/methods.h"

namespace ligament {
namespace {

using scenes::BallOptions;

constexpr double g = 9.81, radius = 0.1, epsilon = 1e-8;
constexpr double lever_error = epsilon * g / (2 * radius);  // of a ball of 1 kg

// [m/s] that the solver may leave in each step.
double solver_error(const Method& method) { return method.error * g * step_of(method); }

Material rough(double mu, double rolling = 0.0, double spinning = 0.0) {
  return {.friction = mu,
          .compliance = epsilon,
          .rolling_friction = rolling,
          .spinning_friction = spinning};
}

// Speed, spin and way after each step, in the axes of the plane.
struct Track {
  std::vector<Vec3> v, w, x;
  State last;
};

Track roll(const BallOptions& options, double time, const Method& method) {
  const Model model = scenes::make_ball_on_incline(options);
  const BodyId ball = *model.find_body("ball");
  const Quat to_plane = scenes::turn(-options.slope, Vec3::UnitY());
  Track track;
  const Observer look = [&](const Sample& sample) {
    track.v.push_back(to_plane * velocity_of(model, sample.state, ball));
    track.w.push_back(to_plane * compute_angular_velocity(model, sample.state, ball));
    track.x.push_back(to_plane * compute_pose(model, sample.state, ball).p);
  };
  track.last = model.initial_state();
  const RunReport report =
      run(model, method.stepper, track.last, {.t_end = time, .observers = {look}});
  expect_clean(report, method);
  return track;
}

class Sphere : public ::testing::TestWithParam<Method> {};

INSTANTIATE_TEST_SUITE_P(, Sphere, ::testing::ValuesIn(all_methods()), name_of_method);

TEST_P(Sphere, goes_from_sliding_to_rolling_at_five_sevenths_of_its_speed) {
  const double left = solver_error(GetParam());
  const analytic::ThrownSphere exact{.gravity = g, .mu = 0.3, .speed = 3.0};
  const double h = step_of(GetParam()), time = 1.5;
  const Track track =
      roll({.velocity = {exact.speed, 0, 0}, .contact = rough(exact.mu)}, time, GetParam());
  const auto steps = static_cast<int>(track.v.size());
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const double v = track.v[static_cast<std::size_t>(i)].x();
    const double v_n = track.v[static_cast<std::size_t>(i)].z();  // what settles
    const double slip = v - radius * track.w[static_cast<std::size_t>(i)].y();
    if (t < exact.rolls_from() - h) {  // exact: μ times the normal momentum
      EXPECT_NEAR(v + exact.mu * v_n, exact.speed_at(t), i * left) << "step " << i;
      EXPECT_GT(slip, 0.0) << "step " << i;
    }
    // The step in which it takes hold ends within the next, and its springs, ε m g long, settle.
    if (t > exact.rolls_from() + 10 * h) {
      EXPECT_NEAR(slip, 0.0, 2 * lever_error * exact.speed + steps * left) << "step " << i;
    }
  }
  EXPECT_NEAR(measured("rolling speed over v", track.v.back().x() / exact.speed), 5.0 / 7.0,
              2 * lever_error + steps * left);
  // Symplectic Euler sums the speeds at the ends of steps: ½ μ g h a second behind while it slides,
  // and the step in which it takes hold.
  EXPECT_NEAR(track.x.back().x(), exact.way(time),
              0.5 * exact.mu * g * h * exact.rolls_from() + exact.mu * g * h * h);
}

TEST_P(Sphere, rolls_down_at_five_sevenths_g_sin) {
  const double left = solver_error(GetParam());
  const double slope = 0.5, time = 2.0;
  const double a = analytic::rolling_acceleration(g, slope);
  ASSERT_GT(0.3, analytic::least_rolling_friction(slope));
  const Track track = roll({.slope = slope, .contact = rough(0.3)}, time, GetParam());
  const double steps = time * 60;
  EXPECT_NEAR(measured("speed over (5/7) g sin α t", track.v.back().x() / (a * time)), 1.0,
              2 * lever_error + steps * left);
  EXPECT_NEAR(track.w.back().y() * radius, track.v.back().x(),
              (2 * lever_error + steps * left) * a * time);
  EXPECT_LT(std::abs(track.v.back().y()), steps * left);
}

// Too steep to roll: it slides, and friction turns it with (5/2) μ g cos α/R.
TEST_P(Sphere, slides_while_it_rolls_where_friction_is_small) {
  const double left = solver_error(GetParam());
  const double slope = 0.9, mu = 0.2, time = 1.0;
  ASSERT_LT(mu, analytic::least_rolling_friction(slope));
  const Track track = roll({.slope = slope, .contact = rough(mu)}, time, GetParam());
  const double v = analytic::sliding_acceleration(g, slope, mu) * time;
  const double w = 2.5 * mu * g * std::cos(slope) / radius * time;
  EXPECT_NEAR(track.v.back().x(), v, 2 * lever_error * v + 60 * left);
  EXPECT_NEAR(track.w.back().y(), w, 2 * lever_error * w + 60 * 2.5 * left / radius);
}

// A lever ρ of the normal force stops a rolling ball with (5/7) g ρ/R.
TEST_P(Sphere, is_stopped_by_rolling_friction) {
  const double left = solver_error(GetParam()), h = step_of(GetParam());
  const double rho = 0.004, speed = 0.5, a = analytic::rolling_acceleration(g, 0.0, rho / radius);
  const double stop = -speed / a;  // a < 0
  const Track track = roll({.velocity = {speed, 0, 0},
                            .angular_velocity = {0, speed / radius, 0},
                            .contact = rough(0.3, rho)},
                           stop + 1.0, GetParam());
  const auto before = static_cast<std::size_t>(0.9 * stop / h);
  const double t = static_cast<double>(before) * h;
  // The springs of rolling, as long as ρ allows, are stretched first: R times the angle ε m g/ρ.
  const double stretch = radius * epsilon * g / rho;
  EXPECT_NEAR(measured("deceleration over (5/7) g ρ/R", (speed - track.v[before].x()) / (-a * t)),
              1.0, 2 * lever_error + (stretch / h + t / h * left) / (-a * t));
  EXPECT_LT(measured("speed after the stop [m/s]", track.v.back().norm()), left);
  // As of the block that slides: half a step behind, one to stop in, and the springs.
  EXPECT_NEAR(measured("way [m]", track.x.back().x()), -0.5 * speed * speed / a,
              0.5 * h * speed + h * h * std::abs(a) + 2 * stretch);
}

// It rests where tan α < ρ/R, and rolls with (5/7) g (sin α − ρ/R cos α) where it is steeper.
TEST_P(Sphere, rests_on_an_incline_by_rolling_friction) {
  const double rho = 0.01, limit = std::atan(rho / radius), time = 10.0;
  const double left = solver_error(GetParam());
  const Track below = roll({.slope = 0.99 * limit, .contact = rough(0.5, rho)}, time, GetParam());
  const auto settled = below.x[300];
  // The springs pull back what the solver leaves, critically damped: a few steps of it remain.
  EXPECT_LT(measured("creep in 5 s [m]", (below.x.back() - settled).norm()),
            10 * step_of(GetParam()) * left);
  // What its springs give way by: rolling ε m g/ρ · R and sliding ε μ m g, and as much to settle.
  EXPECT_LT((below.x.back() - below.x.front()).norm(),
            2 * epsilon * g * (radius / rho + 0.5 + 1.0));
  const double slope = 1.5 * limit, v = analytic::rolling_acceleration(g, slope, rho / radius);
  const Track above = roll({.slope = slope, .contact = rough(0.5, rho)}, 1.0, GetParam());
  // Weight and rolling friction all but cancel: the levers are off by a part of each.
  const double sizes = 5.0 / 7.0 * g * (std::sin(slope) + rho / radius * std::cos(slope));
  EXPECT_NEAR(above.v.back().x(), v, 2 * lever_error * sizes + 60 * left);
}

// A ball that spins on the spot is stopped by the torque s N.
TEST_P(Sphere, is_stopped_by_spinning_friction) {
  const double left = solver_error(GetParam()), h = step_of(GetParam());
  const double s = 0.002, spin = 20.0, rate = analytic::spinning_deceleration(g, s, radius);
  const double stop = spin / rate;
  const Track track = roll({.angular_velocity = {0, 0, spin}, .contact = rough(0.3, 0.0, s)},
                           stop + 1.0, GetParam());
  const auto before = static_cast<std::size_t>(0.9 * stop / h);
  const double t = static_cast<double>(before) * h;
  // A torque s N as long as N is m g: what settles of the normal momentum, ε m g/h, apart.
  const double settles = 2.5 * s / (radius * radius) * epsilon * g / h;
  EXPECT_NEAR(measured("spin after 9/10 of the time", track.w[before].z()), spin - rate * t,
              settles + t / h * 2.5 * left / radius);
  EXPECT_LT(measured("spin after the stop [rad/s]", track.w.back().norm()), 2.5 * left / radius);
  EXPECT_LT((track.x.back() - track.x.front()).norm(), 2 * epsilon * g);
}

}  // namespace
}  // namespace ligament
