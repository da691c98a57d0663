// SPDX-License-Identifier: Apache-2.0
#include "ligament/problem/velocity_error.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ligament/math/with_size.h"

namespace ligament {
namespace {

using Rows = Eigen::Ref<const Eigen::VectorXd>;

using Few = std::array<double, max_block_rows>;

double norm(const Few& x, int from, int count) {
  double sum = 0.0;
  for (int i = from; i < count; ++i)
    sum += x[static_cast<std::size_t>(i)] * x[static_cast<std::size_t>(i)];
  return std::sqrt(sum);
}

// One block. x is the maximizer of [WA.7], found in closed form: friction rows of a block share
// one Σ.
struct LocalGap {
  const Rows& Sigma;
  const Rows& lambda;
  Few y{}, x{};
  int rows = 0;

  LocalGap(const Rows& Sigma_of, const Rows& y_of, const Rows& lambda_of)
      : Sigma(Sigma_of), lambda(lambda_of), rows(static_cast<int>(y_of.size())) {
    for (int i = 0; i < rows; ++i) at(y, i) = y_of(i);
    for (int i = 0; i < rows; ++i) at(x, i) = -y_of(i) / Sigma(i);
  }

  double operator()(const Equality&) { return gap(); }
  double operator()(const Unilateral&) { return bounded(0.0, infinity); }
  double operator()(const Box& box) { return bounded(box.lower, box.upper); }
  double operator()(const Disc& disc) {
    const double size = norm(x, 0, rows);
    if (size <= disc.radius) return gap();
    for (int i = 0; i < rows; ++i) at(x, i) *= disc.radius / size;
    return gap_on_circle(disc.radius, disc.radius, 0);
  }
  double operator()(const Cone& cone) { return in_cone(cone.mu); }
  double operator()(const Coulomb& law) {
    Few w{};
    for (int i = 1; i < rows; ++i) at(w, i) = at(y, i) + Sigma(i) * lambda(i);
    y[0] += law.mu * norm(w, 1, rows);  // [WA.5]
    x[0] = -y[0] / Sigma(0);
    return in_cone(law.mu);
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static double& at(Few& few, int i) { return few[static_cast<std::size_t>(i)]; }

  // −xᵀ y − ½ xᵀ Σ x + λᵀ y + ½ λᵀ Σ λ, in a form without cancellation.
  double gap() {
    double sum = 0.0;
    for (int i = 0; i < rows; ++i) {
      const double d = lambda(i) - at(x, i);
      sum += d * (0.5 * Sigma(i) * d + at(y, i) + Sigma(i) * at(x, i));
    }
    return std::max(sum, 0.0);
  }
  double bounded(double lower, double upper) {
    for (int i = 0; i < rows; ++i) at(x, i) = std::clamp(at(x, i), lower, upper);
    return gap();
  }
  // The same where x is on the circle of the given radius (μ x_n of a cone) and y + Σ x = ω (μ, −d)
  // the normal there, d = x_t/‖x_t‖: ½ (λ − x)ᵀ Σ (λ − x) + ω (r − λ_t·d), r the radius that λ may
  // have. Sliding, the second term is a small difference of λᵀ w: it is taken apart into what λ is
  // short of the circle (by more than rounding) and the angle between λ and x.
  double gap_on_circle(double radius, double radius_of_lambda, int first) {
    double half = 0.0, omega = 0.0, size = 0.0;
    for (int i = 0; i < rows; ++i) {
      const double d = lambda(i) - at(x, i);
      half += 0.5 * Sigma(i) * d * d;
      if (i < first) continue;
      const double w = at(y, i) + Sigma(i) * at(x, i);
      omega += w * w;
      size += lambda(i) * lambda(i);
    }
    omega = std::sqrt(omega);
    size = std::sqrt(size);
    double angle = 0.0;  // squared
    if (size > 0.0 && radius > 0.0)
      for (int i = first; i < rows; ++i) {
        const double turn = lambda(i) / size - at(x, i) / radius;
        angle += turn * turn;
      }
    constexpr double rounding = 8.0 * std::numeric_limits<double>::epsilon();
    const double short_of = std::max(0.0, radius_of_lambda * (1.0 - rounding) - size);
    return half + omega * (short_of + 0.5 * size * angle);
  }
  // x ← the point of the cone nearest to x in the norm of Σ.
  double in_cone(double mu) {
    const double size = norm(x, 1, rows);
    if (size <= mu * x[0]) return gap();
    const double ratio = Sigma(rows - 1) / Sigma(0);
    const bool apex = x[0] <= -mu * ratio * size;
    const double normal = apex ? 0.0 : (x[0] + mu * ratio * size) / (1.0 + mu * mu * ratio);
    x[0] = normal;
    for (int i = 1; i < rows; ++i) at(x, i) *= apex ? 0.0 : mu * normal / size;
    return apex ? gap() : gap_on_circle(mu * normal, mu * lambda(0), 1);
  }
};

// ‖M⁻¹ x‖_M of an impulse x.
double norm_of_impulse(const BlockDiagonal& M, const VecX& x) {
  double sum = 0.0;
  for (const BodyBlock& body : M.blocks) {
    sum += x.segment<3>(body.offset).squaredNorm() / body.mass;
    if (body.size == 3) continue;
    const Vec3 turn = x.segment<3>(body.offset + 3);
    sum += turn.dot(body.rotation.inverse() * turn);
  }
  return std::sqrt(sum);
}

// The part of block i.
template <int rows>
void add_block(const StepProblem& problem, const StepSolution& solution, std::size_t i,
               double speed, VelocityError& error) {
  using Vector = Eigen::Matrix<double, rows, 1>;
  const RowBlock& block = problem.G.blocks[i];
  const Vector lambda = solution.lambda.segment<rows>(block.first_row);
  Vector y = Vector::Zero(), mobility = Vector::Zero();  // the latter with the mean moment
  for (const BlockEntry& entry : problem.G.entries_of(block)) {
    const BodyBlock& body = problem.M.blocks[static_cast<std::size_t>(entry.body)];
    const double per_mass = 1.0 / body.mass;
    const double per_inertia = body.size == 6 ? 3.0 / body.rotation.trace() : 0.0;
    for (int c = 0; c < entry.columns; ++c) {
      const Eigen::Map<const Vector> column(problem.G.entry_values(entry) + c * rows);
      y += column * solution.u(entry.column + c);
      mobility += (c < 3 ? per_mass : per_inertia) * column.cwiseAbs2();
    }
  }
  const Vector given = problem.Sigma.segment<rows>(block.first_row);
  const Vector Sigma = given.cwiseMax(least_softness * mobility.maxCoeff());
  // u is rounded as the terms of p + Gᵀ λ are, which may be far larger than their sum.
  const double jolt = mobility.cwiseProduct(lambda).template lpNorm<Eigen::Infinity>();
  const double fast = std::max({speed, jolt, y.template lpNorm<Eigen::Infinity>()});
  y -= problem.b.segment<rows>(block.first_row) + (Sigma - given).cwiseProduct(lambda);
  error.gap += compute_local_gap(bounded_by(solution.lambda, problem.laws[i]), Sigma, y, lambda);
  error.rounding += compute_local_rounding(Sigma, fast);
  if (const Coulomb* law = std::get_if<Coulomb>(&problem.laws[i]))  // of the lift [WA.5]
    error.rounding += compute_local_rounding(Sigma.template head<1>(), law->mu * fast);
}

// The gaps of all blocks.
VelocityError add_blocks(const StepProblem& problem, const StepSolution& solution, double scale) {
  VelocityError error{.scale = scale};
  const double speed = problem.columns() ? solution.u.lpNorm<Eigen::Infinity>() : 0.0;
  for (std::size_t i = 0; i < problem.laws.size(); ++i)
    with_size(problem.G.blocks[i].rows,
              [&]<int rows>() { add_block<rows>(problem, solution, i, speed, error); });
  return error;
}

// ‖u − u*‖_M = ‖M⁻¹ Gᵀ λ‖_M. impulse ← Gᵀ λ.
double compute_scale(const StepProblem& problem, const VecX& lambda, VecX& impulse) {
  impulse.resize(problem.columns());
  multiply_transposed(problem.G, lambda, impulse);
  return norm_of_impulse(problem.M, impulse);
}

}  // namespace

double VelocityError::relative() const {
  if (!(gap > rounding)) return gap >= 0.0 ? 0.0 : gap;  // not-a-number stays one
  return std::sqrt(2.0 * gap) / scale;
}

double compute_local_rounding(const Rows& Sigma, double speed) {
  const double lost = 8.0 * std::numeric_limits<double>::epsilon() * speed;  // of y
  double sum = 0.0;
  for (Eigen::Index i = 0; i < Sigma.size(); ++i) sum += 0.5 * lost * lost / Sigma(i);
  return sum;
}

void compute_answer(const Law& law, const Rows& Sigma, const Rows& y,
                    Eigen::Ref<Eigen::VectorXd> x) {
  LocalGap local(Sigma, y, y);  // whatever the impulses are: x does not depend on them
  std::visit(local, law);
  for (Eigen::Index i = 0; i < x.size(); ++i) x(i) = local.x[static_cast<std::size_t>(i)];
}

double compute_local_gap(const Law& law, const Rows& Sigma, const Rows& y, const Rows& lambda) {
  return std::visit(LocalGap(Sigma, y, lambda), law);
}

VelocityError compute_velocity_error(const StepProblem& problem, const StepSolution& solution,
                                     VecX& scratch) {
  return add_blocks(problem, solution, compute_scale(problem, solution.lambda, scratch));
}

VelocityError judge_impulses(const StepProblem& problem, StepSolution& solution, VecX& scratch) {
  const double scale = compute_scale(problem, solution.lambda, scratch);
  scratch += problem.p;
  solution.u.resize(problem.columns());
  multiply_inverse(problem.M, scratch, solution.u);
  return add_blocks(problem, solution, scale);
}

}  // namespace ligament
