// SPDX-License-Identifier: Apache-2.0
#include "ligament/constraints/constraint_set.h"

#include <fmt/format.h>

#include <algorithm>

#include "ligament/constraints/joint_parts.h"
#include "ligament/constraints/parts/attitude.h"
#include "ligament/constraints/parts/axis.h"
#include "ligament/constraints/parts/coordinate.h"
#include "ligament/constraints/parts/distance.h"
#include "ligament/constraints/parts/line.h"
#include "ligament/constraints/parts/perpendicular.h"
#include "ligament/constraints/parts/point.h"
#include "ligament/constraints/parts/rolling.h"
#include "ligament/constraints/parts/screw.h"
#include "ligament/constraints/parts/twist.h"
#include "ligament/constraints/parts/unit_length.h"

namespace ligament {
namespace {

constexpr double infinite_compliance = 1e30;  // [m/N] of an axis without stiffness or damping

// Makes the structure of a ConstraintSet, G and P.
class Builder {
 public:
  Builder(const Model& model, const RowMatrices& out) : model_(model), out_(out) {
    out.M = {};
    out.G = {};
    out.P = {};
    for (const Body& body : model.bodies()) {
      if (body.mass_block >= 0) out.M.add_block(velocities_of(body.kind));
      if (body.motion >= 0) prescribed_.add_block(6);
    }
  }

  // Adds a row block that ties bodies; each has columns once, however often it is named.
  void open_block(std::span<const BodyId> bodies, int rows) {
    entries_.clear();
    std::vector<int> free, prescribed;
    for (const BodyId id : bodies) {
      if (std::ranges::find(entries_, id, &Entry::body) != entries_.end()) continue;
      const Body& body = model_.body(id);
      Entry entry{id, {}};
      if (body.mass_block >= 0) {
        entry.columns.free = static_cast<int>(out_.G.entries.size() + free.size());
        free.push_back(body.mass_block);
      }
      if (body.motion >= 0) {
        entry.columns.prescribed = static_cast<int>(out_.P.entries.size() + prescribed.size());
        prescribed.push_back(body.motion);
      }
      entries_.push_back(entry);
    }
    out_.G.add_block(rows, free, out_.M);
    out_.P.add_block(rows, prescribed, prescribed_);
  }
  Columns columns(BodyId id) const {
    return std::ranges::find(entries_, id, &Entry::body)->columns;
  }
  void finish() {
    out_.G.columns = out_.M.columns;
    out_.P.columns = prescribed_.columns;
  }

