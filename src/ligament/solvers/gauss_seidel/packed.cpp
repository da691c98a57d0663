// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/gauss_seidel/packed.h"

#include <Eigen/LU>
#include <algorithm>

#include "ligament/solvers/gauss_seidel/packing.h"

namespace ligament::gauss_seidel {
namespace {

// Of the world, which lanes without a body point at: one a lane and side.
template <class Real>
constexpr std::size_t ground_slots = 2 * lanes_of<Real>;

template <class Real>
void pack_bodies(const BlockDiagonal& M, PackedContacts<Real>& out) {
  const std::size_t count = M.blocks.size() + ground_slots<Real>;
  out.bodies.assign(count, BodyOf<Real>{});
  out.inertias.assign(count, InertiaOf<Real>{});
  out.isotropic = true;
  for (std::size_t i = 0; i < M.blocks.size(); ++i) {
    const BodyBlock& block = M.blocks[i];
    out.bodies[i].inverse_mass = static_cast<Real>(1.0 / block.mass);
    if (block.size == 3) continue;
    const Mat3 inverse = block.rotation.inverse();
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) out.inertias[i].columns[c][r] = static_cast<Real>(inverse(r, c));
    const double mean = inverse.trace() / 3.0;
    out.bodies[i].inverse_isotropic = static_cast<Real>(mean);
    const double off = (inverse - mean * Mat3::Identity()).cwiseAbs().maxCoeff();
    if (!(off <= same * mean)) out.isotropic = false;
  }
}

// Bodies and batches, without impulses.
template <class Real>
void start_packing(const StepProblem& problem, const VecX& b, Batches batches,
                   PackedContacts<Real>& out) {
  out.batches.clear();
  out.runs.clear();
  out.position.assign(static_cast<std::size_t>(problem.rows()), -1);
  pack_bodies(problem.M, out);
  if (batches == Batches::of_contacts) pack_contacts(problem, b, out);
  constexpr double multiply_adds_a_contact = 84.0;
  out.multiply_adds_a_sweep =
      multiply_adds_a_contact * lanes_of<Real> * static_cast<double>(out.batches.size());
}

}  // namespace

void pack(const StepProblem& problem, Batches batches, PackedProblem& out) {
  out.blocks.clear();
  out.entries.clear();
  out.values.clear();
  out.block_b.clear();
  out.block_Sigma.clear();
  start_packing(problem, problem.b, batches, out);
  pack_blocks(problem, out);
  out.lambda.setZero(out.batch_impulses() + static_cast<Eigen::Index>(out.block_b.size()));
}

bool pack(const StepProblem& problem, const VecX& b, PackedContacts<float>& out) {
  start_packing(problem, b, Batches::of_contacts, out);
  out.lambda.assign(out.first_impulse(out.batches.size()), 0.0F);
  return std::ranges::none_of(out.position, [](int at) { return at < 0; });
}

void read_guess(const StepProblem& problem, VecX& lambda) {
  if (lambda.size() != problem.rows() || !lambda.allFinite()) {
    lambda.setZero(problem.rows());
    return;
  }
  project_onto_laws(problem, lambda);
}

void unpack_mobility(const PackedProblem& packed, VecX& out) {
  if (!packed.batches.empty()) return out.resize(0);
  out.resize(static_cast<Eigen::Index>(packed.position.size()));
  for (const PackedBlock& block : packed.blocks) {
    const double* A = packed.values.data() + block.values;
    for (int i = 0; i < block.rows; ++i) out(block.first_row + i) = A[i * (block.rows + 1)];
  }
}

void update_velocities(const StepProblem& problem, const VecX& lambda, PackedProblem& out,
                       VecX& u) {
  multiply_transposed(problem.G, lambda, u);
  u += problem.p;
  for (std::size_t i = 0; i < problem.M.blocks.size(); ++i) {
    const BodyBlock& block = problem.M.blocks[i];
    PackedBody& body = out.bodies[i];
    u.segment<3>(block.offset) *= body.inverse_mass;
    Eigen::Map<Vec3>(body.v) = u.segment<3>(block.offset);
    if (block.size == 3) continue;
    const Vec3 spin = inverse_of(out.inertias[i]) * u.segment<3>(block.offset + 3);
    u.segment<3>(block.offset + 3) = spin;
    Eigen::Map<Vec3>(body.w) = spin;
  }
}

}  // namespace ligament::gauss_seidel
