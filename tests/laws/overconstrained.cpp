// SPDX-License-Identifier: Apache-2.0
// Mechanisms with more constraint rows than their freedoms ask for: Bricard's six-bar,
// parallelograms that go through their flat position, doors on many hinges, tables on four legs.
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "analytic/bricard.h"
#include "support/fit.h"
#include "support/measured.h"
#include "support/probe.h"

namespace ligament {
namespace {

constexpr double pi = std::numbers::pi, g = 9.81;

// Velocities minus the rank of G: its singular values above the threshold, in metres and radians.
int freedoms_of(const MatX& G, double threshold) {
  const VecX sizes = Eigen::JacobiSVD<MatX>(G).singularValues();
  return static_cast<int>(G.cols() -
                          std::ranges::count_if(sizes, [&](double s) { return s > threshold; }));
}

// ---- Bricard's six-bar: five bars of 1 m and 1 kg, 0.1 m square, six hinges ----

const MassProperties bar = box_of_mass({0.5, 0.05, 0.05}, 1.0);

Model make_bricard(const analytic::BricardAngles& angles) {
  const analytic::BricardPose pose = analytic::compute_bricard_pose(angles);
  ModelBuilder b{{.gravity = {0, -g, 0}}};
  const Vec3 links[] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 1, 0}};
  for (std::size_t i = 0; i < 5; ++i)
    b.add_body({.mass = bar,
                .position = 0.5 * (pose.hinge[i] + pose.hinge[i + 1]),
                .orientation = Quat(pose.turn[i]) * frame_with_x_along(links[i])});
  for (std::uint32_t i = 0; i < 6; ++i)
    b.add_joint(Hinge{.a = {i}, .b = {(i + 1) % 6}, .point = pose.hinge[i], .axis = pose.axis[i]});
  return std::move(b).build();
}

// 30 velocities, 30 rows: the count says that it is rigid. The pose is exact to 1e-12, so the
// singular value of the motion is that small, and those of the rows are of the order of one.
TEST(Bricard, has_one_degree_of_freedom_where_the_count_says_none) {
  for (const double s : {-1.5, -0.4, 0.0, 0.3, 1.0, 2.5}) {
    const Model model = make_bricard(analytic::compute_bricard_angles(s));
    const MatX G = compute_rows(model, model.initial_state()).G;
    ASSERT_EQ(G.rows(), 30);
    ASSERT_EQ(G.cols(), 30);
    EXPECT_EQ(freedoms_of(G, 1e-9), 1) << s;
    EXPECT_EQ(freedoms_of(G, 1e-2), 1) << s;
  }
}

struct Swing {
  double loop = 0.0;      // worst |(1 + sin u)(1 + sin w) − 1|
  double symmetry = 0.0;  // [rad] worst difference of angles that are to be equal
  double time = 0.0;      // [s] to the first rest after the start
  double angle = 0.0;     // [rad] u there
  double energy = 0.0;    // [J] worst distance from the start
};

// Follows the fall from the cube for three seconds. Velocities are those of half a step ago.
Swing follow_bricard(double h) {
  const Model model = make_bricard({});
  State state = model.initial_state();
  Swing swing;
  double start = 0.0, last_speed = 0.0, last_angle = 0.0;
  const auto look = [&](const Sample& sample) {
    const VecX& s = sample.state.s;
    const double product = (1 + std::sin(s(0))) * (1 + std::sin(s(1)));
    swing.loop = std::max(swing.loop, std::abs(product - 1.0));
    for (const int i : {0, 1, 2, 3})
      swing.symmetry = std::max(swing.symmetry, std::abs(s(i + 2) - s(i)));
    if (sample.step == 0) start = sample.energy.total();
    swing.energy = std::max(swing.energy, std::abs(sample.energy.total() - start));
    const double speed = (s(0) - last_angle) / h;
    if (sample.step > 1 && swing.time == 0.0 && speed * last_speed < 0.0) {
      const double part = last_speed / (last_speed - speed);
      swing.time = sample.state.t - 1.5 * h + part * h;
      swing.angle = last_angle;
    }
    last_speed = speed;
    last_angle = s(0);
  };
  const RunReport report = run(model, Spook{.h = h}, state,
                               {.t_end = 3.0, .staggered_start = true, .observers = {look}});
  EXPECT_EQ(report.status, RunStatus::completed);
  return swing;
}

