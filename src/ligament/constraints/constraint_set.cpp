// SPDX-License-Identifier: Apache-2.0
#include "ligament/constraints/constraint_set.h"

#include <fmt/format.h>

#include <algorithm>

#include "ligament/constraints/joint_parts.h"
#include "ligament/constraints/parts/attitude.h"
#include "ligament/constraints/parts/axis.h"
#include "ligament/constraints/parts/distance.h"
#include "ligament/constraints/parts/hinge_speed.h"
#include "ligament/constraints/parts/line.h"
#include "ligament/constraints/parts/point.h"
#include "ligament/constraints/parts/unit_length.h"

namespace ligament {
namespace {

// Adds a row block that ties bodies a and b (fixed bodies have no columns).
ConstraintBlock add_block(const Model& model, BlockOwner owner, std::size_t index,
                          std::pair<BodyId, BodyId> bodies, int rows, const BlockDiagonal& M,
                          BlockRows& G) {
  ConstraintBlock block{.owner = owner, .index = static_cast<std::uint32_t>(index)};
  int touched[2];
  std::size_t count = 0;
  const int next = static_cast<int>(G.entries.size());
  const auto touch = [&](BodyId id, int& entry) {
    const int mass_block = model.body(id).mass_block;
    if (mass_block < 0) return;
    entry = next + static_cast<int>(count);
    touched[count++] = mass_block;
  };
  touch(bodies.first, block.entry_a);
  touch(bodies.second, block.entry_b);
  G.add_block(rows, {touched, count}, M);
  return block;
}

void add_joint_physics(const Joint& joint, std::vector<RowPhysics>& out) {
  const Relaxation& given = joint.relaxation;
  for (const Part part : parts_of(joint.kind)) {
    const PartInfo& info = info_of(part);
    const RowPhysics row{.compliance = info.angular ? given.angular_compliance : given.compliance,
                         .damping_time = given.damping_time.value_or(-1.0)};
    out.insert(out.end(), static_cast<std::size_t>(info.rows), row);
  }
}

EntryView view_of(BlockRows& G, int entry, int first_row, int stride) {
  if (entry < 0) return {};
  return {.values = G.entry_values(G.entries[static_cast<std::size_t>(entry)]) + first_row,
          .stride = stride};
}

void write_part(Part part, const Joint& joint, const BodyFrame& a, const BodyFrame& b,
                const RowView& out) {
  switch (part) {
    case Part::point: return write_point(a, b, joint.frame_a.p, joint.frame_b.p, out);
    case Part::line: return write_line(a, b, joint.frame_a, joint.frame_b.p, out);
    case Part::axis: return write_axis(a, b, joint.frame_a.R, joint.frame_b.R, out);
    case Part::attitude: return write_attitude(a, b, joint.frame_a.R, joint.frame_b.R, out);
    case Part::distance:
      return write_distance(a, b, joint.frame_a.p, joint.frame_b.p, joint.length, out);
  }
}

}  // namespace

ConstraintSet make_constraints(const Model& model, BlockDiagonal& M, BlockRows& G) {
  M = {};
  G = {};
  for (const Body& body : model.bodies())
    if (body.mass_block >= 0) M.add_block(velocities_of(body.kind));

  ConstraintSet set;
  const auto joints = model.joints();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    set.blocks.push_back(add_block(model, BlockOwner::joint, i, {joints[i].a, joints[i].b},
                                   rows_of(joints[i].kind), M, G));
    add_joint_physics(joints[i], set.physics);
  }
  const auto drivers = model.drivers();
  for (std::size_t i = 0; i < drivers.size(); ++i) {
    const Joint& joint = model.joint(drivers[i].joint);
    set.blocks.push_back(
        add_block(model, BlockOwner::driver, i, {joint.a, joint.b}, hinge_speed_rows, M, G));
    set.physics.push_back({.kind = RowKind::velocity,
                           .compliance = drivers[i].inverse_drag,
                           .target = drivers[i].speed});
  }
  const auto bodies = model.bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].kind != BodyKind::rod) continue;
    const BodyId rod{static_cast<std::uint32_t>(i)};
    set.blocks.push_back(
        add_block(model, BlockOwner::rod, i, {world, rod}, unit_length_rows, M, G));
    set.physics.push_back({.compliance = bodies[i].relaxation.compliance,
                           .damping_time = bodies[i].relaxation.damping_time.value_or(-1.0)});
  }
  G.columns = M.columns;
  return set;
}

void build_rows(const ConstraintSet& set, const Model& model, const std::vector<BodyFrame>& frames,
                BlockRows& G, VecX& g) {
  for (std::size_t i = 0; i < set.blocks.size(); ++i) {
    const ConstraintBlock& block = set.blocks[i];
    const RowBlock& rows = G.blocks[i];
    const auto view_from = [&](int row) {
      return RowView{.g = g.data() + rows.first_row + row,
                     .a = view_of(G, block.entry_a, row, rows.rows),
                     .b = view_of(G, block.entry_b, row, rows.rows)};
    };
    if (block.owner == BlockOwner::joint) {
      const Joint& joint = model.joints()[block.index];
      int row = 0;
      for (const Part part : parts_of(joint.kind)) {
        write_part(part, joint, frames[joint.a.index()], frames[joint.b.index()], view_from(row));
        row += info_of(part).rows;
      }
    } else if (block.owner == BlockOwner::driver) {
      const Joint& joint = model.joint(model.drivers()[block.index].joint);
      write_hinge_speed(frames[joint.a.index()], joint.frame_a.R, view_from(0));
    } else {
      write_unit_length(frames[block.index], view_from(0));
    }
  }
}

std::string name_of_row(const ConstraintSet& set, const Model& model, const BlockRows& G, int row) {
  const auto after = std::ranges::upper_bound(G.blocks, row, {}, &RowBlock::first_row);
  const auto i = static_cast<std::size_t>(after - G.blocks.begin()) - 1;
  const ConstraintBlock& block = set.blocks[i];
  if (block.owner == BlockOwner::driver)
    return fmt::format("driver \"{}\", speed", model.name(DriverId{block.index}));
  if (block.owner == BlockOwner::rod)
    return fmt::format("rod \"{}\", unit length", model.name(BodyId{block.index}));
  int local = row - G.blocks[i].first_row;
  const Joint& joint = model.joints()[block.index];
  for (const Part part : parts_of(joint.kind)) {
    const PartInfo& info = info_of(part);
    if (local < info.rows)
      return fmt::format("joint \"{}\", {}", model.name(JointId{block.index}),
                         info.row_names[local]);
    local -= info.rows;
  }
  return fmt::format("joint \"{}\"", model.name(JointId{block.index}));
}

}  // namespace ligament
