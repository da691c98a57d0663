// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/elements.h"
#include "ligament/io/fields.h"
#include "ligament/math/alternatives.h"

namespace ligament {
namespace {

static_assert(std::variant_size_v<JointSpec> == joint_kinds, "the variant is in the enum's order");

Frame read_frame(Reader& reader, const Json& value) {
  const Fields fields(reader, value, scene_format::frame);
  Frame frame;
  fields.read("position", frame.p);
  if (const Json* orientation = fields.find("orientation"))
    frame.R = read_unit_orientation(reader, *orientation);
  return frame;
}

// Reads into the description of one kind what this kind has.
class JointReader {
 public:
  JointReader(Reader& reader, const Fields& fields, JointKind kind)
      : reader_(reader), fields_(fields), kind_(kind) {}

  template <class Spec>
  void read(Spec& joint) const {
    if constexpr (requires { joint.relaxation; }) read_relaxation(joint.relaxation);
    if constexpr (requires { joint.point; }) read_place(joint);
    if constexpr (requires { joint.pitch; }) joint.pitch = reader_.number(fields_.require("pitch"));
    if constexpr (requires { joint.radius; }) read_disc(joint);
    if constexpr (requires { joint.point_a; }) read_ends(joint);
    if constexpr (requires { joint.stiffness; }) read_rates(joint);
    if constexpr (requires { joint.contacts; })
      if (const Json* contacts = fields_.find("contacts"))
        joint.contacts = reader_.boolean(*contacts);
  }

 private:
  bool is_one_of(unsigned kinds) const { return (bit(kind_) & kinds) != 0; }

  void read_relaxation(Relaxation& relaxation) const {
    fields_.read("compliance", relaxation.compliance);
    fields_.read("angular_compliance", relaxation.angular_compliance);
    fields_.read("damping_time", relaxation.damping_time);
  }

  // Two frames, or a point and axes.
  template <class Spec>
  void read_place(Spec& joint) const {
    if constexpr (requires { joint.frame_a; })
      if (read_frames(joint.frame_a, joint.frame_b)) return;
    if (is_one_of(scene_format::at_a_point)) joint.point = reader_.vector(require("point"));
    const bool any_axis = kind_ == JointKind::bushing && !fields_.find("axis");
    if (is_one_of(scene_format::along_an_axis) && !any_axis)
      joint.axis = reader_.direction(require("axis"));
    if constexpr (requires { joint.axis_b; })
      if (is_one_of(scene_format::with_two_axes))
        joint.axis_b = reader_.direction(require("axis_b"));
  }

  bool read_frames(std::optional<Frame>& frame_a, std::optional<Frame>& frame_b) const {
    const Json* a = fields_.find("frame_a");
    const Json* b = fields_.find("frame_b");
    if (!a && !b) return false;
    if (!a || !b)
      reader_.fail(
          fields_.object(),
          fmt::format("\"{}\" is missing: frames are given together, \"frame_a\" in body a "
                      "and \"frame_b\" in body b",
                      a ? "frame_b" : "frame_a"));
    for (const char* key : {"point", "axis", "axis_b"})
      if (const Json* other = fields_.find(key))
        reader_.fail(*other, fmt::format("has no place beside frames: \"frame_a\" and \"frame_b\" "
                                         "say where the joint is; leave \"{}\" out",
                                         key));
    frame_a = read_frame(reader_, *a);
    frame_b = read_frame(reader_, *b);
    return true;
  }

  const Json& require(std::string_view key) const {
    if (const Json* member = fields_.find(key)) return *member;
    reader_.fail(fields_.object(),
                 is_one_of(scene_format::with_frames)
                     ? fmt::format("\"{}\" is missing (or give \"frame_a\" and \"frame_b\")", key)
                     : fmt::format("\"{}\" is missing", key));
  }

  void read_disc(RollingDisc& joint) const {
    joint.radius = reader_.number(fields_.require("radius"));
    if (const Json* normal = fields_.find("normal")) joint.normal = reader_.direction(*normal);
    fields_.read("plane_point", joint.plane_point);
    fields_.read("slip", joint.slip);
  }

  template <class Spec>
  void read_ends(Spec& joint) const {
    fields_.read("point_a", joint.point_a);
    fields_.read("point_b", joint.point_b);
    if constexpr (requires { joint.length; }) fields_.read("length", joint.length);
  }

  template <class Spec>
  void read_rates(Spec& joint) const {
    fields_.read("stiffness", joint.stiffness);
    fields_.read("damping", joint.damping);
    if constexpr (requires { joint.angular_stiffness; }) {
      fields_.read("angular_stiffness", joint.angular_stiffness);
      fields_.read("angular_damping", joint.angular_damping);
    }
  }

  Reader& reader_;
  const Fields& fields_;
  JointKind kind_;
};

}  // namespace

JointSpec read_joint(Reader& reader, const Json& value, const NameTable<BodyId>& bodies) {
  const Fields fields(reader, value, scene_format::joint);
  std::vector<std::string_view> words;
  for (int i = 0; i < joint_kinds; ++i) words.emplace_back(name_of(static_cast<JointKind>(i)));
  const std::size_t index = reader.choice(fields.require("type"), "type", words);
  const auto kind = static_cast<JointKind>(index);
  fields.check_kind(bit(kind), "type", name_of(kind));
  JointSpec spec = make_alternatives<JointSpec>()[index];
  const auto read = [&](auto& joint) {
    fields.read_name("name", joint.name);
    if (const Json* a = fields.find("a")) joint.a = bodies.find(reader, *a);
    joint.b = bodies.find(reader, fields.require("b"));
    JointReader(reader, fields, kind).read(joint);
  };
  std::visit(read, spec);
  return spec;
}

}  // namespace ligament
