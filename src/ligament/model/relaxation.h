// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace ligament {

// How a constraint gives way: a spring and a damper, in physical units. The defaults suit machines
// of kilograms and metres; choose compliance so that compliance × load is a sag that does not
// matter.
struct Relaxation {
  double compliance = 1e-8;          // [m/N] of rows that tie points, ≥ 0
  double angular_compliance = 1e-8;  // [rad/(N m)] of rows that tie directions, ≥ 0
  // [s] time in which the damper of a row settles an error, ≥ 0. Unset: two steps of the stepper,
  // which damps the discrete error critically (docs/theory/spook.md).
  std::optional<double> damping_time{};
};

}  // namespace ligament
