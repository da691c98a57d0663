// SPDX-License-Identifier: Apache-2.0
// Momentum of machines that float freely. Joints give equal and opposite impulses, so that linear
// momentum is kept to rounding. They act at the two anchors, which a violation g sets apart:
// angular momentum changes by exactly Σ g × λ over the ball joints. D8 of the acceptance table.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/machines.h"
#include "support/measured.h"
#include "support/probe.h"
#include "support/random.h"

namespace ligament {
namespace {

constexpr double h = 1.0 / 60;

// All bodies turn together about a point.
void set_rigid_rotation(const Model& model, const Vec3& w, const Vec3& about, State& state) {
  for (std::uint32_t i = 1; i < model.bodies().size(); ++i) {
    const Vec3 x = compute_pose(model, state, {i}).p;
    set_velocity(model, {i}, w.cross(x - about), w, state);
  }
}

// Σ m |v|: the scale of what must cancel.
double momentum_scale(const Model& model, const State& state) {
  double sum = 0.0;
  for (const Body& body : model.bodies())
    if (body.kind != BodyKind::fixed) sum += state.p.segment<3>(body.v_offset).norm();
  return sum;
}

// Couples of the ball joints in the last step: the sum of g × λ, and of their sizes.
struct Couples {
  Vec3 sum = Vec3::Zero();
  double bound = 0.0;
};

void add_couples(const Model& model, const Workspace& work, Couples& couples) {
  for (std::size_t i = 0; i < model.joints().size(); ++i) {
    const int row = work.problem.G.blocks[i].first_row;
    const Vec3 g = work.g.segment<3>(row), lambda = work.solution.lambda.segment<3>(row);
    couples.sum += g.cross(lambda);
    couples.bound += g.cross(lambda).norm();
  }
}

struct Drift {
  double linear = 0.0;       // over Σ m |v|
  double angular = 0.0;      // |L − L₀| at the end [kg m²/s]
  double bound = 0.0;        // Σ |g × λ|
  double unexplained = 0.0;  // |L − L₀ − Σ g × λ|/|L₀|
  double energy_ratio = 1.0;
};

Drift float_freely(const Model& model, const Stepper& stepper, State state, int steps) {
  Workspace work(model);
  const Momentum start = compute_momentum(model, state);
  const double E = compute_energy(model, state).total(), scale = momentum_scale(model, state);
  Drift drift;
  Couples couples;
  for (int i = 0; i < steps; ++i) {
    if (!step(stepper, model, state, work).ok()) return {1e300, 1e300, 0, 1e300, 0};
    add_couples(model, work, couples);
    const Momentum now = compute_momentum(model, state);
    drift.linear = std::max(drift.linear, (now.linear - start.linear).norm() / scale);
    const Vec3 change = now.angular - start.angular;
    drift.angular = std::max(drift.angular, change.norm());
    drift.unexplained =
        std::max(drift.unexplained, (change - couples.sum).norm() / start.angular.norm());
  }
  drift.bound = couples.bound;
  drift.energy_ratio = compute_energy(model, state).total() / E;
  return drift;
}

// D8: ladder of 10 cells, 2 rad/s about its middle, 20 s.
TEST(FreeLadder, keeps_linear_momentum_and_angular_momentum_up_to_its_couples) {
  const Model model =
      machines::make_rod_ladder(10, {.gravity = 0.0, .end = machines::LadderEnd::free});
  State state = model.initial_state();
  set_rigid_rotation(model, {0, 2.0, 0}, {5.0, 0, 0.5}, state);
  const Drift drift = float_freely(model, Spook{.h = h}, state, 1200);
  EXPECT_LT(measured("D8 linear momentum", drift.linear), 1e-12);
  // In the plane all couples have one direction: the bound is reached when they have one sign.
  EXPECT_LE(measured("D8 angular momentum", drift.angular), drift.bound * (1.0 + 1e-9));
  measured("D8 bound", drift.bound);
  measured("D8 energy ratio", drift.energy_ratio);
  // 1200 steps of 81 joints, each rounded to 1e-16 of its impulse.
  EXPECT_LT(measured("D8 change not explained by couples", drift.unexplained), 1e-11);
}

// The discrete law holds for every machine of ball joints, for every stepper and solver: also rigid
// bodies, three-dimensional motion and gyroscopic terms.
TEST(FreeMachine, angular_momentum_changes_by_the_couples_of_its_joints_alone) {
  const Model rigid =
      machines::make_rigid_ladder(4, {.gravity = 0.0, .end = machines::LadderEnd::free});
  const Model rods =
      machines::make_rod_ladder(4, {.gravity = 0.0, .end = machines::LadderEnd::free});
  for (const Model* model : {&rigid, &rods})
    for (const Solver& solver : {Solver(Direct{}), Solver(Umfpack{}), Solver(Cholmod{})})
      for (const Stepper& stepper : both_steppers(h, solver)) {
        State state = model->initial_state();
        Random random(21);
        set_rigid_rotation(*model, {0.3, 1.0, -0.5}, {2.0, 0, 0.5}, state);
        for (std::uint32_t i = 1; i < model->bodies().size(); ++i) {
          const Vec3 v = velocity_of(*model, state, {i}) + random.vector(0.3);
          const Vec3 w = compute_angular_velocity(*model, state, {i}) + random.vector(1.0);
          set_velocity(*model, {i}, v, w, state);
        }
        const Drift drift = float_freely(*model, stepper, state, 300);
        EXPECT_LT(drift.linear, 1e-12) << name_of(stepper) << ", " << name_of(solver);
        EXPECT_LT(drift.unexplained, 1e-11) << name_of(stepper) << ", " << name_of(solver);
      }
}

// Hinges, prismatic and fixed joints: their angular rows give opposite torques, and the rows of a
// line reach to one common point. What is left are the couples of the point rows.
TEST(FreeMachine, with_all_kinds_of_joints_keeps_linear_momentum) {
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  Random random(22);
  std::vector<BodyId> bodies;
  for (int i = 0; i < 6; ++i)
    bodies.push_back(b.add_body({.mass = box_of_mass({0.5, 0.2, 0.1}, 1.0 + i),
                                 .position = {1.0 * i, 0, 0},
                                 .orientation = random.rotation(),
                                 .velocity = random.vector(),
                                 .angular_velocity = random.vector(3.0)}));
  const auto middle = [](int i) { return Vec3(i + 0.5, 0, 0); };
  b.add_joint(Hinge{.a = bodies[0], .b = bodies[1], .point = middle(0), .axis = {0, 1, 1}});
  b.add_joint(Prismatic{.a = bodies[1], .b = bodies[2], .point = middle(1), .axis = {1, 0, 1}});
  b.add_joint(Fixed{.a = bodies[2], .b = bodies[3], .point = middle(2)});
  b.add_joint(Distance{.a = bodies[3], .b = bodies[4]});
  b.add_joint(Ball{.a = bodies[4], .b = bodies[5], .point = middle(4)});
  const Model model = std::move(b).build();
  for (const Stepper& stepper : both_steppers(h)) {
    State state = model.initial_state();
    Workspace work(model);
    const Momentum start = compute_momentum(model, state);
    const double scale = momentum_scale(model, state);
    Vec3 couples = Vec3::Zero();
    for (int i = 0; i < 600; ++i) {
      take_steps(stepper, model, 1, state, work);
      for (const int row : {0, 10, 17})  // points of hinge, fixed and ball
        couples += Vec3(work.g.segment<3>(row)).cross(Vec3(work.solution.lambda.segment<3>(row)));
    }
    const Momentum end = compute_momentum(model, state);
    EXPECT_LT((end.linear - start.linear).norm(), 1e-12 * scale);
    EXPECT_LT((end.angular - start.angular - couples).norm(), 1e-11 * start.angular.norm());
  }
}

}  // namespace
}  // namespace ligament
