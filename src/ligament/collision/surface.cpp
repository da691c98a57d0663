// SPDX-License-Identifier: Apache-2.0
#include "ligament/collision/surface.h"

#include <algorithm>
#include <cmath>

namespace ligament {
namespace {

Vec3 compute_normal(const Vec3& p, const Vec3& q, const Vec3& r) {
  return (q - p).cross(r - p).normalized();
}

}  // namespace

Surface::Surface(std::shared_ptr<const TriangleMesh> mesh) : mesh_(std::move(mesh)) {
  std::vector<Bounds> boxes(mesh_->triangles.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (const std::int32_t v : mesh_->triangles[i]) {
      const Vec3& x = mesh_->vertices[static_cast<std::size_t>(v)];
      boxes[i].include({x, x});
    }
    bounds_.include(boxes[i]);
  }
  tree_.build(boxes);
}

Surface::Surface(std::shared_ptr<const HeightField> field) : field_(std::move(field)) {
  const Vec3 first = field_->point(0, 0);
  const Vec3 last = field_->point(field_->columns - 1, field_->rows - 1);
  bounds_ = {{first.x(), first.y(), field_->lowest}, {last.x(), last.y(), field_->highest}};
}

std::array<int, 4> Surface::find_cells(const Bounds& box) const {
  const auto cell = [](double x, double spacing, int cells) {
    return static_cast<int>(std::clamp(std::floor(x / spacing), -1.0, static_cast<double>(cells)));
  };
  const int columns = field_->columns - 1, rows = field_->rows - 1;
  return {std::max(cell(box.low.x(), field_->dx, columns), 0),
          std::min(cell(box.high.x(), field_->dx, columns), columns - 1),
          std::max(cell(box.low.y(), field_->dy, rows), 0),
          std::min(cell(box.high.y(), field_->dy, rows), rows - 1)};
}

bool Surface::is_above_cell(int i, int j, const Bounds& box) const {
  const double highest = std::max({field_->point(i, j).z(), field_->point(i + 1, j).z(),
                                   field_->point(i, j + 1).z(), field_->point(i + 1, j + 1).z()});
  return box.low.z() > highest;
}

SurfaceTriangle Surface::triangle(int index) const {
  return mesh_ ? mesh_triangle(index) : field_triangle(index);
}

SurfaceTriangle Surface::mesh_triangle(int index) const {
  const auto i = static_cast<std::size_t>(index);
  SurfaceTriangle t{
      .corners = {}, .normal = mesh_->normals[i], .beyond = {}, .ids = {}, .index = index};
  for (std::size_t k = 0; k < 3; ++k)
    t.corners[k] = mesh_->vertices[static_cast<std::size_t>(mesh_->triangles[i][k])];
  t.ids = mesh_->triangles[i];
  for (std::size_t k = 0; k < 3; ++k) {
    const std::int32_t other = mesh_->neighbours[i][k];
    t.beyond[k] = other < 0 ? find_outward(t, k) : mesh_->normals[static_cast<std::size_t>(other)];
  }
  return t;
}

// Cell (i, j) has the triangles 2c (its lower right half) and 2c + 1 (its upper left half).
SurfaceTriangle Surface::field_triangle(int index) const {
  const HeightField& f = *field_;
  const int columns = f.columns - 1, rows = f.rows - 1;
  const int cell = index / 2, i = cell % columns, j = cell / columns;
  const auto lower = [&](int ci, int cj) {
    return compute_normal(f.point(ci, cj), f.point(ci + 1, cj), f.point(ci + 1, cj + 1));
  };
  const auto upper = [&](int ci, int cj) {
    return compute_normal(f.point(ci, cj), f.point(ci + 1, cj + 1), f.point(ci, cj + 1));
  };
  SurfaceTriangle t{.corners = {}, .normal = {}, .beyond = {}, .ids = {}, .index = index};
  const int corner = j * f.columns + i;
  if (index % 2 == 0) {
    t.corners = {f.point(i, j), f.point(i + 1, j), f.point(i + 1, j + 1)};
    t.ids = {corner, corner + 1, corner + 1 + f.columns};
    t.normal = lower(i, j);
    t.beyond = {j > 0 ? upper(i, j - 1) : find_outward(t, 0),
                i + 1 < columns ? upper(i + 1, j) : find_outward(t, 1), upper(i, j)};
  } else {
    t.corners = {f.point(i, j), f.point(i + 1, j + 1), f.point(i, j + 1)};
    t.ids = {corner, corner + 1 + f.columns, corner + f.columns};
    t.normal = upper(i, j);
    t.beyond = {lower(i, j), j + 1 < rows ? lower(i, j + 1) : find_outward(t, 1),
                i > 0 ? lower(i - 1, j) : find_outward(t, 2)};
  }
  return t;
}

}  // namespace ligament
