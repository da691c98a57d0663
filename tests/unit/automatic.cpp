// SPDX-License-Identifier: Apache-2.0
// Automatic: which solver an island gets, and that the report of a run says so.
#include "ligament/solvers/islands/automatic.h"

#include <gtest/gtest.h>

#include "ligament/problem/velocity_error.h"
#include "support/contact_scenes.h"
#include "support/laden_plate.h"
#include "support/machines.h"
#include "support/random_problems.h"
#include "support/solved.h"

namespace ligament {
namespace {

std::string methods_of(const Model& model, const Automatic& solver = {}, long steps = 3) {
  State state = model.initial_state();
  return run(model, Spook{.solver = solver}, state, {.steps = steps}).methods;
}

TEST(Automatic, says_in_the_report_by_what_it_solved) {
  EXPECT_EQ(methods_of(machines::make_pendulum()), "block_pivot 3");
  EXPECT_EQ(methods_of(scenes::make_block_on_incline()), "newton 3");
  // 20 × 20 bricks are Newton's, 530 blocks on a plate those of sweeps.
  EXPECT_EQ(methods_of(scenes::make_wall({.courses = 4, .bricks = 4})), "newton 3");
  EXPECT_EQ(methods_of(scenes::make_laden_plate({})), "gauss_seidel 3");
  EXPECT_EQ(methods_of(scenes::make_laden_plate({.side = 22})), "newton 3");
  EXPECT_EQ(methods_of(scenes::make_laden_plate({.side = 22}), {.direct_bodies = 0}), "newton 3");
}

// Islands are counted, each in each step: groups of small ones as one.
TEST(Automatic, counts_the_islands_of_each_step) {
  ModelBuilder b;
  const MaterialId stuff = b.add_material({"stuff", scenes::half_of(scenes::surface(0.5))});
  b.add_shape({.name = "floor", .geometry = HalfSpaceShape{}, .material = stuff});
  const int boxes = 70, together = 32;  // apart: islands of one body, put together by 32
  for (int i = 0; i < boxes; ++i) {
    const BodyId id = b.add_body(
        {.mass = box_of_mass(Vec3::Constant(0.1), 1.0), .position = {1.0 * i, 0.0, 0.1}});
    b.add_shape({.body = id, .geometry = BoxShape{Vec3::Constant(0.1)}, .material = stuff});
  }
  const int groups = (boxes + together - 1) / together;
  EXPECT_EQ(methods_of(std::move(b).build(), {}, 2), "newton " + std::to_string(2 * groups));
}

// Who stops short says by how much and why: pivoting over bounds that hang on other rows, which has
// no error of its own.
TEST(Solve, a_result_that_is_not_exact_has_an_error_and_a_reason) {
  Random random(4);
  int stopped = 0;
  for (int trial = 0; trial < 20; ++trial) {
    StepProblem problem = make_random_problem({.bodies = 8, .row_blocks = 12}, random);
    int normal = -1;
    for (std::size_t i = 0; i < problem.laws.size(); ++i) {
      const RowBlock& block = problem.G.blocks[i];
      problem.laws[i] =
          normal < 0 || i % 2 == 0 ? Law(Unilateral{}) : Law(Box{.normal = normal, .mu = 0.7});
      if (std::holds_alternative<Unilateral>(problem.laws[i])) normal = block.first_row;
    }
    const Solved solved = solve_cold(BlockPivot{.passes = 1}, problem);
    ASSERT_TRUE(solved.report.ok());
    if (solved.report.status == SolveStatus::solved) continue;
    ++stopped;
    EXPECT_EQ(solved.report.end, SolveEnd::iterations);
    StepSolution copy = solved.solution;
    VecX scratch;
    const double error = judge_impulses(problem, copy, scratch).relative();
    EXPECT_EQ(solved.report.velocity_error, error);
    EXPECT_EQ(copy.u, solved.solution.u);
    // And it is one: the exact solution, of more passes, is no farther.
    const Solved exact = solve_cold(BlockPivot{.passes = 100}, problem);
    if (exact.report.status != SolveStatus::solved) continue;
    EXPECT_GT(error, 0.0);
  }
  EXPECT_GT(stopped, 5);
}

}  // namespace
}  // namespace ligament
