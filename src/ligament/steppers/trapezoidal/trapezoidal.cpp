// SPDX-License-Identifier: Apache-2.0
// Trapezoidal, the linearly implicit trapezoidal rule with events.
//
// Problem   M v̇ = f + Gᵀ λ with joints, stiff springs, contact, dry friction and impacts, q̇ = v.
// Scheme    one problem a step for its mean velocity w [TR.1], all rows at the predicted pose
//           (mean_velocity.h). A step in which something collides or stops sliding is divided there
//           (step_events.h); impacts are Poisson's (impact.h).
// Terms     a part: what is between two events of a step. hit: what collided in this step; it is
//           active until the end of the step.
// Promises  second order in positions and, with collision times by re-solving, in velocities;
//           energy of joints, springs and dampers never grows but by drift control; impacts keep
//           all joints. First order where sliding reverses while springs are stiff.
// Reference Potra, Anitescu, Gavrea and Trinkle 2004; docs/theory/trapezoidal.md.
#include <algorithm>
#include <cmath>

#include "ligament/measure/energy.h"
#include "ligament/steppers/contacts.h"
#include "ligament/steppers/take_step.h"
#include "ligament/steppers/trapezoidal/drift_projection.h"
#include "ligament/steppers/trapezoidal/mean_velocity.h"
#include "ligament/steppers/trapezoidal/part_errors.h"
#include "ligament/steppers/trapezoidal/step_events.h"

namespace ligament {
namespace {

constexpr int most_bounces = 100;    // impacts of a step that give something back: Zeno's guard
constexpr int most_divisions = 200;  // of a step; it then goes on as it is
constexpr double no_time = 1e-12;    // of a step: too little to be a part

class TrapezoidalStep {
 public:
  TrapezoidalStep(const Trapezoidal& method, const Model& model, State& state, Workspace& work)
      : method_(method),
        model_(model),
        state_(state),
        work_(work),
        part_(work.trapezoidal),
        errors_(work),
        t_end_(state.t + method.h) {}

  StepReport tell();

 private:
  void begin();
  void look_around();
  bool collide();
  void prepare_impact();
  void record_impact();
  bool divide(double h);
  void accept(double h, double share);
  void finish();

