// SPDX-License-Identifier: Apache-2.0
// Batches of contacts by lanes: what every kernel that goes over them begins and ends with. For
// .cpp files only.
#pragma once

#include <algorithm>
#include <limits>

#include "ligament/solvers/gauss_seidel/lanes.h"
#include "ligament/solvers/gauss_seidel/packed.h"

namespace ligament::gauss_seidel {

template <class Real, int lanes>
Lanes3Of<LanesOf<Real>> load3(const Real (*rows)[lanes]) {
  return {load(rows[0]), load(rows[1]), load(rows[2])};
}

// Velocities of as many bodies, one a lane.
template <class V>
struct Motion {
  Lanes3Of<V> v, w;
  V inverse_mass, inverse_isotropic;
};

inline Motion<Lanes> gather(const std::vector<BodyOf<double>>& bodies, const int* index) {
  const PackedBody* body[4];
  for (int i = 0; i < 4; ++i) body[i] = &bodies[static_cast<std::size_t>(index[i])];
  Lanes v[4], w[4];
  for (int i = 0; i < 4; ++i) v[i] = load(body[i]->v);
  for (int i = 0; i < 4; ++i) w[i] = load(body[i]->w);
  transpose(v[0], v[1], v[2], v[3]);
  transpose(w[0], w[1], w[2], w[3]);
  return {{v[0], v[1], v[2]}, {w[0], w[1], w[2]}, v[3], w[3]};
}
inline Motion<FloatLanes> gather(const std::vector<BodyOf<float>>& bodies, const int* index) {
  FloatLanes x[8];
  for (int i = 0; i < 8; ++i) x[i] = load(bodies[static_cast<std::size_t>(index[i])].v);
  transpose(x);
  return {{x[0], x[1], x[2]}, {x[4], x[5], x[6]}, x[3], x[7]};
}

// The way back. Rotations are left out where they are left to scatter_turn().
template <bool rotations>
void scatter(const Motion<Lanes>& motion, const int* index, std::vector<BodyOf<double>>& bodies) {
  Lanes v[4] = {motion.v.x, motion.v.y, motion.v.z, motion.inverse_mass};
  transpose(v[0], v[1], v[2], v[3]);
  for (int i = 0; i < 4; ++i) store(v[i], bodies[static_cast<std::size_t>(index[i])].v);
  if constexpr (rotations) {
    Lanes w[4] = {motion.w.x, motion.w.y, motion.w.z, motion.inverse_isotropic};
    transpose(w[0], w[1], w[2], w[3]);
    for (int i = 0; i < 4; ++i) store(w[i], bodies[static_cast<std::size_t>(index[i])].w);
  }
}
// Velocities and rotations of single precision are in one register: those come along unchanged.
template <bool rotations>
void scatter(const Motion<FloatLanes>& motion, const int* index,
             std::vector<BodyOf<float>>& bodies) {
  FloatLanes x[8] = {motion.v.x, motion.v.y, motion.v.z, motion.inverse_mass,
                     motion.w.x, motion.w.y, motion.w.z, motion.inverse_isotropic};
  transpose(x);
  for (int i = 0; i < 8; ++i) store(x[i], bodies[static_cast<std::size_t>(index[i])].v);
}

// ω += A⁻¹ · turn of each body.
template <class Real>
void scatter_turn(const Lanes3Of<LanesOf<Real>>& turn, const int* index,
                  const std::vector<InertiaOf<Real>>& inertias, std::vector<BodyOf<Real>>& bodies) {
  constexpr int aligned = 4 * sizeof(Real);
  using Four = Eigen::Map<Eigen::Matrix<Real, 4, 1>, aligned>;
  using ConstFour = Eigen::Map<const Eigen::Matrix<Real, 4, 1>, aligned>;
  for (int i = 0; i < lanes_of<Real>; ++i) {
    const auto at = static_cast<std::size_t>(index[i]);
    const auto& columns = inertias[at].columns;
    Four(bodies[at].w) += ConstFour(columns[0]) * turn.x[i] + ConstFour(columns[1]) * turn.y[i] +
                          ConstFour(columns[2]) * turn.z[i];
  }
}

// The batch after next is on its way from memory while this one is computed.
template <class Real>
void prefetch(const PackedContacts<Real>& packed, std::size_t k, bool isotropic) {
  constexpr std::size_t ahead = 4, line = 64;
  const BatchOf<Real>& batch = packed.batches[std::min(k + ahead, packed.batches.size() - 1)];
  const char* bytes = reinterpret_cast<const char*>(&batch);
  for (std::size_t at = 0; at < sizeof(batch); at += line) __builtin_prefetch(bytes + at);
  const BatchOf<Real>& soon = packed.batches[std::min(k + ahead / 2, packed.batches.size() - 1)];
  for (const int* index : {soon.body_a, soon.body_b})
    for (int i = 0; i < lanes_of<Real>; ++i) {
      const auto at = static_cast<std::size_t>(index[i]);
      __builtin_prefetch(&packed.bodies[at]);
      if (isotropic) continue;
      const char* inertia = reinterpret_cast<const char*>(&packed.inertias[at]);
      __builtin_prefetch(inertia);
      __builtin_prefetch(inertia + line);
    }
}

// As many contacts with their bodies and impulses.
template <class Real>
struct AtBatch {
  using V = LanesOf<Real>;
  Lanes3Of<V> n, t, s;   // C
  Lanes3Of<V> r_a, r_b;  // arms
  Motion<V> a, b;        // of the bodies
  Lanes3Of<V> lambda;    // impulses
  V Sigma_n, Sigma_t;    // compliance
  Lanes3Of<V> Gu, y;     // G u and G u − b

