// SPDX-License-Identifier: Apache-2.0
// ligament solve DUMP: solves a step problem that was dumped, and says how well.

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/commands.h"
#include "ligament/io/scene.h"
#include "ligament/problem/dump.h"
#include "ligament/problem/residual.h"
#include "ligament/version.h"

namespace ligament::apps {
namespace {

struct SolveArguments {
  std::string dump;
  std::string solver = "automatic";
  bool json = false;
  bool solution = false;
};

// A solve and how well it went, measured on the problem itself.
struct Solved {
  StepProblem problem;
  StepSolution solution;
  SolveReport report;
  Residual residual;
};

StepProblem load(const std::string& file) {
  if (!std::filesystem::is_regular_file(file))
    throw InputError(fmt::format("{}: there is no such file", file));
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(fmt::format("{}: the file cannot be opened for reading", file));
  try {
    return read_dump(in);
  } catch (const std::runtime_error& error) {
    throw InputError(fmt::format("{}: {}", file, error.what()));
  }
}

std::string describe_row(const StepProblem& problem, int row) {
  for (std::size_t i = 0; i < problem.G.blocks.size(); ++i) {
    const RowBlock& block = problem.G.blocks[i];
    if (row >= block.first_row && row < block.first_row + block.rows)
      return fmt::format("row {} of block {}, {}", row - block.first_row + 1, i,
                         name_of(problem.laws[i]));
  }
  return "no row";
}

template <class Values>
std::string join(const Values& values) {
  std::string text;
  for (const double value : values) text += fmt::format(" {:.9g}", value);
  return text;
}

void print_solution(const Solved& solved) {
  for (std::size_t i = 0; i < solved.problem.M.blocks.size(); ++i) {
    const BodyBlock& body = solved.problem.M.blocks[i];
    fmt::print("u of body {:<6}{}\n", i, join(solved.solution.u.segment(body.offset, body.size)));
  }
  for (std::size_t i = 0; i < solved.problem.G.blocks.size(); ++i) {
    const RowBlock& block = solved.problem.G.blocks[i];
    fmt::print("lambda of block {:<6}{}\n", i,
               join(solved.solution.lambda.segment(block.first_row, block.rows)));
  }
}

void print_text(const SolveArguments& arguments, const Solved& solved) {
  fmt::print("problem       {} bodies, {} rows in {} blocks\n", solved.problem.M.blocks.size(),
             solved.problem.rows(), solved.problem.G.blocks.size());
  const std::string end = solved.report.status == SolveStatus::not_converged
                              ? fmt::format(" ({})", describe(solved.report.end))
                              : "";
  fmt::print("solver        {}: {}{}, {} iterations, {} factorizations, {:.3g} multiply-adds\n",
             arguments.solver, name_of(solved.report.status), end, solved.report.iterations,
             solved.report.factorizations, solved.report.work);
  if (!solved.report.ok()) {
    if (solved.report.culprit_block >= 0)
      fmt::print("culprit       block {} of G\n", solved.report.culprit_block);
    return;
  }
  const Residual& residual = solved.residual;
  fmt::print("momentum      missed by at most {:.3g} N s\n", residual.momentum_max);
  fmt::print("rows          missed by at most {:.3g} m/s ({})\n", residual.row_max,
             describe_row(solved.problem, residual.worst_row));
  fmt::print("energy        {:.3g} J added by the inexact solve\n", residual.injected_energy);
  if (!std::isnan(solved.report.velocity_error))
    fmt::print("velocities    off by {}{:.3g} of what the constraints change\n",
               has_convex_laws(solved.problem) ? "at most " : "an estimated ",
               solved.report.velocity_error);
  fmt::print("friction      off Coulomb's law by at most {:.3g} m/s\n", residual.friction_error);
  if (arguments.solution) print_solution(solved);
}

void print_json(const SolveArguments& arguments, const Solved& solved) {
  using Json = nlohmann::ordered_json;
  Json out{{"ligament", version_string},
           {"dump", arguments.dump},
           {"solver", arguments.solver},
           {"status", name_of(solved.report.status)},
           {"end", name_of(solved.report.end)},
           {"bodies", solved.problem.M.blocks.size()},
           {"rows", solved.problem.rows()},
           {"blocks", solved.problem.G.blocks.size()},
           {"iterations", solved.report.iterations},
           {"factorizations", solved.report.factorizations},
           {"solver_work", solved.report.work},
           {"culprit_block", solved.report.culprit_block}};
  if (solved.report.ok()) {
    out["residual"] = {{"momentum", solved.residual.momentum_max},
                       {"max", solved.residual.row_max},
                       {"worst", describe_row(solved.problem, solved.residual.worst_row)}};
    out["injected_energy"] = solved.residual.injected_energy;
    out["friction_error"] = solved.residual.friction_error;
    const double error = solved.report.velocity_error;
    out["velocity_error"] = std::isnan(error) ? Json() : Json(error);
    const auto history = solved.report.history.values();
    out["history"] = std::vector<double>(history.begin(), history.end());
  }
  if (arguments.solution && solved.report.ok()) {
    out["u"] = std::vector<double>(solved.solution.u.begin(), solved.solution.u.end());
    out["lambda"] =
        std::vector<double>(solved.solution.lambda.begin(), solved.solution.lambda.end());
  }
  fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
}

int solve_dump(const SolveArguments& arguments) {
  const Solver solver = make_solver(arguments.solver);
  Solved solved{.problem = load(arguments.dump)};
  SolverWorkspace workspace;
  solved.report = solve(solver, solved.problem, workspace, solved.solution);
  if (solved.report.ok()) compute_residual(solved.problem, solved.solution, solved.residual);
  if (arguments.json)
    print_json(arguments, solved);
  else
    print_text(arguments, solved);
  return solved.report.status == SolveStatus::solved ? ok : failed;
}

}  // namespace

void add_solve_command(CLI::App& app, int& exit_code) {
  CLI::App* solve =
      app.add_subcommand("solve", "Solve a dumped step problem and measure the result");
  auto arguments = std::make_shared<SolveArguments>();
  solve->add_option("DUMP", arguments->dump, "The dump, from `ligament run --dump-step`")
      ->required();
  solve
      ->add_option("--solver", arguments->solver,
                   "automatic (default), newton, gauss_seidel, "
                   "accelerated_gradient, block_pivot, direct, umfpack or cholmod")
      ->type_name("NAME");
  solve->add_flag("--json", arguments->json, "Print JSON instead of a text");
  solve->add_flag("--solution", arguments->solution, "Print u and lambda too");
  solve->callback([arguments, &exit_code] { exit_code = solve_dump(*arguments); });
}

}  // namespace ligament::apps
