// SPDX-License-Identifier: Apache-2.0
// What acts on joint coordinates: motors, servos, prescribed motions, limits, dry friction, locks.
//
// A control acts on one coordinate of a joint, or on a weighted sum of coordinates of several
// joints: a lock on a sum is a gear, a rack and pinion, a differential. Each is one row. Forces are
// those along the sum: N for metres, N m for radians.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ligament/math/time_function.h"
#include "ligament/model/ids.h"

namespace ligament {

// factor × coordinate `index` of the joint (in the order of coordinates_of its kind).
struct Term {
  JointId joint{};
  int index = 0;
  double factor = 1.0;
};

// A joint coordinate, or a sum Σ factor · coordinate.
struct CoordinateSum {
  std::vector<Term> terms;

  CoordinateSum() = default;
  CoordinateSum(JointId joint, int index = 0) : terms{{joint, index, 1.0}} {}
  CoordinateSum(std::vector<Term> sum) : terms(std::move(sum)) {}
};

constexpr double unlimited = std::numeric_limits<double>::infinity();

// Drives at a speed, as far as its force suffices.
struct Motor {
  std::string name{};
  CoordinateSum on{};
  TimeFunction speed{};          // [m/s, rad/s]
  double max_force = unlimited;  // [N, N m] ≥ 0
  double inverse_drag = 1e-8;    // [m/(N s)] slip of the drive per force, ≥ 0
};

// Drives to a position by a spring and a damper: also a torsional spring.
struct Servo {
  std::string name{};
  CoordinateSum on{};
  TimeFunction target{};            // [m, rad]
  double stiffness = 1e4;           // [N/m, N m/rad] > 0
  std::optional<double> damping{};  // [N s/m, N m s/rad] ≥ 0; unset: the stepper's damping time
  double max_force = unlimited;     // [N, N m] ≥ 0
};

// Prescribes a position as a function of time, whatever force that takes.
struct Motion {
  std::string name{};
  CoordinateSum on{};
  TimeFunction target{};                 // [m, rad]
  double compliance = 1e-8;              // [m/N] ≥ 0
  std::optional<double> damping_time{};  // [s] ≥ 0
};

// Keeps a coordinate between bounds.
struct Limit {
  std::string name{};
  CoordinateSum on{};
  std::optional<double> lower{}, upper{};  // [m, rad], at least one
  double compliance = 1e-8;                // [m/N] ≥ 0, of the stop
  std::optional<double> damping_time{};    // [s] ≥ 0
  double restitution = 0.0;                // 0 … 1: part of the speed that a hit gives back
};

// Dry friction with a given bound.
struct Friction {
  std::string name{};
  CoordinateSum on{};
  double max_force = 0.0;      // [N, N m] ≥ 0
  double inverse_drag = 1e-8;  // [m/(N s)] creep per force while it sticks, ≥ 0
};

// Keeps a coordinate, or a sum of them, where it is.
struct Lock {
  std::string name{};
  CoordinateSum on{};
  std::optional<double> value{};  // [m, rad]; unset: that of the initial pose
  double compliance = 1e-8;       // [m/N] ≥ 0
  std::optional<double> damping_time{};
};

using ControlSpec = std::variant<Motor, Servo, Motion, Limit, Friction, Lock>;

// The turn of `driven` is `ratio` times the turn of `driving`; negative for wheels that mesh on
// the outside.
inline Lock make_gear(std::string name, JointId driving, JointId driven, double ratio) {
  return {.name = std::move(name), .on = {{{driven, 0, 1.0}, {driving, 0, -ratio}}}};
}

// The rack, a prismatic joint, slides by `radius` times the turn of the pinion, a hinge.
inline Lock make_rack_and_pinion(std::string name, JointId pinion, JointId rack, double radius) {
  return {.name = std::move(name), .on = {{{rack, 0, 1.0}, {pinion, 0, -radius}}}};
}

enum class ControlKind : unsigned char { motor, servo, motion, limit, friction, lock };

constexpr int control_kinds = static_cast<int>(ControlKind::lock) + 1;

const char* name_of(ControlKind kind);

struct Control {
  ControlKind kind = ControlKind::motor;
  int first_term = 0, terms = 0;  // in Model::terms()
  TimeFunction target{};          // position, or speed of a motor; the value of a lock
  double lower = -unlimited, upper = unlimited;
  double max_force = unlimited;
  double compliance = 0.0;     // [m/N]; inverse drag [m/(N s)] of motors and friction
  double damping_time = -1.0;  // [s]; negative: the stepper's default
  double restitution = 0.0;
};

}  // namespace ligament
