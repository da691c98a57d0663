// SPDX-License-Identifier: Apache-2.0
// Triangles from files: Wavefront OBJ, and STL in binary or as text. The readers are our own, for
// Assimp's repair and drop in silence what has to be reported here.
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <vector>

#include "ligament/geometry/triangle_mesh.h"

namespace ligament {

// What is wrong with a mesh file, in one line: the file, the line of it if it is text, the culprit
// and what would be right.
//     bowl.obj:17: the face has 2 corners: it must have at least 3
class MeshFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Lengths in the file are multiplied by `scale` > 0: 0.001 for a file in millimetres. The kind of
// the file is told by its extension, .obj or .stl in any case. Polygons are cut into triangles from
// their first corner. What the mesh itself lacks is in its warnings. Throws MeshFileError.
std::shared_ptr<const TriangleMesh> read_mesh(const std::filesystem::path& file,
                                              double scale = 1.0);

// The vertices alone, each place once, for make_hull. An OBJ file may do without faces.
std::vector<Vec3> read_mesh_points(const std::filesystem::path& file, double scale = 1.0);

}  // namespace ligament
