// SPDX-License-Identifier: Apache-2.0
// The units of a row, for people: metres and newtons, or radians and newton metres.
#pragma once

#include "ligament/constraints/constraint_set.h"

namespace ligament {

struct RowUnit {
  const char* value;       // of g
  const char* force;       // of λ over a time
  const char* compliance;  // of ε = g/λ
};

// Of a row of joints, controls and rods. The unit row of a rod has no length: its force is an
// energy.
RowUnit unit_of_row(const ConstraintSet& set, const Model& model, const BlockRows& G, int row);

// Of a row that ties points, such as that of a contact.
constexpr RowUnit unit_of_lengths{"m", "N", "m/N"};
constexpr RowUnit unit_of_angles{"rad", "N m", "rad/(N m)"};

}  // namespace ligament
