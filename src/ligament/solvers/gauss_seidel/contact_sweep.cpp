// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/gauss_seidel/contact_sweep.h"

#include "ligament/solvers/gauss_seidel/contact_lanes.h"

namespace ligament::gauss_seidel {
namespace {

template <class Real, class V = LanesOf<Real>>
Lanes3Of<V> solve_coulomb(const BatchOf<Real>& batch, const Lanes3Of<V>& lambda,
                          const Lanes3Of<V>& w) {
  const V x_n = max(all<V>(0.0), lambda.x - w.x * wide<V>(batch.step_n));  // [GS.2]
  const V change = x_n - lambda.x, step = wide<V>(batch.step_t);
  const V x_t = lambda.y - (w.y + wide<V>(batch.coupling[0]) * change) * step;
  const V x_s = lambda.z - (w.z + wide<V>(batch.coupling[1]) * change) * step;
  const V size = sqrt(x_t * x_t + x_s * x_s + all<V>(tiny<V>));
  const V scale = min(all<V>(1.0), load(batch.mu) * x_n / size);  // [GS.3]
  return {x_n, scale * x_t, scale * x_s};
}

template <class Real, class V = LanesOf<Real>>
Lanes3Of<V> solve_cone(const BatchOf<Real>& batch, const Lanes3Of<V>& lambda,
                       const Lanes3Of<V>& w) {
  return project_onto_cone(load(batch.mu), all<V>(1.0),
                           lambda - wide<V>(batch.step_t) * w);  // [GS.4]
}

template <Rule rule, bool isotropic, class Real>
double sweep(const BatchRun& run, PackedContacts<Real>& packed) {
  using V = LanesOf<Real>;
  V moved{};
  for (auto k = static_cast<std::size_t>(run.first); k < static_cast<std::size_t>(run.last); ++k) {
    prefetch(packed, k, isotropic);
    const BatchOf<Real>& batch = packed.batches[k];
    Real* const impulses = packed.impulses_of(k);
    AtBatch<Real> at(batch, packed.bodies, impulses);
    const Lanes3Of<V> x = rule == Rule::coulomb ? solve_coulomb(batch, at.lambda, at.w())
                                                : solve_cone(batch, at.lambda, at.w());
    store_impulses(x, impulses);

    // u += M⁻¹ Gᵀ Δλ
    const Lanes3Of<V> change = x - at.lambda;
    moved += change.x * change.x / wide<V>(batch.step_n) +
             (change.y * change.y + change.z * change.z) / wide<V>(batch.step_t);
    const Lanes3Of<V> force = change.x * at.n + change.y * at.t + change.z * at.s;
    const Lanes3Of<V> turn_a = cross(force, at.r_a), turn_b = cross(at.r_b, force);
    at.a.v = at.a.v - at.a.inverse_mass * force;
    at.b.v = at.b.v + at.b.inverse_mass * force;
    if constexpr (isotropic) {
      at.a.w = at.a.w + at.a.inverse_isotropic * turn_a;
      at.b.w = at.b.w + at.b.inverse_isotropic * turn_b;
    }
    scatter<isotropic>(at.a, batch.body_a, packed.bodies);
    scatter<isotropic>(at.b, batch.body_b, packed.bodies);
    if constexpr (!isotropic) {
      scatter_turn<Real>(turn_a, batch.body_a, packed.inertias, packed.bodies);
      scatter_turn<Real>(turn_b, batch.body_b, packed.inertias, packed.bodies);
    }
  }
  return sum(moved);
}

}  // namespace

template <class Real>
double sweep_contacts(PackedContacts<Real>& packed) {
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

template double sweep_contacts(PackedContacts<double>&);
template double sweep_contacts(PackedContacts<float>&);

}  // namespace ligament::gauss_seidel
