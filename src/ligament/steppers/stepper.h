// SPDX-License-Identifier: Apache-2.0
// The time steppers, behind one function. Each is a plain struct of options and one file that tells
// the story of a step:   build_rows → assemble → solve → advance → measure.
#pragma once

#include <variant>

#include "ligament/constraints/contact_rows.h"
#include "ligament/measure/violation.h"
#include "ligament/model/model.h"
#include "ligament/solvers/solver.h"

namespace ligament {

// How the rotation of a spinning rigid body enters a step (docs/theory/gyroscopic.md).
// A solver that needs symmetric blocks gets the drift whatever is asked for.
enum class Gyroscopic : unsigned char {
  midpoint,  // implicit midpoint, its tangent in the mass matrix: any spin, non-symmetric blocks
  kick_drift  // plain inertia, then an explicit drift: symmetric blocks, h · spin · I_max/I_min < 1
};

enum class RestitutionLaw : unsigned char {
  newton,  // the speed of parting is e times that of arriving, contact by contact
  poisson  // the impulse of parting is e times that of pressing: an impact is two solves  [IM.1]
};

// What contacts do beyond what their materials say.
struct ContactModel {
  FrictionLaw friction = FrictionLaw::coulomb;
  RestitutionLaw restitution = RestitutionLaw::newton;
  // A contact that sticks remembers where, and does not creep [CT.3]. Without, friction is a row of
  // velocity that gives way at `slip` [m/(N s)].
  bool anchored = true;
  double slip = 1e-8;   // ≥ 0
  double slack = 0.02;  // as of ContactOptions
  int threads = 1;      // of the search for contacts, ≥ 1
  // Bodies that touch and were all slower than this for so long stand still until somebody arrives;
  // 0: never. Not for runs that are to be accurate.
  double sleep_after = 0.0;   // [s] ≥ 0
  double sleep_speed = 1e-3;  // [m/s] ≥ 0
};

// SPOOK, Lacoursière 2007: first order, variational, constraint errors O(h²), strictly dissipative
// in the constraint errors only. The default.
struct Spook {
  double h = 1.0 / 60.0;  // [s] time step, > 0
  Solver solver = Automatic{};
  Gyroscopic gyroscopic = Gyroscopic::midpoint;
  // Damping time of rows that give none, in steps, ≥ 0. 2 damps an error critically; 0.5 loses less
  // energy on strongly curved constraints; 0 is unstable.
  double damping_steps = 2.0;
  // Rows less compliant than this many roundings of the largest diagonal entry of G M⁻¹ Gᵀ are
  // raised to it, and the report says so; 0 switches that off.  [SP.8]
  double compliance_floor = 1e3;
  ContactModel contacts{};
};

// The regularized stepper of Lacoursière 2005: the penalty force at the end of the step,
// linearized. Options as above.
struct Relaxed {
  double h = 1.0 / 60.0;
  Solver solver = Automatic{};
  Gyroscopic gyroscopic = Gyroscopic::midpoint;
  double damping_steps = 0.0;  // 0 removes an error in one step
  double compliance_floor = 1e3;
  ContactModel contacts{};
};

// The regularized variational inequality of Preclik, Popa and Rüde 2011: springs without dampers,
// friction as a brake within the associated cone. Options as above.
struct RegularizedVi {
  double h = 1.0 / 60.0;
  Solver solver = Automatic{};
  Gyroscopic gyroscopic = Gyroscopic::midpoint;
  double compliance_floor = 1e3;
  ContactModel contacts{.friction = FrictionLaw::cone, .anchored = false};
  double push_out = 1.0;            // part of a penetration that a step pushes out, 0 … 1
  double max_push_out_speed = 1e9;  // [m/s] and the fastest that it does so, ≥ 0
};

using Stepper = std::variant<Spook, Relaxed, RegularizedVi>;

const char* name_of(const Stepper& stepper);
double step_size(const Stepper& stepper);
const Solver& solver_of(const Stepper& stepper);

// What one step did. Violations are those of the pose at its start, where its rows were built.
struct StepReport {
  SolveReport solve;
  double residual = 0.0;  // [m/s] largest residual of a row
  int worst_residual_row = -1;
  double momentum_residual = 0.0;  // [N s]
  bool accurate = false;           // residual below a millionth of the speeds in the problem
  double injected_energy = 0.0;    // [J] work of the inexact solve
  Violation violation;
  int contacts = 0;             // points, touching or about to
  double penetration = 0.0;     // [m] deepest of them, ≥ 0
  int deepest_contact = -1;     // which, in Workspace::contacts
  double friction_error = 0.0;  // [m/s] how far the worst of them is from Coulomb's law
  double largest_press = 0.0;   // [N s] normal impulse of a contact
  int hardest_contact = -1;     // which
  int sleepers = 0;             // bodies that sleep
  int impacts = 0;              // contacts that bounced by Poisson's law
  int raised_rows = 0;          // rows raised to the floor of compliance
  int drifted_bodies = 0;       // bodies too fast for the explicit drift that took it  [GY.6]

  bool ok() const { return solve.ok(); }
};

struct Workspace;

// Takes one step: state becomes the state at t + h. If the solver fails the state is left as it was
// and the report says so; nothing is thrown.
StepReport step(const Stepper& stepper, const Model& model, State& state, Workspace& workspace);

// Throws std::invalid_argument naming the option that makes no sense.
void check_options(const Stepper& stepper);

}  // namespace ligament