 private:
  struct Entry {
    BodyId body;
    Columns columns;
  };
  const Model& model_;
  const RowMatrices& out_;
  BlockDiagonal prescribed_;  // columns of P
  std::vector<Entry> entries_;
};

RowPhysics physics_of_rate(const Rate& rate) {
  if (rate.stiffness > 0.0)
    return {.elastic = true,
            .compliance = 1.0 / rate.stiffness,
            .damping_time = rate.damping / rate.stiffness};
  if (rate.damping > 0.0)
    return {.kind = RowKind::velocity,
            .elastic = true,
            .compliance = 1.0 / rate.damping,
            .damping_time = 0.0};
  return {.elastic = true, .compliance = infinite_compliance, .damping_time = 0.0};
}

void add_joint_physics(const Model& model, const Joint& joint, std::vector<RowPhysics>& out) {
  const Relaxation& given = joint.relaxation;
  int rows = 0;
  for (const Part part : parts_of(joint.kind)) {
    const PartInfo& info = info_of(part);
    RowPhysics row{.unilateral = part == Part::rope,
                   .compliance = info.angular ? given.angular_compliance : given.compliance,
                   .damping_time = given.damping_time.value_or(-1.0)};
    if (info.velocity) row = {.kind = RowKind::velocity, .compliance = joint.slip};
    for (int i = 0; i < info.rows; ++i, ++rows)
      out.push_back(
          joint.rates < 0
              ? row
              : physics_of_rate(model.rates()[static_cast<std::size_t>(joint.rates + rows)]));
  }
}

RowPhysics physics_of(const Control& control) {
  const bool by_speed = control.kind == ControlKind::motor || control.kind == ControlKind::friction;
  return {.kind = by_speed ? RowKind::velocity : RowKind::holonomic,
          .unilateral = control.kind == ControlKind::limit,
          .elastic = control.kind == ControlKind::servo,
          .compliance = control.compliance,
          .damping_time = control.damping_time,
          .restitution = control.restitution};
}

// The rows of a control: one, or two of a limit with two bounds.
void add_control(const Model& model, std::uint32_t index, Builder& builder, ConstraintSet& set) {
  const Control& control = model.controls()[index];
  std::vector<BodyId> bodies;
  for (const Term& term : model.terms_of(control)) {
    bodies.push_back(model.joint(term.joint).a);
    bodies.push_back(model.joint(term.joint).b);
  }
  set.control_blocks.push_back({-1, -1});
  const auto add_row = [&](double sign) {
    builder.open_block(bodies, 1);
    set.control_blocks.back()[sign > 0.0 ? 0 : 1] = static_cast<int>(set.blocks.size());
    if (control.max_force < unlimited) set.bounded.push_back(static_cast<int>(set.blocks.size()));
    set.blocks.push_back({.owner = BlockOwner::control,
                          .index = index,
                          .first_term = set.term_columns.size(),
                          .sign = sign,
                          .max_force = control.max_force});
    set.physics.push_back(physics_of(control));
    set.drifts = set.drifts || !control.target.is_constant() || control.kind == ControlKind::motor;
    set.bounces = set.bounces || control.restitution > 0.0;
    for (std::size_t i = 0; i < bodies.size(); i += 2)
      set.term_columns.emplace_back(builder.columns(bodies[i]), builder.columns(bodies[i + 1]));
  };
  if (control.kind != ControlKind::limit || control.lower > -unlimited) add_row(1.0);
  if (control.kind == ControlKind::limit && control.upper < unlimited) add_row(-1.0);
}

// A row block of G and P while it is written.
struct BlockWriter {
  BlockRows& G;
  BlockRows& P;
  VecX& g;
  std::size_t block;

  EntryView view(const Columns& columns, int row) const {
    if (columns.free >= 0) return view_in(G, columns.free, row);
    if (columns.prescribed >= 0) return view_in(P, columns.prescribed, row);
    return {};
  }
  RowView rows(const Columns& a, const Columns& b, int row) const {
    return {.g = g.data() + G.blocks[block].first_row + row, .a = view(a, row), .b = view(b, row)};
  }
  void clear() const {
    for (BlockRows* matrix : {&G, &P})
      for (const BlockEntry& entry : matrix->entries_of(matrix->blocks[block]))
        std::fill_n(matrix->entry_values(entry), matrix->blocks[block].rows * entry.columns, 0.0);
  }

