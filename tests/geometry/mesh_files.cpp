// SPDX-License-Identifier: Apache-2.0
// OBJ and STL files, good ones and all kinds of bad ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <string>

#include "geometry/solids.h"
#include "ligament/io/mesh_file.h"

namespace ligament {
namespace {

const std::string tetrahedron_obj =
    "mtllib none.mtl\r\n"
    "o corner\n"
    "# a comment that does not go on \\\n"
    "v 0 0 0\n"
    "v 1.0e0 0 +0 1.0\r\n"
    "  v\t0 1 -0.0 0.5 0.5 0.5  # with a colour\n"
    "vt 0 0\nvn 0 0 1\nusemtl shiny\ns off\ng all\n"
    "v 0 0 \\\n"
    "1\n"
    "f 1 3 2\n"
    "f 1/1 2/1 4/1\n"
    "f -4//1 -1//1 -2//1\n"
    "f 2/1/1 3/1/1 4/1/1\n";

std::string make_stl_text(const Surface& surface) {
  std::string text = "solid a part\n";
  for (const TriangleIndices& triangle : surface.triangles) {
    text += " facet normal nan 0 0\n  outer loop\n";
    for (const std::int32_t corner : triangle) {
      const Vec3& v = surface.vertices[static_cast<std::size_t>(corner)];
      text += fmt::format("   Vertex {} {} {}\n", v.x(), v.y(), v.z());
    }
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid a part\n";
}

void add_uint32(std::string& bytes, std::uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8)
    bytes += static_cast<char>(value >> shift & 0xFFU);
}

std::string make_stl_binary(const Surface& surface) {
  std::string bytes = "solid, but a binary one";
  bytes.resize(80);
  add_uint32(bytes, static_cast<std::uint32_t>(surface.triangles.size()));
  for (const TriangleIndices& triangle : surface.triangles) {
    bytes.append(12, '\0');
    for (const std::int32_t corner : triangle)
      for (const double x : surface.vertices[static_cast<std::size_t>(corner)])
        add_uint32(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(x)));
    bytes.append(2, '\0');
  }
  return bytes;
}

class MeshFiles : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, std::string_view bytes) {
    const std::filesystem::path file = folder_ / name;
    std::ofstream(file, std::ios::binary).write(bytes.data(), std::ssize(bytes));
    return file;
  }
  // The message without the folder; "none" if the file was read.
  std::string find_error(const std::string& name, std::string_view bytes) {
    return find_error(write(name, bytes));
  }
  std::string find_error(const std::filesystem::path& file, double scale = 1.0) {
    try {
      read_mesh(file, scale);
    } catch (const MeshFileError& error) {
      const std::string message = error.what(), folder = folder_.string() + "/";
      return message.starts_with(folder) ? message.substr(folder.size()) : message;
    }
    return "none";
  }
  void SetUp() override {
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) / fmt::format("mesh_{}", test->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST_F(MeshFiles, in_obj_have_all_its_forms) {
  const auto mesh = read_mesh(write("corner.OBJ", tetrahedron_obj), 2.0);
  EXPECT_TRUE(mesh->closed);
  EXPECT_TRUE(mesh->warnings.empty());
  EXPECT_DOUBLE_EQ(mesh->volume, 8.0 / 6.0);
  EXPECT_EQ(mesh->vertices[1], Vec3(2, 0, 0));
  EXPECT_EQ(mesh->triangles.size(), 4U);
}

TEST_F(MeshFiles, in_obj_have_polygons) {
  const auto mesh =
      read_mesh(write("a.obj", "f 1 2 3 4 5\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 2 0\nv 0 1 0"));
  EXPECT_EQ(mesh->triangles.size(), 3U);
  EXPECT_EQ(mesh->triangles[2], (TriangleIndices{0, 3, 4}));
  for (const Vec3& normal : mesh->normals) EXPECT_EQ(normal, Vec3(0, 0, 1));
  EXPECT_EQ(find_error("b.obj", "v 0 0 0\nv 2 2 0\nv 0.5 0.5 0\nv 0 2 0\nv 3 -1 0\nf 5 2 3 4 1"),
            "b.obj:6: the face with 5 corners is not convex: cut it into triangles");
}

TEST_F(MeshFiles, in_stl_are_the_same_in_text_and_binary) {
  const Surface box = make_box(Vec3(0.5, 1.0, 0.25));
  const auto text = read_mesh(write("text.stl", make_stl_text(box)));
  const auto binary = read_mesh(write("binary.stl", make_stl_binary(box)));
  EXPECT_TRUE(text->closed);
  EXPECT_DOUBLE_EQ(text->volume, 1.0);
  EXPECT_EQ(text->vertices, binary->vertices);
  EXPECT_EQ(text->triangles, binary->triangles);
}

TEST_F(MeshFiles, give_each_point_once) {
  const Surface box = make_box(Vec3(0.5, 1.0, 0.25));
  const auto points = read_mesh_points(write("box.stl", make_stl_binary(box)), 4.0);
  ASSERT_EQ(points.size(), 8U);
  EXPECT_EQ(points[0], 4.0 * box.vertices[0]);
  EXPECT_EQ(points[2], 4.0 * box.vertices[3]);  // the third corner of the first triangle
  EXPECT_EQ(read_mesh_points(write("cloud.obj", "v 1 2 3\nv 3 2 1\nv 1 2 3")).size(), 2U);
  EXPECT_THROW(read_mesh_points(write("none.obj", "g a\n")), MeshFileError);
}

TEST_F(MeshFiles, in_obj_are_refused_with_the_line) {
  const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  const auto expect = [&](const std::string& text, const std::string& part) {
    const std::string error = find_error("a.obj", text);
    EXPECT_TRUE(error.starts_with("a.obj:" + part)) << error;
  };
  expect("v 0 0\n", "1: the vertex has fewer than 3 coordinates");
  expect("\nv 0 0 nan\n", "2: the coordinate \"nan\" is no finite number");
  expect("v 0 1e999 0\n", "1: the coordinate \"1e999\"");
  expect("v 0 0,5 0\n", "1: the coordinate \"0,5\"");
  expect("v 0 0 \\\n\\\n1e\nv 1 1 1", "1: the coordinate \"1e\"");
  expect(three + "f 1 2", "4: the face has 2 corners: it must have at least 3");
  expect(three + "f 1 2 x", "4: the corner \"x\"");
  expect(three + "f 1 2 3/a", "4: the corner \"3/a\"");
  expect(three + "f 1 2 0", "4: the corner \"0\"");
  expect(three + "f 1 2 99999999999", "4: the corner \"99999999999\"");
  expect(three + "f 1 2 3\nf 1 2 4\n", "5: the face has the vertex 4: the file has vertices 1 … 3");
  expect(three + "f 1 2 -4", "4: the face has the vertex -4");
  expect(three, " the mesh has no triangles");
  expect(three + "f 1 2 3\nf 1 2 3", " triangles 0 and 1 do not agree");
}

TEST_F(MeshFiles, in_stl_are_refused_with_a_reason) {
  const Surface box = make_box(Vec3::Ones());
  std::string bytes = make_stl_binary(box);
  EXPECT_EQ(find_error("a.stl", bytes.substr(0, 400)),
            "a.stl: the file has 400 bytes: the 12 triangles that it says it has take 684: is it "
            "complete?");
  for (std::size_t i = 80; i < 84; ++i) bytes[i] = '\xFF';
  EXPECT_NE(find_error("a.stl", bytes).find("take 214748364834"), std::string::npos);
  EXPECT_NE(find_error("a.stl", std::string(84, '\0')).find("no triangles"), std::string::npos);
  Surface nan = box;
  nan.vertices[7].y() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(find_error("a.stl", make_stl_binary(nan)).find("corner 2 of triangle 2"),
            std::string::npos);
  EXPECT_TRUE(find_error("a.stl", make_stl_text(nan)).starts_with("a.stl:20: the coordinate"))
      << find_error("a.stl", make_stl_text(nan));
  const std::string text = make_stl_text(box);
  EXPECT_EQ(find_error("a.stl", text.substr(0, text.find("endsolid"))),
            "a.stl:85: the file ends here: \"facet\" must follow: is it complete?");
  EXPECT_EQ(find_error("a.stl", "solid\nfacet normal 0 0 1\nouter lop"),
            "a.stl:3: the word \"lop\" is out of place: \"loop\" must stand here");
}

TEST_F(MeshFiles, that_are_no_mesh_files_are_refused) {
  EXPECT_EQ(find_error("a.obj", " \n"), "a.obj: the file is empty: it must have triangles");
  EXPECT_EQ(find_error("a.ply", "ply"),
            "a.ply: the extension \".ply\" is not known: .obj and .stl are read");
  EXPECT_EQ(find_error(folder_ / "missing.stl"), "missing.stl: there is no such file");
  std::filesystem::create_directory(folder_ / "folder.stl");
  EXPECT_EQ(find_error(folder_ / "folder.stl"),
            "folder.stl: this is not a file but a folder: name a mesh file");
  EXPECT_NE(find_error(write("b.obj", tetrahedron_obj), -1.0).find("scale"), std::string::npos);
  std::filesystem::resize_file(write("large.stl", "x"), (std::uintmax_t{2} << 30U) + 1);  // a hole
  EXPECT_NE(find_error(folder_ / "large.stl").find("2048 MiB"), std::string::npos);
}

// A file that is cut anywhere gives a mesh or a MeshFileError; an STL file gives a mesh only if it
// is whole but for the name at its end.
TEST_F(MeshFiles, cut_at_any_byte_are_errors) {
  const Surface box = make_box(Vec3::Ones());
  const std::string binary = make_stl_binary(box), text = make_stl_text(box);
  const std::size_t whole = text.find("endsolid") + 8;
  for (std::size_t size = 0; size < binary.size(); ++size)
    EXPECT_NE(find_error("a.stl", binary.substr(0, size)), "none") << size;
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_EQ(find_error("a.stl", text.substr(0, size)) == "none", size >= whole) << size;
  for (std::size_t size = 0; size < tetrahedron_obj.size(); ++size)
    find_error("a.obj", tetrahedron_obj.substr(0, size));
}

TEST_F(MeshFiles, with_any_byte_changed_do_no_harm) {
  const Surface box = make_box(Vec3::Ones());
  for (const auto& [name, bytes] :
       {std::pair("a.obj", tetrahedron_obj), std::pair("a.stl", make_stl_text(box).substr(0, 300)),
        std::pair("a.stl", make_stl_binary(box))})
    for (std::size_t i = 0; i < bytes.size(); ++i)
      for (const char c : {'\0', '\xFF', '-', '9', '\\', '\n'}) {
        std::string changed = bytes;
        changed[i] = c;
        find_error(name, changed);
      }
}

}  // namespace
}  // namespace ligament
