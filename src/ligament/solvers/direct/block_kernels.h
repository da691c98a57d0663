// SPDX-License-Identifier: Apache-2.0
// Dense kernels on blocks of 1 to 6 rows and columns, sizes known at compile time so that the
// compiler unrolls and vectorizes them. Blocks are stored by columns.
#pragma once

#include <cmath>

#include "ligament/math/with_size.h"

namespace ligament::direct {

// C (I × J) −= X (I × N) Y (J × N)ᵀ.
template <int I, int J, int N>
inline void subtract_product(const double* __restrict X, const double* __restrict Y,
                             double* __restrict C) {
  for (int c = 0; c < J; ++c) {
    double sum[I];
    for (int r = 0; r < I; ++r) sum[r] = C[c * I + r];
    for (int k = 0; k < N; ++k)
      for (int r = 0; r < I; ++r) sum[r] -= X[k * I + r] * Y[k * J + c];
    for (int r = 0; r < I; ++r) C[c * I + r] = sum[r];
  }
}

// C (I × J) += G (I × N) W (N × J): what a body of N columns leaves between two of its row blocks.
template <int I, int J, int N>
inline void add_mobility(const double* __restrict G, const double* __restrict W,
                         double* __restrict C) {
  for (int c = 0; c < J; ++c) {
    double sum[I];
    for (int r = 0; r < I; ++r) sum[r] = C[c * I + r];
    for (int k = 0; k < N; ++k)
      for (int r = 0; r < I; ++r) sum[r] += G[k * I + r] * W[c * N + k];
    for (int r = 0; r < I; ++r) C[c * I + r] = sum[r];
  }
}

// C (I × J) += W (N × I)ᵀ G (J × N)ᵀ: the block across the diagonal, transposed.
template <int I, int J, int N>
inline void add_transposed_mobility(const double* __restrict G, const double* __restrict W,
                                    double* __restrict C) {
  for (int c = 0; c < J; ++c)
    for (int r = 0; r < I; ++r) {
      double sum = C[c * I + r];
      for (int k = 0; k < N; ++k) sum += W[r * N + k] * G[k * J + c];
      C[c * I + r] = sum;
    }
}

// The same three with sizes known at run time only.
using Product = void (*)(const double*, const double*, double*);
Product subtract_product_of(int i, int j, int n);
Product add_mobility_of(int i, int j, int n);  // n is 3 or 6
Product add_transposed_mobility_of(int i, int j, int n);

// D ← its LU factors in place, without pivoting: D = L U, L unit lower. The pivots of a
// quasi-definite matrix keep the sign of their node (0: any sign will do); one that falls below
// `floor` times its size `scale` before the elimination has lost all its digits. Returns false
// then.
template <int N>
inline bool factor_pivot(double* D, double sign, const double* scale, double floor) {
  for (int k = 0; k < N; ++k) {
    const double pivot = D[k * N + k];
    const double size = sign == 0.0 ? std::abs(pivot) : sign * pivot;
    if (!(size > floor * scale[k])) return false;
    const double inverse = 1.0 / pivot;
    for (int i = k + 1; i < N; ++i) D[k * N + i] *= inverse;
    for (int j = k + 1; j < N; ++j)
      for (int i = k + 1; i < N; ++i) D[j * N + i] -= D[k * N + i] * D[j * N + k];
    D[k * N + k] = inverse;  // kept inverted: solves multiply
  }
  return true;
}

// X ← X D⁻¹ for a block of `rows` rows, D as left by factor_pivot().
template <int N, int rows>
inline void solve_right(const double* D, double* X) {
  for (int c = 0; c < N; ++c) {  // Y U = X
    for (int k = 0; k < c; ++k)
      for (int r = 0; r < rows; ++r) X[c * rows + r] -= X[k * rows + r] * D[c * N + k];
    for (int r = 0; r < rows; ++r) X[c * rows + r] *= D[c * N + c];
  }
  for (int c = N - 1; c >= 0; --c)  // X L = Y
    for (int k = c + 1; k < N; ++k)
      for (int r = 0; r < rows; ++r) X[c * rows + r] -= X[k * rows + r] * D[c * N + k];
}

// D ← D⁻¹, D as left by factor_pivot().
template <int N>
inline void invert_pivot(double* D) {
  double X[N * N] = {};
  for (int i = 0; i < N; ++i) X[i * N + i] = 1.0;
  solve_right<N, N>(D, X);
  for (int i = 0; i < N * N; ++i) D[i] = X[i];
}

// x ← D⁻¹ x, D as left by invert_pivot().
template <int N>
inline void multiply_pivot(const double* D, double* x) {
  double y[N] = {};
  for (int c = 0; c < N; ++c)
    for (int r = 0; r < N; ++r) y[r] += D[c * N + r] * x[c];
  for (int r = 0; r < N; ++r) x[r] = y[r];
}

// y (rows) −= X (rows × N) x.
template <int N>
inline void subtract_times(const double* X, int rows, const double* x, double* y) {
  for (int k = 0; k < N; ++k)
    for (int r = 0; r < rows; ++r) y[r] -= X[k * rows + r] * x[k];
}

// x (N) −= X (rows × N)ᵀ y.
template <int N>
inline void subtract_transposed_times(const double* X, int rows, const double* y, double* x) {
  for (int k = 0; k < N; ++k) {
    double sum = 0.0;
    for (int r = 0; r < rows; ++r) sum += X[k * rows + r] * y[r];
    x[k] -= sum;
  }
}

}  // namespace ligament::direct
