// SPDX-License-Identifier: Apache-2.0
// Joints, controls and rods become rows: values g, Jacobian blocks G, a law and physical
// parameters.
//
// A ConstraintSet is made once per model: it knows which rows there are, whose they are and how
// they give way. build_rows evaluates g and G at a pose; a stepper turns them into Σ and b. What a
// row does though no free body moves is its drift: fixed bodies that are moved as prescribed, times
// their columns P of the Jacobian, and targets that change.
//
//     ġ = G v + drift,     drift = P v_prescribed − d(target)/dt                            [JO.15]
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ligament/constraints/body_frame.h"
#include "ligament/math/block_rows.h"
#include "ligament/math/law.h"
#include "ligament/model/model.h"

namespace ligament {

enum class RowKind : unsigned char {
  holonomic,  // g(q) = 0, relaxed by a spring of the given compliance and a damper
  velocity    // G v + drift = 0, relaxed by a viscous slip
};

// The physics of one row, constant over a run.
struct RowPhysics {
  RowKind kind = RowKind::holonomic;
  bool unilateral = false;     // g ≥ 0 instead of g = 0: limits and ropes
  bool elastic = false;        // a spring: that it gives way is its purpose and no error
  double compliance = 0.0;     // holonomic [m/N]; velocity: inverse drag [m/(N s)]
  double damping_time = -1.0;  // [s]; negative: the stepper's default
  double restitution = 0.0;    // unilateral rows: part of the speed that a hit gives back
  // Whose speed the damper of a spring sees: this part of the end of the step, the rest of its
  // start. Set by the stepper.                                                           [SP.11]
  double lateness = 1.0;
};

enum class BlockOwner : unsigned char { joint, control, rod };

// Where the columns of a body are in a row block.
struct Columns {
  int free = -1;        // entry of G, −1 if the body is fixed
  int prescribed = -1;  // entry of P, −1 if its motion is not prescribed
};

struct ConstraintBlock {
  BlockOwner owner = BlockOwner::joint;
  std::uint32_t index = 0;       // of the joint, the control or the body
  Columns a{}, b{};              // joints and rods
  std::size_t first_term = 0;    // controls: their columns are in term_columns from here on
  double sign = 1.0;             // −1 for the row of an upper limit
  double max_force = unlimited;  // [N, N m] of motors, servos and friction
};

struct ConstraintSet {
  std::vector<ConstraintBlock> blocks;  // one a row block of G
  std::vector<RowPhysics> physics;      // one a row
  // Of bodies a and b: one a term of the row of a control, in the order of the blocks.
  std::vector<std::pair<Columns, Columns>> term_columns;
  std::vector<int> joint_blocks;                   // block of each joint, −1 if it has no rows
  std::vector<std::array<int, 2>> control_blocks;  // blocks of each control, −1: none
  std::vector<int> bounded;                        // blocks whose force has a bound
  bool drifts = false;                             // whether a row may have a drift
  bool bounces = false;                            // whether a row has restitution
  bool has_unilateral = false;                     // whether there are limits or ropes
  bool has_velocity_rows = false;                  // whether a row ties velocities only
};

// The matrices that the rows of a model fill: G over the bodies that move freely, P over those that
// are moved as prescribed.
struct RowMatrices {
  BlockDiagonal& M;
  BlockRows& G;
  BlockRows& P;
};

// Lists the rows of a model and gives M, G and P their structure (their values are not set).
ConstraintSet make_constraints(const Model& model, const RowMatrices& out);

// Writes g (rows) and the values of G and P at the pose of the frames, with the joint coordinates
// s, at time t.
void build_rows(const ConstraintSet& set, const Model& model, const std::vector<BodyFrame>& frames,
                const VecX& s, double t, BlockRows& G, BlockRows& P, VecX& g);

// The same of one row block alone.
void build_block(const ConstraintSet& set, const Model& model, std::size_t block,
                 const std::vector<BodyFrame>& frames, const VecX& s, double t, BlockRows& G,
                 BlockRows& P, VecX& g);

// Adds −d(target)/dt of the controls over the time from t to t + h: the mean of a servo or a
// motion, the value in the middle of a motor.
void add_target_drift(const ConstraintSet& set, const Model& model, double t, double h,
                      const BlockRows& G, VecX& drift);

// The sum Σ factor · coordinate that a control acts on.
double compute_control_value(const Model& model, const Control& control, const VecX& s);

// What a row ties: g in metres, in radians or, of rods, as a number.
enum class RowMeasure : unsigned char { length, angle, number };
RowMeasure measure_of_row(const ConstraintSet& set, const Model& model, const BlockRows& G,
                          int row);

// A name for people: joint "elbow", point x.
std::string name_of_row(const ConstraintSet& set, const Model& model, const BlockRows& G, int row);
std::string name_of_block(const ConstraintSet& set, const Model& model, std::size_t block);

}  // namespace ligament
