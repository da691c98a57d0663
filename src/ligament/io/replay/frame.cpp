// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/replay/frame.h"

#include <algorithm>
#include <cmath>

#include "ligament/model/joint_coordinates.h"

namespace ligament {
namespace {

constexpr std::size_t most_contacts = 400;  // of a frame: more cannot be told apart by eye

std::array<float, 3> to_floats(const Vec3& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

// The largest |g| of the rows of a joint; the room that a rope leaves is no error, nor is the
// stretch of a spring.
double joint_error(const Sample& sample, std::size_t joint) {
  const int block = sample.work.constraints.joint_blocks[joint];
  if (block < 0) return 0.0;
  const RowBlock& rows = sample.work.problem.G.blocks[static_cast<std::size_t>(block)];
  double most = 0.0;
  for (int row = rows.first_row; row < rows.first_row + rows.rows; ++row) {
    const RowPhysics& physics = sample.work.constraints.physics[static_cast<std::size_t>(row)];
    if (physics.kind != RowKind::holonomic || physics.elastic) continue;
    const double g = sample.work.g(row);
    if (!(physics.unilateral && g > 0.0)) most = std::max(most, std::abs(g));
  }
  return most;
}

// The compliance that the solver added to the row, of these, whose give it changed most.  [ER.5]
float compute_excess(const Sample& sample, int block) {
  if (!sample.report || sample.work.error.exact || block < 0) return 0.0F;
  const RowBlock& rows = sample.work.problem.G.blocks[static_cast<std::size_t>(block)];
  double most = 0.0, excess = 0.0;
  for (int row = rows.first_row; row < rows.first_row + rows.rows; ++row) {
    const double give = sample.work.error[row].give;
    const double force = std::abs(sample.work.solution.lambda(row)) / sample.h;
    if (!(std::abs(give) > most) || force == 0.0) continue;
    most = std::abs(give);
    excess = give / force;
  }
  return static_cast<float>(excess);
}

// From the axes of the joint's frame on body a to those of the world.
Vec3 to_world(const BodyFrame& a, const Joint& joint, const Vec3& v) {
  if (a.kind != BodyKind::rigid && a.kind != BodyKind::fixed) return v;
  return a.e * (joint.frame_a.R * v);
}

}  // namespace

void FrameMeter::measure_joints(const Sample& sample, ReplayFrame& out) {
  const Model& model = sample.model;
  out.joints.clear();
  for (std::uint32_t i = 0; i < model.joints().size(); ++i) {
    const Joint& joint = model.joints()[i];
    std::array<float, joint_numbers> numbers{};
    if (sample.report) {
      const JointLoad load = compute_joint_load(model, sample.impulses(), JointId{i});
      const auto force =
          to_floats(to_world(sample.work.frames[joint.a.index()], joint, load.force));
      std::ranges::copy(force, numbers.begin());
      numbers[3] = static_cast<float>(load.torque.norm());
      numbers[4] = static_cast<float>(joint_error(sample, i));
      numbers[5] = compute_excess(sample, sample.work.constraints.joint_blocks[i]);
    }
    out.joints.insert(out.joints.end(), numbers.begin(), numbers.end());
    for (std::size_t k = 0; k < coordinates_of(joint.kind).size(); ++k)
      out.joints.push_back(
          static_cast<float>(sample.state.s(joint.coordinate + static_cast<int>(k))));
  }
  out.controls.clear();
  for (std::uint32_t i = 0; i < model.controls().size(); ++i) {
    const double force =
        sample.report ? compute_control_force(sample.impulses(), ControlId{i}) : 0.0;
    out.controls.push_back(static_cast<float>(force));
    out.controls.push_back(
        static_cast<float>(compute_control_value(model, model.controls()[i], sample.state.s)));
  }
}

// The state remembers the impulses of those that pressed, in the order of the rows; those of bodies
// that sleep have no rows and are left out.
void FrameMeter::find_pressing(const Sample& sample) {
  pressing_.clear();
  if (!sample.report) return;
  auto next = sample.state.contacts.begin();
  const auto end = sample.state.contacts.end();
  for (const ContactRows& rows : sample.work.contacts.rows) {
    const Contact& contact = rows.contact;
    if (!(sample.work.solution.lambda(rows.normal_row) > 0.0)) continue;
    const auto found = std::find_if(next, end, [&](const ContactMemory& memory) {
      return memory.shape_a == contact.shape_a && memory.shape_b == contact.shape_b &&
             memory.feature == contact.feature;
    });
    if (found == end) continue;
    next = found + 1;
    pressing_.push_back({&contact, found->impulse / sample.h, compute_excess(sample, rows.block)});
  }
}

void FrameMeter::measure_contacts(const Sample& sample, ReplayFrame& out) {
  find_pressing(sample);
  out.all_contacts = static_cast<int>(pressing_.size());
  if (pressing_.size() > most_contacts) {
    // Of equal ones the first: the order in memory decides, which is that of the rows.
    std::ranges::nth_element(pressing_, pressing_.begin() + most_contacts,
                             [](const Pressing& a, const Pressing& b) {
                               const double x = a.force.squaredNorm(), y = b.force.squaredNorm();
                               return x != y ? x > y : a.contact < b.contact;
                             });
    pressing_.resize(most_contacts);
  }
  out.contacts.clear();
  for (const auto& [contact, force, excess] : pressing_) {
    const ContactKey key{contact->shape_a.value, contact->shape_b.value, contact->feature};
    const auto [entry, is_new] = ids_.try_emplace(key, static_cast<std::int32_t>(pairs_.size()));
    if (is_new) pairs_.push_back({contact->a, contact->b});
    out.contacts.push_back({entry->second, to_floats(0.5 * (contact->point_a + contact->point_b)),
                            to_floats(force), excess});
  }
  std::ranges::sort(out.contacts, {}, &FrameContact::id);
}

void FrameMeter::measure_worst(const Sample& sample, ReplayFrame& out) {
  out.worst = -1;
  if (!sample.report || sample.report->violation.worst_row < 0) return;
  const auto [entry, is_new] = row_ids_.try_emplace(sample.report->violation.worst_row,
                                                    static_cast<std::int32_t>(row_names_.size()));
  if (is_new) row_names_.push_back(name_worst_row(sample));
  out.worst = entry->second;
}

void FrameMeter::measure(const Sample& sample, ReplayFrame& out) {
  out.t = sample.state.t;
  out.step = sample.step;
  out.poses.clear();
  out.velocities.clear();
  for (std::uint32_t i = 1; i < sample.model.bodies().size(); ++i) {
    const Frame pose = compute_pose(sample.model, sample.state, BodyId{i});
    for (const double x : pose.p) out.poses.push_back(static_cast<float>(x));
    for (const double x : {pose.R.w(), pose.R.x(), pose.R.y(), pose.R.z()})
      out.poses.push_back(static_cast<float>(x));
    for (const double x : velocity_of(sample.model, sample.state, BodyId{i}))
      out.velocities.push_back(static_cast<float>(x));
  }
  measure_joints(sample, out);
  measure_contacts(sample, out);
  measure_worst(sample, out);
  out.values = measure_quantities(sample);
}

}  // namespace ligament
