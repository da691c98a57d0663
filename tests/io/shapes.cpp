// SPDX-License-Identifier: Apache-2.0
// Shapes, materials and mass from shapes: what a scene says becomes what ModelBuilder makes of the
// structs, and what is wrong is refused with its place.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <numbers>

#include "io/scene_files.h"
#include "ligament/model/model_builder.h"

namespace ligament {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double pi = std::numbers::pi;

// A scene whose world has these shapes.
std::string world_with(const std::string& shapes, const std::string& materials = "") {
  return R"({"ligament": 1, "materials": [)" + materials + R"(], "shapes": [)" + shapes +
         R"(], "bodies": [], "run": {"steps": 1}})";
}

// A scene with a rigid body "b".
std::string rigid_with(const std::string& members) {
  return scene_with(R"({"name": "b", )" + members + "}");
}

template <class Geometry>
Geometry read_geometry(const std::string& shape) {
  const Scene scene = read_text_as_scene(world_with("{" + shape + "}"));
  return std::get<Geometry>(scene.model.shapes()[0].geometry);
}

const std::string cube_points = R"([[0,0,0], [1,0,0], [1,1,0], [0,1,0],
                                    [0,0,1], [1,0,1], [1,1,1], [0,1,1]])";
const std::string tetrahedron = R"("vertices": [[0,0,0], [1,0,0], [0,1,0], [0,0,1]],
  "triangles": [[0,2,1], [0,1,3], [0,3,2], [1,2,3]])";
const std::string tetrahedron_obj =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

TEST(SceneShapes, have_the_sizes_that_are_given) {
  EXPECT_EQ(read_geometry<SphereShape>(R"("type": "sphere", "radius": 0.3)").radius, 0.3);
  EXPECT_EQ(read_geometry<BoxShape>(R"("type": "box", "half": [1, "1 + 1", 3])").half,
            Vec3(1, 2, 3));
  const auto capsule =
      read_geometry<CapsuleShape>(R"("type": "capsule", "radius": 0.2, "half_length": 0.7)");
  EXPECT_EQ(capsule.radius, 0.2);
  EXPECT_EQ(capsule.half_length, 0.7);
  const auto cylinder =
      read_geometry<CylinderShape>(R"("type": "cylinder", "radius": 0.2, "half_length": 0.7)");
  EXPECT_EQ(cylinder.radius, 0.2);
  EXPECT_EQ(cylinder.half_length, 0.7);
  const auto convex = read_geometry<ConvexShape>(R"("type": "convex", "vertices": )" + cube_points);
  EXPECT_EQ(convex.hull->vertices.size(), 8U);
  EXPECT_EQ(convex.hull->faces.size(), 6U);
  read_geometry<HalfSpaceShape>(R"("type": "half_space")");
  EXPECT_EQ(read_geometry<CavityShape>(R"("type": "cavity", "radius": 2)").radius, 2.0);
  read_geometry<PlaneShape>(R"("type": "plane")");
  const auto terrain = read_geometry<HeightFieldShape>(
      R"("type": "height_field", "columns": 3, "rows": 2, "spacing": [0.5, 2],
         "heights": [0, 1, 2, 3, 4, "2 + 3"])");
  EXPECT_EQ(terrain.field->point(2, 1), Vec3(1, 2, 5));
  const auto mesh = read_geometry<MeshShape>(R"("type": "mesh", )" + tetrahedron);
  EXPECT_TRUE(mesh.mesh->closed);
  EXPECT_NEAR(mesh.mesh->volume, 1.0 / 6.0, 1e-15);
}

