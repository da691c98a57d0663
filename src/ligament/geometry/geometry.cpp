// SPDX-License-Identifier: Apache-2.0
#include "ligament/geometry/geometry.h"

namespace ligament {
namespace {

struct Name {
  const char* operator()(const SphereShape&) const { return "sphere"; }
  const char* operator()(const BoxShape&) const { return "box"; }
  const char* operator()(const CapsuleShape&) const { return "capsule"; }
  const char* operator()(const CylinderShape&) const { return "cylinder"; }
  const char* operator()(const ConvexShape&) const { return "convex"; }
  const char* operator()(const HalfSpaceShape&) const { return "half space"; }
  const char* operator()(const PlaneShape&) const { return "plane"; }
  const char* operator()(const HeightFieldShape&) const { return "height field"; }
  const char* operator()(const MeshShape&) const { return "mesh"; }
  const char* operator()(const CavityShape&) const { return "cavity"; }
};

}  // namespace

const char* name_of(const Geometry& geometry) { return std::visit(Name{}, geometry); }

}  // namespace ligament
