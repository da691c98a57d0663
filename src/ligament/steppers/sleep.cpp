// SPDX-License-Identifier: Apache-2.0
#include "ligament/steppers/sleep.h"

#include <algorithm>
#include <cmath>
#include <utility>

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

// How far the point x of a body that is awake, or moved as prescribed, may come in the step from
// the time of the state on [m].
double reach_of(const Model& model, const State& state, double h, BodyId id, const Vec3& x) {
  const Body& body = model.body(id);
  if (body.motion >= 0) {
    const PoseFunction& motion = model.motions()[static_cast<std::size_t>(body.motion)];
    const Frame from = motion(state.t), to = motion(state.t + h);
    return (to.p + to.R * (from.R.conjugate() * (x - from.p)) - x).norm();
  }
  if (body.kind == BodyKind::fixed) return 0.0;
  Vec3 velocity = state.v.segment<3>(body.v_offset);
  double turning = 0.0;
  if (body.kind == BodyKind::rigid)
    velocity += state.v.segment<3>(body.v_offset + 3).cross(x - state.q.segment<3>(body.q_offset));
  if (body.kind == BodyKind::rod)
    turning = 0.5 * body.length * state.v.segment<3>(body.v_offset + 3).norm();
  return h * (velocity.norm() + turning + h * model.gravity().norm());
}

// Whether the sleeper or would-be sleeper on one side of a contact is disturbed from the other.
// What may never come is a surface that stands still.
bool disturbs(const Model& model, const State& state, double h, const Contact& contact,
              BodyId other) {
  const Vec3& x = other == contact.a ? contact.point_a : contact.point_b;
  const double reach = reach_of(model, state, h, other, x);
  return reach != 0.0 && !(contact.gap > reach);
}

}  // namespace

Sleep::Sleep(const Model& model) {
  const std::size_t bodies = model.bodies().size();
  asleep_.assign(bodies, 0);
  can_sleep_.assign(bodies, 0);
  quiet_time_.assign(bodies, 0.0);
  group_.assign(bodies, 0);
  wakes_.assign(bodies, 0);
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

void Sleep::wake_groups() {
  for (std::size_t i = 0; i < asleep_.size(); ++i) {
    if (!asleep_[i] || !wakes_[group_[i]]) continue;
    asleep_[i] = 0;
    quiet_time_[i] = 0.0;
    --sleepers_;
  }
}

bool Sleep::wake(const Model& model, const State& state, double h,
                 std::span<const Contact> contacts) {
  if (sleepers_ == 0) return false;
  std::ranges::fill(wakes_, 0);
  bool any_wakes = false;
  const auto note = [&](BodyId sleeper) {
    wakes_[group_[sleeper.index()]] = 1;
    any_wakes = true;
  };
  for (const BodyId id : body_of_block_) {
    if (!is_asleep(id)) continue;
    const Body& body = model.body(id);
    if (!state.v.segment(body.v_offset, velocities_of(body.kind)).isZero(0.0)) note(id);
  }
  for (const Contact& contact : contacts) {
    if (is_asleep(contact.a) == is_asleep(contact.b)) continue;
    const BodyId sleeper = is_asleep(contact.a) ? contact.a : contact.b;
    const BodyId other = is_asleep(contact.a) ? contact.b : contact.a;
    if (disturbs(model, state, h, contact, other)) note(sleeper);
  }
  if (any_wakes) wake_groups();
  return any_wakes;
}

void Sleep::put_to_sleep(const Model& model, const StepProblem& problem,
                         std::span<const ContactRows> contacts, double h,
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
  // What is carried does not rest, however slowly it goes.
  for (const ContactRows& rows : contacts)
    for (const auto& [one, other] :
         {std::pair(rows.contact.a, rows.contact.b), std::pair(rows.contact.b, rows.contact.a)})
      if (model.body(other).motion >= 0 && disturbs(model, state, h, rows.contact, other))
        quiet_time_[one.index()] = 0.0;
  islands_.find(problem, islands::Small::apart);
  for (int island = 0; island < islands_.count(); ++island) {
    const auto bodies = islands_.bodies(island);
    const auto body_at = [&](int block) { return body_of_block_[static_cast<std::size_t>(block)]; };
    const bool sleepy = std::ranges::all_of(bodies, [&](int block) {
      const std::size_t i = body_at(block).index();
      return can_sleep_[i] && quiet_time_[i] >= options.sleep_after;
    });
    if (!sleepy) continue;
    for (const int block : bodies) {
      const BodyId id = body_at(block);
      asleep_[id.index()] = 1;
      group_[id.index()] = body_at(bodies.front()).index();
      ++sleepers_;
      const Body& body = model.body(id);
      state.v.segment(body.v_offset, velocities_of(body.kind)).setZero();
      state.p.segment(body.v_offset, velocities_of(body.kind)).setZero();
    }
  }
}

}  // namespace ligament
