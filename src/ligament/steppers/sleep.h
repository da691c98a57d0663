// SPDX-License-Identifier: Apache-2.0
// Resting islands may sleep: bodies that touch each other and have all been slow for a while stand
// still, cost next to nothing, and wake up when somebody arrives. An option, for it is no physics.
//
// A body can sleep if no joint, load or constant force acts on it and nothing that is moved carries
// it. Who sleeps keeps the memory of its contacts, and wakes with it.
#pragma once

#include <span>
#include <vector>

#include "ligament/constraints/contact_rows.h"
#include "ligament/model/model.h"
#include "ligament/solvers/islands/islands.h"

namespace ligament {

struct ContactModel;

class Sleep {
 public:
  explicit Sleep(const Model& model);

  int sleeping() const { return sleepers_; }
  bool is_asleep(BodyId id) const { return asleep_[id.index()] != 0; }
  // One entry a body, not 0 if it is asleep.
  std::span<const unsigned char> sleepers() const { return asleep_; }

  // Wakes those whom somebody awake touches, or will within the step, and those who were given a
  // velocity. Returns whether it did: their contacts are then to be found anew.
  bool wake(const Model& model, const State& state, double h, std::span<const Contact> contacts);

  // Puts islands to sleep whose bodies were all slow for long enough. Their velocities become zero.
  // The contacts are those of the step that was taken.
  void put_to_sleep(const Model& model, const StepProblem& problem,
                    std::span<const ContactRows> contacts, double h, const ContactModel& options,
                    State& state);

 private:
  void wake_groups();

  std::vector<unsigned char> asleep_;     // by body
  std::vector<unsigned char> can_sleep_;  // by body
  std::vector<double> quiet_time_;        // by body [s]
  std::vector<std::size_t> group_;        // by body: the first of those that it fell asleep with
  std::vector<unsigned char> wakes_;      // by group, scratch
  std::vector<BodyId> body_of_block_;     // block of M → body
  islands::Islands islands_;
  int sleepers_ = 0;
};

}  // namespace ligament
