// SPDX-License-Identifier: Apache-2.0
#include "ligament/model/model_builder.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "ligament/model/joint_coordinates.h"
#include "ligament/model/joint_placement.h"
#include "ligament/model/validation.h"

namespace ligament {
namespace {

template <class Spec>
const std::string& name_in(const Spec& spec) {
  return std::visit([](const auto& element) -> const std::string& { return element.name; }, spec);
}

template <class IdOf, class Spec>
IdOf append(std::vector<Spec>& list, Spec&& spec) {
  list.push_back(std::move(spec));
  return {static_cast<std::uint32_t>(list.size() - 1)};
}

// A name of the user's, or one made of the element and its place; unique within its kind.
class Names {
 public:
  std::string take(const char* element, std::size_t index, const std::string& given) {
    std::string name = given.empty() ? fmt::format("{} {}", element, index + 1) : given;
    if (!taken_.insert(name).second)
      throw ModelError(
          element, index,
          fmt::format("{0} \"{1}\": the name is taken by another {0}: names must be unique",
                      element, name));
    return name;
  }

 private:
  std::unordered_set<std::string> taken_;
};

}  // namespace

BodyId ModelBuilder::add_body(BodySpec spec) {
  bodies_.push_back(std::move(spec));
  return {static_cast<std::uint32_t>(bodies_.size())};  // the world is body 0
}

JointId ModelBuilder::add_joint(JointSpec spec) {
  return append<JointId>(joints_, std::move(spec));
}

ControlId ModelBuilder::add_control(ControlSpec spec) {
  return append<ControlId>(controls_, std::move(spec));
}

LoadId ModelBuilder::add_load(Load load) { return append<LoadId>(loads_, std::move(load)); }

Model ModelBuilder::build() && {
  Model model;
  Culprit("", 0, "model").require_vector("gravity", options_.gravity);
  model.gravity_ = options_.gravity;

  Names body_names, joint_names, control_names, load_names;
  const auto place = [&](const BodySpec& spec, const std::string& name) {
    Body body = make_body(spec);
    body.q_offset = model.coordinates_;
    model.coordinates_ += coordinates_of(spec.kind);
    if (spec.kind != BodyKind::fixed) {
      body.v_offset = model.velocities_;
      body.mass_block = model.moving_bodies_++;
      model.velocities_ += velocities_of(spec.kind);
    }
    if (spec.motion) {
      body.motion = static_cast<int>(model.motions_.size());
      model.motions_.push_back(spec.motion);
    }
    model.bodies_.push_back(body);
    model.body_names_.push_back(name);
    model.principal_axes_.push_back(body.principal_axes
                                        ? Mat3(Mat3::Identity())
                                        : compute_principal_inertia(spec.mass.inertia).R_BP);
  };
  place({.kind = BodyKind::fixed}, body_names.take("body", 0, "world"));
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const std::string name = body_names.take("body", i, bodies_[i].name);
    check_body(Culprit("body", i, name), bodies_[i]);
    place(bodies_[i], name);
  }

  State& state = model.initial_state_;
  state.q.setZero(model.coordinates_);
  state.v.setZero(model.velocities_);
  state.p.setZero(model.velocities_);
  state.q(3) = 1.0;  // the world's attitude
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    place_body(model, BodyId{static_cast<std::uint32_t>(i + 1)}, bodies_[i], state);

  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const std::string name = joint_names.take("joint", i, name_in(joints_[i]));
    const Culprit culprit("joint", i, name);
    Joint joint = make_joint(culprit, joints_[i], model);
    const int free = static_cast<int>(coordinates_of(joint.kind).size());
    if (free > 0) joint.coordinate = model.joint_coordinates_;
    model.joint_coordinates_ += free;
    const std::vector<Rate> rates = make_rates(culprit, joints_[i]);
    if (!rates.empty()) joint.rates = static_cast<int>(model.rates_.size());
    model.rates_.insert(model.rates_.end(), rates.begin(), rates.end());
    model.joints_.push_back(joint);
    model.joint_names_.push_back(name);
  }
  state.s.setZero(model.joint_coordinates_);
  update_joint_coordinates(model, state);

  for (std::size_t i = 0; i < controls_.size(); ++i) {
    const std::string name = control_names.take("control", i, name_in(controls_[i]));
    Control control = make_control(Culprit("control", i, name), controls_[i], model);
    const std::vector<Term>& terms = std::visit(
        [](const auto& spec) -> const auto& { return spec.on.terms; }, controls_[i]);
    control.first_term = static_cast<int>(model.terms_.size());
    model.terms_.insert(model.terms_.end(), terms.begin(), terms.end());
    model.controls_.push_back(std::move(control));
    model.control_names_.push_back(name);
  }
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    Load& load = loads_[i];
    load.name = load_names.take("load", i, load.name);
    check_load(Culprit("load", i, load.name), load, model);
    model.loads_.push_back(std::move(load));
  }
  return model;
}

}  // namespace ligament
