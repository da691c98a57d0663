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

// ---- contacts and friction

// Appends a contact at one point of a rigid body, or of two (`a` < 0: against the ground): a frame
// normal, tangent, tangent at random, and G as a contact has it, C and C [r]ₓᵀ with the arms r.
inline void add_random_contact(int a, int b, const Law& law, Random& random, StepProblem& problem) {
  std::vector<int> touched;
  if (a >= 0) touched.push_back(a);
  touched.push_back(b);
  problem.G.add_block(3, touched, problem.M);
  const Mat3 C = random.rotation().toRotationMatrix();
  const RowBlock& block = problem.G.blocks.back();
  for (const BlockEntry& entry : problem.G.entries_of(block)) {
    const double side = entry.body == b ? 1.0 : -1.0;
    const Vec3 r = random.vector(0.5);
    Eigen::Map<Eigen::Matrix<double, 3, 6>> G(problem.G.entry_values(entry));
    G.leftCols<3>() = side * C;
    for (int i = 0; i < 3; ++i)
      G.rightCols<3>().row(i) = side * r.cross(Vec3(C.row(i))).transpose();
  }
  problem.laws.push_back(law);
  problem.b.conservativeResize(problem.rows());
  problem.Sigma.conservativeResize(problem.rows());
  const double normal = random.scale(1e-3, 1.0), tangential = random.scale(1e-3, 1.0);
  problem.Sigma.tail<3>() = Vec3(normal, tangential, tangential);
  problem.b.tail<3>() = Vec3(random.uniform(), 0.0, 0.0);
}

enum class RandomFriction { coulomb, cone, both };

// Rigid bodies in a chain of contacts, some with the ground, some twice.
inline StepProblem make_random_contacts(int bodies, int contacts, RandomFriction friction,
                                        Random& random) {
  StepProblem problem;
  for (int i = 0; i < bodies; ++i) {
    problem.M.add_block(6);
    problem.M.blocks.back().mass = random.scale(0.3, 3.0);
    problem.M.blocks.back().rotation = make_random_inertia(Blocks::symmetric, random);
  }
  problem.G.columns = problem.M.columns;
  resize_to_structure(problem);
  for (double& value : problem.p) value = random.uniform();
  for (int i = 0; i < contacts; ++i) {
    const int b = random.index(bodies), other = random.index(bodies + 1) - 1;
    const double mu = random.scale(0.05, 2.0);
    const bool coulomb = friction == RandomFriction::coulomb ||
                         (friction == RandomFriction::both && random.index(2) == 0);
    add_random_contact(other == b ? -1 : other, b, coulomb ? Law(Coulomb{mu}) : Law(Cone{mu}),
                       random, problem);
  }
  return problem;
}

// A law for every block: bounds and equalities, or also discs and cones. Tangential rows of a block
// share one Σ, as the rows of friction do.
enum class RandomLaws { bounds, convex, all };

inline void give_laws_at_random(RandomLaws laws, Random& random, StepProblem& problem) {
  int normal = -1;  // a row with an impulse ≥ 0 that others may hang on
  for (std::size_t i = 0; i < problem.laws.size(); ++i) {
    const RowBlock& block = problem.G.blocks[i];
    Law& law = problem.laws[i];
    const double mu = random.uniform(0.1, 1.5), most = random.uniform(0.0, 1.0);
    auto Sigma = problem.Sigma.segment(block.first_row, block.rows);
    switch (random.index(laws == RandomLaws::bounds ? 3 : laws == RandomLaws::convex ? 5 : 8)) {
      case 0: law = Equality{}; break;
      case 1: law = Unilateral{}; break;
      case 2: law = Box{.lower = -most, .upper = random.uniform(0.0, 1.0)}; break;
      case 3: law = Disc{.radius = most}, Sigma.setConstant(Sigma(0)); break;
      case 4: law = Cone{mu}, Sigma.tail(block.rows - 1).setConstant(Sigma(block.rows - 1)); break;
      case 5:
        if (block.rows == 3) law = Coulomb{mu}, Sigma.tail(2).setConstant(Sigma(2));
        break;
      case 6:
        if (normal >= 0) law = Disc{.normal = normal, .mu = mu}, Sigma.setConstant(Sigma(0));
        break;
      default:
        if (normal >= 0) law = Box{.normal = normal, .mu = mu};
    }
    if (std::holds_alternative<Unilateral>(law) || std::holds_alternative<Coulomb>(law))
      normal = block.first_row;
  }
}

}  // namespace ligament
