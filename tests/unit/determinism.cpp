// SPDX-License-Identifier: Apache-2.0
// One binary gives the same bits on every run, and a workspace carries no physics: a new one in
// every step gives the same motion to the last bit.
#include <gtest/gtest.h>

#include <vector>

#include "support/contact_scenes.h"
#include "support/machines.h"
#include "support/probe.h"
#include "support/random_machines.h"

namespace ligament {
namespace {

constexpr double h = 1.0 / 60;
constexpr int steps = 60;

std::vector<Model> make_models() {
  std::vector<Model> models;
  models.push_back(machines::make_rod_ladder(8));
  models.push_back(machines::make_rigid_ladder(8));
  models.push_back(machines::make_slider_crank());
  models.push_back(machines::make_heavy_top());
  models.push_back(make_random_machine(
      {.bodies = 15, .loops = 5, .doubled = 3, .hub_joints = 30, .spin = 3.0}, 5));
  return models;
}

const std::vector<Solver> all_solvers{Direct{}, Umfpack{}, Cholmod{}};

void expect_same_bits(const State& a, const State& b, const char* solver) {
  EXPECT_EQ(a.t, b.t) << solver;
  EXPECT_EQ(a.q, b.q) << solver;
  EXPECT_EQ(a.v, b.v) << solver;
  EXPECT_EQ(a.p, b.p) << solver;
}

State run_with_one_workspace(const Model& model, const Stepper& stepper) {
  State state = model.initial_state();
  Workspace work(model);
  take_steps(stepper, model, steps, state, work);
  return state;
}

TEST(Determinism, two_runs_give_the_same_bits) {
  for (const Model& model : make_models())
    for (const Solver& solver : all_solvers)
      for (const Stepper& stepper : both_steppers(h, solver))
        expect_same_bits(run_with_one_workspace(model, stepper),
                         run_with_one_workspace(model, stepper), name_of(solver));
}

TEST(Determinism, a_new_workspace_in_every_step_gives_the_same_bits) {
  for (const Model& model : make_models())
    for (const Solver& solver : all_solvers)
      for (const Stepper& stepper : both_steppers(h, solver)) {
        State state = model.initial_state();
        for (int i = 0; i < steps; ++i) {
          Workspace cold(model);
          take_steps(stepper, model, 1, state, cold);
        }
        expect_same_bits(run_with_one_workspace(model, stepper), state, name_of(solver));
      }
}

// Contacts too, while they settle and when they stand, with all that solvers keep for them.
TEST(Determinism, a_new_workspace_in_every_step_gives_the_same_bits_with_contacts) {
  const Model model = scenes::make_wall({.courses = 5, .bricks = 4});
  for (const Stepper& stepper : {Stepper(Spook{.h = h}), Stepper(Relaxed{.h = h})}) {
    State state = model.initial_state();
    for (int i = 0; i < 2 * steps; ++i) {
      Workspace cold(model);
      take_steps(stepper, model, 1, state, cold);
    }
    State kept = model.initial_state();
    Workspace work(model);
    take_steps(stepper, model, 2 * steps, kept, work);
    expect_same_bits(kept, state, name_of(stepper));
  }
}

// A workspace that has seen another state, and a failed step, is as good as a new one.
TEST(Determinism, a_used_workspace_gives_the_same_bits) {
  for (const Model& model : make_models()) {
    Workspace used(model);
    State other = model.initial_state();
    take_steps(Relaxed{.h = 0.1 * h}, model, 5, other, used);
    const Spook spook{.h = h};
    State state = model.initial_state();
    take_steps(spook, model, steps, state, used);
    expect_same_bits(run_with_one_workspace(model, spook), state, "direct");
  }
}

TEST(Determinism, run_gives_the_bits_of_its_steps) {
  const Model model = machines::make_rigid_ladder(5);
  State by_run = model.initial_state();
  run(model, Spook{.h = h}, by_run, {.steps = steps});
  State by_hand = run_with_one_workspace(model, Spook{.h = h});
  by_hand.t = by_run.t;  // run() multiplies, step() adds up: no drift of the clock
  expect_same_bits(by_run, by_hand, "direct");
}

}  // namespace
}  // namespace ligament
