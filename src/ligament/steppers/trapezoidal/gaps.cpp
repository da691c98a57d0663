// SPDX-License-Identifier: Apache-2.0
#include "ligament/steppers/trapezoidal/gaps.h"

#include <algorithm>
#include <cmath>

#include "ligament/steppers/contacts.h"
#include "ligament/steppers/workspace.h"

namespace ligament {
namespace {

// Velocity of the point of a body that is at x.
Vec3 point_velocity(const Model& model, const State& state, BodyId id, const Vec3& x) {
  const Body& body = model.body(id);
  if (body.kind == BodyKind::fixed && body.motion < 0) return Vec3::Zero();
  const Vec3 r = x - Vec3(state.q.segment<3>(body.q_offset));
  const Vec3 v = velocity_of(model, state, id);
  if (body.kind == BodyKind::particle) return v;
  if (body.kind == BodyKind::rod) {
    const Vec3 u = state.q.segment<3>(body.q_offset + 3);
    return v + r.dot(u) * state.v.segment<3>(body.v_offset + 3);
  }
  if (body.kind == BodyKind::rigid) return v + Vec3(state.v.segment<3>(body.v_offset + 3)).cross(r);
  return v + compute_angular_velocity(model, state, id).cross(r);
}

void scan_rows(const Model& model, const State& state, Workspace& work, GapScan& out) {
  const ConstraintSet& set = work.constraints;
  const int rows = work.contacts.joint_rows;
  if (out.G.rows != rows || out.G.blocks.size() != set.blocks.size()) {
    out.G = work.problem.G;
    out.P = work.P;
    out.G.truncate(work.contacts.joint_blocks);
    out.P.truncate(work.contacts.joint_blocks);
    out.g.setZero(rows);
    out.speed.setZero(rows);
  }
  build_rows(set, model, out.frames, state.s, state.t, out.G, out.P, out.g);
  multiply(out.G, state.v, out.speed);
  if (set.drifts) {
    work.drift_before.resize(rows);
    compute_drift_rate(model, state.t, out.G, out.P, work, work.drift_before);
    out.speed += work.drift_before;
  }
}

void add_rows(const Workspace& work, GapScan& out) {
  for (std::size_t i = 0; i < work.constraints.physics.size(); ++i) {
    const RowPhysics& row = work.constraints.physics[i];
    if (!row.unilateral) continue;
    const auto at = static_cast<Eigen::Index>(i);
    Gap gap{.key = {.row = static_cast<int>(i)},
            .gap = out.g(at),
            .speed = out.speed(at),
            .restitution = row.restitution};
    out.gaps.push_back(gap);
  }
}

}  // namespace

const Gap* GapScan::find(const GapKey& key) const {
  const auto found = std::ranges::find(gaps, key, &Gap::key);
  return found == gaps.end() ? nullptr : &*found;
}

const Gap* GapScan::find_or_nearest(const GapKey& key, const GapScan& roles) const {
  const Gap* nearest = find(key);
  if (nearest) return nearest;
  for (const Gap& gap : gaps) {
    if (!gap.key.same_pair(key) || (nearest && nearest->gap <= gap.gap)) continue;
    const Gap* before = roles.find(gap.key);
    if (!before || !before->is_active()) nearest = &gap;
  }
  return nearest;
}

Gap* GapScan::find_or_nearest(const GapKey& key) {
  const Gap* found = find_or_nearest(key, *this);
  return found ? &gaps[static_cast<std::size_t>(found - gaps.data())] : nullptr;
}

bool GapScan::has_active_pair(const GapKey& key) const {
  return std::ranges::any_of(
      gaps, [&](const Gap& gap) { return gap.is_active() && gap.key.same_pair(key); });
}

void scan_gaps(const Model& model, const State& state, Workspace& work, GapScan& out) {
  update_frames(model, state, out.frames);
  scan_rows(model, state, work, out);
  out.gaps.clear();
  add_rows(work, out);
  if (!work.collision) return;
  for (const Contact& contact : work.collision->find_contacts(state)) {
    const Vec3 x = 0.5 * (contact.point_a + contact.point_b);
    const Material& material =
        model.between(model.shape(contact.shape_a).material, model.shape(contact.shape_b).material);
    Gap gap{.key = {contact.shape_a, contact.shape_b, contact.feature, -1},
            .gap = contact.gap,
            .restitution = material.restitution,
            .contact = contact};
    gap.speed = contact.normal.dot(point_velocity(model, state, contact.b, x) -
                                   point_velocity(model, state, contact.a, x));
    out.gaps.push_back(gap);
  }
}

void recall_pressing(const Model& model, const State& state, Workspace& work, GapScan& scan) {
  work.contacts.index.build(state.contacts);
  for (Gap& gap : scan.gaps) {
    if (gap.key.row >= 0) {
      for (const RowMemory& memory : state.rows)
        if (memory.row == gap.key.row) gap.pressed = memory.impulse * work.mobility(memory.row);
    } else if (const ContactMemory* memory = work.contacts.index.find(gap.contact)) {
      gap.pressed = gap.contact.normal.dot(memory->impulse) * mobility_of(model, gap.contact);
    }
  }
}

void assign_roles(const Trapezoidal& method, const std::vector<GapKey>& hit, GapScan& scan) {
  for (Gap& gap : scan.gaps) {
    const bool drifted = gap.gap <= method.h * gap.pressed && gap.speed <= gap.pressed;
    const bool closed = gap.gap <= method.closed;
    if (std::ranges::find(hit, gap.key) != hit.end())
      gap.role = GapRole::rests;
    else if (!closed && !drifted)
      gap.role = GapRole::open;
    else if (gap.speed < -method.still && !method.as_printed.active_set)
      gap.role = GapRole::hits;
    else if (gap.speed <= method.still || drifted || method.as_printed.active_set)
      gap.role = GapRole::rests;
    else
      gap.role = GapRole::parts;
  }
}

}  // namespace ligament
