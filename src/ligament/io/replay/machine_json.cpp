// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/replay/machine_json.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "ligament/model/joint_coordinates.h"

namespace ligament {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_mesh_bytes = 8'000'000;  // 300 000 triangles, before compression

Json to_json(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }

Json to_json(const Frame& frame) {
  return Json::array(
      {frame.p.x(), frame.p.y(), frame.p.z(), frame.R.w(), frame.R.x(), frame.R.y(), frame.R.z()});
}

// Writes what a geometry looks like.
class Looks {
 public:
  explicit Looks(Bytes& meshes) : meshes_(meshes) {}

  Json operator()(const SphereShape& s) { return {{"type", "sphere"}, {"radius", s.radius}}; }
  Json operator()(const BoxShape& s) { return {{"type", "box"}, {"half", to_json(s.half)}}; }
  Json operator()(const CapsuleShape& s) { return make_long("capsule", s); }
  Json operator()(const CylinderShape& s) { return make_long("cylinder", s); }
  Json operator()(const HalfSpaceShape&) { return {{"type", "half_space"}}; }
  Json operator()(const PlaneShape&) { return {{"type", "plane"}}; }
  Json operator()(const CavityShape& s) { return {{"type", "cavity"}, {"radius", s.radius}}; }

  Json operator()(const ConvexShape& s) {
    std::vector<TriangleIndices> triangles;
    for (const Hull::Face& face : s.hull->faces) {
      const auto corners = s.hull->corners(face);
      for (std::size_t k = 2; k < corners.size(); ++k)
        triangles.push_back({corners[0], corners[k - 1], corners[k]});
    }
    return make_mesh_json(s.hull.get(), s.hull->vertices, triangles);
  }

  Json operator()(const MeshShape& s) {
    return make_mesh_json(s.mesh.get(), s.mesh->vertices, s.mesh->triangles);
  }

  Json operator()(const HeightFieldShape& s) {
    const HeightField& field = *s.field;
    std::vector<Vec3> vertices;
    std::vector<TriangleIndices> triangles;
    for (int j = 0; j < field.rows; ++j)
      for (int i = 0; i < field.columns; ++i) vertices.push_back(field.point(i, j));
    for (int j = 0; j + 1 < field.rows; ++j)
      for (int i = 0; i + 1 < field.columns; ++i) {
        const int k = j * field.columns + i, above = k + field.columns;
        triangles.push_back({k, k + 1, above + 1});
        triangles.push_back({k, above + 1, above});
      }
    return make_mesh_json(s.field.get(), vertices, triangles);
  }

 private:
  template <class Shape>
  static Json make_long(const char* type, const Shape& s) {
    return {{"type", type}, {"radius", s.radius}, {"half_length", s.half_length}};
  }

  // A mesh that several shapes share is written once.
  Json make_mesh_json(const void* key, const std::vector<Vec3>& vertices,
                      const std::vector<TriangleIndices>& triangles) {
    if (const auto found = written_.find(key); found != written_.end()) return found->second;
    const std::size_t bytes = 12 * (vertices.size() + triangles.size());
    Json json = meshes_.size() + bytes > most_mesh_bytes ? make_box(vertices)
                                                         : write_mesh(vertices, triangles);
    return written_.emplace(key, std::move(json)).first->second;
  }

  Json write_mesh(const std::vector<Vec3>& vertices,
                  const std::vector<TriangleIndices>& triangles) {
    return {{"type", "mesh"},
            {"vertices", write_numbers(vertices)},
            // As floats: indices of what a page can hold are far below 2²⁴.
            {"triangles", write_numbers(triangles)}};
  }

  // Offset and count of the numbers.
  template <class Triples>
  Json write_numbers(const Triples& triples) {
    std::vector<float> numbers;
    for (const auto& triple : triples)
      for (const auto number : triple) numbers.push_back(static_cast<float>(number));
    const std::size_t at = meshes_.size() / sizeof(float);
    append_raw(numbers, meshes_);
    return Json::array({at, numbers.size()});
  }

  static Json make_box(const std::vector<Vec3>& vertices) {
    Vec3 low = vertices.front(), high = low;
    for (const Vec3& v : vertices) {
      low = low.cwiseMin(v);
      high = high.cwiseMax(v);
    }
    return {{"type", "box"},
            {"half", to_json(0.5 * (high - low))},
            {"offset", to_json(0.5 * (high + low))},
            {"simplified", true}};
  }

