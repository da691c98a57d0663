// SPDX-License-Identifier: Apache-2.0
#include "ligament/steppers/trapezoidal/mean_velocity.h"

#include <algorithm>
#include <cmath>

#include "ligament/model/joint_coordinates.h"
#include "ligament/steppers/contacts.h"
#include "ligament/steppers/trapezoidal/printed_gyroscopic.h"

namespace ligament {
namespace {

void copy_motion(const State& from, State& to) {
  to.t = from.t;
  to.q = from.q;
  to.v = from.v;
  to.p = from.p;
  to.s = from.s;
}

// The active contacts, at the predicted pose where they are found there.
void gather_contacts(const Trapezoidal& method, const Model& model, Workspace& work) {
  const TrapezoidalWorkspace& part = work.trapezoidal;
  ContactSet& set = work.contacts;
  collect_contacts(
      model, part.start_scan, [](const Gap& gap) { return gap.is_active(); }, work);
  for (std::size_t i = 0; i < set.rows.size(); ++i)
    set.memories[i] = set.index.find(set.rows[i].contact);
  if (set.rows.empty() || method.as_printed.contact_normals) return;
  for (const Contact& found : work.collision->find_contacts(part.predicted))
    for (ContactRows& rows : set.rows) {
      Contact& contact = rows.contact;
      if (found.shape_a != contact.shape_a || found.shape_b != contact.shape_b ||
          found.feature != contact.feature)
        continue;
      const double gap = contact.gap;  // rows are ahead, gaps are not
      contact = found;
      contact.gap = gap;
    }
}

// Springs as they are at the start of the step.
void put_back_spring_gradients(const GapScan& start, const ConstraintSet& set, BlockRows& G) {
  for (std::size_t i = 0; i < set.blocks.size(); ++i) {
    const RowBlock& block = G.blocks[i];
    if (!set.physics[static_cast<std::size_t>(block.first_row)].elastic) continue;
    for (const BlockEntry& entry : G.entries_of(block))
      std::copy_n(start.G.entry_values(entry), block.rows * entry.columns, G.entry_values(entry));
  }
}

// How fast a part of the step takes an error away [1/s], if nothing says otherwise.
double error_rate(const Trapezoidal& method) { return method.stabilization / method.h; }

// What brings a gap to zero within the step at hand, or out of an overlap slowly.
RowEntry discretize_gap(const Trapezoidal& method, double gap, double h) {
  if (gap > method.closed) return {.Sigma = 0.0, .b = -gap / h, .scale = h * h};
  if (method.drift != DriftControl::stabilize) return {0.0, 0.0, h, RowKind::velocity};
  const double rate = error_rate(method);
  return {.Sigma = 0.0,
          .b = std::min(-rate * gap, method.max_push_out_speed),
          .scale = rate > 0.0 ? h / rate : h * h};
}

// Σ and b of a row of a joint or a control that holds.
RowEntry discretize(const Trapezoidal& method, const RowPhysics& row, double g,
                    const StepSpan& span) {
  const double h = span.h;
  if (row.kind == RowKind::velocity) return {row.compliance / h, 0.0, h, RowKind::velocity};
  if (!row.elastic && method.drift != DriftControl::stabilize)
    return {0.0, 0.0, h, RowKind::velocity};
  double rate = error_rate(method);
  if (row.damping_time >= 0.0)
    rate = 1.0 / (span.theta * h + row.damping_time);
  else if (row.elastic)
    rate = 1.0 / method.h;
  return {.Sigma = row.compliance * rate / h,  // [TR.4], [TR.6]
          .b = -rate * g,
          .scale = rate > 0.0 ? h / rate : h * h};
}

int assemble_joints(const Trapezoidal& method, const StepSpan& span, Workspace& work) {
  const GapScan& start = work.trapezoidal.start_scan;
  const double floor = sigma_floor(method.compliance_floor, work);
  StepProblem& problem = work.problem;
  int raised = 0;
  for (std::size_t i = 0; i < work.constraints.physics.size(); ++i) {
    const RowPhysics& row = work.constraints.physics[i];
    const auto at = static_cast<Eigen::Index>(i);
    RowEntry entry = row.unilateral ? discretize_gap(method, start.g(at), span.h)
                                    : discretize(method, row, start.g(at), span);
    if (entry.Sigma < floor) {
      if (entry.Sigma > 0.0 || row.elastic) ++raised;
      entry.Sigma = floor;
    }
    put_row(static_cast<int>(i), entry, work);
  }
  for (int i = 0; i < work.contacts.joint_blocks; ++i)
    problem.laws[static_cast<std::size_t>(i)] = Equality{};
  for (const Gap& gap : start.gaps) {
    if (gap.key.row < 0) continue;
    Law& law = problem.laws[static_cast<std::size_t>(block_of(problem.G, gap.key.row))];
    law = gap.is_active() ? Law(Unilateral{}) : Law(Box{});
  }
  for (const int block : work.constraints.bounded) {
    const double most = span.h * work.constraints.blocks[static_cast<std::size_t>(block)].max_force;
    problem.laws[static_cast<std::size_t>(block)] = Box{.lower = -most, .upper = most};
  }
  return raised;
}

void assemble_contact_rows(const Trapezoidal& method, const Model& model, double h,
                           Workspace& work) {
  for (const ContactRows& rows : work.contacts.rows) {
    const double softness = contact_softness(method, model, rows);
    for (const int block : {rows.block, rows.friction, rows.spinning, rows.rolling}) {
      if (block < 0) continue;
      const RowBlock& of = work.problem.G.blocks[static_cast<std::size_t>(block)];
      for (int row = of.first_row; row < of.first_row + of.rows; ++row)
        put_row(row, {softness, 0.0, h, RowKind::velocity}, work);
    }
    RowEntry normal = discretize_gap(method, rows.contact.gap, h);
    normal.Sigma = softness;
    put_row(rows.normal_row, normal, work);
  }
}

}  // namespace

double stiffness_number(const RowPhysics& row, double mobility, double h) {
  if (!row.elastic) return 0.0;
  const double tau = std::max(row.damping_time, 0.0);
  const double stiffness = row.kind == RowKind::velocity
                               ? 0.5 * h / row.compliance
                               : (0.25 * h * h + 0.5 * h * tau) / row.compliance;
  return stiffness * mobility;
}

double compute_stiffness_number(const ConstraintSet& constraints, const VecX& mobility, double h) {
  double number = 0.0;
  for (std::size_t i = 0; i < constraints.physics.size(); ++i)
    number = std::max(number, stiffness_number(constraints.physics[i],
                                               mobility(static_cast<Eigen::Index>(i)), h));
  return number;
}

double contact_softness(const Trapezoidal& method, const Model& model, const ContactRows& rows) {
  const double floor = sigma_floor(method.compliance_floor, model, rows.contact);
  return rows.friction < 0 || std::holds_alternative<Lemke>(method.solver)
             ? floor
             : std::max(floor, 1e-11 * mobility_of(model, rows.contact));
}

SolveReport take_part(const Trapezoidal& method, const Model& model, const StepSpan& span,
                      Workspace& work, StepReport& report) {
  TrapezoidalWorkspace& part = work.trapezoidal;
  const double ahead = span.theta * span.h;
  copy_motion(part.now, part.predicted);
  displace(model, part.now.v, ahead, part.predicted);
  move_prescribed_bodies(model, part.now.t + ahead, part.predicted);

  build_rows(model, part.predicted, work);
  if (method.as_printed.spring_gradient)
    put_back_spring_gradients(part.start_scan, work.constraints, work.problem.G);
  if (work.collision) {
    gather_contacts(method, model, work);
    build_contact_rows(model, method.contacts.friction, work);
  }

  compute_applied_forces(model, work.frames, part.now.t + ahead, work.constant_forces,
                         work.applied);
  report.drifted_bodies =
      assemble_free_motion(model, part.now, part.start_scan.frames, span,
                           gyroscopic_for(method.solver, method.gyroscopic), work);
  if (method.as_printed.gyroscopic) assemble_printed_spins(model, part.now, span, work);
  if (work.constraints.drifts)
    compute_drift(model, part.now.t, span.h, work.problem.G, work.P, work, work.drift);
  report.raised_rows = assemble_joints(method, span, work);
  assemble_contact_rows(method, model, span.h, work);

  ++report.solves;
  if (!has_finite_input(model, work)) return {};
  const SolveReport solved = solve(method.solver, work.problem, work.solver, work.solution);
  if (!solved.ok()) return solved;
  compute_residual(work.problem, work.solution, work.residual);

  copy_motion(part.now, part.end);
  advance(model, span.h, work, part.end, span.theta);
  if (method.as_printed.gyroscopic) {
    advance_printed_spins(model, span, work, part.now, part.end);
    update_joint_coordinates(model, part.end);
  }
  part.mean = part.end.v;
  update_velocities(model, part.end);
  return solved;
}

}  // namespace ligament
