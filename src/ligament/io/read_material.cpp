// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/elements.h"
#include "ligament/io/fields.h"

namespace ligament {
namespace {

// The values of a material or of a pair.
template <class Values>
void read_values(const Fields& fields, Values& values) {
  fields.read("friction", values.friction);
  fields.read("restitution", values.restitution);
  fields.read("compliance", values.compliance);
  fields.read("damping_time", values.damping_time);
  fields.read("rolling_friction", values.rolling_friction);
  fields.read("spinning_friction", values.spinning_friction);
}

}  // namespace

MaterialSpec read_material(Reader& reader, const Json& value) {
  const Fields fields(reader, value, scene_format::material);
  MaterialSpec spec{.name = reader.name(fields.require("name"))};
  read_values(fields, spec.material);
  return spec;
}

MaterialPairSpec read_material_pair(Reader& reader, const Json& value,
                                    const NameTable<MaterialId>& materials) {
  const Fields fields(reader, value, scene_format::material_pair);
  MaterialPairSpec spec{.a = materials.find(reader, fields.require("a")),
                        .b = materials.find(reader, fields.require("b"))};
  read_values(fields, spec);
  return spec;
}

}  // namespace ligament
