// SPDX-License-Identifier: Apache-2.0
// The symbolic half of the Direct solver: in which order the blocks of the KKT matrix are
// eliminated, where fill appears, and where each product of the numeric half goes. Made once per
// topology.
//
// A body that touches few rows is eliminated first: its block of M is its pivot and it leaves
// behind G_i M⁻¹ G_jᵀ between all its row blocks i, j. If all bodies are such, what remains is the
// Schur complement S = G M⁻¹ Gᵀ + Σ, every row comes after its bodies and no pivot is a bare
// compliance. A *hub*, a body with many rows, would make S dense; it stays in the matrix as a node
// of its own:
//
//     [ S    G_h ] [  λ  ]   [ b − G M⁻¹ p ]
//     [ G_hᵀ −M_h ] [ u_h ] = [    −p_h     ]       symmetric quasi-definite               [DI.1]
//
// The nodes (row blocks and hubs) are ordered by minimum degree (CAMD) under the constraint that a
// row block still comes after at least one of its bodies, so that its pivot has that body's
// mobility in it. Hubs are peeled in rounds: rows that touch an eliminated body, then hubs that
// only few rows are left of, then their rows, and so on.
#pragma once

#include <vector>

#include "ligament/problem/step_problem.h"

namespace ligament::direct {

// A body with more rows than this is a hub: a clique of them would cost more than the body's own
// node.
constexpr int most_rows_of_a_plain_body = 40;

struct Node {
  int size = 0;    // rows of the row block, or columns of the hub
  int source = 0;  // index of the row block in G, or of the hub's block in M
  bool hub = false;
  int first = 0;     // place in the reduced vector
  int diagonal = 0;  // offset of its size × size pivot block in the values
  int below = 0;     // blocks below the pivot: belows[below … below + below_count)
  int below_count = 0;
  int targets = 0;      // where its updates go: targets[targets …), pairs i ≥ j of its belows
  bool uniform = true;  // all its belows have its own size
};

// A block of the factor: rows of `node`, columns of the node whose column it stands in.
struct Below {
  int node = 0;
  int values = 0;  // offset of its node.size × column.size values, by columns
};

// An entry of G on a body that is eliminated first.
struct Touch {
  int entry_values = 0;  // offset in G.values
  int rows = 0;
};

struct EliminatedBody {
  int body = 0;   // block of M
  int touch = 0;  // touches[touch … touch + touch_count), ordered by elimination
  int touch_count = 0;
  int targets = 0;      // pair_targets for pairs i ≥ j of its touches
  bool uniform = true;  // all its touches have the same number of rows
};

// An entry of G on a hub, which is copied into the matrix.
struct HubEntry {
  int entry_values = 0;
  int rows = 0;
  int columns = 0;
  int values = 0;           // where it goes
  bool transposed = false;  // whether the hub comes after the row block
};

struct EliminationPlan {
  std::vector<Node> nodes;  // in the order of elimination
  std::vector<Below> belows;
  std::vector<int> targets;
  std::vector<EliminatedBody> bodies;
  std::vector<Touch> touches;
  std::vector<int> pair_targets;
  std::vector<HubEntry> hub_entries;
  std::vector<int> node_of_block;  // row block → node
  std::vector<char> is_hub;        // block of M → whether it is a hub
  int reduced_size = 0;            // length of the reduced vector
  int values = 0;                  // numbers in the factor
  int widest_column = 0;           // numbers in the blocks below the fullest pivot
  double work = 0.0;               // multiply-adds of one factorization

  // What the plan was made for.
  BlockRows structure;  // without values
};

// The factor would not fit: a mechanism in which nearly everything is tied to everything.
struct PlanTooLarge {};

// Throws PlanTooLarge.
EliminationPlan make_plan(const BlockDiagonal& M, const BlockRows& G);

}  // namespace ligament::direct
