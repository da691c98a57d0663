// SPDX-License-Identifier: Apache-2.0
// What is printed otherwise than it must be, where no experiment tells it.
#include "papers/catalogue.h"

namespace ligament::papers {

std::span<const Misprint> relaxed_2005_misprints() {
  static const Misprint misprints[] = {
      {"(2.1)", "a + at the end of entry (1, 2); (2 e₀ − 1) + 2 e₂² in entry (2, 2)",
       "2 (e₁ e₂ − e₀ e₃); (2 e₀² − 1) + 2 e₂², else R is no rotation"},
      {"(2.2), (2.3)", "v = T q̇",
       "q̇ = T v, as in (2.5): T makes the four rates of a quaternion of three velocities"},
      {"(2.2)", "T̃ with rows e₀ −e₃ e₂; e₃ e₀ −e₁; −e₂ e₁ −e₀ below the first",
       "rows e₀ e₃ −e₂; −e₃ e₀ e₁; e₂ −e₁ e₀ for the angular velocity in the axes of the world, "
       "of which the text speaks. The printed ones are for the axes of the body, where the last "
       "entry is +e₀"},
      {"section 2.5", "L = K − U − λᵀ Φ", "+ λᵀ Φ, for (2.6) has the force + Gᵀ λ"},
      {"after (2.10)", "β̄ is the lower and β̲ the upper bound",
       "the other way round, as in (2.10) itself"},
      {"(2.12)", "T ∂L/∂qᵀ", "Tᵀ ∂L/∂qᵀ, as in (2.5)"},
      {"section 3.2", "ρ = B⁻¹ (J v − w₀)", "−B⁻¹ (J v − w₀), as B ρ in (3.4)"},
      {"section 3.3", "|Φ| ≈ ‖C‖", "|Φᵢ| ≈ cᵢ |λᵢ|, by (3.2): a compliance is no length"},
      {"section 3.3, before (4.3)", "δ β, δ ρ", "B β, B ρ"},
      {"(4.1)", "M v⁺ − Gᵀ λ = F_M", "M v⁺ − h Gᵀ λ = M v + h F_M, as (4.2) has it"},
      {"after (4.2)", "similar to RATTLE",
       "it is SHAKE made linear, as the section says before: nothing corrects the velocities"},
      {"before (4.4)", "b is an inverse drag in section 3 and for friction, but c b/h a number",
       "b is a drag where it stands beside c, and the factors are c h⁻² (1 + c b/h)⁻¹ and "
       "h⁻¹ (1 + c b/h)⁻¹, with other parentheses than for the joints: only so does (5.5) give "
       "back what was put in"},
      {"before (4.4)", "F_e = Tᵀ ∂U_e/∂qᵀ + F_M", "− Tᵀ ∂U_e/∂qᵀ, as in section 2.4"},
      {"(4.4)", "bounds of β", "the unknowns are impulses: a bound of a force is times h"},
      {"section 6.1", "force −(1/c) G Φ", "−(1/c) Gᵀ Φ, as in (3.1)"},
      {"section 6.2", "figure 6.2 shows the load", "figure 6.13 does"}};
  return misprints;
}

}  // namespace ligament::papers
