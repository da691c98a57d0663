// SPDX-License-Identifier: Apache-2.0
// Theorem 9.3: springs that become rigid links; and when the matrix of a step is definite.
#include <Eigen/Dense>
#include <cmath>
#include <utility>

#include "papers/orders.h"
#include "papers/simulate.h"
#include "papers/trapezoidal_2004/experiments.h"
#include "papers/trapezoidal_2004/soft_pendulum.h"

namespace ligament::papers::trapezoidal {
namespace {

constexpr double h = 0.01;  // [s] of the scene

struct Stepped {
  VecX v;
  VecX lambda;  // of rods, springs and contacts
};

Stepped take_one(const SoftPendulum& machine) {
  const Scene scene = read_soft_pendulum(machine);
  State state = scene.model.initial_state();
  Workspace work(scene.model);
  take_step(scene.model, scene.stepper, state, work);
  return {state.v, work.solution.lambda};
}

// Force of a spring of 1e4 N/m and 1 m on a bob, from the origin.
Eigen::Vector2d pull(const Eigen::Vector2d& q) { return -1e4 * (q.norm() - 1.0) * q.normalized(); }

// The smallest eigenvalue of M − (h²/4) k_q of a bob of 1 kg on that spring pressed to 0.5 m, with
// k_q by differences of the force.
double least_eigenvalue(double step) {
  const Eigen::Vector2d q(0.3, 0.4);
  constexpr double d = 1e-5;
  Eigen::Matrix2d kq;
  for (int i = 0; i < 2; ++i) {
    const Eigen::Vector2d by = d * Eigen::Vector2d::Unit(i);
    kq.col(i) = (pull(q + by) - pull(q - by)) / (2.0 * d);
  }
  const Eigen::Matrix2d M = Eigen::Matrix2d::Identity() - 0.25 * step * step * kq;
  return M.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff();
}

// The step length at which it is zero, by bisection.
double find_bound() {
  double low = 0.0, high = 0.1;
  while (high - low > 1e-9) {
    const double middle = 0.5 * (low + high);
    (least_eigenvalue(middle) > 0.0 ? low : high) = middle;
  }
  return high;
}

// The step of the soft pendulum with its bob held to the wall, without friction, by three dense
// systems: springs as soft rows, springs in the mass matrix, M + a Jᵀ J, and a rigid link.
struct Forms {
  VecX rows, matrix, rigid;  // mean velocities
};

Forms solve_forms(double gamma) {
  const Scene scene = read_soft_pendulum({.gamma = gamma,
                                          .friction = 0.0,
                                          .x = 0.8,
                                          .y = -1.7,
                                          .v1 = {0.1, 0.2, 0.0},
                                          .v2 = {0.0, 0.3, 0.0}});
  State state = scene.model.initial_state();
  Workspace work(scene.model);
  take_step(scene.model, scene.stepper, state, work);
  const StepProblem& problem = work.problem;
  const MatX G = make_dense(problem.G), M = make_dense(problem.M);
  const auto solve = [&](const MatX& mass, const VecX& p, const std::vector<int>& rows,
                         const VecX& Sigma) {
    const Eigen::Index n = mass.rows(), m = static_cast<Eigen::Index>(rows.size());
    MatX K = MatX::Zero(n + m, n + m);
    VecX right(n + m);
    K.topLeftCorner(n, n) = mass;
    right.head(n) = p;
    for (Eigen::Index i = 0; i < m; ++i) {
      const int row = rows[static_cast<std::size_t>(i)];
      K.col(n + i).head(n) = -G.row(row).transpose();
      K.row(n + i).head(n) = G.row(row);
      K(n + i, n + i) = Sigma(row);
      right(n + i) = problem.b(row);
    }
    return VecX(K.partialPivLu().solve(right).head(n));
  };
  int spring = 0, rod = 1;
  if (!work.constraints.physics[0].elastic) std::swap(spring, rod);
  const int wall = problem.G.blocks.back().first_row;
  const VecX none = VecX::Zero(problem.rows()), J = G.row(spring).transpose();
  const double a = 1.0 / problem.Sigma(spring);
  const VecX push = a * problem.b(spring) * J;
  return {.rows = solve(M, problem.p, {rod, spring, wall}, problem.Sigma),
          .matrix = solve(M + a * J * J.transpose(), problem.p + push, {rod, wall}, none),
          .rigid = solve(M, problem.p, {rod, spring, wall}, none)};
}

// A bob of 1 kg at (1, 0, 0), 1 m from the origin, on a rod or on a spring and damper.
struct Tie {
  bool rigid = false;
  double gamma = 0.0, delta = 0.0;
  Vec3 gravity{0, -9.8, 0};  // [m/s²]
};

Model make_bob(const Tie& tie) {
  return read_paper_scene("trapezoidal_2004/bob.json",
                          {set("gamma", tie.gamma), set("delta", tie.delta),
                           set("rigid", tie.rigid), set("x", 1.0), set("vy", 0.0),
                           set("gx", tie.gravity.x()), set("gy", tie.gravity.y())})
      .model;
}

// The paper's step, as soft_pendulum.json has it.
Trapezoidal make_plain_step(double step) {
  return {.h = step, .compliance_floor = 0.0, .drift = DriftControl::none, .stop_events = false};
}

// The pendulum of a stiff spring over many steps: how far from the end of the true circle.
double error_of_stiff_spring(bool as_printed, double gamma, double step) {
  const Model rigid = make_bob({.rigid = true}), soft = make_bob({.gamma = gamma});
  const VecX truth = simulate(rigid, Trapezoidal{.h = 1.0 / 8192}, {.t_end = 1.0}).state.q;
  Trapezoidal method = make_plain_step(step);
  method.as_printed.spring_gradient = as_printed;
  return (simulate(soft, method, {.t_end = 1.0}).state.q - truth).norm();
}

// The largest distance of 200 iterates from those with a rod.
double find_distance_from_rod(const Tie& tie, bool as_printed) {
  const Model soft = make_bob(tie), rigid = make_bob({.rigid = true, .gravity = tie.gravity});
  Trapezoidal method = make_plain_step(h);
  method.as_printed.spring_gradient = as_printed;
  State one = soft.initial_state(), two = rigid.initial_state();
  Workspace work_one(soft), work_two(rigid);
  double largest = 0.0;
  for (int i = 0; i < 200; ++i) {
    take_step(soft, method, one, work_one);
    take_step(rigid, method, two, work_two);
    largest = std::max(largest, (one.q - two.q).norm());
  }
  return largest;
}

// 200 steps. On a straight line springs and dampers become the rod; on a circle, with the gradient
// as printed, springs do not.
void add_iterates(Experiment& out) {
  const Vec3 along{9.8, 0, 0};
  const double springs[] = {5.6e-7, 5.6e-9, 5.6e-11}, dampers[] = {1.6e-4, 1.6e-6, 1.7e-8};
  const char* reason = "a thousandth: 1/(h² γ), 1/(h δ) and roundings of q";
  for (int i = 0; i < 3; ++i) {
    const double gamma = std::pow(10.0, 8 + 2 * i), delta = std::pow(10.0, 4 + 2 * i);
    const double spring = find_distance_from_rod({.gamma = gamma, .gravity = along}, false);
    const double damper = find_distance_from_rod({.delta = delta, .gravity = along}, false);
    const char* unknown = "masses, loads and step of its machine";
    const auto add = [&](const std::string& text, double expected, double measured, bool judged) {
      out.claims.push_back(
          {.text = text,
           .source = "theorem 9.3",
           .unit = "m",
           .expected = expected,
           .measured = measured,
           .tolerance = judged ? Band{expected * 0.999 - 1e-15, expected * 1.001 + 1e-15} : Band{},
           .reason = judged ? reason : "",
           .unknown = judged ? "" : unknown});
    };
    add(fmt::format("Along a line, γ = {} N/m, 200 steps: farthest from the rod", power(gamma)),
        2.0 * 9.8 / gamma, spring, true);
    add("… in the notes", springs[i], spring, false);
    add(fmt::format("Along a line, δ = {} N s/m, 200 steps: farthest from the rod", power(delta)),
        9.8 * 200 * h / delta, damper, true);
    add("… in the notes", dampers[i], damper, false);
  }
  const double soft = find_distance_from_rod({.gamma = 1e8}, true);
  const double stiff = find_distance_from_rod({.gamma = 1e12}, true);
  out.claims.push_back({.text =
                            "On a circle, gradient as printed: farthest from the rod's iterates "
                            "at 1e12 N/m over that at 1e8 N/m",
                        .source = "theorem 9.3",
                        .expected = 1.0,
                        .measured = stiff / soft,
                        .tolerance = {0.95, 1.05},
                        .reason = "it does not converge: 1e-4 if it did"});
  out.claims.push_back({.text = "… that distance, γ = 1e12 N/m",
                        .source = "theorem 9.3",
                        .unit = "m",
                        .expected = 4.5e-2,
                        .measured = stiff,
                        .unknown = "start, step and length of its pendulum"});
  out.claims.push_back(
      {.text = "Pendulum on 1e8 N/m, gradient as printed, h = 2⁻¹¹: error at the end",
       .source = "theorem 9.3",
       .unit = "m",
       .expected = 2.2e-3,
       .measured = error_of_stiff_spring(true, 1e8, std::ldexp(1.0, -11)),
       .unknown = "start and length of its run"});
  const double given[] = {1.7e-4, 2.5e-5, 3.9e-6, 6.4e-7, 1.1e-7};
  for (int i = 0; i < 5; ++i)
    out.claims.push_back(
        {.text = fmt::format("Pendulum on 1e8 N/m, gradient ahead, h = 1/{}: error at the end",
                             32 << i),
         .source = "section 11, future work",
         .unit = "m",
         .expected = given[i],
         .measured = error_of_stiff_spring(false, 1e8, std::ldexp(1.0, -5 - i)),
         .unknown = "start and length of its run"});
}

// The limit over many steps: a pendulum on a stiff spring against one on a rod.
void add_many_steps(Experiment& out) {
  const std::vector<double> steps = halvings(std::exp2(-6), 6);
  std::vector<double> printed, ours;
  for (const double step : steps) {
    printed.push_back(error_of_stiff_spring(true, 1e10, step));
    ours.push_back(error_of_stiff_spring(false, 1e10, step));
  }
  out.claims.push_back(
      {.text = "Pendulum on a spring of 1e10 N/m, gradient as printed: order towards the rigid rod",
       .source = "(9.2), theorem 9.3",
       .expected = 1.0,
       .measured = fit_last_order(steps, printed, 4),
       .tolerance = {0.9, 1.1},
       .reason = "as of the other orders, over the last halvings",
       .correction =
           "Section 11 says that the sequence of steps goes to the one with rigid links; the "
           "theorem says it of one step. With the gradient at the start of the step the "
           "sequence goes elsewhere, and is of first order only; with the gradient at "
           "q + (h/2) v it is of second order."});
  out.claims.push_back({.text = "… and with the gradient at the predicted middle",
                        .source = "section 11, future work",
                        .expected = 2.0,
                        .measured = fit_last_order(steps, ours, 4),
                        .tolerance = {1.9, 2.1},
                        .reason = "as of the other orders, over the last halvings"});
  Curve first{
      .label = "gradient at the start, as printed", .x = steps, .y = printed, .mark = Mark::both};
  Curve second{.label = "gradient ahead", .x = steps, .y = ours, .mark = Mark::both};
  out.pictures.push_back({.file = "pendulum",
                          .figure = {.title = "Pendulum on a spring of 1e10 N/m, against a rod",
                                     .x = {.label = "step h [s]", .logarithmic = true},
                                     .y = {.label = "error at 1 s [m]", .logarithmic = true},
                                     .curves = {first, second, make_guide("h²", 2.0, second)}},
                          .caption = "Many steps: the paper's gradient costs an order."});
  Table table{.caption = "The same errors [m].", .head = {"h [s]", "as printed", "gradient ahead"}};
  for (std::size_t i = 0; i < steps.size(); ++i)
    table.rows.push_back({cell(steps[i]), cell(printed[i]), cell(ours[i])});
  out.tables.push_back(table);
}

// When the matrix of a step is definite.
void add_definiteness(Experiment& out) {
  const auto add = [&](const char* text, const char* unit, double expected, double measured,
                       double room, const char* reason) {
    out.claims.push_back({.text = text,
                          .source = "section 8",
                          .unit = unit,
                          .expected = expected,
                          .measured = measured,
                          .tolerance = {expected - room, expected + room},
                          .reason = reason});
  };
  const char* digits =
      "rounds to the digits that are given; the Jacobian is by differences of the "
      "force";
  add("Smallest eigenvalue of the step's matrix with the exact Jacobian, h = 0.019", "kg", 0.098,
      least_eigenvalue(0.019), 0.0005 + 1e-6, digits);
  add("… and at h = 0.0201: no longer definite", "kg", -0.010, least_eigenvalue(0.0201), 0.0005,
      digits);
  add("… and at h = 0.1", "kg", -24.0, least_eigenvalue(0.1), 1e-3, digits);
  add("… the step at which it is none", "s", 0.02, find_bound(), 1e-7,
      "closed form 2 √(m r/(γ |s|)); differences are off by a part of 1e-9");
}

// Springs as soft rows against springs in the mass matrix, as the paper has them.
void add_forms(Experiment& out) {
  const auto apart = [](const VecX& a, const VecX& b) { return (a - b).norm() / b.norm(); };
  const Forms soft = solve_forms(1e2), most = solve_forms(1e12), rigid = solve_forms(1e18);
  const auto add = [&](const char* text, double expected, double measured, Band band,
                       const char* reason, const char* unknown = "") {
    out.claims.push_back({.text = text,
                          .source = "(5.9), (9.2)",
                          .expected = expected,
                          .measured = measured,
                          .tolerance = band,
                          .reason = reason,
                          .unknown = unknown});
  };
  add("Springs as soft rows and in the mass matrix, 1e2 N/m: velocities differ by a part of", 1e-16,
      apart(soft.matrix, soft.rows), below(1e-14), "the same equations: roundings");
  add("… 1e12 N/m, where h² γ is 1e8 kg", 1e-8, apart(most.matrix, most.rows), below(1e-6),
      "what is usable: roundings ε_machine h² γ = 2e-8, and some tens of them");
  add("… 1e18 N/m: in the mass matrix off the rigid link by", 4e-2,
      apart(rigid.matrix, rigid.rigid), {}, "", "pose and speed of its pendulum");
  add("… which is wrong", 4e-2, apart(rigid.matrix, rigid.rigid), above(5e-6),
      "in kind: roundings of up to ε_machine h² γ = 2e-2, a million times what the notes have of "
      "soft rows");
  add("… as soft rows", 5e-12, apart(rigid.rows, rigid.rigid), below(5e-12),
      "4/(h² γ) = 4e-14 and roundings; the bound that the notes give");
}

// Springs of 1e18 N/m that do not start at their rest length: s′ = −s, and with δ = h γ/2 s′ = 0.
void add_reflection(Experiment& out) {
  constexpr double gamma = 1e18, stretch = 0.01;
  const auto end = [&](double delta) {
    SoftPendulum machine{.gamma = gamma, .delta = delta, .stretch = stretch, .gravity = 0.0};
    const Scene scene = read_soft_pendulum(machine);
    State state = scene.model.initial_state();
    Workspace work(scene.model);
    take_step(scene.model, scene.stepper, state, work);
    VecX speed(work.problem.rows());
    multiply(work.problem.G, work.solution.u, speed);
    for (std::size_t r = 0; r < work.constraints.physics.size(); ++r)
      if (work.constraints.physics[r].elastic)
        return stretch + h * speed(static_cast<Eigen::Index>(r));
    return std::nan("");
  };
  const auto add = [&](const char* text, double expected, double measured) {
    out.claims.push_back({.text = text,
                          .source = "(9.2), theorem 9.3",
                          .unit = "m",
                          .expected = expected,
                          .measured = measured,
                          .tolerance = {expected - 1e-12, expected + 1e-12},
                          .reason = "4/(h² γ) of it, and roundings; s as the row sees it"});
  };
  add("Spring of 1e18 N/m that starts 1 cm too long: after a step it is reflected to", -stretch,
      end(0.0));
  add("… and with a damper δ = h γ/2 it is projected to", 0.0, end(0.5 * h * gamma));
}

}  // namespace

Experiment show_theorem_9_3(const Effort&) {
  Experiment out{
      .title = "Stiff springs become rigid links",
      .source = "section 9, theorem 9.3; section 8",
      .paper_says =
          "As its stiffness goes to infinity, a step with a spring or a damper goes to the "
          "step with a rigid link in its place.",
      .we_did =
          "One step of h = 0.01 of a pendulum whose lower link is a spring at its rest length, "
          "the bob pressed on a rough wall, against the same with a rigid link. Then a bob on "
          "a spring of 1e10 N/m over 1 s, with the spring's gradient where the paper takes it "
          "and at the predicted middle of the step; and 200 steps of 0.01 s of a bob that 9.8 N "
          "pull "
          "along its spring or damper, beside one on a rod."};
  const Stepped rigid = take_one({.rigid_link = true});
  std::vector<double> gammas, distances, multipliers;
  for (double gamma = 1e2; gamma < 2e12; gamma *= 100.0) {
    gammas.push_back(gamma);
    const Stepped soft = take_one({.gamma = gamma});
    distances.push_back((soft.v - rigid.v).norm());
    multipliers.push_back((soft.lambda - rigid.lambda).norm());
  }
  out.claims = {
      {.text = "Order in 1/γ from 1e6 to 1e10 N/m",
       .source = "theorem 9.3",
       .expected = 1.0,
       .measured = -fit_order({gammas.begin() + 2, gammas.begin() + 5},
                              {distances.begin() + 2, distances.begin() + 5}),
       .tolerance = {0.989, 1.011},
       .reason = "a factor of 100 ± 5 for a factor of 100 in γ, where h² γ ≫ 1 kg",
       .correction = "The theorem needs springs that start at their rest length (else s turns to "
                     "−s in a step), and is about one step."},
      {.text = "… of the multipliers",
       .source = "theorem 9.3",
       .expected = 1.0,
       .measured = -fit_order({gammas.begin() + 2, gammas.begin() + 5},
                              {multipliers.begin() + 2, multipliers.begin() + 5}),
       .tolerance = {0.989, 1.011},
       .reason = "as of the velocities"},
      {.text = "Distance from the rigid link at 1e18 N/m",
       .source = "theorem 9.3",
       .unit = "m/s",
       .expected = 0.0,
       .measured = (take_one({.gamma = 1e18}).v - rigid.v).norm(),
       .tolerance = below(1e-9),
       .reason = "springs are rows with a compliance: well conditioned at any stiffness"}};
  Curve curve{.label = "one step", .x = gammas, .y = distances, .mark = Mark::both};
  out.pictures.push_back({.file = "limit",
                          .figure = {.title = "Velocity after one step: spring against rigid link",
                                     .x = {.label = "stiffness γ [N/m]", .logarithmic = true},
                                     .y = {.label = "difference [m/s]", .logarithmic = true},
                                     .curves = {curve, make_guide("1/γ", -1.0, curve, 0.3)}},
                          .caption = "Theorem 9.3: the difference falls as 1/γ once h² γ ≫ 1 kg."});
  const double given[] = {1.3e-2, 9.1e-3, 3.1e-4, 3.2e-6, 3.2e-8, 3.2e-10};
  for (std::size_t i = 0; i < std::size(given); ++i)
    out.claims.push_back(
        {.text = fmt::format("γ = {} N/m: distance from the rigid link", power(gammas[i])),
         .source = "theorem 9.3",
         .unit = "m/s",
         .expected = given[i],
         .measured = distances[i],
         .unknown = "pose and speed of its pendulum"});
  add_forms(out);
  add_reflection(out);
  add_definiteness(out);
  add_many_steps(out);
  add_iterates(out);
  return out;
}

}  // namespace ligament::papers::trapezoidal