TEST(SceneShapes, have_pose_material_group_and_mask) {
  const Scene scene = read_text_as_scene(world_with(
      R"({"name": "s", "type": "sphere", "radius": 1, "position": [1, 2, 3],
          "orientation": {"axis": [0, 0, 1], "angle": "pi/2"}, "material": "ice", "group": 6,
          "mask": 4294967295},
         {"type": "plane", "normal": [2, 0, 0], "material": "default", "mask": 0})",
      R"({"name": "ice", "friction": 0.02})"));
  const Model& model = scene.model;
  ASSERT_EQ(model.shapes().size(), 2U);
  const Shape& sphere = model.shapes()[0];
  EXPECT_EQ(model.name(ShapeId{0}), "s");
  EXPECT_EQ(model.name(ShapeId{1}), "shape 2");
  EXPECT_EQ(sphere.body, world);
  EXPECT_EQ(sphere.pose.p, Vec3(1, 2, 3));
  EXPECT_NEAR((sphere.pose.R * Vec3::UnitX() - Vec3::UnitY()).norm(), 0.0, 1e-15);
  EXPECT_EQ(model.name(sphere.material), "ice");
  EXPECT_EQ(sphere.group, 6U);
  EXPECT_EQ(sphere.mask, 0xFFFFFFFFU);
  const Shape& plane = model.shapes()[1];
  EXPECT_NEAR((plane.pose.R * Vec3::UnitZ() - Vec3::UnitX()).norm(), 0.0, 1e-15);
  EXPECT_EQ(plane.material, MaterialId{});
  EXPECT_EQ(plane.group, 1U);
  EXPECT_EQ(plane.mask, 0U);
}

TEST(SceneShapes, are_repeated_and_left_out_on_their_bodies) {
  const Scene scene = read_text_as_scene(scene_with(R"(
    {"repeat": {"index": "i", "count": 2}, "items": [
      {"name": "b{i}", "mass": 1, "inertia": [1, 1, 1], "shapes": [
        {"repeat": {"index": "k", "count": 2}, "items": [
          {"name": "s{i}{k}", "type": "sphere", "radius": "1 + k", "when": "i + k < 2"}]}]}]},
    {"name": "p", "kind": "particle", "mass": 1, "shapes": [{"type": "sphere", "radius": 3}]})"));
  const Model& model = scene.model;
  std::vector<std::string> found;
  for (std::uint32_t i = 0; i < model.shapes().size(); ++i)
    found.push_back(model.name(model.shapes()[i].body) + "." + model.name(ShapeId{i}));
  EXPECT_THAT(found, ElementsAre("b0.s00", "b0.s01", "b1.s10", "p.shape 4"));
}

TEST(SceneShapes, come_from_files_that_are_read_once) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "meshes");
  write_file(folder / "meshes/rock.obj", tetrahedron_obj);
  write_file(folder / "scene.json", world_with(R"(
    {"repeat": {"index": "i", "count": 3}, "items": [
      {"type": "mesh", "file": "meshes/rock.obj", "position": ["i", 0, 0]},
      {"type": "convex", "file": "meshes/rock.obj", "scale": 2}]},
    {"type": "mesh", "file": "meshes/rock.obj", "scale": 0.5})"));
  const Scene scene = read_scene(folder / "scene.json");
  const auto mesh = [&](std::size_t i) {
    return std::get<MeshShape>(scene.model.shapes()[i].geometry).mesh;
  };
  const auto hull = [&](std::size_t i) {
    return std::get<ConvexShape>(scene.model.shapes()[i].geometry).hull;
  };
  EXPECT_EQ(mesh(0), mesh(2));
  EXPECT_EQ(hull(1), hull(5));
  EXPECT_NE(mesh(0), mesh(6));
  EXPECT_NEAR(mesh(6)->volume, 0.125 / 6.0, 1e-15);
  EXPECT_EQ(hull(1)->vertices[1], Vec3(2, 0, 0));
  EXPECT_THAT(scene.warnings, IsEmpty());
}

TEST(SceneShapes, warn_of_doubtful_meshes) {
  const Scene scene = read_text_as_scene(world_with(R"({"name": "roof", "type": "mesh",
    "vertices": [[0,0,0], [1,0,0], [0,1,0]], "triangles": [[0,1,2]]})"));
  EXPECT_THAT(scene.warnings,
              ElementsAre(HasSubstr("body \"world\", shape \"roof\": the mesh is open")));
}

