// SPDX-License-Identifier: Apache-2.0
// The story of one step, told once for all methods that step positions by the velocity at its end,
// q⁺ = q ⊕ h u:
//
//     build_rows → find_contacts → assemble → solve (→ add_missed_contacts → assemble → solve)
//     → advance → measure
//
// They differ in how a row becomes Σ and b, discretize(physics, g, ġ), and in nothing else.
#pragma once

#include "ligament/steppers/contacts.h"
#include "ligament/steppers/words.h"

namespace ligament {

// How often a step looks for contacts. Each look after the first sees who was kicked by those whom
// the one before saw.                                                                     [CT.5]
constexpr int most_looks = 4;

template <class Method, class Discretize>
StepReport tell_step(const Method& method, double default_damping_time, const Model& model,
                     State& state, Workspace& work, Discretize&& discretize) {
  StepReport report;
  const double h = method.h;
  const Gyroscopic gyroscopic = gyroscopic_for(method.solver, method.gyroscopic);

  build_rows(model, state, work);
  find_contacts(model, state, h, method.contacts, work);

  report.drifted_bodies = assemble_motion(model, state, h, gyroscopic, work);
  compute_row_speeds(model, state, h, work);
  if (method.contacts.restitution == RestitutionLaw::poisson && work.contacts.bounces) {
    if (!bounce_by_poisson(model, h, method.solver, method.compliance_floor, work, state, report))
      return report;
    assemble_motion(model, state, h, gyroscopic, work);
    compute_row_speeds(model, state, h, work);
  }
  const auto assemble = [&] {
    report.raised_rows = assemble_rows(
        h, default_damping_time, sigma_floor(method.compliance_floor, work), work, discretize);
    report.raised_contact = assemble_contacts(
        model, h, default_damping_time, method.compliance_floor, method.contacts, work, discretize);
  };
  assemble();
  const auto fail = [&](SolveStatus status) {
    if (report.impacts > 0) take_back_bounces(work, state);
    report.solve.status = status;
    return report;
  };
  if (!has_finite_input(model, work)) return fail(SolveStatus::not_run);
  SolveReport solved = solve(method.solver, work.problem, work.solver, work.solution);

  for (int looks = 1; solved.ok() && looks < most_looks &&
                      add_missed_contacts(model, state, h, method.contacts.friction, work);
       ++looks) {
    assemble();
    const SolveReport before = solved;
    solved = solve(method.solver, work.problem, work.solver, work.solution);
    add_effort(before, solved);
    ++report.solves;
  }
  add_solve(solved, report.solve);
  if (!solved.ok()) return fail(solved.status);
  compute_residual(work.problem, work.solution, work.residual);

  remember_contacts(model, h, method.contacts, work, state);
  advance(model, h, work, state);
  work.sleep.put_to_sleep(model, work.problem, work.contacts.rows, h, method.contacts, state);

  measure(work, report);
  explain(h, work, report);
  return report;
}

}  // namespace ligament
