// SPDX-License-Identifier: Apache-2.0
// What the ADAMS cases show, where there is a closed form: needs no files.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "adams/comparison.h"
#include "adams/reference.h"
#include "analytic/oscillator.h"
#include "analytic/swing.h"
#include "support/fit.h"
#include "support/measured.h"

namespace ligament::adams {
namespace {

constexpr Relaxation stiff{.compliance = 1e-12, .angular_compliance = 1e-12};
const double root_half = std::sqrt(0.5);

const Case& find_case(const std::string& name) {
  for (const Case& c : all_cases())
    if (c.name == name) return c;
  throw std::out_of_range(name);
}

// A position and a reaction on the ground at each time of the files.
struct Exact {
  std::function<Vec3(double)> position, force;
};

struct Errors {
  double position = 0.0, force = 0.0;
};

Errors errors_of(const Track& track, const Exact& exact) {
  Errors worst;
  for (std::size_t i = 0; i < track.position.size(); ++i) {
    const double t = file_step * static_cast<double>(i);
    worst.position = std::max(worst.position, (track.position[i] - exact.position(t)).norm());
    worst.force = std::max(worst.force, (track.reactions[0][i].force - exact.force(t)).norm());
  }
  return worst;
}

// ---- Pendulums, let go from the horizontal ----

struct Pendulum {
  std::string name;
  Vec3 pivot, out, down;  // world: the bearing, the start from there, where it hangs
  double inertia;         // [kg m²] about the centre
  double fall = 0.0;      // [m/s²] along y + z, of the slide of a cylindrical joint
  double side = 0.0;      // [N] along y + z, on the ground
};

// φ from the lowest point, l = 2 m, g the part of gravity in the plane of the swing:
//   position  pivot + l (sin φ out + cos φ down)
//   on ground m (l φ̇² + g cos φ) outwards, −m (l φ̈ + g sin φ) tangentially, and the weight across
Exact make_exact(const Pendulum& p) {
  const double l = 2.0, g = p.down.z() * -gravity;
  const analytic::Swing swing{.omega = std::sqrt(g * l / (p.inertia + l * l)),
                              .amplitude = std::numbers::pi / 2};
  const Vec3 along = Vec3(0, 1, 1);
  return {.position = [=](double t) -> Vec3 {
            const double phi = swing.angle(t);
            return p.pivot + l * (std::sin(phi) * p.out + std::cos(phi) * p.down) -
                   0.5 * p.fall * t * t * along;
          },
          .force = [=](double t) -> Vec3 {
            const double phi = swing.angle(t), w = swing.speed(t);
            const Vec3 outward = std::sin(phi) * p.out + std::cos(phi) * p.down;
            const Vec3 tangent = std::cos(phi) * p.out - std::sin(phi) * p.down;
            return (l * w * w + g * std::cos(phi)) * outward -
                   (l * swing.acceleration(t) + g * std::sin(phi)) * tangent - p.side * along;
          }};
}

std::vector<Pendulum> all_pendulums() {
  const Vec3 origin = Vec3::Zero(), corner(1, 2, 3), x = Vec3::UnitX(), y = Vec3::UnitY();
  const Vec3 down = -Vec3::UnitZ(), slope(0, root_half, -root_half);
  return {
      {"Revolute_Case01", origin, x, down, 0.1},
      {"Revolute_Case02", corner, x, slope, 0.1, 0.0, 0.5 * gravity},
      {"Spherical_Case01", origin, x, down, 0.1},
      {"Spherical_Case02", corner, x, down, 0.1},
      {"Cylindrical_Case02", origin, x, down, 0.1},
      {"Cylindrical_Case03", corner, x, slope, 0.1, 0.5 * gravity, 0.0},
      {"Universal_Case01", origin, y, down, 0.1},
      {"Universal_Case02", origin, -x, down, 0.1},
      {"Distance_Case01", origin, y, down, 0.0},  // held at its centre: a point on a string
  };
}

// Positions: curvature stretches the pendulum by (θ + ½) h² φ̇²/2 of its length [SP.6], at most
// δ = 1.25e-6 · 2 ω² = 1.2e-5. A stretched pendulum is late by at most δ/2 · t, that is by v t δ/2
// = 6.3 m/s · 5 s · 0.6e-5 = 2e-4 m; the energy that the rows damp away, of the same order, may add
// as much again. Together that is 1e-4 of the 4 m it swings. Reactions: the same delay of 6e-5 s at
// slopes of 3 m g ω ≤ 65 N/s, 4e-3 N, and δ of the force: 2e-4 of the largest, 29.4 N. Both are
// second order from a staggered start.
TEST(Pendulums, follow_the_elliptic_function_and_pull_as_newton_says) {
  for (const Pendulum& p : all_pendulums()) {
    SCOPED_TRACE(p.name);
    const Machine machine = find_case(p.name).make();
    const Exact exact = make_exact(p);
    const std::array h{5e-3, 2.5e-3, 1e-3};
    std::array<double, 3> position{}, force{};
    for (std::size_t i = 0; i < h.size(); ++i) {
      const Errors errors = errors_of(simulate(machine, Spook{.h = h[i]}), exact);
      position[i] = errors.position, force[i] = errors.force;
    }
    EXPECT_LT(measured(p.name + " position error over 4 m", position[2] / 4.0), 1e-4);
    EXPECT_LT(measured(p.name + " force error over 3 m g", force[2] / (3 * gravity)), 2e-4);
    EXPECT_GT(measured(p.name + " order of positions", fit_exponent(h, position)), 1.9);
    EXPECT_GT(measured(p.name + " order of forces", fit_exponent(h, force)), 1.9);
  }
}

// The truth that the other cases are measured by, measured itself: Runge and Kutta's error of
// 1e-3⁴ and 5000 steps of rounding.
TEST(Pendulums, are_those_of_the_independent_integration) {
  for (const Pendulum& p : all_pendulums()) {
    SCOPED_TRACE(p.name);
    const Case& c = find_case(p.name);
    const Errors errors = errors_of(integrate_twin(c, c.make()), make_exact(p));
    EXPECT_LT(errors.position, 1e-9);
    EXPECT_LT(errors.force, 1e-8);
  }
}

// Plain SPOOK starts half a step apart and leads by v h/2 = 3 mm: first order.
TEST(Pendulums, are_half_a_step_ahead_without_a_staggered_start) {
  const Machine machine = find_case("Revolute_Case01").make();
  const Exact exact = make_exact(all_pendulums().front());
  const std::array h{5e-3, 2.5e-3, 1e-3};
  std::array<double, 3> error{};
  for (std::size_t i = 0; i < h.size(); ++i) {
    State state = machine.model.initial_state();
    const auto look = [&](const Sample& sample) {
      const Vec3 p = compute_pose(machine.model, sample.state, machine.body).p;
      error[i] = std::max(error[i], (p - exact.position(sample.state.t)).norm());
    };
    run(machine.model, Spook{.h = h[i]}, state, {.t_end = 5.0, .observers = {look}});
  }
  const double fastest = 2.0 * std::sqrt(2 * 2 * gravity / 4.1);
  EXPECT_NEAR(measured("lead over v h/2", error[2] / (0.5 * h[2] * fastest)), 1.0, 0.05);
  EXPECT_NEAR(measured("order", fit_exponent(h, error)), 1.0, 0.05);
}

// ---- Slides ----

// Gravity at an angle β to the axis: s = ½ g cos β t² along it, m g sin β across. The stepper's
// recursion from a staggered start has this parabola exactly; what is left is the sag of 1e-12 m/N
// and rounding of 60 m over 5000 steps. The force is short by 3e-6 in the first step, when the rows
// take up their load.
TEST(Slides, follow_the_parabola_and_carry_the_weight_across) {
  struct Slide {
    std::string name;
    Vec3 start, acceleration;
  };
  const double g = gravity;
  const std::array slides{
      Slide{"Prismatic_Case01", {2, 0, 0}, {0, 0, -g}},
      Slide{"Prismatic_Case02", {3, 2, 3}, {0, -g / 2, -g / 2}},
      Slide{"Prismatic_Case03", {3, 2, 3}, {0, 0, 0}},
      Slide{"Cylindrical_Case01", {2, 0, 0}, {0, 0, -g}},
  };
  for (const Slide& slide : slides) {
    SCOPED_TRACE(slide.name);
    const Vec3 across = Vec3(0, 0, -g) - slide.acceleration;
    const Exact exact{.position = [&](double t) -> Vec3 {
                        return slide.start + 0.5 * t * t * slide.acceleration;
                      },
                      .force = [&](double) { return across; }};
    for (const double h : {1e-2, 1e-3}) {
      const Machine machine = find_case(slide.name).make();
      const Errors errors = errors_of(simulate(machine, Spook{.h = h}), exact);
      EXPECT_LT(measured(slide.name + " position error", errors.position), 1e-9);
      EXPECT_LT(measured(slide.name + " force error", errors.force), 1e-5 * g);
    }
  }
}

// A lift on a vertical slide, z = A (1 − cos w t): the drive exerts m (g + z̈). The row takes the
// mean speed of its target over each step, so that poses are right up to the sag, and the force has
// the second difference of z for z̈: wrong by m h² A w⁴/12. The staggered start gives the row the
// mean speed that it expects of the step before.                                         [SP.10]
TEST(Lift, is_driven_with_the_force_of_gravity_and_acceleration) {
  const double A = 1.0, w = 3.0, m = 2.0;
  const auto make = [&](JointId& slide, ControlId& drive) {
    ModelBuilder b{{.gravity = {0, 0, -gravity}}};
    const BodyId cabin = b.add_body({.name = "cabin", .mass = box_of_mass({0.5, 0.5, 1.0}, m)});
    slide = b.add_joint(Prismatic{.name = "slide", .b = cabin, .relaxation = stiff});
    drive = b.add_control(Motion{.name = "drive",
                                 .on = slide,
                                 .target = [=](double t) { return A * (1 - std::cos(w * t)); },
                                 .compliance = 1e-12});
    return std::move(b).build();
  };
  const std::array steps{4e-3, 2e-3, 1e-3};
  std::array<double, 3> position{}, force{};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    JointId slide;
    ControlId drive;
    const Model model = make(slide, drive);
    State state = model.initial_state();
    const auto look = [&](const Sample& sample) {
      const double t = sample.state.t, before = t - sample.h;
      const double z = sample.state.s(0);
      position[i] = std::max(position[i], std::abs(z - A * (1 - std::cos(w * t))));
      if (sample.step < 20) return;  // the row, closed at the start, still takes up its sag
      const double exact = m * (gravity + A * w * w * std::cos(w * before));
      const double f = compute_control_force(sample.impulses(), drive);
      force[i] = std::max(force[i], std::abs(f - exact));
    };
    run(model, Spook{.h = steps[i]}, state,
        {.t_end = 5.0, .staggered_start = true, .observers = {look}});
  }
  const double h = steps[2];
  EXPECT_LT(measured("position error", position[2]), 1.3e-12 * m * (gravity + A * w * w));
  EXPECT_LT(measured("force error", force[2]), 1.05 * m * h * h * A * std::pow(w, 4) / 12);
  EXPECT_GT(measured("order of forces", fit_exponent(steps, force)), 1.95);
}

// ---- Springs and dampers ----

enum class Damper : unsigned char { none, of_the_spring, motor };

// One coordinate x with m ẍ + c ẋ + k x = 0: a mass on a spring, let go 0.2 m off its length, or a
// bar on a torsional spring.
struct Oscillation {
  std::string name;
  analytic::Oscillator exact;
  std::function<Model()> make;
  std::function<double(const Sample&)> force;
  std::function<double(const State&)> position;
  bool turns = false;  // an angle, of a centre that goes round
};

Oscillation make_mass_on_spring(double damping) {
  const analytic::Oscillator exact{
      .mass = 1.0, .stiffness = 100.0, .damping = damping, .start = 0.2};
  const auto make = [=] {
    ModelBuilder b{{.gravity = Vec3::Zero()}};
    const BodyId bob = b.add_body({.name = "bob",
                                   .kind = BodyKind::particle,
                                   .mass = {.mass = exact.mass},
                                   .position = {2.2, 0, 0}});
    b.add_joint(Spring{.name = "spring",
                       .b = bob,
                       .point_a = Vec3::Zero(),
                       .length = 2.0,
                       .stiffness = exact.stiffness,
                       .damping = damping});
    return std::move(b).build();
  };
  // The particle hangs in no frame but the world's: x is the first axis.
  const auto force = [](const Sample& sample) {
    const JointLoad load = compute_joint_load(sample.model, sample.impulses(), JointId{0});
    return (sample.model.joint(JointId{0}).frame_a.R * load.force).x();
  };
  return {"mass", exact, make, force, [](const State& x) { return x.q(7) - 2.0; }};
}

Oscillation make_bar_on_torsional_spring(double damping, Damper damper) {
  const analytic::Oscillator exact{
      .mass = 4.1, .stiffness = 200.0, .damping = damping, .start = -0.3};
  const auto make = [=] {
    ModelBuilder b{{.gravity = Vec3::Zero()}};
    const MassProperties mass{.mass = 1.0, .inertia = Vec3(0.04, 0.1, 0.1).asDiagonal()};
    const BodyId bar = b.add_body({.name = "bar", .mass = mass, .position = {2, 0, 0}});
    const JointId hinge = b.add_joint(Hinge{.name = "hinge", .b = bar, .relaxation = stiff});
    b.add_control(Servo{.name = "spring",
                        .on = hinge,
                        .target = 0.3,
                        .stiffness = exact.stiffness,
                        .damping = damper == Damper::of_the_spring ? damping : 0.0});
    if (damper == Damper::motor)
      b.add_control(
          Motor{.name = "damper", .on = hinge, .speed = 0.0, .inverse_drag = 1.0 / damping});
    return std::move(b).build();
  };
  const auto force = [=](const Sample& sample) {
    double sum = compute_control_force(sample.impulses(), ControlId{0});
    if (damper == Damper::motor) sum += compute_control_force(sample.impulses(), ControlId{1});
    return sum;
  };
  return {"bar", exact, make, force, [](const State& x) { return x.s(0) - 0.3; }, true};
}

Errors errors_of(const Oscillation& oscillation, const analytic::Oscillator& exact, double h) {
  const Model model = oscillation.make();
  State state = model.initial_state();
  Errors worst;
  const auto look = [&](const Sample& sample) {
    const double t = sample.state.t, x = oscillation.position(sample.state);
    worst.position = std::max(worst.position, std::abs(x - exact.position(t)));
    if (sample.step == 0) return;
    const double force = oscillation.force(sample) - exact.force(t - h);
    worst.force = std::max(worst.force, std::abs(force));
  };
  run(model, Spook{.h = h}, state, {.t_end = 5.0, .staggered_start = true, .observers = {look}});
  return worst;
}

// Without a damper the mean of three poses makes the trapezoidal rule of it: the phase lags by
// (ω h)²/12 of itself, after 5 s at ω = 10 /s and h = 1e-3 by 4.2e-4 rad. The bar lags also because
// curvature moves its centre out by 2.5/2 (h φ̇)² of the arm [SP.6], which counts half for the
// frequency and twice for the inertia, half of it in the mean; and because the Cayley map turns by
// (h φ̇)²/12 too little.
TEST(Springs, oscillate_as_the_closed_form_to_second_order) {
  for (const Oscillation& o :
       {make_mass_on_spring(0.0), make_bar_on_torsional_spring(0.0, Damper::none)}) {
    SCOPED_TRACE(o.name);
    const double h = 1e-3, w = o.exact.frequency(), a = std::abs(o.exact.start);
    const double turn = o.turns ? std::pow(h * a * w, 2) : 0.0;
    const double lag = (std::pow(w * h, 2) / 12 + 1.25 * turn / 2 + turn / 12) * w * 5.0;
    const Errors fine = errors_of(o, o.exact, h), coarse = errors_of(o, o.exact, 4 * h);
    EXPECT_LT(measured(o.name + " position error over amplitude", fine.position / a), lag);
    EXPECT_LT(measured(o.name + " force error over largest", fine.force / (o.exact.stiffness * a)),
              lag + std::pow(w * h, 2));
    EXPECT_GT(measured(o.name + " order", std::log(coarse.position / fine.position) / std::log(4)),
              1.95);
  }
}

// The damper of a spring is fitted to the step [SP.11]: second order, and the lag of the springs
// above, (ω h)²/12 of the phase, as long as it swings (1/δ): ω/δ radians, at most 1/e of them
// count.
TEST(Springs, with_dampers_follow_the_closed_form_to_second_order) {
  for (const Oscillation& o :
       {make_mass_on_spring(5.0), make_bar_on_torsional_spring(10.0, Damper::of_the_spring)}) {
    SCOPED_TRACE(o.name);
    const std::array steps{4e-3, 2e-3, 1e-3};
    std::array<double, 3> error{};
    for (std::size_t i = 0; i < steps.size(); ++i)
      error[i] = errors_of(o, o.exact, steps[i]).position;
    EXPECT_GT(measured(o.name + " order", fit_exponent(steps, error)), 1.95);
    const double h = steps[2], w = o.exact.frequency(), a = std::abs(o.exact.start);
    const double turn = o.turns ? std::pow(h * a * w, 2) : 0.0;
    // The fit takes the mobility of the row alone, of the bar without its hinge 1/0.1: it is late
    // by z/12 of a step, as if the mass were larger by c h z/12.
    const double c = o.exact.damping, z = h * c * (o.turns ? 10.0 : 1.0 / o.exact.mass);
    const double lag =
        std::pow(w * h, 2) / 12 + 1.25 * turn / 2 + turn / 12 + 0.5 * c * h * z / 12 / o.exact.mass;
    EXPECT_LT(measured(o.name + " error over amplitude", error[2] / a),
              1.5 * lag * w / o.exact.decay() / std::numbers::e);
  }
}

// A motor that stands in for a damper acts with the velocity at the end of the step, half a step
// after the force is due: c v⁺ = c (v + ½ h v̇). That is first order, and the same as more mass:
// m + c h/2. With this mass the closed form is followed to second order.
TEST(Springs, with_a_motor_for_a_damper_have_half_a_step_of_damping_as_additional_mass) {
  const Oscillation o = make_bar_on_torsional_spring(10.0, Damper::motor);
  const std::array steps{4e-3, 2e-3, 1e-3};
  std::array<double, 3> plain{}, heavier{};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    analytic::Oscillator heavy = o.exact;
    heavy.mass += 0.5 * heavy.damping * steps[i];
    plain[i] = errors_of(o, o.exact, steps[i]).position;
    heavier[i] = errors_of(o, heavy, steps[i]).position;
  }
  EXPECT_NEAR(measured("order", fit_exponent(steps, plain)), 1.0, 0.02);
  EXPECT_GT(measured("order against the heavier mass", fit_exponent(steps, heavier)), 1.95);
  // d(x)/dm · c h/2 ≤ a (c h/4m) ω t e^{−δ t} ≤ a (c h/4m) (ω/δ)/e.
  const double shift = 0.25 * o.exact.damping * steps[2] / o.exact.mass;
  const double ratio = o.exact.frequency() / o.exact.decay() / std::numbers::e;
  EXPECT_LT(measured("error over amplitude", plain[2] / std::abs(o.exact.start)),
            1.5 * shift * ratio);
}

}  // namespace
}  // namespace ligament::adams
