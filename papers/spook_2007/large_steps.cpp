// SPDX-License-Identifier: Apache-2.0
// How large the time step of the ladder may be.
#include <fmt/format.h>

#include <cmath>

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
  Table table{.caption = "The worst of the starts",
              .head = {"h [s]", "energy above the start, over D", "mean rms g [m]",
                       "largest rms g [m]", "rise above what was the least, over D"}};
  const auto claim = [&](std::string text, double expected, double measured, Band band,
                         const char* reason) {
    e.claims.push_back({.text = std::move(text),
                        .source = "section 6",
                        .expected = expected,
                        .measured = measured,
                        .tolerance = band,
                        .reason = reason});
  };
  struct Size {
    const char* h;
    double mean;  // [m] in the notes, of the worst start; 0: none
    bool stable;
    double rise = 0.0, rebound = 0.0;  // over D, above the start and what was the least; 0: none
    double average = 0.0;              // [m] of all starts; 0: none
  };
  const auto note = [&](std::string text, double expected, double measured) {
    if (expected == 0.0) return;
    e.claims.push_back({.text = std::move(text),
                        .source = "section 6",
                        .expected = expected,
                        .measured = measured,
                        .unknown = "its starts; the motion is chaotic"});
  };
  for (const auto& [h, mean, stable, rise, rebound, average] :
       {Size{"1/30", 0.0, true}, Size{"1/20", 4.1e-2, true, 0.0, 0.58, 2.9e-2},
        Size{"1/15", 0.15, false, 0.58}, Size{"1/12", 0.58, false}, Size{"1/10", 1.5, false}}) {
    const WorstFall worst = find_worst_fall(20, 30.0, starts, {{"stepper.h", h}});
    table.rows.push_back(
        {h, fmt::format("{:.2g}", worst.energy_rise), fmt::format("{:.2g}", worst.mean_rms),
         fmt::format("{:.2g}", worst.max_rms), fmt::format("{:.2g}", worst.rebound)});
    note(fmt::format("h = {} s: largest energy above the start, over D", h), rise,
         worst.energy_rise);
    note(fmt::format("h = {} s: largest rise above what was the least before, over D", h), rebound,
         worst.rebound);
    const std::string text = fmt::format("h = {} s: largest mean rms of g [m]", h);
    if (!stable) {
      note(text, mean, worst.mean_rms);
      claim("… too large a step, as it is above", 8e-2, worst.mean_rms, above(8e-2),
            "what h = 1/20 is allowed, see there");
      continue;
    }
    claim(fmt::format("h = {} s: energy above the start, over D", h), 0.0, worst.energy_rise,
          below(1e-3), "none in 20 starts of the prototype");
    claim(text + ", a step small enough", mean > 0.0 ? mean : std::nan(""), worst.mean_rms,
          below(8e-2), "chaotic: twice the largest of 20 starts of the prototype at h = 1/20");
    if (average == 0.0) continue;
    // Of the means of as many starts of each, with our spread for both, four standard errors.
    const double error = worst.spread * std::sqrt(1.0 / starts + 1.0 / 20.0);
    claim("… the mean over the starts", average, worst.average,
          {average - 4.0 * error, average + 4.0 * error},
          "chaotic: four standard errors of the difference of two means, with the spread of ours");
  }
  e.tables.push_back(std::move(table));
  return e;
}

}  // namespace ligament::papers
