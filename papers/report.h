// SPDX-License-Identifier: Apache-2.0
// What the experiments came to: a page for people and a list for programs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "papers/experiment.h"

namespace ligament::papers {

// An experiment that was run, with where it belongs.
struct Finding {
  const Paper* paper = nullptr;
  const ExperimentEntry* entry = nullptr;
  Experiment experiment{};
  double cpu_seconds = 0.0;

  std::string id() const;  // spook-2007/ladder
};

struct Tally {
  int claims = 0, held = 0;  // of those that can be compared
  int not_comparable = 0;
  bool all_hold() const { return claims == held; }
};
Tally count_claims(std::span<const Finding> findings);

// One page that loads nothing: verdicts first, then each paper's experiments with figures, tables,
// what the paper says and what was measured.
std::string make_report(std::span<const Finding> findings, bool quick);

// A list of claims as JSON text: paper, experiment, claim, continues (the claim that one which
// begins with … goes on from, else null), source, unit, expected, measured,
// tolerance {low, high} (null: no limit), holds (null: not comparable), correction (null where the
// paper is right), unknown (null where the setup is known).
std::string make_papers_json(std::span<const Finding> findings);

}  // namespace ligament::papers
