// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>

#include "ligament/geometry/geometry_error.h"
#include "ligament/geometry/solid_mass.h"
#include "ligament/io/elements.h"
#include "ligament/io/fields.h"
#include "ligament/io/shape_reader.h"
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

struct Solid {
  MassProperties mass{};
  Geometry geometry = SphereShape{};
};

Solid read_solid(Reader& reader, const Json& value, Amount of, double amount) {
  const Fields solid(reader, value, scene_format::solid);
  if (value.size() != 1) reader.fail(value, "must have one of \"box\", \"sphere\", \"cylinder\"");
  const bool dense = of == Amount::density;
  if (const Json* box = solid.find("box")) {
    const Json& half = Fields(reader, *box, scene_format::box).require("half");
    const Vec3 edges = reader.vector(half);
    if (!(edges.minCoeff() > 0.0)) reader.fail(half, "the half lengths of a box must be > 0");
    return {dense ? solid_box(edges, amount) : box_of_mass(edges, amount), BoxShape{edges}};
  }
  if (const Json* sphere = solid.find("sphere")) {
    const Fields fields(reader, *sphere, scene_format::sphere);
    const double radius = reader.positive_number(fields.require("radius"));
    return {dense ? solid_sphere(radius, amount) : sphere_of_mass(radius, amount),
            SphereShape{radius}};
  }
  const Fields fields(reader, solid.require("cylinder"), scene_format::cylinder);
  const double radius = reader.positive_number(fields.require("radius"));
  const double half_length = reader.positive_number(fields.require("half_length"));
  return {dense ? solid_cylinder(radius, half_length, amount)
                : cylinder_of_mass(radius, half_length, amount),
          CylinderShape{radius, half_length}};
}

[[noreturn]] void fail_without_mass(Reader& reader, const Fields& fields, const char* missing) {
  reader.fail(fields.object(),
              fmt::format("\"{}\" is missing: a rigid body needs \"mass\" and \"inertia\", or "
                          "\"solid\" or \"shapes\" and one of \"mass\", \"density\"",
                          missing));
}

// Whether the mass of a rigid body comes from its shapes.
bool has_mass_of_shapes(const Fields& fields) {
  return fields.find("shapes") && !fields.find("inertia") && !fields.find("solid");
}

// Mass, centre and inertia of a rigid body from its shapes: of the body's density, of their own,
// or scaled to the body's mass.
class ShapeMass {
 public:
  ShapeMass(Reader& reader, const Fields& body) : reader_(reader), body_(body) {
    const Json* density = body.find("density");
    if (density) density_ = reader.positive_number(*density);
    if (const Json* mass = body.find("mass")) {
      if (density) reader.fail(*density, "a body has either \"mass\" or \"density\"");
      mass_ = reader.number(*mass);
    }
    if (const Json* centre = body.find("centre"))
      reader.fail(*centre,
                  "follows from the shapes: leave it out, or give \"mass\" and \"inertia\" too");
  }

  void add(const ShapeReader& shapes, const Json& at, const ShapeReader::Element& shape) {
    ++count_;
    // Surfaces have no mass and no place on a moving body: the model will say so.
    if ((bit(shape.spec.geometry.index()) & scene_format::solids) == 0) return;
    if (shape.density) ++dense_;
    if (!shape.density && !density_ && !mass_) fail_without_mass(reader_, body_, "density");
    const double density = shape.density.value_or(density_.value_or(1.0));
    try {
      const SolidMass solid = compute_solid_mass(shape.spec.geometry, density);
      if (const double mass = solid.about_centre.mass; !(mass > 0.0) || !std::isfinite(mass))
        shapes.fail(at,
                    fmt::format("volume times density is {} kg: it must be finite and > 0", mass));
      solids_.push_back(move_solid(solid, shape.spec.pose));
    } catch (const GeometryError& error) {
      shapes.fail(at, error.what());
    }
  }

  void apply(BodySpec& spec) const {
    if (count_ == 0)
      reader_.fail(body_.require("shapes"),
                   "is empty, and the mass of the body should come from it: give \"mass\" and "
                   "\"inertia\", or a shape");
    if (mass_ && dense_ != 0 && dense_ != solids_.size())
      reader_.fail(body_.object(),
                   "some shapes have \"density\" and others have not: beside \"mass\" all of them "
                   "or none must have it");
    if (solids_.empty()) return;
    const SolidMass whole = add_solids(solids_);
    spec.mass = whole.about_centre;
    spec.centre = whole.centre;
    if (!mass_) return;
    spec.mass.mass = *mass_;
    spec.mass.inertia *= *mass_ / whole.about_centre.mass;
  }

