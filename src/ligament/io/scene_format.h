// SPDX-License-Identifier: Apache-2.0
// The words of the scene file: the keys of every object in it. docs/scene.schema.json says the same
// to machines and docs/scene.md to people; a test compares them.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "ligament/model/body.h"
#include "ligament/model/joint.h"

namespace ligament {

constexpr unsigned every_kind = ~0U;

struct Key {
  std::string_view name;
  unsigned kinds = every_kind;  // bit i: objects of kind i may have it
};

struct ObjectFormat {
  std::string_view name;
  std::span<const Key> keys;
};

// The bit of a kind that is an enumerator or the index of a variant.
template <class Kind>
constexpr unsigned bit(Kind kind) {
  return 1U << static_cast<unsigned>(kind);
}

namespace scene_format {

constexpr int version = 1;

inline constexpr Key scene_keys[] = {
    {"ligament"}, {"name"},    {"description"}, {"gravity"}, {"variables"}, {"bodies"},
    {"joints"},   {"drivers"}, {"stepper"},     {"run"},     {"output"},
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
    {"length", rod},
    {"position"},
    {"orientation", rigid | fixed},
    {"direction", rod},
    {"velocity", rigid | particle | rod},
    {"angular_velocity", rigid | rod},
    {"force", rigid | particle | rod},
    {"torque", rigid},
    {"compliance", rod},
    {"damping_time", rod},
};
inline constexpr ObjectFormat body{"body", body_keys};

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

constexpr unsigned at_a_point = bit(JointKind::ball) | bit(JointKind::hinge) |
                                bit(JointKind::prismatic) | bit(JointKind::fixed);
constexpr unsigned along_an_axis = bit(JointKind::hinge) | bit(JointKind::prismatic);
constexpr unsigned ties_attitude = along_an_axis | bit(JointKind::fixed);
constexpr unsigned at_a_distance = bit(JointKind::distance);

inline constexpr Key joint_keys[] = {
    {"name"},
    {"type"},
    {"when"},
    {"a"},
    {"b"},
    {"point", at_a_point},
    {"axis", along_an_axis},
    {"point_a", at_a_distance},
    {"point_b", at_a_distance},
    {"length", at_a_distance},
    {"compliance"},
    {"angular_compliance", ties_attitude},
    {"damping_time"},
};
inline constexpr ObjectFormat joint{"joint", joint_keys};

inline constexpr Key driver_keys[] = {{"name"}, {"when"}, {"joint"}, {"speed"}, {"inverse_drag"}};
inline constexpr ObjectFormat driver{"driver", driver_keys};

inline constexpr Key repetition_keys[] = {{"repeat"}, {"when"}, {"items"}};
inline constexpr ObjectFormat repetition{"repetition", repetition_keys};
inline constexpr Key repeat_keys[] = {{"index"}, {"from"}, {"count"}};
inline constexpr ObjectFormat repeat{"repeat", repeat_keys};

inline constexpr Key stepper_keys[] = {
    {"type"}, {"h"}, {"damping_steps"}, {"gyroscopic"}, {"compliance_floor"}, {"solver"}};
inline constexpr ObjectFormat stepper{"stepper", stepper_keys};

constexpr unsigned direct = 1U;  // of the variant Solver
inline constexpr Key solver_keys[] = {{"type"}, {"refinements", direct}};
inline constexpr ObjectFormat solver{"solver", solver_keys};

inline constexpr Key run_keys[] = {{"duration"}, {"steps"}};
inline constexpr ObjectFormat run{"run", run_keys};
inline constexpr Key output_keys[] = {{"every"}};
inline constexpr ObjectFormat output{"output", output_keys};

inline constexpr std::array all{&scene,    &body, &solid,  &box,        &sphere,
                                &cylinder, &turn, &joint,  &driver,     &stepper,
                                &solver,   &run,  &output, &repetition, &repeat};

}  // namespace scene_format
}  // namespace ligament
