// SPDX-License-Identifier: Apache-2.0
#include "ligament/simulation/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "ligament/measure/joint_measures.h"
#include "ligament/measure/rank.h"
#include "ligament/steppers/words.h"

namespace ligament {
namespace {

constexpr double pi = std::numbers::pi;

enum class Drives { left_out, counted };

// The rows that tie the machine: joints, rods and locks, and what drives it if that is asked for.
std::vector<bool> find_ties(const Model& model, const Workspace& work, Drives drives) {
  std::vector<bool> ties(work.constraints.physics.size(), false);
  for (std::size_t b = 0; b < work.constraints.blocks.size(); ++b) {
    const ConstraintBlock& block = work.constraints.blocks[b];
    bool counts = true;
    if (block.owner == BlockOwner::control) {
      const ControlKind kind = model.controls()[block.index].kind;
      const bool drives_it = (kind == ControlKind::motor && block.max_force == unlimited) ||
                             kind == ControlKind::motion;
      counts = kind == ControlKind::lock || (drives_it && drives == Drives::counted);
    }
    const RowBlock& rows = work.problem.G.blocks[b];
    for (int r = 0; r < rows.rows; ++r) {
      const auto row = static_cast<std::size_t>(rows.first_row + r);
      const RowPhysics& physics = work.constraints.physics[row];
      ties[row] = counts && !physics.elastic && !physics.unilateral;
    }
  }
  return ties;
}

RowRank rank_at(const Model& model, const State& state, Drives drives, Workspace& work) {
  build_rows(model, state, work);
  assemble_motion(model, state, 0.0, Gyroscopic::kick_drift, work);
  return compute_rank(work.problem.M, work.problem.G, find_ties(model, work, drives));
}

int count(const std::vector<bool>& flags) {
  return static_cast<int>(std::ranges::count(flags, true));
}

// A pose nearby that closes too: a small random push, and assembly. Empty if that fails.
std::optional<State> find_pose_nearby(const Model& model, State state) {
  constexpr double push = 0.02;  // [m, rad]
  std::mt19937_64 engine(1);
  VecX v(model.velocities());
  for (double& value : v) value = static_cast<double>(engine() >> 11) * 0x1p-52 - 1.0;
  displace(model, v, push, state);
  if (!assemble(model, state).open.empty()) return std::nullopt;
  return state;
}

double damping_steps_of(const Stepper& stepper) {
  return std::visit(
      [](const auto& s) {
        if constexpr (requires { s.damping_steps; }) return s.damping_steps;
        return 0.0;
      },
      stepper);
}

class StepCheck {
 public:
  StepCheck(const Model& model, const Stepper& stepper, const State& state, Workspace& work,
            std::vector<Unresolved>& out)
      : model_(model), stepper_(stepper), state_(state), work_(work), out_(out) {}

  void run() {
    if (const Unsupported what = find_unsupported(stepper_, model_, work_); what.any())
      out_.push_back({what.contacts
                          ? "contacts"
                          : name_of_row(work_.constraints, model_, work_.problem.G, what.row),
                      "this stepper, with these options, does not step it", 0.0});
    build_rows(model_, state_, work_);
    assemble_motion(model_, state_, 0.0, Gyroscopic::kick_drift, work_);
    work_.problem.Sigma.setZero();
    VecX mobility;
    compute_row_mobility(work_.problem, mobility);
    for (std::size_t i = 0; i < work_.constraints.physics.size(); ++i) {
      if (!is_rigid_) check_floor(i);
      check_swing(i, mobility(static_cast<Eigen::Index>(i)));
    }
    if (is_rigid_) return;
    check_curvature();
    check_tension();
  }

 private:
  double h() const { return step_size(stepper_); }

  void add(std::size_t row, std::string why, double largest_h) {
    out_.push_back({name_of_row(work_.constraints, model_, work_.problem.G, static_cast<int>(row)),
                    std::move(why), largest_h});
  }

