// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/shape_reader.h"

#include <limits>

#include "ligament/geometry/geometry_error.h"
#include "ligament/io/mesh_file.h"
#include "ligament/math/alternatives.h"
#include "ligament/math/rotation.h"

namespace ligament {
namespace {

constexpr std::size_t most_numbers = 4'000'000;  // of shapes, in a scene after expansion
constexpr long most_grid_points = 1'000'000;     // along one side of a height field

}  // namespace

void ShapeReader::fail(const Json& at, const std::string& what) const {
  reader_.fail(at, fmt::format("{}: {}", label_, what));
}

template <class Make>
auto ShapeReader::make_at(const Json& at, const Make& make) const {
  try {
    return make();
  } catch (const GeometryError& error) {
    fail(at, error.what());
  } catch (const MeshFileError& error) {
    fail(at, error.what());
  }
}

ShapeReader::Element ShapeReader::read(const Json& value, const std::string& body) {
  const Fields fields(reader_, value, scene_format::shape);
  const std::size_t type =
      reader_.choice(fields.require("type"), "type", scene_format::shape_types);
  fields.check_kind(bit(type), "type", scene_format::shape_types[type]);

  Element element;
  ShapeSpec& spec = element.spec;
  fields.read_name("name", spec.name);
  ++shapes_;
  label_ = fmt::format("body \"{}\", shape \"{}\"", body,
                       spec.name.empty() ? fmt::format("shape {}", shapes_) : spec.name);
  spec.geometry = make_alternatives<Geometry>()[type];
  std::visit([&](auto& geometry) { read(fields, geometry); }, spec.geometry);
  spec.pose = read_pose(fields);
  if (const Json* material = fields.find("material"))
    spec.material = materials_.find(reader_, *material);
  constexpr long all_bits = std::numeric_limits<std::uint32_t>::max();
  if (const Json* group = fields.find("group"))
    spec.group = static_cast<std::uint32_t>(reader_.integer(*group, 0, all_bits));
  if (const Json* mask = fields.find("mask"))
    spec.mask = static_cast<std::uint32_t>(reader_.integer(*mask, 0, all_bits));
  if (const Json* density = fields.find("density")) element.density = read_positive(*density);
  return element;
}

Frame ShapeReader::read_pose(const Fields& fields) const {
  Frame pose;
  fields.read("position", pose.p);
  const Json* orientation = fields.find("orientation");
  if (orientation) pose.R = read_unit_orientation(reader_, *orientation).normalized();
  if (const Json* normal = fields.find("normal")) {
    if (orientation) fail(*normal, "takes the place of \"orientation\": give only one of the two");
    pose.R = frame_with_z_along(reader_.direction(*normal));
  }
  return pose;
}

// Here and not by the model, which would first complain about the mass that follows from it.
double ShapeReader::read_positive(const Json& value) const {
  const double x = reader_.number(value);
  if (!(x > 0.0)) fail(value, fmt::format("must be > 0 (is {})", x));
  return x;
}

void ShapeReader::read(const Fields& fields, BoxShape& shape) {
  const Json& half = fields.require("half");
  shape.half = reader_.vector(half);
  if (!(shape.half.minCoeff() > 0.0))
    fail(half, fmt::format("the half lengths of a box must be > 0 (are {}, {}, {})", shape.half.x(),
                           shape.half.y(), shape.half.z()));
}

template <class Shape>
void ShapeReader::read_long(const Fields& fields, Shape& shape) {
  read_round(fields, shape);
  shape.half_length = read_positive(fields.require("half_length"));
}

void ShapeReader::read(const Fields& fields, ConvexShape& shape) {
  const std::optional<FileKey> file = read_file_key(fields);
  if (!file) {
    const Json& vertices = fields.require("vertices");
    shape.hull = make_at(vertices, [&] { return make_hull(read_points(vertices)); });
    return;
  }
  std::shared_ptr<const Hull>& hull = hulls_[*file];
  if (!hull)
    hull = make_at(fields.require("file"),
                   [&] { return make_hull(read_mesh_points(file->first, file->second)); });
  shape.hull = hull;
}

void ShapeReader::read(const Fields& fields, MeshShape& shape) {
  const std::optional<FileKey> file = read_file_key(fields);
  if (!file) {
    shape.mesh = read_inline_mesh(fields);
    warn(*shape.mesh);
    return;
  }
  std::shared_ptr<const TriangleMesh>& mesh = meshes_[*file];
  if (!mesh) {
    mesh = make_at(fields.require("file"), [&] { return read_mesh(file->first, file->second); });
    warn(*mesh);
  }
  shape.mesh = mesh;
}

void ShapeReader::read(const Fields& fields, HeightFieldShape& shape) {
  const auto read_count = [&](const Json& value) {
    return static_cast<int>(reader_.integer(value, 2, most_grid_points));
  };
  const int columns = read_count(fields.require("columns"));
  const int rows = read_count(fields.require("rows"));
  const Json& spacing = fields.require("spacing");
  if (!spacing.is_array() || spacing.size() != 2)
    fail(spacing, "must be two numbers [dx, dy] (is " + type_of(spacing) + ")");
  const double dx = read_positive(spacing[0]), dy = read_positive(spacing[1]);
  const Json& values = fields.require("heights");
  require_numbers(values, "heights, a row along x after the other", 1);
  std::vector<double> heights;
  for (const Json& height : values) heights.push_back(reader_.number(height));
  shape.field =
      make_at(values, [&] { return make_height_field(columns, rows, dx, dy, std::move(heights)); });
}

std::optional<ShapeReader::FileKey> ShapeReader::read_file_key(const Fields& fields) const {
  const Json* file = fields.find("file");
  const Json* scale = fields.find("scale");
  if ((file == nullptr) == (fields.find("vertices") == nullptr))
    fail(fields.object(), "must have either \"file\" or \"vertices\"");
  if (!file) {
    if (scale) fail(*scale, "is that of a file: leave it out beside \"vertices\"");
    return std::nullopt;
  }
  if (fields.find("triangles"))
    fail(fields.require("triangles"), "are in the file: leave them out beside \"file\"");
  return FileKey((folder_ / reader_.name(*file)).string(), scale ? read_positive(*scale) : 1.0);
}

std::shared_ptr<const TriangleMesh> ShapeReader::read_inline_mesh(const Fields& fields) {
  const Json& given_vertices = fields.require("vertices");
  const Json& given_triangles = fields.require("triangles");
  std::vector<Vec3> vertices = read_points(given_vertices);
  if (vertices.size() < 3)
    fail(given_vertices, fmt::format("has {} vertices: a mesh has at least 3", vertices.size()));
  std::vector<TriangleIndices> triangles = read_triangles(given_triangles, vertices.size());
  return make_at(given_triangles,
                 [&] { return make_mesh(std::move(vertices), std::move(triangles)); });
}

std::vector<Vec3> ShapeReader::read_points(const Json& value) {
  require_numbers(value, "points [x, y, z]", 3);
  std::vector<Vec3> points;
  points.reserve(value.size());
  for (const Json& point : value) points.push_back(reader_.vector(point));
  return points;
}

std::vector<TriangleIndices> ShapeReader::read_triangles(const Json& value, std::size_t vertices) {
  require_numbers(value, "triangles [i, j, k]", 3);
  std::vector<TriangleIndices> triangles;
  triangles.reserve(value.size());
  for (const Json& given : value) {
    if (!given.is_array() || given.size() != 3)
      fail(given, "must be the numbers of three vertices [i, j, k] (is " + type_of(given) + ")");
    TriangleIndices& triangle = triangles.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      const double corner = reader_.number(given[k]);
      if (!(corner >= 0.0 && corner < static_cast<double>(vertices)) ||
          corner != static_cast<double>(static_cast<std::int32_t>(corner)))
        fail(given[k],
             fmt::format("there is no vertex {}: they are numbered 0 … {}", corner, vertices - 1));
      triangle[k] = static_cast<std::int32_t>(corner);
    }
  }
  return triangles;
}

void ShapeReader::require_numbers(const Json& array, const char* what, std::size_t each) {
  if (!array.is_array())
    fail(array, fmt::format("must be an array of {} (is {})", what, type_of(array)));
  numbers_ += each * array.size();
  if (numbers_ > most_numbers)
    fail(array, fmt::format("the vertices, triangles and heights of the scene have more than {} "
                            "numbers: put the mesh into a file",
                            most_numbers));
}

void ShapeReader::warn(const TriangleMesh& mesh) {
  for (const std::string& warning : mesh.warnings)
    warnings_.push_back(fmt::format("{}: {}", label_, warning));
}

}  // namespace ligament
