// SPDX-License-Identifier: Apache-2.0
// Bricard's trihedral six-bar with equal links: six links of length one, hinges across both links
// that they join, neighbouring axes perpendicular. By counting freedoms it cannot move; it can.
//
// In the pose u = w = 0 the links run along edges of a cube, x, −y, z, −x, y and, the ground, −z
// from (0, 0, 1) back to the origin; the axes of the hinges, from the origin on, are y, z, x, y, z,
// x. By its threefold symmetry hinges 0, 2, 4 turn by the same angle u and hinges 1, 3, 5 by w,
// with
//
//     (1 + sin u)(1 + sin w) = 1.
//
// Y. Chen, Z. You, T. Tarnai, Threefold-symmetric Bricard linkages for deployable structures, Int.
// J. Solids Struct. 42 (2005), for a twist of 90°, where their angles are measured between links in
// line.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "ligament/math/types.h"

namespace ligament::analytic {

struct BricardAngles {
  double u = 0.0, w = 0.0;  // [rad]
};

struct BricardPose {
  std::array<Vec3, 6> hinge;  // [m] the first at the origin; the last on the ground if it closes
  std::array<Vec3, 6> axis;
  std::array<Mat3, 5> turn;  // of the links 1 … 5, from their pose in the cube
};

inline BricardPose compute_bricard_pose(const BricardAngles& angles) {
  using V = Vec3;
  const std::array links{V(1, 0, 0), V(0, -1, 0), V(0, 0, 1), V(-1, 0, 0), V(0, 1, 0)};
  const std::array axes{V(0, 1, 0), V(0, 0, 1), V(1, 0, 0), V(0, 1, 0), V(0, 0, 1), V(1, 0, 0)};
  BricardPose pose;
  Mat3 R = Mat3::Identity();
  Vec3 p = Vec3::Zero();
  for (std::size_t i = 0; i < 5; ++i) {
    pose.hinge[i] = p;
    pose.axis[i] = R * axes[i];
    R = R * Eigen::AngleAxisd(i % 2 == 0 ? angles.u : angles.w, axes[i]).toRotationMatrix();
    pose.turn[i] = R;
    p += R * links[i];
  }
  pose.hinge[5] = p;
  pose.axis[5] = R * axes[5];
  return pose;
}

// The motion through u = w = 0 with a parameter s that has no singular point on it,
//     du/ds = (1 + sin u) cos w,   dw/ds = −(1 + sin w) cos u,
// integrated by Runge and Kutta's fourth order in steps of a thousandth or so: good to 1e-12.
inline BricardAngles compute_bricard_angles(double s) {
  const auto rate = [](const BricardAngles& a) -> BricardAngles {
    return {(1.0 + std::sin(a.u)) * std::cos(a.w), -(1.0 + std::sin(a.w)) * std::cos(a.u)};
  };
  const auto move = [](const BricardAngles& a, const BricardAngles& by, double h) -> BricardAngles {
    return {a.u + h * by.u, a.w + h * by.w};
  };
  const int steps = 1 + static_cast<int>(std::abs(s) / 1e-3);
  const double h = s / steps;
  BricardAngles a;
  for (int i = 0; i < steps; ++i) {
    const BricardAngles k1 = rate(a), k2 = rate(move(a, k1, 0.5 * h));
    const BricardAngles k3 = rate(move(a, k2, 0.5 * h)), k4 = rate(move(a, k3, h));
    a.u += h / 6.0 * (k1.u + 2 * k2.u + 2 * k3.u + k4.u);
    a.w += h / 6.0 * (k1.w + 2 * k2.w + 2 * k3.w + k4.w);
  }
  return a;
}

// Kinetic energy ½ m(s) ṡ² and potential energy V(s) of the five links, each of unit mass with the
// moment `across` about the axes across it [kg m²] and `along` about its own, under gravity −g y.
struct BricardEnergy {
  double m, V;
};

inline BricardEnergy compute_bricard_energy(double s, double g, double across, double along) {
  const double ds = 1e-4;
  const BricardPose before = compute_bricard_pose(compute_bricard_angles(s - ds));
  const BricardPose here = compute_bricard_pose(compute_bricard_angles(s));
  const BricardPose after = compute_bricard_pose(compute_bricard_angles(s + ds));
  BricardEnergy energy{0.0, 0.0};
  for (std::size_t i = 0; i < 5; ++i) {
    const auto centre = [&](const BricardPose& pose) -> Vec3 {
      return 0.5 * (pose.hinge[i] + pose.hinge[i + 1]);
    };
    const Vec3 v = (centre(after) - centre(before)) / (2 * ds);
    const Mat3 W = (after.turn[i] - before.turn[i]) / (2 * ds) * here.turn[i].transpose();
    const Vec3 w = 0.5 * Vec3(W(2, 1) - W(1, 2), W(0, 2) - W(2, 0), W(1, 0) - W(0, 1));
    const double axial = w.dot(here.hinge[i + 1] - here.hinge[i]);
    energy.m +=
        v.squaredNorm() + across * (w.squaredNorm() - axial * axial) + along * axial * axial;
    energy.V += g * centre(here).y();
  }
  return energy;
}

// The time from rest at s = 0 to rest at the other end [s]: ∫ ds √(m/(2 (V(0) − V))) with
// s = s₁ (1 − cos φ)/2, which takes the roots at the ends away; midpoint rule in φ. The end s₁,
// where V(s₁) = V(0), on the side to which the links fall, goes into *end.
inline double compute_bricard_swing(double g, double across, double along, double* end) {
  const auto energy = [&](double s) { return compute_bricard_energy(s, g, across, along); };
  const double start = energy(0.0).V;
  const double side = energy(1e-3).V < start ? 1.0 : -1.0;
  double low = 0.05;
  while (energy(side * (low + 0.05)).V < start) low += 0.05;
  double high = low + 0.05;
  for (int i = 0; i < 50; ++i) {
    const double middle = 0.5 * (low + high);
    (energy(side * middle).V < start ? low : high) = middle;
  }
  const double s1 = 0.5 * (low + high);
  const int nodes = 200;
  double time = 0.0;
  for (int i = 0; i < nodes; ++i) {
    const double phi = std::numbers::pi * (i + 0.5) / nodes, s = 0.5 * s1 * (1.0 - std::cos(phi));
    const BricardEnergy e = energy(side * s);
    time +=
        0.5 * s1 * std::sin(phi) * std::sqrt(0.5 * e.m / (start - e.V)) * std::numbers::pi / nodes;
  }
  *end = side * s1;
  return time;
}

}  // namespace ligament::analytic