TEST(SceneMaterials, follow_the_rule_or_their_pair) {
  const Scene scene = read_text_as_scene(R"({"ligament": 1, "bodies": [], "run": {"steps": 1},
    "materials": [
      {"name": "steel", "friction": 0.3, "restitution": 0.5, "compliance": 1e-9,
       "damping_time": 0.01, "rolling_friction": 1e-3, "spinning_friction": 2e-3},
      {"name": "m{2}", "friction": "0.1 + 0.1", "when": 1}, {"name": "none", "when": 0}],
    "material_pairs": [{"a": "m2", "b": "steel", "friction": 0.8}, {"a": "default", "b": "m2",
      "restitution": 0.1, "compliance": 1, "damping_time": 2, "rolling_friction": 3,
      "spinning_friction": 4}]})");
  const Model& model = scene.model;
  ASSERT_EQ(model.materials().size(), 3U);
  const MaterialId steel{1}, other{2};
  const Material& given = model.materials()[1];
  EXPECT_EQ(given.friction, 0.3);
  EXPECT_EQ(given.restitution, 0.5);
  EXPECT_EQ(given.compliance, 1e-9);
  EXPECT_EQ(given.damping_time, 0.01);
  EXPECT_EQ(given.rolling_friction, 1e-3);
  EXPECT_EQ(given.spinning_friction, 2e-3);
  EXPECT_EQ(model.between(steel, other).friction, 0.8);
  EXPECT_EQ(model.between(other, steel).compliance,
            combine(given, model.materials()[2]).compliance);
  const Material& pair = model.between(other, MaterialId{});
  EXPECT_EQ(pair.friction, combine(model.materials()[2], Material{}).friction);
  EXPECT_EQ(pair.restitution, 0.1);
  EXPECT_EQ(pair.damping_time, 2.0);
  EXPECT_EQ(pair.spinning_friction, 4.0);
}

TEST(SceneJointContacts, are_allowed_on_request) {
  const std::string bodies = R"({"name": "b", "mass": 1, "inertia": [1, 1, 1]})";
  const auto read = [&](const std::string& member) {
    return read_text_as_scene(
        scene_with(bodies, R"({"type": "ball", "b": "b", "point": [0, 0, 0])" + member + "}"));
  };
  EXPECT_TRUE(read("").model.is_jointed(world, BodyId{1}));
  EXPECT_FALSE(read(R"(, "contacts": true)").model.is_jointed(world, BodyId{1}));
  EXPECT_THAT(error_of(scene_with(bodies, R"({"type": "rope", "b": "b", "contacts": true})")),
              HasSubstr("joints[0].contacts: a joint of type \"rope\" has no \"contacts\""));
}

