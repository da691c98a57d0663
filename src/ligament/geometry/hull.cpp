// SPDX-License-Identifier: Apache-2.0
#include "ligament/geometry/hull.h"

#include <fmt/format.h>
#include <libqhull_r/libqhull_r.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <unordered_map>

#include "ligament/geometry/geometry_error.h"

namespace ligament {
namespace {

constexpr std::size_t most_points = 1'000'000;

// Qhull works on points in the cube [−1, 1]³. Faces within 2.5e-7 of one plane are one face: a part
// that was written in single precision (6e-8) keeps its polygons. The numbers have no decimal
// point, for qhull reads them in the locale of the program. If merging this far spoils the topology
// of a hull with tiny faces, merging to rounding is tried.
constexpr const char* merge_options[] = {"qhull C-0 C25e-8 Pp", "qhull C-0 Pp"};
constexpr double thinnest = 2e-6;  // eight times that: faces further apart do not become one

using Polygon = std::vector<int>;  // of the given points, counter-clockwise seen from outside

struct ScaledPoints {
  std::vector<Vec3> points;  // in [−1, 1]³
  double size;               // [m] of one
};

ScaledPoints scale_points(std::span<const Vec3> points) {
  if (points.size() < 4)
    throw GeometryError(fmt::format("a hull of {} points: it takes four or more", points.size()));
  if (points.size() > most_points)
    throw GeometryError(
        fmt::format("a hull of {} points: it may be of {} at most: leave out those "
                    "that are well inside",
                    points.size(), most_points));
  Vec3 low = points[0], high = points[0];
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite())
      throw GeometryError(fmt::format("point {} is ({}, {}, {}): it must be finite", i,
                                      points[i].x(), points[i].y(), points[i].z()));
    low = low.cwiseMin(points[i]);
    high = high.cwiseMax(points[i]);
  }
  const Vec3 centre = 0.5 * low + 0.5 * high;
  const double size = (0.5 * high - 0.5 * low).maxCoeff();
  if (!(size > 0.0)) throw GeometryError("all points are at one place: a hull needs a volume");
  ScaledPoints scaled{.points = {points.begin(), points.end()}, .size = size};
  for (Vec3& point : scaled.points) point = (point - centre) / size;
  return scaled;
}

// The extent across the plane that fits the points best must be more than rounding.
void require_thickness(const ScaledPoints& scaled) {
  const auto count = static_cast<double>(scaled.points.size());
  Vec3 mean = Vec3::Zero();
  for (const Vec3& point : scaled.points) mean += point / count;
  Mat3 scatter = Mat3::Zero();
  for (const Vec3& point : scaled.points)
    scatter += (point - mean) * (point - mean).transpose() / count;
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(scatter);
  const Vec3 normal = eigen.eigenvectors().col(0);
  double low = 0.0, high = 0.0;
  for (const Vec3& point : scaled.points) {
    const double height = normal.dot(point - mean);
    low = std::min(low, height);
    high = std::max(high, height);
  }
  if (high - low < thinnest)
    throw GeometryError(
        fmt::format("the points lie in one plane: the thickness is {:.3g} m at a size of {:.3g} m: "
                    "it must be at least {:.3g} m",
                    (high - low) * scaled.size, 2.0 * scaled.size, thinnest * scaled.size));
}

// Twice the area of a polygon times its normal, by Newell's sum of p_k × p_{k+1}.
Vec3 compute_area_vector(const std::vector<Vec3>& points, const Polygon& polygon) {
  const Vec3& origin = points[static_cast<std::size_t>(polygon[0])];
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 1; k + 1 < polygon.size(); ++k)
    sum += (points[static_cast<std::size_t>(polygon[k])] - origin)
               .cross(points[static_cast<std::size_t>(polygon[k + 1])] - origin);
  return sum;
}

