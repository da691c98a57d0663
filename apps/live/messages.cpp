// SPDX-License-Identifier: Apache-2.0
#include "apps/live/messages.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/live/session.h"
#include "ligament/io/replay/machine_json.h"
#include "ligament/io/replay/packing.h"
#include "ligament/io/replay/replay.h"
#include "ligament/math/alternatives.h"
#include "ligament/version.h"

namespace ligament::apps {
namespace {

using Json = nlohmann::ordered_json;

template <class Variant>
Json names_of() {
  Json names = Json::array();
  for (const Variant& alternative : make_alternatives<Variant>())
    names.push_back(name_of(alternative));
  return names;
}

const Json& require(const Json& order, const char* key) {
  if (!order.is_object() || !order.contains(key))
    throw OrderError(fmt::format("\"{}\" is missing in the order", key));
  return order[key];
}

double to_number(const Json& value, const char* key) {
  const double number = value.is_number() ? value.get<double>() : std::nan("");
  // Beyond this nothing is a machine any more, and squares stay finite.
  if (!(std::abs(number) <= 1e12))
    throw OrderError(fmt::format("\"{}\" must be a number between -1e12 and 1e12", key));
  return number;
}

}  // namespace

Json to_json(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }

Json make_scene_json(const Scene& scene) {
  Bytes meshes;
  Json json{{"ligament", version_string},
            {"machine", make_machine_json(scene, meshes)},
            {"joint_numbers", joint_numbers},
            {"steppers", names_of<Stepper>()},
            {"solvers", names_of<Solver>()}};
  add_vocabulary(json);
  json["meshes"] = to_base64(meshes);
  return json;
}

Json make_frame_json(const ReplayFrame& frame, const FrameMeter& meter, int epoch) {
  Bytes bytes;
  append_raw(frame.poses, bytes);
  append_raw(frame.velocities, bytes);
  append_raw(frame.joints, bytes);
  append_raw(frame.controls, bytes);
  std::vector<float> numbers;
  for (const FrameContact& contact : frame.contacts) {
    const FrameMeter::Pair& pair = meter.contacts()[static_cast<std::size_t>(contact.id)];
    numbers.insert(numbers.end(),
                   {static_cast<float>(pair.a.value), static_cast<float>(pair.b.value)});
    numbers.insert(numbers.end(), contact.point.begin(), contact.point.end());
    numbers.insert(numbers.end(), contact.force.begin(), contact.force.end());
    numbers.push_back(contact.excess);
  }
  append_raw(numbers, bytes);
  const bool known = frame.worst >= 0;
  return {{"t", frame.t},
          {"step", frame.step},
          {"epoch", epoch},
          {"worst", known ? meter.rows()[static_cast<std::size_t>(frame.worst)] : std::string()},
          {"all_contacts", frame.all_contacts},
          {"values", frame.values},
          {"numbers", to_base64(bytes)}};
}

Json make_state_json(const Model& model, const State& state, long step) {
  Json json{{"t", state.t}, {"step", step}, {"bodies", Json::object()}};
  for (std::uint32_t i = 1; i < model.bodies().size(); ++i) {
    const Frame pose = compute_pose(model, state, BodyId{i});
    const Vec3 v = velocity_of(model, state, BodyId{i});
    json["bodies"][model.name(BodyId{i})] =
        Json::array({pose.p.x(), pose.p.y(), pose.p.z(), pose.R.w(), pose.R.x(), pose.R.y(),
                     pose.R.z(), v.x(), v.y(), v.z()});
  }
  return json;
}

std::string read_text(const Json& order, const char* key) {
  const Json& value = require(order, key);
  if (!value.is_string()) throw OrderError(fmt::format("\"{}\" must be a text", key));
  return value.get<std::string>();
}

double read_number(const Json& order, const char* key) {
  return to_number(require(order, key), key);
}

Vec3 read_vector(const Json& order, const char* key) {
  const Json& value = require(order, key);
  if (!value.is_array() || value.size() != 3)
    throw OrderError(fmt::format("\"{}\" must be an array of three numbers", key));
  return {to_number(value[0], key), to_number(value[1], key), to_number(value[2], key)};
}

BodyId read_body_id(const Model& model, const Json& order) {
  const std::string name = read_text(order, "body");
  if (const auto id = model.find_body(name)) return *id;
  throw OrderError(fmt::format("there is no body \"{}\"", name.substr(0, 100)));
}

ControlId read_control_id(const Model& model, const Json& order) {
  const std::string name = read_text(order, "control");
  if (const auto id = model.find_control(name)) return *id;
  throw OrderError(fmt::format("there is no control \"{}\"", name.substr(0, 100)));
}

}  // namespace ligament::apps
