// SPDX-License-Identifier: Apache-2.0
#include "ligament/constraints/row_units.h"

#include "ligament/constraints/joint_parts.h"
#include "ligament/model/joint_coordinates.h"

namespace ligament {
namespace {

bool ties_angles(const Joint& joint, int local) {
  for (const Part part : parts_of(joint.kind)) {
    const PartInfo& info = info_of(part);
    if (local < info.rows) return info.angular;
    local -= info.rows;
  }
  return false;
}

// A sum has the unit of its first term: the factors of the others carry the difference.
bool acts_on_an_angle(const Model& model, const Control& control) {
  const Term& term = model.terms_of(control).front();
  const auto coordinates = coordinates_of(model.joint(term.joint).kind);
  return is_angle(coordinates[static_cast<std::size_t>(term.index)]);
}

}  // namespace

RowUnit unit_of_row(const ConstraintSet& set, const Model& model, const BlockRows& G, int row) {
  const auto i = static_cast<std::size_t>(block_of(G, row));
  const ConstraintBlock& block = set.blocks[i];
  if (block.owner == BlockOwner::rod) return {"of its length", "J", "1/J"};
  const bool angular = block.owner == BlockOwner::control
                           ? acts_on_an_angle(model, model.controls()[block.index])
                           : ties_angles(model.joints()[block.index], row - G.blocks[i].first_row);
  return angular ? unit_of_angles : unit_of_lengths;
}

}  // namespace ligament
