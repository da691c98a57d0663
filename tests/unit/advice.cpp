// SPDX-License-Identifier: Apache-2.0
// What is recommended meets the tolerance, against closed forms that the search knows nothing of.
#include "ligament/simulation/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analytic/swing.h"
#include "support/contact_scenes.h"
#include "support/machines.h"

namespace ligament {
namespace {

std::vector<Candidate> all_candidates() {
  return {{"spook", Spook{}},     {"staggered", Spook{}, true},
          {"relaxed", Relaxed{}}, {"trapezoidal", Trapezoidal{}},
          {"impulse", Impulse{}}, {"taylor", Taylor{}}};
}

// The largest distance of a body from its closed form at 64 equal times, over how far it goes.
template <class Exact>
double measure_error(const Model& model, const Candidate& candidate, double h, double duration,
                     BodyId body, Exact&& exact) {
  Stepper stepper = candidate.stepper;
  std::visit([h](auto& method) { method.h = h; }, stepper);
  const long steps = std::lround(duration / h);
  double error = 0.0, way = 0.0;
  RunOptions options{.steps = steps, .staggered_start = candidate.staggered};
  options.observers.emplace_back([&](const Sample& sample) {
    if (sample.step % (steps / 64) != 0) return;
    const Vec3 x = compute_pose(sample.model, sample.state, body).p;
    error = std::max(error, (x - exact(sample.state.t)).norm());
    way = std::max(way, (exact(sample.state.t) - exact(0.0)).norm());
  });
  State state = model.initial_state();
  EXPECT_EQ(run(model, stepper, state, options).status, RunStatus::completed);
  return error / way;
}

// The recommended trial, checked. A reference that is off by a tenth of the tolerance leaves 1.1 of
// it, of the rms over points; one body alone may be off by √(points) of that.
template <class Exact>
void expect_meets(const Model& model, const AdviceOptions& options, BodyId body, double slack,
                  Exact&& exact) {
  const std::vector<Candidate> candidates = all_candidates();
  const Advice advice = advise(model, model.initial_state(), candidates, options);
  ASSERT_EQ(advice.status, AdviceStatus::found);
  EXPECT_DOUBLE_EQ(advice.time, options.duration);
  EXPECT_LE(advice.reference_error, 0.1 * options.tolerance);
  const Trial& best = advice.trials[*advice.recommended];
  EXPECT_LE(best.error, options.tolerance);
  const double error =
      measure_error(model, candidates[best.candidate], best.h, options.duration, body, exact);
  EXPECT_LE(error, 1.1 * slack * options.tolerance) << candidates[best.candidate].name;
  // All others that are said to meet it do.
  for (const Trial& trial : advice.trials) {
    if (!trial.meets(options.tolerance)) continue;
    EXPECT_LE(
        measure_error(model, candidates[trial.candidate], trial.h, options.duration, body, exact),
        1.1 * slack * options.tolerance)
        << candidates[trial.candidate].name << ", h = " << trial.h;
  }
}

// Let go from the horizontal, by elliptic functions.
Vec3 swing_pendulum(double t) {
  const analytic::Swing swing{.omega = std::sqrt(10.0), .amplitude = 0.5 * std::numbers::pi};
  return {std::sin(swing.angle(t)), 0, -std::cos(swing.angle(t))};
}

TEST(Advice, meets_the_tolerance_on_the_pendulum) {
  for (const double tolerance : {1e-2, 1e-4})
    expect_meets(machines::make_pendulum(), {.tolerance = tolerance, .duration = 2.0}, BodyId{1},
                 1.0, swing_pendulum);
}

// The load is at 2 cos(w t), whatever the method. It is one of three bodies of four points each,
// and moves twice as far as the crank: √12 covers it.
TEST(Advice, meets_the_tolerance_on_the_slider_crank) {
  const machines::SliderCrankOptions crank{.angle = 0.3};
  expect_meets(machines::make_slider_crank(crank), {.tolerance = 1e-3, .duration = 1.0}, BodyId{3},
               std::sqrt(12.0),
               [&](double t) { return Vec3(2.0 * std::cos(crank.angle + crank.speed * t), 0, 0); });
}

// A block slides down with g (sin − μ cos).
TEST(Advice, meets_the_tolerance_on_the_sliding_block) {
  const scenes::InclineOptions incline{.slope = 0.6, .contact = scenes::surface(0.3)};
  const Quat axes = scenes::axes_of(incline);
  const double a = incline.gravity * (std::sin(0.6) - 0.3 * std::cos(0.6));
  const Model model = scenes::make_block_on_incline(incline);
  const BodyId block = *model.find_body("block");
  expect_meets(model, {.tolerance = 1e-3, .duration = 1.0}, block, 2.0,
               [&](double t) { return Vec3(axes * Vec3(0.5 * a * t * t, 0, incline.half.z())); });
}

// Errors of the methods of second order fall at least by half when the step does, once a step
// resolves the motion; and so does what costs, the other way.
TEST(Advice, makes_a_table_that_falls) {
  const Model model = machines::make_pendulum();
  const std::vector<Candidate> candidates{{"trapezoidal", Trapezoidal{}}, {"impulse", Impulse{}}};
  const Advice advice =
      advise(model, model.initial_state(), candidates, {.tolerance = 1e-5, .duration = 2.0});
  ASSERT_EQ(advice.status, AdviceStatus::found);
  int pairs = 0;
  for (std::size_t i = 1; i < advice.trials.size(); ++i) {
    const Trial &coarse = advice.trials[i - 1], &fine = advice.trials[i];
    if (coarse.candidate != fine.candidate || fine.h > 0.6 * coarse.h) continue;
    EXPECT_LT(fine.error, 0.5 * coarse.error);
    EXPECT_EQ(fine.steps, 2 * coarse.steps);
    ++pairs;
  }
  EXPECT_GT(pairs, 4);
}

// Nobody can follow a chain of links that whirls for long: errors are measured as long as somebody
// can, and the advice says so.
TEST(Advice, is_honest_about_chaos) {
  const Model model = machines::make_point_chain(4);
  const Advice advice = advise(model, model.initial_state(), {{"spook", Spook{}}},
                               {.tolerance = 1e-4, .duration = 20.0, .finest = 8});
  EXPECT_LT(advice.time, 10.0);
  EXPECT_NE(advice.status, AdviceStatus::interrupted);
}

TEST(Advice, names_methods_that_cannot_step_the_scene) {
  const Model model = scenes::make_block_on_incline();
  const Advice advice =
      advise(model, model.initial_state(), {{"taylor", Taylor{}}, {"spook", Spook{}}},
             {.tolerance = 1e-2, .duration = 0.2});
  ASSERT_EQ(advice.unfit.size(), 2U);
  EXPECT_THAT(advice.unfit[0], testing::HasSubstr("contacts"));
  EXPECT_EQ(advice.unfit[1], "");
  for (const Trial& trial : advice.trials) EXPECT_EQ(trial.candidate, 1U);
}

TEST(Advice, refuses_options_that_make_no_sense) {
  const Model model = machines::make_pendulum();
  for (const AdviceOptions& options :
       {AdviceOptions{.tolerance = 0.0}, AdviceOptions{.tolerance = 1.0},
        AdviceOptions{.tolerance = std::nan("")}, AdviceOptions{.duration = 0.0},
        AdviceOptions{.duration = 1.0 / 0.0}, AdviceOptions{.budget = -1.0},
        AdviceOptions{.finest = 0}})
    EXPECT_THROW(advise(model, model.initial_state(), {}, options), std::invalid_argument);
  const Model nothing = ModelBuilder().build();
  EXPECT_THROW(advise(nothing, nothing.initial_state(), {}, {}), std::invalid_argument);
}

TEST(Advice, stops_when_it_is_asked_to) {
  const Model model = machines::make_pendulum();
  const Advice advice = advise(model, model.initial_state(), all_candidates(),
                               {.tolerance = 1e-3, .should_stop = [] { return true; }});
  EXPECT_EQ(advice.status, AdviceStatus::interrupted);
  EXPECT_FALSE(advice.recommended.has_value());
}

}  // namespace
}  // namespace ligament
