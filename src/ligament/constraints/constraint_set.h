// SPDX-License-Identifier: Apache-2.0
// Joints, drivers and rods become rows: values g, Jacobian blocks G, a law and physical parameters.
//
// A ConstraintSet is made once per model: it knows which rows there are, whose they are and how
// they give way. build_rows evaluates g and G at a pose; a stepper turns them into Σ and b.
#pragma once

#include <string>
#include <vector>

#include "ligament/constraints/body_frame.h"
#include "ligament/math/block_rows.h"
#include "ligament/math/law.h"
#include "ligament/model/model.h"

namespace ligament {

enum class RowKind : unsigned char {
  holonomic,  // g(q) = 0, relaxed by a spring of the given compliance and a damper
  velocity    // G v = target, relaxed by a viscous slip
};

// The physics of one row, constant over a run.
struct RowPhysics {
  RowKind kind = RowKind::holonomic;
  double compliance = 0.0;     // holonomic [m/N]; velocity: inverse drag [m/(N s)]
  double damping_time = -1.0;  // [s]; negative: the stepper's default
  double target = 0.0;         // [m/s] velocity rows
};

enum class BlockOwner : unsigned char { joint, driver, rod };

struct ConstraintBlock {
  BlockOwner owner = BlockOwner::joint;
  std::uint32_t index = 0;  // of the joint, the driver or the body
  int entry_a = -1;         // entry of G for body a, −1 if it is fixed
  int entry_b = -1;
};

struct ConstraintSet {
  std::vector<ConstraintBlock> blocks;  // one a row block of G
  std::vector<RowPhysics> physics;      // one a row
};

// Lists the rows of a model and gives M and G their structure (their values are not set).
ConstraintSet make_constraints(const Model& model, BlockDiagonal& M, BlockRows& G);

// Writes g (rows) and the values of G at the pose of the frames.
void build_rows(const ConstraintSet& set, const Model& model, const std::vector<BodyFrame>& frames,
                BlockRows& G, VecX& g);

// A name for people: joint "elbow", point x.
std::string name_of_row(const ConstraintSet& set, const Model& model, const BlockRows& G, int row);

}  // namespace ligament