// Against the closed form of its one freedom. With the staggered start the motion is right to
// second order in free motion; the joints dissipate and give way by O(h²) of their curvature, so
// that what is measured must shrink by the second power of h, and is bounded by (h ω)² with ω ≈ 10
// rad/s, the fastest turn in the fall, times the constant 2.5 of [SP.6].
TEST(Bricard, falls_and_swings_as_its_closed_form_says) {
  double end = 0.0;
  const double time =
      analytic::compute_bricard_swing(g, bar.inertia(1, 1), bar.inertia(0, 0), &end);
  const double angle = analytic::compute_bricard_angles(end).u;
  measured("closed form: time of a swing [s]", time);
  measured("closed form: u at its end [rad]", angle);
  std::vector<double> steps, times, loops, energies;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    const Swing swing = follow_bricard(h);
    steps.push_back(h);
    times.push_back(std::abs(swing.time - time));
    loops.push_back(swing.loop);
    energies.push_back(swing.energy);
    const double bound = 2.5 * std::pow(10.0 * h, 2);
    EXPECT_LT(swing.loop, bound) << h;
    EXPECT_LT(swing.symmetry, bound) << h;
    EXPECT_LT(std::abs(swing.time - time) / time, bound) << h;
    EXPECT_NEAR(swing.angle, angle, 10.0 * bound) << h;  // flat there: the angle is of the energy
  }
  measured("error of the time at h = 1e-3 [s]", times.back());
  measured("order of the time", fit_exponent(steps, times));
  EXPECT_GT(measured("order of the loop", fit_exponent(steps, loops)), 1.8);
  // Kinetic plus potential ripples by half a step of gravity's power, 5 kg × g × some 3 m/s.
  EXPECT_GT(measured("order of the energy", fit_exponent(steps, energies)), 0.9);
  EXPECT_LT(measured("energy at h = 1e-3 [J]", energies.back()), 0.5 * 1e-3 * 5.0 * g * 5.0);
}

// ---- Parallelograms ----

// `cells` parallelograms in a row, cranks of 0.5 m on a base of 1 m a cell, spinning.
struct Parallelograms {
  int cells = 1;
  double angle = 1.0, speed = 0.0;  // [rad], [rad/s] of the cranks
  double gravity = 0.0;             // [m/s²] along −y
  double heavier = 0.0;             // [kg] each crank than the one before: 1 kg the first
};

Model make_parallelograms(const Parallelograms& given) {
  const double angle = given.angle, speed = given.speed;
  const int cells = given.cells;
  ModelBuilder b{{.gravity = {0, -given.gravity, 0}}};
  const double r = 0.5;
  const Vec3 crank = r * Vec3(std::cos(angle), std::sin(angle), 0);
  const Vec3 velocity = speed * Vec3::UnitZ().cross(crank);
  std::vector<BodyId> cranks;
  for (int i = 0; i <= cells; ++i) {
    const Vec3 foot(i, 0, 0);
    cranks.push_back(
        b.add_body({.name = "crank " + std::to_string(i),
                    .mass = box_of_mass({0.5 * r, 0.05, 0.05}, 1.0 + i * given.heavier),
                    .position = foot + 0.5 * crank,
                    .orientation = Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ())),
                    .velocity = 0.5 * velocity,
                    .angular_velocity = {0, 0, speed}}));
    b.add_joint(Hinge{.b = cranks.back(), .point = foot});
  }
  for (int i = 0; i < cells; ++i) {
    const Vec3 left = Vec3(i, 0, 0) + crank, right = left + Vec3::UnitX();
    const BodyId coupler = b.add_body({.name = "coupler " + std::to_string(i),
                                       .mass = bar,
                                       .position = 0.5 * (left + right),
                                       .velocity = velocity});
    const auto at = static_cast<std::size_t>(i);
    b.add_joint(Hinge{.a = cranks[at], .b = coupler, .point = left});
    b.add_joint(Hinge{.a = coupler, .b = cranks[at + 1], .point = right});
  }
  return std::move(b).build();
}

