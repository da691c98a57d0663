// SPDX-License-Identifier: Apache-2.0
// The checks that a model must pass, and errors that name their culprit. Used by ModelBuilder only.
#pragma once

#include <string>

#include "ligament/model/model.h"

namespace ligament {

// One element of a model while it is being checked.
class Culprit {
 public:
  // `owner`, in front of the element, for those that belong to another: body "arm".
  Culprit(std::string element, std::size_t index, std::string name, std::string owner = {});

  [[noreturn]] void fail(const std::string& what) const;
  // Numbers must be finite and below 1e30 in size: squares and products then stay far from
  // overflow.
  void require_number(const char* what, double value) const;
  void require_vector(const char* what, const Vec3& value) const;
  void require_positive(const char* what, double value) const;  // > 1e-30
  void require_non_negative(const char* what, double value) const;
  void require_relaxation(const Relaxation& given) const;

 private:
  std::string element_;
  std::size_t index_;
  std::string name_, owner_;
};

// Throws ModelError if no body can have these properties.
void check_body(const Culprit& culprit, const BodySpec& spec);

// The body without its places in q, v and M.
Body make_body(const BodySpec& spec);

// Throws ModelError if nothing can act like this. The joints of the model must be in place; the
// places of the terms are left to the caller.
Control make_control(const Culprit& culprit, const ControlSpec& spec, const Model& model);
void check_load(const Culprit& culprit, const Load& load, const Model& model);

Shape make_shape(const Culprit& culprit, const ShapeSpec& spec, const Model& model);
void check_material(const Culprit& culprit, const Material& material);

// Writes the pose, velocity and momentum of the spec into the state.
void place_body(const Model& model, BodyId id, const BodySpec& spec, State& state);

}  // namespace ligament
