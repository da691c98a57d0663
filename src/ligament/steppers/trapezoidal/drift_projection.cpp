// SPDX-License-Identifier: Apache-2.0
#include "ligament/steppers/trapezoidal/drift_projection.h"

#include <algorithm>
#include <cmath>

#include "ligament/steppers/contacts.h"
#include "ligament/steppers/trapezoidal/mean_velocity.h"

namespace ligament {
namespace {

constexpr int most_iterations = 10;
constexpr double exact = 1e-15;  // [m, rad] below this an error is rounding

// What is projected: gaps take part in positions only, where they overlap by more than rounding;
// how fast they close is the business of impacts.
enum class Projected : unsigned char { positions, velocities };

double stiffness_of(const Trapezoidal& method, const Workspace& work, int row) {
  return stiffness_number(work.constraints.physics[static_cast<std::size_t>(row)],
                          work.mobility(row), method.h);
}

// Where springs that the step does not resolve go from the end of the step.              [TR.12]
void approach_rest(const Trapezoidal& method, const Model& model, Workspace& work) {
  TrapezoidalWorkspace& part = work.trapezoidal;
  part.rests =
      part.rests && compute_stiffness_number(work.constraints, work.mobility, method.h) > 1.0;
  if (!part.rests) return;
  const GapScan& scan = part.end_scan;
  scan_gaps(model, part.now, work, part.end_scan);
  for (int row = 0; row < part.rest_g.size(); ++row) {
    const double number = stiffness_of(method, work, row);
    if (!(number > 1.0)) continue;
    part.rest_g(row) += (scan.g(row) - part.rest_g(row)) / number;
    part.rest_speed(row) += (scan.speed(row) - part.rest_speed(row)) / number;
  }
}

// Rows of a block of springs that the step does not resolve: they take part as joints do, with
// their own values of rest. Returns the largest error, or −1 if it resolves all of the block.
double prepare_springs(const Trapezoidal& method, const RowBlock& block, const GapScan& scan,
                       Workspace& work) {
  double largest = -1.0;
  for (int row = block.first_row; row < block.first_row + block.rows; ++row) {
    if (stiffness_of(method, work, row) > 1.0) {
      work.problem.b(row) = work.trapezoidal.rest_g(row) - scan.g(row);
      largest = std::max(largest, std::abs(work.problem.b(row)));
    } else {
      constexpr double free = 1e12;  // of its mobility: as good as not there
      work.problem.Sigma(row) += work.mobility(row) * free;
    }
  }
  return largest;
}

// Rows at the pose at hand; springs, drives and gaps that take no part are left out. Returns the
// largest error.
double prepare(const Trapezoidal& method, const Model& model, Projected what, Workspace& work) {
  TrapezoidalWorkspace& part = work.trapezoidal;
  GapScan& scan = part.end_scan;
  scan_gaps(model, part.now, work, scan);
  const auto overlaps = [&](const Gap& gap) {
    return what == Projected::positions && gap.gap < -method.closed;
  };
  build_rows(model, part.now, work);
  if (work.collision) {
    collect_contacts(model, scan, overlaps, work);
    build_contact_rows(model, FrictionLaw::none, work);
  }
  assemble_free_motion(model, part.now, scan.frames, {.h = 0.0}, Gyroscopic::kick_drift, work);

  StepProblem& problem = work.problem;
  const double floor = sigma_floor(method.compliance_floor, work);
  double largest = 0.0;
  problem.b.setZero();
  problem.Sigma.setConstant(floor);
  for (std::size_t i = 0; i < work.constraints.blocks.size(); ++i) {
    const RowBlock& block = problem.G.blocks[i];
    const RowPhysics& first = work.constraints.physics[static_cast<std::size_t>(block.first_row)];
    const auto g = scan.g.segment(block.first_row, block.rows);
    const bool open = first.unilateral && (what == Projected::velocities || g(0) >= -method.closed);
    const bool moves = what == Projected::velocities || first.kind == RowKind::holonomic;
    if (first.elastic && part.rests && moves) {
      const double error = prepare_springs(method, block, scan, work);
      if (error >= 0.0) {
        problem.laws[i] = Equality{};
        largest = std::max(largest, error);
        continue;
      }
    }
    if (open || first.elastic || first.kind == RowKind::velocity) {
      problem.laws[i] = Box{};
      continue;
    }
    problem.laws[i] = first.unilateral ? Law(Unilateral{}) : Law(Equality{});
    problem.b.segment(block.first_row, block.rows) = -g;
    largest = std::max(largest, g.lpNorm<Eigen::Infinity>());
  }
  for (const ContactRows& rows : work.contacts.rows) {
    for (const int block : {rows.spinning, rows.rolling})
      if (block >= 0) problem.laws[static_cast<std::size_t>(block)] = Box{};
    problem.Sigma(rows.normal_row) = sigma_floor(method.compliance_floor, model, rows.contact);
    problem.b(rows.normal_row) = -rows.contact.gap;
    largest = std::max(largest, -rows.contact.gap);
  }
  return largest;
}

void project(const Trapezoidal& method, const Model& model, Workspace& work, StepReport& report) {
  TrapezoidalWorkspace& part = work.trapezoidal;
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < most_iterations; ++i) {
    const double error = prepare(method, model, Projected::positions, work);
    if (error <= exact || !(error < 0.5 * before)) break;
    before = error;
    work.problem.p.setZero();
    part.projection.lambda.setZero(work.problem.rows());
    ++report.solves;
    const SolveReport solved = solve(method.solver, work.problem, work.solver, part.projection);
    if (!solved.ok()) return;
    add_solve(solved, report.solve);
    displace(model, part.projection.u, 1.0, part.now);
  }
  prepare(method, model, Projected::velocities, work);
  if (work.constraints.drifts)
    compute_drift_rate(model, part.now.t, work.problem.G, work.P, work, work.drift);
  VecX& target = part.start_speed;  // of the rows, with the sign of a drift
  target = work.drift;
  if (part.rests)
    for (int row = 0; row < part.rest_speed.size(); ++row)
      if (stiffness_of(method, work, row) > 1.0) target(row) -= part.rest_speed(row);
  Impact& impact = work.impact;
  impact.begin(work.problem, target);
  impact.set_softness(work.problem.Sigma);
  const SolveReport solved = impact.solve(method.solver, part.now.v);
  report.solves += impact.solves();
  if (solved.ok()) {
    add_solve(solved, report.solve);
    part.now.p += impact.impulse();
  }
  update_velocities(model, part.now);
}

}  // namespace

void find_rest(Workspace& work, const StepSpan& span) {
  TrapezoidalWorkspace& part = work.trapezoidal;
  const int rows = work.contacts.joint_rows;
  part.start_speed.resize(work.problem.rows());
  multiply(work.problem.G, work.solution.u, part.start_speed);
  if (work.constraints.drifts) part.start_speed += work.drift;
  part.rest_speed = part.start_speed.head(rows);
  part.rest_g = part.start_scan.g + span.theta * span.h * part.rest_speed;
  part.rests = true;
}

void project_drift(const Trapezoidal& method, const Model& model, Workspace& work,
                   StepReport& report) {
  // Observers of the step see its contacts, not those of the projection.
  TrapezoidalWorkspace& part = work.trapezoidal;
  std::swap(part.kept_rows, work.contacts.rows);
  part.kept_lambda = work.solution.lambda;
  approach_rest(method, model, work);
  project(method, model, work, report);
  std::swap(part.kept_rows, work.contacts.rows);
  work.solution.lambda = part.kept_lambda;
}

}  // namespace ligament
