// SPDX-License-Identifier: Apache-2.0
#include "ligament/simulation/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ligament/steppers/words.h"

namespace ligament {
namespace {

constexpr double largest_turn = 0.3;  // [rad] of a body in one iteration
constexpr int patience = 40;          // iterations without progress before it gives up
constexpr double compliance_floor = 1e3;

bool is_constraint(const RowPhysics& row) { return row.kind == RowKind::holonomic && !row.elastic; }

// How far a row is from holding: nothing, for the room that a limit leaves.
double error_of(const RowPhysics& row, double g) { return row.unilateral ? std::min(g, 0.0) : g; }

double largest(const VecX& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0.0; }

class Assembler {
 public:
  Assembler(const Model& model, const AssemblyOptions& options)
      : model_(model), options_(options), work_(model) {}

  void close_positions(State& state, AssemblyReport& report) {
    const VecX before = state.q;
    State best = state;
    double least = measure(state);
    report.violation_before = least;
    int last_progress = 0;
    for (int i = 0; i < options_.most_iterations && least > tolerance(state); ++i) {
      if (i - last_progress > patience) break;
      if (!take_newton_step(state)) break;
      ++report.iterations;
      const double violation = measure(state);
      if (violation < 0.99 * least) last_progress = i;
      if (violation < least) {
        least = violation;
        best = state;
      }
    }
    state = best;
    report.violation = measure(state);
    if (!(report.violation <= tolerance(state))) list_open_rows(report);
    for (const Body& body : model_.bodies())
      report.moved =
          std::max(report.moved,
                   (state.q.segment<3>(body.q_offset) - before.segment<3>(body.q_offset)).norm());
  }

  void project_velocities(State& state, AssemblyReport& report) {
    constexpr double moment = 1e-6;  // [s] over which prescribed motions are differenced
    build_rows(model_, state, work_);
    assemble_motion(model_, state, 0.0, Gyroscopic::kick_drift, work_);
    compute_row_speeds(model_, state, moment, work_);
    const double speed = std::max(largest(state.v), largest(work_.row_speed));
    choose_laws([&](std::size_t i, const ConstraintBlock& block) {
      const RowPhysics& row = work_.constraints.physics[i];
      if (row.unilateral) return work_.g(static_cast<Eigen::Index>(i)) < tolerance(state);
      if (row.kind == RowKind::velocity) return !row.elastic && block.max_force == unlimited;
      return is_constraint(row);
    });
    work_.problem.Sigma.setConstant(sigma_floor(compliance_floor, work_));
    compute_drift_at_start(state.t, moment);
    work_.problem.b = -work_.drift;
    if (!solve(BlockPivot{}, work_.problem, work_.solver, work_.solution).ok()) return;
    compute_residual(work_.problem, work_.solution, work_.residual);
    state.p += work_.residual.impulse;
    report.speed_change = largest(work_.solution.u - state.v);
    state.v = work_.solution.u;
    // What may be missed: a millionth of the speeds there are or were, and the rounding of the
    // places that motions are differenced from.
    constexpr double roundings = 32.0 * std::numeric_limits<double>::epsilon();
    const double fastest = std::max({speed, largest(work_.problem.b), largest(state.v)});
    const double size = 1.0 + std::max(largest(state.q), largest(state.s));
    const double rounding = work_.constraints.drifts ? roundings * size / moment : 0.0;
    list_contradictions(1e-6 * fastest + rounding, report);
  }

  // The rate of what is given as a function of time, at its very start: it need not have been the
  // same before. From the means over two moments, (3 d₁ − d₂)/2, exact for a constant acceleration.
  void compute_drift_at_start(double t, double moment) {
    if (!work_.constraints.drifts) return;
    VecX& next = work_.drift_before;
    compute_drift(model_, t + moment, moment, work_.problem.G, work_.P, work_, next);
    if (next.allFinite()) work_.drift = 1.5 * work_.drift - 0.5 * next;
  }

  // The row blocks that take part keep their law, the others exert nothing.
  template <class TakesPart>
  void choose_laws(TakesPart&& takes_part) {
    for (std::size_t b = 0; b < work_.constraints.blocks.size(); ++b) {
      const auto row = static_cast<std::size_t>(work_.problem.G.blocks[b].first_row);
      Law& law = work_.problem.laws[b];
      if (!takes_part(row, work_.constraints.blocks[b]))
        law = Box{};
      else if (work_.constraints.physics[row].unilateral)
        law = Unilateral{};
      else
        law = Equality{};
    }
  }

