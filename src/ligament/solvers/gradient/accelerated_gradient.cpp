// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/gradient/accelerated_gradient.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ligament::gradient {
namespace {

using gauss_seidel::compute_error;

// The descent on one problem: everything that a step of it reads and writes.
class Descent {
 public:
  Descent(const StepProblem& problem, AcceleratedGradientWorkspace& work)
      : problem_(problem), work_(work), convex_(has_convex_laws(problem)) {
    work.x.lambda = work.before.lambda = work.packed.lambda;
    work.x.bodies = work.before.bodies = work.packed.bodies;
    gauss_seidel::update_held(work.packed, work.held);
  }

  bool is_convex() const { return convex_; }
  int passes() const { return passes_; }

  // y → x, and y ahead of x.
  void advance() {
    const StepSums sums = take_safe_step();
    const double next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * theta_ * theta_));
    const double beta = sums.uphill > 0.0 ? 0.0 : (theta_ - 1.0) / next;  // [AG.3]
    theta_ = sums.uphill > 0.0 ? 1.0 : next;
    L_ *= shorter;
    run_ahead(beta);
  }

  // [WA.8] at x; with the lifts and bounds that are held or with those of x.
  VelocityError error_at_x(const Held* held) {
    swap_x_and_y();
    const VelocityError error = compute_error(problem_, work_.packed, held);
    swap_x_and_y();
    return error;
  }

  // Takes lifts and bounds from x, and starts again there.                              [AG.4]
  void renew_held() {
    start_from_x();
    gauss_seidel::update_held(work_.packed, work_.held);
  }

  void start_from_x() {
    work_.packed.lambda = work_.before.lambda = work_.x.lambda;
    work_.packed.bodies = work_.before.bodies = work_.x.bodies;
    theta_ = 1.0;
  }

 private:
  static constexpr double shorter = 0.98;  // L from step to step, so that it finds its level

  // A step whose quadratic form is below L.                                             [AG.2]
  StepSums take_safe_step() {
    constexpr double rounding = 1e-12;
    for (;;) {
      ++passes_;
      const StepSums sums = take_step(work_.packed, work_.held, L_, work_.before.lambda, work_.x);
      const double form = kinetic_difference() + sums.stretch;
      if (!(form > (1.0 + rounding) * L_ * sums.length)) return sums;
      L_ = std::max(1.05 * form / sums.length, 1.5 * L_);
    }
  }

  // ‖u(x) − u(y)‖²_M.
  double kinetic_difference() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < problem_.M.blocks.size(); ++i) {
      const BodyBlock& block = problem_.M.blocks[i];
      const PackedBody &x = work_.x.bodies[i], &y = work_.packed.bodies[i];
      const Vec3 v = Eigen::Map<const Vec3>(x.v) - Eigen::Map<const Vec3>(y.v);
      sum += block.mass * v.squaredNorm();
      if (block.size == 3) continue;
      const Vec3 w = Eigen::Map<const Vec3>(x.w) - Eigen::Map<const Vec3>(y.w);
      sum += w.dot(block.rotation * w);
    }
    return sum;
  }

  // y = x + β (x − before), before = x.
  void run_ahead(double beta) {
    constexpr Eigen::Index doubles = sizeof(PackedBody) / sizeof(double);
    const Eigen::Index count = doubles * static_cast<Eigen::Index>(work_.x.bodies.size());
    const Eigen::Map<const Eigen::VectorXd> x(work_.x.bodies[0].v, count);
    Eigen::Map<Eigen::VectorXd> before(work_.before.bodies[0].v, count);
    // Inverse masses stand between the velocities: they are the same in all three.
    Eigen::Map<Eigen::VectorXd>(work_.packed.bodies[0].v, count) = x + beta * (x - before);
    before = x;
    work_.packed.lambda = work_.x.lambda + beta * (work_.x.lambda - work_.before.lambda);
    work_.before.lambda = work_.x.lambda;
  }

  void swap_x_and_y() {
    std::swap(work_.packed.lambda, work_.x.lambda);
    std::swap(work_.packed.bodies, work_.x.bodies);
  }

  const StepProblem& problem_;
  AcceleratedGradientWorkspace& work_;
  double L_ = 1.0, theta_ = 1.0;
  int passes_ = 0;
  bool convex_;
};

}  // namespace

SolveReport solve_accelerated_gradient(const AcceleratedGradient& options,
                                       const StepProblem& problem,
                                       AcceleratedGradientWorkspace& work, StepSolution& solution) {
  PackedProblem& packed = work.packed;
  pack(problem, gauss_seidel::Batches::of_contacts, packed);
  gauss_seidel::read_guess(problem, solution.lambda);
  pack_impulses(solution.lambda, packed);
  solution.u.resize(problem.columns());
  update_velocities(problem, solution.lambda, packed, solution.u);
  Descent descent(problem, work);

  SolveReport report;
  report.velocity_error = descent.error_at_x(nullptr).relative();
  report.history.add(report.velocity_error);
  const auto is_done = [&] { return report.velocity_error <= options.tolerance; };
  while (!is_done() && report.iterations < options.max_iterations) {
    const int check = std::min(gauss_seidel::next_check(report.iterations), options.max_iterations);
    for (; report.iterations < check; ++report.iterations) descent.advance();
    report.velocity_error = descent.error_at_x(nullptr).relative();
    if (is_done() || check == options.max_iterations) {
      // The result: velocities are made of its impulses anew, without the rounding of all steps.
      packed.lambda = work.x.lambda;
      unpack_impulses(packed, solution.lambda);
      update_velocities(problem, solution.lambda, packed, solution.u);
      work.x.bodies = packed.bodies;
      descent.start_from_x();
      report.velocity_error = descent.error_at_x(nullptr).relative();
    }
    report.history.add(report.velocity_error);
    constexpr double enough = 0.3;
    if (!descent.is_convex() &&
        descent.error_at_x(&work.held).relative() <= enough * report.velocity_error)
      descent.renew_held();
  }
  report.status = is_done() ? SolveStatus::solved : SolveStatus::not_converged;
  report.end = is_done() ? SolveEnd::reached : SolveEnd::iterations;
  report.work = packed.multiply_adds_a_sweep * descent.passes();
  return report;
}

}  // namespace ligament::gradient
