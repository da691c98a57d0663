// SPDX-License-Identifier: Apache-2.0
// What a live simulation and its browsers say to each other, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "ligament/io/replay/frame.h"
#include "ligament/io/scene.h"

namespace ligament::apps {

nlohmann::ordered_json to_json(const Vec3& v);

// The machine, the words for its quantities, steppers and solvers: what a browser asks for first.
nlohmann::ordered_json make_scene_json(const Scene& scene);

// {"t", "step", "epoch", "worst", "all_contacts", "values": […], "numbers": base64 of poses,
// joints, controls, then contacts of eight floats, bodies a and b, point, force}.
nlohmann::ordered_json make_frame_json(const ReplayFrame& frame, const FrameMeter& meter,
                                       int epoch);

// {"t", "step", "bodies": {name: [x, y, z, qw, qx, qy, qz, vx, vy, vz]}}.
nlohmann::ordered_json make_state_json(const Model& model, const State& state, long step);

// Parts of an order. Throw OrderError naming the key and what would be right.
std::string read_text(const nlohmann::ordered_json& order, const char* key);
double read_number(const nlohmann::ordered_json& order, const char* key);  // finite
Vec3 read_vector(const nlohmann::ordered_json& order, const char* key);
BodyId read_body_id(const Model& model, const nlohmann::ordered_json& order);
ControlId read_control_id(const Model& model, const nlohmann::ordered_json& order);

}  // namespace ligament::apps
