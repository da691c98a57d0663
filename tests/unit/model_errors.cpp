// SPDX-License-Identifier: Apache-2.0
// What ModelBuilder refuses: every error names its culprit and says what would be right.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "ligament/model/model_builder.h"

namespace ligament {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Mistake {
  const char* what;
  std::function<void(ModelBuilder&)> make;
  const char* element;
  std::size_t index;
  std::vector<const char*> words;  // that the message must contain
};

BodySpec rigid(const char* name, const Vec3& moments = {1, 1, 1}) {
  return {.name = name, .mass = {.mass = 1.0, .inertia = moments.asDiagonal()}};
}

void expect_error(const Mistake& mistake) {
  SCOPED_TRACE(mistake.what);
  ModelBuilder b;
  mistake.make(b);
  try {
    std::move(b).build();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.element(), mistake.element) << error.what();
    EXPECT_EQ(error.index(), mistake.index) << error.what();
    for (const char* word : mistake.words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos)
          << "\"" << word << "\" is not in: " << error.what();
  }
}

// A body with one thing wrong, after a good one: index 1.
Mistake bad_body(const char* what, BodySpec spec, std::vector<const char*> words) {
  spec.name = "brick";
  words.push_back("body \"brick\"");
  return {what,
          [spec](ModelBuilder& b) {
            b.add_body(rigid("good"));
            b.add_body(spec);
          },
          "body", 1, std::move(words)};
}

TEST(ModelErrors, of_bodies_name_the_body) {
  BodySpec skewed = rigid("");
  skewed.mass.inertia(0, 1) = 0.5;
  BodySpec off = rigid("");
  off.orientation = Quat(2, 0, 0, 0);
  BodySpec torque = {.kind = BodyKind::particle, .torque = {1, 0, 0}};
  BodySpec rod_torque = {.kind = BodyKind::rod, .torque = {1, 0, 0}};
  BodySpec light = rigid(""), weightless = rigid(""), heavy = rigid("");
  weightless.mass.mass = 0.0;
  light.mass.mass = -1.0;
  heavy.mass.mass = 1e308;
  BodySpec nowhere = rigid(""), far = rigid(""), fast = rigid(""), pushed = rigid("");
  nowhere.position.x() = nan;
  far.position.y() = 1e200;
  fast.angular_velocity.z() = infinity;
  pushed.force.x() = nan;
  BodySpec soft = {.kind = BodyKind::rod, .relaxation = {.compliance = -1.0}};
  BodySpec short_rod = {.kind = BodyKind::rod, .length = 0.0};
  const std::vector<Mistake> mistakes{
      bad_body("no mass", weightless, {"mass", "> 0"}),
      bad_body("negative mass", light, {"mass", "-1"}),
      bad_body("mass that overflows", heavy, {"mass", "1e+308"}),
      bad_body("zero moment", rigid("", {1, 1, 0}), {"inertia", "positive definite"}),
      bad_body("negative moment", rigid("", {1, -1, 1}), {"inertia", "positive definite"}),
      bad_body("impossible moments", rigid("", {1, 1, 3}), {"triangle inequality"}),
      bad_body("inertia not symmetric", skewed, {"inertia", "symmetric"}),
      bad_body("inertia not a number", rigid("", {nan, 1, 1}), {"inertia", "nan"}),
      bad_body("position not a number", nowhere, {"position", "nan"}),
      bad_body("position too far", far, {"position", "1e+200"}),
      bad_body("infinite spin", fast, {"angular velocity", "inf"}),
      bad_body("force not a number", pushed, {"force", "nan"}),
      bad_body("quaternion of length 2", off, {"orientation", "2"}),
      bad_body("torque on a particle", torque, {"torque", "particle"}),
      bad_body("torque on a rod", rod_torque, {"torque", "rod"}),
      bad_body("rod without length", short_rod, {"length", "> 0"}),
      bad_body("negative compliance", soft, {"compliance", "-1"}),
  };
  for (const Mistake& mistake : mistakes) expect_error(mistake);
}

Mistake bad_joint(const char* what, const JointSpec& joint, std::vector<const char*> words) {
  words.push_back("joint \"elbow\"");
  return {what,
          [joint](ModelBuilder& b) {
            b.add_body(rigid("first"));         // 1
            BodySpec second = rigid("second");  // 2
            second.position = {1, 0, 0};
            b.add_body(second);
            b.add_body({.name = "wall", .kind = BodyKind::fixed});     // 3
            b.add_body({.name = "bead", .kind = BodyKind::particle});  // 4
            b.add_body({.name = "stick", .kind = BodyKind::rod});      // 5
            b.add_joint(Ball{.a = {1}, .b = {2}});
            b.add_joint(joint);
          },
          "joint", 1, std::move(words)};
}

