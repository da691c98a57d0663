// SPDX-License-Identifier: Apache-2.0
#include "ligament/geometry/triangle_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <span>
#include <tuple>

#include "ligament/geometry/geometry_error.h"

namespace ligament {
namespace {

// A triangle whose height over its longest edge is below this fraction of that edge has no area:
// its normal would be rounding.
constexpr double least_height = 1e-10;
constexpr double largest_coordinate = 1e50;  // [m] the sixth power, of inertia, is finite

std::size_t to_size(std::int32_t i) { return static_cast<std::size_t>(i); }

void require_numbers(const std::vector<Vec3>& vertices,
                     const std::vector<TriangleIndices>& triangles) {
  if (triangles.empty())
    throw GeometryError("the mesh has no triangles: it must have at least one");
  if (triangles.size() > most_mesh_triangles)
    throw GeometryError(fmt::format("the mesh has {} triangles: it may have {} at most",
                                    triangles.size(), most_mesh_triangles));
  if (vertices.size() > 3 * most_mesh_triangles)
    throw GeometryError(fmt::format("the mesh has {} vertices: it may have {} at most",
                                    vertices.size(), 3 * most_mesh_triangles));
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec3& v = vertices[i];
    if (!(v.array().abs() <= largest_coordinate).all())
      throw GeometryError(
          fmt::format("vertex {} is ({}, {}, {}): it must be finite and not above {}", i, v.x(),
                      v.y(), v.z(), largest_coordinate));
  }
  for (std::size_t i = 0; i < triangles.size(); ++i)
    for (const std::int32_t corner : triangles[i])
      if (corner < 0 || to_size(corner) >= vertices.size())
        throw GeometryError(fmt::format("triangle {} has the vertex {}: it must be 0 … {}", i,
                                        corner, static_cast<std::int64_t>(vertices.size()) - 1));
}

std::uint64_t hash_bits(const Vec3& v) {
  std::uint64_t hash = 0;
  for (const double x : v) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 32U;
  }
  return hash;
}

// For each vertex the first one at its place. By open addressing in a table at most half full.
std::vector<std::int32_t> find_first_at_place(const std::vector<Vec3>& vertices) {
  const std::size_t mask = std::bit_ceil(2 * vertices.size() + 2) - 1;
  std::vector<std::int32_t> table(mask + 1, -1), first(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    std::size_t at = hash_bits(vertices[i]) & mask;
    while (table[at] >= 0 && vertices[to_size(table[at])] != vertices[i]) at = (at + 1) & mask;
    if (table[at] < 0) table[at] = static_cast<std::int32_t>(i);
    first[i] = table[at];
  }
  return first;
}

// Edges of the triangle divided by its largest extent: no over- or underflow in their products.
struct ScaledEdges {
  Vec3 ab, ac;
  double longest;
};

ScaledEdges compute_edges(const std::vector<Vec3>& vertices, const TriangleIndices& triangle) {
  const Vec3& a = vertices[to_size(triangle[0])];
  Vec3 ab = vertices[to_size(triangle[1])] - a, ac = vertices[to_size(triangle[2])] - a;
  const double size = std::max(ab.lpNorm<Eigen::Infinity>(), ac.lpNorm<Eigen::Infinity>());
  if (size > 0.0) {
    ab /= size;
    ac /= size;
  }
  return {ab, ac,
          std::sqrt(std::max({ab.squaredNorm(), ac.squaredNorm(), (ac - ab).squaredNorm()}))};
}

// The unit normal, none if the triangle has no area: |ab × ac| = height · longest edge.
std::optional<Vec3> compute_normal(const std::vector<Vec3>& vertices,
                                   const TriangleIndices& triangle) {
  const ScaledEdges edges = compute_edges(vertices, triangle);
  const Vec3 area = edges.ab.cross(edges.ac);
  const double size = area.norm();
  if (!(size > least_height * edges.longest * edges.longest)) return std::nullopt;
  return Vec3(area / size);
}

// Triangles between the given vertices, with the numbers that they had.
struct Numbered {
  std::vector<TriangleIndices> triangles;
  std::vector<std::int32_t> given;
};

// Side k of triangle i is side 3 i + k; it runs from corner k to corner k + 1.
struct Side {
  std::int32_t other;  // the larger of its two vertices
  std::int32_t side;
};

