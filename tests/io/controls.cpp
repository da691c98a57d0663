// SPDX-License-Identifier: Apache-2.0
// Controls and loads of a scene become those that ModelBuilder makes of their structs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "io/same_model.h"
#include "io/scene_files.h"

namespace ligament {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A body "b" on joints of several kinds, all at the origin; the pose is one that all of them allow.
constexpr const char* body =
    R"({"name": "b", "mass": 1, "inertia": [1, 1, 1]},
       {"name": "p", "kind": "particle", "mass": 1, "position": [0, 0, 2]})";
constexpr const char* joints =
    R"({"name": "elbow", "type": "hinge", "b": "b", "point": [0, 0, 0], "axis": [0, 0, 1]},
       {"name": "sled", "type": "prismatic", "b": "b", "point": [0, 0, 0], "axis": [0, 0, 1]},
       {"name": "tube", "type": "cylindrical", "b": "b", "point": [0, 0, 0], "axis": [0, 0, 1]},
       {"name": "table", "type": "planar", "b": "b", "point": [0, 0, 0], "axis": [0, 0, 1]},
       {"name": "wire", "type": "actuator", "a": "b", "b": "p"},
       {"name": "ball", "type": "ball", "b": "b", "point": [0, 0, 0]})";
constexpr BodyId b{1}, p{2};
constexpr JointId elbow{0}, sled{1}, tube{2}, table{3}, wire{4};

ModelBuilder make_builder() {
  ModelBuilder builder;
  builder.add_body({.name = "b", .mass = {1.0, Mat3::Identity()}});
  builder.add_body(
      {.name = "p", .kind = BodyKind::particle, .mass = {.mass = 1.0}, .position = {0, 0, 2}});
  builder.add_joint(Hinge{.name = "elbow", .b = b});
  builder.add_joint(Prismatic{.name = "sled", .b = b});
  builder.add_joint(Cylindrical{.name = "tube", .b = b});
  builder.add_joint(Planar{.name = "table", .b = b});
  builder.add_joint(Actuator{.name = "wire", .a = b, .b = p});
  builder.add_joint(Ball{.name = "ball", .b = b});
  return builder;
}

struct ControlCase {
  const char* text;
  ControlSpec spec;
};

Lock with(Lock lock, double compliance, double damping_time) {
  lock.compliance = compliance;
  lock.damping_time = damping_time;
  return lock;
}