TEST(ModelErrors, of_joints_name_the_joint) {
  const std::string n = "elbow";
  const std::vector<Mistake> mistakes{
      bad_joint("body missing", Ball{.name = n, .a = {1}, .b = {77}}, {"77"}),
      bad_joint("body to itself", Ball{.name = n, .a = {1}, .b = {1}}, {"itself", "\"first\""}),
      bad_joint("world to itself", Ball{.name = n}, {"itself", "\"world\""}),
      bad_joint("two fixed bodies", Ball{.name = n, .b = {3}}, {"fixed", "\"wall\""}),
      bad_joint("no axis", Hinge{.name = n, .b = {1}, .axis = Vec3::Zero()}, {"axis", "zero"}),
      bad_joint("axis not a number", Hinge{.name = n, .b = {1}, .axis = {nan, 0, 1}},
                {"axis", "nan"}),
      bad_joint("point not a number", Ball{.name = n, .b = {1}, .point = {0, nan, 0}},
                {"point", "nan"}),
      bad_joint("hinge on a particle", Hinge{.name = n, .b = {4}}, {"\"bead\"", "particle"}),
      bad_joint("weld on a rod", Fixed{.name = n, .b = {5}}, {"\"stick\"", "rod"}),
      bad_joint("ball off a particle", Ball{.name = n, .b = {4}, .point = {0, 0, 0.5}},
                {"0.5 m", "\"bead\""}),
      bad_joint("ball off a rod", Ball{.name = n, .b = {5}, .point = {0.2, 0.25, 0}},
                {"0.25 m", "\"stick\""}),
      bad_joint("distance zero", Distance{.name = n, .b = {1}}, {"coincide"}),
      bad_joint("length zero", Distance{.name = n, .b = {2}, .length = 0.0}, {"length", "> 0"}),
      bad_joint("length negative", Distance{.name = n, .b = {2}, .length = -1.0}, {"length"}),
      bad_joint("negative compliance",
                Ball{.name = n, .b = {1}, .relaxation = {.compliance = -1e-9}},
                {"compliance", "-1e-09"}),
      bad_joint("negative angular compliance",
                Hinge{.name = n, .b = {1}, .relaxation = {.angular_compliance = -1e-9}},
                {"angular compliance"}),
      bad_joint("damping not a number",
                Ball{.name = n, .b = {1}, .relaxation = {.damping_time = nan}},
                {"damping time", "nan"}),
  };
  for (const Mistake& mistake : mistakes) expect_error(mistake);
}

Mistake bad_control(const char* what, ControlSpec control, std::vector<const char*> words) {
  std::visit([](auto& spec) { spec.name = "motor"; }, control);
  words.push_back("control \"motor\"");
  return {what,
          [control](ModelBuilder& b) {
            b.add_body(rigid("wheel"));
            b.add_joint(Hinge{.name = "axle", .b = {1}});
            b.add_joint(Ball{.name = "socket", .b = {1}});
            b.add_control(control);
          },
          "control", 0, std::move(words)};
}

TEST(ModelErrors, of_controls_name_the_control) {
  const std::vector<Mistake> mistakes{
      bad_control("joint missing", Motor{.on = JointId{9}}, {"9"}),
      bad_control("no coordinate", Motor{.on = JointId{1}}, {"\"socket\"", "ball"}),
      bad_control("coordinate missing", Motor{.on = {JointId{0}, 1}}, {"coordinate 1", "hinge"}),
      bad_control("acts on nothing", Motor{}, {"nothing"}),
      bad_control("factor 0", Lock{.on = {{{JointId{0}, 0, 0.0}}}}, {"factor", "0"}),
      bad_control("speed not a number", Motor{.on = JointId{0}, .speed = nan}, {"speed", "nan"}),
      bad_control("negative drag", Motor{.on = JointId{0}, .inverse_drag = -1.0},
                  {"inverse drag", "-1"}),
      bad_control("negative force", Motor{.on = JointId{0}, .max_force = -1.0},
                  {"max force", "-1"}),
      bad_control("target not a number",
                  Servo{.on = JointId{0}, .target = [](double) { return nan; }}, {"target", "nan"}),
      bad_control("no stiffness", Servo{.on = JointId{0}, .stiffness = 0.0}, {"stiffness", "> 0"}),
      bad_control("no bound", Limit{.on = JointId{0}}, {"bound", "lower"}),
      bad_control("bounds crossed", Limit{.on = JointId{0}, .lower = 1.0, .upper = 0.5},
                  {"lower", "1", "0.5"}),
      bad_control("restitution above 1", Limit{.on = JointId{0}, .lower = 1.0, .restitution = 1.5},
                  {"restitution", "1.5"}),
      bad_control("negative friction", Friction{.on = JointId{0}, .max_force = -2.0},
                  {"max force", "-2"}),
      bad_control("negative compliance", Lock{.on = JointId{0}, .compliance = -2.0},
                  {"compliance", "-2"}),
  };
  for (const Mistake& mistake : mistakes) expect_error(mistake);
}

