// SPDX-License-Identifier: Apache-2.0
// Table 10.1 of the 2004 paper: a double pendulum that hits a wall five times. Truth is an
// event-driven solution in angles of high order, made independently of this code; the discrete
// numbers are those of a prototype of the same scheme.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/measured.h"
#include "trapezoidal/models.h"

namespace ligament::trapezoidal {
namespace {

using Vec4 = Eigen::Vector4d;

const Vec4 exact_end(0.021962117695, -0.999758803605, 0.023769486774, -1.999757170312);

struct Hit {
  double t, before, after, energy;
};
// Golden impacts: time, normal speeds, energy after.
constexpr std::array<Hit, 5> golden{{{0.545508051, -1.984493531, 0.198449353, -20.37779008},
                                     {0.707932700, -4.013683456, 0.401368346, -28.49305492},
                                     {1.284726646, -0.679614454, 0.067961445, -28.74845955},
                                     {2.097739455, -0.489951770, 0.048995177, -28.86742831},
                                     {2.131640284, -1.030536788, 0.103053679, -29.39312305}}};

struct Outcome {
  Vec4 q, v;
  std::vector<ImpactRecord> impacts;
  long solves = 0, steps = 0;
  double energy_error = 0.0;  // largest change between impacts [J]
  double g1 = 0.0, g2 = 0.0;

