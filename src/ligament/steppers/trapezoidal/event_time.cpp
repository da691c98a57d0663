// SPDX-License-Identifier: Apache-2.0
#include "ligament/steppers/trapezoidal/event_time.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ligament {
namespace {

// Coefficients of f(x) = a x³ + b x² + c x + d.  [TR.11]
struct Cubic {
  double a, b, c, d;
  double operator()(double x) const { return ((a * x + b) * x + c) * x + d; }
};

Cubic make_cubic(const StepEnds& e) {
  return {.a = 2.0 * (e.start - e.end) + e.start_slope + e.end_slope,
          .b = 3.0 * (e.end - e.start) - 2.0 * e.start_slope - e.end_slope,
          .c = e.start_slope,
          .d = e.start};
}

// The extrema within (0, 1), in order, and 1. Returns how many.
int find_turns(const Cubic& f, std::array<double, 3>& out) {
  int count = 0;
  const double A = 3.0 * f.a, B = f.b, C = f.c;  // A x² + 2 B x + C = 0
  const double discriminant = B * B - A * C;
  if (discriminant > 0.0) {
    // Without loss of digits: q/A and C/q.
    const double q = -(B + std::copysign(std::sqrt(discriminant), B));
    for (const double x : {A != 0.0 ? q / A : -1.0, q != 0.0 ? C / q : -1.0})
      if (x > 0.0 && x < 1.0) out[static_cast<std::size_t>(count++)] = x;
    if (count == 2 && out[0] > out[1]) std::swap(out[0], out[1]);
  }
  out[static_cast<std::size_t>(count++)] = 1.0;
  return count;
}

}  // namespace

std::optional<DownwardRoot> find_downward_root(const StepEnds& ends) {
  const Cubic f = make_cubic(ends);
  std::array<double, 3> turns{};
  const int count = find_turns(f, turns);
  double low = 0.0;
  bool positive = f.d > 0.0;
  for (int i = 0; i < count; ++i) {
    double high = turns[static_cast<std::size_t>(i)];
    const double value = i == count - 1 ? ends.end : f(high);
    if (!positive || value > 0.0) {
      positive = value > 0.0;
      low = high;
      continue;
    }
    const double from = low;
    for (int k = 0; k < 200 && high - low > 1e-17; ++k) {
      const double middle = 0.5 * (low + high);
      if (middle == low || middle == high) break;
      (f(middle) > 0.0 ? low : high) = middle;
    }
    return DownwardRoot{from, f(from), high};
  }
  return std::nullopt;
}

BracketedSecant::BracketedSecant(double low, double f_low, double high, double f_high)
    : low_(low),
      f_low_(f_low),
      high_(high),
      f_high_(f_high),
      x_(high),
      f_(f_high),
      x_before_(low),
      f_before_(f_low),
      width_before_(high - low) {}

void BracketedSecant::add(double x, double f) {
  x_before_ = x_;
  f_before_ = f_;
  x_ = x;
  f_ = f;
  if (f > 0.0) {
    low_ = x;
    f_low_ = f;
  } else {
    high_ = x;
    f_high_ = f;
  }
  slow_ = width() > 0.5 * width_before_;
  width_before_ = width();
}

double BracketedSecant::next() const {
  const double secant = x_ - f_ * (x_ - x_before_) / (f_ - f_before_);
  const double chord = low_ + width() * f_low_ / (f_low_ - f_high_);
  for (const double x : {secant, chord})
    if (x > low_ && x < high_) return x;
  return slow_ ? 0.5 * (low_ + high_) : std::clamp(secant, low_, high_);
}

}  // namespace ligament
