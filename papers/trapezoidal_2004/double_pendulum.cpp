// SPDX-License-Identifier: Apache-2.0
#include "papers/trapezoidal_2004/double_pendulum.h"

#include "papers/scenes.h"
#include "papers/simulate.h"

namespace ligament::papers::trapezoidal {
namespace {

Scene read(double gravity, bool beside) {
  return read_paper_scene("trapezoidal_2004/double_pendulum.json",
                          {set("g", gravity), set("beside", beside)});
}

}  // namespace

DoublePendulum::DoublePendulum(double gravity, bool beside_stiff_spring)
    : model(read(gravity, beside_stiff_spring).model),
      method(std::get<Trapezoidal>(read(gravity, beside_stiff_spring).stepper)) {}

Trapezoidal DoublePendulum::with_step(double h) const {
  Trapezoidal out = method;
  out.h = h;
  return out;
}

Trapezoidal DoublePendulum::with_solved_collisions(double h) const {
  Trapezoidal out = with_step(h);
  out.collision_time = CollisionTime::resolve;
  return out;
}

Swing DoublePendulum::swing(const Trapezoidal& by) const {
  Swing out;
  double level = compute_energy(model, model.initial_state()).total();
  const auto watch = [&](const Sample& sample) {
    out.t.push_back(sample.state.t);
    out.x1.push_back(compute_pose(model, sample.state, {1}).p.x());
    out.x2.push_back(compute_pose(model, sample.state, {2}).p.x());
    out.energy.push_back(sample.energy.total());
    if (!sample.report) return;
    ++out.steps;
    const Vec3 one = compute_pose(model, sample.state, {1}).p,
               rod = compute_pose(model, sample.state, {2}).p - one,
               v1 = velocity_of(model, sample.state, {1}),
               v2 = velocity_of(model, sample.state, {2});
    out.stretching =
        std::max({out.stretching, std::abs(2.0 * one.dot(v1)), std::abs(2.0 * rod.dot(v2 - v1))});
    out.solves += sample.report->solves;
    const std::vector<ImpactRecord>& impacts = sample.work.trapezoidal.impacts;
    out.impacts.insert(out.impacts.end(), impacts.begin(), impacts.end());
    if (!impacts.empty()) level = impacts.back().energy_after;
    out.energy_change = std::max(out.energy_change, std::abs(sample.energy.total() - level));
  };
  const State end = simulate(model, by, {.t_end = 2.5, .observers = {watch}}).state;
  const Vec3 one = compute_pose(model, end, {1}).p, two = compute_pose(model, end, {2}).p;
  out.q << one.x(), one.y(), two.x(), two.y();
  out.v << end.v(0), end.v(1), end.v(3), end.v(4);
  out.g1 = out.q.head<2>().squaredNorm() - 1.0;
  out.g2 = (out.q.tail<2>() - out.q.head<2>()).squaredNorm() - 1.0;
  return out;
}

}  // namespace ligament::papers::trapezoidal
