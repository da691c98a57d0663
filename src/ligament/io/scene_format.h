// SPDX-License-Identifier: Apache-2.0
// The words of the scene file: the keys of every object in it. docs/scene.schema.json says the same
// to machines and docs/scene.md to people; a test compares them.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "ligament/geometry/geometry.h"
#include "ligament/io/method_format.h"
#include "ligament/model/body.h"
#include "ligament/model/joint.h"

namespace ligament {

// The kinds of controls, and two words for locks on sums.
enum class ControlType : unsigned char {
  motor,
  servo,
  motion,
  limit,
  friction,
  lock,
  gear,
  rack_and_pinion
};

// The alternatives of Geometry, in their order.
enum class ShapeType : unsigned char {
  sphere,
  box,
  capsule,
  cylinder,
  convex,
  half_space,
  plane,
  height_field,
  mesh,
  cavity
};

namespace scene_format {

constexpr int version = 1;

inline constexpr Key scene_keys[] = {
    {"ligament"},       {"name"},    {"description"}, {"gravity"}, {"variables"}, {"materials"},
    {"material_pairs"}, {"shapes"},  {"bodies"},      {"joints"},  {"controls"},  {"loads"},
    {"assemble"},       {"stepper"}, {"run"},         {"output"},
};
inline constexpr ObjectFormat scene{"scene", scene_keys};

constexpr unsigned rigid = bit(BodyKind::rigid);
constexpr unsigned particle = bit(BodyKind::particle);
constexpr unsigned rod = bit(BodyKind::rod);
constexpr unsigned fixed = bit(BodyKind::fixed);

inline constexpr Key body_keys[] = {
    {"name"},
    {"kind"},
    {"when"},
    {"mass", rigid | particle | rod},
    {"inertia", rigid},
    {"solid", rigid},
    {"density", rigid},
    {"centre", rigid},
    {"shapes", rigid | particle | fixed},
    {"length", rod},
    {"position"},
    {"orientation", rigid | fixed},
    {"direction", rod},
    {"velocity", rigid | particle | rod},
    {"angular_velocity", rigid | rod},
    {"force", rigid | particle | rod},
    {"torque", rigid},
    {"motion", fixed},
    {"compliance", rod},
    {"damping_time", rod},
};
inline constexpr ObjectFormat body{"body", body_keys};

inline constexpr Key motion_keys[] = {{"position"}, {"axis"}, {"angle"}};
inline constexpr ObjectFormat motion{"motion", motion_keys};

inline constexpr Key solid_keys[] = {{"box"}, {"sphere"}, {"cylinder"}};
inline constexpr ObjectFormat solid{"solid", solid_keys};
inline constexpr Key box_keys[] = {{"half"}};
inline constexpr ObjectFormat box{"box", box_keys};
inline constexpr Key sphere_keys[] = {{"radius"}};
inline constexpr ObjectFormat sphere{"sphere", sphere_keys};
inline constexpr Key cylinder_keys[] = {{"radius"}, {"half_length"}};
inline constexpr ObjectFormat cylinder{"cylinder", cylinder_keys};

inline constexpr Key turn_keys[] = {{"axis"}, {"angle"}};
inline constexpr ObjectFormat turn{"turn", turn_keys};

template <class... Kinds>
constexpr unsigned bits(Kinds... kinds) {
  return (bit(kinds) | ...);
}
constexpr unsigned all_kinds = bit(joint_kinds) - 1;
constexpr unsigned between_points =
    bits(JointKind::distance, JointKind::rope, JointKind::spring, JointKind::actuator);
constexpr unsigned rolling = bit(JointKind::rolling_disc);
constexpr unsigned elastic = bits(JointKind::spring, JointKind::bushing);
constexpr unsigned with_two_axes = bits(JointKind::universal, JointKind::perpendicular_axes);
constexpr unsigned angular_only = bits(JointKind::parallel_axes, JointKind::perpendicular_axes);
constexpr unsigned at_a_point = all_kinds & ~(between_points | angular_only);
constexpr unsigned along_an_axis =
    all_kinds & ~(between_points | bits(JointKind::ball, JointKind::fixed));
constexpr unsigned with_frames = all_kinds & ~(between_points | rolling);
constexpr unsigned ties = all_kinds & ~(elastic | bit(JointKind::actuator));
constexpr unsigned ties_points = ties & ~angular_only;
constexpr unsigned ties_attitude =
    ties & ~(between_points | rolling |
             bits(JointKind::ball, JointKind::point_on_line, JointKind::point_on_plane));

inline constexpr Key joint_keys[] = {
    {"name"},
    {"type"},
    {"when"},
    {"a"},
    {"b"},
    {"point", at_a_point},
    {"axis", along_an_axis},
    {"axis_b", with_two_axes},
    {"frame_a", with_frames},
    {"frame_b", with_frames},
    {"pitch", bit(JointKind::screw)},
    {"radius", rolling},
    {"slip", rolling},
    {"normal", rolling},
    {"plane_point", rolling},
    {"point_a", between_points},
    {"point_b", between_points},
    {"length", between_points & ~bit(JointKind::actuator)},
    {"stiffness", elastic},
    {"damping", elastic},
    {"angular_stiffness", bit(JointKind::bushing)},
    {"angular_damping", bit(JointKind::bushing)},
    {"contacts", all_kinds & ~between_points},
    {"compliance", ties_points},
    {"angular_compliance", ties_attitude},
    {"damping_time", ties},
};
inline constexpr ObjectFormat joint{"joint", joint_keys};

inline constexpr Key frame_keys[] = {{"position"}, {"orientation"}};
inline constexpr ObjectFormat frame{"frame", frame_keys};

inline constexpr std::array<std::string_view, 8> control_types{
    "motor", "servo", "motion", "limit", "friction", "lock", "gear", "rack_and_pinion"};

constexpr unsigned gears = bits(ControlType::gear, ControlType::rack_and_pinion);
constexpr unsigned on_a_sum = (bit(control_types.size()) - 1) & ~gears;
constexpr unsigned to_a_target = bits(ControlType::servo, ControlType::motion);
constexpr unsigned with_drag = bits(ControlType::motor, ControlType::friction);
constexpr unsigned compliant =
    gears | bits(ControlType::motion, ControlType::limit, ControlType::lock);

inline constexpr Key control_keys[] = {
    {"name"},
    {"type"},
    {"when"},
    {"joint", on_a_sum},
    {"coordinate", on_a_sum},
    {"terms", on_a_sum},
    {"driving", bit(ControlType::gear)},
    {"driven", bit(ControlType::gear)},
    {"ratio", bit(ControlType::gear)},
    {"pinion", bit(ControlType::rack_and_pinion)},
    {"rack", bit(ControlType::rack_and_pinion)},
    {"radius", bit(ControlType::rack_and_pinion)},
    {"speed", bit(ControlType::motor)},
    {"target", to_a_target},
    {"stiffness", bit(ControlType::servo)},
    {"damping", bit(ControlType::servo)},
    {"max_force", with_drag | bit(ControlType::servo)},
    {"inverse_drag", with_drag},
    {"lower", bit(ControlType::limit)},
    {"upper", bit(ControlType::limit)},
    {"restitution", bit(ControlType::limit)},
    {"value", bit(ControlType::lock)},
    {"compliance", compliant},
    {"damping_time", compliant},
};
inline constexpr ObjectFormat control{"control", control_keys};
inline constexpr Key term_keys[] = {{"joint"}, {"coordinate"}, {"factor"}, {"when"}};
inline constexpr ObjectFormat term{"term", term_keys};

inline constexpr Key load_keys[] = {{"name"},  {"when"},  {"body"},  {"axes"},
                                    {"point"}, {"force"}, {"torque"}};
inline constexpr ObjectFormat load{"load", load_keys};

inline constexpr std::array<std::string_view, 10> shape_types{
    "sphere",     "box",   "capsule",      "cylinder", "convex",
    "half_space", "plane", "height_field", "mesh",     "cavity"};
static_assert(shape_types.size() == std::variant_size_v<Geometry>);

constexpr unsigned round = bits(ShapeType::sphere, ShapeType::capsule, ShapeType::cylinder);
constexpr unsigned long_shapes = bits(ShapeType::capsule, ShapeType::cylinder);
constexpr unsigned flat = bits(ShapeType::half_space, ShapeType::plane);
constexpr unsigned with_vertices = bits(ShapeType::convex, ShapeType::mesh);
constexpr unsigned terrain = bit(ShapeType::height_field);
// What a moving body can have, and its mass can come from.
constexpr unsigned solids = round | bits(ShapeType::box, ShapeType::convex);

inline constexpr Key shape_keys[] = {
    {"name"},
    {"type"},
    {"when"},
    {"radius", round | bit(ShapeType::cavity)},
    {"half", bit(ShapeType::box)},
    {"half_length", long_shapes},
    {"vertices", with_vertices},
    {"triangles", bit(ShapeType::mesh)},
    {"file", with_vertices},
    {"scale", with_vertices},
    {"columns", terrain},
    {"rows", terrain},
    {"spacing", terrain},
    {"heights", terrain},
    {"position"},
    {"orientation"},
    {"normal", flat},
    {"material"},
    {"group"},
    {"mask"},
    {"density", solids},
};
inline constexpr ObjectFormat shape{"shape", shape_keys};

inline constexpr Key material_keys[] = {
    {"name"},       {"when"},         {"friction"},         {"restitution"},
    {"compliance"}, {"damping_time"}, {"rolling_friction"}, {"spinning_friction"}};
inline constexpr ObjectFormat material{"material", material_keys};
inline constexpr Key material_pair_keys[] = {{"a"},
                                             {"b"},
                                             {"when"},
                                             {"friction"},
                                             {"restitution"},
                                             {"compliance"},
                                             {"damping_time"},
                                             {"rolling_friction"},
                                             {"spinning_friction"}};
inline constexpr ObjectFormat material_pair{"material_pair", material_pair_keys};

inline constexpr Key table_keys[] = {{"times"}, {"values"}};
inline constexpr ObjectFormat table{"table", table_keys};

inline constexpr Key repetition_keys[] = {{"repeat"}, {"when"}, {"items"}};
inline constexpr ObjectFormat repetition{"repetition", repetition_keys};
inline constexpr Key repeat_keys[] = {{"index"}, {"from"}, {"count"}};
inline constexpr ObjectFormat repeat{"repeat", repeat_keys};

inline constexpr std::array all{
    &scene,      &body,     &motion, &solid, &box,    &sphere,     &cylinder,      &turn,  &joint,
    &frame,      &control,  &term,   &load,  &shape,  &material,   &material_pair, &table, &stepper,
    &as_printed, &contacts, &solver, &run,   &output, &repetition, &repeat};

}  // namespace scene_format
}  // namespace ligament
