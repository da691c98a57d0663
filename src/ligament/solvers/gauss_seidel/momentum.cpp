// SPDX-License-Identifier: Apache-2.0
#include "ligament/solvers/gauss_seidel/momentum.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ligament::gauss_seidel {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// x ← x + β (x − old), old ← x.
template <class Real>
void extrapolate(Real beta, std::size_t count, Real* __restrict x, Real* __restrict old) {
  for (std::size_t i = 0; i < count; ++i) {
    const Real here = x[i];
    x[i] = here + beta * (here - old[i]);
    old[i] = here;
  }
}

}  // namespace

void Pace::start() {
  theta_ = limit_ = 1.0;
  beta_ = 0.0;
  age_ = stale_ = 0;
  moved_ = least_ = recent_ = infinity;
}

void Pace::learn(double moved) {
  weaken_if_stale(moved);
  weaken_if_growing(moved);
  restart_if_too_far(moved);
  beta_ = std::min(beta_, limit_);
}

// Sweeps of non-symmetric problems may grow without end.
void Pace::weaken_if_growing(double moved) {
  constexpr double too_much = 1e4;  // a hundred times as far as the least
  constexpr double weaker = 0.5;
  if (moved <= too_much * least_) return;
  limit_ *= weaker;  // [GS.11]
  theta_ = 1.0;
  least_ = recent_ = moved;
  stale_ = 0;
}

void Pace::restart_if_too_far(double moved) {
  constexpr double kept = 0.7;  // of θ
  constexpr int least_age = 5;  // momentum needs a few sweeps to pay
  constexpr double more = 1.3;  // single sweeps of a sound sequence differ by less
  if (moved > more * moved_ && age_ >= least_age) {  // [GS.10]
    theta_ = 1.0 + kept * (theta_ - 1.0);
    beta_ = 0.0;
    age_ = 0;
    moved_ = infinity;
    return;
  }
  const double next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * theta_ * theta_));  // [GS.9]
  beta_ = (theta_ - 1.0) / next;
  theta_ = next;
  moved_ = std::min(moved_, moved);
  ++age_;
}

void Pace::weaken_if_stale(double moved) {
  constexpr int patience = 100;
  constexpr double weaker = 0.8;
  if (moved < least_) {
    least_ = moved;
    recent_ = infinity;
    stale_ = 0;
    return;
  }
  recent_ = std::min(recent_, moved);
  if (++stale_ < patience) return;
  limit_ *= weaker;  // [GS.11]
  least_ = recent_;
  recent_ = infinity;
  stale_ = 0;
}

template <class Real>
void MomentumOf<Real>::start(const PackedContacts<Real>& packed) {
  lambda_ = packed.lambda;
  bodies_ = packed.bodies;
  pace_.start();
}

template <class Real>
void MomentumOf<Real>::push(PackedContacts<Real>& packed) {
  const auto beta = static_cast<Real>(pace_.beta());
  extrapolate(beta, static_cast<std::size_t>(lambda_.size()), packed.lambda.data(), lambda_.data());
  // Inverse masses stand between the velocities: they do not change, and gain nothing.
  constexpr std::size_t numbers = sizeof(BodyOf<Real>) / sizeof(Real);
  extrapolate(beta, numbers * bodies_.size(), packed.bodies[0].v, bodies_[0].v);
}

template class MomentumOf<double>;
template class MomentumOf<float>;

}  // namespace ligament::gauss_seidel
