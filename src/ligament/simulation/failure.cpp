// SPDX-License-Identifier: Apache-2.0
#include "ligament/simulation/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ligament/math/alternatives.h"
#include "ligament/simulation/contact_tally.h"
#include "ligament/simulation/run.h"

namespace ligament {
namespace {

std::string name_any_row(const Model& model, const Workspace& work, int row) {
  if (row >= work.contacts.joint_rows) return "the " + find_contact(work.contacts, row).name(model);
  return name_of_row(work.constraints, model, work.problem.G, row);
}

// The body of each block of M.
std::vector<BodyId> list_bodies(const Model& model) {
  std::vector<BodyId> bodies(static_cast<std::size_t>(model.moving_bodies()));
  for (std::uint32_t i = 0; i < model.bodies().size(); ++i)
    if (const int block = model.bodies()[i].mass_block; block >= 0)
      bodies[static_cast<std::size_t>(block)] = BodyId{i};
  return bodies;
}

// The bodies that a row ties.
std::vector<BodyId> bodies_of_row(const Model& model, const Workspace& work, int row) {
  const std::vector<BodyId> all = list_bodies(model);
  const BlockRows& G = work.problem.G;
  std::vector<BodyId> bodies;
  const RowBlock& block = G.blocks[static_cast<std::size_t>(block_of(G, row))];
  for (const BlockEntry& entry : G.entries_of(block))
    bodies.push_back(all[static_cast<std::size_t>(entry.body)]);
  return bodies;
}

// , of body "arm" (2 kg) and body "hand" (0.1 kg)
std::string describe_bodies(const Model& model, const Workspace& work, int row) {
  std::string text;
  for (const BodyId id : bodies_of_row(model, work, row))
    text += fmt::format("{} body \"{}\" ({:.3g} kg)", text.empty() ? ", of" : " and",
                        model.name(id), model.body(id).mass);
  return text;
}

// The owner of a function of time that has no finite value around t, empty if all have one.
std::string find_broken_function(const Model& model, double t, double h) {
  const auto is_broken = [&](const auto& value_at) {
    for (const double time : {t - h, t, t + 0.5 * h, t + h})
      if (!std::isfinite(value_at(time))) return true;
    return false;
  };
  for (std::uint32_t i = 0; i < model.controls().size(); ++i)
    if (is_broken(model.controls()[i].target))
      return fmt::format("control \"{}\"", model.name(ControlId{i}));
  for (const Load& load : model.loads())
    for (std::size_t i = 0; i < 3; ++i)
      if (is_broken(load.force[i]) || is_broken(load.torque[i]))
        return fmt::format("load \"{}\"", load.name);
  for (std::uint32_t i = 0; i < model.bodies().size(); ++i) {
    const int motion = model.bodies()[i].motion;
    if (motion < 0) continue;
    const PoseFunction& pose = model.motions()[static_cast<std::size_t>(motion)];
    if (is_broken([&](double time) { return pose(time).p.sum() + pose(time).R.coeffs().sum(); }))
      return fmt::format("the motion of body \"{}\"", model.name(BodyId{i}));
  }
  return {};
}

// The friction coefficient of the contact that a row belongs to, 0 of other rows.
double friction_of(const Workspace& work, int row) {
  const Law& law = work.problem.laws[static_cast<std::size_t>(block_of(work.problem.G, row))];
  if (const Coulomb* coulomb = std::get_if<Coulomb>(&law)) return coulomb->mu;
  if (const Cone* cone = std::get_if<Cone>(&law)) return cone->mu;
  return 0.0;
}

// Why a solver may not have reached its tolerance at a row, and what to do about it.
std::string explain_slow_row(const Model& model, const Stepper& stepper, const Workspace& work,
                             int row) {
  constexpr double large = 100.0;   // ratio of masses that sweeps feel
  constexpr double strong = 100.0;  // friction that wedges whatever touches, in all directions
  double lightest = std::numeric_limits<double>::infinity(), heaviest = 0.0;
  for (const BodyId id : bodies_of_row(model, work, row)) {
    lightest = std::min(lightest, model.body(id).mass);
    heaviest = std::max(heaviest, model.body(id).mass);
  }
  const bool automatic = std::holds_alternative<Automatic>(solver_of(stepper));
  if (heaviest > large * lightest)
    return fmt::format("The likely cause is the ratio of masses, {:.3g}: take the solver {}",
                       heaviest / lightest,
                       automatic ? "interior_point, which takes such ratios" : "automatic");
  if (const double mu = friction_of(work, row); mu > strong)
    return fmt::format(
        "The likely cause is the friction coefficient, {:.3g}, by which the slip is multiplied in "
        "the bound of the error: surfaces that never slip do as well with {:g}",
        mu, strong);
  return fmt::format(
      "The likely cause is how many rows hang together there: allow more iterations "
      "or sweeps, take a shorter step, or the solver {}",
      automatic ? "interior_point" : "automatic");
}

// What a law lets a row do.
const char* describe(const Law& law) {
  struct Words {
    const char* operator()(const Equality&) const { return "which holds both ways"; }
    const char* operator()(const Unilateral&) const { return "which pushes and does not pull"; }
    const char* operator()(const Box& box) const {
      return box.normal < 0 ? "whose force is bounded"
                            : "whose friction is bounded by the pressure";
    }
    const char* operator()(const Disc&) const {
      return "whose friction is bounded in all directions";
    }
    const char* operator()(const Cone&) const { return "whose friction is that of a convex cone"; }
    const char* operator()(const Coulomb&) const { return "whose friction is Coulomb's"; }
  };
  return std::visit(Words{}, law);
}

// Which solver takes which law: of what is there, the first row that it does not take, and the
// solvers that take all.
std::string describe_unsolvable(const Solver& solver, const Model& model, const Workspace& work) {
  const StepProblem& problem = work.problem;
  std::string text = fmt::format("the solver {} does not take this machine", name_of(solver));
  StepProblem one;
  for (std::size_t b = 0; b < problem.laws.size(); ++b) {
    one.laws.assign(1, problem.laws[b]);
    if (supports(solver, one)) continue;
    text = fmt::format("the solver {} does not take {}, {}", name_of(solver),
                       name_any_row(model, work, problem.G.blocks[b].first_row),
                       describe(problem.laws[b]));
    break;
  }
  std::string others;
  for (const Solver& other : make_alternatives<Solver>())
    if (supports(other, problem) && !needs_symmetry(other))
      others += fmt::format("{}{}", others.empty() ? "" : ", ", name_of(other));
  return text + ". These do: " + others;
}

bool is_whole(const StepProblem& problem) {
  return problem.Sigma.size() == problem.rows() && problem.b.size() == problem.rows() &&
         problem.p.size() == problem.columns() && problem.laws.size() == problem.G.blocks.size();
}

}  // namespace

std::string describe_unsupported(const Unsupported& what, const Model& model,
                                 const Workspace& work) {
  if (what.contacts)
    return "this stepper, with these options, does not step contacts: leave the shapes out, or use "
           "another stepper";
  return fmt::format("this stepper, with these options, does not step {}: use another stepper",
                     name_of_row(work.constraints, model, work.problem.G, what.row));
}

// The first body whose state is not finite, by name.
std::string find_lost_body(const Model& model, const State& state) {
  for (std::uint32_t i = 0; i < model.bodies().size(); ++i) {
    const Body& body = model.bodies()[i];
    if (!state.q.segment(body.q_offset, coordinates_of(body.kind)).allFinite() ||
        (body.v_offset >= 0 &&
         !state.p.segment(body.v_offset, velocities_of(body.kind)).allFinite()))
      return fmt::format("body \"{}\"", model.name(BodyId{i}));
  }
  return "the machine";
}

std::string describe_failure(const StepReport& report, const Stepper& stepper, const Model& model,
                             const State& state, const Workspace& work) {
  const double h = step_size(stepper);
  if (const Unsupported what = find_unsupported(stepper, model, work); what.any())
    return describe_unsupported(what, model, work);
  const auto* impulse = std::get_if<Impulse>(&stepper);
  if (report.open_row >= 0 && impulse && impulse->form == ImpulseForm::sweeps)
    return fmt::format(
        "{} sweeps do not close {} to {:.2g} m or rad, though the step was halved {} times: allow "
        "more sweeps, take a shorter step or the form newton, unless the pose is singular",
        impulse->max_sweeps, name_of_row(work.constraints, model, work.problem.G, report.open_row),
        impulse->tolerance, report.halvings);
  if (report.open_row >= 0 && report.solve.ok())
    return fmt::format(
        "no impulse closes {}, though the step was halved {} times: the pose is singular, or the "
        "step is far too long",
        name_of_row(work.constraints, model, work.problem.G, report.open_row), report.halvings);
  if (report.solve.status == SolveStatus::not_run) {
    const std::string owner = find_broken_function(model, state.t, h);
    return owner.empty() ? "forces or targets are not finite numbers"
                         : owner + ": its function of time has no finite value here";
  }
  if (report.solve.status == SolveStatus::unsupported)
    return describe_unsolvable(solver_of(stepper), model, work);
  std::string text =
      fmt::format("the solver could not solve the step: {}", name_of(report.solve.status));
  if (report.solve.culprit_block < 0) return text;
  const auto block = static_cast<std::size_t>(report.solve.culprit_block);
  const int row = work.problem.G.blocks[block].first_row;
  text +=
      fmt::format(" at {}{}", name_any_row(model, work, row), describe_bodies(model, work, row));
  if (row >= work.contacts.joint_rows)
    return text + ". Give these surfaces the compliance that they have, or another solver";
  return text +
         ". Rows that depend on each other need compliance: raise it, or leave compliance_floor on";
}

BadStepKeeper::BadStepKeeper(const Model& model, const Stepper& stepper, const Workspace& work)
    : model_(model), stepper_(stepper), work_(work) {}

void BadStepKeeper::look_at(long step, const StepReport& report, double time) {
  if (report.solve.status == SolveStatus::solved && report.ok()) return;
  const bool failed = !report.ok();
  const double error =
      std::isnan(report.solve.velocity_error) ? report.residual : report.solve.velocity_error;
  // Slightly worse is not worth a copy.
  if (!failed && kept_ && !(error > 1.1 * worst_)) return;
  if (!is_whole(work_.problem) || find_unsupported(stepper_, model_, work_).any()) return;
  worst_ = error;
  if (!kept_) kept_.emplace();
  kept_->failed = failed;
  kept_->step = step;
  kept_->time = time;
  kept_->problem = work_.problem;
  kept_->worst.clear();
  if (!failed && report.worst_residual_row >= 0) {
    const int row = report.worst_residual_row;
    kept_->worst = name_any_row(model_, work_, row) + describe_bodies(model_, work_, row);
    advice_ = explain_slow_row(model_, stepper_, work_, row);
  }
  write_notes(report);
}

void BadStepKeeper::write_notes(const StepReport& report) {
  DumpNotes& notes = kept_->notes;
  notes = {};
  notes.head = {
      fmt::format("step {} from t = {:g} s, by {} with h = {:g} s", kept_->step, kept_->time,
                  name_of(stepper_), step_size(stepper_)),
      fmt::format("solver {}: {}", name_of(solver_of(stepper_)), name_of(report.solve.status))};
  if (!kept_->worst.empty())
    notes.head.push_back(
        fmt::format("worst row: {}, missed by {:.3g} m/s", kept_->worst, report.residual));
  for (const BodyId id : list_bodies(model_))
    notes.bodies.push_back(fmt::format("body \"{}\"", model_.name(id)));
  for (std::size_t b = 0; b < work_.problem.G.blocks.size(); ++b) {
    const int row = work_.problem.G.blocks[b].first_row;
    notes.blocks.push_back(row < work_.contacts.joint_rows
                               ? name_of_block(work_.constraints, model_, b)
                               : find_contact(work_.contacts, row).name(model_));
  }
}

void BadStepKeeper::write_to(RunReport& out) {
  if (!kept_) return;
  if (!kept_->failed && !kept_->worst.empty())
    out.warnings.push_back(fmt::format("step {} (t = {:g} s) was solved worst: at {}. {}",
                                       kept_->step, kept_->time, kept_->worst, advice_));
  out.bad_step = std::move(kept_);
}

}  // namespace ligament
