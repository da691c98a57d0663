// SPDX-License-Identifier: Apache-2.0
// A diagnosis as a page for people.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ligament/simulation/diagnosis.h"

namespace ligament {
namespace {

constexpr std::size_t shown = 20;  // lines of a list

std::string plural(int count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// Lines under one heading; what is too much is counted.
void append_list(std::string_view heading, const std::vector<std::string>& lines,
                 std::string& text) {
  for (std::size_t i = 0; i < std::min(shown, lines.size()); ++i)
    text += fmt::format("{:<14}{}\n", i == 0 ? heading : "", lines[i]);
  if (lines.size() > shown) text += fmt::format("{:<14}and {} more\n", "", lines.size() - shown);
}

std::string describe_machine(const Diagnosis& found) {
  std::string text =
      fmt::format("machine       {}, {} velocities, {} of joints, rods and locks{}\n",
                  plural(found.bodies, "moving body", "moving bodies"), found.velocities,
                  plural(found.rows, "row (scalar equation)", "rows (scalar equations)"),
                  found.contacts > 0
                      ? ", " + plural(found.contacts, "contact that touches", "contacts that touch")
                      : "");
  text += fmt::format("freedom       {} (velocities minus rows: {})",
                      plural(found.degrees_of_freedom, "degree of freedom", "degrees of freedom"),
                      found.velocities - found.rows);
  if (found.driven > 0)
    text += fmt::format(", {} with {} running", found.undriven,
                        plural(found.driven, "drive", "drives"));
  text += '\n';
  if (found.is_singular_pose())
    text +=
        fmt::format("singular      the pose is singular: {} degrees of freedom in a pose nearby\n",
                    *found.nearby);
  const AssemblyReport& assembly = found.assembly;
  if (!assembly.ok()) return text;
  if (assembly.moved > 0.0 || assembly.violation_before > 1e-9)
    return text + fmt::format(
                      "assembly      closes: bodies move by at most {:.3g} m, gaps from {:.3g} "
                      "to {:.3g} (metres or radians)\n",
                      assembly.moved, assembly.violation_before, assembly.violation);
  return text + "assembly      the joints are closed as given\n";
}

std::string describe_group(const SharingGroup& group) {
  constexpr std::size_t most = 8;
  std::string text = fmt::format("{} of {} rows could go: ", group.redundant, group.rows.size());
  for (std::size_t i = 0; i < std::min(most, group.rows.size()); ++i) {
    const SharedRow& row = group.rows[i];
    text += fmt::format("{}{} carries ", i > 0 ? "; " : "", row.name);
    text += row.force == 0.0 ? std::string("nothing")
                             : fmt::format("{:.3g} {} ({:.0f} %)", std::abs(row.force), row.unit,
                                           100.0 * row.share);
  }
  if (group.rows.size() > most) text += fmt::format("; and {} rows more", group.rows.size() - most);
  return text;
}

void append_redundant(const Diagnosis& found, std::string& text) {
  if (found.redundant.empty()) {
    text += "redundant     no row\n";
    return;
  }
  append_list("redundant", found.redundant, text);
  append_list("independent", found.independent, text);
  std::vector<std::string> groups;
  for (const SharingGroup& group : found.sharing) groups.push_back(describe_group(group));
  append_list("load sharing", groups, text);
}

void append_expected(const Outlook& outlook, std::string& text) {
  std::vector<std::string> lines;
  const auto add = [&](const char* what, const Expected& expected) {
    if (!expected.known()) return;
    lines.push_back(fmt::format("{} {:.3g}{}{} ({}{}{})", what, expected.value,
                                expected.unit.empty() ? "" : " ", expected.unit, expected.where,
                                expected.how.empty() ? "" : ": ", expected.how));
  };
  add("largest load of a joint at the start", outlook.load);
  add("joints sag by at most", outlook.sag);
  add("contacts sag by at most", outlook.contact_sag);
  add("joints stay open at the start's speed by at most", outlook.violation);
  add("fastest spring", outlook.spring);
  add("fastest swing across loads", outlook.swing);
  add("light links: weight × step² / (mass × length), 0.25 if it swings, is", outlook.hanging);
  add("spins: spin × step × ratio of moments of inertia is", outlook.spin);
  add("largest ratio of masses", outlook.mass_ratio);
  append_list("expected", lines, text);
}

std::string describe_step(const Diagnosis& found) {
  if (found.limits.empty())
    return fmt::format("time step     {:.3g} s; no rule asks for less\n", found.h);
  const StepLimit& first = found.limits.front();
  if (found.recommended_h() >= found.h)
    return fmt::format("time step     {:.3g} s will do; up to {:.2g} s would, because {}\n",
                       found.h, first.h, first.reason);
  return fmt::format("time step     {:.3g} s; recommended: {:.2g} s or less, because {}\n", found.h,
                     found.recommended_h(), first.reason);
}

}  // namespace

std::string Diagnosis::text() const {
  std::string text = describe_machine(*this);
  append_redundant(*this, text);
  append_expected(outlook, text);
  text += describe_step(*this);
  int warnings = 0, errors = 0;
  for (const Finding& found : findings) {
    const bool is_error = found.severity == Severity::error;
    ++(is_error ? errors : warnings);
    text += fmt::format(
        "{:<14}{}: {}{}. To change: {}\n", is_error ? "error" : "warning", found.where, found.what,
        found.others > 0 ? fmt::format(" (and {} more like it)", found.others) : "", found.change);
  }
  return text + fmt::format("verdict       {}\n",
                            errors + warnings == 0 ? std::string("nothing to complain of")
                                                   : plural(errors, "error", "errors") + ", " +
                                                         plural(warnings, "warning", "warnings"));
}

}  // namespace ligament
