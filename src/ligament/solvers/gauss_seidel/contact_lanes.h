// SPDX-License-Identifier: Apache-2.0
// Batches of contacts by lanes: what every kernel that goes over them begins and ends with. For
// .cpp files only.
#pragma once

#include <algorithm>
#include <limits>

#include "ligament/solvers/gauss_seidel/lanes.h"
#include "ligament/solvers/gauss_seidel/packed.h"

namespace ligament::gauss_seidel {

inline Lanes3 load3(const Lane4* rows) { return {load(rows[0]), load(rows[1]), load(rows[2])}; }

// Velocities of four bodies, one a lane.
struct Motion {
  Lanes3 v, w;
  Lanes inverse_mass, inverse_isotropic;
};

inline Motion gather(const std::vector<PackedBody>& bodies, const int* index) {
  const PackedBody* body[lane_count];
  for (int i = 0; i < lane_count; ++i) body[i] = &bodies[static_cast<std::size_t>(index[i])];
  Lanes v[lane_count], w[lane_count];
  for (int i = 0; i < lane_count; ++i) v[i] = load(body[i]->v);
  for (int i = 0; i < lane_count; ++i) w[i] = load(body[i]->w);
  transpose(v[0], v[1], v[2], v[3]);
  transpose(w[0], w[1], w[2], w[3]);
  return {{v[0], v[1], v[2]}, {w[0], w[1], w[2]}, v[3], w[3]};
}

// ω += A⁻¹ · turn of each of four bodies.
inline void scatter_turn(const Lanes3& turn, const int* index,
                         const std::vector<PackedInertia>& inertias,
                         std::vector<PackedBody>& bodies) {
  for (int i = 0; i < lane_count; ++i) {
    const auto at = static_cast<std::size_t>(index[i]);
    const auto& columns = inertias[at].columns;
    double* w = bodies[at].w;
    store(load(w) + load(columns[0]) * turn.x[i] + load(columns[1]) * turn.y[i] +
              load(columns[2]) * turn.z[i],
          w);
  }
}

// The batch after next is on its way from memory while this one is computed.
inline void prefetch(const PackedProblem& packed, std::size_t k, bool isotropic) {
  constexpr std::size_t ahead = 4, line = 64;
  const ContactBatch& batch = packed.batches[std::min(k + ahead, packed.batches.size() - 1)];
  const char* bytes = reinterpret_cast<const char*>(&batch);
  for (std::size_t at = 0; at < sizeof(ContactBatch); at += line) __builtin_prefetch(bytes + at);
  const ContactBatch& soon = packed.batches[std::min(k + ahead / 2, packed.batches.size() - 1)];
  for (const int* index : {soon.body_a, soon.body_b})
    for (int i = 0; i < lane_count; ++i) {
      const auto at = static_cast<std::size_t>(index[i]);
      __builtin_prefetch(&packed.bodies[at]);
      if (isotropic) continue;
      const char* inertia = reinterpret_cast<const char*>(&packed.inertias[at]);
      __builtin_prefetch(inertia);
      __builtin_prefetch(inertia + line);
    }
}

// Four contacts with their bodies and impulses.
struct AtBatch {
  Lanes3 n, t, s;          // C
  Lanes3 r_a, r_b;         // arms
  Motion a, b;             // of the bodies
  Lanes3 lambda;           // impulses
  Lanes Sigma_n, Sigma_t;  // compliance
  Lanes3 Gu, y;            // G u and G u − b

  AtBatch(const ContactBatch& batch, const std::vector<PackedBody>& bodies, const double* impulses)
      : n(load3(batch.n)),
        t(load3(batch.t)),
        s(cross(n, t)),
        r_a(load3(batch.r_a)),
        r_b(load3(batch.r_b)),
        a(gather(bodies, batch.body_a)),
        b(gather(bodies, batch.body_b)),
        lambda{load(impulses), load(impulses + 4), load(impulses + 8)},
        Sigma_n(load(batch.Sigma_n)),
        Sigma_t(load(batch.Sigma_t)) {
    const Lanes3 world = b.v - a.v + cross(b.w, r_b) - cross(a.w, r_a);
    Gu = {dot(n, world), dot(t, world), dot(s, world)};
    y = Gu - load3(batch.b);
  }
  // w = G u + Σ λ − b
  Lanes3 w() const {
    return {y.x + Sigma_n * lambda.x, y.y + Sigma_t * lambda.y, y.z + Sigma_t * lambda.z};
  }
};

inline void store_impulses(const Lanes3& x, double* impulses) {
  store(x.x, impulses);
  store(x.y, impulses + 4);
  store(x.z, impulses + 8);
}

constexpr double tiny = std::numeric_limits<double>::min();

// The projection onto a cone, in a metric in which tangential lengths count `ratio` times.
inline Lanes3 project_onto_cone(const Lanes& mu, const Lanes& ratio, const Lanes3& x) {
  const Lanes size = sqrt(x.y * x.y + x.z * x.z + all(tiny));
  const Lanes on_cone = max(all(0.0), (x.x + mu * ratio * size) / (all(1.0) + mu * mu * ratio));
  const Lanes scale = mu * on_cone / size;
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
    const Lanes size = sqrt(x.y * x.y + x.z * x.z + all(tiny));
    const Lanes scale = min(all(1.0), bound / size);
    const auto is_cone = bound < all(0.0);
    return {is_cone ? cone.x : max(all(0.0), x.x), is_cone ? cone.y : scale * x.y,
            is_cone ? cone.z : scale * x.z};
  }
};

}  // namespace ligament::gauss_seidel
