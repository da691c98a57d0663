// SPDX-License-Identifier: Apache-2.0
// From where a user put a joint to frames in its bodies. Used by ModelBuilder only.
#pragma once

#include "ligament/model/validation.h"

namespace ligament {

// Throws ModelError if the joint cannot be. The bodies of the model must be in place.
Joint make_joint(const Culprit& culprit, const JointSpec& spec, const Model& model);

// Stiffness and damping of its axes: one of a spring, six of a bushing, none of a joint.
std::vector<Rate> make_rates(const Culprit& culprit, const JointSpec& spec);

}  // namespace ligament
