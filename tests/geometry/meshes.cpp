// SPDX-License-Identifier: Apache-2.0
// What a mesh is made of, what is mended and what is refused.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "geometry/solids.h"
#include "ligament/geometry/geometry_error.h"

namespace ligament {
namespace {

const Vec3 half{0.5, 1.0, 2.0};
constexpr double box_volume = 8.0;

std::shared_ptr<const TriangleMesh> make(const Surface& surface) {
  return make_mesh(surface.vertices, surface.triangles);
}

// Each triangle and the one beyond its edge have that edge in common, in opposite directions.
void expect_neighbours(const TriangleMesh& mesh) {
  const auto size = [](std::int32_t i) { return static_cast<std::size_t>(i); };
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t beyond = mesh.neighbours[i][k];
      if (beyond < 0) continue;
      int common = 0;
      for (std::size_t l = 0; l < 3; ++l) {
        const TriangleIndices& other = mesh.triangles[size(beyond)];
        if (other[l] == mesh.triangles[i][(k + 1) % 3] &&
            other[(l + 1) % 3] == mesh.triangles[i][k]) {
          ++common;
          EXPECT_EQ(size(mesh.neighbours[size(beyond)][l]), i);
        }
      }
      EXPECT_EQ(common, 1);
    }
}

TEST(Meshes, of_a_box_are_closed) {
  const auto mesh = make(make_box(half));
  EXPECT_TRUE(mesh->closed);
  EXPECT_TRUE(mesh->warnings.empty());
  EXPECT_DOUBLE_EQ(mesh->volume, box_volume);
  EXPECT_EQ(mesh->triangles[0], (TriangleIndices{0, 1, 3}));
  EXPECT_EQ(mesh->normals[0], Vec3(-1, 0, 0));
  for (const auto& three : mesh->neighbours)
    for (const std::int32_t beyond : three) EXPECT_GE(beyond, 0);
  expect_neighbours(*mesh);
}

TEST(Meshes, join_vertices_at_one_place) {
  const auto mesh = make(refine(refine(make_box(half))));
  EXPECT_TRUE(mesh->closed);
  EXPECT_EQ(mesh->triangles.size(), 12U * 16U);
  EXPECT_EQ(mesh->vertices.size(), 12U * 16U / 2U + 2U);  // Euler: V = F/2 + 2
  EXPECT_DOUBLE_EQ(mesh->volume, box_volume);
  expect_neighbours(*mesh);
}

TEST(Meshes, take_both_zeros_for_one_and_leave_out_unused_vertices) {
  const auto mesh = make_mesh({Vec3(9, 9, 9), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0),
                               Vec3(-0.0, 0, -0.0), Vec3(0, -1, 0)},
                              {{1, 2, 3}, {2, 4, 5}});
  EXPECT_EQ(mesh->vertices.size(), 4U);
  EXPECT_EQ(mesh->neighbours[0][0], 1);
  EXPECT_EQ(mesh->normals[0], Vec3(0, 0, 1));
}

TEST(Meshes, that_are_open_say_so_once) {
  Surface box = make_box(half);
  box.triangles.resize(10);
  const auto mesh = make(box);
  EXPECT_FALSE(mesh->closed);
  EXPECT_EQ(mesh->volume, 0.0);
  ASSERT_EQ(mesh->warnings.size(), 1U);
  EXPECT_NE(mesh->warnings[0].find("4 edges"), std::string::npos) << mesh->warnings[0];
  EXPECT_NE(mesh->warnings[0].find("triangle 0"), std::string::npos) << mesh->warnings[0];
  expect_neighbours(*mesh);
}

