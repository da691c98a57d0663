// SPDX-License-Identifier: Apache-2.0
// What a check says: findings that ask for attention, and numbers that it expects of a run.
#pragma once

#include <string>

namespace ligament {

enum class Severity : unsigned char {
  warning,  // the run goes through, and is not what was asked for
  error     // the machine cannot be simulated like this, or flies apart
};

// Something to know before a run. The words are for people: names, numbers with their units.
struct Finding {
  Severity severity = Severity::warning;
  std::string kind;        // one word or two: spring, tension, spin, …
  std::string where;       // the row or body, by name; the worst, if it is one of many
  std::string what;        // a sentence
  std::string change;      // what to change
  double value = 0.0;      // the number that the finding is about
  std::string unit;        // of it; empty: a mere number
  double limit = 0.0;      // what it should not exceed, or fall below
  int others = 0;          // rows or bodies of which the same is true
  double largest_h = 0.0;  // [s] step at which it would be fine, 0: the step is not what is wrong
};

// A number that a run should show.
struct Expected {
  std::string where;  // the row of which it is largest; empty: none
  double value = 0.0;
  std::string unit;
  std::string how;  // of what it is made, with the numbers

  bool known() const { return !where.empty(); }
};

// The largest step that one of the rules allows, whether the step at hand obeys it or not.
struct StepLimit {
  double h = 0.0;  // [s]
  std::string reason;
};

}  // namespace ligament
