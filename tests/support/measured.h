// SPDX-License-Identifier: Apache-2.0
// Says what a test measured, on the terminal and in the XML report, whether it passes or not.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace ligament {

inline double measured(const std::string& what, double value) {
  const std::string text = fmt::format("{:.6g}", value);
  std::printf("[ MEASURED ] %s: %s\n", what.c_str(), text.c_str());
  ::testing::Test::RecordProperty(what, text);
  return value;
}

}  // namespace ligament
