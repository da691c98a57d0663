// SPDX-License-Identifier: Apache-2.0
#include "ligament/simulation/trial_run.h"

#include <cmath>

#include "ligament/simulation/run.h"

namespace ligament {
namespace {

// The centre, and the ends of three axes as long as the radius of gyration; a particle has none.
int points_of(const Body& body) {
  if (body.kind == BodyKind::fixed) return 0;
  return body.kind == BodyKind::particle ? 1 : 4;
}

VecX find_points(const Model& model, const State& state) {
  VecX points(3 * weigh_points(model).size());
  Eigen::Index at = 0;
  for (std::uint32_t i = 0; i < model.bodies().size(); ++i) {
    const Body& body = model.bodies()[i];
    if (points_of(body) == 0) continue;
    const Frame pose = compute_pose(model, state, BodyId{i});
    points.segment<3>(at) = pose.p;
    at += 3;
    if (points_of(body) == 1) continue;
    const double radius = std::sqrt(body.moments.maxCoeff() / body.mass);
    for (int k = 0; k < 3; ++k, at += 3) {
      // A rod has but one axis: the turn about it is nobody's.
      const Vec3 axis = Vec3::Unit(body.kind == BodyKind::rod ? 0 : k);
      points.segment<3>(at) = pose.p + radius * (pose.R * axis);
    }
  }
  return points;
}

}  // namespace

VecX weigh_points(const Model& model) {
  std::vector<double> masses;
  for (const Body& body : model.bodies())
    masses.insert(masses.end(), static_cast<std::size_t>(points_of(body)),
                  body.mass / std::max(1, points_of(body)));
  return Eigen::Map<const Eigen::VectorXd>(masses.data(), static_cast<Eigen::Index>(masses.size()));
}

double compute_distance(const VecX& a, const VecX& b, const VecX& masses) {
  double sum = 0.0;
  for (Eigen::Index i = 0; i < masses.size(); ++i)
    sum += masses(i) * (a.segment<3>(3 * i) - b.segment<3>(3 * i)).squaredNorm();
  return std::sqrt(sum / masses.sum());
}

double step_of_trial(const TrialSetup& setup, int parts) {
  return setup.duration / (static_cast<double>(samples_of_a_trial) * parts);
}

Sampled run_trial(const TrialSetup& setup, Stepper stepper, bool staggered, int parts) {
  std::visit([&](auto& method) { method.h = step_of_trial(setup, parts); }, stepper);
  Sampled sampled;
  RunOptions options{.steps = static_cast<long>(samples_of_a_trial) * parts,
                     .staggered_start = staggered};
  options.observers.emplace_back([&](const Sample& sample) {
    if (sample.step % parts == 0) sampled.points.push_back(find_points(sample.model, sample.state));
  });
  options.should_stop = setup.should_stop;
  State state = setup.start;
  const RunReport report = run(setup.model, stepper, state, options);
  sampled.cpu_seconds = report.cpu_seconds;
  sampled.solver_work = report.solver_work;
  sampled.steps = report.steps;
  sampled.interrupted = report.status == RunStatus::interrupted;
  if (report.status != RunStatus::completed)
    sampled.failure = report.failure.empty() ? std::string(name_of(report.status)) : report.failure;
  return sampled;
}

}  // namespace ligament
