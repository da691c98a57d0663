// SPDX-License-Identifier: Apache-2.0
// Collects bodies, joints, controls, loads and shapes and makes a Model of them. Nothing is checked
// until build(), which throws one ModelError that names the culprit and says what would be right.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "ligament/model/model.h"

namespace ligament {

// What is wrong with a model. `element` tells where: "body", "joint", "control", "load",
// "material", "material pair", "shape" or "" (the model), with `index` its place in the order of
// addition (bodies: 0 is the first added, the world not counted).
class ModelError : public std::runtime_error {
 public:
  ModelError(std::string element, std::size_t index, const std::string& message)
      : std::runtime_error(message), element_(std::move(element)), index_(index) {}
  const std::string& element() const { return element_; }
  std::size_t index() const { return index_; }

 private:
  std::string element_;
  std::size_t index_;
};

struct ModelOptions {
  Vec3 gravity{0, 0, -9.81};  // [m/s²]
};

class ModelBuilder {
 public:
  explicit ModelBuilder(ModelOptions options = {}) : options_(std::move(options)) {}

  BodyId add_body(BodySpec spec);
  JointId add_joint(JointSpec spec);
  ControlId add_control(ControlSpec spec);
  LoadId add_load(Load load);
  MaterialId add_material(MaterialSpec spec);  // the first is 1: 0 is the default material
  void add_material_pair(MaterialPairSpec spec);
  ShapeId add_shape(ShapeSpec spec);

  // Checks everything and makes the model. The builder is used up.
  Model build() &&;

 private:
  void build_materials(Model& model);
  void build_shapes(Model& model);

  ModelOptions options_;
  std::vector<BodySpec> bodies_;
  std::vector<JointSpec> joints_;
  std::vector<ControlSpec> controls_;
  std::vector<Load> loads_;
  std::vector<MaterialSpec> materials_;
  std::vector<MaterialPairSpec> material_pairs_;
  std::vector<ShapeSpec> shapes_;
};

}  // namespace ligament
