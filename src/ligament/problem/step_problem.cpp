// SPDX-License-Identifier: Apache-2.0
#include "ligament/problem/step_problem.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <utility>

#include "ligament/math/with_size.h"

namespace ligament {

void resize_to_structure(StepProblem& problem) {
  problem.p.setZero(problem.columns());
  problem.Sigma.setZero(problem.rows());
  problem.b.setZero(problem.rows());
  problem.laws.resize(problem.G.blocks.size());
}

bool has_only_equalities(const StepProblem& problem) {
  return std::ranges::all_of(problem.laws,
                             [](const Law& law) { return std::holds_alternative<Equality>(law); });
}

bool has_only_bounds(const StepProblem& problem) {
  return std::ranges::none_of(problem.laws, [](const Law& law) {
    return std::holds_alternative<Disc>(law) || std::holds_alternative<Cone>(law) ||
           std::holds_alternative<Coulomb>(law);
  });
}

bool has_given_bounds(const StepProblem& problem) {
  return std::ranges::all_of(problem.laws, [](const Law& law) { return normal_row_of(law) < 0; });
}

bool has_convex_laws(const StepProblem& problem) {
  return has_given_bounds(problem) && std::ranges::none_of(problem.laws, [](const Law& law) {
           return std::holds_alternative<Coulomb>(law);
         });
}

void project_onto_laws(const StepProblem& problem, VecX& lambda) {
  for (const bool hanging : {false, true})
    for (std::size_t i = 0; i < problem.laws.size(); ++i) {
      const Law& law = problem.laws[i];
      if ((normal_row_of(law) >= 0) != hanging) continue;
      const RowBlock& block = problem.G.blocks[i];
      project(bounded_by(lambda, law), lambda.segment(block.first_row, block.rows));
    }
}

namespace {

// A⁻¹ of the last two bodies: contacts of one pair follow each other, and the joints of a chain
// share a body with the next.
class LastInverses {
 public:
  explicit LastInverses(const BlockDiagonal& M) : M_(M) {}

  const Mat3& of(int body) {
    for (const Last& last : last_)
      if (last.body == body) return last.inverse;
    std::swap(last_[0], last_[1]);
    last_[0] = {body, M_.blocks[static_cast<std::size_t>(body)].rotation.inverse()};
    return last_[0].inverse;
  }

 private:
  struct Last {
    int body = -1;
    Mat3 inverse = Mat3::Zero();
  };
  const BlockDiagonal& M_;
  std::array<Last, 2> last_;
};

}  // namespace

void compute_row_mobility(const StepProblem& problem, VecX& out) {
  out = problem.Sigma;
  LastInverses inverses(problem.M);
  for (const RowBlock& block : problem.G.blocks)
    with_size(block.rows, [&]<int rows>() {
      using Columns = Eigen::Map<const Eigen::Matrix<double, rows, 3>>;
      auto sum = out.segment<rows>(block.first_row);
      for (const BlockEntry& entry : problem.G.entries_of(block)) {
        const BodyBlock& body = problem.M.blocks[static_cast<std::size_t>(entry.body)];
        const double* values = problem.G.entry_values(entry);
        sum += Columns(values).rowwise().squaredNorm() / body.mass;
        if (body.size == 3) continue;
        const Columns turning(values + 3 * rows);
        const Mat3& inverse = inverses.of(entry.body);
        sum += turning.cwiseProduct(turning * inverse.transpose()).rowwise().sum();
      }
    });
}

}  // namespace ligament
