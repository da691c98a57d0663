// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "ligament/io/elements.h"
#include "ligament/io/fields.h"

namespace ligament {

Load read_load(Reader& reader, const Json& value, const NameTable<BodyId>& bodies) {
  constexpr std::array<std::string_view, 2> axes{"world", "body"};
  const Fields fields(reader, value, scene_format::load);
  Load load{.body = bodies.find(reader, fields.require("body"))};
  fields.read_name("name", load.name);
  if (const Json* given = fields.find("axes"))
    load.in_body_axes = reader.choice(*given, "set of axes", axes) == 1;
  fields.read("point", load.point);
  if (const Json* force = fields.find("force")) load.force = reader.function_vector(*force);
  if (const Json* torque = fields.find("torque")) load.torque = reader.function_vector(*torque);
  if (!fields.find("force") && !fields.find("torque"))
    reader.fail(value, "must have \"force\", \"torque\" or both");
  return load;
}

}  // namespace ligament
