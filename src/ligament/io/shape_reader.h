// SPDX-License-Identifier: Apache-2.0
// The shapes of a scene, with the meshes and hulls that they are made of. A file is read once,
// however many shapes name it.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ligament/io/elements.h"
#include "ligament/io/fields.h"
#include "ligament/model/shape.h"

namespace ligament {

class ShapeReader {
 public:
  // Files are named from `folder` on. The materials must outlive the reader.
  ShapeReader(Reader& reader, std::filesystem::path folder, const NameTable<MaterialId>& materials)
      : reader_(reader), folder_(std::move(folder)), materials_(materials) {}

  struct Element {
    ShapeSpec spec{};                 // the body is left to the caller
    std::optional<double> density{};  // [kg/m³] > 0
  };
  // Shapes must be read in the order in which they are added to the model.
  Element read(const Json& value, const std::string& body);

  // Fails with the names of the body and of the shape that was read last.
  [[noreturn]] void fail(const Json& at, const std::string& what) const;

  // What is doubtful about the meshes so far, each line with the names of a body and a shape.
  std::vector<std::string> take_warnings() { return std::move(warnings_); }

 private:
  using FileKey = std::pair<std::string, double>;  // path, scale

  Frame read_pose(const Fields& fields) const;
  double read_positive(const Json& value) const;
  void read(const Fields& fields, SphereShape& shape) { read_round(fields, shape); }
  void read(const Fields& fields, BoxShape& shape);
  void read(const Fields& fields, CapsuleShape& shape) { read_long(fields, shape); }
  void read(const Fields& fields, CylinderShape& shape) { read_long(fields, shape); }
  void read(const Fields& fields, ConvexShape& shape);
  void read(const Fields&, HalfSpaceShape&) {}
  void read(const Fields&, PlaneShape&) {}
  void read(const Fields& fields, HeightFieldShape& shape);
  void read(const Fields& fields, MeshShape& shape);
  void read(const Fields& fields, CavityShape& shape) { read_round(fields, shape); }
  template <class Shape>
  void read_round(const Fields& fields, Shape& shape) {
    shape.radius = read_positive(fields.require("radius"));
  }
  template <class Shape>
  void read_long(const Fields& fields, Shape& shape);
  // The file of a shape that has one; fails if it has both a file and vertices, or neither.
  std::optional<FileKey> read_file_key(const Fields& fields) const;
  std::shared_ptr<const TriangleMesh> read_inline_mesh(const Fields& fields);
  std::vector<Vec3> read_points(const Json& value);
  std::vector<TriangleIndices> read_triangles(const Json& value, std::size_t vertices);
  void require_numbers(const Json& array, const char* what, std::size_t each);
  void warn(const TriangleMesh& mesh);
  // Calls make(), and fails at this place if it throws an error of geometry or of a mesh file.
  template <class Make>
  auto make_at(const Json& at, const Make& make) const;

  Reader& reader_;
  std::filesystem::path folder_;
  const NameTable<MaterialId>& materials_;
  std::map<FileKey, std::shared_ptr<const Hull>> hulls_;
  std::map<FileKey, std::shared_ptr<const TriangleMesh>> meshes_;
  std::vector<std::string> warnings_;
  std::string label_;        // of the shape at hand: body "cart", shape "wheel"
  std::size_t shapes_ = 0;   // read so far
  std::size_t numbers_ = 0;  // of vertices, triangles and heights so far, to stop in time
};

}  // namespace ligament