  // Called out of line, it would pass a hundred registers through memory.
  [[gnu::always_inline]] AtBatch(const BatchOf<Real>& batch,
                                 const std::vector<BodyOf<Real>>& bodies, const Real* impulses)
      : n(load3<Real>(batch.n)),
        t(load3<Real>(batch.t)),
        s(cross(n, t)),
        r_a(load3<Real>(batch.r_a)),
        r_b(load3<Real>(batch.r_b)),
        a(gather(bodies, batch.body_a)),
        b(gather(bodies, batch.body_b)),
        lambda{load(impulses), load(impulses + lanes_of<Real>),
               load(impulses + 2 * lanes_of<Real>)},
        Sigma_n(load(batch.Sigma_n)),
        Sigma_t(load(batch.Sigma_t)) {
    const Lanes3Of<V> world = b.v - a.v + cross(b.w, r_b) - cross(a.w, r_a);
    Gu = {dot(n, world), dot(t, world), dot(s, world)};
    y = Gu - load3<Real>(batch.b);
  }
  // w = G u + Σ λ − b
  Lanes3Of<V> w() const {
    return {y.x + Sigma_n * lambda.x, y.y + Sigma_t * lambda.y, y.z + Sigma_t * lambda.z};
  }
};

template <class V>
void store_impulses(const Lanes3Of<V>& x, RealOf<V>* impulses) {
  store(x.x, impulses);
  store(x.y, impulses + count_of<V>);
  store(x.z, impulses + 2 * count_of<V>);
}

template <class V>
constexpr double tiny = static_cast<double>(std::numeric_limits<RealOf<V>>::min());

// The projection onto a cone, in a metric in which tangential lengths count `ratio` times.
template <class V>
Lanes3Of<V> project_onto_cone(const V& mu, const V& ratio, const Lanes3Of<V>& x) {
  const V one = all<V>(1.0), size = sqrt(x.y * x.y + x.z * x.z + all<V>(tiny<V>));
  const V on_cone = max(all<V>(0.0), (x.x + mu * ratio * size) / (one + mu * mu * ratio));
  const V scale = mu * on_cone / size;
  const auto inside = size <= mu * x.x;
  return {inside ? x.x : on_cone, inside ? x.y : scale * x.y, inside ? x.z : scale * x.z};
}

// What is held of Coulomb's law in four contacts.                                         [AG.4]
struct HeldLanes {
  Lanes mu, lift, bound;  // the lift is 0 where the bound is held; the bound is < 0 where it is not

  HeldLanes(const Lanes& friction, const Lanes& held)
      : mu(friction),
        lift(friction > all(strong_friction) ? all(0.0) : held),
        bound(friction > all(strong_friction) ? held : all(-1.0)) {}

  // Onto the cone or the cylinder, in the metric of project_onto_cone().
  Lanes3 project(const Lanes& ratio, const Lanes3& x) const {
    const Lanes3 cone = project_onto_cone(mu, ratio, x);
    const Lanes size = sqrt(x.y * x.y + x.z * x.z + all(tiny<Lanes>));
    const Lanes scale = min(all(1.0), bound / size);
    const auto is_cone = bound < all(0.0);
    return {is_cone ? cone.x : max(all(0.0), x.x), is_cone ? cone.y : scale * x.y,
            is_cone ? cone.z : scale * x.z};
  }
};

}  // namespace ligament::gauss_seidel
