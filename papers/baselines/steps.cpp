// SPDX-License-Identifier: Apache-2.0
#include "papers/baselines/steps.h"

namespace ligament::papers {
namespace {

// Of Newton's method.
struct Iterations {
  int most;
  bool must_converge;  // or the last one is taken as it is
  double tolerance = 1e-10;
};

bool solve(const SparseRows& matrix, const VecX& right, VecX& x) {
  Eigen::SparseLU<SparseRows> lu;
  SparseRows compressed = matrix;
  compressed.makeCompressed();
  lu.compute(compressed);
  if (lu.info() != Eigen::Success) return false;
  x = lu.solve(right);
  return x.allFinite();
}

void move_on(double h, const VecX& v, PlanarMotion& motion) {
  motion.q_before = motion.q;
  motion.v = v;
  motion.q += h * v;
}

SparseRows diagonal(const VecX& values) {
  SparseRows matrix(values.size(), values.size());
  for (int i = 0; i < values.size(); ++i) matrix.insert(i, i) = values(i);
  return matrix;
}

// Newton's method for impulses y with R(q⁺, y) = 0. residual(q⁺, y, slope) gives R, and ∂R/∂q⁺ as
// slope; C is ∂R/∂y at a given q⁺, the same for all rows.
template <class Residual>
bool find_impulses(const QuadraticSystem& system, double h, double C, const Iterations& iterations,
                   Residual&& residual, PlanarMotion& motion) {
  const VecX inverse = system.mass.cwiseInverse();
  const SparseRows Gt = system.compute_G(motion.q).transpose();
  const VecX way = h * inverse;
  const SparseRows reach = way.asDiagonal() * Gt;  // ∂q⁺/∂y
  const VecX free = motion.v + h * inverse.cwiseProduct(system.force);
  const SparseRows compliance = diagonal(VecX::Constant(system.rows(), C));
  VecX y = VecX::Zero(system.rows()), change;
  for (int i = 0; i <= iterations.most; ++i) {
    const VecX v = free + inverse.cwiseProduct(VecX(Gt * y)), q = motion.q + h * v;
    SparseRows slope;
    const VecX R = residual(q, y, slope);
    if (!R.allFinite()) return false;
    const bool last = i == iterations.most && !iterations.must_converge;
    if (last || R.cwiseAbs().maxCoeff() < iterations.tolerance) {
      move_on(h, v, motion);
      return true;
    }
    if (!solve(slope * reach + compliance, R, change)) return false;
    y -= change;
  }
  return false;
}

bool find_acceleration(const QuadraticSystem& system, double alpha, const VecX& q, const VecX& v,
                       VecX& a) {
  const VecX inverse = system.mass.cwiseInverse(), free = inverse.cwiseProduct(system.force);
  const SparseRows G = system.compute_G(q), Gt = G.transpose();
  const VecX wanted = -system.compute_curvature(v) - 2.0 * alpha * VecX(G * v) -
                      alpha * alpha * system.compute_g(q);
  const Eigen::SimplicialLDLT<SparseRows> S(SparseRows(G * inverse.asDiagonal() * Gt));
  if (S.info() != Eigen::Success) return false;
  const VecX force = S.solve(VecX(wanted - G * free));
  a = free + inverse.cwiseProduct(VecX(Gt * force));
  return a.allFinite();
}

}  // namespace

PlanarMotion start_motion(const QuadraticSystem& system, const VecX& v, double h) {
  return {.q = system.start, .v = v, .q_before = system.start - h * v};
}

bool step_shake(const QuadraticSystem& system, double h, PlanarMotion& motion, double tolerance) {
  return find_impulses(
      system, h, 0.0, {.most = 50, .must_converge = true, .tolerance = tolerance},
      [&](const VecX& q, const VecX&, SparseRows& slope) {
        slope = system.compute_G(q);
        return system.compute_g(q);
      },
      motion);
}

bool step_runge_kutta(const QuadraticSystem& system, double h, double alpha, PlanarMotion& motion) {
  const VecX q = motion.q, v = motion.v;
  VecX sum_q = VecX::Zero(q.size()), sum_v = sum_q, speed = v, a = VecX::Zero(q.size());
  double reach = 0.0;
  for (const auto& [next, weight] : {std::pair{0.5, 1.0}, {0.5, 2.0}, {1.0, 2.0}, {0.0, 1.0}}) {
    const VecX stage_q = q + reach * h * speed, stage_v = v + reach * h * a;
    if (!find_acceleration(system, alpha, stage_q, stage_v, a)) return false;
    speed = stage_v;
    sum_q += weight * speed;
    sum_v += weight * a;
    reach = next;
  }
  motion.q_before = q;
  motion.q = q + h / 6.0 * sum_q;
  motion.v = v + h / 6.0 * sum_v;
  return motion.q.allFinite();
}

bool step_spook(const QuadraticSystem& system, double h, const SpookRows& rows,
                PlanarMotion& motion) {
  const VecX inverse = system.mass.cwiseInverse();
  const SparseRows G = system.compute_G(motion.q), Gt = G.transpose();
  const double upsilon = 1.0 / (1.0 + 4.0 * rows.theta);
  const double sigma = 4.0 * rows.compliance * upsilon / (h * h);
  const VecX free = motion.v + h * inverse.cwiseProduct(system.force);
  const VecX b = upsilon * (VecX(G * motion.v) - 4.0 / h * system.compute_g(motion.q));
  VecX y;
  const SparseRows S = G * inverse.asDiagonal() * Gt;
  if (!solve(S + diagonal(VecX::Constant(system.rows(), sigma)), b - G * free, y)) return false;
  move_on(h, free + inverse.cwiseProduct(VecX(Gt * y)), motion);
  return true;
}

bool step_spook_by_newton(const QuadraticSystem& system, double h, const NewtonRows& newton,
                          PlanarMotion& motion) {
  const SpookRows& rows = newton.rows;
  const VecX q = motion.q, g = system.compute_g(q);
  const SparseRows start = system.compute_G(q);
  const VecX past = 0.25 * (2.0 * g + system.compute_g(motion.q_before));
  const auto residual = [&](const VecX& end, const VecX& y, SparseRows& slope) {
    const SparseRows G = system.compute_G(end);
    VecX damped;
    if (newton.damper == Damper::end) {
      damped = G * (end - q);
      // d(G(q⁺)(q⁺ − q))/dq⁺ = G(q⁺) + G(q⁺ − q) on unit rows, G(q⁺) on linear ones: G(2 q⁺ − q).
      slope = 0.25 * G + rows.theta * system.compute_G(2.0 * end - q);
    } else if (newton.damper == Damper::difference) {
      damped = system.compute_g(end) - g;
      slope = (0.25 + rows.theta) * G;
    } else {
      damped = start * (end - q);
      slope = 0.25 * G + rows.theta * start;
    }
    return VecX(rows.compliance / h * y + past + 0.25 * system.compute_g(end) +
                rows.theta * damped);
  };
  return find_impulses(system, h, rows.compliance / h,
                       {.most = newton.iterations, .must_converge = false}, residual, motion);
}

}  // namespace ligament::papers
