// SPDX-License-Identifier: Apache-2.0
// The time steppers, behind one function. Each is a plain struct of options and one file that tells
// the story of a step:   build_rows → assemble → solve → advance → measure.
#pragma once

#include <variant>

#include "ligament/constraints/contact_rows.h"
#include "ligament/measure/step_error.h"
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
  double slip = 1e-8;    // ≥ 0
  double slack = 0.002;  // as of ContactOptions
  int threads = 1;       // of the search for contacts, ≥ 1
  // Bodies that touch and were all slower than this for so long stand still until somebody arrives;
  // 0: never. Not for runs that are to be accurate.
  double sleep_after = 0.0;   // [s] ≥ 0
  double sleep_speed = 1e-3;  // [m/s] ≥ 0
};

// The slack of steppers that look for contacts once a step: those who are kicked farther than that
// are inside what is there when the next step looks.                                      [CT.5]
constexpr double slack_of_one_look = 0.02;

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

// How the errors of joints and closed contacts are kept small, which velocity rows leave to drift.
enum class DriftControl : unsigned char {
  none,       // rigid rows, G w = 0: errors O(h²), energy exact between impacts
  stabilize,  // relaxed rows that take a part of the error away in a nominal step: for motions
              // that the step resolves well, as nothing damps what it stirs up           [TR.6]
  project     // rigid rows; after each step the pose and the velocities are projected  [TR.7]
};

// How the time of a collision within a step is found.
enum class CollisionTime : unsigned char {
  resolve,  // by steps of other lengths, until the gap is closed to rounding: variant R
  hermite   // by the cubic through the ends of the step: one solve less exact, variant H
};

// Variants of the 2004 paper as it was printed: they show what the corrections are for.
struct AsPrinted {
  bool spring_gradient = false;  // of springs at the start of the step: first order
  bool contact_normals = false;  // normals and tangents at the start: first order on curved contact
  bool active_set = false;       // closed contacts are active however fast they close
  bool gyroscopic = false;       // torques of spinning bodies F(v) w, F at the start: first order
};

// The linearly implicit trapezoidal rule of Potra, Anitescu, Gavrea and Trinkle 2004, corrected:
// second order with joints, contact, impacts and stiff springs. Impacts follow Poisson's law; of
// `contacts` it takes friction, slack and threads: contacts are rigid and know no anchors.
struct Trapezoidal {
  double h = 1.0 / 60.0;
  Solver solver = Automatic{};
  Gyroscopic gyroscopic = Gyroscopic::midpoint;
  double compliance_floor = 1e3;
  ContactModel contacts{
      .restitution = RestitutionLaw::poisson, .anchored = false, .slack = slack_of_one_look};
  // Where in the step its velocity is: ½ is the trapezoidal rule, 1 is implicit Euler. Slightly
  // above ½ what is stiff settles and does not ring.
  double theta = 0.5;  // ½ … 1
  DriftControl drift = DriftControl::project;
  double stabilization = 1.0;        // part of an error that a nominal step takes away, 0 … 1
  double max_push_out_speed = 0.01;  // [m/s] of overlapping contacts, ≥ 0
  CollisionTime collision_time = CollisionTime::resolve;
  bool stop_events = true;      // steps end where sliding ends, if nothing is stiff     [TR.10]
  bool damped_restart = true;   // θ = 1 after an impact, if springs are stiff           [TR.9]
  double damped_until = 0.0;    // [s] steps that begin before this time have θ = 1
  double closed = 1e-9;         // [m] ≥ 0: contacts closer than this are closed
  double still = 1e-9;          // [m/s] ≥ 0: slower than this they neither hit nor part
  double plastic_speed = 1e-6;  // [m/s] ≥ 0: slower hits give nothing back
  AsPrinted as_printed{};
};

// How a rigid body turns while nothing acts on it.
enum class FreeRotation : unsigned char {
  symmetric_top,  // exact turns of the symmetric top that is closest to it  [GY.5]
  axes,           // turns about the principal axes, forth and back  [GY.7]
  midpoint        // implicit midpoint  [GY.1]
};

enum class ImpulseForm : unsigned char {
  newton,  // all constraints together, by linear systems
  sweeps   // one constraint at a time: the iterative form of the paper. Joints only.
};

// Steps of higher order made of the step of order two, for machines without contacts, limits,
// motors or bounds.  [IB.8], [IB.9]
enum class HigherOrder : unsigned char {
  none,
  suzuki_4,         // five steps, one of them backwards
  yoshida_6,        // seven steps, some of them backwards
  extrapolation_4,  // one step and two half steps, extrapolated
  extrapolation_6,  // and three
  extrapolation_8   // and four
};

