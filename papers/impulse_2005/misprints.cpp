// SPDX-License-Identifier: Apache-2.0
// What is printed otherwise than it must be, where no experiment tells it.
#include "papers/catalogue.h"

namespace ligament::papers {

std::span<const Misprint> impulse_2005_misprints() {
  static const Misprint misprints[] = {
      {"after (2.2)", "the relative velocity vanishes", "its part along the rod does"},
      {"(4.9)", "M_h", "M: h comes with (5.8)"},
      {"(4.9), (5.8), (6.11a)", "one case or another",
       "cases add up where two distances share both ends"},
      {"(5.10)", "A_r(0) in the sum", "A_k(0), as in (8.2)"},
      {"section 6, series to h³", "(1/6) P̈ t³", "a third derivative has three dots"},
      {"section 8, expansion", "= at the start of a line", "the line goes on: it is no equation"},
      {"section 8, solution for x", "(M + M̃) x = (2/h) b", "(h/2) b, as before and after it"},
      {"section 8, determinants", "M + M̃(h), and M + h M̃ once", "M + M̃(h), of parts O(h)"},
      {"section 8, trial calculation", "Z h/N", "N h/D, as in the division that it tries"}};
  return misprints;
}

}  // namespace ligament::papers
