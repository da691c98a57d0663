// SPDX-License-Identifier: Apache-2.0
// Resting islands may sleep: bodies that touch each other and have all been slow for a while stand
// still, cost next to nothing, and wake up when somebody arrives. An option, for it is no physics.
//
// A body can sleep if no joint, load or constant force acts on it. Who sleeps keeps the memory of
// its contacts, and wakes with it.
#pragma once

#include <vector>

#include "ligament/collision/contact.h"
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

  // Wakes those whom somebody awake touches, or will within the step. Returns whether it did: their
  // contacts are then to be found anew.
  bool wake(const Model& model, const State& state, double h, std::span<const Contact> contacts);

  // Puts islands to sleep whose bodies were all slow for long enough. Their velocities become zero.
  void put_to_sleep(const Model& model, const StepProblem& problem, double h,
                    const ContactModel& options, State& state);

 private:
  std::vector<unsigned char> asleep_;     // by body
  std::vector<unsigned char> can_sleep_;  // by body
  std::vector<double> quiet_time_;        // by body [s]
  std::vector<int> group_;                // by body: who sleeps with whom
  std::vector<unsigned char> wakes_;      // by group, scratch
  std::vector<BodyId> body_of_block_;     // block of M → body
  islands::Islands islands_;
  int groups_ = 0;
  int sleepers_ = 0;
};

}  // namespace ligament
