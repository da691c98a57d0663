// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/gradient/gradient_step.h"

#include "ligament/math/with_size.h"
#include "ligament/solvers/gauss_seidel/block_local.h"
#include "ligament/solvers/gauss_seidel/contact_lanes.h"

namespace ligament::gradient {
namespace {

using namespace gauss_seidel;

// ---- contacts

// v += push of each of four bodies.
void add_push(const Lanes3& push, const int* index, std::vector<PackedBody>& bodies) {
  Lanes v[lane_count] = {push.x, push.y, push.z, all(0.0)};
  transpose(v[0], v[1], v[2], v[3]);
  for (int i = 0; i < lane_count; ++i) {
    double* to = bodies[static_cast<std::size_t>(index[i])].v;
    store(load(to) + v[i], to);
  }
}

void step_contacts(const PackedProblem& packed, const Held& held, double L, const VecX& before,
                   Iterate& x, StepSums& out) {
  Lanes length = all(0.0), stretch = all(0.0), uphill = all(0.0);
  for (const BatchRun& run : packed.runs)
    for (auto k = static_cast<std::size_t>(run.first); k < static_cast<std::size_t>(run.last);
         ++k) {
      prefetch<double>(packed, k, packed.isotropic);
      const ContactBatch& batch = packed.batches[k];
      const AtBatch<double> at(batch, packed.bodies, packed.impulses_of(k));
      Lanes3 w = at.w();
      const Lanes D = min(wide(batch.step_n), wide(batch.step_t));
      Lanes3 next;
      if (run.rule == Rule::coulomb) {
        const HeldLanes law(load(batch.mu), load(held.batches.data() + 4 * k));
        w.x += law.lift;
        next = law.project(all(1.0), at.lambda - (D / L) * w);  // [AG.1]
      } else {
        next = project_onto_cone(load(batch.mu), all(1.0), at.lambda - (D / L) * w);
      }
      store_impulses(next, x.lambda.data() + 12 * k);

      const Lanes3 change = next - at.lambda;
      const double* last = before.data() + 12 * k;
      const Lanes tangential = change.y * change.y + change.z * change.z;
      length += (change.x * change.x + tangential) / D;
      stretch += at.Sigma_n * change.x * change.x + at.Sigma_t * tangential;
      uphill += dot(w, next - Lanes3{load(last), load(last + 4), load(last + 8)});

      const Lanes3 force = change.x * at.n + change.y * at.t + change.z * at.s;
      const Lanes minus = -at.a.inverse_mass;
      add_push(minus * force, batch.body_a, x.bodies);
      add_push(at.b.inverse_mass * force, batch.body_b, x.bodies);
      scatter_turn<double>(cross(force, at.r_a), batch.body_a, packed.inertias, x.bodies);
      scatter_turn<double>(cross(at.r_b, force), batch.body_b, packed.inertias, x.bodies);
    }
  out.length += sum(length);
  out.stretch += sum(stretch);
  out.uphill += sum(uphill);
}

// ---- blocks

template <int rows>
void step_block(const PackedBlock& block, const PackedProblem& packed, double held, double L,
                const VecX& before, Iterate& x, StepSums& out) {
  using Vector = typename Local<rows>::Vector;
  Local<rows> local(block, packed);
  if (block.normal >= 0 || block.holds_bound())
    local.bounds = {-held, held};
  else if (block.rule == Rule::coulomb)
    local.w(0) += held;
  const Vector next = local.step_down(1.0 / L), change = next - local.lambda;  // [AG.1]
  Eigen::Map<Vector>(x.lambda.data() + block.lambda) = next;
  const int row = block.lambda - packed.batch_impulses();
  const Eigen::Map<const Vector> Sigma(packed.block_Sigma.data() + row);
  out.length += local.length_of(change);
  out.stretch += change.dot(Sigma.cwiseProduct(change));
  out.uphill += local.w.dot(next - Eigen::Map<const Vector>(before.data() + block.lambda));
  add_impulse<rows>(block, change, packed, x.bodies);
}

}  // namespace

StepSums take_step(const PackedProblem& packed, const Held& held, double L, const VecX& before,
                   Iterate& x) {
  StepSums sums;
  x.bodies = packed.bodies;
  x.lambda.resize(packed.lambda.size());
  step_contacts(packed, held, L, before, x, sums);
  for (std::size_t i = 0; i < packed.blocks.size(); ++i) {
    const PackedBlock& block = packed.blocks[i];
    const double held_here = held.blocks(static_cast<Eigen::Index>(i));
    with_size(block.rows,
              [&]<int rows>() { step_block<rows>(block, packed, held_here, L, before, x, sums); });
  }
  return sums;
}

}  // namespace ligament::gradient
