// SPDX-License-Identifier: Apache-2.0
// Contacts of a convex body with a surface of triangles, without bumps at inner edges.
//
// A triangle may push along its own normal and, over an edge or corner that sticks out, along the
// directions between its normal and that of its neighbour: these are the normals of the surface. A
// direction that leans over a flat or hollow edge is none of them; there the neighbour is nearer,
// and the contact is the neighbour's. The gap to a triangle is
//
//     max over the surface normals m of  min over the body of m·y − max over the triangle of m·x
//                                                                                         [CO.10]
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "ligament/collision/bounds_tree.h"
#include "ligament/collision/manifold.h"
#include "ligament/geometry/height_field.h"
#include "ligament/geometry/triangle_mesh.h"

namespace ligament {

struct SurfaceTriangle {
  std::array<Vec3, 3> corners;  // [m] counter-clockwise seen from outside
  Vec3 normal;                  // unit, outward
  // The normal of the triangle beyond edge k (corner k to corner k + 1); at the rim of the surface
  // the direction away from it.
  std::array<Vec3, 3> beyond;
  std::array<int, 3> ids{};  // of the corners
  int index = 0;
};

// Across edge k, away from the triangle.
inline Vec3 find_outward(const SurfaceTriangle& t, std::size_t k) {
  return (t.corners[(k + 1) % 3] - t.corners[k]).cross(t.normal).normalized();
}

// A triangle mesh or a height field, with what finds its triangles in a box.
class Surface {
 public:
  explicit Surface(std::shared_ptr<const TriangleMesh> mesh);
  explicit Surface(std::shared_ptr<const HeightField> field);

  // visit(index) of each triangle that may overlap the box, in the surface's frame.
  template <class Visit>
  void for_each_triangle(const Bounds& box, const Visit& visit) const {
    if (mesh_)
      tree_.for_each_overlap(box, visit);
    else
      for_each_cell_triangle(box, visit);
  }
  SurfaceTriangle triangle(int index) const;
  const Bounds& bounds() const { return bounds_; }
  // The triangles themselves, for rays: the tree of a mesh, the rows and columns of a field.
  const BoundsTree& tree() const { return tree_; }
  const HeightField* field() const { return field_.get(); }

 private:
  std::array<int, 4> find_cells(const Bounds& box) const;  // first and last column, row
  bool is_above_cell(int i, int j, const Bounds& box) const;
  SurfaceTriangle mesh_triangle(int index) const;
  SurfaceTriangle field_triangle(int index) const;

  template <class Visit>
  void for_each_cell_triangle(const Bounds& box, const Visit& visit) const {
    const std::array<int, 4> cells = find_cells(box);
    for (int j = cells[2]; j <= cells[3]; ++j)
      for (int i = cells[0]; i <= cells[1]; ++i) {
        if (is_above_cell(i, j, box)) continue;
        const int first = 2 * (j * (field_->columns - 1) + i);
        visit(first);
        visit(first + 1);
      }
  }

  std::shared_ptr<const TriangleMesh> mesh_{};
  std::shared_ptr<const HeightField> field_{};
  BoundsTree tree_;
  Bounds bounds_;
};

struct SurfacePoint {
  ManifoldPoint point;
  Vec3 n;  // unit, from the body to the surface
};

// Contacts of one body with one surface: the body is A, the surface B. What it keeps is memory.
class SurfaceContacts {
 public:
  // All in the surface's frame. Points with a gap up to the margin [m], at most four for each
  // direction that the surface faces, and for eight directions.
  std::span<const SurfacePoint> find(const Surface& surface, const Convex& body, double margin);

 private:
  // A triangle near the body.
  struct Touch {
    SurfaceTriangle triangle;
    bool on_surface = false;  // along a surface normal: the triangle may push
    Vec3 m = Vec3::UnitZ();   // unit, from the triangle to the body
    double gap = 0.0;         // [m]
    Vec3 x, y;  // [m] nearest points of the body and of the triangle, if they are apart
    bool apart = false;
    bool corners_only = false;  // it may push corners of the body that stand over it
    bool deferred = false;      // a neighbour in its plane has the contact
  };
  bool find_touch(const Convex& body, double margin, Touch& touch) const;
  bool find_point_touch(const Convex& body, double margin, Touch& touch) const;
  void sort_by_vertex();
  // The touches whose triangles have a vertex.
  struct AtVertex {
    int vertex, touch;
  };
  std::span<const AtVertex> touches_at(int vertex) const;
  bool is_nearest_at_its_corners(const Touch& touch, const Convex& body) const;
  void defer_to_flat_neighbours(double tie);
  void defer_from(std::size_t best, double tie);
  void add_points(const Touch& touch, const Convex& body, double margin);
  void choose(double size);

  std::vector<Touch> touches_;
  std::vector<AtVertex> at_vertex_;  // sorted
  std::vector<std::size_t> by_gap_, reached_;
  std::vector<SurfacePoint> candidates_, chosen_;
  std::vector<ManifoldPoint> group_;
};

}  // namespace ligament
