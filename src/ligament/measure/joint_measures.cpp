// SPDX-License-Identifier: Apache-2.0
#include "ligament/measure/joint_measures.h"

#include <array>

#include "ligament/constraints/parts/coordinate.h"

namespace ligament {
namespace {

// The rate that one body gives to a coordinate: its columns of the gradient times its velocity.
// Bodies that stand still have no columns; those that are moved as prescribed have six.
struct BodyRate {
  const Model& model;
  BodyId id;
  std::array<double, 6> columns{};

  bool moves() const {
    return model.body(id).kind != BodyKind::fixed || model.body(id).motion >= 0;
  }
  EntryView view() { return {.values = moves() ? columns.data() : nullptr, .stride = 1}; }
  double compute(const State& state) const {
    if (!moves()) return 0.0;
    const Body& body = model.body(id);
    const Eigen::Map<const Eigen::Matrix<double, 6, 1>> row(columns.data());
    if (body.motion >= 0)
      return row.head<3>().dot(velocity_of(model, state, id)) +
             row.tail<3>().dot(compute_angular_velocity(model, state, id));
    return row.head(velocities_of(body.kind))
        .dot(state.v.segment(body.v_offset, velocities_of(body.kind)));
  }
};

// Force, and torque about the point, of the impulses of a row block on one of its bodies.
JointLoad load_on(const RowImpulses& impulses, std::size_t block, int entry, const BodyFrame& body,
                  const Vec3& point) {
  const RowBlock& rows = impulses.G.blocks[block];
  const BlockEntry& columns = impulses.G.entries[static_cast<std::size_t>(entry)];
  const double* B = impulses.G.entry_values(columns);
  std::array<double, 6> sum{};
  for (int c = 0; c < columns.columns; ++c)
    for (int r = 0; r < rows.rows; ++r)
      sum[static_cast<std::size_t>(c)] +=
          B[c * rows.rows + r] * impulses.lambda(rows.first_row + r) / impulses.h;
  JointLoad load{.force = {sum[0], sum[1], sum[2]}, .torque = {sum[3], sum[4], sum[5]}};
  if (body.kind == BodyKind::rod) load.torque = body.R.col(0).cross(load.torque);
  load.torque -= (point - body.x).cross(load.force);
  return load;
}

}  // namespace

void compute_joint_speeds(const Model& model, const std::vector<BodyFrame>& frames,
                          const State& state, VecX& out) {
  out.resize(model.joint_coordinates());
  for (const Joint& joint : model.joints()) {
    int at = joint.coordinate;
    for (const Coordinate coordinate : coordinates_of(joint.kind)) {
      BodyRate a{model, joint.a}, b{model, joint.b};
      add_coordinate(coordinate, frames[joint.a.index()], frames[joint.b.index()], joint, 1.0,
                     {.g = nullptr, .a = a.view(), .b = b.view()});
      out(at++) = a.compute(state) + b.compute(state);
    }
  }
}

JointLoad compute_joint_load(const Model& model, const RowImpulses& impulses, JointId id) {
  const ConstraintSet& set = impulses.set;
  const int block = set.joint_blocks[id.index()];
  if (block < 0) return {};
  const auto at = static_cast<std::size_t>(block);
  const Joint& joint = model.joint(id);
  const BodyFrame& a = impulses.frames[joint.a.index()];
  const BodyFrame& b = impulses.frames[joint.b.index()];
  const Vec3 point = b.x + lever(b, joint.frame_b.p);
  JointLoad load;
  if (set.blocks[at].b.free >= 0) {
    load = load_on(impulses, at, set.blocks[at].b.free, b, point);
  } else {
    load = load_on(impulses, at, set.blocks[at].a.free, a, point);
    load = {.force = -load.force, .torque = -load.torque};
  }
  if (a.kind != BodyKind::rigid && a.kind != BodyKind::fixed) return load;  // in world axes
  const Quat R_JW = (a.e * joint.frame_a.R).conjugate();
  return {.force = R_JW * load.force, .torque = R_JW * load.torque};
}

double compute_control_force(const RowImpulses& impulses, ControlId id) {
  double force = 0.0;
  for (const int block : impulses.set.control_blocks[id.index()]) {
    if (block < 0) continue;
    const auto at = static_cast<std::size_t>(block);
    force += impulses.set.blocks[at].sign * impulses.lambda(impulses.G.blocks[at].first_row) /
             impulses.h;
  }
  return force;
}

}  // namespace ligament
