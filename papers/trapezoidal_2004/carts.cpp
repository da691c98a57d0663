// SPDX-License-Identifier: Apache-2.0
#include "papers/trapezoidal_2004/carts.h"

#include <algorithm>

#include <cmath>

#include "papers/scenes.h"
#include "papers/simulate.h"

namespace ligament::papers::trapezoidal {
namespace {

Scene read(const Carts& carts) {
  std::vector<Override> variables{set("gamma", carts.gamma), set("delta", carts.delta),
                                  set("x1", carts.x1),       set("x2", carts.x2),
                                  set("v1", carts.v),        set("v2", carts.v2)};
  if (carts.on_floor) return read_paper_scene("trapezoidal_2004/carts_on_floor.json", variables);
  variables.push_back(set("linked", carts.linked ? 1 : 0));
  variables.push_back(set("held", carts.held ? 1 : 0));
  return read_paper_scene("trapezoidal_2004/carts.json", variables);
}

}  // namespace

Trapezoidal as_recommended(double h) {
  Trapezoidal method = std::get<Trapezoidal>(read({}).stepper);
  method.h = h;
  return method;
}

Trapezoidal as_in_the_paper(double h) {
  Trapezoidal method = as_recommended(h);
  method.damped_restart = false;
  method.stop_events = false;
  method.as_printed.active_set = true;
  method.collision_time = CollisionTime::hermite;
  return method;
}

Ride ride(const Carts& carts, const Trapezoidal& method) {
  const Scene scene = read(carts);
  Ride out;
  const auto watch = [&](const Sample& sample) {
    const double x1 = compute_pose(scene.model, sample.state, {1}).p.x();
    const double x2 = compute_pose(scene.model, sample.state, {2}).p.x();
    const double stretch = x1 - 0.2;
    const double spring = carts.held ? 0.0 : 0.5 * carts.gamma * stretch * stretch;
    const double energy = sample.energy.total() + spring;
    if (!out.energy.empty()) out.growth = std::max(out.growth, energy - out.energy.back());
    if (sample.report) out.impacts += sample.report->impacts, out.stops += sample.report->events;
    out.stretch = std::max(out.stretch, std::abs(x2 - x1 - 5.0));
    out.swing = std::max(out.swing, std::abs(stretch));
    out.lowest = std::min(out.lowest, x1);
    out.t.push_back(sample.state.t);
    out.x1.push_back(x1);
    out.x2.push_back(x2);
    out.energy.push_back(energy);
  };
  const State end =
      simulate(scene.model, method, {.t_end = carts.t_end, .observers = {watch}}).state;
  out.v1 = velocity_of(scene.model, end, {1}).x();
  out.v2 = velocity_of(scene.model, end, {2}).x();
  return out;
}

void Bounds::add(const Ride& ride) {
  const double over_start = *std::ranges::max_element(ride.energy) - ride.energy.front();
  growth = std::max({growth, ride.growth, over_start});
  lowest = std::min(lowest, ride.lowest);
}

void Bounds::claim(Experiment& out) const {
  out.claims.push_back(
      {.text = "Largest growth of energy, in a step or over the start, in all runs",
       .source = "theorem 9.1",
       .unit = "J",
       .expected = 0.0,
       .measured = growth,
       .tolerance = below(1e-10),
       .reason = "roundings"});
  out.claims.push_back({.text = "Lowest x₁ in all runs",
                        .source = "section 10.2",
                        .unit = "m",
                        .expected = 0.0,
                        .measured = lowest,
                        .tolerance = above(-1e-10),
                        .reason = "nothing passes the stopper: roundings"});
}

}  // namespace ligament::papers::trapezoidal