// 3 redundant rows a cell, out of the plane, and one freedom; flat, each cell may also fold.
TEST(Parallelograms, have_one_degree_of_freedom_and_one_more_a_cell_when_flat) {
  for (const int cells : {1, 2, 4}) {
    const Model open = make_parallelograms({.cells = cells}),
                flat = make_parallelograms({.cells = cells, .angle = 0.0});
    EXPECT_EQ(freedoms_of(compute_rows(open, open.initial_state()).G, 1e-9), 1);
    EXPECT_EQ(freedoms_of(compute_rows(flat, flat.initial_state()).G, 1e-9), 1 + cells);
  }
}

struct Turning {
  double tilt = 0.0;        // [rad] worst angle of a coupler
  double difference = 0.0;  // [rad] worst difference between cranks
  double energy = 0.0;      // relative, worst loss
  double turns = 0.0;
};

Turning turn_parallelograms(const Parallelograms& given, double h, double t_end) {
  const Model model = make_parallelograms(given);
  const int cells = given.cells;
  State state = model.initial_state();
  Turning result;
  double start = 0.0;
  const auto look = [&](const Sample& sample) {
    if (sample.step == 0) start = sample.energy.total();
    result.energy = std::max(result.energy, std::abs(sample.energy.total() / start - 1.0));
    for (int i = 0; i <= cells; ++i)
      result.difference =
          std::max(result.difference, std::abs(sample.state.s(i) - sample.state.s(0)));
    for (int i = 0; i < cells; ++i) {
      const BodyId coupler{static_cast<std::uint32_t>(cells + 2 + i)};
      const Quat R = compute_pose(sample.model, sample.state, coupler).R;
      result.tilt = std::max(result.tilt, std::abs(2.0 * std::atan2(R.z(), R.w())));
    }
  };
  const RunReport report = run(model, Spook{.h = h}, state, {.t_end = t_end, .observers = {look}});
  EXPECT_EQ(report.status, RunStatus::completed);
  result.turns = state.s(0) / (2 * pi);
  return result;
}

// Folded flat, a gap γ along the bars lets a coupler tilt by √(2 γ/r) at most, and so become an
// antiparallelogram. The curvature of the paths opens the joints of all cranks alike and tilts
// nothing; what does is the give of the joints, γ = ε F, with F at most all the masses on the
// circle, Σ m (ω² r + g). With it the momentum carries the couplers through: they go on as
// parallelograms.
void expect_parallelograms(const Parallelograms& given, double h) {
  const Turning result = turn_parallelograms(given, h, 20.0);
  const double r = 0.5, cranks = given.cells + 1;
  const double mass = cranks + 0.5 * given.cells * cranks * given.heavier + given.cells;
  const double force = mass * (given.speed * given.speed * r + given.gravity);
  const double tilt = std::sqrt(2.0 * 1e-8 * force / r);
  EXPECT_LT(result.tilt, tilt) << given.cells << " cells, h = " << h;
  EXPECT_LT(result.difference, 2.0 * given.cells * tilt) << given.cells << " cells, h = " << h;
  EXPECT_GT(result.turns, 6.0);  // each of which is flat twice
}

TEST(Parallelograms, go_through_the_flat_position_and_stay_parallelograms) {
  for (const int cells : {1, 2, 4})
    for (const double heavier : {0.0, 1.0})
      for (const double h : {1.0 / 60, 1.0 / 240}) {
        expect_parallelograms({.cells = cells, .speed = 2.0, .heavier = heavier}, h);
        expect_parallelograms({.cells = cells, .speed = 10.0, .gravity = g, .heavier = heavier}, h);
      }
}

// Turning without gravity they lose energy in the curvature of the joints' paths only, by a power
// of the step of at least two: 0.7 % in 6.3 turns at h ω = 1/30.
TEST(Parallelograms, keep_their_energy_to_second_order_of_the_step) {
  std::vector<double> steps, losses;
  for (const double h : {1.0 / 60, 1.0 / 120, 1.0 / 240}) {
    steps.push_back(h);
    losses.push_back(turn_parallelograms({.cells = 2, .speed = 2.0}, h, 20.0).energy);
  }
  measured("loss at h = 1/60", losses[0]);
  EXPECT_GT(measured("order of the loss", fit_exponent(steps, losses)), 2.0);
}

