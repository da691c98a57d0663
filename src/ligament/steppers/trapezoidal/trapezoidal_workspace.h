// SPDX-License-Identifier: Apache-2.0
// What the trapezoidal stepper keeps: scratch memory, and what happened in the last step.
#pragma once

#include <vector>

#include "ligament/constraints/contact_rows.h"
#include "ligament/model/state.h"
#include "ligament/steppers/impact.h"
#include "ligament/steppers/trapezoidal/event_time.h"
#include "ligament/steppers/trapezoidal/gaps.h"

namespace ligament {

// One gap that took part in an impact and was closing before it.
struct ImpactRecord {
  double t = 0.0;  // [s]
  GapKey key;
  double speed_before = 0.0, speed_after = 0.0;  // [m/s, rad/s] ġ, < 0 and ≥ 0
  double energy_after = 0.0;                     // [J] as of compute_energy
};

// Something that reaches zero within the part of a step at hand: a gap that closes, or a speed of
// sliding.
struct StepEvent {
  GapKey key;                              // of what closes or slides
  int slip_row = -1;                       // first row of what slides, −1: a gap
  int slip_rows = 0;                       // 1 or 2
  Eigen::Vector2d direction = {1.0, 0.0};  // of sliding at the start
  double scale = 1.0;                      // of its values [m, m/s]
  double end = 0.0;                        // value at the end of the part, < 0
  DownwardRoot root{.from = 0.0, .value_from = 1.0, .at = 1.0};  // where, as parts of it
};

struct TrapezoidalWorkspace {
  std::vector<ImpactRecord> impacts;  // of the last step, in their order

  State now, end;   // start and end of the part of the step at hand
  State predicted;  // where its rows are
  GapScan start_scan, end_scan;
  std::vector<GapKey> hit;             // that collided in this nominal step
  std::vector<GapKey> stopped;         // whose sliding ended in it
  VecX mean;                           // (columns) velocity that carried the bodies over the part
  VecX row_impulse;                    // (rows of constraints) of the whole step [N s]
  std::vector<ContactRows> kept_rows;  // of the last problem of the step, while another is solved
  VecX kept_lambda;
  StepSolution projection;        // displacements of drift control
  VecX rest_g, rest_speed;        // (rows of constraints) where stiff springs come to rest  [TR.12]
  bool rests = false;             // whether these are those of the step
  VecX first_g;                   // (rows of constraints) g at the start of the step
  VecX start_speed, end_speed;    // (rows) ġ at both ends of the part, in the rows of its problem
  std::vector<StepEvent> events;  // of the part
  VecX give, fed;                 // (rows of constraints) as of ErrorMap, of all parts of the step
};

}  // namespace ligament