  // Σ = 4 ε Υ/h² (Spook) or ε/(h (h + τ)) (Relaxed) below what elimination can tell from 0. [SP.8]
  void check_floor(std::size_t i) {
    const RowPhysics& row = work_.constraints.physics[i];
    const double tau = row.damping_time < 0.0 ? damping_steps_of(stepper_) * h() : row.damping_time;
    double per_compliance = 1.0 / h();
    if (row.kind == RowKind::holonomic)
      per_compliance = std::holds_alternative<Spook>(stepper_)
                           ? 4.0 / (h() * h()) / (1.0 + 4.0 * tau / h())
                           : 1.0 / (h() * (h() + tau));
    const double floor =
        sigma_floor(std::visit([](const auto& s) { return s.compliance_floor; }, stepper_), work_);
    if (row.compliance * per_compliance >= floor) return;
    add(i,
        fmt::format("its compliance {:.3g} is below {:.3g}, the least that double precision can "
                    "tell from none at this step",
                    row.compliance, floor / per_compliance),
        0.0);
  }

  // A spring alone swings at ω = √(s/ε), s its mobility: it takes six steps a swing to follow.
  void check_swing(std::size_t i, double mobility) {
    const RowPhysics& row = work_.constraints.physics[i];
    if (row.kind != RowKind::holonomic || !row.elastic || row.compliance <= 0.0) return;
    const double omega = std::sqrt(mobility / row.compliance);
    if (h() * omega <= 1.0) return;
    add(i,
        fmt::format("alone it swings at {:.3g} Hz, which steps of {:.3g} s do not follow: it acts "
                    "as a stiff joint",
                    omega / (2.0 * pi), h()),
        1.0 / omega);
  }

  // A curved constraint at speed stays open by (θ + ½) κ, κ = g(q ⊕ h v) − g − h G v.        [SP.6]
  void check_curvature() {
    multiply(work_.problem.G, state_.v, work_.row_speed);
    const VecX start = work_.g, speed = work_.row_speed;
    State ahead = state_;
    displace(model_, state_.v, h(), ahead);
    build_rows(model_, ahead, work_);
    const double factor =
        damping_steps_of(stepper_) + (std::holds_alternative<Spook>(stepper_) ? 0.5 : 1.0);
    for (std::size_t i = 0; i < work_.constraints.physics.size(); ++i) {
      const RowPhysics& row = work_.constraints.physics[i];
      if (row.kind != RowKind::holonomic || row.elastic || row.unilateral) continue;
      const auto at = static_cast<Eigen::Index>(i);
      const double gap = factor * std::abs(work_.g(at) - start(at) - h() * speed(at));
      if (gap > most_gap_)
        add(i,
            fmt::format("at the speed of the start it stays open by {:.3g} (it falls with h²)",
                        gap),
            h() * std::sqrt(most_gap_ / gap));
    }
    build_rows(model_, state_, work_);
  }

  // A joint that pulls with T on a body of mass m and length l leaves its transverse motion stable
  // for T h²/(m l) < 1/4. T by one trial step.                                          [CH.2]
  void check_tension() {
    State trial = state_;
    if (!step(stepper_, model_, trial, work_).ok()) return;
    const RowImpulses impulses{work_.constraints, work_.problem.G, work_.frames,
                               work_.solution.lambda, h()};
    for (std::uint32_t i = 0; i < model_.joints().size(); ++i) {
      const Joint& joint = model_.joints()[i];
      const double force = compute_joint_load(model_, impulses, JointId{i}).force.norm();
      const std::pair<BodyId, const Frame*> sides[] = {{joint.a, &joint.frame_a},
                                                       {joint.b, &joint.frame_b}};
      for (const auto& side : sides) {
        const Body& body = model_.body(side.first);
        const double length = 2.0 * side.second->p.norm();
        if (body.kind == BodyKind::fixed || length == 0.0) continue;
        const double number = force * h() * h() / (body.mass * length);
        if (number < 0.25) continue;
        out_.push_back(
            {fmt::format("joint \"{}\"", model_.name(JointId{i})),
             fmt::format("it pulls with {:.3g} N on body \"{}\" of {:.3g} kg, too light for this "
                         "step: T h²/(m l) = {:.2g}, and 0.25 is the limit",
                         force, model_.name(side.first), body.mass, number),
             h() * std::sqrt(0.25 / number)});
      }
    }
  }

