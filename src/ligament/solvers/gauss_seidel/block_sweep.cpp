// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/gauss_seidel/block_sweep.h"

#include "ligament/math/with_size.h"
#include "ligament/solvers/gauss_seidel/block_local.h"

namespace ligament::gauss_seidel {
namespace {

template <int rows>
double sweep_block(LocalSolve mode, const PackedBlock& block, PackedProblem& packed) {
  using Vector = typename Local<rows>::Vector;
  Local<rows> local(block, packed);
  const Vector x = local.solve(mode), change = x - local.lambda;
  Eigen::Map<Vector>(packed.lambda.data() + block.lambda) = x;
  add_impulse<rows>(block, change, packed, packed.bodies);
  return change.dot(local.A.diagonal().cwiseProduct(change));
}

}  // namespace

double sweep_blocks(LocalSolve local, std::size_t first, std::size_t last, PackedProblem& packed) {
  double moved = 0.0;
  for (std::size_t i = first; i < last; ++i) {
    const PackedBlock& block = packed.blocks[i];
    moved +=
        with_size(block.rows, [&]<int rows>() { return sweep_block<rows>(local, block, packed); });
  }
  return moved;
}

}  // namespace ligament::gauss_seidel