// Impulse-based dynamics of Schmitt, Bender and Prautzsch 2005, which is RATTLE: second order,
// symmetric, no drift. Joints are rigid, whatever compliance they have; springs keep theirs.
struct Impulse {
  double h = 1.0 / 60.0;
  Solver solver = Automatic{};
  double tolerance = 1e-12;  // [m, rad] by which joints may be open at the end of a step, > 0
  ImpulseForm form = ImpulseForm::newton;
  HigherOrder higher_order = HigherOrder::none;
  FreeRotation rotation = FreeRotation::symmetric_top;
  bool velocity_correction = true;  // without, velocities are of first order (SHAKE)
  int max_passes = 30;              // of Newton before the step is halved, 1 … 10⁶
  int max_sweeps = 10000;           // of the iterative form, 1 … 10⁹
  int max_halvings = 10;            // of a step, 0 … 30
  // Rows of joints are this soft, in roundings of the largest diagonal entry of G M⁻¹ Gᵀ, while
  // their linear systems are solved, and not in the result: 1e-9 of it. > 0
  double compliance_floor = 4.5e6;
  ContactModel contacts{.slack = slack_of_one_look};
};

// The Lagrange multipliers of the accelerations at the start of the step, and a Taylor series: the
// baseline of 2005, first order, whose joints drift open. No contacts, limits, motors or motions.
struct Taylor {
  double h = 1.0 / 60.0;
  Solver solver = Automatic{};
  // Baumgarte's terms, g̈ + 2 α ġ + β² g = 0 instead of g̈ = 0 [1/s] ≥ 0
  double alpha = 0.0;
  double beta = 0.0;
  double compliance_floor = 4.5e6;  // as of Impulse
};

using Stepper = std::variant<Spook, Relaxed, RegularizedVi, Trapezoidal, Impulse, Taylor>;

const char* name_of(const Stepper& stepper);
double step_size(const Stepper& stepper);
const Solver& solver_of(const Stepper& stepper);

// What one step did. Violations are those of the pose at its start, where its rows were built.
struct StepReport {
  SolveReport solve;
  double residual = 0.0;  // [m/s] largest residual of a row
  int worst_residual_row = -1;
  double momentum_residual = 0.0;  // [N s]
  double speed = 0.0;              // [m/s] largest speed in the problem
  bool accurate = false;           // residual below a millionth of it
  double injected_energy = 0.0;    // [J] work of the inexact solve
  StepError error;                 // which machine was simulated, if not the one asked for
  Violation violation;
  int contacts = 0;             // points, touching or about to
  double penetration = 0.0;     // [m] deepest of them, ≥ 0
  int deepest_contact = -1;     // which, in Workspace::contacts
  double friction_error = 0.0;  // [m/s] how far the worst of them is from Coulomb's law
  double largest_press = 0.0;   // [N s] normal impulse of a contact
  int hardest_contact = -1;     // which
  int sleepers = 0;             // bodies that sleep
  int impacts = 0;              // contacts that bounced by Poisson's law
  int raised_rows = 0;          // rows raised to the floor of compliance, contacts not counted
  int raised_contact = -1;      // a contact whose rows were
  int solves = 1;               // step problems solved
  int events = 0;               // ends of sliding that a step was divided at
  int missed_events = 0;        // collisions that it was not, for there were too many
  int drifted_bodies = 0;       // bodies too fast for the explicit drift that took it  [GY.6]
  // Impulse: how often the step was halved, and the row that no impulse could close, −1: none.
  int halvings = 0;
  int velocity_passes = 0;  // solves or sweeps of its corrections of velocities
  int open_row = -1;

  bool ok() const { return solve.ok() && open_row < 0; }
};

struct Workspace;

// What of a machine a stepper cannot step.
struct Unsupported {
  int row = -1;           // a row of the joints and controls
  bool contacts = false;  // shapes that may touch
  bool any() const { return row >= 0 || contacts; }
};
Unsupported find_unsupported(const Stepper& stepper, const Model& model, const Workspace& work);

// Takes one step: state becomes the state at t + h. If the solver fails the state is left as it was
// and the report says so; nothing is thrown.
StepReport step(const Stepper& stepper, const Model& model, State& state, Workspace& workspace);

// Throws std::invalid_argument naming the option that makes no sense.
void check_options(const Stepper& stepper);

}  // namespace ligament