 private:
  Reader& reader_;
  const Fields& body_;
  std::optional<double> density_, mass_;  // of the body, if given
  std::size_t count_ = 0, dense_ = 0;     // shapes, and those with a density of their own
  std::vector<SolidMass> solids_;
};

// The shapes, and the mass if it comes from them.
std::vector<ShapeSpec> read_shapes(Reader& reader, const Fields& fields, ShapeReader& shapes,
                                   const std::string& name, BodySpec& body) {
  std::vector<ShapeSpec> specs;
  const Json* array = fields.find("shapes");
  if (!array) return specs;
  std::optional<ShapeMass> mass;
  if (body.kind == BodyKind::rigid && has_mass_of_shapes(fields)) mass.emplace(reader, fields);
  reader.for_each_element(*array, [&](const Json& element) {
    ShapeReader::Element shape = shapes.read(element, name);
    if (mass)
      mass->add(shapes, element, shape);
    else if (shape.density)
      shapes.fail(
          element.at("density"),
          body.kind == BodyKind::rigid
              ? "has no effect: the body has \"inertia\" or \"solid\""
              : fmt::format("has no effect: the mass of a body of kind \"{}\" does not come "
                            "from its shapes",
                            name_of(body.kind)));
    specs.push_back(std::move(shape.spec));
  });
  if (mass) mass->apply(body);
  return specs;
}

MassProperties read_rigid_mass(Reader& reader, const Fields& fields,
                               std::optional<Geometry>& look) {
  const Json* mass = fields.find("mass");
  const Json* density = fields.find("density");
  if (const Json* solid = fields.find("solid")) {
    if ((mass == nullptr) == (density == nullptr))
      reader.fail(fields.object(), "a solid needs either \"mass\" or \"density\"");
    if (const Json* inertia = fields.find("inertia"))
      reader.fail(*inertia, "follows from \"solid\": give only one of the two");
    const Solid read =
        density ? read_solid(reader, *solid, Amount::density, reader.positive_number(*density))
                : read_solid(reader, *solid, Amount::mass, reader.number(*mass));
    look = read.geometry;
    return read.mass;
  }
  const Json* inertia = fields.find("inertia");
  if (density)
    reader.fail(*density, inertia ? "has no place beside \"inertia\", which needs \"mass\""
                                  : "needs \"solid\" or \"shapes\", which have this density");
  if (!mass || !inertia) fail_without_mass(reader, fields, mass ? "inertia" : "mass");
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

Quat read_unit_orientation(Reader& reader, const Json& value) {
  const Quat orientation = read_orientation(reader, value);
  if (!(std::abs(orientation.norm() - 1.0) < 1e-3))
    reader.fail(value,
                fmt::format("is a quaternion of length {:g}: it must be 1", orientation.norm()));
  return orientation;
}

BodyElement read_body(Reader& reader, const Json& value, ShapeReader& shapes, std::size_t number) {
  const Fields fields(reader, value, scene_format::body);
  BodySpec spec{.kind = read_kind(reader, fields)};
  fields.check_kind(bit(spec.kind), "kind", name_of(spec.kind));
  fields.read_name("name", spec.name);

  std::optional<Geometry> solid;
  if (spec.kind == BodyKind::rigid && !has_mass_of_shapes(fields))
    spec.mass = read_rigid_mass(reader, fields, solid);
  else if (spec.kind == BodyKind::particle || spec.kind == BodyKind::rod)
    spec.mass.mass = reader.number(fields.require("mass"));
  if (spec.kind == BodyKind::rod) spec.length = reader.number(fields.require("length"));
  fields.read("centre", spec.centre);

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
  const std::string name = spec.name.empty() ? fmt::format("body {}", number) : spec.name;
  std::vector<ShapeSpec> on_it = read_shapes(reader, fields, shapes, name, spec);
  return {.body = std::move(spec), .shapes = std::move(on_it), .solid = std::move(solid)};
}

}  // namespace ligament
