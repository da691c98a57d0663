// SPDX-License-Identifier: Apache-2.0
#include "papers/relaxed_2005/swing.h"

#include "ligament/simulation/run.h"
#include "papers/baselines/steps.h"

namespace ligament::papers {

Swing swing_scene(const std::vector<Override>& overrides) {
  const Scene scene = read_paper_scene("relaxed_2005/pendulum.json", overrides);
  const int bob = scene.model.body(*scene.model.find_body("bob")).q_offset;
  State state = scene.model.initial_state();
  Swing swing;
  run(scene.model, scene.stepper, state,
      {.steps = scene.steps, .observers = {[&](const Sample& sample) {
                               const Vec3 position = sample.state.q.segment<3>(bob);
                               swing.add(sample.state.t, position, sample.energy.total());
                             }}});
  return swing;
}

Swing swing_shake() {
  const double h = 1.0 / 60;
  const QuadraticSystem system = make_planar_pendulum();
  PlanarMotion motion = start_motion(system, VecX::Zero(2), h);
  Swing swing;
  swing.add(0.0, motion.q, 0.0);
  for (int i = 1; i <= 1200 && step_shake(system, h, motion, 3e-16); ++i)
    swing.add(i * h, motion.q, system.compute_energy(motion.q, motion.v));
  return swing;
}

Swing swing_penalty(double compliance, GeometricStiffness geometric) {
  PenaltyPendulum pendulum{.compliance = compliance, .geometric = geometric};
  Swing swing;
  swing.add(0.0, pendulum.x, pendulum.energy());
  for (int i = 1; i <= 1200 && pendulum.step(1.0 / 60); ++i)
    swing.add(i / 60.0, pendulum.x, pendulum.energy());
  return swing;
}

}  // namespace ligament::papers
