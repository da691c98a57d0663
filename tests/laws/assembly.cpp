// SPDX-License-Identifier: Apache-2.0
// A consistent start: rough poses close, velocities obey, nothing moves that need not, and what
// cannot be is named.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "ligament/simulation/assembly.h"
#include "support/measured.h"
#include "support/probe.h"
#include "support/random.h"

namespace ligament {
namespace {

// A planar linkage of bars about z: points of a drawing that closes, bars between them, and hinges
// that are given in the frames of the bars. The bars start off the drawing.
struct Bar {
  int from, to;  // points
};
struct Pin {
  int point;
  int a, b;  // bars, −1: the world
};
struct Drawing {
  std::vector<Vec3> points;
  std::vector<Bar> bars;
  std::vector<Pin> pins;
};

// Grashof, crank 0.4, coupler 1.1, rocker 0.8 on a base of 1 m: drawn with the crank at 1.2 rad.
Drawing draw_four_bar() {
  const Vec3 crank = 0.4 * Vec3(std::cos(1.2), std::sin(1.2), 0), base(1, 0, 0);
  // Where circles about the crank pin (1.1) and the base (0.8) meet, the upper one.
  const Vec3 d = base - crank;
  const double D = d.norm(), along = (D * D + 1.21 - 0.64) / (2 * D);
  const Vec3 n = Vec3(-d.y(), d.x(), 0) / D;
  const Vec3 top = crank + along / D * d + std::sqrt(1.21 - along * along) * n;
  return {.points = {Vec3::Zero(), crank, top, base},
          .bars = {{0, 1}, {1, 2}, {2, 3}},
          .pins = {{0, -1, 0}, {1, 0, 1}, {2, 1, 2}, {3, -1, 2}}};
}

// Watt's six-bar: a second loop on the rocker of the first.
Drawing draw_six_bar() {
  Drawing drawing = draw_four_bar();
  const Vec3 top = drawing.points[2];
  drawing.points.push_back(top + Vec3(0.7, 0.2, 0));  // 4
  drawing.points.push_back(Vec3(1.9, 0, 0));          // 5, on the base
  drawing.bars.push_back({2, 4});
  drawing.bars.push_back({4, 5});
  drawing.pins.push_back({2, 2, 3});
  drawing.pins.push_back({4, 3, 4});
  drawing.pins.push_back({5, -1, 4});
  return drawing;
}

struct Rough {
  double shift = 0.0, turn = 0.0;  // [m], [rad] most that a bar is off the drawing
  double speed = 0.0;              // [m/s, rad/s] of the bars, at random
};

ModelBuilder build_linkage(const Drawing& drawing, const Rough& rough, Random& random) {
  ModelBuilder b;
  std::vector<Frame> drawn;
  for (const Bar& bar : drawing.bars) {
    const Vec3 from = drawing.points[static_cast<std::size_t>(bar.from)];
    const Vec3 to = drawing.points[static_cast<std::size_t>(bar.to)], along = to - from;
    const Frame pose{0.5 * (from + to),
                     Quat(Eigen::AngleAxisd(std::atan2(along.y(), along.x()), Vec3::UnitZ()))};
    drawn.push_back(pose);
    const Vec3 shift = random.uniform(0.0, rough.shift) * random.direction();
    const Vec3 turn = random.uniform(0.0, rough.turn) * random.direction();
    b.add_body({.mass = box_of_mass({0.5 * along.norm(), 0.03, 0.02}, random.uniform(0.5, 2.0)),
                .position = pose.p + shift,
                .orientation = rotation_by(turn) * pose.R,
                .velocity = random.vector(rough.speed),
                .angular_velocity = random.vector(rough.speed)});
  }
  for (std::size_t i = 0; i < drawing.pins.size(); ++i) {
    const Pin& pin = drawing.pins[i];
    const Vec3 point = drawing.points[static_cast<std::size_t>(pin.point)];
    const auto in_bar = [&](int bar) {
      if (bar < 0) return Frame{.p = point};
      const Frame& pose = drawn[static_cast<std::size_t>(bar)];
      return Frame{pose.R.conjugate() * (point - pose.p), pose.R.conjugate()};
    };
    b.add_joint(Hinge{.name = "pin " + std::to_string(i),
                      .a = {static_cast<std::uint32_t>(pin.a + 1)},
                      .b = {static_cast<std::uint32_t>(pin.b + 1)},
                      .frame_a = in_bar(pin.a),
                      .frame_b = in_bar(pin.b)});
  }
  return b;
}

// Worst row speed G v + drift, with the drift of targets over a microsecond.
double worst_row_speed(const Model& model, const State& state) {
  Workspace work(model);
  build_rows(model, state, work);
  assemble_motion(model, state, 0.0, Gyroscopic::kick_drift, work);
  compute_row_speeds(model, state, 1e-6, work);
  VecX speed;
  speed.setZero(work.problem.rows());
  multiply(work.problem.G, state.v, speed);
  if (work.constraints.drifts) speed += work.drift;
  return speed.lpNorm<Eigen::Infinity>();
}

// Speeds of rows miss by the floor of Σ times an impulse: 1e3 roundings of the largest mobility,
// that of a bar of 0.5 kg about itself, 1/(0.5 × 4.3e-4 kg m²), times some 2 kg at some m/s.
constexpr double speed_tolerance = 1e3 * 2.2e-16 * 4600.0 * 10.0;

// The tolerance of assembly is 1e-10 of a metre plus the machine's size; 1e-9 is asked for.
void expect_closes(const Drawing& drawing, std::uint64_t seed) {
  Random random(seed);
  int most_iterations = 0;
  double worst = 0.0, worst_speed = 0.0;
  for (int i = 0; i < 50; ++i) {
    const Model model =
        std::move(build_linkage(drawing, {.shift = 0.2, .turn = 0.5, .speed = 1.0}, random))
            .build();
    State state = model.initial_state();
    const AssemblyReport report = assemble(model, state);
    EXPECT_TRUE(report.ok()) << i << ": " << report.describe();
    EXPECT_GT(report.violation_before, 1e-3);
    const RowsAt rows = compute_rows(model, state);
    worst = std::max(worst, rows.g.lpNorm<Eigen::Infinity>());
    EXPECT_EQ(report.violation, rows.g.lpNorm<Eigen::Infinity>());
    worst_speed = std::max(worst_speed, worst_row_speed(model, state));
    most_iterations = std::max(most_iterations, report.iterations);
    // Momentum goes with velocity.
    State copy = state;
    for (std::uint32_t body = 1; body < model.bodies().size(); ++body)
      set_velocity(model, {body}, velocity_of(model, state, {body}),
                   compute_angular_velocity(model, state, {body}), copy);
    EXPECT_LT((copy.v - state.v).norm(), 1e-12);
  }
  EXPECT_LT(measured("worst gap", worst), 1e-9);
  EXPECT_LT(measured("worst speed of a row", worst_speed), speed_tolerance);
  measured("most iterations", most_iterations);
}

TEST(Assembly, closes_a_four_bar_from_a_rough_pose) { expect_closes(draw_four_bar(), 21); }
TEST(Assembly, closes_a_six_bar_from_a_rough_pose) { expect_closes(draw_six_bar(), 22); }

// What closes already stays where it is, and keeps a velocity that obeys.
TEST(Assembly, leaves_a_consistent_start_alone) {
  Random random(23);
  const Model model = build_linkage(draw_six_bar(), {}, random).build();
  State state = model.initial_state();
  const AssemblyReport report = assemble(model, state);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(report.moved, 0.0);
  EXPECT_EQ(state.q, model.initial_state().q);
  EXPECT_LT(state.v.norm(), 1e-15);
}

// Positions move in the metric of the masses: a body that nothing ties does not move, and of two
// particles on a distance that is too short by Δ each moves by Δ times the share of the other's
// mass; the velocity that obeys is the one of a plastic impact.
TEST(Assembly, moves_bodies_in_inverse_proportion_to_their_masses) {
  const double m1 = 1.0, m2 = 3.0, asked = 1.4;
  ModelBuilder b;
  const BodyId first = b.add_body({.kind = BodyKind::particle,
                                   .mass = {.mass = m1},
                                   .position = {1, 2, 3},
                                   .velocity = {1, 0, 0.5}});
  const BodyId second = b.add_body({.kind = BodyKind::particle,
                                    .mass = {.mass = m2},
                                    .position = {2, 2, 3},
                                    .velocity = {-0.5, 0.3, 0}});
  const Quat attitude = rotation_by({0.3, -0.5, 0.8});
  const BodyId free = b.add_body({.mass = box_of_mass({0.1, 0.2, 0.3}, 2.0),
                                  .position = {7, -3, 1},
                                  .orientation = attitude,
                                  .velocity = {1, 2, 3},
                                  .angular_velocity = {-1, 4, 2}});
  b.add_joint(Distance{.a = first, .b = second, .length = asked});
  const Model model = std::move(b).build();
  State state = model.initial_state();
  EXPECT_TRUE(assemble(model, state).ok());
  const Frame pose = compute_pose(model, state, free);
  EXPECT_EQ(pose.p, Vec3(7, -3, 1));
  EXPECT_EQ(pose.R.coeffs(), compute_pose(model, model.initial_state(), free).R.coeffs());
  EXPECT_LT((state.v.tail<6>() - model.initial_state().v.tail<6>()).norm(), 4e-15);
  EXPECT_EQ(state.p.tail(6), model.initial_state().p.tail(6));
  // Along x only; tolerance of the assembly 1e-10 × (1 + 7 m).
  const double stretch = asked - 1.0;
  EXPECT_NEAR(compute_pose(model, state, first).p.x(), 1.0 - stretch * m2 / (m1 + m2), 1e-9);
  EXPECT_NEAR(compute_pose(model, state, second).p.x(), 2.0 + stretch * m1 / (m1 + m2), 1e-9);
  const double common = (m1 * 1.0 + m2 * -0.5) / (m1 + m2);
  EXPECT_LT((velocity_of(model, state, first) - Vec3(common, 0, 0.5)).norm(), 1e-11);
  EXPECT_LT((velocity_of(model, state, second) - Vec3(common, 0.3, 0)).norm(), 1e-11);
}

// A motor, a prescribed motion and a moved base set the pose and the speed of the machine.
TEST(Assembly, gives_the_velocities_that_drives_ask_for) {
  Random random(24);
  for (int i = 0; i < 10; ++i) {
    ModelBuilder b = build_linkage(draw_four_bar(), {.shift = 0.1, .turn = 0.3}, random);
    const double angle = random.uniform(-0.5, 0.5), rate = random.uniform(-2, 2);
    if (i % 2 == 0)
      b.add_control(Motor{.on = JointId{0}, .speed = rate});
    else
      b.add_control(Motion{.on = JointId{0}, .target = [=](double t) { return angle + rate * t; }});
    const Model model = std::move(b).build();
    State state = model.initial_state();
    const AssemblyReport report = assemble(model, state);
    EXPECT_TRUE(report.ok()) << report.describe();
    // Targets are differenced over a microsecond: 1e-16/1e-6, less than what the floor leaves.
    EXPECT_LT(worst_row_speed(model, state), speed_tolerance);
    EXPECT_NEAR(state.v(5), rate, speed_tolerance);
    if (i % 2 == 1) {
      EXPECT_NEAR(state.s(0), angle, 1e-9);
    }
  }
}

// Drawn closed, then given bars a third as long: three bars of together 0.77 m cannot span 1 m. The
// gap that is left is shared by the pins, and only pins are named.
TEST(Assembly, names_the_joints_of_a_linkage_that_cannot_close) {
  Random random(25);
  Drawing drawing = draw_four_bar();
  ModelBuilder b;
  for (const Bar& bar : drawing.bars) {
    const Vec3 from = drawing.points[static_cast<std::size_t>(bar.from)];
    const Vec3 to = drawing.points[static_cast<std::size_t>(bar.to)];
    b.add_body({.mass = box_of_mass({0.2, 0.03, 0.02}, 1.0), .position = 0.5 * (from + to)});
  }
  const double lengths[] = {0.4 / 3, 1.1 / 3, 0.8 / 3};
  for (std::uint32_t i = 0; i < 4; ++i) {
    const Vec3 left = i == 0 ? Vec3(Vec3::Zero()) : Vec3(0.5 * lengths[i - 1], 0, 0);
    const Vec3 right = i == 3 ? Vec3(1, 0, 0) : Vec3(-0.5 * lengths[i], 0, 0);
    b.add_joint(Hinge{.name = "pin " + std::to_string(i),
                      .a = {i},
                      .b = {i == 3 ? 0 : i + 1},
                      .frame_a = Frame{.p = left},
                      .frame_b = Frame{.p = right}});
  }
  // Beside it a door that closes, and must not be named.
  const BodyId door = b.add_body({.position = {5, 0, 0}});
  b.add_joint(Hinge{.name = "door", .b = door, .point = {5, 0, 0}});
  const Model model = std::move(b).build();
  State state = model.initial_state();
  const AssemblyReport report = assemble(model, state);
  EXPECT_FALSE(report.ok());
  ASSERT_FALSE(report.open.empty());
  for (const OpenRow& row : report.open)
    EXPECT_EQ(row.name.rfind("joint \"pin", 0), 0u) << row.name;
  EXPECT_TRUE(std::ranges::is_sorted(report.open, std::greater<>{}, &OpenRow::gap));
  EXPECT_TRUE(state.q.allFinite() && state.v.allFinite());
  // No pose has less than 1 − 2.3/3 m in all four pins together, hence a quarter of it in one.
  EXPECT_GT(report.violation, (1.0 - 2.3 / 3.0) / 4.0 - 1e-6);
  EXPECT_NE(report.describe().find("pin"), std::string::npos);
}

// Two motors on one hinge, and a motor against a lock: rows are named, both of each pair.
TEST(Assembly, names_motors_that_contradict_each_other) {
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  const BodyId wheel = b.add_body({.name = "wheel"});
  const BodyId other = b.add_body({.name = "other", .position = {5, 0, 0}});
  const JointId axle = b.add_joint(Hinge{.name = "axle", .b = wheel});
  const JointId good = b.add_joint(Hinge{.name = "good", .b = other, .point = {5, 0, 0}});
  b.add_control(Motor{.name = "fast", .on = axle, .speed = 2.0});
  b.add_control(Motor{.name = "slow", .on = axle, .speed = 1.0});
  b.add_control(Motor{.name = "alone", .on = good, .speed = 1.0});
  b.add_control(Motor{.name = "weak", .on = good, .speed = 7.0, .max_force = 1.0});
  const Model model = std::move(b).build();
  State state = model.initial_state();
  const AssemblyReport report = assemble(model, state);
  EXPECT_FALSE(report.ok());
  EXPECT_TRUE(report.open.empty());
  ASSERT_EQ(report.contradictions.size(), 2u) << report.describe();
  for (const char* name : {"fast", "slow"})
    EXPECT_TRUE(std::ranges::any_of(report.contradictions, [&](const OpenRow& row) {
      return row.name.find(name) != std::string::npos;
    })) << name;
  for (const OpenRow& row : report.contradictions) EXPECT_NEAR(row.gap, 0.5, 1e-6);
  EXPECT_NEAR(state.v(11), 1.0, 1e-9);  // the weak motor does not take part
}

// A speed that a lock takes away is gone but for the softness of the solve, 1e3 roundings of the
// speed that was there: no contradiction, however soft the lock is asked to be.
TEST(Assembly, takes_no_rounding_of_a_lost_speed_for_a_contradiction) {
  for (const double compliance : {0.0, 1e-8, 1e-2}) {
    ModelBuilder b{{.gravity = Vec3::Zero()}};
    const BodyId wheel = b.add_body({.name = "wheel", .angular_velocity = {0, 0, 3.0}});
    const JointId axle = b.add_joint(Hinge{.name = "axle", .b = wheel});
    b.add_control(Lock{.name = "brake", .on = axle, .compliance = compliance});
    b.add_control(Lock{.name = "second brake", .on = axle, .compliance = compliance});
    const Model model = std::move(b).build();
    State state = model.initial_state();
    const AssemblyReport report = assemble(model, state);
    EXPECT_TRUE(report.ok()) << report.describe();
    EXPECT_NEAR(report.speed_change, 3.0, 1e-9);
    EXPECT_LT(state.v.lpNorm<Eigen::Infinity>(), 1e-9);
  }
}

// A motion that sets out from rest, ½ a t², contradicts no lock at its start; one at 2 m/s does.
// And what it carries gets the speed of the start, not that of a moment later: 1e-9 is the rounding
// of places that are differenced over a microsecond, a moment's a would be 6e-6.
TEST(Assembly, takes_the_speed_of_a_motion_at_its_start) {
  for (const double rate : {0.0, 2.0}) {
    const auto target = [=](double t) { return rate * t + 0.5 * 12.0 * t * t; };
    for (const bool locked : {false, true}) {
      ModelBuilder b{{.gravity = Vec3::Zero()}};
      const BodyId sledge = b.add_body({.name = "sledge"});
      const JointId rail =
          b.add_joint(Prismatic{.name = "rail", .a = world, .b = sledge, .axis = Vec3::UnitX()});
      b.add_control(Motion{.name = "drive", .on = rail, .target = target});
      if (locked) b.add_joint(Fixed{.name = "lock", .a = world, .b = sledge});
      const Model model = std::move(b).build();
      State state = model.initial_state();
      const AssemblyReport report = assemble(model, state);
      EXPECT_EQ(report.contradictions.empty(), !locked || rate == 0.0) << report.describe();
      if (!locked) {
        EXPECT_NEAR(velocity_of(model, state, sledge).x(), rate, 1e-9);
      }
    }
  }
}

// One motion, written in two ways, 0.3 (cos 2t − 1) = −0.6 sin² t: what the two differ by is the
// rounding of places that are differenced over a microsecond, 1e-16/1e-6. Other motions are not.
TEST(Assembly, takes_two_forms_of_one_motion_for_the_same) {
  const auto assemble_with = [](double other_rate) {
    ModelBuilder b{{.gravity = Vec3::Zero()}};
    const BodyId wheel = b.add_body({.name = "wheel"});
    const JointId axle = b.add_joint(Hinge{.name = "axle", .b = wheel});
    b.add_control(Motion{
        .name = "one", .on = axle, .target = [](double t) { return 0.3 * (std::cos(2 * t) - 1); }});
    b.add_control(Motion{.name = "other", .on = axle, .target = [=](double t) {
                           return -0.6 * std::sin(t) * std::sin(t) + other_rate * t;
                         }});
    const Model model = std::move(b).build();
    State state = model.initial_state();
    return assemble(model, state);
  };
  const AssemblyReport same = assemble_with(0.0);
  EXPECT_TRUE(same.ok()) << same.describe();
  // 1e-7 rad/s apart is a contradiction, of half of it in each; the rounding is below 1e-8.
  const AssemblyReport different = assemble_with(1e-7);
  ASSERT_EQ(different.contradictions.size(), 2u);
  for (const OpenRow& row : different.contradictions) EXPECT_NEAR(row.gap, 5e-8, 1e-9);
}

}  // namespace
}  // namespace ligament
