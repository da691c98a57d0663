// SPDX-License-Identifier: Apache-2.0
// The iterative form of the impulse paper: one constraint at a time, its impulse as if it were
// alone, over and over. For comparison: it converges slowly on long chains and large mass ratios,
// and its positions may not converge at all.
//
//     position  ν_c −= (G M⁻¹ Gᵀ)_cc⁻¹ g_c(q⁺)/h     where |g_c| > tolerance                [IB.11]
//     velocity  μ_c −= (G⁺ M⁻¹ G⁺ᵀ)_cc⁻¹ (G⁺ v)_c    where |(G⁺ v)_c| > tolerance           [IB.12]
//
// Reference Schmitt, Bender and Prautzsch 2005, eqs 2.6 and 2.7, with their corrections.
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "ligament/model/joint_coordinates.h"
#include "ligament/steppers/impulse/flight.h"

namespace ligament {
namespace {

using Mat6 = Eigen::Matrix<double, 6, 6>;
using SmallVec = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
using SmallMat = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;

Eigen::Map<const SmallMat> values_of(const BlockRows& G, const RowBlock& block,
                                     const BlockEntry& entry) {
  return {G.entry_values(entry), block.rows, entry.columns};
}

// M⁻¹ of one body times the columns of A.
SmallMat divide_by_mass(const BodyBlock& body, const SmallMat& A) {
  SmallMat out = A;
  out.topRows<3>() /= body.mass;
  if (body.size == 6) out.bottomRows<3>() = body.rotation.ldlt().solve(A.bottomRows<3>());
  return out;
}

// Inverses of the diagonal blocks of G M⁻¹ Gᵀ.
void compute_local_inverses(const StepProblem& problem, std::vector<Mat6>& out) {
  out.resize(problem.G.blocks.size());
  for (std::size_t b = 0; b < out.size(); ++b) {
    const RowBlock& block = problem.G.blocks[b];
    SmallMat K = SmallMat::Zero(block.rows, block.rows);
    for (const BlockEntry& entry : problem.G.entries_of(block)) {
      const SmallMat G_b = values_of(problem.G, block, entry);
      K += G_b *
           divide_by_mass(problem.M.blocks[static_cast<std::size_t>(entry.body)], G_b.transpose());
    }
    out[b].topLeftCorner(block.rows, block.rows) =
        K.ldlt().solve(SmallMat::Identity(block.rows, block.rows));
  }
}

// p += G_bᵀ impulse.
void add_impulse(const StepProblem& problem, const RowBlock& block, const SmallVec& impulse,
                 VecX& p) {
  for (const BlockEntry& entry : problem.G.entries_of(block))
    p.segment(entry.column, entry.columns) +=
        values_of(problem.G, block, entry).transpose() * impulse;
}

constexpr double lost = 1e6;  // [m, rad] or times the first: it diverges

}  // namespace

bool Flight::close_by_sweeps(double h, const State& from) {
  const StepProblem& problem = own_.problem;
  compute_local_inverses(problem, own_.mobility);
  const double enough = tolerance(from);
  move_to_end(h, from);
  for (int sweep = 0; sweep < method_.max_sweeps; ++sweep) {
    ++solve.iterations;
    double worst = 0.0;
    for (std::size_t b = 0; b < problem.G.blocks.size(); ++b) {
      const RowBlock& block = problem.G.blocks[b];
      build_block(work_.constraints, model_, b, own_.end.frames, own_.trial.s, own_.trial.t,
                  own_.end.G, own_.end.P, own_.end.g);
      const SmallVec g = own_.end.g.segment(block.first_row, block.rows);
      const double size = g.lpNorm<Eigen::Infinity>();
      if (!(size <= worst)) {
        worst = size;
        open_row = block.first_row;
      }
      if (size <= enough) continue;
      const SmallVec impulse = own_.mobility[b].topLeftCorner(block.rows, block.rows) * g / -h;
      own_.nu.segment(block.first_row, block.rows) += impulse;
      add_impulse(problem, block, impulse, own_.p);
      for (const BlockEntry& entry : problem.G.entries_of(block)) {
        const std::uint32_t i = own_.body_of_block[static_cast<std::size_t>(entry.body)];
        const Body& body = model_.bodies()[i];
        own_.trial.q.segment(body.q_offset, coordinates_of(body.kind)) =
            from.q.segment(body.q_offset, coordinates_of(body.kind));
        move_freely(model_, BodyId{i}, own_.p, h, method_.rotation, own_.trial.q);
        update_frame(body, own_.trial, own_.end.frames[i]);
      }
      if (model_.joint_coordinates() > 0) update_joint_coordinates(model_, own_.trial);
    }
    if (!(worst < lost)) return false;
    if (worst > enough) continue;
    move_to_end(h, from);  // the rows of all constraints at the pose that was found
    open_row = -1;
    solve.status = SolveStatus::solved;
    return true;
  }
  return false;
}

bool Flight::correct_by_sweeps() {
  const StepProblem& problem = own_.problem;
  compute_local_inverses(problem, own_.mobility);
  own_.impulse = problem.p;
  for (int sweep = 0; sweep < method_.max_sweeps; ++sweep) {
    ++velocity_passes;
    double worst = 0.0;
    for (std::size_t b = 0; b < problem.G.blocks.size(); ++b) {
      const RowBlock& block = problem.G.blocks[b];
      SmallVec speed = own_.drift.segment(block.first_row, block.rows);
      for (const BlockEntry& entry : problem.G.entries_of(block)) {
        const BodyBlock& body = problem.M.blocks[static_cast<std::size_t>(entry.body)];
        const SmallVec p = own_.impulse.segment(entry.column, entry.columns);
        speed += values_of(problem.G, block, entry) * divide_by_mass(body, p);
      }
      const double size = speed.lpNorm<Eigen::Infinity>();
      if (!(size <= worst)) worst = size, worst_speed_row = block.first_row;
      if (size <= method_.tolerance) continue;
      const SmallVec impulse = -own_.mobility[b].topLeftCorner(block.rows, block.rows) * speed;
      own_.step.segment(block.first_row, block.rows) += impulse;
      add_impulse(problem, block, impulse, own_.impulse);
    }
    speed_miss = worst;
    if (worst <= method_.tolerance) return true;
  }
  return true;  // never diverges [IB.12]; what is missing is in the report
}

}  // namespace ligament
