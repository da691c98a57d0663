// SPDX-License-Identifier: Apache-2.0
// A surface of triangles. Contacts come from the outside of each triangle, the side from which its
// corners are seen counter-clockwise.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ligament/math/types.h"

namespace ligament {

using TriangleIndices = std::array<std::int32_t, 3>;

struct TriangleMesh {
  std::vector<Vec3> vertices;              // [m]
  std::vector<TriangleIndices> triangles;  // counter-clockwise seen from outside
  std::vector<Vec3> normals;               // unit, of the triangles
  // The triangle beyond edge k of triangle i (from corner k to corner k + 1), −1 if there is none
  // or it was left out for having no area.
  std::vector<std::array<std::int32_t, 3>> neighbours;
  // Every edge has two triangles, those without area counted: the mesh bounds a solid.
  bool closed = false;
  double volume = 0.0;  // [m³] signed; of a closed mesh
  // What was mended or is doubtful, one line each: dropped triangles without area, an open rim of a
  // mesh, a closed mesh that was inside out.
  std::vector<std::string> warnings;
};

constexpr std::size_t most_mesh_triangles = 10'000'000;

// Vertices at the same place, to the last bit, are made one, and those that no triangle uses are
// left out; so are, with a warning, triangles without area. Throws GeometryError if there is no
// triangle or more than most_mesh_triangles, a vertex is not finite or an index out of range, if an
// edge has more than two triangles (not manifold), or if two neighbours do not agree on which side
// is outside. A closed mesh with negative volume is turned inside out, with a warning.
std::shared_ptr<const TriangleMesh> make_mesh(std::vector<Vec3> vertices,
                                              std::vector<TriangleIndices> triangles);

}  // namespace ligament
