// SPDX-License-Identifier: Apache-2.0
// A writer for the rows of one part inside a row block: what the parts fill each step.
#pragma once

#include "ligament/constraints/body_frame.h"

namespace ligament {

// The columns of one body in a row block. `values` is null for a body that stands still; those of a
// fixed body that is moved as prescribed belong to the matrix P of constraint_set.h.
struct EntryView {
  double* values = nullptr;  // first row of the part, column 0
  int stride = 0;            // rows of the whole block: the distance between columns

  void put(int row, int column, const Vec3& v) const {
    for (int c = 0; c < 3; ++c) values[(column + c) * stride + row] = v(c);
  }
  void add(int row, int column, const Vec3& v) const {
    for (int c = 0; c < 3; ++c) values[(column + c) * stride + row] += v(c);
  }
};

struct RowView {
  double* g;  // constraint values of the part's rows
  EntryView a;
  EntryView b;
};

// Row of the velocity n·ṗ of a body-fixed point at lever arm r:
//   rigid     n·(ẋ + ω × r) = n·ẋ + (r × n)·ω
//   rod       n·(ẋ + s u̇)                       at p = x + s u
//   particle  n·ẋ                                                                  [JO.1]
inline void put_point_row(const EntryView& view, int row, const BodyFrame& body, const Vec3& n,
                          const Vec3& r, double s) {
  if (!view.values) return;
  view.put(row, 0, n);
  if (body.kind == BodyKind::rigid || body.kind == BodyKind::fixed) view.put(row, 3, r.cross(n));
  if (body.kind == BodyKind::rod) view.put(row, 3, s * n);
}

// The same, added to what the row has.
inline void add_point_row(const EntryView& view, int row, const BodyFrame& body, const Vec3& n,
                          const Vec3& r, double s) {
  if (!view.values) return;
  view.add(row, 0, n);
  if (body.kind == BodyKind::rigid || body.kind == BodyKind::fixed) view.add(row, 3, r.cross(n));
  if (body.kind == BodyKind::rod) view.add(row, 3, s * n);
}

// Row of the angular velocity n·ω of a rigid body.
inline void put_turn_row(const EntryView& view, int row, const Vec3& n) {
  if (view.values) view.put(row, 3, n);
}

}  // namespace ligament
