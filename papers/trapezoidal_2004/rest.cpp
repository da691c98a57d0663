// SPDX-License-Identifier: Apache-2.0
// What comes to rest: a ball after infinitely many bounces, a block on a slope.
#include <cmath>
#include <numbers>

#include "papers/scenes.h"
#include "papers/simulate.h"
#include "papers/trapezoidal_2004/experiments.h"

namespace ligament::papers::trapezoidal {
namespace {

struct Fall {
  std::vector<double> t, height, hits;  // times of hits
  double speed = 0.0;                   // [m/s] at the end

  // When the bounces end: the time between hits is halved from hit to hit.
  double find_end() const { return hits[0] + 2.0 * (hits[1] - hits[0]); }
};

Fall drop() {
  const Scene scene = read_paper_scene("trapezoidal_2004/bouncing_ball.json");
  Fall out;
  const auto watch = [&](const Sample& sample) {
    out.t.push_back(sample.state.t);
    out.height.push_back(compute_pose(scene.model, sample.state, {1}).p.z() - 0.1);
    out.speed = velocity_of(scene.model, sample.state, {1}).norm();
    if (!sample.report) return;
    for (const ImpactRecord& hit : sample.work.trapezoidal.impacts) out.hits.push_back(hit.t);
  };
  simulate(scene.model, scene.stepper, {.steps = scene.steps, .observers = {watch}});
  return out;
}

// The speed with which a ball leaves that arrives at 1 m/s and already is closer to the floor than
// what counts as closed, 1e-9 m. NaN: nothing was hit.
double leave_closed() {
  const Scene scene = read_paper_scene("trapezoidal_2004/bouncing_ball.json",
                                       {set("height", 1e-10), set("speed", 1)});
  State state = scene.model.initial_state();
  Workspace work(scene.model);
  take_step(scene.model, scene.stepper, state, work);
  const std::vector<ImpactRecord>& impacts = work.trapezoidal.impacts;
  return impacts.empty() ? std::nan("") : impacts.front().speed_after;
}

struct Slide {
  double stop = 0.0, creep = 0.0;  // [m] way after 1 s, and how much more after 5 s
  double ringing = 0.0;            // [m/s] largest speed in these 4 s
};

Slide slide(bool stop_events) {
  const Scene scene = read_paper_scene("trapezoidal_2004/incline.json");
  Trapezoidal method = std::get<Trapezoidal>(scene.stepper);
  method.stop_events = stop_events;
  method.compliance_floor = 0.0;
  Slide out;
  const auto watch = [&](const Sample& sample) {
    const double x = compute_pose(scene.model, sample.state, {1}).p.x();
    if (sample.step == 100) out.stop = x;
    out.creep = x - out.stop;
    if (sample.step >= 100)
      out.ringing =
          std::max(out.ringing, std::abs(velocity_of(scene.model, sample.state, {1}).x()));
  };
  simulate(scene.model, method, {.steps = scene.steps, .observers = {watch}});
  return out;
}

void add_block(Experiment& out) {
  const Slide exact = slide(true), plain = slide(false);
  constexpr double h = 0.01, slope = std::numbers::pi / 9.0;
  const double deceleration = 9.8 * (0.5 * std::cos(slope) - std::sin(slope));
  const double way = 0.5 / deceleration;
  const std::vector<Claim> claims{
      {.text = "Block: way until it stops, steps divided where sliding ends",
       .source = "section 4",
       .unit = "m",
       .expected = way,
       .measured = exact.stop,
       .tolerance = {way - 1e-12, way + 1e-12},
       .reason = "closed form v²/(2 g (μ cos − sin)), 0.399138997; roundings of the solver"},
      {.text = "Block: the same without dividing steps, off by",
       .source = "section 4",
       .unit = "m",
       .expected = 0.0,
       .measured = std::abs(plain.stop - way),
       .tolerance = below(h * h),
       .reason = "the bound that the notes propose: the last step has a wrong velocity, by up to "
                 "h times the deceleration, 1.25 m/s², for a part of h"},
      {.text = "… its speed rings for the next 4 s, by",
       .source = "section 4",
       .unit = "m/s",
       .expected = 0.5 * h * deceleration,
       .measured = plain.ringing,
       .tolerance = {1e-9, 0.5 * h * deceleration},
       .reason = "up to h/2 times the deceleration, which hangs on where in a step it stops; and "
                 "not none"},
      {.text = "… and with divided steps it does not",
       .source = "section 4",
       .unit = "m/s",
       .expected = 0.0,
       .measured = exact.ringing,
       .tolerance = below(1e-10),
       .reason = "roundings of the solver"},
      {.text = "Block: creeps in the next 4 s by",
       .source = "section 4",
       .unit = "m",
       .expected = 0.0,
       .measured = std::max(std::abs(exact.creep), std::abs(plain.creep)),
       .tolerance = below(1e-10),
       .reason = "the mean velocity of a step is zero; roundings"}};
  out.claims.insert(out.claims.end(), claims.begin(), claims.end());
}

}  // namespace

Experiment show_rest(const Effort&) {
  const Fall fall = drop();
  constexpr double end = 1.35526;
  Experiment out{
      .title = "Coming to rest",
      .source = "section 7; friction model of section 4",
      .paper_says =
          "A collision within a step is found, treated by Poisson's law, and the step goes "
          "on for its remainder. Friction holds what does not slide.",
      .we_did =
          "papers/trapezoidal_2004/bouncing_ball.json, restitution ½ from 1 m, and incline.json, "
          "a block on a slope of 20° with μ = 0.5 from 1 m/s; h = 0.01."};
  out.claims = {
      {.text = "Ball: speed after 3 s",
       .source = "section 7",
       .unit = "m/s",
       .expected = 0.0,
       .measured = fall.speed,
       .tolerance = below(1e-6),
       .reason = "slower hits than that give nothing back"},
      {.text = "Ball: height after 3 s",
       .source = "section 7",
       .unit = "m",
       .expected = 0.0,
       .measured = std::abs(fall.height.back()),
       .tolerance = below(1e-10),
       .reason = "collisions are solved for to roundings"},
      {.text = "Ball: hits",
       .source = "section 7",
       .expected = 24.0,
       .measured = static_cast<double>(fall.hits.size()),
       .tolerance = exactly(24.0),
       .reason = "speeds halve: 4.43/2ⁿ m/s is below 1e-6 m/s at n = 23, from the first hit to the "
                 "one that gives nothing back"},
      {.text = "Ball: end of the bounces, from the times of its hits",
       .source = "section 7",
       .unit = "s",
       .expected = end,
       .measured = fall.find_end(),
       .tolerance = {end - 1e-5, end + 1e-5},
       .reason = "√(2/g) (1 + e)/(1 − e); as many digits as are given"},
      {.text = "Ball that arrives at 1 m/s, 1e-10 m above the floor: speed with which it leaves",
       .source = "(6.1)",
       .unit = "m/s",
       .expected = 0.5,
       .measured = leave_closed(),
       .tolerance = within(0.5, 1e-9),
       .reason = "a contact that is closed and arrives is hit, not at rest; 9.8 m/s² over 1e-10 m "
                 "change its speed by 1e-9"}};
  add_block(out);
  out.pictures.push_back({.file = "ball",
                          .figure = {.title = "Ball of restitution ½",
                                     .x = {.label = "time [s]"},
                                     .y = {.label = "height [m]"},
                                     .curves = {{.label = "", .x = fall.t, .y = fall.height}}},
                          .caption = "The bounces accumulate at 1.355 s."});
  return out;
}

}  // namespace ligament::papers::trapezoidal
