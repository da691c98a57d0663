// SPDX-License-Identifier: Apache-2.0
// Impulse, the impulse-based stepper of 2005, which is RATTLE.
//
// Problem   M(q) v̇ = f + Gᵀ λ,  g(q, t) = 0 in every row of a joint: rigid, without relaxation.
// Scheme    flights [IB.1], [IB.2] between poses that are closed. A flight whose joints do not
//           close is halved.
// Promises  second order, joints closed to the tolerance at every step, no drift.
// Reference Schmitt, Bender and Prautzsch 2005, sections 2, 4, 5; docs/theory/impulse.md.
#include "ligament/model/joint_coordinates.h"
#include "ligament/steppers/contacts.h"
#include "ligament/steppers/impulse/flight.h"
#include "ligament/steppers/impulse/higher_order.h"
#include "ligament/steppers/impulse/press.h"
#include "ligament/steppers/take_step.h"
#include "ligament/steppers/words.h"

namespace ligament {
namespace {

// Halves the flight until it succeeds. The paper's theorem says that a step short enough does,
// unless the pose itself is singular.
bool fly_or_halve(Flight& flight, double h, int halvings_left, State& state, int& halvings) {
  if (flight.fly(h, state)) return true;
  if (halvings_left == 0 || !flight.may_be_halved()) return false;
  ++halvings;
  return fly_or_halve(flight, 0.5 * h, halvings_left - 1, state, halvings) &&
         fly_or_halve(flight, 0.5 * h, halvings_left - 1, state, halvings);
}

// One flight a factor of the composition.
bool fly_composed(const Impulse& impulse, Flight& flight, State& state, int& halvings) {
  for (const double part : composition_of(impulse.higher_order))
    if (!fly_or_halve(flight, part * impulse.h, impulse.max_halvings, state, halvings))
      return false;
  return true;
}

// Runs of 1, 2, …, most flights, and the sum that takes their first errors away.  [IB.9]
bool fly_extrapolated(const Impulse& impulse, const Model& model, Flight& flight, int most,
                      Workspace& work, State& state, int& halvings) {
  ImpulseWorkspace& own = work.impulse;
  State& sum = own.sum;
  sum = own.before;
  sum.q.setZero();
  sum.p.setZero();
  own.sum_total.setZero(work.contacts.joint_rows);
  for (int flights = 1; flights <= most; ++flights) {
    state = own.before;
    flight.begin(state);
    for (int i = 0; i < flights; ++i)
      if (!fly_or_halve(flight, impulse.h / flights, impulse.max_halvings, state, halvings))
        return false;
    const double weight = extrapolation_weight(flights, most);
    sum.q += weight * state.q;
    sum.p += weight * state.p;
    own.sum_total += weight * own.total;
  }
  own.total = own.sum_total;
  state.q = sum.q;
  state.p = sum.p;
  for (const Body& body : model.bodies())
    if (body.kind == BodyKind::rigid) state.q.segment<4>(body.q_offset + 3).normalize();
  update_joint_coordinates(model, state);
  return flight.project(state);
}

// Adds what the flights did to what the contacts did.
void measure_flights(const Flight& flight, Workspace& work, StepReport& report) {
  const SolveReport contacts = report.solve;
  report.solve = flight.solve;
  report.solve.factorizations += contacts.factorizations;
  report.solve.work += contacts.work;
  report.solve.velocity_error = contacts.velocity_error;
  report.solve.history = contacts.history;
  for (std::size_t i = 0; i < contacts.chosen.size(); ++i)
    report.solve.chosen[i] += contacts.chosen[i];
  if (report.solve.ok() && contacts.status == SolveStatus::not_converged)
    report.solve.status = contacts.status;
  report.velocity_passes = flight.velocity_passes;
  if (work.contacts.rows.empty()) report.accurate = true;
  if (!(flight.speed_miss <= report.residual)) {
    report.residual = flight.speed_miss;
    report.worst_residual_row = flight.worst_speed_row;
  }
  work.solution.lambda.head(work.contacts.joint_rows) += work.impulse.total;
  report.violation = compute_violation(work.constraints, work.impulse.start.g);
}

}  // namespace

StepReport take_step(const Impulse& impulse, const Model& model, State& state, Workspace& work) {
  StepReport report;
  State& before = work.impulse.before;
  before = state;
  build_rows(model, state, work);
  if (find_unsupported(impulse, model, work).any()) {
    report.solve.status = SolveStatus::unsupported;
    return report;
  }

  find_contacts(model, state, impulse.h, impulse.contacts, work);

  Flight flight(impulse, model, work);
  flight.begin(state);
  if (!press_contacts(impulse, model, state, work, report)) {
    state = before;
    return report;
  }
  const int runs = extrapolations_of(impulse.higher_order);
  const bool arrived =
      runs > 0 ? fly_extrapolated(impulse, model, flight, runs, work, state, report.halvings)
               : fly_composed(impulse, flight, state, report.halvings);
  measure_flights(flight, work, report);
  if (!arrived) {
    report.open_row = flight.open_row;
    if (report.ok()) report.solve.status = SolveStatus::not_run;  // numbers that are none
    state = before;
    return report;
  }
  if (work.contacts.rows.empty() && impulse.velocity_correction)
    flight.explain_velocities(state, report);
  work.sleep.put_to_sleep(model, work.problem, work.contacts.rows, impulse.h, impulse.contacts,
                          state);
  report.sleepers = work.sleep.sleeping();
  return report;
}

}  // namespace ligament