TEST(ModelErrors, of_names_say_that_they_are_taken) {
  expect_error({"two bodies",
                [](ModelBuilder& b) {
                  b.add_body(rigid("twin"));
                  b.add_body(rigid("twin"));
                },
                "body",
                1,
                {"body \"twin\"", "taken"}});
  expect_error({"the world",
                [](ModelBuilder& b) { b.add_body(rigid("world")); },
                "body",
                0,
                {"body \"world\"", "taken"}});
  expect_error({"two joints",
                [](ModelBuilder& b) {
                  b.add_body(rigid("x"));
                  b.add_joint(Ball{.name = "twin", .b = {1}});
                  b.add_joint(Hinge{.name = "twin", .b = {1}});
                },
                "joint",
                1,
                {"joint \"twin\"", "taken"}});
  expect_error({"a name that the builder gives",
                [](ModelBuilder& b) {
                  b.add_body(rigid("body 2"));
                  b.add_body(rigid(""));
                },
                "body",
                1,
                {"body \"body 2\"", "taken"}});
}

TEST(ModelErrors, of_gravity_name_the_model) {
  ModelBuilder b{{.gravity = {0, 0, nan}}};
  EXPECT_THROW(std::move(b).build(), ModelError);
}

TEST(ModelBuilder, gives_names_to_the_nameless_and_finds_them) {
  ModelBuilder b;
  b.add_body({});
  b.add_body({.name = "arm", .position = {1, 0, 0}});
  b.add_joint(Ball{.a = {1}, .b = {2}});
  const Model model = std::move(b).build();
  EXPECT_EQ(model.name(BodyId{0}), "world");
  EXPECT_EQ(model.name(BodyId{1}), "body 1");
  EXPECT_EQ(model.find_body("arm"), BodyId{2});
  EXPECT_EQ(model.find_joint("joint 1"), JointId{0});
  EXPECT_FALSE(model.find_body("leg").has_value());
}

// A body of the smallest and of the largest allowed sizes is a body.
TEST(ModelBuilder, takes_every_number_within_its_limits) {
  ModelBuilder b;
  BodySpec tiny = rigid("tiny", Vec3::Constant(1e-29)), huge = rigid("huge", Vec3::Constant(1e29));
  tiny.mass.mass = 1e-29;
  huge.mass.mass = 1e29;
  b.add_body(tiny);
  b.add_body(huge);
  EXPECT_NO_THROW(std::move(b).build());
}

// A shape with one thing wrong on the body "brick", after a good one: index 1.
Mistake bad_shape(const char* what, ShapeSpec spec, std::vector<const char*> words) {
  spec.name = "lid";
  words.push_back("body \"brick\", shape \"lid\": ");
  return {what,
          [spec](ModelBuilder& b) {
            ShapeSpec bad = spec;
            bad.body = b.add_body(rigid("brick"));
            b.add_shape({.body = bad.body});
            b.add_shape(bad);
          },
          "shape", 1, std::move(words)};
}

TEST(ModelErrors, of_shapes_name_the_body_and_the_shape) {
  const Mistake mistakes[] = {
      bad_shape("radius 0", {.geometry = SphereShape{0.0}}, {"radius is 0", "> 0"}),
      bad_shape("radius nan", {.geometry = SphereShape{nan}}, {"radius is nan"}),
      bad_shape("half < 0", {.geometry = BoxShape{Vec3(1, -1, 1)}}, {"half is -1"}),
      bad_shape("length 0", {.geometry = CapsuleShape{1.0, 0.0}}, {"half length is 0"}),
      bad_shape("no hull", {.geometry = ConvexShape{}}, {"make_hull()"}),
      bad_shape("position", {.pose = {Vec3(0, nan, 0)}}, {"position is nan"}),
      bad_shape("orientation", {.pose = {Vec3::Zero(), Quat(0, 0, 0, 0)}}, {"length 0"}),
      bad_shape("material", {.material = MaterialId{7}}, {"no material with id 7"}),
      bad_shape("plane", {.geometry = PlaneShape{}}, {"the body moves, and a plane"}),
  };
  for (const Mistake& mistake : mistakes) expect_error(mistake);
}

}  // namespace
}  // namespace ligament