  Bytes& meshes_;
  std::map<const void*, Json> written_;
};

// A box with the mass and the principal moments of a body: a² = 3 (I_y + I_z − I_x)/(2 m) for its
// half edge along x.
Json make_inertia_box(const Model& model, BodyId id) {
  const Body& body = model.body(id);
  const Vec3& I = body.moments;
  Vec3 half;
  for (int i = 0; i < 3; ++i)
    half[i] = std::sqrt(std::max(0.0, 1.5 * (I.sum() - 2.0 * I[i]) / body.mass));
  // A sheet or a needle gets some thickness to be seen.
  half = half.cwiseMax(0.02 * half.maxCoeff());
  return {{"type", "box"},
          {"half", to_json(half)},
          {"pose", to_json(Frame{.R = Quat(model.principal_axes(id))})}};
}

Json make_body_json(const Scene& scene, BodyId id, Json shapes) {
  const Model& model = scene.model;
  const Body& body = model.body(id);
  Json json{{"name", model.name(id)}, {"kind", name_of(body.kind)}, {"mass", body.mass}};
  if (body.kind == BodyKind::rod) json["length"] = body.length;
  if (body.motion >= 0) json["moved"] = true;
  if (shapes.empty() && body.kind == BodyKind::rigid) {
    shapes.push_back(make_inertia_box(model, id));
    json["equivalent"] = true;
  }
  json["shapes"] = std::move(shapes);
  return json;
}

Json make_joint_json(const Model& model, JointId id) {
  const Joint& joint = model.joint(id);
  Json json{{"name", model.name(id)},
            {"kind", name_of(joint.kind)},
            {"a", joint.a.value},
            {"b", joint.b.value},
            {"frame_a", to_json(joint.frame_a)},
            {"frame_b", to_json(joint.frame_b)},
            {"length", joint.length},
            {"coordinates", Json::array()}};
  for (const Coordinate coordinate : coordinates_of(joint.kind))
    json["coordinates"].push_back(
        {{"name", name_of(coordinate)}, {"unit", is_angle(coordinate) ? "rad" : "m"}});
  return json;
}

Json make_control_json(const Model& model, ControlId id) {
  const Control& control = model.control(id);
  const Term& first = model.terms_of(control).front();
  const auto coordinates = coordinates_of(model.joint(first.joint).kind);
  const bool turns = is_angle(coordinates[static_cast<std::size_t>(first.index)]);
  return {{"name", model.name(id)},
          {"kind", name_of(control.kind)},
          {"unit", turns ? "rad" : "m"},
          {"force_unit", turns ? "N m" : "N"},
          {"target", control.target(0.0)}};
}

}  // namespace

Json make_machine_json(const Scene& scene, Bytes& meshes) {
  const Model& model = scene.model;
  Looks looks(meshes);
  std::vector<Json> shapes(model.bodies().size(), Json::array());
  const auto add = [&](BodyId body, const Geometry& geometry, Frame pose, const std::string& name) {
    Json json = std::visit(looks, geometry);
    if (const auto offset = json.find("offset"); offset != json.end()) {
      pose.p += pose.R * Vec3((*offset)[0], (*offset)[1], (*offset)[2]);
      json.erase("offset");
    }
    json["name"] = name;
    json["pose"] = to_json(pose);
    shapes[body.index()].push_back(std::move(json));
  };
  for (std::uint32_t i = 0; i < model.shapes().size(); ++i) {
    const Shape& shape = model.shapes()[i];
    add(shape.body, shape.geometry, shape.pose, model.name(ShapeId{i}));
  }
  for (const Look& look : scene.looks)
    if (shapes[look.body.index()].empty()) add(look.body, look.geometry, {}, "solid");

  Json json{{"name", scene.name},
            {"description", scene.description},
            {"gravity", to_json(model.gravity())},
            {"bodies", Json::array()},
            {"joints", Json::array()},
            {"controls", Json::array()}};
  for (std::uint32_t i = 0; i < model.bodies().size(); ++i)
    json["bodies"].push_back(make_body_json(scene, BodyId{i}, std::move(shapes[i])));
  for (std::uint32_t i = 0; i < model.joints().size(); ++i)
    json["joints"].push_back(make_joint_json(model, JointId{i}));
  for (std::uint32_t i = 0; i < model.controls().size(); ++i)
    json["controls"].push_back(make_control_json(model, ControlId{i}));
  return json;
}

}  // namespace ligament
