// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/gauss_seidel/contact_sweep.h"

#include "ligament/solvers/gauss_seidel/contact_lanes.h"

namespace ligament::gauss_seidel {
namespace {

// Rotations by isotropic inertias are in `motion`; others are left to scatter_turn().
template <bool isotropic>
void scatter(const Motion& motion, const int* index, std::vector<PackedBody>& bodies) {
  Lanes v[lane_count] = {motion.v.x, motion.v.y, motion.v.z, motion.inverse_mass};
  transpose(v[0], v[1], v[2], v[3]);
  for (int i = 0; i < lane_count; ++i) store(v[i], bodies[static_cast<std::size_t>(index[i])].v);
  if constexpr (isotropic) {
    Lanes w[lane_count] = {motion.w.x, motion.w.y, motion.w.z, motion.inverse_isotropic};
    transpose(w[0], w[1], w[2], w[3]);
    for (int i = 0; i < lane_count; ++i) store(w[i], bodies[static_cast<std::size_t>(index[i])].w);
  }
}

Lanes3 solve_coulomb(const ContactBatch& batch, const Lanes3& lambda, const Lanes3& w) {
  const Lanes x_n = max(all(0.0), lambda.x - w.x * wide(batch.step_n));  // [GS.2]
  const Lanes change = x_n - lambda.x, step = wide(batch.step_t);
  const Lanes x_t = lambda.y - (w.y + wide(batch.coupling[0]) * change) * step;
  const Lanes x_s = lambda.z - (w.z + wide(batch.coupling[1]) * change) * step;
  const Lanes size = sqrt(x_t * x_t + x_s * x_s + all(tiny));
  const Lanes scale = min(all(1.0), load(batch.mu) * x_n / size);  // [GS.3]
  return {x_n, scale * x_t, scale * x_s};
}

Lanes3 solve_cone(const ContactBatch& batch, const Lanes3& lambda, const Lanes3& w) {
  return project_onto_cone(load(batch.mu), all(1.0), lambda - wide(batch.step_t) * w);  // [GS.4]
}

template <Rule rule, bool isotropic>
double sweep(const BatchRun& run, PackedProblem& packed) {
  Lanes moved = all(0.0);
  for (auto k = static_cast<std::size_t>(run.first); k < static_cast<std::size_t>(run.last); ++k) {
    prefetch(packed, k, isotropic);
    const ContactBatch& batch = packed.batches[k];
    double* const impulses = packed.lambda.data() + 12 * k;
    AtBatch at(batch, packed.bodies, impulses);
    const Lanes3 x = rule == Rule::coulomb ? solve_coulomb(batch, at.lambda, at.w())
                                           : solve_cone(batch, at.lambda, at.w());
    store_impulses(x, impulses);

    // u += M⁻¹ Gᵀ Δλ
    const Lanes3 change = x - at.lambda;
    moved += change.x * change.x / wide(batch.step_n) +
             (change.y * change.y + change.z * change.z) / wide(batch.step_t);
    const Lanes3 force = change.x * at.n + change.y * at.t + change.z * at.s;
    const Lanes3 turn_a = cross(force, at.r_a), turn_b = cross(at.r_b, force);
    at.a.v = at.a.v - at.a.inverse_mass * force;
    at.b.v = at.b.v + at.b.inverse_mass * force;
    if constexpr (isotropic) {
      at.a.w = at.a.w + at.a.inverse_isotropic * turn_a;
      at.b.w = at.b.w + at.b.inverse_isotropic * turn_b;
    }
    scatter<isotropic>(at.a, batch.body_a, packed.bodies);
    scatter<isotropic>(at.b, batch.body_b, packed.bodies);
    if constexpr (!isotropic) {
      scatter_turn(turn_a, batch.body_a, packed.inertias, packed.bodies);
      scatter_turn(turn_b, batch.body_b, packed.inertias, packed.bodies);
    }
  }
  return sum(moved);
}

}  // namespace

double sweep_contacts(PackedProblem& packed) {
  double moved = 0.0;
  for (const BatchRun& run : packed.runs) {
    const bool coulomb = run.rule == Rule::coulomb;
    if (packed.isotropic)
      moved +=
          coulomb ? sweep<Rule::coulomb, true>(run, packed) : sweep<Rule::cone, true>(run, packed);
    else
      moved += coulomb ? sweep<Rule::coulomb, false>(run, packed)
                       : sweep<Rule::cone, false>(run, packed);
  }
  return moved;
}

}  // namespace ligament::gauss_seidel