std::pair<std::int32_t, std::int32_t> find_ends(const Numbered& mesh, std::int32_t side) {
  const TriangleIndices& triangle = mesh.triangles[to_size(side / 3)];
  return {triangle[to_size(side % 3)], triangle[to_size((side + 1) % 3)]};
}

// Calls visit(sides) for each edge, with all the sides that lie on it in ascending order. The sides
// are put in order of their smaller vertex by counting, and those at one vertex by sorting.
template <class Visit>
void visit_edges(const Numbered& mesh, std::size_t vertex_count, const Visit& visit) {
  const auto side_count = static_cast<std::int32_t>(3 * mesh.triangles.size());
  std::vector<std::int32_t> begin(vertex_count + 2, 0);  // shifted by one: filling moves it back
  for (std::int32_t side = 0; side < side_count; ++side) {
    const auto [from, to] = find_ends(mesh, side);
    ++begin[to_size(std::min(from, to)) + 2];
  }
  for (std::size_t i = 2; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<Side> sides(to_size(side_count));
  for (std::int32_t side = 0; side < side_count; ++side) {
    const auto [from, to] = find_ends(mesh, side);
    sides[to_size(begin[to_size(std::min(from, to)) + 1]++)] = {std::max(from, to), side};
  }
  for (std::size_t vertex = 0; vertex < vertex_count; ++vertex) {
    const std::span here = std::span(sides).subspan(to_size(begin[vertex]),
                                                    to_size(begin[vertex + 1] - begin[vertex]));
    std::ranges::sort(here, {}, [](const Side& s) { return std::tuple(s.other, s.side); });
    for (std::size_t i = 0, end = 0; i < here.size(); i = end) {
      while (end < here.size() && here[end].other == here[i].other) ++end;
      visit(here.subspan(i, end - i));
    }
  }
}

// Throws unless at most two triangles lie on an edge, and run along it in opposite directions.
void require_manifold(const Numbered& mesh, std::span<const Side> sides) {
  if (sides.size() < 2) return;
  const auto [from, to] = find_ends(mesh, sides[0].side);
  const auto triangle = [&](std::size_t i) { return mesh.given[to_size(sides[i].side / 3)]; };
  if (sides.size() > 2)
    throw GeometryError(
        fmt::format("the edge between vertices {} and {} has {} triangles ({}, {}, {}{}): it must "
                    "have one or two (all counted from 0)",
                    from, to, sides.size(), triangle(0), triangle(1), triangle(2),
                    sides.size() > 3 ? ", …" : ""));
  if (find_ends(mesh, sides[1].side).first == from)
    throw GeometryError(fmt::format(
        "triangles {} and {} do not agree on which side is outside: both run from vertex {} to {}: "
        "turn one over, or remove it if it is there twice (all counted from 0)",
        triangle(0), triangle(1), from, to));
}

struct Rim {
  std::size_t edges = 0;    // with a triangle on one side only
  std::int32_t first = -1;  // such a triangle, as it was given
};

Rim find_neighbours(const Numbered& kept, std::size_t vertex_count, TriangleMesh& mesh) {
  Rim rim;
  mesh.neighbours.assign(kept.triangles.size(), {-1, -1, -1});
  visit_edges(kept, vertex_count, [&](std::span<const Side> sides) {
    require_manifold(kept, sides);
    if (sides.size() == 1) {
      const std::int32_t given = kept.given[to_size(sides[0].side / 3)];
      rim.first = rim.edges++ == 0 ? given : std::min(rim.first, given);
      return;
    }
    const std::int32_t a = sides[0].side, b = sides[1].side;
    mesh.neighbours[to_size(a / 3)][to_size(a % 3)] = b / 3;
    mesh.neighbours[to_size(b / 3)][to_size(b % 3)] = a / 3;
  });
  return rim;
}

// Whether each edge has two triangles of opposite direction.
bool is_closed(const Numbered& mesh, std::size_t vertex_count) {
  bool closed = true;
  visit_edges(mesh, vertex_count, [&](std::span<const Side> sides) {
    closed = closed && sides.size() == 2 &&
             find_ends(mesh, sides[0].side).first != find_ends(mesh, sides[1].side).first;
  });
  return closed;
}

// Takes over the triangles with an area, and reports the others. The slivers of those, with three
// different corners, are given back: they may be what closes the mesh.
Numbered add_triangles(const std::vector<Vec3>& vertices, const Numbered& all, TriangleMesh& mesh,
                       Numbered& kept) {
  Numbered slivers;
  std::size_t dropped = 0;
  std::int32_t first_dropped = -1;
  for (std::size_t i = 0; i < all.triangles.size(); ++i) {
    const TriangleIndices& t = all.triangles[i];
    if (const std::optional<Vec3> normal = compute_normal(vertices, t)) {
      mesh.normals.push_back(*normal);
      kept.triangles.push_back(t);
      kept.given.push_back(all.given[i]);
      continue;
    }
    if (dropped++ == 0) first_dropped = all.given[i];
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) slivers.triangles.push_back(t);
  }
  if (kept.triangles.empty())
    throw GeometryError(
        "no triangle of the mesh has an area: at least one must have three corners "
        "that are not in a line");
  if (dropped > 0)
    mesh.warnings.push_back(
        fmt::format("left out {} of {} triangles, which have no area: the first "
                    "is triangle {}",
                    dropped, all.triangles.size(), first_dropped));
  return slivers;
}

