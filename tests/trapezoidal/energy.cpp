// SPDX-License-Identifier: Apache-2.0
// What one step does to the energy, and what becomes of springs that are stiffer and stiffer.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/contact_scenes.h"
#include "support/measured.h"
#include "support/random.h"
#include "trapezoidal/models.h"

namespace ligament::trapezoidal {
namespace {

// A pendulum of two links, the lower one soft, its bob on a rough wall, as in section 9 of the
// paper.
struct SoftPendulum {
  double gamma = 100.0, delta = 0.0, stretch = 0.0, friction = 0.3;
  double gravity = 9.8;
  Vec3 first{1.0, -1.0, 0}, second{0.0, -2.0, 0};
  Vec3 v1 = Vec3::Zero(), v2 = Vec3::Zero();
  bool rigid_link = false;
};

Model make_soft_pendulum(const SoftPendulum& o) {
  ModelBuilder b{{.gravity = {-o.gravity, 0, 0}}};
  const MaterialId rough = b.add_material({"rough", {.friction = o.friction}});
  const Relaxation rigid{.compliance = 0.0};
  const BodyId one = b.add_body({.name = "one",
                                 .kind = BodyKind::particle,
                                 .mass = {.mass = 1.0},
                                 .position = o.first,
                                 .velocity = o.v1});
  const BodyId two = b.add_body({.name = "two",
                                 .kind = BodyKind::particle,
                                 .mass = {.mass = 1.0},
                                 .position = o.second,
                                 .velocity = o.v2});
  b.add_joint(Distance{.b = one, .point_a = Vec3::Zero(), .relaxation = rigid});
  const double length = (o.second - o.first).norm() - o.stretch;
  if (o.rigid_link)
    b.add_joint(Distance{.a = one, .b = two, .length = length, .relaxation = rigid});
  else
    b.add_joint(
        Spring{.a = one, .b = two, .length = length, .stiffness = o.gamma, .damping = o.delta});
  b.add_shape({.name = "wall",
               .geometry = HalfSpaceShape{},
               .pose = {.p = {-0.1, 0, 0}, .R = Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitX())},
               .material = rough});
  b.add_shape({.name = "bob", .body = two, .geometry = SphereShape{0.1}, .material = rough});
  return std::move(b).build();
}

// Test 14. Theorem 9.1 without forces: a step of the trapezoidal rule with springs, dampers,
// joints, contact and friction does not add to ½ vᵀ M v + ½ γ s², where the new s is the linear one
// of the rows, s + h J w (of a nonlinear spring the true one differs by the curvature).
TEST(Energy, of_the_rows_never_grows_in_a_step) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  const auto random = [&] { return uniform(generator); };
  double worst = -1e300;
  int compared = 0;
  for (int i = 0; i < 10000 && compared < 3000; ++i) {
    const SoftPendulum o{.gamma = std::pow(10.0, 6.0 * random()),
                         .delta = std::pow(10.0, 4.0 * random() - 1.0),
                         .stretch = 0.4 * random() - 0.2,
                         .friction = random(),
                         .gravity = 0.0,
                         .first = {0.3 + random(), -1.0, 0},
                         .second = {0.0, -2.0 - random(), 0},
                         .v1 = Vec3(random() - 0.5, random() - 0.5, random() - 0.5),
                         .v2 = Vec3(0.0, random() - 0.5, random() - 0.5)};
    const Model model = make_soft_pendulum(o);
    State state = model.initial_state();
    Workspace work(model);
    Trapezoidal method = plain(std::pow(10.0, -3.0 * random()));
    method.stop_events = false;
    method.solver = Lemke{};  // exact to rounding, as the paper's
    ASSERT_TRUE(step(method, model, state, work).ok());
    if (work.trapezoidal.hit.size() > 0) continue;  // a collision divides the step
    int spring = -1;
    for (std::size_t r = 0; r < work.constraints.physics.size(); ++r)
      if (work.constraints.physics[r].elastic) spring = static_cast<int>(r);
    const double v0 = compute_energy(model, model.initial_state()).kinetic;
    const double v1 = compute_energy(model, state).kinetic;
    VecX speed(work.problem.rows());
    multiply(work.problem.G, work.solution.u, speed);
    const double s = o.stretch, s1 = s + method.h * speed(spring);
    const double before = v0 + 0.5 * o.gamma * s * s, after = v1 + 0.5 * o.gamma * s1 * s1;
    worst = std::max(worst, (after - before) / before);
    ++compared;
  }
  EXPECT_EQ(compared, 3000);
  EXPECT_LT(measured("largest growth", worst), 1e-10);
}

