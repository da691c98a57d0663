// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "ligament/model/validation.h"

namespace ligament {
namespace {

struct SizeCheck {
  const Culprit& culprit;

  void operator()(const SphereShape& s) const { culprit.require_positive("radius", s.radius); }
  void operator()(const BoxShape& s) const {
    for (int i = 0; i < 3; ++i) culprit.require_positive("half", s.half(i));
  }
  void operator()(const CapsuleShape& s) const { check_round(s.radius, s.half_length); }
  void operator()(const CylinderShape& s) const { check_round(s.radius, s.half_length); }
  void operator()(const ConvexShape& s) const {
    require_made(s.hull.get(), "hull: make_hull()");
    for (const Vec3& vertex : s.hull->vertices) culprit.require_vector("a vertex", vertex);
  }
  void operator()(const HeightFieldShape& s) const {
    require_made(s.field.get(), "height field: make_height_field()");
    culprit.require_vector("its far corner",
                           s.field->point(s.field->columns - 1, s.field->rows - 1));
    culprit.require_number("its lowest height", s.field->lowest);
    culprit.require_number("its highest height", s.field->highest);
  }
  void operator()(const MeshShape& s) const {
    require_made(s.mesh.get(), "mesh: make_mesh()");
    for (const Vec3& vertex : s.mesh->vertices) culprit.require_vector("a vertex", vertex);
  }
  void operator()(const CavityShape& s) const { culprit.require_positive("radius", s.radius); }
  void operator()(const HalfSpaceShape&) const {}
  void operator()(const PlaneShape&) const {}

  void check_round(double radius, double half_length) const {
    culprit.require_positive("radius", radius);
    culprit.require_positive("half length", half_length);
  }
  void require_made(const void* made, const char* what) const {
    if (!made) culprit.fail(fmt::format("has no {} makes one", what));
  }
};

bool is_for_fixed_bodies(const Geometry& geometry) {
  return std::holds_alternative<HalfSpaceShape>(geometry) ||
         std::holds_alternative<PlaneShape>(geometry) ||
         std::holds_alternative<HeightFieldShape>(geometry) ||
         std::holds_alternative<MeshShape>(geometry) ||
         std::holds_alternative<CavityShape>(geometry);
}

}  // namespace

Shape make_shape(const Culprit& culprit, const ShapeSpec& spec, const Model& model) {
  if (spec.body.index() >= model.bodies().size())
    culprit.fail(fmt::format("there is no body with id {}", spec.body.value));
  if (spec.material.index() >= model.materials().size())
    culprit.fail(fmt::format("there is no material with id {}", spec.material.value));
  const Body& body = model.body(spec.body);
  culprit.require_vector("position", spec.pose.p);
  const double length = spec.pose.R.norm();
  if (!(std::abs(length - 1.0) < 1e-3))
    culprit.fail(fmt::format("orientation is a quaternion of length {:g}: it must be 1", length));
  std::visit(SizeCheck{culprit}, spec.geometry);
  if (body.kind == BodyKind::rod ||
      (body.kind == BodyKind::particle && !std::holds_alternative<SphereShape>(spec.geometry)))
    culprit.fail(fmt::format("the body is a {}, which cannot have a {}: use a rigid body",
                             name_of(body.kind), name_of(spec.geometry)));
  if (body.kind != BodyKind::fixed && is_for_fixed_bodies(spec.geometry))
    culprit.fail(fmt::format("the body moves, and a {} can only be on a fixed one{}",
                             name_of(spec.geometry),
                             std::holds_alternative<MeshShape>(spec.geometry)
                                 ? ": give a moving body one or more convex shapes"
                                 : ""));
  return {.body = spec.body,
          .material = spec.material,
          .group = spec.group,
          .mask = spec.mask,
          .pose = {spec.pose.p - body.centre, spec.pose.R.normalized()},
          .geometry = spec.geometry};
}

void check_material(const Culprit& culprit, const Material& material) {
  culprit.require_non_negative("friction", material.friction);
  culprit.require_non_negative("restitution", material.restitution);
  if (material.restitution > 1.0)
    culprit.fail(fmt::format("restitution is {:g}: it must be 0 … 1", material.restitution));
  culprit.require_non_negative("compliance", material.compliance);
  if (material.damping_time) culprit.require_non_negative("damping time", *material.damping_time);
  culprit.require_non_negative("rolling friction", material.rolling_friction);
  culprit.require_non_negative("spinning friction", material.spinning_friction);
}

}  // namespace ligament
