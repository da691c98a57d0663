// SPDX-License-Identifier: Apache-2.0
// Every kind of joint of a scene becomes the joint that ModelBuilder makes of its struct.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>
#include <set>

#include "io/same_model.h"
#include "io/scene_files.h"

namespace ligament {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* bodies = R"(
  {"name": "a", "mass": 1, "inertia": [1, 1, 1], "position": [1, 0, 0]},
  {"name": "b", "mass": 1, "inertia": [1, 1, 1], "position": [0, 2, 0],
   "orientation": {"axis": [1, 2, 3], "angle": 0.7}})";
constexpr BodyId a{1}, b{2};

Model build_with(JointSpec joint) {
  ModelBuilder builder;
  builder.add_body({.name = "a", .mass = {1.0, Mat3::Identity()}, .position = {1, 0, 0}});
  builder.add_body({.name = "b",
                    .mass = {1.0, Mat3::Identity()},
                    .position = {0, 2, 0},
                    .orientation = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()))});
  builder.add_joint(std::move(joint));
  return std::move(builder).build();
}

struct JointCase {
  const char* text;
  JointSpec spec;
};

const Vec3 point{0.5, 1, 0}, axis{0, 2, 1}, across{3, 0, 0};
const Relaxation soft{.compliance = 1e-5, .angular_compliance = 1e-6, .damping_time = 0.1};
const Frame frame_a{{0.1, 0.2, 0.3}, Quat(Eigen::AngleAxisd(0.5, Vec3::UnitX()))};
const Frame frame_b{{0, 0, 1}, Quat(0, 1, 0, 0)};

// One of each kind at least, with all keys that it has in one of them.
const JointCase cases[] = {
    {R"("type": "ball", "point": [0.5, 1, 0], "compliance": 1e-5, "damping_time": 0.1)",
     Ball{.name = "j",
          .a = a,
          .b = b,
          .point = point,
          .relaxation = {.compliance = 1e-5, .damping_time = 0.1}}},
    {R"("type": "hinge", "point": [0.5, 1, 0], "axis": [0, 2, 1], "compliance": 1e-5,
        "angular_compliance": 1e-6, "damping_time": 0.1)",
     Hinge{.name = "j", .a = a, .b = b, .point = point, .axis = axis, .relaxation = soft}},
    {R"("type": "hinge",
        "frame_a": {"position": [0.1, 0.2, 0.3], "orientation": {"axis": [1, 0, 0], "angle": 0.5}},
        "frame_b": {"position": [0, 0, 1], "orientation": [0, 1, 0, 0]})",
     Hinge{.name = "j", .a = a, .b = b, .frame_a = frame_a, .frame_b = frame_b}},
    {R"("type": "prismatic", "point": [0.5, 1, 0], "axis": [0, 2, 1])",
     Prismatic{.name = "j", .a = a, .b = b, .point = point, .axis = axis}},
    {R"("type": "cylindrical", "point": [0.5, 1, 0], "axis": [0, 2, 1])",
     Cylindrical{.name = "j", .a = a, .b = b, .point = point, .axis = axis}},
    {R"("type": "universal", "point": [0.5, 1, 0], "axis": [0, 2, 1], "axis_b": [3, 0, 0])",
     Universal{.name = "j", .a = a, .b = b, .point = point, .axis = axis, .axis_b = across}},
    {R"("type": "universal", "frame_a": {}, "frame_b": {"orientation": [0, 1, 0, 0]})",
     Universal{
         .name = "j", .a = a, .b = b, .frame_a = Frame{}, .frame_b = Frame{.R = Quat(0, 1, 0, 0)}}},
    {R"("type": "planar", "point": [0.5, 1, 0], "axis": [0, 2, 1])",
     Planar{.name = "j", .a = a, .b = b, .point = point, .axis = axis}},
    {R"("type": "fixed", "point": [0.5, 1, 0])",
     Fixed{.name = "j", .a = a, .b = b, .point = point}},
    {R"("type": "screw", "point": [0.5, 1, 0], "axis": [0, 2, 1], "pitch": -0.02)",
     Screw{.name = "j", .a = a, .b = b, .point = point, .axis = axis, .pitch = -0.02}},
    {R"("type": "screw", "frame_a": {}, "frame_b": {"position": [0, 0, 1]}, "pitch": 0.5)",
     Screw{.name = "j",
           .a = a,
           .b = b,
           .pitch = 0.5,
           .frame_a = Frame{},
           .frame_b = Frame{.p = {0, 0, 1}}}},
    {R"("type": "point_on_line", "point": [0.5, 1, 0], "axis": [0, 2, 1])",
     PointOnLine{.name = "j", .a = a, .b = b, .point = point, .axis = axis}},
    {R"("type": "point_on_plane", "point": [0.5, 1, 0], "axis": [0, 2, 1])",
     PointOnPlane{.name = "j", .a = a, .b = b, .point = point, .axis = axis}},
    {R"("type": "parallel_axes", "axis": [0, 2, 1], "angular_compliance": 1e-3)",
     ParallelAxes{
         .name = "j", .a = a, .b = b, .axis = axis, .relaxation = {.angular_compliance = 1e-3}}},
    {R"("type": "perpendicular_axes", "axis": [0, 2, 1], "axis_b": [3, 0, 0])",
     PerpendicularAxes{.name = "j", .a = a, .b = b, .axis = axis, .axis_b = across}},
    {R"("type": "constant_velocity", "point": [0.5, 1, 0], "axis": [0, 2, 1])",
     ConstantVelocity{.name = "j", .a = a, .b = b, .point = point, .axis = axis}},
    {R"("type": "rolling_disc", "point": [0.5, 1, 0], "axis": [0, 2, 1], "radius": 0.3)",
     RollingDisc{.name = "j", .a = a, .b = b, .point = point, .axis = axis, .radius = 0.3}},
    {R"("type": "rolling_disc", "point": [0.5, 1, 0], "axis": [0, 2, 1], "radius": 0.3,
        "normal": [3, 0, 0], "plane_point": [1, 1, 1], "slip": 1e-4, "compliance": 1e-5)",
     RollingDisc{.name = "j",
                 .a = a,
                 .b = b,
                 .point = point,
                 .axis = axis,
                 .normal = across,
                 .plane_point = Vec3(1, 1, 1),
                 .radius = 0.3,
                 .slip = 1e-4,
                 .relaxation = {.compliance = 1e-5}}},
    {R"("type": "distance")", Distance{.name = "j", .a = a, .b = b}},
    {R"("type": "distance", "point_a": [1, 1, 0], "point_b": [2, 2, 0], "length": 3)",
     Distance{.name = "j",
              .a = a,
              .b = b,
              .point_a = Vec3(1, 1, 0),
              .point_b = Vec3(2, 2, 0),
              .length = 3.0}},
    {R"("type": "rope", "length": 9, "compliance": 1e-5)",
     Rope{.name = "j", .a = a, .b = b, .length = 9.0, .relaxation = {.compliance = 1e-5}}},
    {R"("type": "spring", "length": 2, "stiffness": 1e3, "damping": 10)",
     Spring{.name = "j", .a = a, .b = b, .length = 2.0, .stiffness = 1e3, .damping = 10.0}},
    {R"("type": "actuator", "point_a": [1, 1, 0])",
     Actuator{.name = "j", .a = a, .b = b, .point_a = Vec3(1, 1, 0)}},
    {R"("type": "bushing", "point": [0.5, 1, 0], "stiffness": [1, 2, 3], "damping": [4, 5, 6],
        "angular_stiffness": [7, 8, 9], "angular_damping": [10, 11, 12])",
     Bushing{.name = "j",
             .a = a,
             .b = b,
             .point = point,
             .stiffness = {1, 2, 3},
             .damping = {4, 5, 6},
             .angular_stiffness = {7, 8, 9},
             .angular_damping = {10, 11, 12}}},
    {R"("type": "bushing", "point": [0.5, 1, 0], "axis": [0, 2, 1], "stiffness": [1, 1, 1])",
     Bushing{.name = "j", .a = a, .b = b, .point = point, .axis = axis, .stiffness = {1, 1, 1}}},
};

