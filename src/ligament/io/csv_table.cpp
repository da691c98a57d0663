// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>

namespace ligament {
namespace {

// Splits a line into its fields, the quotes of CSV undone. False if a quote is open at its end.
bool split(std::string_view line, std::vector<std::string>& fields) {
  fields.assign(1, {});
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else if (c != '\r' || quoted)
      fields.back() += c;
  }
  return !quoted;
}

double to_number(const std::string& text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && after == end && !text.empty()
             ? value
             : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

const std::vector<double>* CsvTable::find(std::string_view name) const {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? nullptr : &columns[static_cast<std::size_t>(found - names.begin())];
}

CsvTable read_csv(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw CsvError(fmt::format("{}: the file cannot be read", file.string()));
  CsvTable table;
  std::string line, more;
  std::vector<std::string> fields;
  for (long number = 1; std::getline(in, line); ++number) {
    // A name may hold a line break within quotes.
    while (!split(line, fields) && std::getline(in, more)) line += '\n' + more;
    if (number == 1) {
      table.names = fields;
      table.columns.resize(fields.size());
      continue;
    }
    if (fields.size() != table.names.size())
      throw CsvError(fmt::format("{}: line {} has {} fields: the header has {}", file.string(),
                                 number, fields.size(), table.names.size()));
    for (std::size_t i = 0; i < fields.size(); ++i)
      table.columns[i].push_back(to_number(fields[i]));
  }
  if (table.names.empty()) throw CsvError(fmt::format("{}: the file is empty", file.string()));
  return table;
}

}  // namespace ligament