// The vertices that are in use, in their order, and the triangles between them.
void add_vertices(const std::vector<Vec3>& vertices, const Numbered& kept, TriangleMesh& mesh) {
  std::vector<std::int32_t> place(vertices.size(), -1);
  for (const TriangleIndices& triangle : kept.triangles)
    for (const std::int32_t corner : triangle) place[to_size(corner)] = 0;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (place[i] < 0) continue;
    place[i] = static_cast<std::int32_t>(mesh.vertices.size());
    mesh.vertices.push_back(vertices[i]);
  }
  mesh.triangles = kept.triangles;
  for (TriangleIndices& triangle : mesh.triangles)
    for (std::int32_t& corner : triangle) corner = place[to_size(corner)];
}

// V = Σ a·(b × c)/6 over the triangles, from a point amid them.
double compute_volume(const TriangleMesh& mesh) {
  Vec3 low = mesh.vertices[0], high = mesh.vertices[0];
  for (const Vec3& vertex : mesh.vertices) {
    low = low.cwiseMin(vertex);
    high = high.cwiseMax(vertex);
  }
  const Vec3 centre = 0.5 * (low + high);
  double sum = 0.0;
  for (const TriangleIndices& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[to_size(t[0])] - centre, b = mesh.vertices[to_size(t[1])] - centre;
    sum += a.dot(b.cross(mesh.vertices[to_size(t[2])] - centre));
  }
  return sum / 6.0;
}

void turn_inside_out(TriangleMesh& mesh) {
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    std::swap(mesh.triangles[i][1], mesh.triangles[i][2]);
    std::swap(mesh.neighbours[i][0], mesh.neighbours[i][2]);  // edges ab, bc, ca are now ac, cb, ba
    mesh.normals[i] *= -1.0;
  }
  mesh.volume *= -1.0;
  mesh.warnings.push_back(
      fmt::format("the closed mesh was inside out: all {} triangles were turned "
                  "over",
                  mesh.triangles.size()));
}

}  // namespace

std::shared_ptr<const TriangleMesh> make_mesh(std::vector<Vec3> vertices,
                                              std::vector<TriangleIndices> triangles) {
  require_numbers(vertices, triangles);
  for (Vec3& vertex : vertices) vertex.array() += 0.0;  // −0 becomes 0
  const std::vector<std::int32_t> first = find_first_at_place(vertices);
  Numbered all{.triangles = std::move(triangles), .given = {}}, kept;
  for (TriangleIndices& triangle : all.triangles) {
    all.given.push_back(static_cast<std::int32_t>(all.given.size()));
    for (std::int32_t& corner : triangle) corner = first[to_size(corner)];
  }
  auto mesh = std::make_shared<TriangleMesh>();
  Numbered closing = add_triangles(vertices, all, *mesh, kept);
  const Rim rim = find_neighbours(kept, vertices.size(), *mesh);
  mesh->closed = rim.edges == 0;
  if (!mesh->closed && !closing.triangles.empty()) {
    closing.triangles.insert(closing.triangles.end(), kept.triangles.begin(), kept.triangles.end());
    mesh->closed = is_closed(closing, vertices.size());
  }
  add_vertices(vertices, kept, *mesh);
  if (!mesh->closed)
    mesh->warnings.push_back(
        fmt::format("the mesh is open: {} edges have a triangle on one side only: "
                    "the first is of triangle {}",
                    rim.edges, rim.first));
  if (mesh->closed) mesh->volume = compute_volume(*mesh);
  if (mesh->volume < 0.0) turn_inside_out(*mesh);
  return mesh;
}

}  // namespace ligament
