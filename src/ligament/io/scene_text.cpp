// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/scene_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

namespace ligament {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }

// Braces in names stand for expressions, and are doubled where they are meant.
std::string escape(const std::string& name) {
  std::string out;
  for (const char c : name) {
    out += c;
    if (c == '{' || c == '}') out += c;
  }
  return out;
}

Json body_to_json(const Model& model, BodyId id) {
  const Body& body = model.body(id);
  if (body.kind != BodyKind::particle)
    throw std::invalid_argument(fmt::format("body \"{}\" is {}: only particles are written",
                                            model.name(id), name_of(body.kind)));
  const State& state = model.initial_state();
  Json out{{"name", escape(model.name(id))},
           {"kind", "particle"},
           {"mass", body.mass},
           {"position", to_json(state.q.segment<3>(body.q_offset))}};
  const Vec3 velocity = state.v.segment<3>(body.v_offset);
  if (!velocity.isZero(0.0)) out["velocity"] = to_json(velocity);
  if (!body.force.isZero(0.0)) out["force"] = to_json(body.force);
  return out;
}

Json joint_to_json(const Model& model, JointId id) {
  const Joint& joint = model.joint(id);
  Json out{{"type", name_of(joint.kind)}};
  if (!model.name(id).empty()) out["name"] = escape(model.name(id));
  if (joint.a != world) out["a"] = escape(model.name(joint.a));
  if (joint.b != world) out["b"] = escape(model.name(joint.b));
  const auto end = [&](const char* key, BodyId body, const Frame& frame) {
    if (body == world) out[key] = to_json(frame.p);
  };
  switch (joint.kind) {
    case JointKind::ball:
      if (joint.a != world) break;
      out["point"] = to_json(joint.frame_a.p);
      return out;
    case JointKind::distance:
    case JointKind::rope:
    case JointKind::spring:
      end("point_a", joint.a, joint.frame_a);
      end("point_b", joint.b, joint.frame_b);
      out["length"] = joint.length;
      if (joint.kind == JointKind::spring) {
        const Rate& rate = model.rates()[static_cast<std::size_t>(joint.rates)];
        out["stiffness"] = rate.stiffness;
        out["damping"] = rate.damping;
      } else {
        out["compliance"] = joint.relaxation.compliance;
        if (joint.relaxation.damping_time) out["damping_time"] = *joint.relaxation.damping_time;
      }
      return out;
    default: break;
  }
  throw std::invalid_argument(fmt::format(
      "joint \"{}\": ball joints to the world, distances, ropes and springs are written, and no {} "
      "joints",
      model.name(id), name_of(joint.kind)));
}

// An element a line.
std::string join(const std::vector<Json>& elements) {
  std::string text = "[";
  for (std::size_t i = 0; i < elements.size(); ++i)
    text += fmt::format("{}\n    {}", i == 0 ? "" : ",",
                        elements[i].dump(-1, ' ', false, Json::error_handler_t::replace));
  return text + (elements.empty() ? "]" : "\n  ]");
}

}  // namespace

std::string make_scene_text(const SceneText& scene) {
  const Model& model = scene.model;
  std::vector<Json> bodies, joints;
  for (std::uint32_t i = 1; i < model.bodies().size(); ++i)
    bodies.push_back(body_to_json(model, BodyId{i}));
  for (std::uint32_t i = 0; i < model.joints().size(); ++i)
    joints.push_back(joint_to_json(model, JointId{i}));
  const auto dump = [](const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  return fmt::format(
      "{{\n  \"ligament\": 1,\n  \"name\": {},\n  \"description\": {},\n  \"gravity\": {},\n"
      "  \"bodies\": {},\n  \"joints\": {},\n  \"stepper\": {},\n  \"run\": {}\n}}\n",
      dump(escape(scene.name)), dump(scene.description), dump(to_json(model.gravity())),
      join(bodies), join(joints), dump({{"type", "impulse"}, {"h", scene.h}}),
      dump({{"steps", scene.steps}}));
}

}  // namespace ligament
