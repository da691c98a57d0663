// SPDX-License-Identifier: Apache-2.0
// A step problem laid out for sweeps: the same numbers, in the order in which a sweep reads them.
//
// Contacts are most of a large problem: three rows, a normal and two tangential ones, that act on
// one or two bodies at one point. Their blocks of G are made of the contact frame C and the arms
// r_a, r_b from the centres of mass,
//
//     G_b = [C, C [r_b]ₓᵀ],   G_a = −[C, C [r_a]ₓᵀ],   the rows of C: n, t, n × t            [GS.5]
//
// 12 numbers instead of 36; that G has this form is read off its values. Four contacts that share
// no body make a batch, one a lane: they can be solved side by side, and no sweep waits for one
// contact to finish before the next. Everything else (joints, limits, single rows, particles) is a
// block, with G and M⁻¹ Gᵀ stored.
//
// Impulses are in one array: 12 a batch (normal, first and second tangential, by lanes), then those
// of the blocks.
#pragma once

#include <vector>

#include "ligament/problem/step_problem.h"

namespace ligament::gauss_seidel {

constexpr int lane_count = 4;
using Lane4 = double[lane_count];

// What a sweep reads and writes of a body: one cache line.
struct alignas(64) PackedBody {
  double v[3];               // [m/s]
  double inverse_mass;       // [1/kg]
  double w[3];               // [rad/s]
  double inverse_isotropic;  // [1/(kg m²)] if the inverse inertia is a multiple of the unit matrix
};

// A⁻¹ of the rotational block, by columns.
struct alignas(32) PackedInertia {
  double columns[3][4];
};

struct alignas(64) ContactBatch {
  Lane4 n[3], t[3];        // C: normal and first tangent; the second is n × t
  Lane4 r_a[3], r_b[3];    // arms [m]
  Lane4 b[3];              // target of the rows [m/s]
  Lane4 Sigma_n, Sigma_t;  // [m/(N s)]
  Lane4 mu;                // friction coefficient
  // Steps of the local solve. They say how fast a sweep converges, not to what: single precision.
  float step_n[4];       // 1/A_nn [N s/m], A = (G M⁻¹ Gᵀ + Σ) of the contact
  float step_t[4];       // 1/λ_max(A_tt); for cones the one step of all three rows
  float coupling[2][4];  // A_tn [m/(N s)]
  int body_a[4], body_b[4];
};

enum class Rule : unsigned char { equality, bounds, disc, cone, coulomb };

// The friction from which on a convex solver holds the bound μ λ_n of Coulomb's law and not its
// lift μ‖w_t‖, which the outer loop then brings nearer by less than a fifth a pass.       [AG.4]
constexpr double strong_friction = 2.0;

// A row block of any other kind.
struct PackedBlock {
  Rule rule = Rule::equality;
  int rows = 0;
  int first_row = 0;    // in the problem
  int lambda = 0;       // first of its impulses
  int first_entry = 0;  // in `entries`
  int entries = 0;
  int values = 0;   // offset of A and of the inverse of A, rows × rows each
  int normal = -1;  // impulse that the bounds are mu times of, −1: lower and upper are given
  double mu = 0.0;
  double lower = 0.0, upper = 0.0;  // bounds; upper is the radius of a disc
  double step = 0.0;  // of a projected step of all rows (cone, disc) or of the tangential (coulomb)
  bool solvable = true;   // whether A has an inverse worth using
  bool symmetric = true;  // whether A is

  bool holds_bound() const { return rule == Rule::coulomb && mu > strong_friction; }
};

struct PackedEntry {
  int body = 0;
  int values = 0;  // offset of G (rows × 6) and of M⁻¹ Gᵀ (6 × rows), by columns
};

struct BatchRun {
  Rule rule = Rule::coulomb;
  int first = 0, last = 0;  // batches first … last − 1
};

struct PackedProblem {
  std::vector<PackedBody> bodies;  // those of the problem, and 8 that never move
  std::vector<PackedInertia> inertias;
  bool isotropic = true;  // all inverse inertias are multiples of the unit matrix

  std::vector<ContactBatch> batches;
  std::vector<BatchRun> runs;

  // In the order of a sweep: `blocks_before` of them before the contacts, the others, whose bounds
  // hang on contacts, after.
  std::vector<PackedBlock> blocks;
  std::size_t blocks_before = 0;
  std::vector<PackedEntry> entries;
  std::vector<double> values;
  std::vector<double> block_b, block_Sigma;  // of the rows of blocks, in the order of impulses

  VecX lambda;                // impulses in the order above
  std::vector<int> position;  // (rows of the problem) where the impulse of a row is
  double multiply_adds_a_sweep = 0.0;

  int batch_impulses() const { return 12 * static_cast<int>(batches.size()); }
};

enum class Batches : bool { none, of_contacts };

// Packs everything but λ and u. Allocates nothing when the sizes are those of an earlier call.
void pack(const StepProblem& problem, Batches batches, PackedProblem& out);

// λ of a first guess, put into K; zero if there is none of the right size, or it is not finite.
void read_guess(const StepProblem& problem, VecX& lambda);

// λ of the problem into the packed order, and back.
void pack_impulses(const VecX& lambda, PackedProblem& out);
void unpack_impulses(const PackedProblem& packed, VecX& lambda);

// diag(G M⁻¹ Gᵀ + Σ) in the order of the problem, if all rows are in blocks: batches keep the steps
// that they take and not the matrix. Empty if not.
void unpack_mobility(const PackedProblem& packed, VecX& out);

// u = M⁻¹ (p + Gᵀ λ), exactly, into u and the packed bodies.                             [WA.1]
void update_velocities(const StepProblem& problem, const VecX& lambda, PackedProblem& out, VecX& u);

}  // namespace ligament::gauss_seidel
