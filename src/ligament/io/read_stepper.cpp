// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <stdexcept>

#include "ligament/io/elements.h"
#include "ligament/io/fields.h"
#include "ligament/math/alternatives.h"

namespace ligament {
namespace {

template <class Variant>
std::vector<std::string_view> names_of_alternatives() {
  std::vector<std::string_view> names;
  for (const Variant& alternative : make_alternatives<Variant>())
    names.emplace_back(name_of(alternative));
  return names;
}

template <class Variant>
Variant choose(Reader& reader, const Json& value, std::string_view what) {
  const auto names = names_of_alternatives<Variant>();
  return make_alternatives<Variant>()[reader.choice(value, what, names)];
}

LocalSolve read_local(Reader& reader, const Json& value) {
  constexpr std::array<std::string_view, 2> words{"sequential", "exact"};
  constexpr std::array kinds{LocalSolve::sequential, LocalSolve::exact};
  return kinds[reader.choice(value, "local solve", words)];
}

// "solver": "direct" or {"type": "direct", "refinements": 2}.
Solver read_solver(Reader& reader, const Json& value) {
  if (value.is_string()) return choose<Solver>(reader, value, "solver");
  const Fields fields(reader, value, scene_format::solver);
  Solver solver = Spook{}.solver;
  if (const Json* type = fields.find("type")) solver = choose<Solver>(reader, *type, "solver");
  fields.check_kind(bit(solver.index()), "type", name_of(solver));
  std::visit(
      [&](auto& options) {
        const auto read_count = [&](std::string_view key, int& count) {
          if (const Json* given = fields.find(key))
            count = static_cast<int>(reader.integer(*given, -1'000'000'000, 1'000'000'000));
        };
        if constexpr (requires { options.refinements; })
          read_count("refinements", options.refinements);
        if constexpr (requires { options.pivots_per_row; })
          read_count("pivots_per_row", options.pivots_per_row);
        if constexpr (requires { options.passes; }) read_count("passes", options.passes);
        if constexpr (requires { options.max_sweeps; })
          read_count("max_sweeps", options.max_sweeps);
        if constexpr (requires { options.least_sweeps; })
          read_count("least_sweeps", options.least_sweeps);
        if constexpr (requires { options.settled; }) fields.read("settled", options.settled);
        if constexpr (requires { options.max_iterations; })
          read_count("max_iterations", options.max_iterations);
        if constexpr (requires { options.direct_bodies; })
          read_count("direct_bodies", options.direct_bodies);
        if constexpr (requires { options.directions; }) {
          read_count("directions", options.directions);
          read_count("max_unknowns", options.max_unknowns);
        }
        if constexpr (requires { options.threads; }) read_count("threads", options.threads);
        if constexpr (requires { options.max_work; }) fields.read("max_work", options.max_work);
        if constexpr (requires { options.sweep_tolerance; })
          fields.read("sweep_tolerance", options.sweep_tolerance);
        if constexpr (requires { options.tolerance; }) fields.read("tolerance", options.tolerance);
        if constexpr (requires { options.momentum; })
          if (const Json* given = fields.find("momentum"))
            options.momentum = reader.boolean(*given);
        if constexpr (requires { options.local; })
          if (const Json* given = fields.find("local")) options.local = read_local(reader, *given);
      },
      solver);
  return solver;
}

Gyroscopic read_gyroscopic(Reader& reader, const Json& value) {
  constexpr std::array<std::string_view, 2> words{"midpoint", "kick_drift"};
  constexpr std::array kinds{Gyroscopic::midpoint, Gyroscopic::kick_drift};
  return kinds[reader.choice(value, "treatment of rotation", words)];
}

FrictionLaw read_friction(Reader& reader, const Json& value) {
  constexpr std::array kinds{FrictionLaw::coulomb, FrictionLaw::cone, FrictionLaw::disc,
                             FrictionLaw::box, FrictionLaw::none};
  std::array<std::string_view, kinds.size()> words;
  for (std::size_t i = 0; i < kinds.size(); ++i) words[i] = name_of(kinds[i]);
  return kinds[reader.choice(value, "law of friction", words)];
}

RestitutionLaw read_restitution(Reader& reader, const Json& value) {
  constexpr std::array<std::string_view, 2> words{"newton", "poisson"};
  constexpr std::array kinds{RestitutionLaw::newton, RestitutionLaw::poisson};
  return kinds[reader.choice(value, "law of restitution", words)];
}

void read_contacts(Reader& reader, const Json& value, ContactModel& contacts) {
  const Fields fields(reader, value, scene_format::contacts);
  if (const Json* given = fields.find("friction"))
    contacts.friction = read_friction(reader, *given);
  if (const Json* given = fields.find("restitution"))
    contacts.restitution = read_restitution(reader, *given);
  if (const Json* given = fields.find("anchored")) contacts.anchored = reader.boolean(*given);
  fields.read("slip", contacts.slip);
  fields.read("slack", contacts.slack);
  fields.read("sleep_after", contacts.sleep_after);
  fields.read("sleep_speed", contacts.sleep_speed);
  if (const Json* given = fields.find("threads"))
    contacts.threads = static_cast<int>(reader.integer(*given, -1'000'000, 1'000'000));
}

void read_flag(Reader& reader, const Fields& fields, std::string_view key, bool& out) {
  if (const Json* given = fields.find(key)) out = reader.boolean(*given);
}

void read_trapezoidal(Reader& reader, const Fields& fields, Trapezoidal& method) {
  fields.read("theta", method.theta);
  fields.read("stabilization", method.stabilization);
  fields.read("damped_until", method.damped_until);
  fields.read("closed", method.closed);
  fields.read("still", method.still);
  fields.read("plastic_speed", method.plastic_speed);
  read_flag(reader, fields, "stop_events", method.stop_events);
  read_flag(reader, fields, "damped_restart", method.damped_restart);
  if (const Json* given = fields.find("drift")) {
    constexpr std::array<std::string_view, 3> words{"none", "stabilize", "project"};
    constexpr std::array kinds{DriftControl::none, DriftControl::stabilize, DriftControl::project};
    method.drift = kinds[reader.choice(*given, "control of drift", words)];
  }
  if (const Json* given = fields.find("collision_time")) {
    constexpr std::array<std::string_view, 2> words{"resolve", "hermite"};
    constexpr std::array kinds{CollisionTime::resolve, CollisionTime::hermite};
    method.collision_time = kinds[reader.choice(*given, "way to find a collision", words)];
  }
  if (const Json* given = fields.find("as_printed")) {
    const Fields printed(reader, *given, scene_format::as_printed);
    read_flag(reader, printed, "spring_gradient", method.as_printed.spring_gradient);
    read_flag(reader, printed, "contact_normals", method.as_printed.contact_normals);
    read_flag(reader, printed, "active_set", method.as_printed.active_set);
    read_flag(reader, printed, "gyroscopic", method.as_printed.gyroscopic);
  }
}

ImpulseForm read_form(Reader& reader, const Json& value) {
  constexpr std::array<std::string_view, 2> words{"newton", "sweeps"};
  constexpr std::array kinds{ImpulseForm::newton, ImpulseForm::sweeps};
  return kinds[reader.choice(value, "form of the impulse method", words)];
}

HigherOrder read_higher_order(Reader& reader, const Json& value) {
  constexpr std::array<std::string_view, 6> words{
      "none", "suzuki_4", "yoshida_6", "extrapolation_4", "extrapolation_6", "extrapolation_8"};
  constexpr std::array kinds{HigherOrder::none,
                             HigherOrder::suzuki_4,
                             HigherOrder::yoshida_6,
                             HigherOrder::extrapolation_4,
                             HigherOrder::extrapolation_6,
                             HigherOrder::extrapolation_8};
  return kinds[reader.choice(value, "step of higher order", words)];
}

FreeRotation read_rotation(Reader& reader, const Json& value) {
  constexpr std::array<std::string_view, 3> words{"symmetric_top", "axes", "midpoint"};
  constexpr std::array kinds{FreeRotation::symmetric_top, FreeRotation::axes,
                             FreeRotation::midpoint};
  return kinds[reader.choice(value, "rule of rotation", words)];
}

void read_impulse(Reader& reader, const Fields& fields, Impulse& impulse) {
  fields.read("tolerance", impulse.tolerance);
  if (const Json* value = fields.find("form")) impulse.form = read_form(reader, *value);
  if (const Json* value = fields.find("higher_order"))
    impulse.higher_order = read_higher_order(reader, *value);
  if (const Json* value = fields.find("rotation")) impulse.rotation = read_rotation(reader, *value);
  read_flag(reader, fields, "velocity_correction", impulse.velocity_correction);
  const auto read_count = [&](std::string_view key, int& count) {
    if (const Json* given = fields.find(key))
      count = static_cast<int>(reader.integer(*given, -1'000'000'000, 1'000'000'000));
  };
  read_count("max_passes", impulse.max_passes);
  read_count("max_sweeps", impulse.max_sweeps);
  read_count("max_halvings", impulse.max_halvings);
}

template <class Method>
void read_options(Reader& reader, const Fields& fields, Method& method) {
  fields.read("h", method.h);
  if constexpr (requires { method.damping_steps; })
    fields.read("damping_steps", method.damping_steps);
  if constexpr (requires { method.push_out; }) fields.read("push_out", method.push_out);
  if constexpr (requires { method.max_push_out_speed; })
    fields.read("max_push_out_speed", method.max_push_out_speed);
  if constexpr (requires { method.theta; }) read_trapezoidal(reader, fields, method);
  if constexpr (std::is_same_v<Method, Impulse>) read_impulse(reader, fields, method);
  if constexpr (requires { method.alpha; }) {
    fields.read("alpha", method.alpha);
    fields.read("beta", method.beta);
  }
  if constexpr (requires { method.contacts; })
    if (const Json* value = fields.find("contacts")) read_contacts(reader, *value, method.contacts);
  fields.read("compliance_floor", method.compliance_floor);
  if constexpr (requires { method.gyroscopic; })
    if (const Json* value = fields.find("gyroscopic"))
      method.gyroscopic = read_gyroscopic(reader, *value);
  if (const Json* value = fields.find("solver")) method.solver = read_solver(reader, *value);
}

}  // namespace

Stepper read_stepper(Reader& reader, const Json& value) {
  const Fields fields(reader, value, scene_format::stepper);
  Stepper stepper;
  if (const Json* type = fields.find("type")) stepper = choose<Stepper>(reader, *type, "stepper");
  fields.check_kind(bit(stepper.index()), "type", name_of(stepper));
  std::visit([&](auto& method) { read_options(reader, fields, method); }, stepper);
  try {
    check_options(stepper);
  } catch (const std::invalid_argument& error) {
    const Json* culprit = &find_culprit(value, scene_format::stepper, error.what());
    for (const auto* part : {&scene_format::solver, &scene_format::contacts}) {
      const Json* object = culprit == &value ? fields.find(part->name) : nullptr;
      if (!object || !object->is_object()) continue;
      const Json& inner = find_culprit(*object, *part, error.what());
      if (&inner != object) culprit = &inner;
    }
    reader.fail(*culprit, error.what());
  }
  return stepper;
}

Stepper make_stepper(std::string_view json) {
  const Document document{.file = "stepper", .root = parse_json(json, "stepper")};
  Reader reader(document);
  return read_stepper(reader, document.root);
}

Solver make_solver(std::string_view name) {
  for (const Solver& solver : make_alternatives<Solver>())
    if (name == name_of(solver)) return solver;
  throw SceneError(fmt::format("unknown solver {}: {}", quote(name),
                               suggest(name, names_of_alternatives<Solver>())));
}

}  // namespace ligament
