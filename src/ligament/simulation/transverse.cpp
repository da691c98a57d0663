// SPDX-License-Identifier: Apache-2.0
#include "ligament/simulation/transverse.h"

#include <cmath>
#include <random>

#include "ligament/steppers/words.h"

namespace ligament {
namespace {

class PowerIteration {
 public:
  PowerIteration(const Model& model, const State& state, const VecX& force)
      : model_(model), state_(state), force_(force), work_(model), ties_(make_ties()) {
    push_.setZero(model.velocities());
    scaled_.setZero(model.velocities());
  }

  // The eigenvalue of largest size of M⁻¹ K + shift, with the joints holding; x_ is its vector.
  double iterate(double shift) {
    constexpr int most = 80;
    start();
    double value = 0.0;
    for (int i = 0; i < most; ++i) {
      const double size = norm(x_);
      if (!(size > 0.0) || !std::isfinite(size)) return 0.0;
      x_ /= size;
      multiply_stiffness();
      if (!ties_.push(push_)) return 0.0;
      const VecX next = ties_.u() + shift * x_;
      multiply(work_.problem.M, x_, scaled_);
      const double before = value;
      value = scaled_.dot(next);
      x_ = next;
      if (i > 20 && std::abs(value - before) < 1e-4 * std::abs(value)) break;
    }
    return value;
  }

  // The body whose share of the kinetic energy is largest.
  BodyId find_body() {
    multiply(work_.problem.M, x_, scaled_);
    BodyId found{};
    double largest = 0.0;
    for (std::uint32_t i = 0; i < model_.bodies().size(); ++i) {
      const Body& body = model_.bodies()[i];
      const int size = velocities_of(body.kind);
      if (size == 0) continue;
      const double share =
          x_.segment(body.v_offset, size).dot(scaled_.segment(body.v_offset, size));
      if (share <= largest) continue;
      largest = share;
      found = BodyId{i};
    }
    return found;
  }

 private:
  TieSolver make_ties() {
    build_rows(model_, state_, work_);
    assemble_motion(model_, state_, 0.0, Gyroscopic::kick_drift, work_);
    std::vector<bool> ties = find_ties(model_, work_, Drives::counted);
    // Ropes and limits that pull or press hold as joints do.
    for (std::size_t i = 0; i < ties.size(); ++i)
      if (work_.constraints.physics[i].unilateral && force_(static_cast<Eigen::Index>(i)) > 0.0)
        ties[i] = true;
    return {work_.problem, ties};
  }

  // Any motion that the joints allow will do.
  void start() {
    std::mt19937_64 engine(1);
    VecX any(model_.velocities());
    for (double& value : any) value = static_cast<double>(engine() >> 11) * 0x1p-52 - 1.0;
    multiply(work_.problem.M, any, push_);
    x_ = ties_.push(push_) ? ties_.u() : VecX(VecX::Zero(any.size()));
  }

  double norm(const VecX& x) {
    multiply(work_.problem.M, x, scaled_);
    return std::sqrt(std::max(0.0, x.dot(scaled_)));
  }

  // push = K x by central differences of Gᵀ f.
  void multiply_stiffness() {
    const double way = 1e-5 / x_.lpNorm<Eigen::Infinity>();  // [m, rad]
    VecX ahead(push_.size());
    forces_after(way, ahead);
    forces_after(-way, push_);
    push_ = (push_ - ahead) / (2.0 * way);
  }
  void forces_after(double way, VecX& out) {
    State there = state_;
    displace(model_, x_, way, there);
    build_rows(model_, there, work_);
    multiply_transposed(work_.problem.G, force_, out);
  }

  const Model& model_;
  const State& state_;
  const VecX& force_;
  Workspace work_;
  TieSolver ties_;
  VecX x_, push_, scaled_;
};

}  // namespace

TransverseMode find_fastest_mode(const Model& model, const State& state, const VecX& force) {
  if (model.velocities() == 0 || force.size() == 0 || force.isZero(0.0)) return {};
  PowerIteration iteration(model, state, force);
  double value = iteration.iterate(0.0);
  // What falls over, ω² < 0, falls by itself: look for the largest above it.
  if (value < 0.0) value = iteration.iterate(-value) + value;
  if (!(value > 0.0)) return {};
  return {.rate = std::sqrt(value), .body = iteration.find_body()};
}

}  // namespace ligament
