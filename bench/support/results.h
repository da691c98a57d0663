// SPDX-License-Identifier: Apache-2.0
// What benchmarks share: options, timing by Google Benchmark, a table that prints itself as it
// grows and is written as CSV.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ligament::bench {

struct Options {
  std::string csv;       // where to write the table, empty: nowhere
  double seconds = 0.2;  // smallest time of one repetition [s]
  int repetitions = 3;   // the best counts
};

// --csv PATH, --seconds S, --repetitions K. Exits with an explanation on anything else.
Options parse_options(int argc, char** argv);

struct Timing {
  double microseconds = 0.0;  // per iteration, processor time, best repetition
  std::map<std::string, double> counters;
};

// Runs the body (which loops over its benchmark::State) and gives the best repetition.
Timing measure(const std::function<void(benchmark::State&)>& body, const Options& options);

class Table {
 public:
  explicit Table(std::vector<std::string> columns);
  void add(std::vector<std::string> row);  // prints it, too
  void write_csv(const std::string& path) const;

  // Indices of the rows that have these values in these columns.
  std::vector<std::size_t> select(
      const std::vector<std::pair<std::string, std::string>>& conditions) const;
  std::vector<double> numbers(const std::vector<std::size_t>& rows,
                              const std::string& column) const;

 private:
  std::size_t column(const std::string& name) const;
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Least-squares slope of log y over log x.
double fit_exponent(const std::vector<double>& x, const std::vector<double>& y);

// Smallest and largest a_i/b_i.
std::pair<double, double> ratio_range(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace ligament::bench
