// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/gauss_seidel/packed_error.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
template <class Project>
Lanes local_gap(const Lanes3& lambda, const Lanes3& y, const Lanes3& Sigma, Project&& project) {
  const Lanes3 free{-y.x / Sigma.x, -y.y / Sigma.y, -y.z / Sigma.z};
  const Lanes3 x = project(Sigma.y / Sigma.x, free);
  const Lanes3 d = lambda - x;
  const auto term = [](const Lanes& d_i, const Lanes& Sigma_i, const Lanes& y_i, const Lanes& x_i) {
    return d_i * (0.5 * Sigma_i * d_i + y_i + Sigma_i * x_i);
  };
  return max(all(0.0), term(d.x, Sigma.x, y.x, x.x) + term(d.y, Sigma.y, y.y, x.y) +
                           term(d.z, Sigma.z, y.z, x.z));
}

Lanes largest(const Lanes3& x) { return max(max(absolute(x.x), absolute(x.y)), absolute(x.z)); }

// What of the gap may be rounding, of velocities and of λᵀ w, by lanes.
Lanes local_rounding(const Lanes3& Sigma, const Lanes3& y, const Lanes3& lambda,
                     const Lanes& speed) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const auto work = [](const Lanes& lambda_i, const Lanes& y_i, const Lanes& Sigma_i) {
    return absolute(lambda_i * (y_i + Sigma_i * lambda_i));
  };
  const Lanes lost = 8.0 * epsilon * speed;
  return 0.5 * lost * lost * (1.0 / Sigma.x + 1.0 / Sigma.y + 1.0 / Sigma.z) +
         epsilon * (work(lambda.x, y.x, Sigma.x) + work(lambda.y, y.y, Sigma.y) +
                    work(lambda.z, y.z, Sigma.z));
}

// μ‖w_t‖ of Coulomb's law.                                                                [WA.5]
Lanes lift_of(const ContactBatch& batch, const AtBatch& at) {
  const Lanes3 w = at.w();
  return load(batch.mu) * sqrt(w.y * w.y + w.z * w.z);
}

GapSum compute_contact_gap(const PackedProblem& packed, double speed, const Held* held) {
  Lanes gap = all(0.0), rounding = all(0.0);
  for (const BatchRun& run : packed.runs)
    for (auto k = static_cast<std::size_t>(run.first); k < static_cast<std::size_t>(run.last);
         ++k) {
      prefetch(packed, k, true);
      const ContactBatch& batch = packed.batches[k];
      const AtBatch at(batch, packed.bodies, packed.lambda.data() + 12 * k);
      const Lanes Sigma_n = max(at.Sigma_n, least_softness / wide(batch.step_n));
      const Lanes Sigma_t = max(at.Sigma_t, least_softness / wide(batch.step_t));
      const Lanes3 Sigma{Sigma_n, Sigma_t, Sigma_t};
      Lanes3 y = at.y;
      if (run.rule == Rule::coulomb && held) {
        const HeldLanes law(load(batch.mu), load(held->batches.data() + 4 * k));
        y.x += law.lift;
        gap += local_gap(at.lambda, y, Sigma, [&](const Lanes& ratio, const Lanes3& x) {
          return law.project(ratio, x);
        });
      } else {
        if (run.rule == Rule::coulomb) y.x += lift_of(batch, at);
        gap += local_gap(at.lambda, y, Sigma, [&](const Lanes& ratio, const Lanes3& x) {
          return project_onto_cone(load(batch.mu), ratio, x);
        });
      }
      rounding += local_rounding(Sigma, y, at.lambda, max(largest(at.Gu), all(speed)));
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
  Vector y = local.w - given.cwiseProduct(local.lambda);
  const double fast = std::max(speed, (y + b).cwiseAbs().maxCoeff());
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

// ‖u − u*‖²_M = (M u − p)ᵀ M⁻¹ (M u − p).
double squared_change(const StepProblem& problem, const PackedProblem& packed) {
  double sum = 0.0;
  for (std::size_t i = 0; i < problem.M.blocks.size(); ++i) {
    const BodyBlock& block = problem.M.blocks[i];
    const PackedBody& body = packed.bodies[i];
    const Vec3 push =
        block.mass * Eigen::Map<const Vec3>(body.v) - problem.p.segment<3>(block.offset);
    sum += push.squaredNorm() * body.inverse_mass;
    if (block.size == 3) continue;
    const Vec3 turn =
        block.rotation * Eigen::Map<const Vec3>(body.w) - problem.p.segment<3>(block.offset + 3);
    const Eigen::Map<const Mat3, 0, Eigen::OuterStride<4>> inverse(packed.inertias[i].columns[0]);
    sum += turn.dot(inverse * turn);
  }
  return sum;
}

double largest_speed(const PackedProblem& packed) {
  double speed = 0.0;
  for (const PackedBody& body : packed.bodies)
    for (int i = 0; i < 3; ++i) speed = std::max({speed, std::abs(body.v[i]), std::abs(body.w[i])});
  return speed;
}

}  // namespace

void update_held(const PackedProblem& packed, Held& out) {
  out.batches.setZero(static_cast<Eigen::Index>(lane_count * packed.batches.size()));
  for (std::size_t k = 0; k < packed.batches.size(); ++k) {
    const AtBatch at(packed.batches[k], packed.bodies, packed.lambda.data() + 12 * k);
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
  const double speed = largest_speed(packed);
  const GapSum contacts = compute_contact_gap(packed, speed, held);
  const GapSum blocks = compute_block_gap(packed, speed, held);
  return {.gap = contacts.gap + blocks.gap,
          .scale = std::sqrt(squared_change(problem, packed)),
          .rounding = contacts.rounding + blocks.rounding};
}

}  // namespace ligament::gauss_seidel
