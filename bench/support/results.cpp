// SPDX-License-Identifier: Apache-2.0
#include "bench/support/results.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>

namespace ligament::bench {
namespace {

// Keeps the best repetition instead of printing all of them.
class BestOf : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.error_occurred) {
        fmt::print(stderr, "benchmark failed: {}\n", run.error_message);
        std::exit(1);
      }
      const double time = 1e6 * run.cpu_accumulated_time / static_cast<double>(run.iterations);
      if (run.run_type != Run::RT_Iteration || time >= best.microseconds) continue;
      best.microseconds = time;
      for (const auto& [name, counter] : run.counters) best.counters[name] = counter.value;
    }
  }
  Timing best{.microseconds = std::numeric_limits<double>::infinity(), .counters = {}};
};

}  // namespace

Options parse_options(int argc, char** argv) {
  Options options;
  CLI::App app("A benchmark of Ligament");
  app.add_option("--csv", options.csv, "write the table to this file");
  app.add_option("--seconds", options.seconds, "smallest time of one repetition")
      ->check(CLI::PositiveNumber);
  app.add_option("--repetitions", options.repetitions, "repetitions, of which the best counts")
      ->check(CLI::PositiveNumber);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) == 0 ? 0 : 2);
  }
  return options;
}

Timing measure(const std::function<void(benchmark::State&)>& body, const Options& options) {
  benchmark::ClearRegisteredBenchmarks();
  benchmark::RegisterBenchmark("body", body)
      ->MinTime(options.seconds)
      ->Repetitions(options.repetitions);
  BestOf reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return reporter.best;
}

Table::Table(std::vector<std::string> columns) : columns_(std::move(columns)) {
  for (const std::string& name : columns_) fmt::print("{:>16}", name);
  fmt::print("\n");
}

void Table::add(std::vector<std::string> row) {
  for (const std::string& value : row) fmt::print("{:>16}", value);
  fmt::print("\n");
  std::fflush(stdout);
  rows_.push_back(std::move(row));
}

void Table::write_csv(const std::string& path) const {
  if (path.empty()) return;
  std::ofstream out(path);
  out << fmt::format("{}\n", fmt::join(columns_, ","));
  for (std::vector<std::string> row : rows_) {
    for (std::string& field : row)  // names of scenes have commas
      if (field.find(',') != std::string::npos) field = fmt::format("\"{}\"", field);
    out << fmt::format("{}\n", fmt::join(row, ","));
  }
  if (!out.flush()) {
    fmt::print(stderr, "cannot write {}\n", path);
    std::exit(2);
  }
}

std::size_t Table::column(const std::string& name) const {
  return static_cast<std::size_t>(std::ranges::find(columns_, name) - columns_.begin());
}

std::vector<std::size_t> Table::select(
    const std::vector<std::pair<std::string, std::string>>& conditions) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (std::ranges::all_of(conditions, [&](const auto& condition) {
          return rows_[i][column(condition.first)] == condition.second;
        }))
      found.push_back(i);
  return found;
}

std::vector<double> Table::numbers(const std::vector<std::size_t>& rows,
                                   const std::string& name) const {
  std::vector<double> values;
  for (const std::size_t i : rows) values.push_back(std::stod(rows_[i][column(name)]));
  return values;
}

double fit_exponent(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

std::pair<double, double> ratio_range(const std::vector<double>& a, const std::vector<double>& b) {
  double low = std::numeric_limits<double>::infinity(), high = 0.0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    low = std::min(low, a[i] / b[i]);
    high = std::max(high, a[i] / b[i]);
  }
  return {low, high};
}

}  // namespace ligament::bench
