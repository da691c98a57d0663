// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/direct/block_kernels.h"

namespace ligament::direct {

Product subtract_product_of(int i, int j, int n) {
  return with_size(i, [&]<int I>() {
    return with_size(j, [&]<int J>() {
      return with_size(n, []<int N>() -> Product { return &subtract_product<I, J, N>; });
    });
  });
}

Product add_mobility_of(int i, int j, int n) {
  return with_size(i, [&]<int I>() {
    return with_size(j, [&]<int J>() -> Product {
      return n == 3 ? &add_mobility<I, J, 3> : &add_mobility<I, J, 6>;
    });
  });
}

Product add_transposed_mobility_of(int i, int j, int n) {
  return with_size(i, [&]<int I>() {
    return with_size(j, [&]<int J>() -> Product {
      return n == 3 ? &add_transposed_mobility<I, J, 3> : &add_transposed_mobility<I, J, 6>;
    });
  });
}

}  // namespace ligament::direct
