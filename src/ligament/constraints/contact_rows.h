// SPDX-License-Identifier: Apache-2.0
// Contacts become rows. At the middle x of the two points, with the normal n from a to b and the
// tangents t, t' across it,
//
//     ġ = (n, t, t')·(v_b(x) − v_a(x)),     g_n = gap                                       [CT.1]
//     turning:  ġ = (n, t, t')·(ω_b − ω_a)                                                  [CT.2]
//
// both bodies at the same point, so that a contact changes no momentum. The tangential g is a
// stretch that the contact remembers: see steppers/contacts.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ligament/collision/contact.h"
#include "ligament/constraints/body_frame.h"
#include "ligament/math/block_rows.h"
#include "ligament/math/law.h"
#include "ligament/model/model.h"

namespace ligament {

// What holds two surfaces against sliding.
enum class FrictionLaw : unsigned char {
  coulomb,  // ‖λ_t‖ ≤ μ λ_n against the slip: true Coulomb friction
  cone,     // the associated cone: convex, with one solution, but lifts what slides
  disc,     // the cylinder of 2011: μ λ_n with the λ_n of the iterate before
  box,      // that bound in each of two directions: √2 too strong between them
  none
};

const char* name_of(FrictionLaw law);

// A contact and its rows in the step problem.
struct ContactRows {
  Contact contact;
  const Material* material = nullptr;  // of the two surfaces together
  Vec3 stretch = Vec3::Zero();         // [m] as of ContactMemory, at this step
  Vec3 turn = Vec3::Zero();            // [rad]
  // Row blocks: that of the normal row, that of the tangential rows (the same if one law binds
  // them), of spinning (1 row) and of rolling (2 rows); −1 for those it does not have.
  int block = -1, friction = -1, spinning = -1, rolling = -1;
  // First rows of these.
  int normal_row = -1, friction_row = -1, spinning_row = -1, rolling_row = -1;

  Vec3 other_tangent() const { return contact.normal.cross(contact.tangent); }
};

// The matrices that contacts append their rows to, and the laws of the row blocks.
struct ContactMatrices {
  const BlockDiagonal& M;
  BlockRows& G;
  const BlockDiagonal& prescribed;  // columns of P
  BlockRows& P;                     // left alone if nothing is moved as prescribed
  std::vector<Law>& laws;
};

// Appends the row blocks of the contacts, with their values and laws, and notes where they are.
void append_contact_rows(const Model& model, const std::vector<BodyFrame>& frames,
                         FrictionLaw friction, std::span<ContactRows> contacts,
                         const ContactMatrices& out);

// contact of "crate" and "floor": names of the bodies, or of the shapes of the world.
std::string name_of_contact(const Model& model, ShapeId a, ShapeId b);

}  // namespace ligament
