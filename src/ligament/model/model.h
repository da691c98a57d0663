// SPDX-License-Identifier: Apache-2.0
// A machine: bodies, joints, controls, loads and shapes, checked by ModelBuilder and immutable from
// then on.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ligament/model/body.h"
#include "ligament/model/control.h"
#include "ligament/model/ids.h"
#include "ligament/model/joint.h"
#include "ligament/model/material.h"
#include "ligament/model/shape.h"
#include "ligament/model/state.h"

namespace ligament {

// What can change about a machine while it runs: all that leaves the layout of its state alone.
struct ModelChange {
  std::optional<Vec3> gravity{};                              // [m/s²]
  std::vector<std::pair<ControlId, TimeFunction>> targets{};  // of controls
  std::vector<Load> loads{};  // further ones; their points from the centre of mass
};

class Model {
 public:
  const Vec3& gravity() const { return gravity_; }  // [m/s²]

  // Body 0 is the world. Everything else is in the order in which they were added.
  std::span<const Body> bodies() const { return bodies_; }
  std::span<const Joint> joints() const { return joints_; }
  std::span<const Rate> rates() const { return rates_; }
  std::span<const Control> controls() const { return controls_; }
  std::span<const Term> terms() const { return terms_; }
  std::span<const Load> loads() const { return loads_; }
  // Poses of the bodies that are moved as prescribed.
  std::span<const PoseFunction> motions() const { return motions_; }
  std::span<const Material> materials() const { return materials_; }
  std::span<const Shape> shapes() const { return shapes_; }
  const Body& body(BodyId id) const { return bodies_[id.index()]; }
  const Joint& joint(JointId id) const { return joints_[id.index()]; }
  const Control& control(ControlId id) const { return controls_[id.index()]; }
  const Shape& shape(ShapeId id) const { return shapes_[id.index()]; }
  // What two materials are like together.
  const Material& between(MaterialId a, MaterialId b) const {
    return material_pairs_[a.index() * materials_.size() + b.index()];
  }
  // Whether a joint keeps two bodies from touching.
  bool is_jointed(BodyId a, BodyId b) const;

  // The terms of the sum that a control acts on.
  std::span<const Term> terms_of(const Control& control) const {
    return terms().subspan(static_cast<std::size_t>(control.first_term),
                           static_cast<std::size_t>(control.terms));
  }

  // R_BP: columns are the principal axes of inertia in body axes.
  const Mat3& principal_axes(BodyId id) const { return principal_axes_[id.index()]; }

  const std::string& name(BodyId id) const { return body_names_[id.index()]; }
  const std::string& name(JointId id) const { return joint_names_[id.index()]; }
  const std::string& name(ControlId id) const { return control_names_[id.index()]; }
  const std::string& name(LoadId id) const { return loads_[id.index()].name; }
  const std::string& name(MaterialId id) const { return material_names_[id.index()]; }
  const std::string& name(ShapeId id) const { return shape_names_[id.index()]; }
  std::optional<BodyId> find_body(std::string_view name) const;
  std::optional<JointId> find_joint(std::string_view name) const;
  std::optional<ControlId> find_control(std::string_view name) const;
  std::optional<ShapeId> find_shape(std::string_view name) const;

  int coordinates() const { return coordinates_; }              // size of State::q
  int velocities() const { return velocities_; }                // size of State::v and State::p
  int joint_coordinates() const { return joint_coordinates_; }  // size of State::s
  int moving_bodies() const { return moving_bodies_; }

  const State& initial_state() const { return initial_state_; }

 private:
  friend class ModelBuilder;
  friend Model change(Model model, const ModelChange& by);
  Model() = default;

  Vec3 gravity_ = Vec3::Zero();
  std::vector<Body> bodies_;
  std::vector<Mat3> principal_axes_;
  std::vector<Joint> joints_;
  std::vector<Rate> rates_;
  std::vector<Control> controls_;
  std::vector<Term> terms_;
  std::vector<Load> loads_;
  std::vector<PoseFunction> motions_;
  std::vector<Material> materials_, material_pairs_;  // pairs: row by row
  std::vector<Shape> shapes_;
  std::vector<std::pair<BodyId, BodyId>> jointed_;  // a < b, sorted
  std::vector<std::string> body_names_, joint_names_, control_names_, material_names_, shape_names_;
  int coordinates_ = 0;
  int velocities_ = 0;
  int joint_coordinates_ = 0;
  int moving_bodies_ = 0;
  State initial_state_;
};

// The machine with the change. Gravity, loads and targets are taken as they are: finite numbers,
// for bodies that are not fixed.
Model change(Model model, const ModelChange& by);

// Position and attitude of a body. For a rod the attitude is the shortest turn of (1, 0, 0) into u.
Frame compute_pose(const Model& model, const State& state, BodyId id);
// Velocity of the centre [m/s]; of a body with a prescribed motion by differences.
Vec3 velocity_of(const Model& model, const State& state, BodyId id);
// Angular velocity ω = R I₀⁻¹ Rᵀ l of a rigid body, u × u̇ of a rod [rad/s], world axes.
Vec3 compute_angular_velocity(const Model& model, const State& state, BodyId id);

// q ⊕ t v, with a velocity v laid out as State::v: rotations by the exponential map. Joint
// coordinates follow; velocities and momenta are left alone.
void displace(const Model& model, const VecX& v, double t, State& state);

// Gives a body a velocity, and the momentum that goes with it. Zero for what a kind does not have.
void set_velocity(const Model& model, BodyId id, const Vec3& velocity, const Vec3& angular_velocity,
                  State& state);

}  // namespace ligament
