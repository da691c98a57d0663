// SPDX-License-Identifier: Apache-2.0
// Numbers as they are printed: so many digits, and no more.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string_view>

#include "papers/experiment.h"

namespace ligament::papers {

// A number with the value of a one in its last digit.
struct Printed {
  double value, digit;

  // Rounds to it, with a part of it more or less.
  Band band(double more = 0.0) const { return around(0.5 * digit + more * std::abs(value)); }
  // A unit of the last digit more or less.
  Band unit() const { return around(digit); }

 private:
  Band around(double room) const {
    room += 1e-12 * std::abs(value);
    return {value - room, value + room};
  }
};

// "2.770e-3" is 2.77e-3 with a digit of 1e-6.
inline Printed printed(const char* text) {
  const std::string_view all(text);
  const std::string_view mantissa = all.substr(0, all.find('e'));
  const auto point = mantissa.find('.');
  const auto decimals = point == mantissa.npos ? 0 : mantissa.size() - point - 1;
  const double exponent = mantissa == all ? 0.0 : std::atof(text + mantissa.size() + 1);
  return {std::atof(text), std::pow(10.0, exponent - static_cast<double>(decimals))};
}

}  // namespace ligament::papers
