// SPDX-License-Identifier: Apache-2.0
// One flight of the impulse stepper, from a pose that is closed to the next one.
//
// Problem   M(q) v̇ = f + Gᵀ λ,  g(q, t) = 0 in every row of a joint,  q̇ = v.
// Scheme    p' = p + (h/2) f + Gᵀ ν,   q⁺ = Φ_h(q, p'),   ν such that g(q⁺) = 0          [IB.1]
//           p⁺ = p' + (h/2) f⁺ + G⁺ᵀ μ,   μ such that G⁺ v⁺ + drift = 0                  [IB.2]
//           Φ_h is free motion: straight, and a torque-free turn. What is not a rigid joint has
//           rows in both problems: springs by the trapezoidal rule [IB.6], dampers by a rule that
//           decays as they do [IB.7], motors and slip at the mean and at the end velocity, limits
//           at the end of the flight and in its velocity.
// Terms     ν, μ impulses at the start and at the end [N s], f applied forces [N].
// Promises  second order, symmetric in time where nothing is damped; g(q⁺) within the tolerance;
//           momentum exact.
// Reference Schmitt, Bender and Prautzsch 2005; docs/theory/impulse.md.
#pragma once

#include "ligament/steppers/stepper.h"
#include "ligament/steppers/workspace.h"

namespace ligament {

class Flight {
 public:
  Flight(const Impulse& method, const Model& model, Workspace& work)
      : method_(method), model_(model), work_(work), own_(work.impulse) {}

  // Takes the rows of the state's pose. To be called before the first flight.
  void begin(const State& state);

  // Flies for h, which may be negative. If the joints cannot be closed the state is left as it was,
  // the rows with it, and false is returned.
  bool fly(double h, State& state);

  // Whether the last flight failed for want of closed joints, and not for want of a solver.
  bool may_be_halved() const { return open_row >= 0; }

  // Moves a pose onto the constraints by the shortest way in the metric of the masses, and the
  // momentum with it.  [IB.9]
  bool project(State& state);

  // Of the state that the last flight ended in: what its velocities miss, as rows that give way.
  void explain_velocities(const State& state, StepReport& report);

  // What was done since the report was made.
  SolveReport solve{};       // iterations: passes of Newton or sweeps
  double speed_miss = 0.0;   // [m/s] by which velocities miss the joints at the end
  int velocity_passes = 0;   // solves, or sweeps, of the corrections of velocities
  int open_row = -1;         // row that could not be closed
  int worst_speed_row = -1;  // row of speed_miss

 private:
  bool close(double h, const State& from);
  bool close_by_newton(double h, const State& from);
  bool close_by_sweeps(double h, const State& from);
  bool settle(double h, State& state);
  bool correct_velocities();
  bool correct_by_sweeps();

  void discretize_start(double h, const State& from);
  void discretize_end(double h);
  void move_to_end(double h, const State& from);
  void compute_drift_at(double t);
  void compute_rests(double h, const State& from);
  double compute_miss(double h);
  bool solve_linear_pass(bool first);
  bool solve_bounded_pass(bool first);
  bool apply_newton_matrix(const VecX& impulses, VecX& out);
  bool take_least_norm(double scale);
  void add_relaxed_impulses(double h);
  void swap_ends();
  double tolerance(const State& state) const;
  bool run_solver(bool first);

  const Impulse& method_;
  const Model& model_;
  Workspace& work_;
  ImpulseWorkspace& own_;
};

// q ← Φ_h(q, p): where a body with its part of the momenta p is after the time h if nothing acts on
// it.  [IB.1]
void move_freely(const Model& model, BodyId id, const VecX& p, double h, FreeRotation rotation,
                 VecX& q);

}  // namespace ligament
