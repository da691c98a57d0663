// SPDX-License-Identifier: Apache-2.0
// Closed surfaces for the tests of this folder.
#pragma once

#include <vector>

#include "ligament/geometry/triangle_mesh.h"

namespace ligament {

struct Surface {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
};

// A box from −half to half. Vertex 4 x + 2 y + z, each 0 or 1.
inline Surface make_box(const Vec3& half, const Vec3& centre = Vec3::Zero()) {
  Surface box;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      for (const double z : {-1.0, 1.0})
        box.vertices.push_back(centre + half.cwiseProduct(Vec3(x, y, z)));
  box.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
                   {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
  return box;
}

// Each triangle becomes four, by the middles of its edges: the surface is the same. Vertices are
// not shared between the triangles.
inline Surface refine(const Surface& coarse) {
  Surface fine;
  const auto add = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const auto first = static_cast<std::int32_t>(fine.vertices.size());
    fine.vertices.insert(fine.vertices.end(), {a, b, c});
    fine.triangles.push_back({first, first + 1, first + 2});
  };
  for (const TriangleIndices& t : coarse.triangles) {
    const auto at = [&](int k) -> const Vec3& {
      return coarse.vertices[static_cast<std::size_t>(t[static_cast<std::size_t>(k)])];
    };
    const Vec3 ab = 0.5 * (at(0) + at(1)), bc = 0.5 * (at(1) + at(2)), ca = 0.5 * (at(2) + at(0));
    add(at(0), ab, ca);
    add(ab, at(1), bc);
    add(ca, bc, at(2));
    add(ab, bc, ca);
  }
  return fine;
}

}  // namespace ligament
