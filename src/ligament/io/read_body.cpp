// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "ligament/io/elements.h"
#include "ligament/io/fields.h"
#include "ligament/math/rotation.h"

namespace ligament {
namespace {

constexpr BodyKind kinds[] = {BodyKind::rigid, BodyKind::particle, BodyKind::rod, BodyKind::fixed};

BodyKind read_kind(Reader& reader, const Fields& fields) {
  const Json* value = fields.find("kind");
  if (!value) return BodySpec{}.kind;
  std::vector<std::string_view> words;
  for (const BodyKind kind : kinds) words.emplace_back(name_of(kind));
  return kinds[reader.choice(*value, "kind", words)];
}

Mat3 read_inertia(Reader& reader, const Json& value) {
  const bool by_rows = value.is_array() && value.size() == 3 && value[0].is_array();
  if (!by_rows) return reader.vector(value).asDiagonal();
  Mat3 inertia;
  for (int i = 0; i < 3; ++i) inertia.row(i) = reader.vector(value[static_cast<std::size_t>(i)]);
  return inertia;
}

// A solid of a given density [kg/m³] or mass [kg]: the two differ by one function a shape.
enum class Amount { mass, density };

MassProperties read_solid(Reader& reader, const Json& value, Amount of, double amount) {
  const Fields solid(reader, value, scene_format::solid);
  if (value.size() != 1) reader.fail(value, "must have one of \"box\", \"sphere\", \"cylinder\"");
  const bool dense = of == Amount::density;
  if (const Json* box = solid.find("box")) {
    const Json& half = Fields(reader, *box, scene_format::box).require("half");
    const Vec3 edges = reader.vector(half);
    if (!(edges.minCoeff() > 0.0)) reader.fail(half, "the half lengths of a box must be > 0");
    return dense ? solid_box(edges, amount) : box_of_mass(edges, amount);
  }
  if (const Json* sphere = solid.find("sphere")) {
    const Fields fields(reader, *sphere, scene_format::sphere);
    const double radius = reader.positive_number(fields.require("radius"));
    return dense ? solid_sphere(radius, amount) : sphere_of_mass(radius, amount);
  }
  const Fields fields(reader, solid.require("cylinder"), scene_format::cylinder);
  const double radius = reader.positive_number(fields.require("radius"));
  const double half_length = reader.positive_number(fields.require("half_length"));
  return dense ? solid_cylinder(radius, half_length, amount)
               : cylinder_of_mass(radius, half_length, amount);
}

MassProperties read_rigid_mass(Reader& reader, const Fields& fields) {
  const Json* mass = fields.find("mass");
  const Json* density = fields.find("density");
  if (const Json* solid = fields.find("solid")) {
    if ((mass == nullptr) == (density == nullptr))
      reader.fail(fields.object(), "a solid needs either \"mass\" or \"density\"");
    if (const Json* inertia = fields.find("inertia"))
      reader.fail(*inertia, "follows from \"solid\": give only one of the two");
    return density ? read_solid(reader, *solid, Amount::density, reader.positive_number(*density))
                   : read_solid(reader, *solid, Amount::mass, reader.number(*mass));
  }
  if (density) reader.fail(*density, "needs \"solid\", the shape that has this density");
  const Json* inertia = fields.find("inertia");
  if (!mass || !inertia)
    reader.fail(fields.object(),
                fmt::format("\"{}\" is missing: a rigid body needs \"mass\" and \"inertia\", or "
                            "\"solid\" and one of \"mass\", \"density\"",
                            mass ? "inertia" : "mass"));
  return {.mass = reader.number(*mass), .inertia = read_inertia(reader, *inertia)};
}

// {"position": [f, f, f], "axis": […], "angle": f}: away from the pose that the body is given in.
PoseFunction read_motion(Reader& reader, const Json& value, const Frame& given) {
  const Fields fields(reader, value, scene_format::motion);
  const Json* position = fields.find("position");
  const Json* angle = fields.find("angle");
  const Json* axis = fields.find("axis");
  if ((angle == nullptr) != (axis == nullptr))
    reader.fail(value, fmt::format("\"{}\" is missing: a turn needs \"axis\" and \"angle\"",
                                   angle ? "axis" : "angle"));
  if (!position && !angle)
    reader.fail(value, "must have \"position\", or \"axis\" and \"angle\", or all three");
  std::array<TimeFunction, 3> slide{};
  TimeFunction turn;
  Vec3 about = Vec3::UnitZ();
  if (position) slide = reader.function_vector(*position);
  if (angle) turn = reader.function(*angle);
  if (axis) about = reader.direction(*axis);
  return [given, slide, turn, about](double t) -> Frame {
    return {.p = given.p + Vec3(slide[0](t), slide[1](t), slide[2](t)),
            .R = Quat(Eigen::AngleAxisd(turn(t), about)) * given.R};
  };
}

}  // namespace

Quat read_orientation(Reader& reader, const Json& value) {
  if (value.is_object()) {
    const Fields turn(reader, value, scene_format::turn);
    const Vec3 axis = reader.direction(turn.require("axis"));
    return Quat(Eigen::AngleAxisd(reader.number(turn.require("angle")), axis));
  }
  if (!value.is_array() || value.size() != 4)
    reader.fail(value,
                "must be a quaternion [w, x, y, z] or {\"axis\": [x, y, z], \"angle\": rad}");
  return {reader.number(value[0]), reader.number(value[1]), reader.number(value[2]),
          reader.number(value[3])};
}

BodySpec read_body(Reader& reader, const Json& value) {
  const Fields fields(reader, value, scene_format::body);
  BodySpec spec{.kind = read_kind(reader, fields)};
  fields.check_kind(bit(spec.kind), "kind", name_of(spec.kind));
  fields.read_name("name", spec.name);

  if (spec.kind == BodyKind::rigid)
    spec.mass = read_rigid_mass(reader, fields);
  else if (spec.kind != BodyKind::fixed)
    spec.mass.mass = reader.number(fields.require("mass"));
  if (spec.kind == BodyKind::rod) spec.length = reader.number(fields.require("length"));

  fields.read("position", spec.position);
  if (const Json* orientation = fields.find("orientation"))
    spec.orientation = read_orientation(reader, *orientation);
  if (const Json* direction = fields.find("direction"))
    spec.orientation = frame_with_x_along(reader.direction(*direction));
  if (const Json* motion = fields.find("motion"))
    spec.motion = read_motion(reader, *motion, {spec.position, spec.orientation});
  fields.read("velocity", spec.velocity);
  fields.read("angular_velocity", spec.angular_velocity);
  fields.read("force", spec.force);
  fields.read("torque", spec.torque);
  fields.read("compliance", spec.relaxation.compliance);
  fields.read("damping_time", spec.relaxation.damping_time);
  return spec;
}

}  // namespace ligament
