// SPDX-License-Identifier: Apache-2.0
// InteriorPoint: against direct and pivoting solvers and Gauss–Seidel where those can do it, and on
// the tables, stacks and piles of the acceptance tests A11 and A12, against the residual of the
// problem itself.
#include "ligament/solvers/interior/interior_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "ligament/problem/relative_residual.h"
#include "ligament/problem/velocity_error.h"
#include "support/measured.h"
#include "support/piles.h"
#include "support/solver_checks.h"

namespace ligament {
namespace {

TEST(InteriorPoint, agrees_with_the_direct_solver) {
  expect_agreement_with_direct({InteriorPoint{}});
}

TEST(InteriorPoint, agrees_with_block_pivoting) {
  expect_agreement_with_block_pivoting({InteriorPoint{}});
}

TEST(InteriorPoint, agrees_with_gauss_seidel_on_convex_laws) {
  expect_agreement_with_sweeps({InteriorPoint{}});
}

// Where it says that it solved the problem, the laws hold: a gap of (1e-10)² of energies of order
// one is far below the rounding of velocities of order one, and Σ ≤ 1.
TEST(InteriorPoint, keeps_all_laws_where_it_converges) {
  expect_laws_to_hold_where_it_converges(InteriorPoint{},
                                         {.trials = 40, .momentum = 1e-12, .row = 1e-9});
}

// Sets without an inside: a cone without friction, a disc and a box of no size.
TEST(InteriorPoint, impulses_that_are_given_are_kept) {
  ContactScene scene = make_table(1e-3, {0.2, 0.1, 0.0}, Vec3::Zero(), Cone{0.5});
  scene.problem.laws[1] = Cone{0.0};
  scene.problem.laws[2] = Disc{.radius = 0.0};
  scene.problem.laws[3] = Box{.lower = 0.1, .upper = 0.1};
  const Solved solved = solve_cold(InteriorPoint{}, scene.problem);
  ASSERT_EQ(solved.report.status, SolveStatus::solved);
  const VecX& lambda = solved.solution.lambda;
  EXPECT_GT(lambda(0), 0.0);
  EXPECT_EQ(lambda.segment<2>(4).norm(), 0.0);
  EXPECT_EQ(lambda.segment<3>(6).norm(), 0.0);
  EXPECT_NEAR((lambda.segment<3>(9).array() - 0.1).matrix().norm(), 0.0, 1e-15);
}

TEST(InteriorPoint, a_good_guess_costs_no_factorization) {
  const StepProblem problem = make_stack({.friction = ConeLaw::cone}).problem;
  Solved solved = solve_cold(InteriorPoint{}, problem);
  SolverWorkspace workspace;
  const SolveReport again = solve(InteriorPoint{}, problem, workspace, solved.solution);
  EXPECT_EQ(again.status, SolveStatus::solved);
  EXPECT_EQ(again.factorizations, 0);
}

TEST(InteriorPoint, the_ratio_of_masses_hardly_matters) {
  for (const double top : {1.0, 1e3, 1e6}) {
    const Solved solved =
        solve_cold(InteriorPoint{},
                   make_stack({.top_mass = top, .s = 1e-5, .friction = ConeLaw::cone}).problem);
    EXPECT_EQ(solved.report.status, SolveStatus::solved);
    // 5 to 30 is the rule for this method, from any start.
    EXPECT_LE(measured("factorizations", solved.report.factorizations), 30);
  }
}

// ---- acceptance

struct ConeProblem {
  std::string name;
  StepProblem problem;
};

// Tables that stick, slip in part and slide, stacks, and piles; see methods in docs/theory.
std::vector<ConeProblem> make_cone_problems(double s) {
  const Law cone = Cone{0.5};
  const auto pile = [&](PileMoment moment, double heavy, bool clipped) {
    return make_pile({.moment = moment, .s = s, .heavy = heavy, .clipped = clipped}).problem;
  };
  return {{"table sticks", make_table(s, {.2, .1, 0}, {0, 0, .02}, cone).problem},
          {"table slips in part", make_table(s, {.2, .1, 0}, {0, 0, .17}, cone).problem},
          {"table slides", make_table(s, {2, 0, 0}, {0, -1.4, 0}, cone).problem},
          {"stack", make_stack({.s = s, .friction = ConeLaw::cone}).problem},
          {"heavy top", make_stack({.top_mass = 1e3, .s = s, .friction = ConeLaw::cone}).problem},
          {"heavy and light in turns",
           make_stack({.other_mass = 1e3, .s = s, .friction = ConeLaw::cone}).problem},
          {"pile at rest", pile(PileMoment::rest, 1.0, true)},
          {"pile in impact", pile(PileMoment::impact, 1.0, true)},
          {"pile, one sphere 1000 times", pile(PileMoment::rest, 1e3, true)},
          {"pile, raw overlaps", pile(PileMoment::rest, 1.0, false)}};
}

// A11. The threshold is that of the acceptance table.
TEST(InteriorPoint, cone_problems_are_solved_to_rounding) {
  for (const double s : {1e-2, 1e-3, 1e-5, 1e-6})
    for (const ConeProblem& one : make_cone_problems(s)) {
      const Solved solved = solve_cold(InteriorPoint{}, one.problem);
      EXPECT_EQ(solved.report.status, SolveStatus::solved) << one.name << ", s = " << s;
      EXPECT_LE(compute_relative_residual(one.problem, solved.solution), 1e-10)
          << one.name << ", s = " << s;
    }
}

// Overlaps that are pushed out against walls need impulses of 1/s: the path is long, and progress
// slow before it is fast.
TEST(InteriorPoint, overlaps_are_pushed_out_however_stiff_the_contacts) {
  for (const double s : {1e-5, 1e-6})
    for (const double factor : {3.0, 10.0, 100.0}) {
      StepProblem problem =
          make_pile({.moment = PileMoment::rest, .s = s, .clipped = false}).problem;
      for (const RowBlock& block : problem.G.blocks)
        if (problem.b(block.first_row) > 0.0) problem.b(block.first_row) *= factor;
      const Solved solved = solve_cold(InteriorPoint{}, problem);
      EXPECT_EQ(solved.report.status, SolveStatus::solved) << factor << ", s = " << s;
      EXPECT_LE(compute_relative_residual(problem, solved.solution), 1e-10);
    }
}

// Contacts as a normal row and a disc each. Every third has no friction to speak of: a radius of
// 1e-9 to 1 of what it has in the others, or none at all.
StepProblem with_discs(const StepProblem& cones, const VecX& lambda) {
  StepProblem discs{.M = cones.M};
  discs.G.columns = cones.columns();
  Random random(5);
  std::vector<double> radii;
  for (std::size_t i = 0; i < cones.G.blocks.size(); ++i) {
    const RowBlock& from = cones.G.blocks[i];
    std::vector<int> bodies;
    for (const BlockEntry& entry : cones.G.entries_of(from)) bodies.push_back(entry.body);
    for (const int first : {0, 1}) {
      const int rows = first == 0 ? 1 : 2;
      const int block = discs.G.add_block(rows, bodies, discs.M);
      const auto to = discs.G.entries_of(discs.G.blocks[static_cast<std::size_t>(block)]);
      for (std::size_t k = 0; k < to.size(); ++k)
        for (int c = 0; c < to[k].columns; ++c)
          for (int r = 0; r < rows; ++r)
            discs.G.entry_values(to[k])[c * rows + r] =
                cones.G.entry_values(cones.G.entries_of(from)[k])[c * from.rows + first + r];
    }
    const double share = i % 9 == 0 ? 0.0 : std::pow(10.0, -random.uniform(0.0, 9.0));
    radii.push_back(0.5 * lambda(from.first_row) * (i % 3 == 0 ? share : 1.0));
  }
  resize_to_structure(discs);
  discs.p = cones.p;
  discs.Sigma = cones.Sigma;
  discs.b = cones.b;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    discs.laws[2 * i] = Unilateral{};
    discs.laws[2 * i + 1] = Disc{.radius = radii[i]};
  }
  return discs;
}

// What has hardly any room between its bounds does not keep the path from its end; sweeps, which
// find no difference between narrow bounds and wide ones, agree.
TEST(InteriorPoint, narrow_bounds_are_not_in_the_way) {
  for (const double s : {1e-2, 1e-3})
    for (const PileMoment moment : {PileMoment::rest, PileMoment::impact}) {
      const StepProblem cones = make_pile({.moment = moment, .s = s}).problem;
      const Solved forces = solve_cold(InteriorPoint{}, cones);
      ASSERT_EQ(forces.report.status, SolveStatus::solved);
      const StepProblem problem = with_discs(cones, forces.solution.lambda);
      const Solved solved = solve_cold(InteriorPoint{}, problem);
      const Solved swept =
          solve_cold(GaussSeidel{.max_sweeps = 100000, .tolerance = 1e-8}, problem);
      expect_same_velocities(problem, solved, swept);
      EXPECT_LE(measured("iterations", solved.report.iterations), 60);
    }
}

// A12, without compliance too: iterations of the path alone to a residual of 1e-6.
TEST(InteriorPoint, piles_take_at_most_35_iterations) {
  for (const double s : {1e-3, 1e-5, 0.0})
    for (const PileMoment moment : {PileMoment::rest, PileMoment::impact})
      for (const double heavy : {1.0, 1e3}) {
        const StepProblem problem = make_pile({.moment = moment, .s = s, .heavy = heavy}).problem;
        interior::CentralPath path;
        path.prepare(problem);
        ASSERT_TRUE(path.start(problem));
        int iterations = 0;
        while (compute_relative_residual(problem, path.iterate()) > 1e-6 && iterations < 60) {
          if (!path.advance(problem)) break;
          ++iterations;
        }
        EXPECT_LE(compute_relative_residual(problem, path.iterate()), 1e-6);
        EXPECT_LE(measured("iterations", iterations), 35);
      }
}

}  // namespace
}  // namespace ligament
