// SPDX-License-Identifier: Apache-2.0
#include "ligament/measure/residual_map.h"

namespace ligament {

EffectivePhysics recover_physics(const RowScheme& scheme, double h, double Sigma,
                                 const RowChange& change) {
  const double slower = 1.0 - change.alpha;
  EffectivePhysics physics{.compliance = scheme.scale * (Sigma + change.beta) / slower,
                           .asked = scheme.scale * Sigma};
  if (scheme.stabilizes) physics.damping_time = scheme.scale * change.alpha / (h * slower);
  return physics;
}

}  // namespace ligament