VecX velocity_after_a_step(const SoftPendulum& o) {
  const Model model = make_soft_pendulum(o);
  State state = model.initial_state();
  Workspace work(model);
  Trapezoidal method = plain(0.01);
  method.compliance_floor = 0.0;  // the stiffest spring here is below the floor
  method.stop_events = false;
  EXPECT_TRUE(step(method, model, state, work).ok());
  EXPECT_GT(work.solution.lambda(work.contacts.rows.at(0).normal_row), 0.0);
  return state.v;
}

// Test 15. Theorem 9.3: from s = 0, as the stiffness grows a step goes to that of a rigid link, at
// the rate 1/γ, and is as well conditioned as that.
TEST(StiffSprings, become_rigid_links) {
  // The truth has no wall contact of its own to wait for: gravity presses the bob on the wall.
  const VecX rigid = velocity_after_a_step({.rigid_link = true});
  std::vector<double> differences;
  for (const double gamma : {1e6, 1e8, 1e10})
    differences.push_back(
        measured("difference", (velocity_after_a_step({.gamma = gamma}) - rigid).norm()));
  for (std::size_t i = 1; i < differences.size(); ++i)
    EXPECT_NEAR(differences[i - 1] / differences[i], 100.0, 5.0);
  EXPECT_LT(
      measured("difference at 1e18 N/m", (velocity_after_a_step({.gamma = 1e18}) - rigid).norm()),
      1e-9);
}

// A bar on a hinge with a bob at its end, on a spring of the given stiffness or a rigid link.
Model make_bar_and_bob(double stiffness) {
  ModelBuilder b{{.gravity = {0, 0, -9.8}}};
  const BodyId bar = b.add_body(
      {.name = "bar", .mass = box_of_mass({0.5, 0.05, 0.05}, 1.0), .position = {0.5, 0, 0}});
  const BodyId bob = b.add_body(
      {.name = "bob", .kind = BodyKind::particle, .mass = {.mass = 1.0}, .position = {1.5, 0, 0}});
  const Vec3 end(1, 0, 0), at(1.5, 0, 0);
  b.add_joint(Hinge{.b = bar, .axis = Vec3::UnitY()});
  if (stiffness > 0.0)
    b.add_joint(Spring{.a = bar, .b = bob, .point_a = end, .point_b = at, .stiffness = stiffness});
  else
    b.add_joint(Distance{.a = bar, .b = bob, .point_a = end, .point_b = at});
  return std::move(b).build();
}

struct Swing {
  double gained = 0.0;  // [J] most energy above that of the start
  VecX early;           // pose at 1 s
};

Swing swing_for_20_seconds(double stiffness) {
  const Model model = make_bar_and_bob(stiffness);
  State state = model.initial_state();
  const double start = compute_energy(model, state).total();
  Swing out;
  const auto watch = [&](const Sample& sample) {
    out.gained = std::max(out.gained, sample.energy.total() - start);
    if (sample.step == 100) out.early = sample.state.q;
  };
  const RunReport report =
      run(model, Trapezoidal{.h = 0.01}, state, {.t_end = 20.0, .observers = {watch}});
  EXPECT_EQ(report.status, RunStatus::completed) << report.full();
  EXPECT_LT(report.residual_max, 1e-6);
  return out;
}

