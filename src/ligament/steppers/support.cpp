// SPDX-License-Identifier: Apache-2.0
#include "ligament/steppers/take_step.h"

namespace ligament {
namespace {

template <class IsFine>
Unsupported find_row(const Workspace& work, IsFine&& is_fine) {
  for (std::size_t b = 0; b < work.constraints.blocks.size(); ++b) {
    const RowBlock& block = work.problem.G.blocks[b];
    for (int r = block.first_row; r < block.first_row + block.rows; ++r)
      if (!is_fine(work.constraints.physics[static_cast<std::size_t>(r)],
                   work.constraints.blocks[b]))
        return {.row = r};
  }
  return {};
}

bool is_joint(const RowPhysics& row, const ConstraintBlock& block) {
  return row.kind == RowKind::holonomic && !row.elastic && !row.unilateral &&
         block.max_force == unlimited;
}

bool is_undamped_spring(const RowPhysics& row, const ConstraintBlock& block) {
  return row.kind == RowKind::holonomic && row.elastic && row.damping_time == 0.0 &&
         block.max_force == unlimited;
}

struct Finder {
  const Model& model;
  const Workspace& work;

  template <class Method>
  Unsupported operator()(const Method&) const {
    return {};
  }
  Unsupported operator()(const Impulse& impulse) const {
    const bool composed = impulse.higher_order != HigherOrder::none;
    const bool swept = impulse.form == ImpulseForm::sweeps;
    if (!composed && !swept) return {};
    if (!model.shapes().empty()) return {.contacts = true};
    return find_row(work, [&](const RowPhysics& row, const ConstraintBlock& block) {
      if (swept && block.owner == BlockOwner::control) return false;
      return is_joint(row, block) || (!swept && is_undamped_spring(row, block));
    });
  }
  Unsupported operator()(const Taylor&) const {
    if (!model.shapes().empty()) return {.contacts = true};
    return find_row(work, [&](const RowPhysics& row, const ConstraintBlock& block) {
      if (block.owner == BlockOwner::control && !model.controls()[block.index].target.is_constant())
        return false;
      if (!model.motions().empty()) return false;
      return is_joint(row, block) || (row.elastic && block.max_force == unlimited);
    });
  }
};

}  // namespace

Unsupported find_unsupported(const Stepper& stepper, const Model& model, const Workspace& work) {
  return std::visit(Finder{model, work}, stepper);
}

}  // namespace ligament
