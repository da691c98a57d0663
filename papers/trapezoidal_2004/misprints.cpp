// SPDX-License-Identifier: Apache-2.0
// What is printed otherwise than it must be, where no experiment tells it.
#include "papers/catalogue.h"

namespace ligament::papers {

std::span<const Misprint> trapezoidal_2004_misprints() {
  static const Misprint misprints[] = {
      {"(3.9), (3.10)", "radii 2 α σ/(1 ± √(1 − 2 κ))",
       "2 α/(1 ± √(1 − 2 κ)): α of (3.5) has σ in it already"},
      {"section 4", "D̄ is d × s", "s × d, as it stands before β̄ of d entries"},
      {"(5.10)", "second block of slacks c̃",
       "σ̃; and ρ̃, σ̃ have lost the ½ of (5.6), (5.7), which "
       "scales λ and nothing else"},
      {"section 6.2, pointed cone", "c_n − eᵀ β ≥ 0", "μ c_n − eᵀ β ≥ 0, as in (9.10)"},
      {"section 7, step 4", "q̄ = h (v + v̄)/2; v^(l=1); β̃ˣ twice",
       "q̄ = q + h (v + v̄)/2; v^(l+1); c̃_nˣ, β̃ˣ"},
      {"section 7, collisions", "of all contacts",
       "of those that are not active: on a hollow surface an active one would collide in each "
       "step. That the step goes on at 3 and not at 2 is meant: the contact that was hit stays "
       "active"},
      {"after (8.4)", "Dᵀ (v⁺ + v) β = −λ μ c_n", "−2 λ μ c_n with the λ of (5.7): same sign"},
      {"theorem 8.1", "max{v₀ᵀ M v₀, ‖q₀‖ + 1} e^(c t), c = ½ c₉",
       "max{v₀ᵀ M v₀, (‖q₀‖ + 1)²} e^(2 c t), c = 2 c₉: the proof bounds the root, and the norm of "
       "its matrix is 1 + 2 c₉ h"},
      {"(9.3)", "sum over i of δ_j", "over j"},
      {"(9.6)", "rows of φ^(j), j ≤ n_δ", "of φ^(i), i ≤ n_γ, and of ψ^(j), j ≤ n_δ"},
      {"theorem 9.1", "one sum twice; in the proof a norm is added",
       "the sum once; the square of the norm in the metric M of (h/4) M⁻¹ (k₂ + k₂)"},
      {"before (9.12)", "γ + h δ in the last entries of c_δγ", "(h/2) γ + δ in all"},
      {"(9.12)", "M − h F", "M − (h/2) F, as in (9.6)"},
      {"(9.14)", "h δ", "(h/2) δ, which changes nothing"},
      {"section 6", "the unique cubic interpolant of q",
       "a quadratic: its cubic part 2 (q − q⁺) + h (v + v⁺) vanishes in this scheme. Section 10 "
       "interpolates Φ, by a cubic"}};
  return misprints;
}

}  // namespace ligament::papers
