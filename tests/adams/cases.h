// SPDX-License-Identifier: Apache-2.0
// The machines of the ADAMS cases: one body of 1 kg, tied to the world, that starts at rest (the
// plates of the linear actuators start at their speed). Each is built twice: as a model of Ligament
// and as a TiedBody for an independent algorithm.
//
// What the decks adams_models/*.adm and the data say:
//
//   gravity   9.80665 m/s² along −z
//   body      centre 2 m from the joint; moments 0.04, 0.1, 0.1 kg m² along its axes, the small one
//             along the bar (RevSpherical: y is along the bar, Universal: z, plates: 1, 1, 1)
//   reaction  what the joint exerts on the ground, in world axes, about the ground's marker, the
//             point of the joint that stays: marker I of the JOINT is on the ground, and the
//             REQUEST is JOINT(1,0,…,0), at I and in the global frame. A spring on the joint is
//             part of it. (RforceA of the actuators: what the actuator exerts on the plate.)
//
// The decks of the springs do not have the constants of the data; those here are of Chrono's tests,
// and the accelerations in the files agree with them.
//
// Not here: TranSpringCB_Case03 and 04, whose springs have a quadratic term over both signs, which
// no force element of ours has; TranSpringCB_Case01 and 02, whose files are those of TranSpring;
// and RackPinion_Case01, which has a deck but no data.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "adams/tied_body.h"
#include "ligament/ligament.h"

namespace ligament::adams {

constexpr double gravity = 9.80665;  // [m/s²]

// A control acts along a fixed axis of the world: on body b with force · its axis.
struct ControlPart {
  ControlId control{};
  Vec3 force_axis = Vec3::Zero();
  Vec3 torque_axis = Vec3::Zero();
};

enum class Side : unsigned char { ground, body };

// What the files of one reaction hold: the sum of what some joints and controls exert.
struct Reaction {
  std::string suffix{};       // of the files Rforce… and Rtorque…
  Vec3 point = Vec3::Zero();  // [m] world, about which the torque is taken
  std::vector<JointId> joints{};
  std::vector<ControlPart> controls{};
  Side side = Side::ground;
};

struct Machine {
  Model model;
  BodyId body{};
  std::vector<Reaction> reactions{};
  TiedBody twin{};
};

struct Case {
  std::string name, folder;
  std::function<Machine()> make;
  // The step at which position errors are asked to be below 1e-4 of the motion. 1e-3 s, but
  //   5e-5 s and light damping of the rows for whips: bars on a rod or on a hinged link that get
  //   ahead of it and are jerked round in milliseconds, with 40 to 280 times their weight.
  double h = 1e-3;         // [s]
  double coarsest = 1e-2;  // [s] the order is that of the errors at this step, half and a quarter
  double damping_steps = 2.0;  // of Spook
  double file_error = 1e-5;    // of the motion's size: what is wrong with the file itself
  int twin_steps = 10;         // of the twin in 0.01 s
  double whip_time = 5.0;      // [s] before the first whip, whips only
};

// For the messages of GoogleTest.
inline void PrintTo(const Case& tested, std::ostream* out) { *out << tested.name; }

const std::vector<Case>& all_cases();

// Force and torque of a reaction over the step that led to the sample.
JointLoad compute_reaction(const Sample& sample, const Machine& machine, const Reaction& reaction);

}  // namespace ligament::adams
