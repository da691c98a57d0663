// SPDX-License-Identifier: Apache-2.0
// Numbers side by side, one of each of four contacts in double precision, or of eight in single: a
// vector register where the processor has it, more operations where it has not. Made of the vector
// extension that GCC and Clang share; everything is inlined, so no calling convention is at stake.
// For the few .cpp files that sweep.
#pragma once

#include <cmath>
#include <cstring>
#include <type_traits>

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace ligament::gauss_seidel {

#pragma GCC diagnostic ignored "-Wpsabi"

template <class Real>
struct Register;
template <>
struct Register<double> {
  using Lanes = double __attribute__((vector_size(32)));
};
template <>
struct Register<float> {
  using Lanes = float __attribute__((vector_size(32)));
};
template <class Real>
using LanesOf = typename Register<Real>::Lanes;

using Lanes = LanesOf<double>;
using FloatLanes = LanesOf<float>;

template <class V>
using RealOf = std::remove_cvref_t<decltype(V{}[0])>;
template <class V>
constexpr int count_of = static_cast<int>(sizeof(V) / sizeof(RealOf<V>));

template <class V = Lanes>
V all(double x) {
  return V{} + static_cast<RealOf<V>>(x);
}
inline Lanes load(const double* x) { return *reinterpret_cast<const Lanes*>(x); }
inline FloatLanes load(const float* x) { return *reinterpret_cast<const FloatLanes*>(x); }
inline Lanes load_unaligned(const double* x) {
  Lanes lanes;
  std::memcpy(&lanes, x, sizeof lanes);
  return lanes;
}
inline void store(const Lanes& x, double* out) { *reinterpret_cast<Lanes*>(out) = x; }
inline void store(const FloatLanes& x, float* out) { *reinterpret_cast<FloatLanes*>(out) = x; }

// As many numbers of single precision as there are lanes.
template <class V = Lanes>
V wide(const float* x) {
  if constexpr (count_of<V> == 8) return load(x);
  using Half = float __attribute__((vector_size(16)));
  if constexpr (count_of<V> == 4)
    return __builtin_convertvector(*reinterpret_cast<const Half*>(x), V);
}

#if defined(__AVX__)
inline Lanes max(const Lanes& a, const Lanes& b) { return _mm256_max_pd(a, b); }
inline Lanes min(const Lanes& a, const Lanes& b) { return _mm256_min_pd(a, b); }
inline Lanes sqrt(const Lanes& a) { return _mm256_sqrt_pd(a); }
inline FloatLanes max(const FloatLanes& a, const FloatLanes& b) { return _mm256_max_ps(a, b); }
inline FloatLanes min(const FloatLanes& a, const FloatLanes& b) { return _mm256_min_ps(a, b); }
inline FloatLanes sqrt(const FloatLanes& a) { return _mm256_sqrt_ps(a); }
#else
template <class V>
V max(const V& a, const V& b) {
  return a > b ? a : b;
}
template <class V>
V min(const V& a, const V& b) {
  return a < b ? a : b;
}
template <class V>
V sqrt(const V& a) {
  V root = a;
  for (int i = 0; i < count_of<V>; ++i) root[i] = std::sqrt(a[i]);
  return root;
}
#endif

template <class V>
V absolute(const V& x) {
  return max(x, -x);
}
template <class V>
double sum(const V& x) {
  double total = 0.0;
  for (int i = 0; i < count_of<V>; ++i) total += static_cast<double>(x[i]);
  return total;
}

// Rows to columns: a, b, c, d are the rows of a 4 × 4 matrix.
inline void transpose(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
  const Lanes ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const Lanes ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Lanes cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const Lanes cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
}

// The same of an 8 × 8 matrix: pairs of numbers, then pairs of pairs, then halves.
inline void transpose(FloatLanes (&x)[8]) {
  FloatLanes pairs[8];
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = __builtin_shufflevector(x[i], x[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    pairs[i + 1] = __builtin_shufflevector(x[i], x[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  FloatLanes fours[8];
  for (const int i : {0, 4})
    for (const int k : {0, 1}) {
      const FloatLanes &one = pairs[i + k], &other = pairs[i + k + 2];
      fours[i + 2 * k] = __builtin_shufflevector(one, other, 0, 1, 8, 9, 4, 5, 12, 13);
      fours[i + 2 * k + 1] = __builtin_shufflevector(one, other, 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int i = 0; i < 4; ++i) {
    x[i] = __builtin_shufflevector(fours[i], fours[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    x[i + 4] = __builtin_shufflevector(fours[i], fours[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

// A vector of space in each lane.
template <class V>
struct Lanes3Of {
  V x, y, z;
};
using Lanes3 = Lanes3Of<Lanes>;

template <class V>
Lanes3Of<V> operator+(const Lanes3Of<V>& a, const Lanes3Of<V>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class V>
Lanes3Of<V> operator-(const Lanes3Of<V>& a, const Lanes3Of<V>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class V>
Lanes3Of<V> operator*(const V& s, const Lanes3Of<V>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class V>
V dot(const Lanes3Of<V>& a, const Lanes3Of<V>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class V>
Lanes3Of<V> cross(const Lanes3Of<V>& a, const Lanes3Of<V>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace ligament::gauss_seidel
