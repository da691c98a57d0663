// SPDX-License-Identifier: Apache-2.0
#include "ligament/steppers/impulse/press.h"

#include <algorithm>

#include "ligament/steppers/contacts.h"
#include "ligament/steppers/words.h"

namespace ligament {
namespace {

constexpr double damping_steps = 2.0;  // of contacts that give no damping time

// Whether two bodies touch within the step, as they move or as they would if nothing held them.
bool is_reached(const Workspace& work, std::size_t contact, double h) {
  const ContactRows& rows = work.contacts.rows[contact];
  const int n = rows.normal_row;
  return work.contacts.memories[contact] != nullptr ||
         rows.contact.gap + h * std::min(work.row_speed(n), work.free_speed(n)) <= 0.0;
}

// Marks the bodies of islands with a contact that is reached, and the rows that act with them.
// Contacts of other islands exert nothing. Returns whether there is an island that presses.
bool mark_pressed(double h, Workspace& work) {
  ImpulseWorkspace& own = work.impulse;
  own.reached.assign(work.problem.G.blocks.size(), 0);
  for (std::size_t i = 0; i < work.contacts.rows.size(); ++i)
    if (is_reached(work, i, h))
      own.reached[static_cast<std::size_t>(work.contacts.rows[i].block)] = 1;
  own.islands.find(work.problem, islands::Small::apart);
  bool any = false;
  for (int island = 0; island < own.islands.count(); ++island) {
    const auto blocks = own.islands.blocks(island);
    const auto is_contact = [&](int block) { return block >= work.contacts.joint_blocks; };
    const bool presses = std::ranges::any_of(
        blocks, [&](int block) { return own.reached[static_cast<std::size_t>(block)] != 0; });
    any = any || presses;
    if (presses)
      for (const int body : own.islands.bodies(island))
        own.pressed[own.body_of_block[static_cast<std::size_t>(body)]] = 1;
    for (const int block : blocks) {
      const RowBlock& rows = work.problem.G.blocks[static_cast<std::size_t>(block)];
      if (is_contact(block)) {
        if (!presses) work.problem.laws[static_cast<std::size_t>(block)] = Box{};
        continue;
      }
      for (int r = rows.first_row; r < rows.first_row + rows.rows; ++r) {
        const auto i = static_cast<std::size_t>(r);
        const RowPhysics& row = work.constraints.physics[i];
        own.idle_rows[i] = presses && (row.elastic || row.kind == RowKind::velocity);
      }
    }
  }
  return any;
}

void assemble_motion_and_speeds(const Model& model, const State& state, double h, Workspace& work) {
  assemble_motion(model, state, h, Gyroscopic::kick_drift, work);
  compute_row_speeds(model, state, h, work);
  multiply_inverse(work.problem.M, work.problem.p, work.free_velocity);
  multiply(work.problem.G, work.free_velocity, work.free_speed);
  work.free_speed += work.drift;
}

// The momenta of what pressed; impulses of what did not are forgotten.
void take_impulses(const Model& model, Workspace& work, State& state) {
  const auto bodies = model.bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    if (body.kind == BodyKind::fixed || !work.impulse.pressed[i]) continue;
    const int size = velocities_of(body.kind);
    state.p.segment(body.v_offset, size) = work.problem.p.segment(body.v_offset, size) +
                                           work.residual.impulse.segment(body.v_offset, size);
  }
  for (int island = 0; island < work.impulse.islands.count(); ++island) {
    const int first = work.impulse.islands.bodies(island).front();
    if (work.impulse.pressed[work.impulse.body_of_block[static_cast<std::size_t>(first)]]) continue;
    for (const int block : work.impulse.islands.blocks(island)) {
      const RowBlock& rows = work.problem.G.blocks[static_cast<std::size_t>(block)];
      work.solution.lambda.segment(rows.first_row, rows.rows).setZero();
    }
  }
}

}  // namespace

bool press_contacts(const Impulse& impulse, const Model& model, State& state, Workspace& work,
                    StepReport& report) {
  const double h = impulse.h;
  ImpulseWorkspace& own = work.impulse;
  work.solution.lambda.setZero();
  for (std::uint32_t i = 0; i < model.bodies().size(); ++i)
    own.pressed[i] = work.sleep.is_asleep(BodyId{i});
  std::ranges::fill(own.idle_rows, 0);
  if (work.contacts.rows.empty()) {
    remember_contacts(model, h, impulse.contacts, work, state);
    return true;
  }
  assemble_motion_and_speeds(model, state, h, work);
  if (impulse.contacts.restitution == RestitutionLaw::poisson && work.contacts.bounces) {
    if (!bounce_by_poisson(model, h, impulse.solver, impulse.compliance_floor, work, state, report))
      return false;
    assemble_motion_and_speeds(model, state, h, work);
  }
  const bool presses = mark_pressed(h, work);
  const auto discretize = [h](const RowPhysics& row, double g, double) -> RowEntry {
    if (!row.elastic && !row.unilateral)
      return {.Sigma = 0.0, .b = -g / h, .scale = h * h};            // a joint
    return {.Sigma = row.compliance / (h * (h + row.damping_time)),  // [RE.2]
            .b = -g / (h + row.damping_time),
            .scale = h * (h + row.damping_time)};
  };
  constexpr double contact_floor = 1e3;  // roundings, as of the other steppers
  assemble_rows(h, damping_steps * h, sigma_floor(contact_floor, work), work, discretize);
  report.raised_contact = assemble_contacts(model, h, damping_steps * h, contact_floor,
                                            impulse.contacts, work, discretize);
  if (!has_finite_input(model, work)) {
    report.solve.status = SolveStatus::not_run;
    return false;
  }
  if (presses) {
    add_solve(solve(impulse.solver, work.problem, work.solver, work.solution), report.solve);
    if (!report.solve.ok()) return false;
    compute_residual(work.problem, work.solution, work.residual);
    take_impulses(model, work, state);
  } else {
    work.solution.lambda.setZero();
    work.solution.u = work.free_velocity;
    compute_residual(work.problem, work.solution, work.residual);
  }
  remember_contacts(model, h, impulse.contacts, work, state);
  measure(work, report);
  if (presses) explain(h, work, report);
  return true;
}

}  // namespace ligament
