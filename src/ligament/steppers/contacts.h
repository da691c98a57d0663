// SPDX-License-Identifier: Apache-2.0
// The words of the story that contacts bring: find_contacts, assemble_contacts, remember_contacts.
//
// Friction that holds. The tangential rows of a contact are relaxed constraints like any other: a
// spring of the contact's compliance, stretched by what the surfaces have slid since it took hold.
// A contact that sticks keeps the whole of its slip as stretch, so that nothing creeps; one that
// slides keeps what Coulomb's bound can hold,
//
//     stretch⁺ = stretch + h (ġ_t − s),   s the part of w_t against λ_t if ‖λ_t‖ = μ λ_n, else 0
//                                                                                           [CT.3]
// and the stretch turns with the mean angular velocity of the two bodies. Rolling and spinning
// friction do the same with angles.
#pragma once

#include <algorithm>
#include <limits>

#include "ligament/steppers/stepper.h"
#include "ligament/steppers/words.h"

namespace ligament {

// The contacts of the pose, each with what it remembers, and their rows behind those of the joints.
// Frames and joint rows must be up to date.
void find_contacts(const Model& model, const State& state, double h, const ContactModel& options,
                   Workspace& work);

// Contacts are looked for as far as bodies come with the velocities that they have. Who is kicked
// within the step may come farther: the contacts that the velocities of the solution close and
// nobody looked for, behind the others, whose impulses stay as a guess. Returns whether there are
// any: then the rows are to be assembled and solved again. Who bounces waits for the next step,
// that has its whole speed, and who sleeps for being woken.                               [CT.5]
bool add_missed_contacts(const Model& model, const State& state, double h, FrictionLaw friction,
                         Workspace& work);

// Rows of the contacts that the workspace has, at its frames, in place of those that it had.
void build_contact_rows(const Model& model, FrictionLaw friction, Workspace& work);

// The physics of the rows of a contact.
struct ContactPhysics {
  RowPhysics normal, sliding, spinning, rolling;
};
ContactPhysics physics_of(const Material& material, double default_damping_time);

// A bound on the mobility of a contact: 4/m, that of a rod's end, for each body [1/kg].
double mobility_of(const Model& model, const Contact& contact);
// The smallest Σ of a row of this contact that elimination can tell from zero.  [SP.8]
double sigma_floor(double compliance_floor, const Model& model, const Contact& contact);

// What is hit is as good as rigid: of its mobility, so little that a bounce is exact to 1e-7 and so
// much that solvers keep their digits.
constexpr double softness_of_a_hit = 1e-7;

// Σ and b of the contacts' rows, by the stepper's own discretize(physics, g, ġ) where they touch.
// Before they touch, Σ = ε/h² and b = −g/h [JO.16]; where they bounce, b = −e ġ [JO.17]. Returns
// a contact whose rows were raised to the floor of compliance, −1 if there is none.
template <class Discretize>
int assemble_contacts(const Model& model, double h, double default_damping_time,
                      double compliance_floor, const ContactModel& options, Workspace& work,
                      Discretize&& discretize) {
  int raised = -1, index = -1;
  const auto put = [&](int row, RowEntry entry, double floor) {
    if (entry.Sigma < floor) {
      entry.Sigma = floor;
      raised = index;
    }
    put_row(row, entry, work);
  };
  for (const ContactRows& rows : work.contacts.rows) {
    ++index;
    const ContactPhysics physics = physics_of(*rows.material, default_damping_time);
    const double floor = sigma_floor(compliance_floor, model, rows.contact);
    const double gap = rows.contact.gap;
    const int n = rows.normal_row;
    if (options.restitution == RestitutionLaw::newton && physics.normal.restitution > 0.0 &&
        bounces(physics.normal, gap, work.row_speed(n), work.free_speed(n), h))
      put(n,
          {.Sigma = softness_of_a_hit * mobility_of(model, rows.contact),
           .b = -physics.normal.restitution * work.row_speed(n),
           .scale = h,
           .kind = RowKind::velocity},
          floor);
    else if (gap > 0.0)
      put(n, {.Sigma = physics.normal.compliance / (h * h), .b = -gap / h, .scale = h * h}, floor);
    else
      put(n, discretize(physics.normal, gap, 0.0), floor);
    // Turning slips as a rim at its lever does.                                             [CT.4]
    const auto put_friction = [&](int row, const RowPhysics& friction, const Vec3& stretch,
                                  const Vec3& axis, double lever = 1.0) {
      if (options.anchored)
        put(row, discretize(friction, axis.dot(stretch), 0.0), floor);
      else
        put(row, {options.slip / (h * lever * lever), 0.0, h, RowKind::velocity}, floor);
    };
    const Vec3 &t = rows.contact.tangent, t2 = rows.other_tangent();
    if (rows.friction >= 0) {
      put_friction(rows.friction_row, physics.sliding, rows.stretch, t);
      put_friction(rows.friction_row + 1, physics.sliding, rows.stretch, t2);
    }
    if (rows.spinning >= 0)
      put_friction(rows.spinning_row, physics.spinning, rows.turn, rows.contact.normal,
                   rows.material->spinning_friction);
    if (rows.rolling >= 0) {
      const double lever = rows.material->rolling_friction;
      put_friction(rows.rolling_row, physics.rolling, rows.turn, t, lever);
      put_friction(rows.rolling_row + 1, physics.rolling, rows.turn, t2, lever);
    }
  }
  return raised;
}

// Lets the contacts bounce that have restitution and are reached within the step, by Poisson's law
// [IM.1]: joints, limits that are reached and closed contacts take part, motors do not. The state
// gets new velocities and momenta, and the free motion is to be assembled anew. The report tells
// how many bounced and how the solves went; false if they failed, and the state is as it was.
bool bounce_by_poisson(const Model& model, double h, const Solver& solver, double compliance_floor,
                       Workspace& work, State& state, StepReport& report);
// For steps that fail after it.
void take_back_bounces(const Workspace& work, State& state);

// What the contacts that pressed in this step carry over to the next.  [CT.3]
void remember_contacts(const Model& model, double h, const ContactModel& options, Workspace& work,
                       State& state);

}  // namespace ligament
