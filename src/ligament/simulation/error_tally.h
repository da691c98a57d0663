// SPDX-License-Identifier: Apache-2.0
// Sums up the physics of the error over a run: which machine was really simulated. Names are made
// at the end: a warm step allocates nothing.
#pragma once

#include <vector>

#include "ligament/simulation/contact_tally.h"

namespace ligament {

class ErrorTally {
 public:
  explicit ErrorTally(const Workspace& work);

  void add_energy(const Energy& energy);
  void add_step(const StepReport& report, const Workspace& work, double h);
  void write_to(const Model& model, const Workspace& work, ErrorReport& out) const;

 private:
  // What a row of a joint or a control did in the steps that were not accurate.
  struct Row {
    double force = 0.0;  // [N] sum of |λ|/h
    double give = 0.0;   // [m] sum of what it gave way beyond what was asked for
    double most = 0.0;   // [m] largest of these
    double asked = 0.0;  // [m/N] compliance
    double fed = 0.0;    // [J]
    bool slips = false;  // ties velocities: its compliance is a slip
  };
  // A row that is the worst of a kind: of a joint, or of a contact, which has no rows to come.
  struct Culprit {
    int row = -1;
    ShapePair pair;
  };

  void add_rows(const Workspace& work, double h);
  void add_contacts(const StepReport& report, const Workspace& work, double h);
  static Culprit make_culprit(const Workspace& work, int row);
  std::string name(const Culprit& culprit, const Model& model, const Workspace& work) const;
  void write_softest(const Model& model, const Workspace& work, ErrorReport& out) const;

  std::vector<Row> rows_;
  double h_ = 0.0;
  double give_ = 0.0;
  long inaccurate_ = 0, rows_seen_ = 0, infeasible_ = 0, missed_ = 0;
  double fed_ = 0.0, fed_by_contact_ = 0.0;
  Culprit feeding_contact_;
  double missed_speed_ = 0.0;
  Culprit missed_worst_;
  double contact_give_ = 0.0, contact_excess_ = 0.0, contact_asked_ = 0.0;
  bool contact_slips_ = false;
  Culprit soft_contact_;
  CoulombError friction_;
  ShapePair friction_worst_;
  bool first_ = true;
  double kinetic_ = 0.0, low_ = 0.0, high_ = 0.0;  // [J] largest kinetic, range of potential
};

}  // namespace ligament
