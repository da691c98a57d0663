// SPDX-License-Identifier: Apache-2.0
// Events of a step: something closes, or stops sliding. They are zeros of functions of the length
// of a part: what the gap is, or the speed along the direction of sliding, at the end of a part
// that is taken with that length.
//
// A sliding contact stops where the speed along its first direction is zero at the end of the part.
// Up to there the mean velocity has this direction, so that friction is at its bound and need not
// be frozen.                                                                              [TR.10]
#pragma once

#include "ligament/steppers/trapezoidal/mean_velocity.h"

namespace ligament {

// Finds the events of a part of length h that was just taken.
void find_events(const Trapezoidal& method, const Model& model, const State& memory, double h,
                 Workspace& work);

// Where a part ends: which event, when, and which part of the impulses of the last solve that is.
struct Division {
  std::size_t event = 0;
  double h = 0.0;      // [s]
  double share = 1.0;  // 1 if it was taken with this length
};

// Finds the first event of a part that was taken with the span; the end of the part is then where
// it is. A solve that fails is in the report.
Division locate_event(const Trapezoidal& method, const Model& model, const StepSpan& span,
                      Workspace& work, StepReport& report);

// What bounded rows of joints and controls carry over, impulses times `scale`.
void remember_rows(double scale, const Workspace& work, State& state);

}  // namespace ligament
