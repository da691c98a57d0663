// SPDX-License-Identifier: Apache-2.0
// What is printed otherwise than it must be, where no experiment tells it.
#include "papers/catalogue.h"

namespace ligament::papers {

std::span<const Misprint> spook_2007_misprints() {
  static const Misprint misprints[] = {
      {"(8)", "D₁ L(q₋, q) + D₂ L(q, q₊), and no ∂ before it",
       "D₂ L(q₋, q) + D₁ L(q, q₊), as in (11): q is the second argument of the first"},
      {"(9)", "δqᵀ f⁽⁺⁾ + δq₊ᵀ f⁽⁻⁾", "(+) and (−) swapped, as (10) and (11) use them"},
      {"(12), section 4", "f⁽⁺⁾ = 0 in (12), f⁽⁻⁾ = 0 in section 4",
       "two choices; (29) is of the second"},
      {"(14)", "(ε/2) ‖λ̇‖²", "(ε/2) ‖λ‖², else ε λ + g = 0 of (15) does not follow"},
      {"(16)", "ε λ² under the integral", "(ε/2) λ², for its right side is h (ε/2) of the mean²"},
      {"(19)", "f_q = −Aᵀ α̇", "+ Aᵀ α̇, as (18) gives it: as γ α̇ = −A q̇, minus feeds energy"},
      {"(20)", "A₀ (α₁ − α₀)", "A₀ᵀ (α₁ − α₀)"},
      {"(25)", "λ̇ G q̇", "λ̇ᵀ G q̇"},
      {"before (27)", "ε and τ for i = 1 … m_n", "1 … m_h: they are of the holonomic rows"},
      {"(29)", "r = M v − h ∇V + h f⁽⁺⁾",
       "M v − h ∇V + h f: the f⁽±⁾ of (12) have their h already. α and λ are impulses"},
      {"section 4", "SPOCK", "SPOOK"}};
  return misprints;
}

}  // namespace ligament::papers