 private:
  double tolerance(const State& state) const {
    return options_.tolerance * (1.0 + state.q.lpNorm<Eigen::Infinity>());
  }

  // The rows at this pose, and the worst of those that take part.
  double measure(const State& state) {
    build_rows(model_, state, work_);
    double worst = 0.0;
    for (std::size_t i = 0; i < work_.constraints.physics.size(); ++i) {
      const RowPhysics& row = work_.constraints.physics[i];
      if (!is_constraint(row)) continue;
      const double error = std::abs(error_of(row, work_.g(static_cast<Eigen::Index>(i))));
      if (!(error <= worst)) worst = error;  // also not-a-number
    }
    return worst;
  }

  // One step of [AS.1] from a pose whose rows are built.
  bool take_newton_step(State& state) {
    assemble_motion(model_, state, 0.0, Gyroscopic::kick_drift, work_);
    choose_laws([&](std::size_t i, const ConstraintBlock&) {
      return is_constraint(work_.constraints.physics[i]);
    });
    double worst = 0.0;
    for (std::size_t i = 0; i < work_.constraints.physics.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      const RowPhysics& row = work_.constraints.physics[i];
      const bool counts = is_constraint(row);
      work_.problem.b(at) = counts ? -work_.g(at) : 0.0;
      if (counts) worst = std::max(worst, std::abs(error_of(row, work_.g(at))));
    }
    work_.problem.p.setZero();
    // Damping that vanishes with the square of the error keeps Newton's convergence.
    const double damping = std::min(1e-3, worst * worst) * work_.largest_mobility;
    work_.problem.Sigma.setConstant(damping + sigma_floor(compliance_floor, work_));
    if (!solve(BlockPivot{}, work_.problem, work_.solver, work_.solution).ok()) return false;
    if (!work_.solution.u.allFinite()) return false;
    double turn = 0.0;
    for (const Body& body : model_.bodies())
      if (body.kind == BodyKind::rigid || body.kind == BodyKind::rod)
        turn = std::max(turn, work_.solution.u.segment<3>(body.v_offset + 3).norm());
    displace(model_, work_.solution.u, turn > largest_turn ? largest_turn / turn : 1.0, state);
    return true;
  }

  void list_open_rows(AssemblyReport& report) {
    collect(report.open, 1e-3 * report.violation, [&](std::size_t i) {
      const RowPhysics& row = work_.constraints.physics[i];
      return is_constraint(row) ? error_of(row, work_.g(static_cast<Eigen::Index>(i))) : 0.0;
    });
  }

  void list_contradictions(double least, AssemblyReport& report) {
    collect(report.contradictions, least, [&](std::size_t i) {
      const auto at = static_cast<Eigen::Index>(i);
      return work_.problem.Sigma(at) * work_.solution.lambda(at);  // by how much a row gives way
    });
  }

  template <class Error>
  void collect(std::vector<OpenRow>& out, double least, Error&& error) {
    for (std::size_t i = 0; i < work_.constraints.physics.size(); ++i) {
      const double gap = std::abs(error(i));
      if (!(gap <= least))
        out.push_back(
            {name_of_row(work_.constraints, model_, work_.problem.G, static_cast<int>(i)), gap});
    }
    std::ranges::stable_sort(out, std::greater<>{}, &OpenRow::gap);
  }

  const Model& model_;
  const AssemblyOptions options_;
  Workspace work_;
};

void describe_rows(const char* heading, const char* unit, const std::vector<OpenRow>& rows,
                   std::string& text) {
  if (rows.empty()) return;
  constexpr std::size_t shown = 10;
  text += text.empty() ? "" : "; ";
  text += heading;
  for (std::size_t i = 0; i < std::min(shown, rows.size()); ++i)
    text +=
        fmt::format("{}{} (by {:.3g} {})", i == 0 ? " " : ", ", rows[i].name, rows[i].gap, unit);
  if (rows.size() > shown) text += fmt::format(" and {} more", rows.size() - shown);
}

}  // namespace

std::string AssemblyReport::describe() const {
  std::string text;
  describe_rows("these joints cannot close together:", "m or rad", open, text);
  describe_rows("these rows ask for speeds that contradict each other:", "m/s or rad/s",
                contradictions, text);
  return text;
}

AssemblyReport assemble(const Model& model, State& state, const AssemblyOptions& options) {
  AssemblyReport report;
  Assembler assembler(model, options);
  assembler.close_positions(state, report);
  assembler.project_velocities(state, report);
  return report;
}

}  // namespace ligament