TEST(Meshes, that_are_inside_out_are_turned) {
  Surface box = make_box(half);
  const auto right = make(box);
  for (TriangleIndices& triangle : box.triangles) std::swap(triangle[0], triangle[2]);
  const auto mesh = make(box);
  EXPECT_DOUBLE_EQ(mesh->volume, box_volume);
  ASSERT_EQ(mesh->warnings.size(), 1U);
  EXPECT_NE(mesh->warnings[0].find("inside out"), std::string::npos);
  EXPECT_EQ(mesh->normals, right->normals);
  expect_neighbours(*mesh);
}

TEST(Meshes, leave_out_triangles_without_area) {
  Surface box = make_box(half);
  box.triangles.insert(box.triangles.begin() + 2, {{0, 0, 5}, {1, 6, 1}});
  const auto mesh = make(box);
  EXPECT_TRUE(mesh->closed);
  EXPECT_EQ(mesh->triangles.size(), 12U);
  ASSERT_EQ(mesh->warnings.size(), 1U);
  EXPECT_EQ(mesh->warnings[0],
            "left out 2 of 14 triangles, which have no area: the first is triangle 2");
}

// Two of the triangles at the edge between 0 and 1 have a vertex in its middle, the third does not;
// a triangle of the three points fills the gap of no width.
TEST(Meshes, are_closed_by_triangles_without_area) {
  Surface box = make_box(half);
  box.vertices.push_back(0.5 * (box.vertices[0] + box.vertices[1]));
  box.triangles[0] = {0, 8, 3};
  box.triangles.push_back({8, 1, 3});
  EXPECT_FALSE(make(box)->closed);
  box.triangles.push_back({0, 1, 8});
  const auto mesh = make(box);
  EXPECT_TRUE(mesh->closed);
  EXPECT_DOUBLE_EQ(mesh->volume, box_volume);
  EXPECT_EQ(mesh->triangles.size(), 13U);
  EXPECT_EQ(mesh->warnings.size(), 1U);
  expect_neighbours(*mesh);
}

// The test of area is relative: a triangle of a micrometre has one.
TEST(Meshes, of_any_size_have_area) {
  for (const double size : {1e-20, 1e-6, 1e6, 1e40}) {
    const auto mesh = make(make_box(size * half));
    EXPECT_TRUE(mesh->warnings.empty());
    EXPECT_NEAR(mesh->volume / box_volume, size * size * size, 1e-14 * size * size * size);
  }
}

std::string find_error(const Surface& surface) {
  try {
    make(surface);
  } catch (const GeometryError& error) {
    return error.what();
  }
  return "none";
}

TEST(Meshes, are_refused_with_the_culprit) {
  const auto expect = [](const Surface& surface, const std::string& part) {
    const std::string error = find_error(surface);
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  Surface box = make_box(half);
  expect({box.vertices, {}}, "no triangles");
  expect({{}, {{0, 1, 2}}}, "triangle 0 has the vertex 0");
  expect({box.vertices, {{0, 1, 0}}}, "no triangle of the mesh has an area");
  expect({box.vertices, std::vector<TriangleIndices>(10'000'001)}, "10000000 at most");
  Surface bad = box;
  bad.triangles[7][1] = 8;
  expect(bad, "triangle 7 has the vertex 8: it must be 0 … 7");
  bad.triangles[7][1] = -1;
  expect(bad, "triangle 7 has the vertex -1");
  bad = box;
  bad.vertices[6].z() = std::numeric_limits<double>::infinity();
  expect(bad, "vertex 6");
  bad = box;
  bad.vertices.emplace_back(9, 9, 9);
  bad.triangles.push_back({3, 1, 8});
  expect(bad, "the edge between vertices 1 and 3 has 3 triangles (0, 11, 12)");
  bad = box;
  std::swap(bad.triangles[5][0], bad.triangles[5][1]);
  expect(bad,
         "triangles 0 and 5 do not agree on which side is outside: both run from vertex 0 to 1");
  bad = {box.vertices, {{0, 1, 3}, {1, 3, 0}}};
  expect(bad, "remove it if it is there twice");
}

}  // namespace
}  // namespace ligament
