// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "ligament/io/results.h"

namespace ligament {

HistoryWriter::HistoryWriter(const std::filesystem::path& file, const Scene& scene)
    : scene_(scene), out_(file) {
  out_.add("t");
  for (const Quantity& quantity : quantities) out_.add(quantity.name);
  out_.add("violation_worst");
  out_.end_line();
}

void HistoryWriter::write_row() {
  out_.add(time_);
  for (const double value : values_) out_.add(value);
  out_.add(worst_);
  out_.end_line();
  pending_ = false;
}

void HistoryWriter::record(const Sample& sample) {
  if (failed()) return;
  time_ = sample.state.t;
  values_ = measure_quantities(sample);
  // The name costs more than the numbers: only where it is written, or may be the last.
  const bool due = sample.step % scene_.every == 0;
  worst_ = due || sample.step == scene_.steps ? name_worst_row(sample) : std::string();
  pending_ = true;
  if (due) write_row();
}

void HistoryWriter::finish() {
  const bool finite = std::ranges::all_of(values_, [](double x) { return std::isfinite(x); });
  if (pending_ && finite && !failed()) write_row();
  out_.close();
}

}  // namespace ligament
