// SPDX-License-Identifier: Apache-2.0
// The customary residual of friction problems, without a unit: how far impulses are from the
// nearest ones that the laws admit, ‖r/s‖/‖λ‖ = ‖λ − P_K(λ − w/s)‖/‖λ‖ with r and s of [WA.4].
//
// It says how well the laws hold and not how far the velocities are off: for that there is
// velocity_error.h.
#pragma once

#include "ligament/problem/step_problem.h"

namespace ligament {

double compute_relative_residual(const StepProblem& problem, const StepSolution& solution);

}  // namespace ligament