  const Trapezoidal& method_;
  const Model& model_;
  State& state_;
  Workspace& work_;
  TrapezoidalWorkspace& part_;
  PartErrors errors_;
  StepReport report_;
  double t_end_, theta_ = 0.5;
  double last_part_ = 0.0;  // [s] length of the part whose impulses the workspace has, 0: none
  const GapKey* pending_ = nullptr;  // what was found to collide now
  bool first_look_ = true;
};

StepReport TrapezoidalStep::tell() {
  begin();
  for (int divisions = 0;; ++divisions) {
    look_around();
    if (std::ranges::find(part_.start_scan.gaps, GapRole::hits, &Gap::role) !=
            part_.start_scan.gaps.end() &&
        !collide())
      return report_;
    const double h = t_end_ - part_.now.t;
    if (h <= no_time * method_.h) break;
    add_solve(take_part(method_, model_, {h, theta_}, work_, report_), report_.solve);
    if (!report_.ok()) return report_;

    find_events(method_, model_, state_, h, work_);
    if (part_.events.empty() || divisions == most_divisions) {
      if (!part_.events.empty()) ++report_.missed_events;
      accept(h, 1.0);
      break;
    }
    if (!divide(h)) return report_;
  }
  finish();
  return report_;
}

void TrapezoidalStep::begin() {
  report_.solves = 0;
  part_.now.t = state_.t;
  part_.now.q = state_.q;
  part_.now.p = state_.p;
  part_.now.s = state_.s;
  part_.now.v = state_.v;
  update_velocities(model_, part_.now);
  part_.impacts.clear();
  part_.hit.clear();
  part_.stopped.clear();
  // Events come late in a run, and find their memory ready.
  const auto rows = static_cast<std::size_t>(work_.contacts.joint_rows);
  const std::size_t gaps = rows + 4 * model_.shapes().size();
  part_.impacts.reserve(gaps);
  part_.hit.reserve(gaps);
  part_.stopped.reserve(gaps);
  part_.events.reserve(gaps);
  state_.rows.reserve(rows);
  part_.row_impulse.setZero(work_.contacts.joint_rows);
  first_look_ = true;
  part_.rests = false;
  theta_ = state_.t < method_.damped_until ? 1.0 : method_.theta;
  if (work_.collision)
    work_.collision->set_options({.lookahead = method_.h,
                                  .slack = method_.contacts.slack,
                                  .threads = method_.contacts.threads});
}

// The gaps at the start of a part and their roles.
void TrapezoidalStep::look_around() {
  GapScan& scan = part_.start_scan;
  scan_gaps(model_, part_.now, work_, scan);
  recall_pressing(model_, state_, work_, scan);
  if (first_look_) part_.first_g = scan.g;
  first_look_ = false;
  assign_roles(method_, part_.hit, scan);
  if (!pending_) return;
  // It closes now, whatever is left of its gap.
  Gap* closing = scan.find_or_nearest(*pending_);
  if (closing && closing->speed < -method_.still) closing->role = GapRole::hits;
  pending_ = nullptr;
}

// The rows of an impact of all that is closed.  [IM.1]
void TrapezoidalStep::prepare_impact() {
  const GapScan& scan = part_.start_scan;
  const auto takes_part = [](const Gap& gap) { return gap.role != GapRole::open; };
  build_rows(model_, part_.now, work_);
  if (work_.collision) {
    collect_contacts(model_, scan, takes_part, work_);
    build_contact_rows(model_, method_.contacts.friction, work_);
  }
  assemble_free_motion(model_, part_.now, scan.frames, {.h = 0.0}, Gyroscopic::kick_drift, work_);
  if (work_.constraints.drifts)
    compute_drift_rate(model_, part_.now.t, work_.problem.G, work_.P, work_, work_.drift);

  Impact& impact = work_.impact;
  const auto joint_blocks = static_cast<std::size_t>(work_.contacts.joint_blocks);
  for (std::size_t i = 0; i < joint_blocks; ++i)
    if (work_.constraints.physics[static_cast<std::size_t>(work_.problem.G.blocks[i].first_row)]
            .unilateral)
      work_.problem.laws[i] = Unilateral{};
  impact.begin(work_.problem, work_.drift);
  impact.leave_out_drives(work_.constraints);
  const double floor = sigma_floor(method_.compliance_floor, work_);
  for (std::size_t i = 0; i < joint_blocks; ++i) impact.set_softness(static_cast<int>(i), floor);
  for (const ContactRows& rows : work_.contacts.rows)
    for (const int block : {rows.block, rows.friction, rows.spinning, rows.rolling})
      if (block >= 0) impact.set_softness(block, contact_softness(method_, model_, rows));
  std::size_t contact = 0;
  for (const Gap& gap : scan.gaps) {
    if (gap.key.row >= 0 && !takes_part(gap))
      impact.leave_out(block_of(work_.problem.G, gap.key.row));
    if (!takes_part(gap)) continue;
    const int row = gap.key.row >= 0 ? gap.key.row : work_.contacts.rows[contact++].normal_row;
    if (report_.impacts < most_bounces && gap.speed < -method_.plastic_speed)
      impact.set_restitution(row, gap.restitution);
  }
}

bool TrapezoidalStep::collide() {
  prepare_impact();
  errors_.forget_contacts();
  last_part_ = 0.0;
  part_.rests = false;
  add_solve(work_.impact.solve(method_.solver, part_.now.v), report_.solve);
  report_.solves += work_.impact.solves();
  if (!report_.ok()) return false;
  part_.now.p += work_.impact.impulse();
  part_.row_impulse += work_.impact.lambda().head(work_.contacts.joint_rows);
  update_velocities(model_, part_.now);
  record_impact();
  assign_roles(method_, part_.hit, part_.start_scan);
  for (Gap& gap : part_.start_scan.gaps)
    if (gap.role == GapRole::hits) gap.role = GapRole::rests;  // what rounding left
  const double stiffness = compute_stiffness_number(work_.constraints, work_.mobility, method_.h);
  if (method_.damped_restart && stiffness > 1.0) theta_ = 1.0;  // [TR.9]
  return true;
}

// New speeds of the gaps, and what the step tells of those that hit.
void TrapezoidalStep::record_impact() {
  VecX& speed = part_.end_speed;
  speed.resize(work_.problem.rows());
  multiply(work_.problem.G, part_.now.v, speed);
  if (work_.constraints.drifts) speed += work_.drift;
  const double energy = compute_energy(model_, part_.now).total();
  std::size_t contact = 0;
  for (Gap& gap : part_.start_scan.gaps) {
    if (gap.role == GapRole::open) continue;
    const int row = gap.key.row >= 0 ? gap.key.row : work_.contacts.rows[contact++].normal_row;
    const double before = gap.speed;
    gap.speed = speed(row);
    if (gap.role != GapRole::hits) continue;
    ++report_.impacts;
    part_.impacts.push_back({part_.now.t, gap.key, before, gap.speed, energy});
    if (std::ranges::find(part_.hit, gap.key) == part_.hit.end()) part_.hit.push_back(gap.key);
  }
}

// Ends the part at its first event.
bool TrapezoidalStep::divide(double h) {
  const Division division = locate_event(method_, model_, {h, theta_}, work_, report_);
  if (!report_.ok()) return false;
  accept(division.h, division.share);
  const StepEvent& event = part_.events[division.event];
  if (event.slip_row >= 0) {
    part_.stopped.push_back(event.key);
    ++report_.events;
  } else {
    if (std::ranges::find(part_.hit, event.key) == part_.hit.end()) part_.hit.push_back(event.key);
    pending_ = &part_.hit.back();
  }
  return true;
}

void TrapezoidalStep::accept(double h, double share) {
  part_.row_impulse += share * work_.solution.lambda.head(work_.contacts.joint_rows);
  last_part_ = h / share;
  errors_.add(last_part_, share);
  if (method_.drift == DriftControl::project) find_rest(work_, {h, theta_});
  std::swap(part_.now, part_.end);
}

// The state at the end of the step, and what it remembers.
void TrapezoidalStep::finish() {
  state_.contacts.clear();
  state_.rows.clear();
  if (last_part_ > no_time * method_.h) {
    const double scale = method_.h / last_part_;
    ContactModel plain = method_.contacts;
    plain.anchored = false;
    remember_contacts(model_, method_.h, plain, work_, state_);
    for (ContactMemory& memory : state_.contacts) memory.impulse *= scale;
    remember_rows(scale, work_, state_);
  }
  work_.g = part_.first_g;
  measure(work_, report_);
  errors_.write_to(report_);
  work_.solution.lambda.head(work_.contacts.joint_rows) = part_.row_impulse;

  if (method_.drift == DriftControl::project) project_drift(method_, model_, work_, report_);
  state_.t = t_end_;
  state_.q = part_.now.q;
  state_.v = part_.now.v;
  state_.p = part_.now.p;
  state_.s = part_.now.s;
  move_prescribed_bodies(model_, t_end_, state_);
}

}  // namespace

StepReport take_step(const Trapezoidal& method, const Model& model, State& state, Workspace& work) {
  return TrapezoidalStep(method, model, state, work).tell();
}

}  // namespace ligament
