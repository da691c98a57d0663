// SPDX-License-Identifier: Apache-2.0
// What surfaces are like where they touch, and what two of them are like together.
//
// Together, unless the pair is given by itself:
//
//   friction μ          √(μ_a μ_b)              one slippery surface makes the pair slippery
//   restitution e       √(e_a e_b)              one dead surface makes the pair dead
//   compliance ε        ε_a + ε_b               springs in series
//   damping time τ      (ε_a τ_a + ε_b τ_b)/ε   as their springs share the approach; the larger
//                                               one if neither gives way
//   rolling friction    ρ_a + ρ_b               each surface shifts the force by its own lever
//   spinning friction   as rolling friction                                             [CO.9]
#pragma once

#include <optional>
#include <string>

#include "ligament/model/ids.h"

namespace ligament {

struct Material {
  double friction = 0.5;                 // μ ≥ 0
  double restitution = 0.0;              // e, 0 … 1
  double compliance = 5e-9;              // [m/N] ≥ 0 of a contact point on this surface
  std::optional<double> damping_time{};  // [s] ≥ 0; unset: two steps of the stepper
  double rolling_friction = 0.0;         // [m] ≥ 0: lever of the normal force against rolling
  double spinning_friction = 0.0;        // [m] ≥ 0: lever of the normal force against spinning
};

struct MaterialSpec {
  std::string name{};
  Material material{};
};

// Two materials that behave otherwise together than the rule says. Unset values follow the rule.
struct MaterialPairSpec {
  MaterialId a{}, b{};
  std::optional<double> friction{}, restitution{}, compliance{}, damping_time{};
  std::optional<double> rolling_friction{}, spinning_friction{};
};

Material combine(const Material& a, const Material& b);

}  // namespace ligament