const ControlCase cases[] = {
    {R"("type": "motor", "joint": "elbow", "speed": "2*pi")",
     Motor{.name = "c", .on = elbow, .speed = 2 * std::numbers::pi}},
    {R"("type": "motor", "joint": "tube", "coordinate": "slide", "speed": "cos(3*t)*0.1",
        "max_force": 50, "inverse_drag": 1e-3)",
     Motor{.name = "c",
           .on = {tube, 1},
           .speed = [](double t) { return std::cos(3 * t) * 0.1; },
           .max_force = 50,
           .inverse_drag = 1e-3}},
    {R"("type": "servo", "joint": "wire", "target": {"times": [0, 1], "values": [2, "5/2"]})",
     Servo{.name = "c", .on = wire, .target = make_table({0, 1}, {2, 2.5})}},
    {R"("type": "servo", "joint": "wire", "coordinate": "length", "target": 2, "stiffness": 100,
        "damping": 3, "max_force": 4)",
     Servo{
         .name = "c", .on = wire, .target = 2.0, .stiffness = 100, .damping = 3.0, .max_force = 4}},
    {R"("type": "motion", "joint": "table", "coordinate": "angle", "target": "t^2",
        "compliance": 1e-4, "damping_time": 0.2)",
     Motion{.name = "c",
            .on = {table, 2},
            .target = [](double t) { return t * t; },
            .compliance = 1e-4,
            .damping_time = 0.2}},
    {R"("type": "limit", "joint": "sled", "upper": 0.5)",
     Limit{.name = "c", .on = sled, .upper = 0.5}},
    {R"("type": "limit", "joint": "sled", "lower": -0.5, "upper": 0.5, "compliance": 1e-4,
        "damping_time": 0.2, "restitution": 0.7)",
     Limit{.name = "c",
           .on = sled,
           .lower = -0.5,
           .upper = 0.5,
           .compliance = 1e-4,
           .damping_time = 0.2,
           .restitution = 0.7}},
    {R"("type": "friction", "joint": "elbow", "max_force": 2, "inverse_drag": 1e-5)",
     Friction{.name = "c", .on = elbow, .max_force = 2, .inverse_drag = 1e-5}},
    {R"("type": "lock", "joint": "wire")", Lock{.name = "c", .on = wire}},
    {R"("type": "lock", "joint": "wire", "value": 3, "compliance": 1e-4, "damping_time": 0)",
     with({.name = "c", .on = wire, .value = 3.0}, 1e-4, 0.0)},
    {R"("type": "lock", "terms": [{"joint": "elbow"},
        {"joint": "table", "coordinate": "slide_y", "factor": "-1/2"}])",
     Lock{.name = "c", .on = {{{elbow, 0, 1.0}, {table, 1, -0.5}}}}},
    {R"("type": "gear", "driving": "elbow", "driven": "tube", "ratio": -3)",
     make_gear("c", elbow, tube, -3)},
    {R"("type": "gear", "driving": "elbow", "driven": "tube", "ratio": 2, "compliance": 1e-4,
        "damping_time": 0.1)",
     with(make_gear("c", elbow, tube, 2), 1e-4, 0.1)},
    {R"("type": "rack_and_pinion", "pinion": "elbow", "rack": "sled", "radius": 0.05,
        "compliance": 1e-4, "damping_time": 0.1)",
     with(make_rack_and_pinion("c", elbow, sled, 0.05), 1e-4, 0.1)},
};

std::string control_with(const std::string& members) {
  return scene_with(body, joints, R"({"name": "c", )" + members + "}");
}

TEST(SceneControls, are_those_of_their_structs) {
  for (const ControlCase& c : cases) {
    SCOPED_TRACE(c.text);
    ModelBuilder builder = make_builder();
    builder.add_control(c.spec);
    expect_same(read_text_as_scene(control_with(c.text)).model, std::move(builder).build());
  }
}

TEST(SceneControls, and_their_terms_may_be_repeated) {
  const Scene scene =
      read_text_as_scene(scene_with(R"({"repeat": {"index": "i", "count": 3}, "items": [
                      {"name": "b{i}", "mass": 1, "inertia": [1, 1, 1]}]})",
                                    R"({"repeat": {"index": "i", "count": 3}, "items": [
                      {"name": "j{i}", "type": "hinge", "b": "b{i}", "point": [0, 0, 0],
                       "axis": [0, 0, 1]}]})",
                                    R"({"repeat": {"index": "i", "count": 3}, "items": [
                      {"name": "c{i}", "type": "servo", "joint": "j{i}", "target": "i*t + i"}]},
                    {"name": "sum", "type": "lock", "terms": [
                      {"repeat": {"index": "k", "count": 3}, "items": [
                        {"when": "k != 1", "joint": "j{k}", "factor": "k + 1"}]}]})"));
  const Model& model = scene.model;
  ASSERT_EQ(model.controls().size(), 4U);
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(model.terms()[i].joint, JointId{i});
    EXPECT_EQ(model.controls()[i].target(2.0), 3.0 * i) << "each has its own value of the index";
  }
  const auto terms = model.terms_of(model.controls()[3]);
  ASSERT_EQ(terms.size(), 2U);
  EXPECT_EQ(terms[1].joint, JointId{2});
  EXPECT_EQ(terms[1].factor, 3.0);
}

