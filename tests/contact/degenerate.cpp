// SPDX-License-Identifier: Apache-2.0
// Input that no machine is built for: bodies inside each other, at the same place, at 1e6 m/s, with
// no friction or with a million of it, pinched where there is no room. Whatever the stepper and the
// solver: the run comes to its end in bounded work, every number is finite, nothing leaves faster
// than it came or was pushed out, and the report names those who are to blame.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "support/contact_scenes.h"
#include "support/measured.h"
#include "support/methods.h"

namespace ligament {
namespace {

constexpr double g = 9.81, h = 1.0 / 60, time_shown = 2.0;

// ---- Scenes ----

struct Scene {
  std::string name;
  std::function<Model()> make;
  std::vector<std::string> culprits{};  // names that the warnings must have
  // [m/s] A bound on the speed of everything: what it starts with, what an overlap is pushed out
  // with in one step, and the fall.
  double fastest = 0.0;
  // Nothing is wrong with it: where the solver converges there is nothing to warn of, and what
  // stands moves no faster than this [m/s].
  std::optional<double> fine{};
};

class Stage {
 public:
  explicit Stage(double gravity = g, Material together = scenes::surface(0.5))
      : b_{{.gravity = {0, 0, -gravity}}},
        material_(b_.add_material({"stuff", scenes::half_of(together)})) {}

  Stage& floor() { return wall("floor", {0, 0, 0}, Quat::Identity()); }
  Stage& wall(const std::string& name, const Vec3& at, const Quat& normal) {
    b_.add_shape({.name = name,
                  .geometry = HalfSpaceShape{},
                  .pose = {.p = at, .R = normal},
                  .material = material_});
    return *this;
  }
  Stage& body(BodySpec spec, const Geometry& geometry, double mass = 1.0) {
    spec.mass = box_of_mass(Vec3::Constant(0.1), mass);
    const std::string name = spec.name;
    const BodyId id = b_.add_body(std::move(spec));
    b_.add_shape({.name = name, .body = id, .geometry = geometry, .material = material_});
    return *this;
  }
  Stage& prescribed(const std::string& name, PoseFunction motion, const Geometry& geometry) {
    const BodyId id =
        b_.add_body({.name = name, .kind = BodyKind::fixed, .motion = std::move(motion)});
    b_.add_shape({.name = name, .body = id, .geometry = geometry, .material = material_});
    return *this;
  }
  Model build() { return std::move(b_).build(); }

