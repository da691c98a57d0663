// SPDX-License-Identifier: Apache-2.0
// The convex hull of points, with what the narrow phase asks for: faces as polygons, edges, and the
// neighbours of each vertex.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ligament/math/types.h"

namespace ligament {

struct Hull {
  struct Face {
    Vec3 normal;       // unit, outward
    double offset;     // [m] n·x = offset on the face, below inside
    int first, count;  // its corners in face_vertices, counter-clockwise seen from outside
  };
  struct Edge {
    int a, b;         // vertices, a < b
    int left, right;  // the faces on both sides
  };
  std::vector<Vec3> vertices;  // [m] the corners of the hull, in the order of the given points
  std::vector<Face> faces;     // coplanar triangles are one face
  std::vector<int> face_vertices;
  std::vector<Edge> edges;
  // The vertices that share an edge with vertex i: neighbours[first_neighbour[i] …
  // first_neighbour[i + 1]).
  std::vector<int> first_neighbour, neighbours;

  std::span<const int> corners(const Face& face) const {
    return std::span(face_vertices)
        .subspan(static_cast<std::size_t>(face.first), static_cast<std::size_t>(face.count));
  }
  std::span<const int> neighbours_of(int vertex) const {
    const auto i = static_cast<std::size_t>(vertex);
    return std::span(neighbours)
        .subspan(static_cast<std::size_t>(first_neighbour[i]),
                 static_cast<std::size_t>(first_neighbour[i + 1] - first_neighbour[i]));
  }
};

// At most this many corners: feature ids have 15 bits a vertex.
constexpr std::size_t most_hull_vertices = 32768;

// By qhull. Throws GeometryError if the points are not finite, fewer than four or more than a
// million, all in one plane (to 2e-6 of the half size), or more than most_hull_vertices of them are
// corners.
std::shared_ptr<const Hull> make_hull(std::span<const Vec3> points);

}  // namespace ligament