 private:
  EntryView view_in(BlockRows& matrix, int entry, int row) const {
    return {.values = matrix.entry_values(matrix.entries[static_cast<std::size_t>(entry)]) + row,
            .stride = matrix.blocks[block].rows};
  }
};

void write_part(Part part, const Joint& joint, const std::vector<BodyFrame>& frames, const VecX& s,
                const RowView& out) {
  const BodyFrame& a = frames[joint.a.index()];
  const BodyFrame& b = frames[joint.b.index()];
  const Vec3 &p_A = joint.frame_a.p, &p_B = joint.frame_b.p;
  const Quat &R_AJ = joint.frame_a.R, &R_BJ = joint.frame_b.R;
  switch (part) {
    case Part::point: return write_point(a, b, p_A, p_B, out);
    case Part::line: return write_slides(a, b, joint.frame_a, p_B, 0, line_rows, out);
    case Part::plane: return write_slides(a, b, joint.frame_a, p_B, 2, plane_rows, out);
    case Part::slides: return write_slides(a, b, joint.frame_a, p_B, 0, slides_rows, out);
    case Part::axis: return write_axis(a, b, R_AJ, R_BJ, out);
    case Part::perpendicular: return write_perpendicular(a, b, R_AJ, R_BJ, out);
    case Part::twist: return write_twist(a, b, R_AJ, R_BJ, out);
    case Part::attitude: return write_attitude(a, b, R_AJ, R_BJ, out);
    case Part::screw: return write_screw(a, b, joint, s(joint.coordinate), out);
    case Part::disc_height: return write_rolling(a, b, joint, 2, disc_height_rows, out);
    case Part::disc_slip: return write_rolling(a, b, joint, 0, disc_slip_rows, out);
    case Part::distance: return write_distance(a, b, p_A, p_B, joint.length, out);
    case Part::rope: return write_distance(a, b, p_A, p_B, joint.length, out, -1.0);
  }
}

// The row of a control, whose terms have the columns from `columns` on.
void write_control(const Model& model, const ConstraintBlock& block,
                   std::span<const std::pair<Columns, Columns>> columns,
                   const std::vector<BodyFrame>& frames, const VecX& s, double t,
                   const BlockWriter& out) {
  const Control& control = model.controls()[block.index];
  out.clear();
  const auto terms = model.terms_of(control);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Joint& joint = model.joint(terms[i].joint);
    const Coordinate coordinate =
        coordinates_of(joint.kind)[static_cast<std::size_t>(terms[i].index)];
    add_coordinate(coordinate, frames[joint.a.index()], frames[joint.b.index()], joint,
                   block.sign * terms[i].factor, out.rows(columns[i].first, columns[i].second, 0));
  }
  double& g = out.g(out.G.blocks[out.block].first_row);
  g = 0.0;
  if (control.kind == ControlKind::motor || control.kind == ControlKind::friction) return;
  const double value = compute_control_value(model, control, s);
  if (control.kind == ControlKind::limit)
    g = block.sign > 0.0 ? value - control.lower : control.upper - value;
  else
    g = value - control.target(t);
}

}  // namespace

ConstraintSet make_constraints(const Model& model, const RowMatrices& out) {
  Builder builder(model, out);
  ConstraintSet set;
  set.drifts = !model.motions().empty();
  const auto joints = model.joints();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const Joint& joint = joints[i];
    set.joint_blocks.push_back(-1);
    if (rows_of(joint.kind) == 0) continue;
    set.joint_blocks.back() = static_cast<int>(set.blocks.size());
    const BodyId bodies[] = {joint.a, joint.b};
    builder.open_block(bodies, rows_of(joint.kind));
    set.blocks.push_back({.owner = BlockOwner::joint,
                          .index = static_cast<std::uint32_t>(i),
                          .a = builder.columns(joint.a),
                          .b = builder.columns(joint.b)});
    add_joint_physics(model, joint, set.physics);
  }
  for (std::uint32_t i = 0; i < model.controls().size(); ++i) add_control(model, i, builder, set);
  const auto bodies = model.bodies();
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].kind != BodyKind::rod) continue;
    const BodyId rod[] = {BodyId{i}};
    builder.open_block(rod, unit_length_rows);
    set.blocks.push_back({.owner = BlockOwner::rod, .index = i, .b = builder.columns(BodyId{i})});
    set.physics.push_back({.compliance = bodies[i].relaxation.compliance,
                           .damping_time = bodies[i].relaxation.damping_time.value_or(-1.0)});
  }
  builder.finish();
  set.has_unilateral = std::ranges::any_of(set.physics, &RowPhysics::unilateral);
  set.has_velocity_rows = std::ranges::any_of(
      set.physics, [](const RowPhysics& row) { return row.kind == RowKind::velocity; });
  return set;
}

void build_block(const ConstraintSet& set, const Model& model, std::size_t block,
                 const std::vector<BodyFrame>& frames, const VecX& s, double t, BlockRows& G,
                 BlockRows& P, VecX& g) {
  const ConstraintBlock& described = set.blocks[block];
  const BlockWriter out{G, P, g, block};
  if (described.owner == BlockOwner::joint) {
    const Joint& joint = model.joints()[described.index];
    int row = 0;
    for (const Part part : parts_of(joint.kind)) {
      write_part(part, joint, frames, s, out.rows(described.a, described.b, row));
      row += info_of(part).rows;
    }
  } else if (described.owner == BlockOwner::control) {
    const std::span<const std::pair<Columns, Columns>> columns(set.term_columns);
    write_control(model, described, columns.subspan(described.first_term), frames, s, t, out);
  } else {
    write_unit_length(frames[described.index], out.rows({}, described.b, 0));
  }
}