  static constexpr double most_gap_ = 1e-2;  // [m, rad]
  const Model& model_;
  const Stepper& stepper_;
  const State& state_;
  Workspace& work_;
  std::vector<Unresolved>& out_;
  // Steppers whose joints are rigid: they have no compliance to resolve.
  const bool is_rigid_ =
      std::holds_alternative<Impulse>(stepper_) || std::holds_alternative<Taylor>(stepper_);
};

std::string plural(int count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

void append_list(std::string_view heading, const std::vector<std::string>& lines,
                 std::string& text) {
  constexpr std::size_t shown = 20;
  for (std::size_t i = 0; i < std::min(shown, lines.size()); ++i)
    text += fmt::format("{:<14}{}\n", i == 0 ? heading : "", lines[i]);
  if (lines.size() > shown) text += fmt::format("{:<14}and {} more\n", "", lines.size() - shown);
}

}  // namespace

Diagnosis diagnose(const Model& model, const Stepper& stepper) {
  Diagnosis result{.bodies = model.moving_bodies(), .velocities = model.velocities()};
  State state = model.initial_state();
  result.assembly = assemble(model, state);

  Workspace work(model);
  const RowRank rank = rank_at(model, state, Drives::left_out, work);
  result.rows = count(find_ties(model, work, Drives::left_out));
  result.driven = count(find_ties(model, work, Drives::counted)) - result.rows;
  result.degrees_of_freedom = model.velocities() - rank.rank;
  result.undriven = model.velocities() - rank_at(model, state, Drives::counted, work).rank;
  const std::vector<bool> ties = find_ties(model, work, Drives::left_out);
  for (int row = 0; row < static_cast<int>(ties.size()); ++row) {
    if (!ties[static_cast<std::size_t>(row)]) continue;
    const bool follows = std::ranges::binary_search(rank.dependent, row);
    (follows ? result.redundant : result.independent)
        .push_back(name_of_row(work.constraints, model, work.problem.G, row));
  }
  if (result.assembly.open.empty())
    if (const std::optional<State> nearby = find_pose_nearby(model, state))
      result.nearby = model.velocities() - rank_at(model, *nearby, Drives::left_out, work).rank;

  StepCheck(model, stepper, state, work, result.unresolved).run();
  return result;
}

std::string Diagnosis::text() const {
  const int by_count = velocities - rows;
  std::string text = fmt::format("machine       {}, {} velocities, {}\n",
                                 plural(bodies, "moving body", "moving bodies"), velocities,
                                 plural(rows, "row", "rows"));
  text +=
      fmt::format("freedom       {} (velocities minus rows: {})",
                  plural(degrees_of_freedom, "degree of freedom", "degrees of freedom"), by_count);
  if (driven > 0)
    text += fmt::format(", {} with {} running", undriven, plural(driven, "drive", "drives"));
  text += '\n';
  if (is_singular_pose())
    text += fmt::format(
        "singular      the pose is singular: {} degrees of freedom in a pose nearby\n", *nearby);
  if (assembly.ok())
    text += assembly.moved > 0.0 || assembly.violation_before > 1e-9
                ? fmt::format(
                      "assembly      closes: bodies move by at most {:.3g} m, gaps from {:.3g} "
                      "to {:.3g}\n",
                      assembly.moved, assembly.violation_before, assembly.violation)
                : "assembly      the joints are closed as given\n";
  else
    text += fmt::format("conflict      {}\n", assembly.describe());
  if (redundant.empty()) text += "redundant     no row\n";
  append_list("redundant", redundant, text);
  if (!redundant.empty()) append_list("independent", independent, text);
  std::vector<std::string> lines;
  for (const Unresolved& item : unresolved)
    lines.push_back(
        item.name + ": " + item.why +
        (item.largest_h > 0.0 ? fmt::format(" (h ≤ {:.3g} s would)", item.largest_h) : ""));
  if (lines.empty()) text += "time step     resolves every row\n";
  append_list("time step", lines, text);
  return text;
}

}  // namespace ligament
