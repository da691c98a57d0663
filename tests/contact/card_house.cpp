// SPDX-License-Identifier: Apache-2.0
// A house of playing cards: thin boxes that stand on their edges and lean on each other by nothing
// but friction. Each pair is an arch of three hinges, whose thrust friction must hold at its feet.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "support/contact_scenes.h"
#include "support/measured.h"
#include "support/methods.h"

namespace ligament {
namespace {

constexpr double g = 9.81;

class CardHouse : public ::testing::TestWithParam<Method> {};

INSTANTIATE_TEST_SUITE_P(, CardHouse, ::testing::ValuesIn(both_methods()), name_of_method);

// The fastest point of a card [m/s].
double find_speed(const Model& model, const State& state, double half_length) {
  double fastest = 0.0;
  for (const Body& body : model.bodies())
    if (body.v_offset >= 0)
      fastest = std::max(fastest, state.v.segment<3>(body.v_offset).norm() +
                                      half_length * state.v.segment<3>(body.v_offset + 3).norm());
  return fastest;
}

double find_way(const Model& model, const State& from, const State& to) {
  double farthest = 0.0;
  for (const Body& body : model.bodies())
    if (body.v_offset >= 0)
      farthest = std::max(
          farthest, (to.q.segment<3>(body.q_offset) - from.q.segment<3>(body.q_offset)).norm());
  return farthest;
}

// What presses on the table [N].
double find_load(const Sample& sample, ShapeId table) {
  double load = 0.0;
  for (const ContactRows& rows : sample.work.contacts.rows)
    if (rows.contact.shape_a == table)
      load += sample.work.solution.lambda(rows.normal_row) / sample.h;
  return load;
}

// Two storeys, eight cards, for a minute. Speeds as asked for; and what moves in that minute is the
// error of the solver, 1e-10 of the fall g h, which contacts take back within 9/4 steps [SP.2]:
// 6e-13 m. A card that lies on a pair stands on two edges, two thicknesses apart, and carries that
// to its ends with the lever of half its length over one thickness.
TEST_P(CardHouse, stands_for_a_minute) {
  const scenes::CardHouseOptions options{};
  const Model model = scenes::make_card_house(options);
  const ShapeId table = *model.find_shape("table");
  const double h = step_of(GetParam()), weight = 8 * options.mass * g;
  State state = model.initial_state(), settled;
  double load = 0.0;
  int renamed = 0;
  std::vector<std::uint64_t> names, names_before;
  const Observer look = [&](const Sample& sample) {
    if (sample.step == 120) settled = sample.state;
    names.clear();
    for (const ContactRows& rows : sample.work.contacts.rows) names.push_back(rows.contact.feature);
    if (sample.step > 120 && names != names_before) ++renamed;
    names.swap(names_before);
    if (sample.report) load = find_load(sample, table);
  };
  const RunReport report =
      run(model, GetParam().stepper, state, {.t_end = 60.0, .observers = {look}});
  expect_clean(report, GetParam());
  EXPECT_LT(measured("speed [m/s]", find_speed(model, state, options.half.z())), 1e-9);
  const double lever = options.half.z() / (2 * options.half.x());
  EXPECT_LT(measured("way in 58 s [m]", find_way(model, settled, state)),
            2.25 * GetParam().error * g * h * h * lever);
  // Edges that lie along each other have ends in the same place: rounding must not rename them.
  EXPECT_EQ(renamed, 0);
  // No card has sunk by more than compliance × weight at each of its edges.
  EXPECT_LT(measured("way from the start [m]", find_way(model, model.initial_state(), state)),
            options.contact.compliance * weight * lever);
  EXPECT_NEAR(measured("load over weight", load / weight), 1.0, 1e-6);
}

// The feet of the lowest storey carry V on their tops and need the friction tan θ (w/2 + V)/(w + V)
// ≥ tan θ/2 = 0.18: on a table with less the house falls down.
TEST_P(CardHouse, falls_where_friction_does_not_hold_its_feet) {
  const Model model = scenes::make_card_house({.contact = scenes::surface(0.1)});
  State state = model.initial_state();
  const RunReport report = run(model, GetParam().stepper, state, {.t_end = 1.0});
  EXPECT_EQ(report.status, RunStatus::completed) << report.failure;
  const BodyId top = *model.find_body("across 1/0");
  const double start = compute_pose(model, model.initial_state(), top).p.z();
  EXPECT_LT(compute_pose(model, state, top).p.z(), 0.5 * start);
}

}  // namespace
}  // namespace ligament
