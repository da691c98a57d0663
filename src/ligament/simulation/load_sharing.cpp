// SPDX-License-Identifier: Apache-2.0
#include "ligament/simulation/load_sharing.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "ligament/constraints/row_units.h"

namespace ligament {
namespace {

constexpr double nothing = 1e-6;  // of the largest entry of n: rounding, and no share

// Sets that are united, each known by its first member.
class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void unite(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

void set_shares(double rounding, SharingGroup& group) {
  for (SharedRow& row : group.rows)
    if (std::abs(row.force) < rounding) row.force = 0.0;
  for (SharedRow& row : group.rows) {
    double sum = 0.0;
    for (const SharedRow& other : group.rows)
      if (other.unit == row.unit) sum += std::abs(other.force);
    row.share = sum > 0.0 ? std::abs(row.force) / sum : 0.0;
  }
}

}  // namespace

std::vector<SharingGroup> find_sharing(const Model& model, const Workspace& work,
                                       const std::vector<bool>& ties,
                                       const std::vector<int>& dependent, const VecX& force,
                                       std::size_t most) {
  StepProblem problem = work.problem;
  problem.G.truncate(work.contacts.joint_blocks);
  problem.laws.resize(problem.G.blocks.size());
  std::vector<bool> independent = ties;
  for (const int row : dependent) independent[static_cast<std::size_t>(row)] = false;
  TieSolver solver(problem, independent);

  Groups groups(ties.size());
  VecX unit = VecX::Zero(problem.rows()), push = VecX::Zero(problem.columns());
  for (std::size_t i = 0; i < std::min(most, dependent.size()); ++i) {
    const auto row = static_cast<std::size_t>(dependent[i]);
    unit(dependent[i]) = 1.0;
    multiply_transposed(problem.G, unit, push);
    unit(dependent[i]) = 0.0;
    if (!solver.push(push)) continue;
    for (std::size_t k = 0; k < ties.size(); ++k)
      if (independent[k] && std::abs(solver.mu()(static_cast<Eigen::Index>(k))) > nothing)
        groups.unite(row, k);
  }

  std::map<std::size_t, SharingGroup> found;
  for (std::size_t i = 0; i < std::min(most, dependent.size()); ++i)
    ++found[groups.find(static_cast<std::size_t>(dependent[i]))].redundant;
  for (std::size_t k = 0; k < ties.size(); ++k) {
    const auto group = found.find(groups.find(k));
    if (!ties[k] || group == found.end()) continue;
    const int row = static_cast<int>(k);
    group->second.rows.push_back(
        {.row = row,
         .name = name_of_row(work.constraints, model, problem.G, row),
         .force = force(row),
         .unit = unit_of_row(work.constraints, model, problem.G, row).force});
  }
  const double rounding = 1e-9 * force.lpNorm<Eigen::Infinity>();
  std::vector<SharingGroup> result;
  for (auto& [first, group] : found) {
    set_shares(rounding, group);
    result.push_back(std::move(group));
  }
  return result;
}

}  // namespace ligament
