// SPDX-License-Identifier: Apache-2.0
// The elements of a scene, one function a kind; shapes have a reader of their own. What a body, a
// joint, a control or a load may be is checked by ModelBuilder, and the options of a stepper by
// check_options: here is only what the file adds.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ligament/io/nearest.h"
#include "ligament/io/reader.h"
#include "ligament/model/body.h"
#include "ligament/model/control.h"
#include "ligament/model/joint.h"
#include "ligament/model/material.h"
#include "ligament/model/shape.h"
#include "ligament/steppers/stepper.h"

namespace ligament {

// The names that references can use.
template <class Id>
class NameTable {
 public:
  explicit NameTable(std::string_view what) : what_(what) {}

  // Elements without a name cannot be referred to. The first of two with one name stays; the model
  // builder complains about the second.
  void add(const std::string& name, Id id) {
    if (!name.empty()) ids_.try_emplace(name, id);
  }

  Id find(Reader& reader, const Json& reference) const {
    const std::string name = reader.name(reference);
    const auto found = ids_.find(name);
    if (found == ids_.end()) fail(reader, reference, name);
    return found->second;
  }

 private:
  [[noreturn]] void fail(Reader& reader, const Json& reference, const std::string& name) const {
    std::vector<std::string_view> names;
    for (const auto& [known, id] : ids_) {
      if (names.size() == 100'000) break;  // enough to guess from
      names.push_back(known);
    }
    std::ranges::sort(names);
    reader.fail(reference, fmt::format("there is no {} {}{}{}", what_, quote(name),
                                       names.empty() ? "" : ": ", suggest(name, names)));
  }

  std::string_view what_;
  std::unordered_map<std::string, Id> ids_;
};

// The joints that controls can act on.
struct JointTable {
  NameTable<JointId> names{"joint"};
  std::vector<JointKind> kinds{};  // by id
};

class ShapeReader;

struct BodyElement {
  BodySpec body{};
  std::vector<ShapeSpec> shapes{};  // the body that they are on is left to the caller
  std::optional<Geometry> solid{};  // that the mass comes from
};
// `number` is the body's place in the scene, from 1: the name of one without a name.
BodyElement read_body(Reader& reader, const Json& value, ShapeReader& shapes, std::size_t number);
Quat read_orientation(Reader& reader, const Json& value);
// The same, and fails if it has not the length 1.
Quat read_unit_orientation(Reader& reader, const Json& value);
MaterialSpec read_material(Reader& reader, const Json& value);
MaterialPairSpec read_material_pair(Reader& reader, const Json& value,
                                    const NameTable<MaterialId>& materials);
JointSpec read_joint(Reader& reader, const Json& value, const NameTable<BodyId>& bodies);
ControlSpec read_control(Reader& reader, const Json& value, const JointTable& joints);
Load read_load(Reader& reader, const Json& value, const NameTable<BodyId>& bodies);
Stepper read_stepper(Reader& reader, const Json& value);

}  // namespace ligament
