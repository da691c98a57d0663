// SPDX-License-Identifier: Apache-2.0
// One rigid body tied to the ground, by another algorithm than Ligament's: the truth behind the
// cases that have no closed form, and the judge of the ADAMS files.
//
// Problem   m a = f + F,  I α + ω × I ω = t + T,  rows J (a, α) + γ = 0: the second derivatives of
//           the constraints, by d'Alembert's principle (F, T) = Jᵀ λ.
// Scheme    accelerations from the Schur complement J M⁻¹ Jᵀ, time by Runge and Kutta's method of
//           order four. No compliance, no damping, no stabilization: the constraints drift by the
//           error of the method.
// Reference e.g. Haug, Computer-Aided Kinematics and Dynamics, 1989, section 11.3.
#pragma once

#include <functional>
#include <vector>

#include "ligament/math/types.h"
#include "ligament/measure/joint_measures.h"

namespace ligament::adams {

struct BodyMotion {
  Vec3 x = Vec3::Zero(), v = Vec3::Zero();  // [m, m/s] of the centre
  Quat R = Quat::Identity();
  Vec3 w = Vec3::Zero();  // [rad/s] world axes
};

struct TiedBody {
  // A point of the body may not accelerate along `along`, fixed in the world.
  struct Slot {
    Vec3 on_body, along;
  };
  // A point of the body keeps its distance to a point of the ground.
  struct Rod {
    Vec3 on_body, on_ground;
  };
  // A direction of the body keeps its angle with a direction of the ground.
  struct Angle {
    Vec3 of_body, of_ground;
  };
  using Wrench =
      std::function<JointLoad(const BodyMotion&)>;  // world axes, torque about the centre

  double mass = 1.0;                   // [kg]
  Vec3 moments = Vec3::Ones();         // [kg m²] along the body's axes
  Vec3 gravity = Vec3::Zero();         // [m/s²]
  Vec3 reaction_point = Vec3::Zero();  // [m] world
  BodyMotion start{};
  std::vector<Slot> slots{};
  std::vector<Rod> rods{};
  std::vector<Angle> angles{};
  Wrench spring{};  // counts as part of the reaction

  void tie_point(const Vec3& on_body, const std::vector<Vec3>& directions) {
    for (const Vec3& along : directions) slots.push_back({on_body, along});
  }
};

struct BodySample {
  BodyMotion motion;
  JointLoad reaction;  // on the ground, in world axes, about the reaction point
};

// At 0, every, 2 every, … with `steps` steps between two samples.
std::vector<BodySample> integrate(const TiedBody& body, double every, long samples, int steps);

}  // namespace ligament::adams
