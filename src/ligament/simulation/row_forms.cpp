// SPDX-License-Identifier: Apache-2.0
#include "ligament/simulation/row_forms.h"

#include <algorithm>

namespace ligament {

bool has_rigid_joints(const Stepper& stepper) {
  return std::holds_alternative<Impulse>(stepper) || std::holds_alternative<Taylor>(stepper) ||
         std::holds_alternative<Trapezoidal>(stepper);
}

double damping_time_of(const Stepper& stepper, const RowPhysics& row) {
  if (std::holds_alternative<RegularizedVi>(stepper)) return 0.0;
  if (row.damping_time >= 0.0) return row.damping_time;
  return std::visit(
      [](const auto& s) {
        if constexpr (requires { s.damping_steps; }) return s.damping_steps * s.h;
        return 0.0;
      },
      stepper);
}

double sigma_per_compliance(const Stepper& stepper, const RowPhysics& row) {
  const double h = step_size(stepper), tau = damping_time_of(stepper, row);
  return std::holds_alternative<Spook>(stepper) ? 4.0 / (h * h * (1.0 + 4.0 * tau / h))
                                                : 1.0 / (h * (h + tau));
}

double effective_compliance(const Stepper& stepper, const RowPhysics& row, double sigma_floor) {
  return std::max(row.compliance, sigma_floor / sigma_per_compliance(stepper, row));
}

double curvature_factor(const Stepper& stepper, const RowPhysics& row) {
  const double steps = damping_time_of(stepper, row) / step_size(stepper);
  return steps + (std::holds_alternative<Spook>(stepper) ? 0.5 : 1.0);
}

double compliance_floor_of(const Stepper& stepper) {
  return std::visit([](const auto& s) { return s.compliance_floor; }, stepper);
}

ContactModel contacts_of(const Stepper& stepper) {
  return std::visit(
      [](const auto& s) -> ContactModel {
        if constexpr (requires { s.contacts; }) return s.contacts;
        return {};
      },
      stepper);
}

}  // namespace ligament