TEST(SceneLoads, are_those_of_their_structs) {
  const Scene scene = read_text_as_scene(
      scene_with(body, joints, "",
                 R"({"name": "push", "body": "b", "axes": "body", "point": [0, 0, 1],
          "force": [1, "sin(t)*1", {"times": [0, 2], "values": [0, 4]}], "torque": [0, 0, "t/2"]},
         {"body": "p", "axes": "world", "force": [0, 0, 9.81]})"));
  ModelBuilder builder = make_builder();
  Load push{.name = "push", .body = b, .in_body_axes = true, .point = Vec3(0, 0, 1)};
  push.force[0] = 1.0;
  push.force[1] = [](double t) { return std::sin(t); };
  push.force[2] = make_table({0, 2}, {0, 4});
  push.torque[2] = [](double t) { return t / 2; };
  builder.add_load(push);
  Load lift{.body = p};
  lift.force[2] = 9.81;
  builder.add_load(lift);
  expect_same(scene.model, std::move(builder).build());
}

TEST(SceneMotions, move_fixed_bodies_away_from_their_pose) {
  const Scene scene = read_text_as_scene(scene_with(
      R"({"name": "slide", "kind": "fixed", "position": [1, 2, 3],
          "motion": {"position": ["t", 0, {"times": [0, 10], "values": [0, 1]}]}},
         {"name": "turn", "kind": "fixed", "orientation": {"axis": [1, 0, 0], "angle": "pi/2"},
          "motion": {"axis": [0, 0, 5], "angle": "2*t"}},
         {"name": "both", "kind": "fixed", "position": [0, 0, 1],
          "motion": {"position": [0, "-t", 0], "axis": [0, 1, 0], "angle": "t^2"}})"));
  ModelBuilder builder;
  const auto turn = [](double angle, const Vec3& axis) {
    return Quat(Eigen::AngleAxisd(angle, axis));
  };
  const auto fixed = [](PoseFunction motion) {
    return BodySpec{.kind = BodyKind::fixed, .motion = std::move(motion)};
  };
  builder.add_body(fixed([](double t) { return Frame{.p = {1 + t, 2, 3 + t / 10}}; }));
  builder.add_body(fixed([=](double t) {
    return Frame{.R = turn(2 * t, Vec3::UnitZ()) * turn(std::numbers::pi / 2, Vec3::UnitX())};
  }));
  builder.add_body(fixed([=](double t) {
    return Frame{.p = {0, -t, 1}, .R = turn(t * t, Vec3::UnitY())};
  }));
  const Model expected = std::move(builder).build();
  ASSERT_EQ(scene.model.motions().size(), 3U);
  expect_same(scene.model, expected);
}

TEST(BadControls, name_the_coordinates_that_a_joint_has) {
  EXPECT_EQ(error_of(control_with(
                R"("type": "motor", "joint": "tube", "coordinate": "slid", "speed": 1)")),
            "scene.json: controls[0].coordinate: unknown coordinate \"slid\": a joint of type "
            "\"cylindrical\" has angle, slide; did you mean \"slide\"?");
  EXPECT_EQ(error_of(control_with(
                R"("type": "motor", "joint": "elbow", "coordinate": "slide", "speed": 1)")),
            "scene.json: controls[0].coordinate: unknown coordinate \"slide\": a joint of type "
            "\"hinge\" has angle");
  EXPECT_THAT(error_of(control_with(R"("type": "lock", "terms": [{"joint": "table",
                                       "coordinate": "slide_z"}])")),
              AllOf(HasSubstr("controls[0].terms[0].coordinate: "),
                    HasSubstr("slide_x, slide_y, angle; did you mean \"slide_x\"?")));
  EXPECT_THAT(error_of(control_with(R"("type": "motor", "joint": "ball", "speed": 1)")),
              AllOf(HasSubstr("controls[0].joint: "), HasSubstr("\"ball\" is a joint of type"),
                    HasSubstr("no coordinate")));
}

