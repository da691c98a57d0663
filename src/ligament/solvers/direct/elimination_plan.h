// SPDX-License-Identifier: Apache-2.0
// The symbolic half of the Direct solver: where fill appears in the factor, and where each product
// of the numeric half goes. Made once per topology.
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
// So do bodies that condensed row blocks touch: M_h + Σ G_iᵀ D_i G_i stands for M_h there, and two
// bodies with a condensed row block between them are tied [DI.4]. A plan knows ties and not the row
// blocks that make them: it serves any contacts between the same pairs of bodies.
//
#pragma once

#include <vector>

#include "ligament/math/arena.h"
#include "ligament/solvers/direct/elimination_order.h"

namespace ligament::direct {

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

// The block of the factor that a tie is added to.
struct TieTarget {
  int other = 0;            // the block of M with the larger number, or the body itself
  int values = 0;           // offset of the block
  bool transposed = false;  // whether `other` comes first in the order: its columns, not its rows
};

struct EliminationPlan {
  std::vector<Node> nodes;  // in the order of elimination
  std::vector<Below> belows;
  std::vector<int> targets;
  std::vector<EliminatedBody> bodies;
  std::vector<Touch> touches;
  std::vector<int> pair_targets;
  std::vector<HubEntry> hub_entries;
  std::vector<int> node_of_hub;  // block of M → place of its node, −1 if it is eliminated first
  // Of each block of M the ties to itself and to those with a larger number, sorted:
  // ties[tie_starts[body] … tie_starts[body + 1]).
  std::vector<int> tie_starts;
  std::vector<TieTarget> ties;
  int reduced_size = 0;   // length of the reduced vector
  int values = 0;         // numbers in the factor
  int widest_column = 0;  // numbers in the blocks below the fullest pivot
  double work = 0.0;      // multiply-adds of one factorization

  // What the plan was made for: the row blocks that are nodes, their entries, the sizes of bodies.
  struct PlannedBlock {
    int block = 0;  // of G
    RowBlock rows;
  };
  std::vector<PlannedBlock> blocks;
  std::vector<BlockEntry> entries;
  std::vector<int> body_sizes;

  Arena scratch;  // of the planning
};

// Makes the plan anew, in the memory that it has. Throws PlanTooLarge.
void build_plan(const BlockDiagonal& M, const BlockRows& G, const Condensation& condensation,
                EliminationPlan& plan);

// Whether the plan was made for these bodies and the row blocks that are not condensed. Ties are
// looked up one by one.
bool fits(const EliminationPlan& plan, const BlockDiagonal& M, const BlockRows& G,
          const Condensation& condensation = {});

// Where the tie of two bodies goes, a ≤ b; null if the plan has none.
const TieTarget* find_tie(const EliminationPlan& plan, int a, int b);

}  // namespace ligament::direct