std::string joint_with(const std::string& members) {
  return scene_with(bodies, R"({"name": "j", "a": "a", "b": "b", )" + members + "}");
}

TEST(SceneJoints, are_those_of_their_structs) {
  std::set<JointKind> seen;
  for (const JointCase& c : cases) {
    SCOPED_TRACE(c.text);
    const Scene scene = read_text_as_scene(joint_with(c.text));
    expect_same(scene.model, build_with(c.spec));
    seen.insert(scene.model.joints()[0].kind);
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(joint_kinds)) << "a kind has no case";
}

TEST(SceneJoints, begin_at_the_world_if_a_is_left_out) {
  const Scene scene =
      read_text_as_scene(scene_with(bodies, R"({"type": "ball", "b": "a", "point": [0, 0, 0]})"));
  EXPECT_EQ(scene.model.joints()[0].a, world);
}

TEST(BadJoints, need_a_place) {
  EXPECT_EQ(error_of(joint_with(R"("type": "ball")")),
            "scene.json: joints[0]: \"point\" is missing (or give \"frame_a\" and \"frame_b\")");
  EXPECT_THAT(error_of(joint_with(R"("type": "hinge", "point": [0, 0, 0])")),
              HasSubstr("joints[0]: \"axis\" is missing"));
  EXPECT_THAT(error_of(joint_with(R"("type": "universal", "point": [0, 0, 0], "axis": [0, 0, 1])")),
              HasSubstr("joints[0]: \"axis_b\" is missing"));
  EXPECT_EQ(error_of(joint_with(R"("type": "rolling_disc", "axis": [0, 1, 0], "radius": 1)")),
            "scene.json: joints[0]: \"point\" is missing");
  EXPECT_THAT(
      error_of(joint_with(R"("type": "rolling_disc", "point": [0, 0, 0], "axis": [0, 1, 0])")),
      HasSubstr("joints[0]: \"radius\" is missing"));
  EXPECT_THAT(error_of(joint_with(R"("type": "screw", "frame_a": {}, "frame_b": {})")),
              HasSubstr("joints[0]: \"pitch\" is missing"));
}

