// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/figure/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ligament {
namespace {

// 1, 2 or 5 times a power of ten.
double round_step(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (rough <= digit * power * (1.0 + 1e-9)) return digit * power;
  return 10.0 * power;
}

std::string format_tick(double value, double step) {
  if (std::abs(value) < 1e-9 * step) return "0";
  const double size = std::abs(value);
  std::string text;
  if (size >= 1e-4 && size < 1e6) {
    text =
        fmt::format("{:.{}f}", value, std::max(0, static_cast<int>(std::ceil(-std::log10(step)))));
  } else {
    // 1.5×10⁷, with decimals enough to tell neighbours apart.
    const auto power_of = [](double x) { return std::floor(std::log10(x) + 1e-9); };
    const int decimals = static_cast<int>(power_of(size) - power_of(step));
    text = fmt::format("{:.{}e}", value, std::clamp(decimals, 0, 14));
    const std::size_t e = text.find('e');
    text = text.substr(0, e) + "×" + format_power(10, std::stoi(text.substr(e + 1)));
  }
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text;
}

// Below this many decades 1, 2 and 5 of each have a mark.
constexpr double few_decades = 2.5;

std::vector<Tick> make_parts_of_decades(const Scale& scale) {
  std::vector<Tick> ticks;
  const int last = static_cast<int>(std::floor(std::log10(scale.high) + 1e-9));
  for (int power = static_cast<int>(std::floor(std::log10(scale.low))); power <= last; ++power)
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double unit = std::pow(10.0, power), value = digit * unit;
      if (value < scale.low * (1.0 - 1e-9) || value > scale.high * (1.0 + 1e-9)) continue;
      ticks.push_back({value, format_tick(value, unit)});
    }
  return ticks;
}

std::vector<Tick> make_decades(const Scale& scale, int wanted) {
  const int first = static_cast<int>(std::ceil(std::log10(scale.low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(scale.high) + 1e-9));
  const int every = std::max(1, (last - first + wanted) / std::max(1, wanted));
  std::vector<Tick> ticks;
  for (int power = first; power <= last; ++power)
    ticks.push_back(
        {std::pow(10.0, power), power % every == 0 ? format_power(10, power) : std::string()});
  return ticks;
}

}  // namespace

std::string format_power(int base, int power) {
  constexpr const char* raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = fmt::format("{}{}", base, power < 0 ? "⁻" : "");
  for (const char digit : fmt::format("{}", std::abs(power)))
    text += raised[static_cast<std::size_t>(digit - '0')];
  return text;
}

double Scale::place(double value) const {
  if (logarithmic) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

Scale make_scale(double low, double high, bool logarithmic, bool tight) {
  if (logarithmic) {
    if (!(high > 0.0)) return {1e-3, 1.0, true};
    const double top = std::pow(10.0, std::ceil(std::log10(high) - 1e-9));
    const double least = std::max(low, 1e-12 * top);
    if (const double decades = std::log10(high / least); decades > 0.5 && decades < few_decades) {
      const double room = std::pow(10.0, 0.04 * decades);
      return {least / room, high * room, true};
    }
    double bottom = std::pow(10.0, std::floor(std::log10(least) + 1e-9));
    if (!(bottom < top)) bottom = 0.1 * top;
    return {bottom, top, true};
  }
  if (!(low <= high)) return {0.0, 1.0, false};
  double room = tight ? 0.0 : 0.05 * (high - low);
  // One value, or values that differ by rounding only.
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low <= 1e-12 * size || high == low) room = size > 0.0 ? 0.1 * size : 1.0;
  return {low - room, high + room, false};
}

std::vector<Tick> make_ticks(const Scale& scale, int wanted) {
  if (scale.logarithmic)
    return std::log10(scale.high / scale.low) < 1.1 * few_decades ? make_parts_of_decades(scale)
                                                                  : make_decades(scale, wanted);
  const double step = round_step((scale.high - scale.low) / std::max(1, wanted));
  std::vector<Tick> ticks;
  const double first = std::ceil(scale.low / step - 1e-9),
               last = std::floor(scale.high / step + 1e-9);
  for (double i = first; i <= last && ticks.size() < 100; i += 1.0)
    ticks.push_back({i * step, format_tick(i * step, step)});
  return ticks;
}

}  // namespace ligament
