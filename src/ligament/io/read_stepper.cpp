// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <stdexcept>

#include "ligament/io/alternatives.h"
#include "ligament/io/elements.h"
#include "ligament/io/fields.h"

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

// "solver": "direct" or {"type": "direct", "refinements": 2}.
Solver read_solver(Reader& reader, const Json& value) {
  if (value.is_string()) return choose<Solver>(reader, value, "solver");
  const Fields fields(reader, value, scene_format::solver);
  Solver solver = Spook{}.solver;
  if (const Json* type = fields.find("type")) solver = choose<Solver>(reader, *type, "solver");
  fields.check_kind(bit(solver.index()), "type", name_of(solver));
  const auto read_count = [&](std::string_view key, int& count) {
    if (const Json* given = fields.find(key))
      count = static_cast<int>(reader.integer(*given, -1'000'000, 1'000'000));
  };
  if (auto* direct = std::get_if<Direct>(&solver)) read_count("refinements", direct->refinements);
  if (auto* pivot = std::get_if<BlockPivot>(&solver)) {
    read_count("refinements", pivot->refinements);
    read_count("pivots_per_row", pivot->pivots_per_row);
  }
  return solver;
}

Gyroscopic read_gyroscopic(Reader& reader, const Json& value) {
  constexpr std::array<std::string_view, 2> words{"midpoint", "kick_drift"};
  constexpr std::array kinds{Gyroscopic::midpoint, Gyroscopic::kick_drift};
  return kinds[reader.choice(value, "treatment of rotation", words)];
}

template <class Method>
void read_options(Reader& reader, const Fields& fields, Method& method) {
  fields.read("h", method.h);
  fields.read("damping_steps", method.damping_steps);
  fields.read("compliance_floor", method.compliance_floor);
  if (const Json* value = fields.find("gyroscopic"))
    method.gyroscopic = read_gyroscopic(reader, *value);
  if (const Json* value = fields.find("solver")) method.solver = read_solver(reader, *value);
}

}  // namespace

Stepper read_stepper(Reader& reader, const Json& value) {
  const Fields fields(reader, value, scene_format::stepper);
  Stepper stepper;
  if (const Json* type = fields.find("type")) stepper = choose<Stepper>(reader, *type, "stepper");
  std::visit([&](auto& method) { read_options(reader, fields, method); }, stepper);
  try {
    check_options(stepper);
  } catch (const std::invalid_argument& error) {
    const Json* solver = fields.find("solver");
    const Json& culprit = find_culprit(value, scene_format::stepper, error.what());
    const bool in_solver = &culprit == &value && solver && solver->is_object();
    reader.fail(in_solver ? find_culprit(*solver, scene_format::solver, error.what()) : culprit,
                error.what());
  }
  return stepper;
}

Solver make_solver(std::string_view name) {
  for (const Solver& solver : make_alternatives<Solver>())
    if (name == name_of(solver)) return solver;
  throw SceneError(fmt::format("unknown solver {}: {}", quote(name),
                               suggest(name, names_of_alternatives<Solver>())));
}

}  // namespace ligament