TEST(BadJoints, have_both_frames_and_nothing_beside_them) {
  EXPECT_EQ(error_of(joint_with(R"("type": "hinge", "frame_a": {})")),
            "scene.json: joints[0]: \"frame_b\" is missing: frames are given together, \"frame_a\" "
            "in body a and \"frame_b\" in body b");
  EXPECT_THAT(error_of(joint_with(R"("type": "hinge", "frame_b": {}, "point": [0, 0, 0],
                                     "axis": [0, 0, 1])")),
              HasSubstr("joints[0]: \"frame_a\" is missing: frames are given together"));
  EXPECT_THAT(
      error_of(joint_with(R"("type": "hinge", "frame_a": {}, "frame_b": {}, "point": [0, 0, 0])")),
      AllOf(HasSubstr("joints[0].point: "), HasSubstr("leave \"point\" out")));
  EXPECT_THAT(error_of(joint_with(R"("type": "ball", "frame_a": {"orientation": [1, 1, 0, 0]},
                                     "frame_b": {})")),
              AllOf(HasSubstr("joints[0].frame_a.orientation: "), HasSubstr("it must be 1")));
  EXPECT_THAT(error_of(joint_with(R"("type": "ball", "frame_a": {"point": [0, 0, 0]},
                                     "frame_b": {})")),
              HasSubstr("joints[0].frame_a: unknown key \"point\""));
  EXPECT_THAT(error_of(joint_with(R"("type": "rolling_disc", "frame_a": {})")),
              HasSubstr("a joint of type \"rolling_disc\" has no \"frame_a\""));
}

TEST(BadJoints, have_no_key_of_another_kind) {
  for (const char* text :
       {R"("type": "hinge", "pitch": 1)", R"("type": "rope", "contacts": true)",
        R"("type": "actuator", "length": 1)", R"("type": "actuator", "compliance": 1)",
        R"("type": "spring", "compliance": 1)", R"("type": "bushing", "damping_time": 1)",
        R"("type": "rope", "stiffness": 1)", R"("type": "spring", "angular_stiffness": [1, 1, 1])",
        R"("type": "ball", "radius": 1)", R"("type": "rolling_disc", "angular_compliance": 1)"})
    EXPECT_THAT(error_of(joint_with(text)), HasSubstr("\" has no \"")) << text;
}

TEST(BadJoints, have_numbers_that_make_sense) {
  const struct {
    const char *text, *place, *what;
  } mistakes[] = {
      {R"("type": "spring")", "joints[0]: ", "neither stiffness nor damping"},
      {R"("type": "spring", "stiffness": -1)", "joints[0].stiffness: ", "must be ≥ 0"},
      {R"("type": "spring", "stiffness": [1, 1, 1])", "joints[0].stiffness: ", "a number"},
      {R"("type": "bushing", "point": [0, 0, 0], "stiffness": 1)",
       "joints[0].stiffness: ", "three numbers"},
      {R"("type": "bushing", "point": [0, 0, 0], "damping": [0, -1, 0])",
       "joints[0].damping: ", "must be ≥ 0"},
      {R"("type": "rope", "length": 0)", "joints[0].length: ", "must be > 0"},
      {R"("type": "rolling_disc", "point": [0, 0, 0], "axis": [0, 1, 0], "radius": 0)",
       "joints[0].radius: ", "must be > 0"},
      {R"("type": "rolling_disc", "point": [0, 0, 0], "axis": [0, 0, 1], "radius": 1)",
       "joints[0]: ", "lies flat"},
      {R"("type": "rolling_disc", "point": [0, 0, 0], "axis": [0, 1, 0], "radius": 1,
          "normal": [0, 0, 0])",
       "joints[0].normal: ", "zero length"},
      {R"("type": "rolling_disc", "point": [0, 0, 0], "axis": [0, 1, 0], "radius": 1, "slip": -1)",
       "joints[0].slip: ", "must be ≥ 0"},
      {R"("type": "screw", "point": [0, 0, 0], "axis": [0, 1, 0], "pitch": 0)",
       "joints[0].pitch: ", "use a hinge"},
      {R"("type": "universal", "point": [0, 0, 0], "axis": [0, 1, 0], "axis_b": [0, 1, 1])",
       "joints[0].axis: ", "perpendicular"},
      {R"("type": "hinge", "frame_a": {"position": [1e31, 0, 0]}, "frame_b": {})",
       "joints[0]: ", "below 1e+30"},
  };
  for (const auto& mistake : mistakes)
    EXPECT_THAT(error_of(joint_with(mistake.text)),
                AllOf(HasSubstr(mistake.place), HasSubstr(mistake.what)));
}

}  // namespace
}  // namespace ligament
