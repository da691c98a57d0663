// SPDX-License-Identifier: Apache-2.0
// M: the mass matrix of a step problem, one block a body.
//
// A block is m E₃ (a particle, 3 columns) or diag(m E₃, A) (6 columns) with A a 3 × 3 matrix: the
// inertia tensor of a rigid body in world axes, (m l²/12) E₃ of a rod, or the gyroscopic tangent of
// a fast body, which is not symmetric but positive definite [GY.4].
#pragma once

#include <cassert>
#include <vector>

#include "ligament/math/types.h"

namespace ligament {

struct BodyBlock {
  int offset = 0;                // first column in u
  int size = 3;                  // 3 or 6
  bool symmetric = true;         // whether `rotation` is
  double mass = 0.0;             // [kg]
  Mat3 rotation = Mat3::Zero();  // [kg m²], used when size is 6
};

struct BlockDiagonal {
  std::vector<BodyBlock> blocks;
  int columns = 0;

  int add_block(int size) {
    assert(size == 3 || size == 6);
    blocks.push_back({.offset = columns, .size = size});
    columns += size;
    return static_cast<int>(blocks.size()) - 1;
  }
  bool is_symmetric() const {
    for (const BodyBlock& block : blocks)
      if (!block.symmetric) return false;
    return true;
  }
};

// out = M u.
inline void multiply(const BlockDiagonal& M, const VecX& u, VecX& out) {
  for (const BodyBlock& block : M.blocks) {
    out.segment<3>(block.offset) = block.mass * u.segment<3>(block.offset);
    if (block.size == 6)
      out.segment<3>(block.offset + 3) = block.rotation * u.segment<3>(block.offset + 3);
  }
}

// out = M⁻¹ p.
void multiply_inverse(const BlockDiagonal& M, const VecX& p, VecX& out);

MatX make_dense(const BlockDiagonal& M);

}  // namespace ligament
