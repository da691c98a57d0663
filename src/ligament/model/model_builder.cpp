// SPDX-License-Identifier: Apache-2.0
#include "ligament/model/model_builder.h"

#include <fmt/format.h>

#include <algorithm>
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

// Whether the two bodies of a joint cannot touch: joints that tie points or axes together have
// their bodies overlap there. Ropes, springs and the like do not.
bool keeps_apart(const Joint& joint) {
  const bool between_points = joint.kind == JointKind::distance || joint.kind == JointKind::rope ||
                              joint.kind == JointKind::spring || joint.kind == JointKind::actuator;
  return !joint.contacts && !between_points;
}

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

MaterialId ModelBuilder::add_material(MaterialSpec spec) {
  materials_.push_back(std::move(spec));
  return {static_cast<std::uint32_t>(materials_.size())};  // the default material is 0
}

void ModelBuilder::add_material_pair(MaterialPairSpec spec) { material_pairs_.push_back(spec); }

ShapeId ModelBuilder::add_shape(ShapeSpec spec) {
  return append<ShapeId>(shapes_, std::move(spec));
}

void ModelBuilder::build_materials(Model& model) {
  constexpr std::size_t most = 1000;  // pairs are kept in a table
  if (materials_.size() > most)
    Culprit("material", most, fmt::format("{}", most + 1))
        .fail(fmt::format("a model can have up to {} materials", most));
  Names names;
  model.materials_.push_back({});
  model.material_names_.push_back(names.take("material", 0, "default"));
  for (std::size_t i = 0; i < materials_.size(); ++i) {
    model.material_names_.push_back(names.take("material", i, materials_[i].name));
    check_material(Culprit("material", i, model.material_names_.back()), materials_[i].material);
    model.materials_.push_back(materials_[i].material);
  }
  for (const Material& a : model.materials_)
    for (const Material& b : model.materials_) model.material_pairs_.push_back(combine(a, b));
  const std::size_t count = model.materials_.size();
  for (std::size_t i = 0; i < material_pairs_.size(); ++i) {
    const MaterialPairSpec& given = material_pairs_[i];
    const Culprit culprit("material pair", i, fmt::format("{}", i + 1));
    for (const MaterialId id : {given.a, given.b})
      if (id.index() >= count)
        culprit.fail(fmt::format("there is no material with id {}", id.value));
    Material together = model.between(given.a, given.b);
    together.friction = given.friction.value_or(together.friction);
    together.restitution = given.restitution.value_or(together.restitution);
    together.compliance = given.compliance.value_or(together.compliance);
    if (given.damping_time) together.damping_time = given.damping_time;
    together.rolling_friction = given.rolling_friction.value_or(together.rolling_friction);
    together.spinning_friction = given.spinning_friction.value_or(together.spinning_friction);
    check_material(culprit, together);
    model.material_pairs_[given.a.index() * count + given.b.index()] = together;
    model.material_pairs_[given.b.index() * count + given.a.index()] = together;
  }
}

void ModelBuilder::build_shapes(Model& model) {
  Names names;
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    const std::string name = names.take("shape", i, shapes_[i].name);
    const std::size_t body = shapes_[i].body.index();
    const std::string owner = body < model.bodies_.size()
                                  ? fmt::format("body \"{}\"", model.body_names_[body])
                                  : std::string();
    model.shapes_.push_back(make_shape(Culprit("shape", i, name, owner), shapes_[i], model));
    model.shape_names_.push_back(name);
  }
  for (const Joint& joint : model.joints_)
    if (keeps_apart(joint)) model.jointed_.push_back(std::minmax(joint.a, joint.b));
  std::ranges::sort(model.jointed_);
  model.jointed_.erase(std::unique(model.jointed_.begin(), model.jointed_.end()),
                       model.jointed_.end());
}

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
    if (load.point) *load.point -= model.body(load.body).centre;
    model.loads_.push_back(std::move(load));
  }
  build_materials(model);
  build_shapes(model);
  return model;
}

}  // namespace ligament
