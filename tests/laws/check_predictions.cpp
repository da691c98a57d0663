// SPDX-License-Identifier: Apache-2.0
// What a check expects, against runs: twenty-odd machines of random sizes. The issue asks for a
// factor of 1.5; the closed forms that are exact in the limit of small steps are held to less.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ligament/simulation/diagnosis.h"
#include "support/contact_scenes.h"
#include "support/machines.h"
#include "support/random.h"

namespace ligament {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double factor = 1.5;

void expect_within(double measured, double expected, double ratio, const std::string& what) {
  EXPECT_GT(expected, 0.0) << what;
  EXPECT_LT(measured, ratio * expected) << what << ": expected " << expected;
  EXPECT_GT(measured, expected / ratio) << what << ": expected " << expected;
}

// ---- Sag: machines that hang or stand still ----

// The largest |g| of the joints, and the deepest overlap, of the pose after so long.
struct AtRest {
  double joints = 0.0, contacts = 0.0;
};
AtRest let_settle(const Model& model, const Stepper& stepper, double time) {
  State state = model.initial_state();
  AtRest rest;
  RunOptions options{.t_end = time};
  options.observers.emplace_back([&](const Sample& sample) {
    if (!sample.report) return;
    rest = {sample.report->violation.max, sample.report->penetration};
  });
  const RunReport report = run(model, stepper, state, options);
  EXPECT_EQ(report.status, RunStatus::completed) << report.failure;
  return rest;
}

// A chain hanging straight down with a heavy end.
Model make_hanging_chain(Random& random) {
  const double length = random.scale(0.1, 1.0), mass = random.scale(0.1, 3.0);
  const int links = 2 + random.index(6);
  const Relaxation soft{.compliance = random.scale(1e-8, 1e-6)};
  ModelBuilder b;
  BodyId last = world;
  for (int i = 0; i < links; ++i) {
    const double scale = i + 1 == links ? random.scale(1.0, 10.0) : 1.0;
    const BodyId next =
        b.add_body({.name = "link " + std::to_string(i),
                    .mass = box_of_mass(length * Vec3(0.05, 0.05, 0.5), scale * mass),
                    .position = {0, 0, -(i + 0.5) * length}});
    b.add_joint(Ball{.a = last, .b = next, .point = {0, 0, -i * length}, .relaxation = soft});
    last = next;
  }
  return std::move(b).build();
}

TEST(CheckPredicts, the_sag_of_hanging_chains) {
  Random random(1);
  for (int i = 0; i < 4; ++i) {
    const Model model = make_hanging_chain(random);
    const Stepper stepper = i % 2 == 0 ? Stepper(Spook{.h = 1e-3}) : Stepper(Relaxed{.h = 1e-3});
    const Diagnosis check = diagnose(model, stepper);
    // At rest g = −ε λ exactly [SP.5]: what is left is what has not settled yet.
    expect_within(let_settle(model, stepper, 1.0).joints, check.outlook.sag.value, 1.02, "chain");
  }
}

// A shelf on four pins, each with a compliance of its own: three would hold it, so that loads are
// shared by stiffness.
TEST(CheckPredicts, the_sag_of_redundant_supports) {
  Random random(2);
  for (int i = 0; i < 3; ++i) {
    ModelBuilder b;
    const BodyId shelf = b.add_body({.name = "shelf",
                                     .mass = box_of_mass({0.5, 0.3, 0.02}, random.scale(1, 100)),
                                     .position = {0.1, 0.05, 0}});
    for (const double x : {-0.4, 0.4})
      for (const double y : {-0.3, 0.3})
        b.add_joint(Ball{.b = shelf,
                         .point = {x, y, 0},
                         .relaxation = {.compliance = random.scale(1e-8, 1e-6)}});
    const Model model = std::move(b).build();
    const Diagnosis check = diagnose(model, Spook{.h = 1e-3});
    EXPECT_EQ(check.redundant.size(), 6U);
    expect_within(let_settle(model, Spook{.h = 1e-3}, 1.0).joints, check.outlook.sag.value, 1.02,
                  "shelf");
  }
}

TEST(CheckPredicts, the_sag_of_stacks) {
  Random random(3);
  for (int i = 0; i < 3; ++i) {
    ModelBuilder b;
    const double compliance = random.scale(1e-8, 1e-6);
    const MaterialId stuff = b.add_material({"stuff", {.compliance = compliance}});
    b.add_shape({.name = "floor", .geometry = HalfSpaceShape{}, .material = stuff});
    const int boxes = 2 + random.index(4);
    for (int k = 0; k < boxes; ++k) {
      const BodyId box = b.add_body({.name = "box " + std::to_string(k),
                                     .mass = box_of_mass({0.5, 0.5, 0.25}, random.scale(1, 20)),
                                     .position = {0, 0, 0.5 * (k + 0.5)}});
      b.add_shape({.body = box, .geometry = BoxShape{{0.5, 0.5, 0.25}}, .material = stuff});
    }
    const Model model = std::move(b).build();
    const Diagnosis check = diagnose(model, Spook{});
    expect_within(let_settle(model, Spook{}, 2.0).contacts, check.outlook.contact_sag.value, 1.05,
                  "stack");
  }
}

// A weight on a spring under a pin: the pin carries the weight once the spring has settled.
TEST(CheckPredicts, the_sag_of_spring_machines) {
  Random random(4);
  for (int i = 0; i < 2; ++i) {
    ModelBuilder b;
    const double mass = random.scale(0.1, 10.0), weight = random.scale(1.0, 100.0);
    const BodyId plate = b.add_body({.name = "plate",
                                     .mass = box_of_mass(Vec3::Constant(0.1), mass),
                                     .position = {0, 0, -0.2}});
    const BodyId load = b.add_body({.name = "load",
                                    .kind = BodyKind::particle,
                                    .mass = {.mass = weight},
                                    .position = {0, 0, -1}});
    b.add_joint(PointOnLine{.name = "guide", .b = load, .point = {0, 0, -1}});
    b.add_joint(Fixed{.name = "pin", .b = plate, .relaxation = {.compliance = 1e-6}});
    const double k = random.scale(1e3, 1e4);
    b.add_joint(Spring{.name = "coil",
                       .a = plate,
                       .b = load,
                       .point_a = Vec3(0, 0, -0.2),
                       .stiffness = k,
                       .damping = 2.0 * std::sqrt(k * weight)});
    const Model model = std::move(b).build();
    const Diagnosis check = diagnose(model, Spook{.h = 1e-3});
    expect_within(let_settle(model, Spook{.h = 1e-3}, 5.0).joints, check.outlook.sag.value, 1.02,
                  "spring machine");
  }
}

// ---- Violation: machines in steady motion ----

TEST(CheckPredicts, the_violation_of_fast_joints) {
  Random random(5);
  for (int i = 0; i < 4; ++i) {
    const double length = random.scale(0.2, 2.0), speed = random.scale(0.5, 5.0);
    const double h = random.uniform(0.05, 0.15) * length / speed;
    ModelBuilder b{{.gravity = Vec3::Zero()}};
    const bool particle = i % 2 == 0;
    const BodyId bob = b.add_body(
        {.name = "bob",
         .kind = particle ? BodyKind::particle : BodyKind::rigid,
         .mass = particle ? MassProperties{.mass = 1.0}
                          : box_of_mass(Vec3::Constant(0.1 * length), 1.0),
         .position = {length, 0, 0},
         .velocity = {0, speed, 0},
         .angular_velocity = particle ? Vec3(Vec3::Zero()) : Vec3(0, 0, speed / length)});
    if (particle)
      b.add_joint(Distance{.name = "arm", .b = bob, .point_a = Vec3::Zero()});
    else
      b.add_joint(Ball{.name = "arm", .b = bob});
    const Model model = std::move(b).build();
    const Stepper stepper =
        i < 2 ? Stepper(Spook{.h = h}) : Stepper(Relaxed{.h = h, .damping_steps = 1.0});
    const Diagnosis check = diagnose(model, stepper);
    State state = model.initial_state();
    const RunReport report = run(model, stepper, state, {.steps = 40});
    expect_within(report.violation_max, check.outlook.violation.value, factor, "turning arm");
  }
}

TEST(CheckPredicts, the_violation_of_the_slider_crank) {
  Random random(6);
  for (int i = 0; i < 2; ++i) {
    const machines::SliderCrankOptions options{.speed = random.uniform(0.5, 3.0), .angle = 0.7};
    const Model model = machines::make_slider_crank(options);
    const Diagnosis check = diagnose(model, Spook{});
    State state = model.initial_state();
    const RunReport report = run(model, Spook{}, state, {.steps = 60});
    expect_within(report.violation_max, check.outlook.violation.value, factor, "slider crank");
  }
}

// ---- Springs and spins: what steps make of them ----

double measure_rate(const Model& model, const Stepper& stepper, int swings) {
  State state = model.initial_state();
  std::vector<double> crossings;
  double before = 0.0;
  RunOptions options{.steps = 100000};
  options.observers.emplace_back([&](const Sample& sample) {
    const double x = compute_pose(sample.model, sample.state, BodyId{1}).p.x();
    if (sample.step > 0 && (x > 0.0) != (before > 0.0))
      crossings.push_back(sample.state.t - sample.h * x / (x - before));
    before = x;
  });
  options.should_stop = [&] { return static_cast<int>(crossings.size()) > swings; };
  run(model, stepper, state, options);
  return 0.5 * static_cast<double>(crossings.size() - 1) / (crossings.back() - crossings.front());
}

Model make_spring_machine(double stiffness, double mass) {
  ModelBuilder b{{.gravity = Vec3::Zero()}};
  const BodyId body = b.add_body({.kind = BodyKind::particle,
                                  .mass = {.mass = mass},
                                  .position = {0, 0, 0},
                                  .velocity = {1e-3, 0, 0}});
  b.add_joint(Spring{.name = "coil", .b = body, .point_a = Vec3(-1, 0, 0), .stiffness = stiffness});
  return std::move(b).build();
}

TEST(CheckPredicts, what_steps_make_of_springs) {
  Random random(7);
  for (int i = 0; i < 4; ++i) {
    const double mass = random.scale(0.1, 10.0), stiffness = random.scale(1e2, 1e5);
    const Model model = make_spring_machine(stiffness, mass);
    const double h = random.scale(0.3, 5.0) / std::sqrt(stiffness / mass);
    const Stepper stepper = i % 2 == 0 ? Stepper(Spook{.h = h}) : Stepper(Trapezoidal{.h = h});
    const Diagnosis check = diagnose(model, stepper);
    expect_within(measure_rate(model, stepper, 40), check.outlook.stepped_spring, 1.03, "spring");
    // It is named if and only if a step is longer than 1/ω, where the rate is off by a fourteenth.
    EXPECT_EQ(check.findings.empty(), h * std::sqrt(stiffness / mass) < 1.0);
  }
}

// Followed means: off by less than a tenth. The longest such step, measured by bisection.
TEST(CheckPredicts, the_longest_step_that_follows_a_spring) {
  Random random(8);
  for (int i = 0; i < 2; ++i) {
    const double mass = random.scale(0.1, 10.0), stiffness = random.scale(1e2, 1e5);
    const Model model = make_spring_machine(stiffness, mass);
    const double exact = std::sqrt(stiffness / mass) / (2.0 * pi);
    double fine = 0.1 / exact / (2 * pi), coarse = 10.0 / exact / (2 * pi);
    while (coarse / fine > 1.01) {
      const double h = std::sqrt(fine * coarse);
      (measure_rate(model, Spook{.h = h}, 20) > 0.9 * exact ? fine : coarse) = h;
    }
    const Diagnosis check = diagnose(model, Spook{.h = 10.0 / exact});
    ASSERT_EQ(check.findings.size(), 1U);
    expect_within(fine, check.findings[0].largest_h, factor, "resolved spring");
  }
}

TEST(CheckPredicts, what_steps_make_of_spins) {
  Random random(9);
  for (int i = 0; i < 2; ++i) {
    const double spin = random.scale(10.0, 200.0), h = random.uniform(0.5, 2.0) / spin;
    const machines::HeavyTopOptions top{
        .moments = {0.04, 0.04, 0.06}, .tilt = 0.0, .spin = spin, .gravity = 0.0};
    const Model model = machines::make_heavy_top(top);
    const Diagnosis check = diagnose(model, Spook{.h = h});
    State state = model.initial_state();
    const int steps = 3;
    double turned = 0.0;
    for (int k = 0; k < steps; ++k) {
      const Quat before = compute_pose(model, state, BodyId{1}).R;
      run(model, Spook{.h = h}, state, {.steps = 1});
      const Quat turn = compute_pose(model, state, BodyId{1}).R * before.conjugate();
      turned += 2.0 * std::atan2(std::abs(turn.z()), std::abs(turn.w()));
    }
    expect_within(turned / (steps * h), check.outlook.stepped_spin, 1.001, "spin");
  }
}

// ---- Instability: light links under tension ----

// Whether the machine stays together: nothing opens by a tenth of a link.
bool holds(const Model& model, const Stepper& stepper, long steps, double length) {
  State state = model.initial_state();
  const RunReport report = run(model, stepper, state, {.steps = steps});
  return report.status == RunStatus::completed && report.violation_max < 0.1 * length;
}

// The longest step at which it holds, to a hundredth.
double find_longest_step(const Model& model, double guess, long steps, double length) {
  double fine = guess / 8.0, coarse = guess * 8.0;
  while (coarse / fine > 1.01) {
    const double h = std::sqrt(fine * coarse);
    (holds(model, Spook{.h = h}, steps, length) ? fine : coarse) = h;
  }
  return fine;
}

struct HeavyEnd {
  int links = 3;
  double length = 1.0, mass = 1.0, ratio = 100.0;
  double angle = 0.0;  // [rad] from the vertical
  double push = 0.0;   // [m/s] sideways, of the middle
  bool rigid = false;
};

Model make_heavy_end(const HeavyEnd& of) {
  ModelBuilder b{{.gravity = {0, 0, -10}}};
  const Vec3 along(std::sin(of.angle), 0, -std::cos(of.angle));
  BodyId last = world;
  for (int i = 0; i < of.links; ++i) {
    const Vec3 push = i == of.links / 2 ? Vec3(0, of.push, 0) : Vec3(Vec3::Zero());
    if (of.rigid) {
      const BodyId next =
          b.add_body({.mass = box_of_mass(of.length * Vec3(0.5, 0.05, 0.05), of.mass),
                      .position = (i + 0.5) * of.length * along,
                      .orientation = frame_with_x_along(along),
                      .velocity = push});
      b.add_joint(Ball{.a = last, .b = next, .point = i * of.length * along});
      last = next;
      if (i + 1 < of.links) continue;
      const BodyId load = b.add_body({.kind = BodyKind::particle,
                                      .mass = {.mass = of.mass * of.ratio},
                                      .position = of.links * of.length * along});
      b.add_joint(Ball{.a = next, .b = load, .point = of.links * of.length * along});
    } else {
      const bool end = i + 1 == of.links;
      const BodyId next = b.add_body({.kind = BodyKind::particle,
                                      .mass = {.mass = of.mass * (end ? of.ratio : 1.0)},
                                      .position = (i + 1) * of.length * along,
                                      .velocity = push});
      b.add_joint(Distance{.a = last, .b = next, .length = of.length});
      last = next;
    }
  }
  return std::move(b).build();
}

// Hanging at rest with a little push, the limit is that of the fastest transverse mode.
TEST(CheckPredicts, when_hanging_chains_fly_apart) {
  Random random(10);
  for (int i = 0; i < 3; ++i) {
    const HeavyEnd of{.links = 2 + random.index(5),
                      .length = random.scale(0.1, 1.0),
                      .mass = random.scale(0.01, 1.0),
                      .ratio = random.scale(20.0, 500.0),
                      .push = 1e-3,
                      .rigid = i == 2};
    const Model model = make_heavy_end(of);
    const Diagnosis check = diagnose(model, Spook{.h = 1e-4});
    const double expected = 1.0 / (pi * check.outlook.swing.value);
    const double measured = find_longest_step(model, expected, 1000, of.length);
    expect_within(measured, expected, factor, "hanging chain");
    EXPECT_TRUE(diagnose(model, Spook{.h = 1.1 * expected}).has(Severity::error));
    EXPECT_FALSE(diagnose(model, Spook{.h = 0.9 * expected}).has(Severity::error));
  }
}

// Swinging from the horizontal, the load is up to four times the weight.                  [CK.6]
TEST(CheckPredicts, when_swinging_chains_fly_apart) {
  Random random(11);
  for (int i = 0; i < 3; ++i) {
    const HeavyEnd of{.links = 3 + random.index(8),
                      .length = random.scale(0.1, 1.0),
                      .mass = random.scale(0.01, 1.0),
                      .ratio = random.scale(20.0, 500.0),
                      .angle = 0.5 * pi};
    const Model model = make_heavy_end(of);
    const Diagnosis check = diagnose(model, Spook{.h = 1e-3});
    const double expected = 1e-3 * std::sqrt(0.25 / check.outlook.hanging.value);
    const double time = 3.0 * std::sqrt(of.links * of.length / 10.0) * 2.0;
    const double measured =
        find_longest_step(model, expected, static_cast<long>(time / expected), of.length);
    expect_within(measured, expected, factor, "swinging chain");
  }
}

}  // namespace
}  // namespace ligament