TEST(BadControls, act_on_something) {
  EXPECT_THAT(error_of(control_with(R"("type": "motor", "joint": "elbwo", "speed": 1)")),
              HasSubstr(R"(controls[0].joint: there is no joint "elbwo": did you mean "elbow"?)"));
  EXPECT_THAT(error_of(control_with(R"("type": "motor", "speed": 1)")),
              HasSubstr("controls[0]: must have either \"joint\""));
  EXPECT_THAT(error_of(control_with(R"("type": "lock", "joint": "elbow", "terms": [])")),
              HasSubstr("controls[0]: must have either \"joint\""));
  EXPECT_THAT(error_of(control_with(R"("type": "lock", "terms": [])")),
              HasSubstr("controls[0].terms: is empty"));
  EXPECT_THAT(error_of(control_with(R"("type": "lock", "coordinate": "angle",
                                       "terms": [{"joint": "elbow"}])")),
              HasSubstr("controls[0].coordinate: belongs to \"joint\""));
  EXPECT_THAT(error_of(control_with(R"("type": "lock",
                                       "terms": [{"joint": "elbow", "factor": 0}])")),
              HasSubstr("controls[0].terms[0].factor: is 0"));
  EXPECT_THAT(error_of(control_with(R"("type": "lock", "terms": [{"joint": "elbow", "f": 2}])")),
              HasSubstr("controls[0].terms[0]: unknown key \"f\""));
}

TEST(BadControls, gears_have_joints_that_fit) {
  EXPECT_THAT(
      error_of(control_with(R"("type": "gear", "driving": "elbow", "driven": "sled", "ratio": 1)")),
      AllOf(HasSubstr("controls[0].driven: a gear needs joints that turn"),
            HasSubstr("\"prismatic\""), HasSubstr("terms")));
  EXPECT_THAT(error_of(control_with(
                  R"("type": "rack_and_pinion", "pinion": "elbow", "rack": "tube", "radius": 1)")),
              HasSubstr("controls[0].rack: a rack slides"));
  EXPECT_THAT(
      error_of(control_with(R"("type": "gear", "driving": "elbow", "driven": "tube", "ratio": 0)")),
      HasSubstr("controls[0].ratio: must not be 0"));
  EXPECT_THAT(error_of(control_with(
                  R"("type": "gear", "driving": "elbow", "driven": "tube", "joint": "elbow")")),
              HasSubstr("a control of type \"gear\" has no \"joint\""));
}

TEST(BadControls, have_numbers_that_make_sense) {
  const struct {
    const char *text, *place, *what;
  } mistakes[] = {
      {R"("type": "moter", "joint": "elbow")", "controls[0].type: ", "did you mean \"motor\"?"},
      {R"("type": "motor", "joint": "elbow")", "controls[0]: ", "\"speed\" is missing"},
      {R"("type": "servo", "joint": "elbow")", "controls[0]: ", "\"target\" is missing"},
      {R"("type": "motion", "joint": "elbow")", "controls[0]: ", "\"target\" is missing"},
      {R"("type": "friction", "joint": "elbow")", "controls[0]: ", "\"max_force\" is missing"},
      {R"("type": "limit", "joint": "elbow")", "controls[0]: ", "has no bound"},
      {R"("type": "limit", "joint": "elbow", "lower": 1, "upper": 1)",
       "controls[0].lower: ", "below upper"},
      {R"("type": "limit", "joint": "elbow", "lower": 1, "restitution": 2)",
       "controls[0].restitution: ", "between 0 and 1"},
      {R"("type": "motor", "joint": "elbow", "speed": 1, "max_force": -1)",
       "controls[0].max_force: ", "must be ≥ 0"},
      {R"("type": "motor", "joint": "elbow", "speed": 1e31)", "controls[0].speed: ", "below 1e+30"},
      {R"("type": "motor", "joint": "elbow", "speed": 1, "inverse_drag": -1)",
       "controls[0].inverse_drag: ", "must be ≥ 0"},
      {R"("type": "servo", "joint": "elbow", "target": 0, "stiffness": 0)",
       "controls[0].stiffness: ", "must be > 0"},
      {R"("type": "servo", "joint": "elbow", "target": 0, "damping": -1)",
       "controls[0].damping: ", "must be ≥ 0"},
      {R"("type": "lock", "joint": "elbow", "damping_time": -1)",
       "controls[0].damping_time: ", "must be ≥ 0"},
      {R"("type": "motor", "joint": "elbow", "speed": 1, "value": 1)",
       "controls[0].value: ", "a control of type \"motor\" has no \"value\""},
  };
  for (const auto& mistake : mistakes)
    EXPECT_THAT(error_of(control_with(mistake.text)),
                AllOf(HasSubstr(mistake.place), HasSubstr(mistake.what)));
  EXPECT_THAT(error_of(scene_with(body, joints,
                                  R"({"name": "c", "type": "lock", "joint": "elbow"},
                                     {"name": "c", "type": "lock", "joint": "sled"})")),
              HasSubstr("controls[1].name: control \"c\": the name is taken"));
}

TEST(BadLoads, name_their_culprit) {
  const struct {
    const char *text, *place, *what;
  } mistakes[] = {
      {R"("force": [1, 0, 0])", "loads[0]: ", "\"body\" is missing"},
      {R"("body": "b")", "loads[0]: ", "must have \"force\", \"torque\" or both"},
      {R"("body": "c", "force": [1, 0, 0])", "loads[0].body: ", "there is no body \"c\""},
      {R"("body": "world", "force": [1, 0, 0])", "loads[0].body: ", "which is fixed"},
      {R"("body": "b", "axes": "wolrd", "force": [1, 0, 0])",
       "loads[0].axes: ", "did you mean \"world\"?"},
      {R"("body": "b", "force": [1, 0])", "loads[0].force: ", "three numbers or functions"},
      {R"("body": "b", "force": [1, 0, true])", "loads[0].force[2]: ", "must be a number, an "},
      {R"("body": "b", "force": [1, 0, "1/t"])", "loads[0].force[2]: ", "no finite value at t = 0"},
      {R"("body": "p", "torque": [1, 0, 0])", "loads[0].torque: ", "use a rigid body"},
      {R"("body": "p", "point": [1, 0, 0], "force": [1, 0, 0])", "loads[0].point: ", "is off"},
      {R"("body": "b", "frce": [1, 0, 0])", "loads[0]: ", "did you mean \"force\"?"},
  };
  for (const auto& mistake : mistakes)
    EXPECT_THAT(error_of(scene_with(body, joints, "", "{" + std::string(mistake.text) + "}")),
                AllOf(HasSubstr(mistake.place), HasSubstr(mistake.what)));
}

TEST(BadMotions, name_their_culprit) {
  const struct {
    const char *text, *place, *what;
  } mistakes[] = {
      {R"("motion": {})", "bodies[0].motion: ", "must have \"position\""},
      {R"("motion": {"axis": [0, 0, 1]})", "bodies[0].motion: ", "\"angle\" is missing"},
      {R"("motion": {"angle": "t"})", "bodies[0].motion: ", "\"axis\" is missing"},
      {R"("motion": {"angle": "t", "axis": [0, 0, 0]})", "bodies[0].motion.axis: ", "zero length"},
      {R"("motion": {"angle": "ln(t)*1", "axis": [0, 0, 1]})",
       "bodies[0].motion.angle: ", "no finite value at t = 0"},
      {R"("motion": {"position": "t"})", "bodies[0].motion.position: ", "three numbers or "},
      {R"("motion": {"position": [1e31, 0, 0]})", "bodies[0].motion: ", "below 1e+30"},
      {R"("motion": 3)", "bodies[0].motion: ", "must be an object"},
  };
  for (const auto& mistake : mistakes)
    EXPECT_THAT(error_of(scene_with(R"({"kind": "fixed", )" + std::string(mistake.text) + "}")),
                AllOf(HasSubstr(mistake.place), HasSubstr(mistake.what)));
  EXPECT_THAT(error_of(scene_with(R"({"kind": "particle", "mass": 1, "motion": {}})")),
              HasSubstr("a body of kind \"particle\" has no \"motion\""));
}

}  // namespace
}  // namespace ligament
