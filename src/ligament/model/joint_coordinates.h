// SPDX-License-Identifier: Apache-2.0
// What a joint leaves free, as numbers: angles that count turns, slides and lengths.
//
// With frame b of the joint seen from frame a, d its origin and (q₀, q) its attitude:      [JO.12]
//
//   angle            2 atan2(q_z, q₀), the turn of x_b against x_a about the common z axis
//   slide            z·d; slide_x, slide_y: x·d and y·d
//   angle_a, angle_b universal: turn of z_b about z_a, turn of body b about z_b
//   length           |d|
#pragma once

#include <span>

#include "ligament/model/model.h"

namespace ligament {

enum class Coordinate : unsigned char { angle, slide, slide_x, slide_y, angle_a, angle_b, length };

const char* name_of(Coordinate coordinate);
bool is_angle(Coordinate coordinate);

// The coordinates of a kind of joint, in the order in which State::s has them.
std::span<const Coordinate> coordinates_of(JointKind kind);

// state.s at the pose of the state. Each angle takes the turn that is nearest to its value before,
// so that it counts turns as long as a joint turns less than half a turn between two calls.
void update_joint_coordinates(const Model& model, State& state);

}  // namespace ligament
