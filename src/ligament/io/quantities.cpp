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
  values[7] = report.solve.work;
  values[8] = report.solve.iterations;
  values[9] = report.contacts;
  values[10] = report.penetration;
  return values;
}

std::string name_worst_row(const Sample& sample) {
  if (!sample.report || sample.report->violation.worst_row < 0) return {};
  return name_of_row(sample.work.constraints, sample.model, sample.work.problem.G,
                     sample.report->violation.worst_row);
}

}  // namespace ligament
