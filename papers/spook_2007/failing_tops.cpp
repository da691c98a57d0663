// SPDX-License-Identifier: Apache-2.0
// Heavy tops and rotors with the gyroscopic torque explicit, implicit in body axes, or left out.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "papers/baselines/jointed_bodies.h"
#include "papers/experiment.h"
#include "papers/printed.h"
#include "papers/scenes.h"
#include "papers/simulate.h"
#include "papers/spook_2007/experiments.h"
#include "papers/spook_2007/precession.h"

namespace ligament::papers {
namespace {

constexpr double h = 1.0 / 60;
constexpr double none = std::numeric_limits<double>::quiet_NaN();  // no number is given
constexpr GyroscopicRule rules[] = {GyroscopicRule::explicit_torque, GyroscopicRule::implicit_body,
                                    GyroscopicRule::none};
constexpr const char* labels[] = {"explicit torque", "implicit in body axes", "no torque"};

struct Outcome {
  double angle = 0.0;     // [rad] of precession
  double vertical = 0.0;  // largest |L_z/L_z0 − 1|
  double momentum = 0.0;  // largest |L − L₀|/|L₀|
  double energy = 1.0;    // largest E/E₀
  double last = 1.0;      // E/E₀ at the end
  long tenfold = 0;       // the step at which E > 10 E₀, 0: none
  std::vector<double> t{}, angles{};
};

Outcome let_go(JointedBodies system, GyroscopicRule rule, long steps) {
  const double E = system.energy();
  const Vec3 L = system.angular_momentum();
  Outcome out;
  double before = 0.0;
  for (long k = 1; k <= steps && system.step(rule, h); ++k) {
    const Vec3 axis = system.bodies.back().R * Vec3::UnitZ(), l = system.angular_momentum();
    const double azimuth = std::atan2(axis.y(), axis.x());
    out.angle += std::remainder(azimuth - before, 2.0 * std::numbers::pi);
    before = azimuth;
    out.vertical = std::max(out.vertical, std::abs(l.z() / L.z() - 1.0));
    out.momentum = std::max(out.momentum, (l - L).norm() / L.norm());
    const double ratio = system.energy() / E;
    out.energy = std::max(out.energy, ratio);
    out.last = ratio;
    if (out.tenfold == 0 && ratio > 10.0) out.tenfold = k;
    out.t.push_back(static_cast<double>(k) * h);
    out.angles.push_back(out.angle);
  }
  return out;
}

// The top of the experiment on tops: papers/spook_2007/top.json.
JointedBodies make_top(double spin, const Vec3& moments) {
  RigidBody top{.mass = 1.0, .moments = moments, .anchor = {0.0, 0.0, -0.5}};
  top.R = Eigen::AngleAxisd(0.6, Vec3::UnitY());
  top.x = top.R * Vec3(0.0, 0.0, 0.5);
  top.v = Vec3::Zero();
  top.w = top.R * Vec3(0.0, 0.0, spin);
  return {.bodies = {top}, .gravity = 10.0, .rows = {.compliance = 1e-10, .theta = 2.0}};
}

JointedBodies read_rotor(double spin) {
  const Scene scene =
      read_paper_scene("spook_2007/rotor.json", {{"spin", fmt::format("{}", spin)}});
  const State state = scene.model.initial_state();
  JointedBodies out;
  for (const char* name : {"box", "disc"}) {
    const BodyId id = *scene.model.find_body(name);
    const Body& body = scene.model.body(id);
    const Frame pose = compute_pose(scene.model, state, id);
    out.bodies.push_back({.mass = body.mass,
                          .moments = body.moments,
                          .x = pose.p,
                          .v = velocity_of(scene.model, state, id),
                          .w = compute_angular_velocity(scene.model, state, id),
                          .R = pose.R,
                          .anchor = pose.R.conjugate() * (Vec3(0.0, 0.0, 0.4) - pose.p)});
  }
  return out;
}

const char* sizes_not_given = "masses and sizes of box and disc";

// A number of the notes, judged if a reason is given.
struct Number {
  std::string text;
  double expected, measured;
  Band band{};
  const char* reason = "";
  const char* unknown = "";
  const char* unit = "";
};

void add(const Number& n, Experiment& e) {
  e.claims.push_back({.text = n.text,
                      .source = "section 4",
                      .unit = n.unit,
                      .expected = n.expected,
                      .measured = n.measured,
                      .tolerance = n.band,
                      .reason = n.reason,
                      .unknown = n.unknown});
}

// What the notes say of a top by the three rules: an angle of precession, or a growth of energy.
struct NotedTop {
  double spin;
  Vec3 moments;
  std::array<const char*, 3> angle{};   // [rad] as printed, null: not given
  std::array<const char*, 3> growth{};  // null: not given
};

void add_top(const NotedTop& noted, Experiment& e, std::span<Outcome, 3> outcomes) {
  for (std::size_t i = 0; i < 3; ++i) {
    outcomes[i] = let_go(make_top(noted.spin, noted.moments), rules[i], 600);
    const std::string top =
        fmt::format("Top at {} rad/s, moments {}, {}, {}, {}", noted.spin, noted.moments.x(),
                    noted.moments.y(), noted.moments.z(), labels[i]);
    const auto add_printed = [&](const char* what, const char* given, double measured,
                                 const char* unit) {
      if (!given) return;
      add({.text = fmt::format("{}: {}", top, what),
           .expected = printed(given).value,
           .measured = measured,
           .band = printed(given).band(),
           .reason = "the same rule: rounds to the last digit that is given",
           .unit = unit},
          e);
    };
    add_printed("precession in 10 s", noted.angle[i], outcomes[i].angle, "rad");
    add_printed("largest energy over that of the start", noted.growth[i], outcomes[i].energy, "");
  }
}

Figure draw(std::span<const Outcome, 3> outcomes) {
  Figure figure{.title = "Precession of a heavy top at 100 rad/s",
                .x = {.label = "time [s]"},
                .y = {.label = "angle [rad]"}};
  for (std::size_t i = 0; i < 3; ++i)
    figure.curves.push_back({.label = labels[i], .x = outcomes[i].t, .y = outcomes[i].angles});
  figure.curves.push_back({.label = "mean rate by Euler's equations",
                           .x = {0.0, 10.0},
                           .y = {0.0, find_exact_precession({{"spin", "100"}})},
                           .dash = 1});
  return figure;
}

void add_tops(Experiment& e) {
  const Vec3 flat(0.04, 0.04, 0.06), slim(0.08, 0.08, 0.02);
  std::array<Outcome, 3> out;
  add_top({100.0, flat, {"8.27", "10.20", "13.54"}}, e, out);
  const char* reason = "rounds to the last digit that is given";
  add({"… vertical angular momentum at 100 rad/s, explicit torque: largest relative change", 2.1,
       out[0].vertical, printed("2.1").band(), reason},
      e);
  add({"… implicit in body axes", 2.2, out[1].vertical, printed("2.2").band(), reason}, e);
  e.pictures.push_back({"precession", draw(out), "A top at 100 rad/s by three rules that fail"});
  add_top({200.0, flat, {nullptr, "9.29", "6.36"}, {"26"}}, e, out);
  add_top({300.0, flat, {nullptr, "11.6"}, {"7", nullptr, "7.6"}}, e, out);
  add_top({1000.0, flat, {nullptr, "2.25", "1.25"}}, e, out);
  add({"Top at 1000 rad/s, explicit torque: largest energy over that of the start",
       3800.0,
       out[0].energy,
       {},
       "",
       "when its run ends: with ours the energy grows without bound"},
      e);
  add({"… it blows up", none, out[0].energy, above(10.0), "h · spin · I₃/I₁ is 25"}, e);
  add_top({100.0, slim, {nullptr, "13.7", "6.4"}, {"3.7"}}, e, out);
}

void add_rotors(Experiment& e) {
  const auto spin = [](double speed, std::size_t rule) {
    return let_go(read_rotor(speed), rules[rule], 1200);
  };
  const double given[] = {5e-2, 0.17, 0.14};
  double least = 1e9;
  for (std::size_t i = 0; i < 3; ++i) {
    const Outcome slow = spin(100.0, i);
    add({fmt::format("Disc at 100 rad/s on a floating box, 20 s, {}: largest relative change of "
                     "the angular momentum",
                     labels[i]),
         given[i],
         slow.momentum,
         {},
         "",
         sizes_not_given},
        e);
    add({"… it is far above the engine's 1e-5", given[i], slow.momentum, above(1e-3),
         "a hundred times as much, whatever the sizes"},
        e);
    least = std::min(least, spin(1000.0, i).momentum);
  }
  add({"… at 1000 rad/s the least of the three", 4e-2, least, above(4e-3),
       "a tenth of it, as sizes are not given"},
      e);
  const Outcome fast = spin(300.0, 0);
  add({"Disc at 300 rad/s, explicit torque: the step at which the energy is tenfold",
       65.0,
       static_cast<double>(fast.tenfold),
       {},
       "",
       sizes_not_given},
      e);
  add({"… it blows up within the 20 s: largest energy over that of the start", none, fast.energy,
       above(10.0), "the couple of the disc is explicit, h · spin is 5"},
      e);
  double smaller = 1e9;
  for (const std::size_t i : {1, 2}) {
    const double growth = spin(300.0, i).energy;
    smaller = std::min(smaller, growth);
    add({fmt::format("Disc at 300 rad/s, {}: largest energy over that of the start", labels[i]),
         2000.0,
         growth,
         {},
         "",
         sizes_not_given},
        e);
  }
  add({"… the smaller of the two", none, smaller, above(10.0), "both blow up"}, e);
}

// The midpoint rule written out, and two ways to spoil it.
void add_midpoint(Experiment& e) {
  const Vec3 flat(0.04, 0.04, 0.06);
  const auto precession = [&](double spin, GyroscopicRule rule) {
    return let_go(make_top(spin, flat), rule, 600);
  };
  const double engine = precess({{"spin", "100"}}).angle.back();
  add({"The midpoint rule written out against the engine's, 100 rad/s: precession in 10 s", engine,
       precession(100.0, GyroscopicRule::midpoint).angle, within(engine, 1e-9),
       "the same equations by other code: roundings", "", "rad"},
      e);
  double least = 1e300;
  for (const double spin : {200.0, 300.0, 1000.0})
    least = std::min(least, precession(spin, GyroscopicRule::symmetrized).energy);
  add({"With the symmetric part of the inverse of its tangent, at 200, 300 and 1000 rad/s: the "
       "least "
       "of the largest energies over that of the start",
       none, least, above(1.2), "said to be unstable from h · spin · I₃/I₁ = 5, without a number"},
      e);
  add({"… at 100 rad/s, 2.5, it is not", none,
       precession(100.0, GyroscopicRule::symmetrized).energy, below(1.01),
       "the joint only takes energy"},
      e);
  JointedBodies rotor = read_rotor(100.0);
  rotor.arms = Arms::common;
  const Outcome braked = let_go(rotor, GyroscopicRule::midpoint, 600);
  add({"Disc at 100 rad/s, midpoint rule, impulses at one point: change of the angular momentum",
       1e-15, braked.momentum, below(1e-12), "no couple is left: roundings of 600 steps"},
      e);
  add({"… but the disc is braked: energy after 10 s", 0.17, braked.last, {}, "", sizes_not_given},
      e);
  const double kept = let_go(read_rotor(100.0), GyroscopicRule::midpoint, 600).last;
  add({"… of what it loses with arms of their own a multiple of", none,
       (1.0 - braked.last) / (1.0 - kept), above(10.0), "how much depends on the sizes"},
      e);
}

}  // namespace

Experiment run_failing_tops(const Effort&) {
  Experiment e{
      .title = "Tops and rotors by rules that fail",
      .source = "section 4",
      .paper_says = "Gyroscopic forces are left to future work.",
      .we_did =
          "The heavy top and the disc on a floating box of the experiment on tops, with "
          "SPOOK written out (papers/baselines/jointed_bodies.h) and the gyroscopic "
          "torque −w × I w of the start of a step, implicit in body axes by one step of "
          "Newton's method, or left out; h = 1/60 s. Then the engine's midpoint rule, by the "
          "same code: as it is, with the symmetric part of the inverse of its tangent, and with "
          "the impulses of the bearing at one point of both bodies."};
  add_tops(e);
  add_rotors(e);
  add_midpoint(e);
  e.remarks = {
      "Bodies turn by the exponential of h w here. The notes do not say so: it was found by "
      "trying, "
      "as Cayley's map, which the engine has, does not give their numbers."};
  return e;
}

}  // namespace ligament::papers
