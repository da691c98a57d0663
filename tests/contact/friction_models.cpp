// SPDX-License-Identifier: Apache-2.0
// Coulomb's law, the associated cone and the disc, told apart: A7, A8 and A9 of the acceptance
// table. The cone lifts what slides, w_n = μ ‖w_t‖: by h μ v where sliding sets in gradually, and
// by a hop that does not vanish with h where it is sudden.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "analytic/dry_friction.h"
#include "support/contact_scenes.h"
#include "support/measured.h"
#include "support/methods.h"

namespace ligament {
namespace {

constexpr double radius = 0.1;

struct PointMassOptions {
  double slope = 0.0, gravity = 9.81;
  Vec3 velocity = Vec3::Zero();  // in the axes of the plane
  double mu = 0.5, compliance = 1e-8;
};

// A particle with a sphere around it: it has no spin, so that friction only brakes it.
Model make_point_mass(const PointMassOptions& options) {
  ModelBuilder b{{.gravity = {0, 0, -options.gravity}}};
  const MaterialId material =
      b.add_material({"stuff", scenes::half_of(scenes::surface(options.mu, options.compliance))});
  const Quat axes = scenes::turn(options.slope, Vec3::UnitY());
  scenes::add_incline(b, axes, material);
  const BodyId body = b.add_body({.name = "point",
                                  .kind = BodyKind::particle,
                                  .mass = {.mass = 1.0},
                                  .position = axes * Vec3(0, 0, radius),
                                  .velocity = axes * options.velocity});
  b.add_shape(
      {.name = "point", .body = body, .geometry = SphereShape{radius}, .material = material});
  return std::move(b).build();
}

struct Motion {
  Vec3 x, v;           // in the axes of the plane, x from the start
  double hop = -1e30;  // [m] highest x_z
};

Motion move(const PointMassOptions& options, const Method& method, long steps) {
  const Model model = make_point_mass(options);
  const BodyId point = *model.find_body("point");
  const Quat to_plane = scenes::turn(-options.slope, Vec3::UnitY());
  Motion motion;
  const Observer look = [&](const Sample& sample) {
    motion.x = to_plane * compute_pose(model, sample.state, point).p - radius * Vec3::UnitZ();
    motion.v = to_plane * velocity_of(model, sample.state, point);
    motion.hop = std::max(motion.hop, motion.x.z());
  };
  State state = model.initial_state();
  expect_clean(run(model, method.stepper, state, {.steps = steps, .observers = {look}}), method);
  return motion;
}

// Both steppers and that of 2011, each with a law of friction, at the step of the table.
std::vector<Method> methods_with(FrictionLaw friction) {
  std::vector<Method> methods;
  for (const Method& method : both_methods())
    methods.push_back(with_contacts(with_step(method, 0.01), {.friction = friction}));
  methods.push_back({"regularized_vi",
                     RegularizedVi{.h = 0.01,
                                   .solver = solver_of(methods.front().stepper),
                                   .contacts = {.friction = friction, .anchored = false}},
                     methods.front().error});
  return methods;
}

// ---- A7: a point mass hits the floor at an angle, v = (2, −1) ----

// Coulomb: λ_n = m v_n, and μ of it brakes. Compliance 1e-12 m/N: 1e-8 of the mobility.
TEST(ObliqueImpact, brakes_by_mu_times_the_normal_speed) {
  for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::disc})
    for (const Method& method : methods_with(law))
      for (const double mu : {0.2, 0.5, 1.0}) {
        const Motion motion = move(
            {.gravity = 0.0, .velocity = {2, 0, -1}, .mu = mu, .compliance = 1e-12}, method, 1);
        EXPECT_NEAR(motion.v.x(), 2.0 - mu, 1e-4) << name_of(law) << ", " << method.name;
        EXPECT_NEAR(motion.v.z(), 0.0, 1e-4) << name_of(law) << ", " << method.name;
        EXPECT_EQ(motion.v.y(), 0.0);
      }
}

// Cone: v_t' = (v_t − μ v_n)/(1 + μ²), v_n' = μ v_t'.
TEST(ObliqueImpact, is_thrown_up_by_the_cone) {
  for (const Method& method : methods_with(FrictionLaw::cone))
    for (const double mu : {0.2, 0.5, 1.0}) {
      const Motion motion =
          move({.gravity = 0.0, .velocity = {2, 0, -1}, .mu = mu, .compliance = 1e-12}, method, 1);
      const double v_t = (2.0 - mu) / (1.0 + mu * mu);
      EXPECT_NEAR(motion.v.x(), v_t, 1e-4) << method.name;
      EXPECT_NEAR(motion.v.z(), mu * v_t, 1e-4) << method.name;
    }
}

