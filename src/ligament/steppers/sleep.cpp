// SPDX-License-Identifier: Apache-2.0
#include "ligament/steppers/sleep.h"

#include <algorithm>
#include <cmath>

#include "ligament/steppers/stepper.h"

namespace ligament {
namespace {

// How fast the parts of a body move, roughly: its centre, and its mass about the centre.
double speed_of(const Body& body, const State& state) {
  double speed = state.v.segment<3>(body.v_offset).norm();
  if (body.kind == BodyKind::rigid)
    speed += state.v.segment<3>(body.v_offset + 3).norm() *
             std::sqrt(body.moments.maxCoeff() / body.mass);
  return speed;
}

}  // namespace

Sleep::Sleep(const Model& model) {
  const std::size_t bodies = model.bodies().size();
  asleep_.assign(bodies, 0);
  can_sleep_.assign(bodies, 0);
  quiet_time_.assign(bodies, 0.0);
  group_.assign(bodies, -1);
  for (std::uint32_t i = 0; i < bodies; ++i) {
    const Body& body = model.bodies()[i];
    if (body.kind == BodyKind::fixed) continue;
    body_of_block_.push_back(BodyId{i});
    can_sleep_[i] = (body.kind == BodyKind::rigid || body.kind == BodyKind::particle) &&
                    body.force.isZero() && body.torque.isZero();
  }
  for (const Joint& joint : model.joints())
    can_sleep_[joint.a.index()] = can_sleep_[joint.b.index()] = 0;
  for (const Load& load : model.loads()) can_sleep_[load.body.index()] = 0;
}

bool Sleep::wake(const Model& model, const State& state, double h,
                 std::span<const Contact> contacts) {
  if (sleepers_ == 0) return false;
  wakes_.assign(static_cast<std::size_t>(groups_), 0);
  bool any_wakes = false;
  for (const Contact& contact : contacts) {
    if (is_asleep(contact.a) == is_asleep(contact.b)) continue;
    const BodyId sleeper = is_asleep(contact.a) ? contact.a : contact.b;
    const BodyId other = is_asleep(contact.a) ? contact.b : contact.a;
    const Body& body = model.body(other);
    double reach = 0.0;  // how far the other one may come
    if (body.kind != BodyKind::fixed)
      reach = h * (speed_of(body, state) + h * model.gravity().norm());
    else if (body.motion >= 0)
      reach = h * (velocity_of(model, state, other).norm() +
                   compute_angular_velocity(model, state, other).norm());
    else
      continue;
    if (contact.gap > reach || (body.motion >= 0 && reach == 0.0)) continue;
    wakes_[static_cast<std::size_t>(group_[sleeper.index()])] = 1;
    any_wakes = true;
  }
  if (!any_wakes) return false;
  for (std::size_t i = 0; i < asleep_.size(); ++i) {
    if (!asleep_[i] || !wakes_[static_cast<std::size_t>(group_[i])]) continue;
    asleep_[i] = 0;
    quiet_time_[i] = 0.0;
    --sleepers_;
  }
  return true;
}

void Sleep::put_to_sleep(const Model& model, const StepProblem& problem, double h,
                         const ContactModel& options, State& state) {
  if (options.sleep_after <= 0.0) return;
  bool anybody = false;
  for (const BodyId id : body_of_block_) {
    const std::size_t i = id.index();
    if (asleep_[i] || !can_sleep_[i]) continue;
    const bool quiet = speed_of(model.body(id), state) < options.sleep_speed;
    quiet_time_[i] = quiet ? quiet_time_[i] + h : 0.0;
    anybody = anybody || quiet_time_[i] >= options.sleep_after;
  }
  if (!anybody) return;
  islands_.find(problem, islands::Small::apart);
  for (int island = 0; island < islands_.count(); ++island) {
    const auto bodies = islands_.bodies(island);
    const bool sleepy = std::ranges::all_of(bodies, [&](int block) {
      const std::size_t i = body_of_block_[static_cast<std::size_t>(block)].index();
      return can_sleep_[i] && quiet_time_[i] >= options.sleep_after;
    });
    if (!sleepy) continue;
    for (const int block : bodies) {
      const BodyId id = body_of_block_[static_cast<std::size_t>(block)];
      asleep_[id.index()] = 1;
      group_[id.index()] = groups_;
      ++sleepers_;
      const Body& body = model.body(id);
      state.v.segment(body.v_offset, velocities_of(body.kind)).setZero();
      state.p.segment(body.v_offset, velocities_of(body.kind)).setZero();
    }
    ++groups_;
  }
}

}  // namespace ligament