// One run of qhull, by its C interface: the headers of the C++ one are not C++20. It gets its own
// memory, and a buffer in place of a file for its messages; nothing is printed. The points stay in
// use: vertices are pointers to them.
class Run {
 public:
  Run(std::vector<Vec3>& points, const char* options) : points_(points[0].data()) {
    std::string command = options;
    std::FILE* messages = fmemopen(message_.data(), message_.size() - 1, "w");
    if (messages == nullptr) throw GeometryError("there is no memory for qhull's messages");
    qh_zero(&qh_, messages);
    const int error = qh_new_qhull(&qh_, 3, static_cast<int>(points.size()), points_, qh_False,
                                   command.data(), nullptr, messages);
    std::fclose(messages);
    if (error == qh_ERRnone) return;
    free_memory();
    const std::string message = message_.data();
    throw GeometryError(
        fmt::format("qhull found no hull: {}", message.substr(0, message.find('\n'))));
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() { free_memory(); }

  // The last facet is a sentinel.
  std::vector<const facetT*> find_facets() const {
    std::vector<const facetT*> facets;
    for (const facetT* facet = qh_.facet_list; facet != nullptr && facet->next != nullptr;
         facet = facet->next)
      facets.push_back(facet);
    return facets;
  }

  // The points of a set of vertices.
  std::vector<int> find_points(const setT* vertices) const {
    std::vector<int> points;
    for (const setelemT* item = vertices->e; item->p != nullptr; ++item)
      points.push_back(static_cast<int>((static_cast<vertexT*>(item->p)->point - points_) / 3));
    return points;
  }

 private:
  void free_memory() {
    int blocks = 0, bytes = 0;
    qh_freeqhull(&qh_, !qh_ALL);
    qh_memfreeshort(&qh_, &blocks, &bytes);
  }

  double* points_;
  std::array<char, 512> message_{};
  qhT qh_{};
};

// The corners of a merged facet in order, by its ridges: these are the sides of the polygon.
Polygon walk_ridges(const Run& run, const facetT& facet) {
  std::unordered_map<int, std::array<int, 2>> beside;  // the corners next to one, −1: none yet
  const auto add = [&](int corner, int other) {
    auto& two = beside.try_emplace(corner, std::array{-1, -1}).first->second;
    if (two[1] >= 0) throw GeometryError("three sides of a face meet in one corner");
    (two[0] < 0 ? two[0] : two[1]) = other;
  };
  int first = -1;
  for (const setelemT* item = facet.ridges->e; item->p != nullptr; ++item) {
    const std::vector<int> ends = run.find_points(static_cast<ridgeT*>(item->p)->vertices);
    add(ends.at(0), ends.at(1));
    add(ends.at(1), ends.at(0));
    first = ends[0];
  }
  Polygon polygon;
  for (int at = first, from = -1; polygon.empty() || at != first;) {
    if (at < 0 || polygon.size() == beside.size()) throw GeometryError("a face has an open side");
    polygon.push_back(at);
    const std::array<int, 2>& two = beside.at(at);
    const int next = two[0] != from ? two[0] : two[1];
    from = at;
    at = next;
  }
  if (polygon.size() != beside.size()) throw GeometryError("a face has two rims");
  return polygon;
}

// From its smallest point on.
Polygon find_polygon(const Run& run, const facetT& facet, const std::vector<Vec3>& points) {
  Polygon polygon = facet.simplicial ? run.find_points(facet.vertices) : walk_ridges(run, facet);
  if (polygon.size() < 3) throw GeometryError("a face has fewer than three corners");
  const Vec3 normal(facet.normal[0], facet.normal[1], facet.normal[2]);
  if (compute_area_vector(points, polygon).dot(normal) < 0.0) std::ranges::reverse(polygon);
  std::rotate(polygon.begin(), std::ranges::min_element(polygon), polygon.end());
  return polygon;
}

std::vector<Polygon> find_polygons(std::vector<Vec3>& points, const char* options) {
  const Run run(points, options);
  std::vector<Polygon> polygons;
  for (const facetT* facet : run.find_facets())
    polygons.push_back(find_polygon(run, *facet, points));
  return polygons;
}

// The corners of the polygons become vertices, in the order of the points.
void add_vertices(std::span<const Vec3> points, std::vector<Polygon>& polygons, Hull& hull) {
  std::vector<int> place(points.size(), -1);
  for (const Polygon& polygon : polygons)
    for (const int corner : polygon) place[static_cast<std::size_t>(corner)] = 0;
  int count = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (place[i] == 0) {
      place[i] = count++;
      hull.vertices.push_back(points[i]);
    }
  if (hull.vertices.size() > most_hull_vertices)
    throw GeometryError(
        fmt::format("the hull has {} corners: it may have {} at most: give fewer "
                    "points",
                    hull.vertices.size(), most_hull_vertices));
  for (Polygon& polygon : polygons)
    for (int& corner : polygon) corner = place[static_cast<std::size_t>(corner)];
}

// The plane touches the corner that is farthest out: n·x ≤ offset for all of them.
void add_face(const Polygon& polygon, const Vec3& area_vector, Hull& hull) {
  const Vec3 normal = area_vector.stableNormalized();
  if (!(normal.norm() > 0.5)) throw GeometryError("a face has no area");
  double offset = normal.dot(hull.vertices[static_cast<std::size_t>(polygon[0])]);
  for (const int corner : polygon)
    offset = std::max(offset, normal.dot(hull.vertices[static_cast<std::size_t>(corner)]));
  hull.faces.push_back({.normal = normal,
                        .offset = offset,
                        .first = static_cast<int>(hull.face_vertices.size()),
                        .count = static_cast<int>(polygon.size())});
  hull.face_vertices.insert(hull.face_vertices.end(), polygon.begin(), polygon.end());
}

// Each side of a face, a < b, once for each of its two directions.
struct Side {
  int a, b, backward, face;
  auto operator<=>(const Side&) const = default;
};

void add_edges(Hull& hull) {
  std::vector<Side> sides;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const auto corners = hull.corners(hull.faces[f]);
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const int from = corners[k], to = corners[(k + 1) % corners.size()];
      sides.push_back({std::min(from, to), std::max(from, to), from > to, static_cast<int>(f)});
    }
  }
  std::ranges::sort(sides);
  for (std::size_t i = 0; i < sides.size(); i += 2) {
    const Side& one = sides[i];
    const bool paired = i + 1 < sides.size() && one.a == sides[i + 1].a && one.b == sides[i + 1].b;
    if (!paired || one.backward != 0 || sides[i + 1].backward != 1)
      throw GeometryError("an edge of the hull has not two faces");
    hull.edges.push_back({one.a, one.b, one.face, sides[i + 1].face});
  }
  if (hull.vertices.size() + hull.faces.size() != hull.edges.size() + 2)
    throw GeometryError("the hull is not the surface of one body");  // Euler: V − E + F = 2
}

