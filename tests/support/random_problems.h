// SPDX-License-Identifier: Apache-2.0
// Step problems at random: structures that no machine has, but that a solver must handle.
#pragma once

#include <algorithm>
#include <vector>

#include "ligament/problem/step_problem.h"
#include "support/random.h"

namespace ligament {

enum class Blocks { symmetric, general };

struct ProblemShape {
  int bodies = 5;
  int row_blocks = 6;
  int most_rows = 6;            // of a row block
  int most_bodies_a_block = 2;  // that a row block touches, at least one
  int hubs = 0;                 // the first bodies: every second row block touches one of them
  Blocks blocks = Blocks::symmetric;
  double least_sigma = 1e-3, largest_sigma = 1.0;
};

inline Mat3 make_random_inertia(Blocks blocks, Random& random) {
  const Mat3 R = random.rotation().toRotationMatrix();
  const Vec3 moments(random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2));
  Mat3 A = R * moments.asDiagonal() * R.transpose();
  A = 0.5 * (A + A.transpose().eval());
  if (blocks == Blocks::general) {  // plus a skew part: positive definite still
    const Vec3 s = random.vector(2.0);
    A(0, 1) += s(0), A(1, 0) -= s(0);
    A(0, 2) += s(1), A(2, 0) -= s(1);
    A(1, 2) += s(2), A(2, 1) -= s(2);
  }
  return A;
}

inline void fill_at_random(const ProblemShape& shape, Random& random, StepProblem& problem) {
  for (double& value : problem.G.values) value = random.uniform();
  for (double& value : problem.p) value = random.uniform();
  for (double& value : problem.b) value = random.uniform();
  for (double& value : problem.Sigma) value = random.scale(shape.least_sigma, shape.largest_sigma);
}

inline StepProblem make_random_problem(const ProblemShape& shape, Random& random) {
  StepProblem problem;
  for (int i = 0; i < shape.bodies; ++i) {
    problem.M.add_block(random.index(3) == 0 ? 3 : 6);
    BodyBlock& block = problem.M.blocks.back();
    block.mass = random.scale(0.3, 3.0);
    block.symmetric = shape.blocks == Blocks::symmetric || block.size == 3;
    if (block.size == 6) block.rotation = make_random_inertia(shape.blocks, random);
  }
  for (int i = 0; i < shape.row_blocks; ++i) {
    std::vector<int> touched;
    if (i % 2 == 0 && shape.hubs > 0) touched.push_back(random.index(shape.hubs));
    const int count = 1 + random.index(shape.most_bodies_a_block);
    while (static_cast<int>(touched.size()) < std::min(count, shape.bodies)) {
      const int body = random.index(shape.bodies);
      if (std::ranges::find(touched, body) == touched.end()) touched.push_back(body);
    }
    problem.G.add_block(1 + random.index(shape.most_rows), touched, problem.M);
  }
  problem.G.columns = problem.M.columns;
  resize_to_structure(problem);
  fill_at_random(shape, random, problem);
  return problem;
}

}  // namespace ligament