  double error() const { return (q - exact_end).norm(); }
};

Vec4 places(const Model& model, const State& state) {
  const Vec3 one = compute_pose(model, state, {1}).p, two = compute_pose(model, state, {2}).p;
  return {one.x(), one.y(), two.x(), two.y()};
}
Vec4 velocities(const State& state) { return {state.v(0), state.v(1), state.v(3), state.v(4)}; }

Outcome swing(const Trapezoidal& method) {
  const Model model = make_double_pendulum();
  Outcome out;
  State state = model.initial_state();
  double energy = compute_energy(model, state).total();
  const auto watch = [&](const Sample& sample) {
    if (!sample.report) return;
    ++out.steps;
    out.solves += sample.report->solves;
    const auto& impacts = sample.work.trapezoidal.impacts;
    out.impacts.insert(out.impacts.end(), impacts.begin(), impacts.end());
    if (!impacts.empty()) energy = impacts.back().energy_after;
    out.energy_error = std::max(out.energy_error, std::abs(sample.energy.total() - energy));
  };
  const RunReport report = run(model, method, state, {.t_end = 2.5, .observers = {watch}});
  EXPECT_EQ(report.status, RunStatus::completed) << report.full();
  out.q = places(model, state);
  out.v = velocities(state);
  out.g1 = out.q.head<2>().squaredNorm() - 1.0;
  out.g2 = (out.q.tail<2>() - out.q.head<2>()).squaredNorm() - 1.0;
  return out;
}

// Velocity and bob before an impact, by this test's own account of the links.
struct Approach {
  Vec4 q, v;
  // The part of the velocity that the links allow: v − Gᵀ (G Gᵀ)⁻¹ G v, masses of 1 kg.
  Vec4 allowed() const {
    Eigen::Matrix<double, 2, 4> G;
    const Eigen::Vector2d one = q.head<2>(), link = q.tail<2>() - one;
    G << one.transpose(), 0, 0, -link.transpose(), link.transpose();
    return v - G.transpose() * (G * G.transpose()).inverse() * (G * v);
  }
};

// The state at time t within the step from `start`, as both variants have it: without the wall.
Approach approach(const State& start, const Trapezoidal& method, double t) {
  const Model free = make_double_pendulum({.wall = false});
  Workspace work(free);
  State end = start;
  end.contacts.clear();
  Trapezoidal part = method;
  const double sigma = (t - start.t) / method.h;
  if (method.collision_time == CollisionTime::resolve) part.h = t - start.t;
  EXPECT_TRUE(step(part, free, end, work).ok());
  if (method.collision_time == CollisionTime::resolve) return {places(free, end), velocities(end)};
  const Vec4 v = velocities(start), v1 = velocities(end), w = 0.5 * (v + v1);
  return {places(free, start) + sigma * method.h * ((1.0 - sigma) * v + sigma * w),
          (1.0 - sigma) * v + sigma * v1};
}

// Test 4: v_n⁺ = −e v_n⁻ to 1e-10. At θ = ½ the speeds of the links ring with O(h²), 0.088 at
// h = 2⁻⁵ (section 6 of the method), and an impact takes that out: v_n⁻ is the normal speed of the
// velocity that the links allow. Returns how many impacts were looked at: the first of each step.
int check_restitution(const Trapezoidal& method) {
  const Model model = make_double_pendulum();
  Workspace work(model);
  State state = model.initial_state();
  int checked = 0;
  while (state.t < 2.5 - 1e-9) {
    const State start = state;
    EXPECT_TRUE(step(method, model, state, work).ok());
    if (work.trapezoidal.impacts.empty()) continue;
    const ImpactRecord& hit = work.trapezoidal.impacts.front();
    const Approach before = approach(start, method, hit.t);
    const int x = model.shape(hit.key.b).body == BodyId{1} ? 0 : 2;
    EXPECT_NEAR(hit.speed_before, before.v(x), 1e-10);
    EXPECT_NEAR(measured("off by", hit.speed_after + 0.1 * before.allowed()(x)), 0.0, 1e-10);
    ++checked;
  }
  return checked;
}

Trapezoidal variant_h(double h) {
  Trapezoidal method = plain(h);
  method.collision_time = CollisionTime::hermite;
  return method;
}

// Tests 1, 3, 4, 5, 7.
TEST(DoublePendulum, table_10_1_of_the_paper) {
  constexpr std::array errors{2.3822e-3, 6.1373e-4, 1.5445e-4, 3.9452e-5,
                              1.0066e-5, 2.4159e-6, 6.1574e-7};
  constexpr std::array g1{1.267e-3, 3.138e-4, 7.822e-5, 1.954e-5, 4.883e-6, 1.221e-6, 3.049e-7};
  constexpr std::array g2{3.183e-3, 8.285e-4, 2.137e-4, 5.476e-5, 1.371e-5, 3.438e-6, 8.600e-7};
  std::vector<double> found;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double h = std::exp2(-5.0 - static_cast<double>(i));
    const Outcome out = swing(variant_h(h));
    found.push_back(out.error());
    EXPECT_NEAR(measured("E_h", out.error()) / errors[i], 1.0, 1e-2) << h;
    EXPECT_NEAR(measured("g1", out.g1) / g1[i], 1.0, 1e-2) << h;
    EXPECT_NEAR(measured("g2", out.g2) / g2[i], 1.0, 1e-2) << h;
    ASSERT_EQ(out.impacts.size(), 5U);
    EXPECT_EQ(out.solves, out.steps + 15);
    EXPECT_LT(measured("energy between impacts", out.energy_error), 1e-11);
    if (i == 3) {
      for (std::size_t k = 0; k < 5; ++k)
        EXPECT_NEAR(measured("time of impact", out.impacts[k].t), golden[k].t, 1e-4);
    }
    if (i == 6) {  // the law of drift, section 6 of the method
      EXPECT_NEAR(out.g1 / (h * h), 1.279, 0.013);
      EXPECT_NEAR(out.g2 / (h * h), 3.607, 0.036);
    }
  }
  for (std::size_t i = 1; i < found.size(); ++i) {
    EXPECT_GT(found[i - 1] / found[i], 3.7);
    EXPECT_LT(found[i - 1] / found[i], 4.3);
  }
  EXPECT_NEAR(measured("slope", mean_slope(found)), 2.0, 0.05);
}

// Test 4. At 2⁻⁵ two of the five impacts may be in one step.
TEST(DoublePendulum, gives_back_a_tenth_of_the_speed_that_its_links_allow) {
  for (const int power : {5, 7, 9}) {
    EXPECT_GE(check_restitution(variant_h(std::exp2(-power))), power == 5 ? 4 : 5);
    EXPECT_GE(check_restitution(plain(std::exp2(-power))), power == 5 ? 4 : 5);
  }
}

// Test 2.
TEST(DoublePendulum, ends_where_the_prototype_of_the_scheme_ends) {
  const std::array<Vec4, 4> ends{Vec4(0.0216107695, -1.0004001198, 0.0233708836, -2.0019890455),
                                 Vec4(0.0218708652, -0.9999177227, 0.0236487014, -2.0003303099),
                                 Vec4(0.0219400092, -0.9997984078, 0.0237507634, -1.9999036166),
                                 Vec4(0.0219574405, -0.9997686764, 0.0237624840, -1.9997944277)};
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const Outcome out = swing(variant_h(std::exp2(-5.0 - static_cast<double>(i))));
    EXPECT_LT(measured("off by", (out.q - ends[i]).lpNorm<Eigen::Infinity>()), 1e-8);
  }
}

