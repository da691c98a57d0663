// SPDX-License-Identifier: Apache-2.0
#include "papers/impulse_2005/written_chain.h"

#include <cmath>

namespace ligament::papers::impulse {
namespace {

const Vec3 peg{1.0, -2.0, 0.0};
constexpr double gravity = 9.81;

}  // namespace

WrittenChain::WrittenChain(const Machine& machine, const Forces& forces) : forces_(forces) {
  for (std::uint32_t i = 0; i < 3; ++i) {
    x.segment<3>(3 * i) = compute_pose(machine.model, machine.start, {i + 1}).p;
    v.segment<3>(3 * i) = velocity_of(machine.model, machine.start, {i + 1});
  }
  for (int k = 0; k < 3; ++k) lengths_(k) = find_rod(x, k).norm();
  W_ << 1, 1, 1, 0.5, 0.5, 0.5, 2, 2, 2;
  fall_ << 0, -gravity, 0, 0, -gravity, 0, 0, -gravity, 0;
}

int WrittenChain::step(double h, Forcing rule) {
  brake(rule, 0.5 * h);
  const Vec9 push = accelerate(x);
  if (rule != Forcing::frozen) v += 0.5 * h * push;
  const int passes = fly(h, rule == Forcing::frozen ? Vec9(fall_ + push) : fall_);
  if (rule != Forcing::frozen) v += 0.5 * h * accelerate(x);
  v += compute_correction(v, W_);
  brake(rule, 0.5 * h);
  return passes;
}

void WrittenChain::step_by_runge_kutta(double h) {
  const Vec9 x0 = x, v0 = v;
  const auto rate = [&](const Vec9& at, const Vec9& w) {
    const Rows G = find_rows(at), Gdot = find_rows(w);  // rows are linear in the positions
    const Vec9 free = fall_ + accelerate(at) - forces_.drag * W_.cwiseProduct(w);
    const Mat3 S = G * W_.asDiagonal() * G.transpose();
    const Vec3 pull = S.ldlt().solve(-(G * free + Gdot * w));
    return Vec9(free + W_.cwiseProduct(G.transpose() * pull));
  };
  const Vec9 a1 = rate(x0, v0), v2 = v0 + 0.5 * h * a1, a2 = rate(x0 + 0.5 * h * v0, v2);
  const Vec9 v3 = v0 + 0.5 * h * a2, a3 = rate(x0 + 0.5 * h * v2, v3);
  const Vec9 v4 = v0 + h * a3, a4 = rate(x0 + h * v3, v4);
  x = x0 + h / 6.0 * (v0 + 2.0 * v2 + 2.0 * v3 + v4);
  v = v0 + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
}

Vec3 WrittenChain::find_rod(const Vec9& at, int k) {
  return k == 0 ? Vec3(at.head<3>()) : Vec3(at.segment<3>(3 * k) - at.segment<3>(3 * k - 3));
}

// Gradients of |A|²/2.
WrittenChain::Rows WrittenChain::find_rows(const Vec9& at) {
  Rows G = Rows::Zero();
  for (int k = 0; k < 3; ++k) {
    G.block<1, 3>(k, 3 * k) = find_rod(at, k).transpose();
    if (k > 0) G.block<1, 3>(k, 3 * k - 3) = -find_rod(at, k).transpose();
  }
  return G;
}

// By the spring.
WrittenChain::Vec9 WrittenChain::accelerate(const Vec9& at) const {
  Vec9 out = Vec9::Zero();
  out.tail<3>() = -forces_.stiffness * W_(8) * (at.tail<3>() - peg);
  return out;
}

// What W Gᵀ y must add to velocities so that the rods keep their lengths.
WrittenChain::Vec9 WrittenChain::compute_correction(const Vec9& w, const Vec9& W) const {
  const Rows G = find_rows(x);
  const Mat3 S = G * W.asDiagonal() * G.transpose();
  return W.cwiseProduct(G.transpose() * Vec3(S.ldlt().solve(-(G * w))));
}

int WrittenChain::fly(double h, const Vec9& a) {
  const Rows G = find_rows(x);
  Vec9 there = x;
  int pass = 0;
  for (;; ++pass) {
    there = x + h * v + 0.5 * h * h * a;
    Vec3 miss, gap;
    for (int k = 0; k < 3; ++k) {
      const double length = find_rod(there, k).norm();
      gap(k) = length - lengths_(k);
      miss(k) = 0.5 * gap(k) * (length + lengths_(k));
    }
    if (gap.lpNorm<Eigen::Infinity>() <= 1e-13 || pass == 30) break;
    const Mat3 K = find_rows(there) * W_.asDiagonal() * G.transpose();
    v += W_.cwiseProduct(G.transpose() * Vec3(K.partialPivLu().solve(-miss / h)));
  }
  x = there;
  v += h * a;
  return pass;
}

// Drag for a time, on velocities that the rods allow.
void WrittenChain::brake(Forcing rule, double time) {
  const Vec9 rate = forces_.drag * W_;
  if (rule == Forcing::decay) {
    v = v.cwiseProduct((-time * rate).array().exp().matrix());
    v += compute_correction(v, W_);
  } else if (rule == Forcing::crank_nicolson) {
    // (1 + c W t/2) v⁺ = (1 − c W t/2) v + W Gᵀ y,  G v⁺ = 0
    const Vec9 up = Vec9::Ones() + 0.5 * time * rate, down = Vec9::Ones() - 0.5 * time * rate;
    v = v.cwiseProduct(down).cwiseQuotient(up);
    v += compute_correction(v, W_.cwiseQuotient(up));
  }
}

}  // namespace ligament::papers::impulse
