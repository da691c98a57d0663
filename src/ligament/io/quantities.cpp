// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/quantities.h"

#include <cmath>

namespace ligament {

QuantityValues measure_quantities(const Sample& sample) {
  QuantityValues values{};
  values[0] = sample.energy.kinetic;
  values[1] = sample.energy.potential;
  values[2] = sample.energy.total();
  if (!sample.report) return values;
  const StepReport& report = *sample.report;
  const double error = report.solve.velocity_error;
  values[3] = report.violation.max;
  values[4] = report.violation.rms();
  values[5] = report.residual;
  values[6] = std::isnan(error) ? 0.0 : error;
  const StepError& physics = report.error;
  values[7] = physics.excess;
  values[8] = physics.rows > 0 ? 100.0 * physics.infeasible / physics.rows : 0.0;
  values[9] = physics.fed_work;
  values[10] = report.solve.work;
  values[11] = report.solve.iterations;
  values[12] = report.contacts;
  values[13] = report.penetration;
  values[14] = report.friction_error;
  return values;
}

std::string name_worst_row(const Sample& sample) {
  if (!sample.report || sample.report->violation.worst_row < 0) return {};
  return name_of_row(sample.work.constraints, sample.model, sample.work.problem.G,
                     sample.report->violation.worst_row);
}

}  // namespace ligament
