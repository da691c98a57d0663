// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include "ligament/io/elements.h"
#include "ligament/io/fields.h"
#include "ligament/model/joint_coordinates.h"

namespace ligament {
namespace {

// What one control acts on, and how.
class ControlReader {
 public:
  ControlReader(Reader& reader, const Fields& fields, const JointTable& joints)
      : reader_(reader), fields_(fields), joints_(joints) {}

  ControlSpec read(ControlType type) const {
    switch (type) {
      case ControlType::motor: return read_motor();
      case ControlType::servo: return read_servo();
      case ControlType::motion: return read_motion();
      case ControlType::limit: return read_limit();
      case ControlType::friction: return read_friction();
      case ControlType::lock: return read_lock();
      case ControlType::gear: return read_gear();
      case ControlType::rack_and_pinion: return read_rack_and_pinion();
    }
    return {};
  }

 private:
  Motor read_motor() const {
    Motor motor{.on = read_sum(), .speed = reader_.function(fields_.require("speed"))};
    fields_.read("max_force", motor.max_force);
    fields_.read("inverse_drag", motor.inverse_drag);
    return motor;
  }

  Servo read_servo() const {
    Servo servo{.on = read_sum(), .target = reader_.function(fields_.require("target"))};
    fields_.read("stiffness", servo.stiffness);
    fields_.read("damping", servo.damping);
    fields_.read("max_force", servo.max_force);
    return servo;
  }

  Motion read_motion() const {
    Motion motion{.on = read_sum(), .target = reader_.function(fields_.require("target"))};
    read_relaxation(motion);
    return motion;
  }

  Limit read_limit() const {
    Limit limit{.on = read_sum()};
    fields_.read("lower", limit.lower);
    fields_.read("upper", limit.upper);
    fields_.read("restitution", limit.restitution);
    read_relaxation(limit);
    return limit;
  }

  Friction read_friction() const {
    Friction friction{.on = read_sum(), .max_force = reader_.number(fields_.require("max_force"))};
    fields_.read("inverse_drag", friction.inverse_drag);
    return friction;
  }

  Lock read_lock() const {
    Lock lock{.on = read_sum()};
    fields_.read("value", lock.value);
    read_relaxation(lock);
    return lock;
  }

  Lock read_gear() const {
    const auto turns = [](Coordinate first) { return is_angle(first); };
    const JointId driving = find_joint("driving", turns, "a gear needs joints that turn");
    const JointId driven = find_joint("driven", turns, "a gear needs joints that turn");
    Lock lock = make_gear("", driving, driven, read_factor("ratio"));
    read_relaxation(lock);
    return lock;
  }

  Lock read_rack_and_pinion() const {
    const JointId pinion = find_joint(
        "pinion", [](Coordinate first) { return is_angle(first); }, "a pinion turns");
    const JointId rack = find_joint(
        "rack", [](Coordinate first) { return first == Coordinate::slide; }, "a rack slides");
    Lock lock = make_rack_and_pinion("", pinion, rack, read_factor("radius"));
    read_relaxation(lock);
    return lock;
  }

  template <class Spec>
  void read_relaxation(Spec& spec) const {
    fields_.read("compliance", spec.compliance);
    fields_.read("damping_time", spec.damping_time);
  }

  // A ratio or a radius: 0 would leave nothing to tie.
  double read_factor(std::string_view key) const {
    const Json& value = fields_.require(key);
    const double factor = reader_.number(value);
    if (factor == 0.0) reader_.fail(value, "must not be 0");
    return factor;
  }

  // A joint whose first coordinate is what a gear or a rack needs.
  template <class Fits>
  JointId find_joint(std::string_view key, const Fits& fits, const char* needs) const {
    const Json& reference = fields_.require(key);
    const JointId id = joints_.names.find(reader_, reference);
    const JointKind kind = joints_.kinds[id.index()];
    const auto coordinates = coordinates_of(kind);
    if (coordinates.empty() || !fits(coordinates.front()))
      reader_.fail(reference, fmt::format("{}, and {} is a joint of type \"{}\": use a lock on "
                                          "\"terms\" for other sums",
                                          needs, quote(reader_.name(reference)), name_of(kind)));
    return id;
  }

  // "joint" and "coordinate", or "terms".
  CoordinateSum read_sum() const {
    const Json* joint = fields_.find("joint");
    const Json* terms = fields_.find("terms");
    if ((joint == nullptr) == (terms == nullptr))
      reader_.fail(fields_.object(),
                   "must have either \"joint\" (and \"coordinate\"), or \"terms\"");
    if (joint) return {std::vector{read_term(*joint, fields_.find("coordinate"))}};
    if (const Json* coordinate = fields_.find("coordinate"))
      reader_.fail(*coordinate, "belongs to \"joint\": each of the terms has its own");
    CoordinateSum sum;
    reader_.for_each_element(*terms, [&](const Json& element) {
      const Fields fields(reader_, element, scene_format::term);
      Term term = read_term(fields.require("joint"), fields.find("coordinate"));
      if (const Json* factor = fields.find("factor")) {
        term.factor = reader_.number(*factor);
        if (term.factor == 0.0) reader_.fail(*factor, "is 0: leave the term out");
      }
      sum.terms.push_back(term);
    });
    if (sum.terms.empty()) reader_.fail(*terms, "is empty: name the joints that it acts on");
    return sum;
  }

  Term read_term(const Json& joint, const Json* coordinate) const {
    const JointId id = joints_.names.find(reader_, joint);
    const JointKind kind = joints_.kinds[id.index()];
    std::vector<std::string_view> known;
    for (const Coordinate candidate : coordinates_of(kind)) known.emplace_back(name_of(candidate));
    if (known.empty())
      reader_.fail(joint, fmt::format("{} is a joint of type \"{}\", which has no coordinate that "
                                      "a control could act on",
                                      quote(reader_.name(joint)), name_of(kind)));
    if (!coordinate) return {.joint = id};
    const std::string word = reader_.name(*coordinate);
    const auto found = std::ranges::find(known, word);
    if (found == known.end()) fail_unknown(*coordinate, word, kind, known);
    return {.joint = id, .index = static_cast<int>(found - known.begin())};
  }

  [[noreturn]] void fail_unknown(const Json& at, const std::string& word, JointKind kind,
                                 const std::vector<std::string_view>& known) const {
    const std::string_view nearest = find_nearest(word, known);
    reader_.fail(at, fmt::format("unknown coordinate {}: a joint of type \"{}\" has {}{}",
                                 quote(word), name_of(kind), fmt::join(known, ", "),
                                 nearest.empty() || known.size() == 1
                                     ? ""
                                     : fmt::format("; did you mean \"{}\"?", nearest)));
  }

  Reader& reader_;
  const Fields& fields_;
  const JointTable& joints_;
};

}  // namespace

ControlSpec read_control(Reader& reader, const Json& value, const JointTable& joints) {
  const Fields fields(reader, value, scene_format::control);
  const std::size_t index =
      reader.choice(fields.require("type"), "type", scene_format::control_types);
  fields.check_kind(bit(index), "type", scene_format::control_types[index]);
  ControlSpec spec = ControlReader(reader, fields, joints).read(static_cast<ControlType>(index));
  std::visit([&](auto& control) { fields.read_name("name", control.name); }, spec);
  return spec;
}

}  // namespace ligament
