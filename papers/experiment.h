// SPDX-License-Identifier: Apache-2.0
// What the reproduction of a paper is made of: experiments that run, each with its claims, figures
// and tables. An experiment is a function that returns all it has to say; the report and the JSON
// file are made from that alone.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ligament/io/figure/figure.h"

namespace ligament::papers {

// What a measured number must be for a claim to hold: within these, ends included.
struct Band {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool contains(double value) const { return value >= low && value <= high; }  // never NaN
};

inline Band below(double high) { return {.high = high}; }
inline Band above(double low) { return {.low = low}; }
inline Band exactly(double value) { return {value, value}; }
inline Band within(double value, double relative) {
  const double room = relative * (value < 0.0 ? -value : value);
  return {value - room, value + room};
}

enum class Verdict : unsigned char { holds, does_not_hold, not_comparable };

// One statement with a number.
struct Claim {
  std::string text{};     // a sentence, in our words: what is claimed
  std::string source{};   // where the paper says so: figure 6.4, theorem 5.1
  std::string unit{};     // of the numbers; empty: none
  double expected = 0.0;  // what the corrected method gives
  double measured = std::numeric_limits<double>::quiet_NaN();
  Band tolerance{};
  std::string reason{};  // why the tolerance is what it is
  // Where the paper itself is wrong: what it says, and why that cannot be. Empty: it is right. The
  // claim above is then the corrected one.
  std::string correction{};
  // Where the setup that gave the expected number is not known: what is missing of it. The two
  // numbers stand beside each other then, and the claim counts neither as holding nor as not.
  std::string unknown{};

  Verdict verdict() const {
    if (!unknown.empty()) return Verdict::not_comparable;
    return tolerance.contains(measured) ? Verdict::holds : Verdict::does_not_hold;
  }
};

struct Table {
  std::string caption{};
  std::vector<std::string> head{};
  std::vector<std::vector<std::string>> rows{};  // as many cells each as the head
};

struct Picture {
  std::string file{};  // name of its SVG file without ending: energy
  Figure figure{};
  std::string caption{};
};

// A file that the report links to, such as a replay.
struct Attachment {
  std::string file{};
  std::string text{};
  std::string caption{};
};

struct Experiment {
  std::string title{};
  std::string source{};      // section and figures of the paper
  std::string paper_says{};  // in our words
  std::string we_did{};      // machine, method, step, what was measured
  std::vector<Claim> claims{};
  std::vector<Picture> pictures{};
  std::vector<Table> tables{};
  std::vector<std::string> remarks{};  // on misprints, and on what cannot be known from the text
  std::vector<Attachment> attachments{};
};

// How much to do.
struct Effort {
  bool quick = false;       // shorter runs and fewer of them, with the same claims where they hold
  std::string_view page{};  // the page of replays, empty if the program has none
};

struct ExperimentEntry {
  const char* name;                   // pendulum
  Experiment (*run)(const Effort&);   // must be callable from any thread
  double seconds = 1.0, quick = 0.3;  // about what it takes, for the progress bar
};

// What a paper prints otherwise than it must be, and that no claim corrects.
struct Misprint {
  const char* where;    // (2.1)
  const char* printed;  // in short
  const char* correct;  // and why
};

struct Paper {
  const char* name;       // relaxed-2005
  const char* reference;  // author, title, year
  const char* summary;    // what the method is, in a sentence
  std::span<const ExperimentEntry> experiments;
  std::span<const Misprint> misprints;
};

std::span<const Paper> all_papers();

}  // namespace ligament::papers