// Test 6.
TEST(DoublePendulum, is_of_second_order_in_velocities_too_when_collisions_are_solved_for) {
  constexpr std::array errors{2.477e-3, 6.351e-4, 1.569e-4, 3.872e-5, 9.702e-6, 2.420e-6, 6.057e-7};
  const Outcome fine = swing(plain(std::exp2(-15.0)));
  std::vector<double> q, v;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const Outcome out = swing(plain(std::exp2(-5.0 - static_cast<double>(i))));
    q.push_back(out.error());
    v.push_back((out.v - fine.v).norm());
    EXPECT_NEAR(measured("E_h", out.error()) / errors[i], 1.0, 1e-2);
  }
  for (std::size_t i = 1; i < q.size(); ++i) {
    EXPECT_GT(q[i - 1] / q[i], 3.8);
    EXPECT_LT(q[i - 1] / q[i], 4.2);
    EXPECT_GT(measured("ratio of v", v[i - 1] / v[i]), 3.6);
    EXPECT_LT(v[i - 1] / v[i], 4.3);
  }
  for (std::size_t k = 0; k < 5; ++k) {
    // Errors of 1e-5 h² and the speeds' own: far below.
    EXPECT_NEAR(fine.impacts[k].t, golden[k].t, 1e-8);
    EXPECT_NEAR(fine.impacts[k].speed_before, golden[k].before, 1e-7);
    EXPECT_NEAR(fine.impacts[k].speed_after, golden[k].after, 1e-7);
    EXPECT_NEAR(fine.impacts[k].energy_after, golden[k].energy, 1e-6);
    EXPECT_NEAR(fine.impacts[k].speed_after, -0.1 * fine.impacts[k].speed_before, 1e-9);
  }
}

// Test 8.
TEST(DoublePendulum, drift_control_takes_the_errors_of_the_links_away) {
  Trapezoidal stabilized = variant_h(std::exp2(-5.0));
  stabilized.drift = DriftControl::stabilize;
  const Outcome softly = swing(stabilized);
  EXPECT_LT(measured("E_h stabilized", softly.error()), 8e-4);
  EXPECT_LT(measured("g1", std::abs(softly.g1)), 2e-6);
  EXPECT_LT(measured("g2", std::abs(softly.g2)), 2e-6);
  Trapezoidal projected = stabilized;
  projected.drift = DriftControl::project;
  const Outcome exactly = swing(projected);
  EXPECT_LT(measured("E_h projected", exactly.error()), 8e-4);
  EXPECT_LT(measured("g1", std::abs(exactly.g1)), 1e-13);
  EXPECT_LT(measured("g2", std::abs(exactly.g2)), 1e-13);
}

}  // namespace
}  // namespace ligament::trapezoidal
