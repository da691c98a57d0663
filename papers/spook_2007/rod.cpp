// SPDX-License-Identifier: Apache-2.0
// Figure 1: the inertia of a rod.
#include <fmt/format.h>

#include <cmath>

#include "ligament/simulation/run.h"
#include "papers/baselines/steps.h"
#include "papers/scenes.h"
#include "papers/spook_2007/experiments.h"

namespace ligament::papers {
namespace {

constexpr double h = 1.0 / 60;

// Passages of x through zero from the right are a period apart.
class PeriodMeter {
 public:
  void add(double t, double x) {
    if (x_ > 0.0 && x <= 0.0) {
      const double at = t - h * x / (x - x_);
      if (passages_++ == 0) first_ = at;
      last_ = at;
    }
    x_ = x;
  }
  double period() const { return (last_ - first_) / (passages_ - 1); }

 private:
  double x_ = 0.0, first_ = 0.0, last_ = 0.0;
  int passages_ = 0;
};

double measure_period() {
  const Scene scene = read_paper_scene("spook_2007/rod.json");
  const BodyId rod = *scene.model.find_body("rod");
  State state = scene.model.initial_state();
  PeriodMeter meter;
  const auto watch = [&](const Sample& sample) {
    meter.add(sample.state.t, compute_pose(sample.model, sample.state, rod).p.x());
  };
  run(scene.model, scene.stepper, state, {.steps = scene.steps, .observers = {watch}});
  return meter.period();
}

double measure_period(const PlanarRod& rod) {
  const QuadraticSystem system = make_planar_rod(rod, 0.05);
  PlanarMotion motion = start_motion(system, VecX::Zero(4), h);
  PeriodMeter meter;
  for (int i = 1; i <= 600 && step_spook(system, h, {}, motion); ++i) meter.add(i * h, motion.q(0));
  return meter.period();
}

}  // namespace

Experiment run_rod(const Effort&) {
  Experiment e{.title = "Rod: its inertia",
               .source = "section 6, figure 1",
               .paper_says =
                   "A rod is its centre x and a unit vector u, with mass m for x and l²/12 "
                   "for u.",
               .we_did =
                   "One rod of 10 kg and 1 m, tied at its tail, let go 0.05 rad from hanging, "
                   "h = 1/60 s: the period of its swing. Scene papers/spook_2007/rod.json, and "
                   "the step written out in papers/baselines."};
  e.claims.push_back(
      {.text = "Period with the inertia m l²/12",
       .source = "section 6",
       .unit = "s",
       .expected = 1.62230,
       .measured = measure_period(),
       .tolerance = {1.62229, 1.62231},
       .reason = "2π √(2 l/3 g) (1 + a²/16) of a bar is 1.62231 s; a unit of the last digit of the "
                 "notes",
       .correction =
           "The inertia of the coordinates u is printed as l²/12. It is m l²/12: the speed "
           "of a point at s is s u̇, and ½∫s² u̇² dm = ½ (m l²/12) u̇²."});
  e.claims.push_back({.text = "Period with the printed l²/12: not that of any bar",
                      .source = "section 6",
                      .unit = "s",
                      .expected = 1.428,
                      .measured = measure_period({.mass = 10.0, .inertia = 1.0 / 12.0}),
                      .tolerance = {1.4275, 1.4285},
                      .reason = "2π √((m l²/4 + l²/12)/(m g l/2)) to the digits that are given: "
                                "the printed one is nearly a point "
                                "mass at the centre"});
  e.claims.push_back({.text =
                          "The step written out in the plane gives the same period as the engine: "
                          "difference",
                      .source = "section 6",
                      .unit = "s",
                      .expected = 0.0,
                      .measured = std::abs(measure_period({}) - measure_period()),
                      .tolerance = below(1e-9),
                      .reason = "the same equations by other code: rounding"});
  e.remarks = {
      "A ladder stays stable with either inertia, so that stability alone does not tell the "
      "two apart."};
  return e;
}

}  // namespace ligament::papers