// A spring of 1e12 N/m in a moving machine costs no stability at h = 0.01, where it would oscillate
// 1600 times a step: it is a rigid link, n = 2.5e7 · 1/m of them, projected as one [TR.12]. What is
// left of a deviation after a step is 1/n of it, so the motions differ by some 1e-8 of the O(h³)
// that a step adds, 1e-3 m at most, times e^(λ t) of the double pendulum, λ ≈ 5/s, at 1 s.
//
// The energy of the link itself is off by O(h²): by the part (h ω)²/8 of what is in the motion,
// ω ≤ 5 rad/s and 40 J. It does not add up over 20 s, and the spring stores F²/(2 γ) ≈ 1e-8 J.
TEST(StiffSprings, of_1e12_newton_a_metre_cost_no_stability) {
  const Swing rigid = swing_for_20_seconds(0.0), stiff = swing_for_20_seconds(1e12);
  EXPECT_LT(measured("apart at 1 s", (stiff.early - rigid.early).norm()), 1e-8);
  EXPECT_LT(measured("gained by the link", rigid.gained), 0.05 * 0.05 / 8.0 * 40.0);
  EXPECT_LT(measured("gained by the spring", stiff.gained), 0.05 * 0.05 / 8.0 * 40.0);
}

// A damper that the step does not resolve, n = h δ/2 = 25, lets a load creep at F/δ, and a spring
// holds it at F/γ: what is projected goes to the mean of the step, and not to zero.       [TR.12]
TEST(StiffSprings, carry_steady_loads_where_they_must) {
  for (const bool damper : {true, false}) {
    ModelBuilder b{{.gravity = {-10.0, 0, 0}}};
    const BodyId bob = b.add_body({.name = "bob",
                                   .kind = BodyKind::particle,
                                   .mass = {.mass = 1.0},
                                   .position = {1.0, 0, 0}});
    const double gamma = damper ? 0.0 : 1e6, delta = damper ? 5e3 : 10.0;
    b.add_joint(Spring{
        .b = bob, .point_a = Vec3::Zero(), .length = 1.0, .stiffness = gamma, .damping = delta});
    const Model model = std::move(b).build();
    State state = model.initial_state();
    run(model, Trapezoidal{.h = 0.01}, state, {.t_end = 1.0});
    // Another second, when the start is forgotten: by |1 − n|/(1 + n)/n ≈ 1/n in each step.
    const double before = compute_pose(model, state, bob).p.x();
    run(model, Trapezoidal{.h = 0.01}, state, {.t_end = 1.0});
    const double after = compute_pose(model, state, bob).p.x();
    if (damper)
      EXPECT_NEAR(measured("creep", after - before), -10.0 / delta, 1e-9);
    else
      EXPECT_NEAR(measured("stretch", after - 1.0), -10.0 / gamma, 1e-12);
  }
}

// Test 17: a block slides down an incline of 20° with μ = 0.5 from 1 m/s and stops after
// v²/(2 g (μ cos − sin)), and stays there.
TEST(Incline, block_stops_where_it_must_and_does_not_creep) {
  const double slope = 20.0 * std::numbers::pi / 180.0;
  const Model model = scenes::make_block_on_incline(
      {.slope = slope, .gravity = 9.8, .contact = scenes::surface(0.5)});
  const Vec3 down = scenes::axes_of({.slope = slope}) * Vec3::UnitX();
  State state = model.initial_state();
  const BodyId block = *model.find_body("block");
  set_velocity(model, block, down, Vec3::Zero(), state);
  const Vec3 start = compute_pose(model, state, block).p;
  const auto travelled = [&] { return down.dot(compute_pose(model, state, block).p - start); };
  Workspace work(model);
  // Lemke ends by itself, so that contacts need no softness: the scheme to rounding. The end of
  // sliding is found to 1e-13 of the speed.
  const Trapezoidal method{.h = 0.01, .solver = Lemke{}};
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(step(method, model, state, work).ok());
  const double stop = travelled();
  const double exact = 1.0 / (2.0 * 9.8 * (0.5 * std::cos(slope) - std::sin(slope)));
  EXPECT_NEAR(exact, 0.399138997, 5e-10);
  EXPECT_NEAR(measured("stop off by", stop - exact), 0.0, 1e-12);
  for (int i = 0; i < 400; ++i) ASSERT_TRUE(step(method, model, state, work).ok());
  EXPECT_NEAR(measured("creep", travelled() - stop), 0.0, 1e-10);
}

}  // namespace
}  // namespace ligament::trapezoidal
