// SPDX-License-Identifier: Apache-2.0
// The physics of the error of a step that is divided: what each part left unsolved, gathered.
//
// Residuals, gives and speeds are the worst of all parts, counts and works their sums: of a part of
// which a share is taken, that share of its work. Rows of joints are the same in every part. Those
// of contacts are not: a worst contact of an earlier part keeps its numbers and loses its row.
#pragma once

#include "ligament/steppers/stepper.h"
#include "ligament/steppers/workspace.h"

namespace ligament {

class PartErrors {
 public:
  // Before the first part of a step. `work` keeps the memory.
  explicit PartErrors(Workspace& work);

  // A part whose problem was solved for the time h, and of which the share is taken.
  void add(double h, double share);
  // Rows of contacts are built anew.
  void forget_contacts();
  // After measure(): the parts instead of the last of them.
  void write_to(StepReport& report);

 private:
  void add_rows(double share);

  Workspace& work_;
  StepError sum_;
  double residual_ = 0.0;  // [m/s] worst of all parts
  int worst_row_ = -1;
  double injected_ = 0.0;      // [J]
  bool accurate_ = true;       // every part was
  bool exact_ = true;          // to rounding
  bool last_is_exact_ = true;  // the map of the workspace is not of the last part
  bool any_ = false;
};

}  // namespace ligament
