// SPDX-License-Identifier: Apache-2.0
#include "papers/catalogue.h"

namespace ligament::papers {

std::span<const Paper> all_papers() {
  static const Paper papers[] = {
      {.name = "relaxed-2005",
       .reference = "C. Lacoursière: A regularized time stepper for multibody systems, 2005",
       .summary = "Constraints as springs with damping, taken at the end of the step and "
                  "linearized: stable at any stiffness up to the rigid limit.",
       .experiments = relaxed_2005(),
       .misprints = relaxed_2005_misprints()},
      {.name = "spook-2007",
       .reference =
           "C. Lacoursière: Regularized, stabilized, variational methods for multibodies, 2007",
       .summary = "The same physics from a discrete variational principle, with constraints at "
                  "the midpoint: one sparse linear system a step.",
       .experiments = spook_2007(),
       .misprints = spook_2007_misprints()},
      {.name = "vi-2011",
       .reference = "T. Preclik, C. Popa, U. Rüde: Regularizing a time-stepping method for rigid "
                    "multibody dynamics, 2011",
       .summary = "Contact forces that are not unique made so: springs of vanishing compliance "
                  "choose the weighted solution of least norm.",
       .experiments = vi_2011(),
       .misprints = vi_2011_misprints()},
      {.name = "impulse-2005",
       .reference = "A. Schmitt, J. Bender, H. Prautzsch: On the convergence and correctness of "
                    "impulse-based dynamic simulation, 2005",
       .summary = "Impulses at the start of the step that make the joints hold at its end: no "
                  "drift, and second order.",
       .experiments = impulse_2005(),
       .misprints = impulse_2005_misprints()},
      {.name = "trapezoidal-2004",
       .reference = "F. Potra, M. Anitescu, B. Gavrea, J. Trinkle: A linearly implicit trapezoidal "
                    "method for integrating stiff multibody dynamics with contact, joints, and "
                    "friction, 2004",
       .summary = "The trapezoidal rule, linearized once a step and coupled with contact and "
                  "friction: second order, stable for stiff forces.",
       .experiments = trapezoidal_2004(),
       .misprints = trapezoidal_2004_misprints()},
  };
  return papers;
}

}  // namespace ligament::papers
