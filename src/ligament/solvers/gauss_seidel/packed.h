// SPDX-License-Identifier: Apache-2.0
// A step problem laid out for sweeps: the same numbers, in the order in which a sweep reads them.
//
// Contacts are most of a large problem: three rows, a normal and two tangential ones, that act on
// one or two bodies at one point. Their blocks of G are made of the contact frame C and the arms
// r_a, r_b from the centres of mass,
//
//     G_b = [C, C [r_b]ₓᵀ],   G_a = −[C, C [r_a]ₓᵀ],   the rows of C: n, t, n × t            [GS.5]
//
// 12 numbers instead of 36; that G has this form is read off its values. Contacts that share no
// body make a batch, one a lane: they can be solved side by side, and no sweep waits for one
// contact to finish before the next. Everything else (joints, limits, single rows, particles) is a
// block, with G and M⁻¹ Gᵀ stored.
//
// A batch has four contacts in double precision. Problems that are nothing but contacts and are not
// solved to many digits are packed in single precision, eight contacts a batch: half the memory and
// twice the width.                                                                       [GS.13]
//
// Impulses are in one array: three numbers a contact (all normal ones of a batch, all first and all
// second tangential, by lanes), then those of the blocks.
#pragma once

#include <vector>

#include "ligament/problem/step_problem.h"

namespace ligament::gauss_seidel {

// Of a batch: as many as fill 32 bytes.
template <class Real>
constexpr int lanes_of = static_cast<int>(32 / sizeof(Real));
constexpr int lane_count = lanes_of<double>;

// What a sweep reads and writes of a body: one cache line, or half of one.
template <class Real>
struct alignas(8 * sizeof(Real)) BodyOf {
  Real v[3];               // [m/s]
  Real inverse_mass;       // [1/kg]
  Real w[3];               // [rad/s]
  Real inverse_isotropic;  // [1/(kg m²)] if the inverse inertia is a multiple of the unit matrix
};
using PackedBody = BodyOf<double>;

// A⁻¹ of the rotational block, by columns; the fourth number is 0.
template <class Real>
struct alignas(4 * sizeof(Real)) InertiaOf {
  Real columns[3][4];
};
using PackedInertia = InertiaOf<double>;

template <class Real>
struct alignas(64) BatchOf {
  using Lane = Real[lanes_of<Real>];
  using Step = float[lanes_of<Real>];
  Lane n[3], t[3];        // C: normal and first tangent; the second is n × t
  Lane r_a[3], r_b[3];    // arms [m]
  Lane b[3];              // target of the rows [m/s]
  Lane Sigma_n, Sigma_t;  // [m/(N s)]
  Lane mu;                // friction coefficient
  // Steps of the local solve. They say how fast a sweep converges, not to what: single precision.
  Step step_n;       // 1/A_nn [N s/m], A = (G M⁻¹ Gᵀ + Σ) of the contact
  Step step_t;       // 1/λ_max(A_tt); for cones the one step of all three rows
  Step coupling[2];  // A_tn [m/(N s)]
  int body_a[lanes_of<Real>], body_b[lanes_of<Real>];
};
using ContactBatch = BatchOf<double>;

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

template <class Real>
struct ImpulsesOf {
  using Array = std::vector<Real, Eigen::aligned_allocator<Real>>;
};
template <>
struct ImpulsesOf<double> {
  using Array = VecX;
};

template <class Real>
struct PackedContacts {
  std::vector<BodyOf<Real>> bodies;  // those of the problem, and some that never move
  std::vector<InertiaOf<Real>> inertias;
  bool isotropic = true;  // all inverse inertias are multiples of the unit matrix

  std::vector<BatchOf<Real>> batches;
  std::vector<BatchRun> runs;

  typename ImpulsesOf<Real>::Array lambda;  // impulses in the order above
  std::vector<int> position;                // (rows of the problem) where the impulse of a row is
  double multiply_adds_a_sweep = 0.0;

  // First impulse of batch k.
  static constexpr std::size_t first_impulse(std::size_t k) { return 3 * lanes_of<Real> * k; }
  Real* impulses_of(std::size_t k) { return lambda.data() + first_impulse(k); }
  const Real* impulses_of(std::size_t k) const { return lambda.data() + first_impulse(k); }
};

// Contacts in batches, and everything else in blocks.
struct PackedProblem : PackedContacts<double> {
  // In the order of a sweep: `blocks_before` of them before the contacts, the others, whose bounds
  // hang on contacts, after.
  std::vector<PackedBlock> blocks;
  std::size_t blocks_before = 0;
  std::vector<PackedEntry> entries;
  std::vector<double> values;
  std::vector<double> block_b, block_Sigma;  // of the rows of blocks, in the order of impulses

  int batch_impulses() const { return static_cast<int>(first_impulse(batches.size())); }
};

enum class Batches : bool { none, of_contacts };

// Packs everything but λ and u. Allocates nothing when the sizes are those of an earlier call.
void pack(const StepProblem& problem, Batches batches, PackedProblem& out);

// The same in single precision, with other targets b and all velocities zero, if the problem has
// nothing but contacts that batches hold. Returns whether it has.
bool pack(const StepProblem& problem, const VecX& b, PackedContacts<float>& out);

// λ of a guess, put into K; zero if there is none of the right size, or it is not finite.
void read_guess(const StepProblem& problem, VecX& lambda);

// λ of the problem into the packed order, and back.
template <class Real>
void pack_impulses(const VecX& lambda, PackedContacts<Real>& out) {
  for (Eigen::Index row = 0; row < lambda.size(); ++row)
    out.lambda.data()[out.position[static_cast<std::size_t>(row)]] = static_cast<Real>(lambda(row));
}
template <class Real>
void unpack_impulses(const PackedContacts<Real>& packed, VecX& lambda) {
  for (Eigen::Index row = 0; row < lambda.size(); ++row)
    lambda(row) =
        static_cast<double>(packed.lambda.data()[packed.position[static_cast<std::size_t>(row)]]);
}

// diag(G M⁻¹ Gᵀ + Σ) in the order of the problem, if all rows are in blocks: batches keep the steps
// that they take and not the matrix. Empty if not.
void unpack_mobility(const PackedProblem& packed, VecX& out);

// u = M⁻¹ (p + Gᵀ λ), exactly, into u and the packed bodies.                             [WA.1]
void update_velocities(const StepProblem& problem, const VecX& lambda, PackedProblem& out, VecX& u);

}  // namespace ligament::gauss_seidel