// What box friction does is not Coulomb's law where the slip is not along a tangent: up to √2 μ,
// and not against it. The report of the step says so, and of the other laws, that they keep it.
TEST(ObliqueImpact, says_how_far_it_is_off_coulombs_law) {
  const auto worst_of = [](FrictionLaw law) {
    double worst = 0.0;
    for (const double angle : {0.1, 0.5, 0.9}) {
      const Model model = make_point_mass(
          {.gravity = 0.0, .velocity = {2 * std::cos(angle), 2 * std::sin(angle), -1}});
      State state = model.initial_state();
      Workspace work(model);
      const StepReport report =
          step(Spook{.h = 0.01, .contacts = {.friction = law}}, model, state, work);
      EXPECT_TRUE(report.ok());
      worst = std::max(worst, report.friction_error);
    }
    return worst;
  };
  // The bound μ is one half, and the corner of its box √2/2, 45° from each side.
  EXPECT_GT(measured("box: off by [m/s]", worst_of(FrictionLaw::box)), 0.1);
  EXPECT_GT(measured("cone: off by [m/s]", worst_of(FrictionLaw::cone)), 0.1);
  for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::disc})
    EXPECT_LT(measured(std::string(name_of(law)) + ": off by [m/s]", worst_of(law)), 1e-9);
}

// ---- A8: down an incline of 35° from rest ----

TEST(Incline35, coulomb_is_exact_and_stays_down) {
  const double slope = 35.0 * std::acos(-1.0) / 180,
               v = analytic::sliding_acceleration(9.81, slope, 0.5);
  for (const Method& method : methods_with(FrictionLaw::coulomb)) {
    const Motion motion = move({.slope = slope}, method, 100);
    EXPECT_NEAR(measured("speed error [m/s]", motion.v.x() - v), 0.0, 1e-9);
    EXPECT_LE(motion.hop, 0.0);
  }
}

// The cone hovers at h μ v. Its normal momentum m μ h a is paid by friction: slower by μ² h.
TEST(Incline35, the_cone_hovers) {
  const double slope = 35.0 * std::acos(-1.0) / 180,
               v = analytic::sliding_acceleration(9.81, slope, 0.5);
  for (const Method& method : methods_with(FrictionLaw::cone))
    for (const double h : {0.01, 0.005, 0.0025}) {
      const long steps = std::lround(1.0 / h);
      const Motion motion = move({.slope = slope}, with_step(method, h), steps);
      EXPECT_NEAR(measured("hover over h μ v", motion.x.z() / (h * 0.5 * motion.v.x())), 1.0, 0.01);
      EXPECT_NEAR(measured("speed error over μ² h", (motion.v.x() / v - 1) / (0.25 * h)), -1.0,
                  0.01);
    }
}

// ---- A9: thrown along the floor at 3 m/s ----

// x = Σ h v stops half a step behind v²/(2 μ g), to h² of the last step.
TEST(ThrownBlock, stays_on_the_floor_by_coulomb) {
  const double stop = 3.0 * 3.0 / (2 * 0.5 * 9.81);
  for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::disc})
    for (const Method& method : methods_with(law)) {
      const double h = step_of(method);
      const Motion motion = move({.velocity = {3, 0, 0}}, method, 100);
      EXPECT_LE(measured("A9 hop [m]", motion.hop), 1e-6) << method.name;
      EXPECT_NEAR(measured("way [m]", motion.x.x()), stop - 0.5 * h * 3.0, h * h * 0.5 * 9.81)
          << method.name;
    }
}

TEST(ThrownBlock, hops_by_the_cone_at_any_step) {
  for (const Method& method : methods_with(FrictionLaw::cone))
    for (const double h : {0.01, 0.005, 0.0025}) {
      const Motion motion = move({.velocity = {3, 0, 0}}, with_step(method, h), std::lround(1 / h));
      EXPECT_GT(measured("A9 hop of the cone [m]", motion.hop), 0.06) << method.name;
      EXPECT_LT(motion.hop, 0.09) << method.name;
    }
}

}  // namespace
}  // namespace ligament
