// SPDX-License-Identifier: Apache-2.0
// Four numbers side by side, one of each of four contacts: a vector register where the processor
// has it, two or four operations where it has not. Made of the vector extension that GCC and Clang
// share; everything is inlined, so no calling convention is at stake. For the few .cpp files that
// sweep.
#pragma once

#include <cmath>
#include <cstring>

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace ligament::gauss_seidel {

#pragma GCC diagnostic ignored "-Wpsabi"

using Lanes = double __attribute__((vector_size(32)));
using HalfLanes = float __attribute__((vector_size(16)));

inline Lanes all(double x) { return Lanes{x, x, x, x}; }
inline Lanes wide(const float* x) {
  return __builtin_convertvector(*reinterpret_cast<const HalfLanes*>(x), Lanes);
}
inline Lanes load(const double* x) { return *reinterpret_cast<const Lanes*>(x); }
inline Lanes load_unaligned(const double* x) {
  Lanes lanes;
  std::memcpy(&lanes, x, sizeof lanes);
  return lanes;
}
inline void store(const Lanes& x, double* out) { *reinterpret_cast<Lanes*>(out) = x; }

#if defined(__AVX__)
inline Lanes max(const Lanes& a, const Lanes& b) { return _mm256_max_pd(a, b); }
inline Lanes min(const Lanes& a, const Lanes& b) { return _mm256_min_pd(a, b); }
inline Lanes sqrt(const Lanes& a) { return _mm256_sqrt_pd(a); }
#else
inline Lanes max(const Lanes& a, const Lanes& b) { return a > b ? a : b; }
inline Lanes min(const Lanes& a, const Lanes& b) { return a < b ? a : b; }
inline Lanes sqrt(const Lanes& a) {
  return Lanes{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
}
#endif

inline Lanes absolute(const Lanes& x) { return max(x, -x); }
inline double sum(const Lanes& x) { return (x[0] + x[1]) + (x[2] + x[3]); }

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

// A vector of space in each lane.
struct Lanes3 {
  Lanes x, y, z;
};

inline Lanes3 operator+(const Lanes3& a, const Lanes3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Lanes3 operator-(const Lanes3& a, const Lanes3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Lanes3 operator*(const Lanes& s, const Lanes3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Lanes dot(const Lanes3& a, const Lanes3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Lanes3 cross(const Lanes3& a, const Lanes3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace ligament::gauss_seidel
