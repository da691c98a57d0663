// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/elements.h"
#include "ligament/io/fields.h"

namespace ligament {
namespace {

constexpr JointKind kinds[] = {JointKind::ball, JointKind::hinge, JointKind::prismatic,
                               JointKind::fixed, JointKind::distance};

// What all joints have.
template <class JointOfKind>
JointOfKind read_common(Reader& reader, const Fields& fields, const NameTable<BodyId>& bodies) {
  JointOfKind joint;
  fields.read_name("name", joint.name);
  if (const Json* a = fields.find("a")) joint.a = bodies.find(reader, *a);
  joint.b = bodies.find(reader, fields.require("b"));
  fields.read("compliance", joint.relaxation.compliance);
  fields.read("angular_compliance", joint.relaxation.angular_compliance);
  fields.read("damping_time", joint.relaxation.damping_time);
  return joint;
}

template <class JointOfKind>
JointOfKind read_at_point(Reader& reader, const Fields& fields, const NameTable<BodyId>& bodies) {
  auto joint = read_common<JointOfKind>(reader, fields, bodies);
  joint.point = reader.vector(fields.require("point"));
  return joint;
}

template <class JointOfKind>
JointOfKind read_along_axis(Reader& reader, const Fields& fields, const NameTable<BodyId>& bodies) {
  auto joint = read_at_point<JointOfKind>(reader, fields, bodies);
  joint.axis = reader.direction(fields.require("axis"));
  return joint;
}

Distance read_distance(Reader& reader, const Fields& fields, const NameTable<BodyId>& bodies) {
  auto joint = read_common<Distance>(reader, fields, bodies);
  fields.read("point_a", joint.point_a);
  fields.read("point_b", joint.point_b);
  fields.read("length", joint.length);
  return joint;
}

}  // namespace

JointSpec read_joint(Reader& reader, const Json& value, const NameTable<BodyId>& bodies) {
  const Fields fields(reader, value, scene_format::joint);
  std::vector<std::string_view> words;
  for (const JointKind kind : kinds) words.emplace_back(name_of(kind));
  const JointKind kind = kinds[reader.choice(fields.require("type"), "type", words)];
  fields.check_kind(bit(kind), "type", name_of(kind));
  switch (kind) {
    case JointKind::ball: return read_at_point<Ball>(reader, fields, bodies);
    case JointKind::hinge: return read_along_axis<Hinge>(reader, fields, bodies);
    case JointKind::prismatic: return read_along_axis<Prismatic>(reader, fields, bodies);
    case JointKind::fixed: return read_at_point<Fixed>(reader, fields, bodies);
    case JointKind::distance: break;
  }
  return read_distance(reader, fields, bodies);
}

HingeDriver read_driver(Reader& reader, const Json& value, const NameTable<JointId>& joints) {
  const Fields fields(reader, value, scene_format::driver);
  HingeDriver driver;
  fields.read_name("name", driver.name);
  driver.joint = joints.find(reader, fields.require("joint"));
  driver.speed = reader.number(fields.require("speed"));
  fields.read("inverse_drag", driver.inverse_drag);
  return driver;
}

}  // namespace ligament
