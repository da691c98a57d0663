// SPDX-License-Identifier: Apache-2.0
#include "papers/relaxed_2005/crank.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ligament::papers {

CrankTurn turn_crank(std::vector<Override> overrides, const Stand& stand,
                     std::vector<Observer> more) {
  const char* keys[] = {"ox", "oy", "oz", "qx", "qy", "qz", "qw"};
  for (int i = 0; i < 3; ++i) overrides.push_back(set(keys[i], stand.at(i)));
  for (int i = 0; i < 4; ++i) overrides.push_back(set(keys[3 + i], stand.turn.coeffs()(i)));
  const Scene scene = read_paper_scene(crank_scene, overrides);
  const BodyId load = *scene.model.find_body("load"), crank = *scene.model.find_body("crank");
  State state = scene.model.initial_state();
  CrankTurn course;
  const auto watch = [&](const Sample& sample) {
    if (sample.report)
      course.force = std::max(course.force, sample.work.solution.lambda.head<20>().lpNorm<1>() /
                                                step_size(scene.stepper));
    const Vec3 p = compute_pose(sample.model, sample.state, load).p - stand.at;
    const double x = (stand.turn.conjugate() * p).x();
    const Quat turn = stand.turn.conjugate() * compute_pose(sample.model, sample.state, crank).R;
    const double angle = 2.0 * std::atan2(turn.z(), turn.w());
    const double before = course.angle.empty() ? angle : course.angle.back();
    course.t.push_back(sample.state.t);
    course.load.push_back(x);
    course.angle.push_back(before + std::remainder(angle - before, 2.0 * std::numbers::pi));
    course.error = std::max(course.error, std::abs(x - 2.0 * std::cos(angle)));
  };
  more.push_back(watch);
  course.report =
      run(scene.model, scene.stepper, state, {.steps = scene.steps, .observers = std::move(more)});
  course.finite = state.q.allFinite() && state.v.allFinite() && state.p.allFinite();
  return course;
}

}  // namespace ligament::papers
