// SPDX-License-Identifier: Apache-2.0
// The triple pendulum of the tables in the step of the paper, written out, with rods as rows of
// |A|²/2: for forces and for compositions that the engine does not offer. Steps may go backwards.
#pragma once

#include <Eigen/Dense>

#include "papers/impulse_2005/machines.h"

namespace ligament::papers::impulse {

enum class Forcing : unsigned char {
  kicks,           // half of a force before the flight, half after it
  frozen,          // the force of the start for the whole flight
  crank_nicolson,  // half of the drag before and half after, with the rods
  decay            // the same by exponentials, then back to the rods
};

struct Forces {
  double stiffness = 0.0;  // [N/m] from the last mass to a peg at (1, −2, 0)
  double drag = 0.0;       // [N s/m] on each mass
};

class WrittenChain {
 public:
  using Vec9 = Eigen::Matrix<double, 9, 1>;

  explicit WrittenChain(const Machine& triple_pendulum, const Forces& forces = {});

  Vec9 x, v;

  // Returns the passes of Newton's method until rods are right to 1e-13 m.
  int step(double h, Forcing rule = Forcing::kicks);
  // Accelerations with the forces of the rods, for a method of high order.
  void step_by_runge_kutta(double h);

 private:
  using Rows = Eigen::Matrix<double, 3, 9>;

  static Vec3 find_rod(const Vec9& at, int k);
  static Rows find_rows(const Vec9& at);
  Vec9 accelerate(const Vec9& at) const;
  Vec9 compute_correction(const Vec9& w, const Vec9& W) const;
  int fly(double h, const Vec9& a);
  void brake(Forcing rule, double time);

  Forces forces_;
  Vec9 W_, fall_;  // 1/m of each coordinate; gravity
  Vec3 lengths_;
};

}  // namespace ligament::papers::impulse
