// SPDX-License-Identifier: Apache-2.0
// How large the time step of the ladder may be.
#include <fmt/format.h>

#include "papers/spook_2007/experiments.h"
#include "papers/spook_2007/fall.h"

namespace ligament::papers {

Experiment run_large_steps(const Effort& effort) {
  const int starts = effort.quick ? 3 : 20;
  Experiment e{
      .title = "Ladder: the largest step",
      .source = "section 6",
      .paper_says = "The stepper was found to be stable for h as large as 1/20 for N = 20.",
      .we_did = fmt::format("N = 20, 30 s, {} disturbed starts a step. D is the energy "
                            "between the start and all rods hanging.",
                            starts)};
  Table table{
      .caption = "The worst of the starts",
      .head = {"h [s]", "energy above the start, over D", "mean rms g [m]", "largest rms g [m]"}};
  for (const char* h : {"1/30", "1/20", "1/15", "1/12"}) {
    const WorstFall worst = find_worst_fall(20, h, 30.0, starts);
    table.rows.push_back({h, fmt::format("{:.2g}", worst.energy_rise),
                          fmt::format("{:.2g}", worst.mean_rms),
                          fmt::format("{:.2g}", worst.max_rms)});
    if (std::string_view(h) == "1/20") {
      e.claims.push_back({.text = "h = 1/20 s: energy above the start, over D",
                          .source = "section 6",
                          .expected = 0.0,
                          .measured = worst.energy_rise,
                          .tolerance = below(1e-3),
                          .reason = "none in 20 starts of the prototype"});
      e.claims.push_back({.text = "h = 1/20 s: largest mean rms of g",
                          .source = "section 6",
                          .unit = "m",
                          .expected = 2.9e-2,
                          .measured = worst.mean_rms,
                          .tolerance = below(8e-2),
                          .reason = "chaotic: twice the largest of 20 starts of the prototype"});
    }
    if (std::string_view(h) == "1/15")
      e.claims.push_back({.text = "h = 1/15 s is too large: largest mean rms of g",
                          .source = "section 6",
                          .unit = "m",
                          .expected = 0.15,
                          .measured = worst.mean_rms,
                          .tolerance = above(8e-2),
                          .reason = "above what h = 1/20 is allowed"});
  }
  e.tables.push_back(std::move(table));
  return e;
}

}  // namespace ligament::papers
