// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/diagnosis_json.h"

#include <nlohmann/json.hpp>

#include "ligament/version.h"

namespace ligament {
namespace {

using Json = nlohmann::ordered_json;

Json list(const std::vector<OpenRow>& rows) {
  Json array = Json::array();
  for (const OpenRow& row : rows) array.push_back({{"row", row.name}, {"gap", row.gap}});
  return array;
}

}  // namespace

std::string make_diagnosis_json(const std::string& scene, const Diagnosis& diagnosis) {
  Json unresolved = Json::array();
  for (const Unresolved& item : diagnosis.unresolved)
    unresolved.push_back({{"row", item.name},
                          {"why", item.why},
                          {"largest_h", item.largest_h > 0.0 ? Json(item.largest_h) : Json()}});
  const AssemblyReport& assembly = diagnosis.assembly;
  const Json json{
      {"ligament", version_string},
      {"scene", scene},
      {"ok", diagnosis.ok()},
      {"bodies", diagnosis.bodies},
      {"velocities", diagnosis.velocities},
      {"rows", diagnosis.rows},
      {"driven", diagnosis.driven},
      {"degrees_of_freedom", diagnosis.degrees_of_freedom},
      {"undriven", diagnosis.undriven},
      {"degrees_of_freedom_nearby", diagnosis.nearby ? Json(*diagnosis.nearby) : Json()},
      {"singular_pose", diagnosis.is_singular_pose()},
      {"assembly",
       {{"iterations", assembly.iterations},
        {"moved", assembly.moved},
        {"violation_before", assembly.violation_before},
        {"violation", assembly.violation},
        {"open", list(assembly.open)},
        {"contradictions", list(assembly.contradictions)}}},
      {"redundant", diagnosis.redundant},
      {"independent", diagnosis.independent},
      {"unresolved", unresolved},
  };
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace ligament