TEST(MassFromShapes, of_one_density_is_that_of_the_solid) {
  const Model model = read_text_as_scene(rigid_with(R"("density": 700, "position": [0, 0, 5],
      "shapes": [{"type": "box", "half": [0.1, 0.2, 0.3], "position": [1, 0, 0]}])"))
                          .model;
  const MassProperties box = solid_box({0.1, 0.2, 0.3}, 700);
  const Body& body = model.body(BodyId{1});
  EXPECT_DOUBLE_EQ(body.mass, box.mass);
  EXPECT_NEAR((body.moments - Vec3(box.inertia.diagonal())).norm(), 0.0,
              1e-14 * box.inertia.norm());
  EXPECT_EQ(body.centre, Vec3(1, 0, 0));
  EXPECT_EQ(compute_pose(model, model.initial_state(), BodyId{1}).p, Vec3(1, 0, 5));
  EXPECT_EQ(model.shapes()[0].pose.p, Vec3::Zero());
}

// Two balls of mass m and 3m at a distance d: the centre is at 3/4 d, and about an axis across the
// inertia is that of the balls and of the reduced mass, (3/4) m d².
TEST(MassFromShapes, of_several_adds_up) {
  const double m = 1000.0 * 4.0 / 3.0 * pi * 0.001, d = 2.0;
  const Model model = read_text_as_scene(rigid_with(R"("density": 1000, "shapes": [
      {"type": "sphere", "radius": 0.1},
      {"type": "sphere", "radius": 0.1, "position": [2, 0, 0], "density": 3000}])"))
                          .model;
  const Body& body = model.body(BodyId{1});
  EXPECT_NEAR(body.mass, 4.0 * m, 1e-13);
  EXPECT_NEAR((body.centre - Vec3(0.75 * d, 0, 0)).norm(), 0.0, 1e-14);
  const double own = 0.4 * 4.0 * m * 0.01;
  EXPECT_NEAR((body.moments - Vec3(own, own + 0.75 * m * d * d, own + 0.75 * m * d * d)).norm(),
              0.0, 1e-12);
}

TEST(MassFromShapes, is_scaled_to_the_mass) {
  const Model model = read_text_as_scene(rigid_with(R"("mass": 6, "shapes": [
      {"type": "convex", "vertices": )" + cube_points +
                                                    "}]"))
                          .model;
  const Body& body = model.body(BodyId{1});
  EXPECT_EQ(body.mass, 6.0);
  EXPECT_NEAR((body.moments - Vec3::Ones()).norm(), 0.0, 1e-13);  // m a²/6
  EXPECT_NEAR((body.centre - Vec3(0.5, 0.5, 0.5)).norm(), 0.0, 1e-14);
}

TEST(MassFromShapes, gives_way_to_inertia_and_solid) {
  const Model model = read_text_as_scene(rigid_with(R"("mass": 2, "inertia": [1, 1, 1],
      "centre": [0, 0, 0.5], "shapes": [{"type": "sphere", "radius": 9}])"))
                          .model;
  EXPECT_EQ(model.body(BodyId{1}).mass, 2.0);
  EXPECT_EQ(model.body(BodyId{1}).centre, Vec3(0, 0, 0.5));
  EXPECT_EQ(model.shapes()[0].pose.p, Vec3(0, 0, -0.5));
}

struct Mistake {
  std::string text;  // of a shape, a body or a scene
  const char* place;
  const char* what;
};

TEST(BadShapes, have_sizes_and_words_that_make_no_sense) {
  const std::string named = R"("name": "s", )";
  const Mistake mistakes[] = {
      {R"("type": "sphere", "radius": 0)", "].radius: ", "shape \"s\": must be > 0 (is 0)"},
      {R"("type": "sphere", "radius": -1)", "].radius: ", "must be > 0 (is -1)"},
      {R"("type": "sphere", "radius": "0/0")", "].radius: ", "expression"},
      {R"("type": "sphere", "radius": 1e31)", "].radius: ", "shape \"s\": radius is 1e+31"},
      {R"("type": "sphere", "radius": true)", "].radius: ", "must be a number"},
      {R"("type": "sphere")", "shapes[0]: ", "\"radius\" is missing"},
      {R"("type": "sphere", "radius": 1, "half": [1, 1, 1])", "].half: ", "has no \"half\""},
      {R"("type": "box", "half": [1, 0, 1])", "].half: ", "(are 1, 0, 1)"},
      {R"("type": "capsule", "radius": 1, "half_length": -2)", "].half_length: ", "must be > 0"},
      {R"("type": "cylinder", "radius": 1, "half_length": 1e40)", "].half_length: ", "below 1e+30"},
      {R"("type": "bxo", "half": [1, 1, 1])", "].type: ", "did you mean \"box\"?"},
      {R"("radius": 1)", "shapes[0]: ", "\"type\" is missing"},
      {R"("type": "plane", "normal": [0, 0, 0])", "].normal: ", "zero length"},
      {R"("type": "plane", "normal": [0, 0, 1], "orientation": [1, 0, 0, 0])", "].normal: ", "one"},
      {R"("type": "plane", "orientation": [1, 1, 0, 0])", "].orientation: ", "it must be 1"},
      {R"("type": "plane", "position": [1e31, 0, 0])", "].position: ", "shape \"s\": position"},
      {R"("type": "plane", "density": 1)", "].density: ", "has no \"density\""},
      {R"("type": "sphere", "radius": 1, "density": 1)", "].density: ", "the world has no mass"},
      {R"("type": "plane", "material": "ise")", "].material: ", "did you mean \"ice\"?"},
      {R"("type": "plane", "group": -1)", "].group: ", "between 0 and 4294967295"},
      {R"("type": "plane", "mask": 4294967296)", "].mask: ", "between 0 and 4294967295"},
      {R"("type": "plane", "mask": 0.5)", "].mask: ", "must be an integer"},
      {R"("type": "plane"}, {"name": "s", "type": "plane")", "shapes[1].name: ", "is taken"},
  };
  for (const Mistake& mistake : mistakes)
    EXPECT_THAT(error_of(world_with("{" + named + mistake.text + "}", R"({"name": "ice"})")),
                AllOf(HasSubstr(mistake.place), HasSubstr(mistake.what)))
        << mistake.text;
}

TEST(BadShapes, are_no_hulls_meshes_or_terrains) {
  const std::string triangle = R"("vertices": [[0,0,0], [1,0,0], [0,1,0]], )";
  const std::string field = R"("type": "height_field", "columns": 2, "rows": 2, )";
  const Mistake mistakes[] = {
      {R"("type": "convex")", "shapes[0]: ", "either \"file\" or \"vertices\""},
      {R"("type": "convex", "vertices": [], "file": "x.obj")", "shapes[0]: ", "either"},
      {R"("type": "convex", "vertices": [[0,0,0]])", "].vertices: ", "it takes four or more"},
      {R"("type": "convex", "vertices": [[0,0,0], [1,0,0], [0,1,0], [1,1,0]])",
       "].vertices: ", "in one plane"},
      {R"("type": "convex", "vertices": 1)", "].vertices: ", "array of points"},
      {R"("type": "convex", "vertices": [[0, 0]])", "].vertices[0]: ", "three numbers"},
      {R"("type": "convex", "scale": 2, "vertices": )" + cube_points, "].scale: ", "of a file"},
      {R"("type": "mesh", )" + triangle + R"("triangles": [[0,1,3]])",
       "].triangles[0][2]: ", "there is no vertex 3: they are numbered 0 … 2"},
      {R"("type": "mesh", )" + triangle + R"("triangles": [[0,1,-1]])", "][2]: ", "no vertex -1"},
      {R"("type": "mesh", )" + triangle + R"("triangles": [[0,1,0.5]])", "][2]: ", "no vertex 0.5"},
      {R"("type": "mesh", )" + triangle + R"("triangles": [[0,1]])", "].triangles[0]: ", "three"},
      {R"("type": "mesh", )" + triangle + R"("triangles": [])", "].triangles: ", "no triangles"},
      {R"("type": "mesh", )" + triangle + R"("triangles": [[0,1,2], [0,1,2]])",
       "].triangles: ", "do not agree on which side is outside"},
      {R"("type": "mesh", "vertices": [[0,0,0], [1,0,0], [0,1,0], [0,0,1], [0,-1,0]],
          "triangles": [[0,1,2], [1,0,3], [0,1,4]])",
       "].triangles: ", "it must have one or two"},
      {R"("type": "mesh", "vertices": [[0,0,0]], "triangles": [[0,0,0]])", "].vertices: ", "3"},
      {R"("type": "mesh", "vertices": [[0,0,0]])", "shapes[0]: ", "\"triangles\" is missing"},
      {R"("type": "mesh", "file": "x.obj", "triangles": [[0,0,0]])", "].triangles: ", "the file"},
      {field + R"("spacing": [1, 1], "heights": [0, 0, 0])", "].heights: ", "need 4"},
      {field + R"("spacing": [1, 0], "heights": [0, 0, 0, 0])", "].spacing[1]: ", "must be > 0"},
      {field + R"("spacing": 1, "heights": [0, 0, 0, 0])", "].spacing: ", "two numbers"},
      {field + R"("spacing": [1, 1], "heights": "x + y")", "].heights: ", "an array of heights"},
      {R"("type": "height_field", "columns": 1, "rows": 2, "spacing": [1, 1], "heights": [0, 0])",
       "].columns: ", "between 2 and"},
  };
  for (const Mistake& mistake : mistakes)
    EXPECT_THAT(error_of(world_with(R"({"name": "s", )" + mistake.text + "}")),
                AllOf(HasSubstr(mistake.place), HasSubstr(mistake.what)))
        << mistake.text;
}

TEST(BadShapes, have_too_many_numbers) {
  std::string heights = "0";
  for (int i = 1; i < 10'000; ++i) heights += ",0";
  EXPECT_THAT(error_of(world_with(R"({"repeat": {"index": "i", "count": 500}, "items": [
                {"type": "height_field", "columns": 100, "rows": 100, "spacing": [1, 1],
                 "heights": [)" + heights +
                                  "]}]}")),
              AllOf(HasSubstr("(i = 400)"), HasSubstr("more than 4000000 numbers")));
}

// A shape on a body within a repetition is found by its place and the index.
TEST(BadShapes, name_their_body_in_repetitions) {
  EXPECT_THAT(
      error_of(R"({"ligament": 1, "run": {"steps": 1}, "shapes": [{"type": "plane"}],
                "bodies": [{"repeat": {"index": "i", "count": 3}, "items": [
                  {"name": "b{i}", "mass": 1, "inertia": [1, 1, 1], "shapes": [
                    {"type": "sphere", "radius": 1},
                    {"type": "sphere", "radius": "i < 2 ? 1 : 1e31"}]}]}]})"),
      HasSubstr("bodies[0].items[0].shapes[1].radius (i = 2): body \"b2\", shape \"shape 7\": "));
}

TEST(BadShapes, are_on_bodies_that_cannot_have_them) {
  const std::string inertia = R"("mass": 1, "inertia": [1, 1, 1], )";
  const Mistake mistakes[] = {
      {inertia + R"("shapes": [{"name": "s", "type": "mesh", )" + tetrahedron + "}]",
       "bodies[0].shapes[0]: ",
       "body \"b\", shape \"s\": the body moves, and a mesh can only be on"},
      {R"("density": 1, "shapes": [{"type": "mesh", )" + tetrahedron + "}]",
       "bodies[0].shapes[0]: ", "give a moving body one or more convex shapes"},
      {R"("density": 1, "shapes": [{"type": "mesh", "density": 2, )" + tetrahedron + "}]",
       "shapes[0].density: ", "a shape of type \"mesh\" has no \"density\""},
      {R"("density": 1, "shapes": [{"type": "half_space"}])", "shapes[0]: ", "a fixed one"},
      {R"("density": 1, "shapes": [{"type": "cavity", "radius": 1}])",
       "shapes[0]: ", "a fixed one"},
      {R"("kind": "rod", "mass": 1, "length": 1, "shapes": [])", "shapes: ", "has no \"shapes\""},
      {R"("kind": "particle", "mass": 1, "shapes": [{"type": "box", "half": [1, 1, 1]}])",
       "bodies[0].shapes[0]: ", "is a particle, which cannot have a box"},
      {R"("kind": "fixed", "shapes": [{"type": "sphere", "radius": 1, "density": 1}])",
       "shapes[0].density: ", "body \"b\", shape \"shape 1\": has no effect"},
  };
  for (const Mistake& mistake : mistakes)
    EXPECT_THAT(error_of(rigid_with(mistake.text)),
                AllOf(HasSubstr(mistake.place), HasSubstr(mistake.what)))
        << mistake.text;
}

TEST(BadShapes, are_in_files_that_are_broken) {
  const TemporaryFolder folder;
  const auto error_with = [&](const std::string& name, const std::string& type) -> std::string {
    write_file(folder / "scene.json", world_with(R"({"name": "s", "type": ")" + type +
                                                 R"(", "file": ")" + name + R"("})"));
    try {
      read_scene(folder / "scene.json");
    } catch (const SceneError& error) {
      return error.what();
    }
    return {};
  };
  write_file(folder / "good.obj", tetrahedron_obj);
  write_file(folder / "half.obj", tetrahedron_obj.substr(0, tetrahedron_obj.size() - 4));
  write_file(folder / "half.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n");
  write_file(folder / "flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n");
  write_file(folder / "index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n");
  write_file(folder / "empty.stl", "");
  EXPECT_EQ(error_with("good.obj", "mesh"), "");
  const Mistake mistakes[] = {{"missing.obj", "mesh", "missing.obj: there is no such file"},
                              {"half.obj", "mesh", "half.obj:8: "},
                              {"half.stl", "mesh", "is it complete?"},
                              {"index.obj", "mesh", "index.obj:4: the face has the vertex 4"},
                              {"empty.stl", "mesh", "the file is empty"},
                              {"flat.obj", "convex", "the points lie in one plane"},
                              {"scene.json", "mesh", ".obj and .stl are read"},
                              {".", "mesh", "the extension"}};
  for (const Mistake& mistake : mistakes)
    EXPECT_THAT(error_with(mistake.text, mistake.place),
                AllOf(HasSubstr("scene.json: shapes[0].file: body \"world\", shape \"s\": "),
                      HasSubstr(mistake.what)));
}

TEST(BadMaterials, are_refused_at_their_place) {
  const Mistake mistakes[] = {
      {R"("materials": [{"friction": 1}])", "materials[0]: ", "\"name\" is missing"},
      {R"("materials": [{"name": "m", "friction": -1}])", "materials[0].friction: ", "≥ 0"},
      {R"("materials": [{"name": "m", "restitution": 2}])", "[0].restitution: ", "0 … 1"},
      {R"("materials": [{"name": "m", "rolling_friction": -1}])", "[0].rolling_friction: ", "≥ 0"},
      {R"("materials": [{"name": "default"}])", "materials[0].name: ", "is taken"},
      {R"("materials": [{"name": "m"}, {"name": "m"}])", "materials[1].name: ", "is taken"},
      {R"("materials": [{"name": "m", "mu": 1}])", "materials[0]: ", "unknown key \"mu\""},
      {R"("material_pairs": [{"a": "default", "b": "x"}])", "material_pairs[0].b: ", "no material"},
      {R"("material_pairs": [{"a": "default"}])", "material_pairs[0]: ", "\"b\" is missing"},
      {R"("material_pairs": [{"a": "default", "b": "default", "compliance": -1}])",
       "material_pairs[0].compliance: ", "≥ 0"},
      {R"("materials": [{"name": "m"}], "material_pairs": [{"a": "m", "b": "default"},
          {"a": "default", "b": "m"}])",
       "material_pairs[1]: ", "twice"},
  };
  for (const Mistake& mistake : mistakes)
    EXPECT_THAT(
        error_of(R"({"ligament": 1, "bodies": [], "run": {"steps": 1}, )" + mistake.text + "}"),
        AllOf(HasSubstr(mistake.place), HasSubstr(mistake.what)))
        << mistake.text;
}

