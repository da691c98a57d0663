// SPDX-License-Identifier: Apache-2.0
// What is printed otherwise than it must be, where no experiment tells it.
#include "papers/catalogue.h"

namespace ligament::papers {

std::span<const Misprint> vi_2011_misprints() {
  static const Misprint misprints[] = {
      {"section 2", "the scheme is symplectic",
       "in its force-free part: springs act by their length at the end of the step, as in backward "
       "Euler, and are damped"},
      {"(5)", "g(q⁺) = g + δt g", "≈ g + δt ġ: a linearization, of the rate of the gap"},
      {"(15)", "missing", "it is the derivation after (14), which has no number"},
      {"after (14)", "t is a multiplier",
       "besides time; f is a force and, from (16) on, a map; h "
       "in (19) is the vector (k δt, γ, γ) and no step"},
      {"(23)", "⟨…⟩ᵀ (y − x)", "an inner product. And δt F is F, for F is a cone"},
      {"after (23)", "(22) with s = 0 for z", "(23) with s = 0: the problem of A D^(−1/2)"}};
  return misprints;
}

}  // namespace ligament::papers
