// SPDX-License-Identifier: Apache-2.0
#include "ligament/model/material.h"

#include <algorithm>
#include <cmath>

namespace ligament {
namespace {

// Unset counts as unset only if both are: a surface without a time of its own takes the other's.
std::optional<double> combine_damping(const Material& a, const Material& b) {
  if (!a.damping_time) return b.damping_time;
  if (!b.damping_time) return a.damping_time;
  const double compliance = a.compliance + b.compliance;
  if (compliance == 0.0) return std::max(*a.damping_time, *b.damping_time);
  return (a.compliance * *a.damping_time + b.compliance * *b.damping_time) / compliance;
}

}  // namespace

Material combine(const Material& a, const Material& b) {
  return {.friction = std::sqrt(a.friction * b.friction),
          .restitution = std::sqrt(a.restitution * b.restitution),
          .compliance = a.compliance + b.compliance,
          .damping_time = combine_damping(a, b),
          .rolling_friction = a.rolling_friction + b.rolling_friction,
          .spinning_friction = a.spinning_friction + b.spinning_friction};
}

}  // namespace ligament