void build_rows(const ConstraintSet& set, const Model& model, const std::vector<BodyFrame>& frames,
                const VecX& s, double t, BlockRows& G, BlockRows& P, VecX& g) {
  for (std::size_t i = 0; i < set.blocks.size(); ++i)
    build_block(set, model, i, frames, s, t, G, P, g);
}

void add_target_drift(const ConstraintSet& set, const Model& model, double t, double h,
                      const BlockRows& G, VecX& drift) {
  for (std::size_t i = 0; i < set.blocks.size(); ++i) {
    if (set.blocks[i].owner != BlockOwner::control) continue;
    const Control& control = model.controls()[set.blocks[i].index];
    double& rate = drift(G.blocks[i].first_row);
    if (control.kind == ControlKind::motor)
      rate -= control.target(t + 0.5 * h);
    else if (!control.target.is_constant())
      rate -= (control.target(t + h) - control.target(t)) / h;
  }
}

double compute_control_value(const Model& model, const Control& control, const VecX& s) {
  double value = 0.0;
  for (const Term& term : model.terms_of(control))
    value += term.factor * s(model.joint(term.joint).coordinate + term.index);
  return value;
}

std::string name_of_block(const ConstraintSet& set, const Model& model, std::size_t i) {
  const ConstraintBlock& block = set.blocks[i];
  switch (block.owner) {
    case BlockOwner::joint: return fmt::format("joint \"{}\"", model.name(JointId{block.index}));
    case BlockOwner::control:
      return fmt::format("control \"{}\"", model.name(ControlId{block.index}));
    case BlockOwner::rod: return fmt::format("rod \"{}\"", model.name(BodyId{block.index}));
  }
  return {};
}

namespace {

// The part of a joint that has its row `local`, and which of the part's rows that is.
struct PartRow {
  const PartInfo* info = nullptr;
  int row = 0;
};

PartRow find_part(JointKind kind, int local) {
  for (const Part part : parts_of(kind)) {
    const PartInfo& info = info_of(part);
    if (local < info.rows) return {&info, local};
    local -= info.rows;
  }
  return {};
}

}  // namespace

RowMeasure measure_of_row(const ConstraintSet& set, const Model& model, const BlockRows& G,
                          int row) {
  const auto i = static_cast<std::size_t>(block_of(G, row));
  const ConstraintBlock& block = set.blocks[i];
  if (block.owner == BlockOwner::rod) return RowMeasure::number;
  bool angular = false;
  if (block.owner == BlockOwner::control) {
    const Term& term = model.terms_of(model.controls()[block.index]).front();
    const auto coordinates = coordinates_of(model.joint(term.joint).kind);
    angular = is_angle(coordinates[static_cast<std::size_t>(term.index)]);
  } else {
    const PartRow part = find_part(model.joints()[block.index].kind, row - G.blocks[i].first_row);
    angular = part.info && part.info->angular;
  }
  return angular ? RowMeasure::angle : RowMeasure::length;
}

std::string name_of_row(const ConstraintSet& set, const Model& model, const BlockRows& G, int row) {
  const auto i = static_cast<std::size_t>(block_of(G, row));
  const ConstraintBlock& block = set.blocks[i];
  const std::string owner = name_of_block(set, model, i);
  if (block.owner == BlockOwner::rod) return owner + ", unit length";
  if (block.owner == BlockOwner::control) {
    const Control& control = model.controls()[block.index];
    if (control.kind != ControlKind::limit) return owner + ", " + name_of(control.kind);
    return owner + (block.sign > 0.0 ? ", lower limit" : ", upper limit");
  }
  const PartRow part = find_part(model.joints()[block.index].kind, row - G.blocks[i].first_row);
  return part.info ? owner + ", " + part.info->row_names[part.row] : owner;
}

}  // namespace ligament