// Edges are sorted by a, then b: so become the neighbours of each vertex.
void add_neighbours(Hull& hull) {
  hull.first_neighbour.assign(hull.vertices.size() + 1, 0);
  const auto count = [&](int i) -> int& {
    return hull.first_neighbour[static_cast<std::size_t>(i)];
  };
  for (const Hull::Edge& edge : hull.edges) {
    ++count(edge.a + 1);
    ++count(edge.b + 1);
  }
  for (std::size_t i = 1; i < hull.first_neighbour.size(); ++i)
    hull.first_neighbour[i] += hull.first_neighbour[i - 1];
  hull.neighbours.resize(2 * hull.edges.size());
  std::vector<int> next = hull.first_neighbour;
  for (const Hull::Edge& edge : hull.edges) {
    hull.neighbours[static_cast<std::size_t>(next[static_cast<std::size_t>(edge.a)]++)] = edge.b;
    hull.neighbours[static_cast<std::size_t>(next[static_cast<std::size_t>(edge.b)]++)] = edge.a;
  }
}

Hull assemble_hull(std::span<const Vec3> points, ScaledPoints& scaled, const char* options) {
  std::vector<Polygon> polygons = find_polygons(scaled.points, options);
  std::vector<Vec3>
      area_vectors;  // of the scaled points: far from the origin they have more digits
  for (const Polygon& polygon : polygons)
    area_vectors.push_back(compute_area_vector(scaled.points, polygon));
  Hull hull;
  add_vertices(points, polygons, hull);
  for (std::size_t f = 0; f < polygons.size(); ++f) add_face(polygons[f], area_vectors[f], hull);
  add_edges(hull);
  add_neighbours(hull);
  return hull;
}

}  // namespace

std::shared_ptr<const Hull> make_hull(std::span<const Vec3> points) {
  ScaledPoints scaled = scale_points(points);
  require_thickness(scaled);
  try {
    return std::make_shared<const Hull>(assemble_hull(points, scaled, merge_options[0]));
  } catch (const GeometryError&) {
    return std::make_shared<const Hull>(assemble_hull(points, scaled, merge_options[1]));
  }
}

}  // namespace ligament
