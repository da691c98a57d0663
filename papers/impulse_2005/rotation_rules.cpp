// SPDX-License-Identifier: Apache-2.0
// How bodies turn in free flight decides the order. The step of the paper for two boxes on ball
// joints, written out, with rules of rotation that the engine does not offer because they fail.
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

#include "papers/impulse_2005/experiments.h"
#include "papers/impulse_2005/machines.h"
#include "papers/orders.h"
#include "papers/simulate.h"

namespace ligament::papers::impulse {
namespace {

enum class Rule : unsigned char {
  constant,
  explicit_euler,
  explicit_midpoint,
  implicit_midpoint,
  runge_kutta
};

struct Box {
  double mass;
  Vec3 inertia;                 // about its own axes
  Vec3 anchor, other{0, 0, 0};  // of the joint to what is before it, and to the next, in its axes
  Vec3 c, v;
  Mat3 R;
  Vec3 w;  // angular velocity in its own axes

  Vec3 gyrate(const Vec3& spin) const {
    return inertia.cwiseProduct(spin).cross(spin).cwiseQuotient(inertia);
  }
};
using Boxes = std::array<Box, 2>;
using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;
using Rows = Eigen::Matrix<double, 6, 12>;
using Vec6 = Eigen::Matrix<double, 6, 1>;

Mat3 skew(const Vec3& a) {
  return Mat3{{0, -a.z(), a.y()}, {a.z(), 0, -a.x()}, {-a.y(), a.x(), 0}};
}

Mat3 turn(const Vec3& by) {
  const double angle = by.norm();
  return angle > 0.0 ? Eigen::AngleAxisd(angle, by / angle).toRotationMatrix() : Mat3::Identity();
}

// Free rotation of a box for h.
void rotate(Rule rule, double h, Box& box) {
  const Vec3 w = box.w, k1 = box.gyrate(w);
  if (rule == Rule::constant) {  // in the world
    box.R = turn(h * (box.R * w)) * box.R;
    return;
  }
  if (rule == Rule::explicit_euler) {
    box.w = w + h * k1;
    box.R *= turn(h * box.w);
    return;
  }
  if (rule == Rule::implicit_midpoint) {
    Vec3 mean = w;
    for (int i = 0; i < 40; ++i) mean = w + 0.5 * h * box.gyrate(mean);  // contracts by h |w|/2
    box.w = 2.0 * mean - w;
    box.R *= turn(h * mean);
    return;
  }
  const Vec3 middle = w + 0.5 * h * k1, k2 = box.gyrate(middle);
  if (rule == Rule::explicit_midpoint) {
    box.w = w + h * k2;
    box.R *= turn(h * middle);
    return;
  }
  const Vec3 w3 = w + 0.5 * h * k2, k3 = box.gyrate(w3), w4 = w + h * k3, k4 = box.gyrate(w4);
  const Mat3 R = box.R, R1 = R * skew(w), R2 = (R + 0.5 * h * R1) * skew(middle),
             R3 = (R + 0.5 * h * R2) * skew(w3), R4 = (R + h * R3) * skew(w4);
  box.w = w + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  box.R = Quat(Mat3(R + h / 6.0 * (R1 + 2.0 * R2 + 2.0 * R3 + R4))).normalized().toRotationMatrix();
}

Vec6 find_gaps(const Boxes& boxes) {
  const auto& [one, two] = boxes;
  Vec6 g;
  g.head<3>() = one.c + one.R * one.anchor;
  g.tail<3>() = two.c - one.c + two.R * two.anchor - one.R * one.other;
  return g;
}

// Of velocities in the world (v, w of one and of two).
Rows find_rows(const Boxes& boxes) {
  const auto& [one, two] = boxes;
  const Mat3 E = Mat3::Identity();
  Rows J = Rows::Zero();
  J.block<3, 3>(0, 0) = E;
  J.block<3, 3>(0, 3) = -skew(one.R * one.anchor);
  J.block<3, 3>(3, 0) = -E;
  J.block<3, 3>(3, 3) = skew(one.R * one.other);
  J.block<3, 3>(3, 6) = E;
  J.block<3, 3>(3, 9) = -skew(two.R * two.anchor);
  return J;
}

Mat12 find_inverse_masses(const Boxes& boxes) {
  Mat12 W = Mat12::Zero();
  for (int i = 0; i < 2; ++i) {
    const Box& box = boxes[static_cast<std::size_t>(i)];
    W.block<3, 3>(6 * i, 6 * i) = Mat3::Identity() / box.mass;
    W.block<3, 3>(6 * i + 3, 6 * i + 3) =
        box.R * box.inertia.cwiseInverse().asDiagonal() * box.R.transpose();
  }
  return W;
}

Vec12 velocities_of(const Boxes& boxes) {
  Vec12 u;
  u << boxes[0].v, boxes[0].R * boxes[0].w, boxes[1].v, boxes[1].R * boxes[1].w;
  return u;
}

void set_velocities(const Vec12& u, Boxes& boxes) {
  for (int i = 0; i < 2; ++i) {
    Box& box = boxes[static_cast<std::size_t>(i)];
    box.v = u.segment<3>(6 * i);
    box.w = box.R.transpose() * u.segment<3>(6 * i + 3);
  }
}

// One step of the paper: impulses at the start that close the joints at the end, then the velocity
// correction. Returns how far the joints are open.
double step_boxes(Rule rule, double h, Boxes& boxes) {
  const Vec3 gravity(0, -9.81, 0);
  const Boxes start = boxes;
  const Mat12 W = find_inverse_masses(start);
  const Eigen::Matrix<double, 12, 6> WJt = W * find_rows(start).transpose();
  Vec12 u = velocities_of(start);
  for (int pass = 0; pass < 50; ++pass) {
    boxes = start;
    set_velocities(u, boxes);
    for (Box& box : boxes) {
      box.c += h * box.v + 0.5 * h * h * gravity;
      box.v += h * gravity;
      rotate(rule, h, box);
    }
    const Vec6 g = find_gaps(boxes);
    if (g.lpNorm<Eigen::Infinity>() <= 1e-13) break;
    u -= WJt * (find_rows(boxes) * WJt).partialPivLu().solve(g) / h;
  }
  const Rows J = find_rows(boxes);
  const Eigen::Matrix<double, 12, 6> correction = find_inverse_masses(boxes) * J.transpose();
  const Vec12 end = velocities_of(boxes);
  set_velocities(end - correction * (J * correction).ldlt().solve(J * end), boxes);
  return find_gaps(boxes).lpNorm<Eigen::Infinity>();
}

double find_energy(const Boxes& boxes) {
  double sum = 0.0;
  for (const Box& box : boxes)
    sum += 0.5 * box.mass * box.v.squaredNorm() + 9.81 * box.mass * box.c.y() +
           0.5 * box.w.dot(box.inertia.cwiseProduct(box.w));
  return sum;
}

Boxes read_boxes(const Machine& machine) {
  const auto inertia = [](double m, const Vec3& s) {
    const Vec3 q = s.cwiseAbs2();
    return Vec3(m / 12.0 * Vec3(q.y() + q.z(), q.x() + q.z(), q.x() + q.y()));
  };
  Boxes boxes{Box{.mass = 1.0, .inertia = inertia(1.0, {1, .3, .2})},
              Box{.mass = 2.0, .inertia = inertia(2.0, {.4, .8, .15})}};
  for (std::uint32_t i = 0; i < 2; ++i) {
    Box& box = boxes[i];
    const Frame pose = compute_pose(machine.model, machine.start, {i + 1});
    box.c = pose.p;
    box.R = pose.R.toRotationMatrix();
    box.v = velocity_of(machine.model, machine.start, {i + 1});
    box.w = box.R.transpose() * compute_angular_velocity(machine.model, machine.start, {i + 1});
    box.anchor = box.R.transpose() * (Vec3(i, 0, 0) - box.c);
    box.other = box.R.transpose() * (Vec3(1, 0, 0) - box.c);
  }
  return boxes;
}

struct Trial {
  const char* label;
  double error, order;  // of the notes at the finest step
};

struct Course {
  double error = 0.0, gap = 0.0, swing = 0.0;  // [m]; [m]; [J] largest change of energy
};

Course fly_boxes(Rule rule, double h, const Machine& machine, const State& truth) {
  Boxes boxes = read_boxes(machine);
  const double start = find_energy(boxes);
  Course out;
  for (long i = 0; i < std::lround(1.0 / h); ++i) {
    out.gap = std::max(out.gap, step_boxes(rule, h, boxes));
    out.swing = std::max(out.swing, std::abs(find_energy(boxes) - start));
  }
  for (std::uint32_t i = 0; i < 2; ++i) {
    const Frame end = compute_pose(machine.model, truth, {i + 1});
    out.error +=
        (end.p - boxes[i].c).squaredNorm() + (end.R.toRotationMatrix() - boxes[i].R).squaredNorm();
  }
  out.error = std::sqrt(out.error);
  return out;
}

Claim make_claim(std::string text, double expected, double measured, Band band,
                 const char* reason) {
  return {.text = std::move(text),
          .source = "section 3",
          .expected = expected,
          .measured = measured,
          .tolerance = band,
          .reason = reason};
}

// The energy over 100 s at h = 0.01, by hand and by the engine.
void add_long_flights(const Effort& effort, const Machine& machine, Experiment& out) {
  const double T = effort.quick ? 30.0 : 100.0, h = 0.01;
  const long steps = std::lround(T / h);
  const auto fly_on = [&](Rule rule) {
    Boxes boxes = read_boxes(machine);
    std::vector<double> change{find_energy(boxes)};
    for (long i = 0; i < steps; ++i) {
      step_boxes(rule, h, boxes);
      change.push_back(find_energy(boxes) - change.front());
    }
    change.front() = 0.0;
    return change;
  };
  const auto size_of = [](const std::vector<double>& change) {
    const auto [least, most] = std::ranges::minmax_element(change);
    return std::max(-*least, *most);
  };
  std::vector<double> axes;
  State state = machine.start;
  Workspace work(machine.model);
  const double start = compute_energy(machine.model, state).total();
  for (long i = 0; i < steps; ++i) {
    take_step(machine.model, table_method(h), state, work);
    axes.push_back(compute_energy(machine.model, state).total() - start);
  }
  out.claims.push_back(make_claim(
      fmt::format("Explicit midpoint gains energy, mean of {} s [W]", T), 1.6e-2,
      fly_on(Rule::explicit_midpoint).back() / T, above(5e-3),
      "of an explicit rule the energy grows, by how much depends on the path, which is chaotic"));
  // The explicit rule gains 1.6 J.
  const char* band =
      "a band of O(h²), twice that of the notes: how wide the path makes it hangs on rounding, for "
      "it is chaotic; the energy is −7.7 J";
  out.claims.push_back(make_claim("… while implicit midpoint stays within [J]", 0.35,
                                  size_of(fly_on(Rule::implicit_midpoint)), below(0.7), band));
  out.claims.push_back(make_claim("… and Runge–Kutta [J]", 0.35, size_of(fly_on(Rule::runge_kutta)),
                                  below(0.7), band));
  out.claims.push_back(
      make_claim("… and the axes of the engine [J]", 0.35, size_of(axes), below(0.7), band));
}

}  // namespace

Experiment show_rotation_rules(const Effort& effort) {
  Experiment out{
      .title = "Other rules of rotation",
      .source = "section 3",
      .paper_says =
          "Bodies are replaced by point masses, so that rotation needs no rule of its own.",
      .we_did =
          "Two boxes on ball joints over 1 s (papers/impulse_2005/boxes.json), in the step of the "
          "paper written out, with free flights that turn by other rules than the engine's: norm "
          "over centres and rotation matrices."};
  const Machine machine = read_machine("boxes");
  const State truth = find_truth(machine, 1.0);
  const std::vector<double> steps{0.005, 0.0025, 0.00125};
  Figure figure{.title = "Two boxes, error at 1 s",
                .x = {.label = "step h [s]", .logarithmic = true},
                .y = {.label = "error [m]", .logarithmic = true}};
  const std::pair<Rule, Trial> trials[] = {
      {Rule::implicit_midpoint, {"Implicit midpoint", 1.24e-4, 2.0}},
      {Rule::runge_kutta, {"Runge–Kutta of order four", 1.57e-4, 2.0}},
      {Rule::explicit_midpoint, {"Explicit midpoint", 1.73e-4, 2.0}},
      {Rule::explicit_euler, {"Explicit Euler", 1.73e-2, 1.0}},
      {Rule::constant, {"Constant velocity", 1.24, 0.0}}};
  double gap = 0.0;
  std::vector<double> swings;  // of the last rule, at each step
  for (const auto& [rule, trial] : trials) {
    Curve curve{.label = trial.label, .x = steps, .mark = Mark::both};
    swings.clear();
    for (const double h : steps) {
      const Course course = fly_boxes(rule, h, machine, truth);
      curve.y.push_back(course.error);
      gap = std::max(gap, course.gap);
      swings.push_back(course.swing);
    }
    out.claims.push_back(make_claim(fmt::format("{}, h = 0.00125: error [m]", trial.label),
                                    trial.error, curve.y.back(), within(trial.error, 5e-3),
                                    "three digits"));
    out.claims.push_back(make_claim("… its order", trial.order, fit_order(steps, curve.y),
                                    {trial.order - 0.05, trial.order + 0.05},
                                    "the next term of the expansion"));
    figure.curves.push_back(std::move(curve));
  }
  out.claims.push_back(make_claim("… though joints are closed, by all rules [m]", 1e-13, gap,
                                  below(1e-12), "the tolerance asked for is 1e-13"));
  out.claims.push_back(make_claim("… and by constant velocity the energy hardly changes [J]", 7e-4,
                                  swings.back(), {6.5e-4, 7.5e-4}, "one digit is given"));
  out.claims.push_back(make_claim("… with order two, though the motion is wrong", 2.0,
                                  fit_order(steps, swings), {1.95, 2.05},
                                  "the next term of the expansion"));
  add_long_flights(effort, machine, out);
  out.pictures.push_back(
      {.file = "errors",
       .figure = std::move(figure),
       .caption = "Closed joints and a small change of energy do not prove that motion is right."});
  return out;
}

}  // namespace ligament::papers::impulse