 private:
  ModelBuilder b_;
  MaterialId material_;
};

const Geometry ball = SphereShape{0.1}, cube = BoxShape{Vec3::Constant(0.1)},
               capsule = CapsuleShape{.radius = 0.1, .half_length = 0.1},
               drum = CylinderShape{.radius = 0.1, .half_length = 0.1};

// Two bodies with a distance between their centres, over the floor. They push each other out by at
// most their own size in a step.
Scene overlapping(const std::string& what, const Geometry& one, const Geometry& other,
                  const Vec3& apart) {
  return {what,
          [=] {
            return Stage()
                .floor()
                .body({.name = "one", .position = {0, 0, 0.3}}, one)
                .body({.name = "other", .position = Vec3(0, 0, 0.3) + apart}, other)
                .build();
          },
          {"\"one\"", "\"other\""},
          0.4 / h + g * time_shown};
}

Scene fast(const std::string& what, const Geometry& geometry, const Vec3& velocity,
           const Vec3& spin) {
  return {what,
          [=] {
            return Stage()
                .floor()
                .body({.name = "target", .position = {0, 0, 0.1}}, cube)
                .body({.name = "bullet",
                       .position = {0, 0, 0.5},
                       .velocity = velocity,
                       .angular_velocity = spin},
                      geometry)
                .build();
          },
          {"\"bullet\""},
          // A body of the same mass that is hit at its rim, as far from its centre as it is thick,
          // turns: corners may be faster than what hit them, by no more than their levers say.
          4.0 * (velocity.norm() + spin.norm() * 0.2) + g * time_shown};
}

// A ball or box of 0.1 m between two walls that are 1 mm too close.
Scene pinched(const std::string& what, const Geometry& geometry, double gravity) {
  return {what,
          [=] {
            const double top = 0.2 - 1e-3;
            return Stage(gravity)
                .floor()
                .wall("ceiling", {0, 0, top}, scenes::turn(std::acos(-1.0), Vec3::UnitX()))
                .body({.name = "victim", .position = {0, 0, 0.5 * top}}, geometry)
                .build();
          },
          {"\"victim\""},
          1e-3 / h + g * time_shown};
}

// Two blocks that are moved towards each other until there is no room for the box between them.
Scene crushed() {
  return {"crushed between moving blocks",
          [] {
            const auto jaw = [](double side) {
              return [side](double t) {
                return Frame{.p = {side * (0.25 - 0.1 * std::min(t, 1.0)), 0, 0.1}};
              };
            };
            return Stage()
                .floor()
                .prescribed("left jaw", jaw(-1.0), cube)
                .prescribed("right jaw", jaw(1.0), cube)
                .body({.name = "victim", .position = {0, 0, 0.1}}, cube)
                .build();
          },
          {"\"victim\"", "jaw\""},
          0.2 / h + g * time_shown};
}

Scene on_incline(const std::string& what, double slope, double mu) {
  return {what,
          [=] {
            return scenes::make_block_on_incline(
                {.slope = slope, .azimuth = 0.3, .heading = 0.2, .contact = scenes::surface(mu)});
          },
          {},
          g * time_shown};
}

// Two cubes of 1 kg that just touch sink in by ε times the load on each of four corners, at most
// all of it in one step.
constexpr double settling = 1e-8 * (2 + 1) * g / 4 / h;

std::vector<Scene> all_scenes() {
  const Vec3 nowhere = Vec3::Zero(), tenth(0.02, 0, 0), askew(0.005, 0.01, 0.015);
  return {
      overlapping("balls in the same place", ball, ball, nowhere),
      overlapping("boxes in the same place", cube, cube, nowhere),
      overlapping("capsules in the same place", capsule, capsule, nowhere),
      overlapping("cylinders in the same place", drum, drum, nowhere),
      overlapping("ball in the centre of a box", ball, cube, nowhere),
      overlapping("balls nine tenths inside each other", ball, ball, tenth),
      overlapping("boxes nine tenths inside each other", cube, cube, tenth),
      overlapping("boxes inside each other, askew", cube, cube, askew),
      overlapping("capsules nine tenths inside each other", capsule, capsule, tenth),
      {"box exactly on box",
       [] {
         return Stage()
             .floor()
             .body({.name = "lower", .position = {0, 0, 0.1}}, cube)
             .body({.name = "upper", .position = {0, 0, 0.3}}, cube)
             .build();
       },
       {},
       g * time_shown,
       settling},
      fast("ball at 1e6 m/s onto a box", ball, {0, 0, -1e6}, nowhere),
      fast("box at 1e6 m/s onto a box, askew", cube, {1e5, 2e5, -1e6}, {3, 4, 5}),
      fast("ball that spins at 1e6 rad/s", ball, {0, 0, -1}, {0, 1e6, 0}),
      pinched("ball between two walls", ball, g),
      pinched("ball between two walls, without weight", ball, 0.0),
      pinched("box between two walls", cube, g),
      crushed(),
      on_incline("no friction", 0.3, 0.0),
      on_incline("a million of friction", 1.0, 1e6),
  };
}

// ---- Methods ----

std::vector<Method> all_ways() {
  const struct {
    std::string name;
    Solver solver;
    bool bounds_only = false;  // takes no cones: friction as a box
    double error = 1e-10;
  } solvers[] = {{"automatic", Automatic{}},
                 {"newton", Newton{}},
                 {"interior_point", InteriorPoint{}},
                 {"block_pivot", BlockPivot{}, true},
                 {"gauss_seidel", GaussSeidel{}, false, 1e-6},
                 {"accelerated_gradient", AcceleratedGradient{}, false, 1e-6}};
  std::vector<Method> ways;
  for (const auto& s : solvers) {
    const auto add = [&](const std::string& name, auto stepper) {
      if (s.bounds_only) stepper.contacts.friction = FrictionLaw::box;
      ways.push_back({name + "_" + s.name, stepper, s.error});
    };
    add("spook", Spook{.h = h, .solver = s.solver});
    add("relaxed", Relaxed{.h = h, .solver = s.solver});
    add("regularized_vi", RegularizedVi{.h = h, .solver = s.solver});
  }
  return ways;
}

class Degenerate : public ::testing::TestWithParam<Method> {};

INSTANTIATE_TEST_SUITE_P(, Degenerate, ::testing::ValuesIn(all_ways()), name_of_method);

std::string all_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// Multiply-adds that a step of two bodies may take: all that its solver is allowed, 20000 sweeps
// over some tens of contact points of some hundred each.
constexpr double most_work = 1e9;

TEST_P(Degenerate, input_ends_in_finite_numbers_and_a_warning_with_names) {
  for (const Scene& scene : all_scenes()) {
    SCOPED_TRACE(scene.name);
    const Model model = scene.make();
    State state = model.initial_state();
    double fastest = 0.0, work = 0.0;
    const Observer look = [&](const Sample& sample) {
      for (const Body& body : model.bodies())
        if (body.v_offset >= 0)
          fastest = std::max(fastest, sample.state.v.segment<3>(body.v_offset).norm());
      if (sample.report) work = std::max(work, sample.report->solve.work);
    };
    const RunReport report =
        run(model, GetParam().stepper, state, {.t_end = time_shown, .observers = {look}});
    EXPECT_EQ(report.status, RunStatus::completed) << report.failure;
    EXPECT_EQ(report.steps, report.steps_asked);
    EXPECT_TRUE(state.q.allFinite() && state.v.allFinite() && state.p.allFinite());
    EXPECT_LE(fastest, scene.fastest) << report.full();
    EXPECT_LT(work, most_work);
    const std::string warnings = all_of(report.warnings);
    for (const std::string& culprit : scene.culprits)
      EXPECT_THAT(warnings, ::testing::HasSubstr(culprit));
    if (scene.fine && GetParam().error < 1e-9) {
      EXPECT_EQ(warnings, "");
      EXPECT_LE(fastest, *scene.fine);
    }
  }
}

// On an incline without friction a block slides as on ice; with a million of it, it sticks: what it
// moves is what its corners give way by, ε m g. The bound of the velocities' error takes the slip
// times μ, so that rounding of 1e-17 m/s reads 1e-7: solvers may say that they did not reach their
// tolerance, and of whom they speak.
TEST_P(Degenerate, friction_slides_at_zero_and_sticks_at_a_million) {
  // The error of a step is a part of what its contacts hold, g h; at worst those of all steps add
  // up.
  const double speed_error = GetParam().error * g * 1.0, way_error = speed_error * h;
  const double slope = 0.9;
  for (const double mu : {0.0, 1e6}) {
    const Model model =
        scenes::make_block_on_incline({.slope = slope, .contact = scenes::surface(mu)});
    State state = model.initial_state();
    const RunReport report = run(model, GetParam().stepper, state, {.t_end = 1.0});
    ASSERT_EQ(report.status, RunStatus::completed) << report.failure;
    const BodyId block = *model.find_body("block");
    const double speed = velocity_of(model, state, block).norm();
    const Vec3 way =
        compute_pose(model, state, block).p - compute_pose(model, model.initial_state(), block).p;
    if (mu == 0.0) {
      EXPECT_NEAR(speed, g * std::sin(slope), 1e-8 + speed_error);
    } else {
      // By RegularizedVi friction is a brake: slip × force on each of four corners.
      const double slip = std::holds_alternative<RegularizedVi>(GetParam().stepper) ? 1e-8 : 0.0;
      EXPECT_LT(way.norm(), 1e-8 * g + 1.01 * slip * g / 4 * 1.0 + way_error);
    }
    for (const std::string& warning : report.warnings)
      EXPECT_THAT(warning, ::testing::HasSubstr("\"block\""));
  }
}

// ---- Who is to blame, and for what ----

std::string warnings_of(const Model& model, double time) {
  State state = model.initial_state();
  const RunReport report = run(model, Spook{.h = h}, state, {.t_end = time});
  EXPECT_EQ(report.status, RunStatus::completed) << report.failure;
  return all_of(report.warnings);
}

// What is pinched is held against what could press on it, and not against all that moves elsewhere.
TEST(Culprits, of_a_pinch_are_named_however_much_else_there_is) {
  const double top = 0.2 - 1e-3;
  Stage stage;
  stage.floor()
      .wall("ceiling", {0, 0, top}, scenes::turn(std::acos(-1.0), Vec3::UnitX()))
      .body({.name = "victim", .position = {0, 0, 0.5 * top}}, ball);
  for (int i = 0; i < 20; ++i)
    stage.body({.name = "heavy " + std::to_string(i), .position = {1.0 + i, 0, 0.09}},
               SphereShape{0.09}, 1e4);
  const std::string warnings = warnings_of(stage.build(), 0.5);
  EXPECT_THAT(warnings, ::testing::HasSubstr("\"victim\": it pressed with"));
  EXPECT_THAT(warnings, ::testing::Not(::testing::HasSubstr("heavy")));
}

// A body that is small against g h² and rests does not fly.
TEST(Culprits, are_none_where_a_grain_rests) {
  const Vec3 half = Vec3::Constant(1e-5);
  ModelBuilder b;
  const MaterialId stuff = b.add_material({"stuff", scenes::half_of(scenes::surface(0.5, 1.0))});
  b.add_shape({.name = "floor", .geometry = HalfSpaceShape{}, .material = stuff});
  const BodyId grain =
      b.add_body({.name = "grain", .mass = solid_box(half, 1000.0), .position = {0, 0, half.z()}});
  b.add_shape({.body = grain, .geometry = BoxShape{half}, .material = stuff});
  EXPECT_EQ(warnings_of(std::move(b).build(), 2.0), "");
}

// What sinks in under its own weight did not start in the floor: it is compliance that is too much.
TEST(Culprits, of_a_soft_contact_are_told_of_its_compliance) {
  Stage stage(g, scenes::surface(0.5, 4 * 0.03 / g));
  stage.floor().body({.name = "block", .position = {0, 0, 0.1}}, cube);
  const std::string warnings = warnings_of(stage.build(), 5.0);
  EXPECT_THAT(warnings, ::testing::HasSubstr("\"block\": they overlapped by"));
  EXPECT_THAT(warnings, ::testing::HasSubstr("compliance"));
  EXPECT_THAT(warnings, ::testing::Not(::testing::HasSubstr("start them clear")));
}

// Of a step that was not solved the advice is one that can be followed: no talk of masses where
// there is one body, but of the friction that nobody has.
TEST(Culprits, of_a_step_that_was_not_solved_are_friction_beyond_all_measure) {
  const Model model =
      scenes::make_block_on_incline({.slope = 1.0, .contact = scenes::surface(1e6)});
  State state = model.initial_state();
  const Spook stepper{.h = h, .solver = GaussSeidel{.max_sweeps = 1, .tolerance = 1e-12}};
  const std::string warnings = all_of(run(model, stepper, state, {.t_end = 0.1}).warnings);
  EXPECT_THAT(warnings, ::testing::HasSubstr("\"block\""));
  EXPECT_THAT(warnings, ::testing::HasSubstr("friction coefficient, 1e+06"));
  EXPECT_THAT(warnings, ::testing::Not(::testing::HasSubstr("masses")));
}

}  // namespace
}  // namespace ligament