TEST(BadMassFromShapes, is_given_twice_or_not_at_all) {
  const std::string ball = R"({"type": "sphere", "radius": 1})";
  const std::string heavy = R"({"type": "sphere", "radius": 1, "density": 2})";
  const Mistake mistakes[] = {
      {R"("shapes": [)" + ball + "]", "bodies[0]: ", "\"density\" is missing"},
      {R"("mass": 1, "shapes": [])", "bodies[0].shapes: ", "is empty"},
      {R"("mass": 1, "density": 1, "shapes": [)" + ball + "]", "].density: ", "either"},
      {R"("mass": 1, "shapes": [)" + ball + ", " + heavy + "]",
       "bodies[0]: ", "all of them or none"},
      {R"("mass": 1, "centre": [0, 0, 0], "shapes": [)" + ball + "]", "].centre: ", "follows from"},
      {R"("mass": -1, "shapes": [)" + ball + "]", "bodies[0].mass: ", "it must be > 0"},
      {R"("density": 0, "shapes": [)" + ball + "]", "bodies[0].density: ", "must be > 0"},
      {R"("density": 1, "shapes": [{"type": "sphere", "radius": 1e200}])",
       "bodies[0].shapes[0]: ", "body \"b\", shape \"shape 1\": volume times density is inf kg"},
      {R"("density": 1, "shapes": [{"type": "sphere", "radius": -1}])",
       "shapes[0].radius: body \"b\", shape \"shape 1\": ", "must be > 0 (is -1)"},
      {R"("mass": 1, "inertia": [1, 1, 1], "shapes": [)" + heavy + "]", "].density: ", "no effect"},
      {R"("inertia": [1, 1, 1], "density": 1, "shapes": [)" + ball + "]",
       "].density: ", "\"mass\""},
      {R"("kind": "particle", "mass": 1, "centre": [0, 0, 0])", "].centre: ", "has no \"centre\""},
  };
  for (const Mistake& mistake : mistakes)
    EXPECT_THAT(error_of(rigid_with(mistake.text)),
                AllOf(HasSubstr(mistake.place), HasSubstr(mistake.what)))
        << mistake.text;
}

}  // namespace
}  // namespace ligament
