// SPDX-License-Identifier: Apache-2.0
// Step problems with contacts, built by hand: tables, stacks and piles, without the rooms above the
// waist. Contact rows are ordered normal first; the normal points from body A to body B.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "ligament/problem/step_problem.h"
#include "support/random.h"

namespace ligament {

constexpr int ground = -1;

enum class ConeLaw { coulomb, cone };

struct Place {
  Vec3 at = Vec3::Zero();       // [m]
  Vec3 normal = Vec3::UnitZ();  // from A to B
  double gap = 0.0;             // [m]
};

inline Law make_friction(ConeLaw friction, double mu) {
  if (friction == ConeLaw::cone) return Cone{mu};
  return Coulomb{mu};
}

// Bodies at given centres, and contacts between them.
struct ContactScene {
  StepProblem problem;
  std::vector<Vec3> centres;
  double h = 0.01;  // [s]

  int add_body(double mass, const Mat3& inertia, const Vec3& centre) {
    const int body = problem.M.add_block(6);
    problem.M.blocks.back().mass = mass;
    problem.M.blocks.back().rotation = inertia;
    centres.push_back(centre);
    return body;
  }
  int add_box(double mass, const Vec3& size, const Vec3& centre) {
    const Vec3 square = size.cwiseProduct(size);
    const Vec3 moments(square.y() + square.z(), square.x() + square.z(), square.x() + square.y());
    return add_body(mass, mass / 12.0 * Mat3(moments.asDiagonal()), centre);
  }
  int add_sphere(double mass, double radius, const Vec3& centre) {
    return add_body(mass, 0.4 * mass * radius * radius * Mat3::Identity(), centre);
  }
  // n, t1, t2 of a contact.
  static Mat3 frame_of(const Vec3& normal) {
    Mat3 axes;
    const Vec3 other = std::abs(normal.x()) < 0.7 ? Vec3::UnitX() : Vec3::UnitY();
    axes.col(0) = normal;
    axes.col(1) = (other - normal * normal.dot(other)).normalized();
    axes.col(2) = normal.cross(axes.col(1));
    return axes;
  }
  // A row block of normal and tangential rows (or the normal one only) between A and B, either of
  // which may be the ground. Call finish() after the last.
  int add_contact(int a, int b, const Place& place, const Law& law, int rows = 3) {
    std::vector<int> bodies;
    if (a != ground) bodies.push_back(a);
    if (b != ground) bodies.push_back(b);
    const int block = problem.G.add_block(rows, bodies, problem.M);
    const Mat3 axes = frame_of(place.normal);
    for (const BlockEntry& entry :
         problem.G.entries_of(problem.G.blocks[static_cast<std::size_t>(block)])) {
      const double sign = entry.body == a ? -1.0 : 1.0;
      const Vec3 arm = place.at - centres[static_cast<std::size_t>(entry.body)];
      for (int r = 0; r < rows; ++r) {
        const Vec3 axis = axes.col(r), turn = arm.cross(axis);
        for (int c = 0; c < 3; ++c) {
          problem.G.entry_values(entry)[c * rows + r] = sign * axis(c);
          problem.G.entry_values(entry)[(c + 3) * rows + r] = sign * turn(c);
        }
      }
    }
    laws_.push_back(law);
    gaps_.push_back(place.gap);
    return block;
  }
  // Gives p, b and Σ their values: p = M v + h m g, b_n = −gap/h, Σ = s times the mean of the
  // mobilities of a block's rows.
  void finish(double s, const VecX& v, double g = 9.81) {
    problem.G.columns = problem.M.columns;
    resize_to_structure(problem);
    problem.laws = laws_;
    multiply(problem.M, v, problem.p);
    for (const BodyBlock& body : problem.M.blocks) problem.p(body.offset + 2) -= h * body.mass * g;
    soften(s);
    for (std::size_t i = 0; i < gaps_.size(); ++i)
      problem.b(problem.G.blocks[i].first_row) = -gaps_[i] / h;
  }
  void soften(double s) {
    problem.Sigma.setZero();
    VecX mobility;
    compute_row_mobility(problem, mobility);
    for (const RowBlock& block : problem.G.blocks)
      problem.Sigma.segment(block.first_row, block.rows)
          .setConstant(s * mobility.segment(block.first_row, block.rows).mean());
  }

 private:
  std::vector<Law> laws_;
  std::vector<double> gaps_;
};

// The table of the acceptance tests: 10 kg, 1.2 × 0.8 × 0.3 m, its centre at (.1, .05, .7), on four
// legs, at rest; then it gets an impulse and an angular impulse.
inline ContactScene make_table(double s, const Vec3& impulse, const Vec3& turn, const Law& law,
                               int rows = 3) {
  ContactScene scene;
  const int table = scene.add_box(10.0, {1.2, 0.8, 0.3}, {0.1, 0.05, 0.7});
  for (const auto& leg : {Vec3(-.5, -.3, 0), Vec3(.5, -.3, 0), Vec3(.5, .3, 0), Vec3(-.5, .3, 0)})
    scene.add_contact(ground, table, {.at = leg}, law, rows);
  scene.finish(s, VecX::Zero(6));
  scene.problem.p.segment<3>(0) += impulse;
  scene.problem.p.segment<3>(3) += turn;
  return scene;
}

struct StackShape {
  int boxes = 10;
  double top_mass = 1.0;    // [kg]
  double other_mass = 1.0;  // [kg] of every other box below it, from the second on; the rest has 1
  double s = 1e-3;
  double mu = 0.5;
  ConeLaw friction = ConeLaw::coulomb;
};

// Boxes 1 × 1 × 0.5 m on each other, four contacts each; one in the middle is pushed.
inline ContactScene make_stack(const StackShape& shape) {
  ContactScene scene;
  const auto mass_of = [&](int i) {
    return i + 1 == shape.boxes ? shape.top_mass : i % 2 == 1 ? shape.other_mass : 1.0;
  };
  for (int i = 0; i < shape.boxes; ++i)
    scene.add_box(mass_of(i), {1, 1, 0.5}, {0, 0, 0.25 + 0.5 * i});
  for (int i = 0; i < shape.boxes; ++i)
    for (const double x : {-0.5, 0.5})
      for (const double y : {-0.5, 0.5})
        scene.add_contact(i - 1, i, {.at = {x, y, 0.5 * i}},
                          make_friction(shape.friction, shape.mu));
  VecX v = VecX::Zero(6 * shape.boxes);
  if (shape.boxes > 5) v.segment<6>(30) << 0.02, 0.01, 0, 0, 0, 0.024;
  scene.finish(shape.s, v);
  return scene;
}

}  // namespace ligament
