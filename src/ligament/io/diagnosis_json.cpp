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

Json list(const std::vector<SharingGroup>& groups) {
  Json array = Json::array();
  for (const SharingGroup& group : groups) {
    Json rows = Json::array();
    for (const SharedRow& row : group.rows)
      rows.push_back(
          {{"row", row.name}, {"force", row.force}, {"unit", row.unit}, {"share", row.share}});
    array.push_back({{"redundant", group.redundant}, {"rows", rows}});
  }
  return array;
}

Json list(const std::vector<Finding>& findings) {
  Json array = Json::array();
  for (const Finding& found : findings)
    array.push_back({{"severity", found.severity == Severity::error ? "error" : "warning"},
                     {"kind", found.kind},
                     {"where", found.where},
                     {"what", found.what},
                     {"change", found.change},
                     {"value", found.value},
                     {"unit", found.unit},
                     {"limit", found.limit},
                     {"others", found.others},
                     {"largest_h", found.largest_h > 0.0 ? Json(found.largest_h) : Json()}});
  return array;
}

Json list(const std::vector<StepLimit>& limits) {
  Json array = Json::array();
  for (const StepLimit& limit : limits) array.push_back({{"h", limit.h}, {"reason", limit.reason}});
  return array;
}

Json make_json(const Expected& expected) {
  if (!expected.known()) return {};
  return {{"where", expected.where},
          {"value", expected.value},
          {"unit", expected.unit},
          {"how", expected.how}};
}

Json make_json(const Outlook& outlook) {
  return {{"load", make_json(outlook.load)},
          {"sag", make_json(outlook.sag)},
          {"contact_sag", make_json(outlook.contact_sag)},
          {"violation", make_json(outlook.violation)},
          {"spring", make_json(outlook.spring)},
          {"swing", make_json(outlook.swing)},
          {"hanging", make_json(outlook.hanging)},
          {"spin", make_json(outlook.spin)},
          {"mass_ratio", make_json(outlook.mass_ratio)},
          {"stepped_spring", outlook.stepped_spring},
          {"stepped_spin", outlook.stepped_spin}};
}

}  // namespace

std::string make_diagnosis_json(const std::string& scene, const Diagnosis& diagnosis) {
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
      {"load_sharing", list(diagnosis.sharing)},
      {"contacts", diagnosis.contacts},
      {"expected", make_json(diagnosis.outlook)},
      {"h", diagnosis.h},
      {"recommended_h", diagnosis.recommended_h()},
      {"step_limits", list(diagnosis.limits)},
      {"findings", list(diagnosis.findings)},
  };
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace ligament
