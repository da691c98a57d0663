// SPDX-License-Identifier: Apache-2.0
#include "ligament/simulation/body_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "ligament/simulation/hanging.h"
#include "ligament/steppers/words.h"

namespace ligament {
namespace {

constexpr double most_hanging = 0.25;  // W h²/(m l)                                   [CK.6]
constexpr double most_spin = 1.0;      // radians of a step, by either rule           [CK.10]
constexpr double most_ratio = 1e4;     // of masses, for solvers that eliminate
constexpr double most_ratio_of_sweeps = 100;  // for those that go from row to row

std::string quoted(const Model& model, BodyId id) {
  return fmt::format("body \"{}\"", model.name(id));
}

// How the stepper turns a free body; nothing for those that turn it exactly about its axis.
std::optional<Gyroscopic> rotation_of(const Stepper& stepper) {
  return std::visit(
      [](const auto& s) -> std::optional<Gyroscopic> {
        if constexpr (requires { s.gyroscopic; }) return gyroscopic_for(s.solver, s.gyroscopic);
        return std::nullopt;
      },
      stepper);
}

struct FastBody {
  BodyId id{};
  double spin = 0.0;    // [rad/s]
  double number = 0.0;  // h · spin · I_max/I_min
  double load = 0.0;    // of the rule that the stepper's rotation obeys, 1 at the limit
};

// The implicit midpoint turns by 2 atan(h ω/2) a step whatever the moments; the explicit drift is
// safe for h · spin · I_max/I_min < 1 [GY.6].                                            [CK.10]
FastBody measure_spin(const Model& model, const State& state, BodyId id, Gyroscopic rotation,
                      double h) {
  const Body& body = model.body(id);
  const double spin = compute_angular_velocity(model, state, id).norm();
  const double number = h * spin * body.moments.maxCoeff() / body.moments.minCoeff();
  return {id, spin, number, rotation == Gyroscopic::midpoint ? h * spin : number};
}

void check_spins(const Model& model, const Stepper& stepper, const State& state, Diagnosis& out) {
  const std::optional<Gyroscopic> rotation = rotation_of(stepper);
  if (!rotation) return;
  const double h = step_size(stepper);
  FastBody worst;
  int fast = 0;
  for (std::uint32_t i = 0; i < model.bodies().size(); ++i) {
    if (model.bodies()[i].kind != BodyKind::rigid) continue;
    const FastBody body = measure_spin(model, state, BodyId{i}, *rotation, h);
    if (body.load > most_spin) ++fast;
    if (body.load > worst.load) worst = body;
  }
  if (!(worst.load > 0.0)) return;
  const bool drifts = *rotation == Gyroscopic::kick_drift;
  const double stepped = drifts ? worst.spin : 2.0 * std::atan(0.5 * h * worst.spin) / h;
  const std::string where = quoted(model, worst.id);
  out.outlook.spin = {.where = where,
                      .value = worst.number,
                      .how = fmt::format("{:.3g} rad/s, which steps of {:.3g} s make {:.3g} rad/s",
                                         worst.spin, h, stepped)};
  out.outlook.stepped_spin = stepped;
  const double longest = h * most_spin / worst.load;
  out.limits.push_back({longest, fmt::format("{} spins at {:.3g} rad/s", where, worst.spin)});
  if (fast == 0) return;
  const std::string what =
      drifts ? fmt::format(
                   "step × spin × ratio of its moments of inertia is {:.3g}, 1 is safe, and "
                   "joints on it gain energy from about 5 on",
                   worst.number)
             : fmt::format(
                   "steps of {:.3g} s turn it at {:.3g} rad/s only (step × spin × ratio of "
                   "its moments of inertia is {:.3g})",
                   h, stepped, worst.number);
  out.findings.push_back(
      {.kind = "spin",
       .where = where,
       .what = fmt::format("it spins at {:.3g} rad/s, and {}", worst.spin, what),
       .change = fmt::format("take steps of {:.2g} s or less{}", longest,
                             drifts ? ", or gyroscopic \"midpoint\" with a solver that does not "
                                      "need symmetric blocks"
                                    : ""),
       .value = worst.load,
       .limit = most_spin,
       .others = fast - 1,
       .largest_h = longest});
}

bool goes_from_row_to_row(const Solver& solver) {
  return std::holds_alternative<GaussSeidel>(solver) ||
         std::holds_alternative<AcceleratedGradient>(solver);
}

void check_mass_ratios(const Model& model, const Stepper& stepper, const Workspace& work,
                       Diagnosis& out) {
  double largest = 0.0;
  BodyId light{}, heavy{};
  const auto look_at = [&](BodyId a, BodyId b) {
    double of_a = model.body(a).mass, of_b = model.body(b).mass;
    if (!(of_a > 0.0) || !(of_b > 0.0)) return;
    if (of_a > of_b) {
      std::swap(a, b);
      std::swap(of_a, of_b);
    }
    if (of_b / of_a <= largest) return;
    largest = of_b / of_a;
    light = a;
    heavy = b;
  };
  for (const Joint& joint : model.joints()) look_at(joint.a, joint.b);
  for (const ContactRows& rows : work.contacts.rows) look_at(rows.contact.a, rows.contact.b);
  if (largest == 0.0) return;
  const std::string where = fmt::format("{} and {}", quoted(model, light), quoted(model, heavy));
  out.outlook.mass_ratio = {.where = where,
                            .value = largest,
                            .how = fmt::format("{:.3g} kg and {:.3g} kg", model.body(light).mass,
                                               model.body(heavy).mass)};
  const bool sweeps = goes_from_row_to_row(solver_of(stepper));
  const double limit = sweeps ? most_ratio_of_sweeps : most_ratio;
  if (largest <= limit) return;
  out.findings.push_back(
      {.kind = "mass ratio",
       .where = where,
       .what = fmt::format("one is {:.3g} times as heavy as the other, {:.3g} kg and {:.3g} kg; {}",
                           largest, model.body(heavy).mass, model.body(light).mass,
                           sweeps ? "this solver needs many sweeps from about 100 on"
                                  : "from about 10000 on what the light one sags by shows"),
       .change = sweeps ? "use the solver automatic, which eliminates where that pays, or masses "
                          "that are closer"
                        : "less compliance in the joints of the heavy one, or masses that are "
                          "closer",
       .value = largest,
       .limit = limit});
}

void check_hanging(const Model& model, const Stepper& stepper, const State& state, Diagnosis& out) {
  const double h = step_size(stepper);
  const HangingLoad load = find_hanging_load(model, state, h);
  if (!(load.number > 0.0)) return;
  const std::string where = fmt::format("joint \"{}\"", model.name(load.joint));
  const double longest = h * std::sqrt(most_hanging / load.number);
  const double most_weight = load.weight * most_hanging / load.number;
  out.outlook.hanging = {
      .where = where,
      .value = load.number,
      .how =
          fmt::format("{:.3g} N on {} of {:.3g} kg and {:.3g} m; {:.3g} N would be the limit",
                      load.weight, quoted(model, load.link), load.mass, load.length, most_weight)};
  out.limits.push_back({longest, fmt::format("{} carries {:.3g} N on a light link, {}", where,
                                             load.weight, quoted(model, load.link))});
  if (load.number <= most_hanging) return;
  out.findings.push_back(
      {.kind = "light link",
       .where = where,
       .what = fmt::format(
           "it carries a weight of {:.3g} N, and {} beside it has {:.3g} kg and {:.3g} "
           "m: if the machine swings, steps of {:.3g} s keep it together up to {:.3g} "
           "N",
           load.weight, quoted(model, load.link), load.mass, load.length, h, most_weight),
       .change =
           fmt::format("take steps of {:.2g} s or less, make the link heavier or longer, or the "
                       "load lighter",
                       longest),
       .value = load.weight,
       .unit = "N",
       .limit = most_weight,
       .largest_h = longest});
}

}  // namespace

void check_bodies(const Model& model, const Stepper& stepper, const State& state,
                  const Workspace& work, Diagnosis& out) {
  check_spins(model, stepper, state, out);
  check_mass_ratios(model, stepper, work, out);
  check_hanging(model, stepper, state, out);
}

}  // namespace ligament
