// SPDX-License-Identifier: Apache-2.0
// Sums up the contacts of a run while it goes on, and says what no good run has: bodies deep in
// each other, forces that nothing in the scene explains, bodies that fly past others within a step.
// Names are made at the end: a warm step allocates nothing.
#pragma once

#include <string>
#include <vector>

#include "ligament/simulation/run.h"
#include "ligament/solvers/islands/islands.h"

namespace ligament {

// Two shapes that touch.
struct ShapePair {
  ShapeId a{}, b{};
  bool known = false;

  std::string name(const Model& model) const {
    return known ? name_of_contact(model, a, b) : std::string();
  }
};

// The contact that a row of the step problem belongs to, if it is one of a contact.
ShapePair find_contact(const ContactSet& contacts, int row);

class ContactTally {
 public:
  ContactTally(const Model& model, const Workspace& work);

  void add_step(const StepReport& report, const Model& model, const Workspace& work, double h);
  void write_to(const Model& model, double h, RunReport& out) const;

 private:
  void add_overlaps(const Workspace& work, double h);
  void add_presses(const Workspace& work, double h);
  void add_flights(const Model& model, const Workspace& work, double h);

  std::vector<double> sizes_;  // [m] by body: its farthest point from the centre, 0: no end
  double thinnest_ = 0.0;      // [m] smallest half size of all shapes

  int contacts_ = 0;
  double friction_error_ = 0.0;
  double penetration_ = 0.0;  // [m]
  ShapePair deepest_;
  double overlap_ = 0.0;  // largest share of the smaller half size
  double overlap_depth_ = 0.0;
  double overlap_force_ = 0.0;  // [N] with which they pressed, if that and compliance explain it
  ShapePair overlapping_;
  islands::Islands islands_;
  std::vector<double> available_;             // [N s] by island: all that could press in it
  double excess_ = 0.0, excess_force_ = 0.0;  // largest press over what could press; [N]
  ShapePair pressed_;
  double flight_ = 0.0;  // longest way in a step, in sizes of the body
  BodyId flying_{};
  ShapePair raised_;  // whose rows were too stiff
};

}  // namespace ligament
