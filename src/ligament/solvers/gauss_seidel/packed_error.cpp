// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/gauss_seidel/packed_error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "ligament/math/with_size.h"
#include "ligament/solvers/gauss_seidel/block_local.h"
#include "ligament/solvers/gauss_seidel/contact_lanes.h"

namespace ligament::gauss_seidel {
namespace {

struct GapSum {
  double gap = 0.0, rounding = 0.0;  // [J]
};

// ---- batches

// The local terms of [WA.8] of a batch, one a lane, given y = G u − b and the projection onto K.
template <class V, class Project>
V local_gap(const Lanes3Of<V>& lambda, const Lanes3Of<V>& y, const Lanes3Of<V>& Sigma,
            Project&& project) {
  const Lanes3Of<V> free{-y.x / Sigma.x, -y.y / Sigma.y, -y.z / Sigma.z};
  const Lanes3Of<V> x = project(Sigma.y / Sigma.x, free);
  const Lanes3Of<V> d = lambda - x;
  const auto term = [](const V& d_i, const V& Sigma_i, const V& y_i, const V& x_i) {
    return d_i * (all<V>(0.5) * Sigma_i * d_i + y_i + Sigma_i * x_i);
  };
  return max(all<V>(0.0), term(d.x, Sigma.x, y.x, x.x) + term(d.y, Sigma.y, y.y, x.y) +
                              term(d.z, Sigma.z, y.z, x.z));
}

template <class V>
V largest(const Lanes3Of<V>& x) {
  return max(max(absolute(x.x), absolute(x.y)), absolute(x.z));
}

// What of the gap may be rounding, of velocities and of λᵀ w, by lanes.
template <class V>
V local_rounding(const Lanes3Of<V>& Sigma, const Lanes3Of<V>& y, const Lanes3Of<V>& lambda,
                 const V& speed) {
  const V epsilon = all<V>(static_cast<double>(std::numeric_limits<RealOf<V>>::epsilon()));
  const V one = all<V>(1.0), lost = all<V>(8.0) * epsilon * speed;
  const auto work = [](const V& lambda_i, const V& y_i, const V& Sigma_i) {
    return absolute(lambda_i * (y_i + Sigma_i * lambda_i));
  };
  return all<V>(0.5) * lost * lost * (one / Sigma.x + one / Sigma.y + one / Sigma.z) +
         epsilon * (work(lambda.x, y.x, Sigma.x) + work(lambda.y, y.y, Sigma.y) +
                    work(lambda.z, y.z, Sigma.z));
}

// μ‖w_t‖ of Coulomb's law.                                                                [WA.5]
template <class Real>
LanesOf<Real> lift_of(const BatchOf<Real>& batch, const AtBatch<Real>& at) {
  const auto w = at.w();
  return load(batch.mu) * sqrt(w.y * w.y + w.z * w.z);
}

// One batch, with lifts as λ makes them; y = G u − b has the lift on return.
template <class Real, class V = LanesOf<Real>>
V batch_gap(Rule rule, const BatchOf<Real>& batch, const AtBatch<Real>& at,
            const Lanes3Of<V>& Sigma, Lanes3Of<V>& y) {
  if (rule == Rule::coulomb) y.x += lift_of(batch, at);
  return local_gap(at.lambda, y, Sigma, [&](const V& ratio, const Lanes3Of<V>& x) {
    return project_onto_cone(load(batch.mu), ratio, x);
  });
}
// The same, with what is held.
Lanes batch_gap(const double* held, const ContactBatch& batch, const AtBatch<double>& at,
                const Lanes3& Sigma, Lanes3& y) {
  const HeldLanes law(load(batch.mu), load(held));
  y.x += law.lift;
  return local_gap(at.lambda, y, Sigma,
                   [&](const Lanes& ratio, const Lanes3& x) { return law.project(ratio, x); });
}

template <class Real>
GapSum compute_contact_gap(const PackedContacts<Real>& packed, double speed, const Held* held) {
  using V = LanesOf<Real>;
  V gap{}, rounding{};
  const V softest = all<V>(least_softness);
  for (const BatchRun& run : packed.runs)
    for (auto k = static_cast<std::size_t>(run.first); k < static_cast<std::size_t>(run.last);
         ++k) {
      prefetch(packed, k, true);
      const BatchOf<Real>& batch = packed.batches[k];
      const AtBatch<Real> at(batch, packed.bodies, packed.impulses_of(k));
      const V Sigma_n = max(at.Sigma_n, V(softest / wide<V>(batch.step_n)));
      const V Sigma_t = max(at.Sigma_t, V(softest / wide<V>(batch.step_t)));
      const Lanes3Of<V> Sigma{Sigma_n, Sigma_t, Sigma_t};
      const V more_n = Sigma_n - at.Sigma_n, more_t = Sigma_t - at.Sigma_t;
      Lanes3Of<V> y =
          at.y - Lanes3Of<V>{more_n * at.lambda.x, more_t * at.lambda.y, more_t * at.lambda.z};
      if constexpr (std::is_same_v<Real, double>) {
        const bool is_held = run.rule == Rule::coulomb && held;
        gap += is_held ? batch_gap(held->batches.data() + 4 * k, batch, at, Sigma, y)
                       : batch_gap(run.rule, batch, at, Sigma, y);
      } else {
        gap += batch_gap(run.rule, batch, at, Sigma, y);
      }
      rounding += local_rounding(Sigma, y, at.lambda, V(max(largest(at.Gu), all<V>(speed))));
    }
  return {sum(gap), sum(rounding)};
}

// ---- blocks

// The law of a block with its bounds, as λ makes them or as they are held. A held lift is in y.
Law law_of(const PackedBlock& block, const PackedProblem& packed, const double* held) {
  Bounds bounds = bounds_of(block, packed);
  if (held && block.normal >= 0) bounds = {-*held, *held};
  switch (block.rule) {
    case Rule::equality: return Equality{};
    case Rule::bounds: return Box{.lower = bounds.lower, .upper = bounds.upper};
    case Rule::disc: return Disc{.radius = bounds.upper};
    case Rule::cone: return Cone{.mu = block.mu};
    default: return held ? Law(Cone{.mu = block.mu}) : Law(Coulomb{.mu = block.mu});
  }
}

template <int rows>
GapSum compute_gap_of(const PackedBlock& block, double speed, const PackedProblem& packed,
                      const double* held) {
  using Vector = typename Local<rows>::Vector;
  const Local<rows> local(block, packed);
  const int row = block.lambda - packed.batch_impulses();
  const Eigen::Map<const Vector> given(packed.block_Sigma.data() + row);
  const Eigen::Map<const Vector> b(packed.block_b.data() + row);
  const Vector Sigma = given.cwiseMax(least_softness * local.A.diagonal());
  const Vector Gu = local.w - given.cwiseProduct(local.lambda) + b;
  Vector y = local.w - Sigma.cwiseProduct(local.lambda);
  const double fast = std::max(speed, Gu.cwiseAbs().maxCoeff());
  GapSum sum{.rounding = compute_local_rounding(Sigma, fast)};
  if (held && block.holds_bound()) {
    constexpr int tangential = rows - 1;
    sum.gap =
        compute_local_gap(Unilateral{}, Sigma.template head<1>(), y.template head<1>(),
                          local.lambda.template head<1>()) +
        compute_local_gap(Disc{.radius = *held}, Sigma.template tail<tangential>(),
                          y.template tail<tangential>(), local.lambda.template tail<tangential>());
    return sum;
  }
  if (held && block.rule == Rule::coulomb) y(0) += *held;
  sum.gap = compute_local_gap(law_of(block, packed, held), Sigma, y, local.lambda);
  return sum;
}

GapSum compute_block_gap(const PackedProblem& packed, double speed, const Held* held) {
  GapSum sum;
  for (std::size_t i = 0; i < packed.blocks.size(); ++i) {
    const PackedBlock& block = packed.blocks[i];
    const double* held_here = held ? held->blocks.data() + i : nullptr;
    const GapSum one = with_size(block.rows, [&]<int rows>() {
      return compute_gap_of<rows>(block, speed, packed, held_here);
    });
    sum.gap += one.gap;
    sum.rounding += one.rounding;
  }
  return sum;
}

// ---- what they are compared with

// ‖u − u*‖²_M = (M u − p)ᵀ M⁻¹ (M u − p), u = from + that of the bodies.
template <class Real>
double squared_change(const StepProblem& problem, const VecX* from,
                      const PackedContacts<Real>& packed) {
  using Vector = Eigen::Matrix<Real, 3, 1>;
  using Matrix = Eigen::Matrix<Real, 3, 3>;
  const auto velocity = [from](const Real* numbers, int at) -> Vec3 {
    const Vec3 v = Eigen::Map<const Vector>(numbers).template cast<double>();
    return from ? Vec3(from->segment<3>(at) + v) : v;
  };
  double sum = 0.0;
  for (std::size_t i = 0; i < problem.M.blocks.size(); ++i) {
    const BodyBlock& block = problem.M.blocks[i];
    const BodyOf<Real>& body = packed.bodies[i];
    const Vec3 v = velocity(body.v, block.offset);
    const Vec3 push = block.mass * v - problem.p.segment<3>(block.offset);
    sum += push.squaredNorm() * static_cast<double>(body.inverse_mass);
    if (block.size == 3) continue;
    const Vec3 w = velocity(body.w, block.offset + 3);
    const Vec3 turn = block.rotation * w - problem.p.segment<3>(block.offset + 3);
    const Eigen::Map<const Matrix, 0, Eigen::OuterStride<4>> inverse(packed.inertias[i].columns[0]);
    sum += turn.dot(inverse.template cast<double>() * turn);
  }
  return sum;
}

template <class Real>
double largest_speed(const PackedContacts<Real>& packed) {
  Real speed = 0;
  for (const BodyOf<Real>& body : packed.bodies)
    for (int i = 0; i < 3; ++i) speed = std::max({speed, std::abs(body.v[i]), std::abs(body.w[i])});
  return static_cast<double>(speed);
}

}  // namespace

void update_held(const PackedProblem& packed, Held& out) {
  out.batches.setZero(static_cast<Eigen::Index>(lane_count * packed.batches.size()));
  for (std::size_t k = 0; k < packed.batches.size(); ++k) {
    const AtBatch<double> at(packed.batches[k], packed.bodies, packed.impulses_of(k));
    const Lanes mu = load(packed.batches[k].mu), bound = mu * max(all(0.0), at.lambda.x);
    store(mu > all(strong_friction) ? bound : lift_of(packed.batches[k], at),
          out.batches.data() + 4 * k);
  }
  out.blocks.setZero(static_cast<Eigen::Index>(packed.blocks.size()));
  for (std::size_t i = 0; i < packed.blocks.size(); ++i) {
    const PackedBlock& block = packed.blocks[i];
    double& held = out.blocks(static_cast<Eigen::Index>(i));
    if (block.normal >= 0) held = bounds_of(block, packed).upper;
    if (block.rule != Rule::coulomb) continue;
    with_size(block.rows, [&]<int rows>() {
      const Local<rows> local(block, packed);
      held = block.mu * (block.holds_bound() ? std::max(0.0, local.lambda(0))
                                             : local.w.template tail<rows - 1>().norm());
    });
  }
}

VelocityError compute_error(const StepProblem& problem, const PackedProblem& packed,
                            const Held* held) {
  const double speed = largest_speed<double>(packed);
  const GapSum contacts = compute_contact_gap<double>(packed, speed, held);
  const GapSum blocks = compute_block_gap(packed, speed, held);
  return {.gap = contacts.gap + blocks.gap,
          .scale = std::sqrt(squared_change<double>(problem, nullptr, packed)),
          .rounding = contacts.rounding + blocks.rounding};
}

VelocityError compute_error(const StepProblem& problem, const VecX& u,
                            const PackedContacts<float>& packed) {
  const GapSum contacts = compute_contact_gap(packed, largest_speed(packed), nullptr);
  return {.gap = contacts.gap,
          .scale = std::sqrt(squared_change(problem, &u, packed)),
          .rounding = contacts.rounding};
}

}  // namespace ligament::gauss_seidel