// ---- Doors and tables ----

// A door on n hinges in line: the weight is shared in proportion to 1/compliance, whatever the
// place of the hinges on the line and of the door's centre, for all give way by the same sag. The
// sag tilts the door by some 1e-7 rad, which is the tolerance; the weight adds up to rounding.
TEST(Door, hangs_on_its_hinges_in_proportion_to_their_stiffness) {
  const double mass = 20.0;
  const std::vector<std::vector<double>> doors{
      {1e-8}, {1e-8, 1e-8}, {1e-8, 1e-8, 1e-8, 1e-8, 1e-8}, {1e-8, 3e-8, 2e-8, 5e-9}};
  for (const std::vector<double>& compliances : doors)
    for (const double h : {1.0 / 60, 1.0 / 1000}) {
      ModelBuilder b{{.gravity = {0, 0, -g}}};
      const BodyId door =
          b.add_body({.mass = box_of_mass({0.4, 0.02, 1.0}, mass), .position = {0.4, 0, 1.0}});
      std::vector<JointId> hinges;
      double stiffness = 0.0;
      for (std::size_t i = 0; i < compliances.size(); ++i) {
        hinges.push_back(b.add_joint(
            Hinge{.b = door,
                  .point = {0, 0, 0.2 + 0.37 * static_cast<double>(i)},
                  .relaxation = {.compliance = compliances[i], .angular_compliance = 1e-8}}));
        stiffness += 1.0 / compliances[i];
      }
      const Model model = std::move(b).build();
      State state = model.initial_state();
      Workspace work(model);
      take_steps(Spook{.h = h}, model, 600, state, work);
      const RowImpulses impulses{work.constraints, work.problem.G, work.frames,
                                 work.solution.lambda, h};
      double sum = 0.0;
      for (std::size_t i = 0; i < hinges.size(); ++i) {
        const double carried = compute_joint_load(model, impulses, hinges[i]).force.z();
        sum += carried;
        EXPECT_NEAR(carried, mass * g / (compliances[i] * stiffness), 1e-6 * mass * g)
            << i << " of " << hinges.size();
      }
      EXPECT_NEAR(sum, mass * g, 1e-9 * mass * g);
    }
}

// A rigid table on four equal legs, the classic of statics that equilibrium alone cannot solve:
// with elastic legs at (x_i, y_i) a load at (x, y) gives N_i = W (1/4 + x x_i/Σx² + y y_i/Σy²).
TEST(FourLegs, share_the_load_of_a_table_as_elastic_legs_do) {
  const double W = 100.0, a = 0.6, c = 0.4;
  const double corners[4][2] = {{a, c}, {-a, c}, {-a, -c}, {a, -c}};
  for (const Vec3& at : {Vec3(0, 0, 0), Vec3(0.2, 0.1, 0), Vec3(0, -0.3, 0)}) {
    ModelBuilder b{{.gravity = Vec3::Zero()}};
    const Vec3 force(0, 0, -W);
    const BodyId top = b.add_body(
        {.mass = box_of_mass({a, c, 0.02}, 10.0), .force = force, .torque = at.cross(force)});
    std::vector<JointId> legs;
    for (const auto& corner : corners)
      legs.push_back(b.add_joint(PointOnPlane{.b = top, .point = {corner[0], corner[1], 0}}));
    const Model model = std::move(b).build();
    State state = model.initial_state();
    Workspace work(model);
    take_steps(Spook{.h = 1.0 / 60}, model, 300, state, work);
    const RowImpulses impulses{work.constraints, work.problem.G, work.frames, work.solution.lambda,
                               1.0 / 60};
    for (std::size_t i = 0; i < 4; ++i) {
      const double x = corners[i][0], y = corners[i][1];
      const double expected = W * (0.25 + at.x() * x / (4 * a * a) + at.y() * y / (4 * c * c));
      EXPECT_NEAR(compute_joint_load(model, impulses, legs[i]).force.z(), expected, 1e-6 * W) << i;
    }
  }
}

}  // namespace
}  // namespace ligament
