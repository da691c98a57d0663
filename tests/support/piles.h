// SPDX-License-Identifier: Apache-2.0
// A pile of spheres caught in the act: the step problems of its contacts, for tests of solvers.
#pragma once

#include <cmath>
#include <utility>

#include "ligament/ligament.h"
#include "support/contact_problems.h"
#include "support/random.h"

namespace ligament {

enum class PileMoment { impact, rest };  // at 0.6 s and at 2.495 s

struct PileOptions {
  PileMoment moment = PileMoment::rest;
  double s = 1e-3;  // softness, of the mean mobility of a contact's rows
  ConeLaw friction = ConeLaw::cone;
  double heavy = 1.0;   // factor on the mass of the highest sphere
  bool clipped = true;  // whether overlaps count as gaps of 0
};

// 200 spheres of 0.08 m ± 25 %, 1000 kg/m³, in an open box of half width 0.45 m.
inline Model make_pile_of_spheres() {
  Random random(7);
  ModelBuilder b{};
  const MaterialId stone = b.add_material({"stone", {.friction = 0.5, .compliance = 5e-7}});
  b.add_shape({.name = "floor", .geometry = HalfSpaceShape{}, .material = stone});
  for (int i = 0; i < 4; ++i) {
    const Quat turned(Eigen::AngleAxisd(0.5 * M_PI * i, Vec3::UnitZ()));
    b.add_shape({.name = "wall " + std::to_string(i),
                 .geometry = HalfSpaceShape{},
                 .pose = {.p = turned * Vec3(-0.45, 0, 0),
                          .R = turned * Quat(Eigen::AngleAxisd(0.5 * M_PI, Vec3::UnitY()))},
                 .material = stone});
  }
  for (int i = 0; i < 200; ++i) {
    const double radius = 0.08 * (1.0 + 0.25 * random.uniform());
    const Vec3 cell(i % 4 - 1.5, i / 4 % 4 - 1.5, i / 16 + 0.6);
    const BodyId ball = b.add_body({.name = "ball " + std::to_string(i),
                                    .mass = solid_sphere(radius, 1000.0),
                                    .position = 0.21 * cell + random.vector(0.005)});
    b.add_shape({.name = "ball " + std::to_string(i),
                 .body = ball,
                 .geometry = SphereShape{radius},
                 .material = stone});
  }
  return std::move(b).build();
}

inline ContactScene make_pile(const PileOptions& options) {
  const Model model = make_pile_of_spheres();
  const double h = 0.005;
  State state = model.initial_state();
  run(model,
      RegularizedVi{
          .h = h,
          .solver = GaussSeidel{.max_sweeps = 60, .tolerance = 0.0},
          .contacts = {.friction = FrictionLaw::coulomb, .anchored = false, .slack = 0.02}},
      state, {.t_end = options.moment == PileMoment::impact ? 0.6 : 2.495});
  CollisionWorld collision(model, {.lookahead = 0.0, .slack = 0.04});
  ContactScene scene;
  scene.h = h;
  std::vector<int> body_of(model.bodies().size(), ground);
  int highest = 0;
  for (std::size_t i = 0; i < model.bodies().size(); ++i) {
    const Body& body = model.bodies()[i];
    if (body.kind == BodyKind::fixed) continue;
    const Vec3 centre = state.q.segment<3>(body.q_offset);
    body_of[i] = scene.add_body(body.mass, body.moments.asDiagonal(), centre);
    if (centre.z() > scene.centres[static_cast<std::size_t>(highest)].z()) highest = body_of[i];
  }
  BodyBlock& top = scene.problem.M.blocks[static_cast<std::size_t>(highest)];
  top.mass *= options.heavy;
  top.rotation *= options.heavy;
  for (const Contact& contact : collision.find_contacts(state)) {
    const double gap = options.clipped ? std::max(contact.gap, 0.0) : contact.gap;
    scene.add_contact(
        body_of[contact.a.index()], body_of[contact.b.index()],
        {.at = 0.5 * (contact.point_a + contact.point_b), .normal = contact.normal, .gap = gap},
        make_friction(options.friction, 0.5));
  }
  scene.finish(options.s, state.v);
  return scene;
}

}  // namespace ligament
