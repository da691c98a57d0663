// SPDX-License-Identifier: Apache-2.0
#include "papers/vi_2011/cone_problems.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "papers/scenes.h"
#include "papers/simulate.h"
#include "papers/vi_2011/legs.h"

namespace ligament::papers::vi {
namespace {

StepProblem make_pushed_table(const Vec3& push, const Vec3& turn) {
  return make_problem({.law = Cone{0.5}, .rows = 3, .push = push, .turn = turn});
}

// The problem of the next step, with cones whatever the scene has, and a symmetric M as that of the
// paper.
StepProblem catch_problem(const Scene& scene, State state) {
  RegularizedVi method = std::get<RegularizedVi>(scene.stepper);
  method.contacts.friction = FrictionLaw::cone;
  method.gyroscopic = Gyroscopic::kick_drift;
  Workspace work(scene.model);
  take_step(scene.model, method, state, work);
  return work.problem;
}

StepProblem with_heavy_body(StepProblem problem, std::size_t body, double factor) {
  BodyBlock& block = problem.M.blocks[body];
  block.mass *= factor;
  block.rotation *= factor;
  problem.p.segment(block.offset, block.size) *= factor;
  return problem;
}

}  // namespace

StepProblem make_stack(double top, double second) {
  const Scene scene =
      read_paper_scene("vi_2011/stack.json", {set("top", top), set("second", second)});
  return catch_problem(scene, scene.model.initial_state());
}

Piles catch_piles(int spheres) {
  const Scene scene = read_paper_scene("vi_2011/pile.json", {set("n", spheres)});
  Piles piles;
  State last, before;
  const auto watch = [&](const Sample& sample) {
    if (sample.step >= 110 && sample.step <= 130 && sample.step % 5 == 0)
      piles.falling.push_back(catch_problem(scene, sample.state));
    before = std::exchange(last, sample.state);
  };
  simulate(scene.model, scene.stepper, {.steps = 499, .observers = {watch}});
  piles.impact = piles.falling[2];
  piles.rest = catch_problem(scene, last);
  piles.before_rest = catch_problem(scene, before);
  double height = 0.0;
  std::size_t block = 0;
  for (const Body& body : scene.model.bodies()) {
    if (body.kind == BodyKind::fixed) continue;  // has no block: the world
    const double z = last.q(body.q_offset + 2);
    if (z > height) height = z, piles.highest = block;
    ++block;
  }
  return piles;
}

StepProblem without_overlaps(StepProblem problem) {
  for (const RowBlock& block : problem.G.blocks)
    problem.b(block.first_row) = std::min(problem.b(block.first_row), 0.0);
  return problem;
}

std::vector<ConeProblem> make_cone_problems(const Piles& piles) {
  return {{"table that sticks", make_pushed_table({.2, .1, 0}, {0, 0, .02})},
          {"table that slips in part", make_pushed_table({.2, .1, 0}, {0, 0, .17})},
          {"table that slides", make_pushed_table({2, 0, 0}, {0, -1.4, 0})},
          {"stack", make_stack(1.0)},
          {"stack, top 1000 times", make_stack(1e3)},
          {"stack, every second 1000 times", make_stack(1.0, 1e3)},
          {"pile at rest", without_overlaps(piles.rest)},
          {"pile in impact", without_overlaps(piles.impact)},
          {"pile, one sphere 1000 times",
           with_heavy_body(without_overlaps(piles.rest), piles.highest, 1e3)},
          {"pile, overlaps pushed out", piles.rest}};
}

StepProblem with_coulomb(StepProblem problem) {
  std::ranges::fill(problem.laws, Law(Coulomb{0.5}));
  return problem;
}

StepProblem soften_contacts(StepProblem problem, double s) {
  problem.Sigma.setZero();
  VecX mobility;
  compute_row_mobility(problem, mobility);
  for (const RowBlock& block : problem.G.blocks)
    problem.Sigma.segment(block.first_row, block.rows)
        .setConstant(s * mobility.segment(block.first_row, block.rows).mean());
  return problem;
}

Solved solve_from_nothing(const Solver& solver, const StepProblem& problem) {
  Solved out;
  SolverWorkspace workspace;
  out.report = solve(solver, problem, workspace, out.solution);
  return out;
}

VecX find_velocities(const StepProblem& problem, const VecX& lambda) {
  VecX p(problem.columns()), u(problem.columns());
  multiply_transposed(problem.G, lambda, p);
  multiply_inverse(problem.M, p += problem.p, u);
  return u;
}

double norm_in(const BlockDiagonal& M, const VecX& u) {
  VecX Mu(u.size());
  multiply(M, u, Mu);
  return std::sqrt(u.dot(Mu));
}

}  // namespace ligament::papers::vi
