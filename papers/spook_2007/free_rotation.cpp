// SPDX-License-Identifier: Apache-2.0
// A body that tumbles, by rules of rotation that fail, written out, and by those of the engine.
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "ligament/math/rotation.h"
#include "papers/baselines/discrete_top.h"
#include "papers/simulate.h"
#include "papers/spook_2007/exact_rotation.h"
#include "papers/spook_2007/experiments.h"

namespace ligament::papers {
namespace {

constexpr double h = 1.0 / 60;
constexpr double none = std::numeric_limits<double>::quiet_NaN();  // no number is given
const Vec3 moments{1.0, 2.0, 2.5};                                 // [kg m²]
const Vec3 near_middle = Vec3(0.1, 1.0, 0.1).normalized();  // where free rotation is unstable

enum class Rule : unsigned char {
  explicit_torque,  // −w × I w of the start of the step, in world axes
  constant,         // none: w stays
  implicit_body,    // implicit in body axes, one step of Newton
  frozen            // momentum is kept, w is frozen over the step
};

// Attitude and angular velocity in the axes of the body.
struct Spinning {
  Quat R = Quat::Identity();
  Vec3 w;

  double energy() const { return 0.5 * w.dot(moments.cwiseProduct(w)); }
  Vec3 momentum() const { return R * moments.cwiseProduct(w); }
};

void rotate(Rule rule, Spinning& body) {
  const Vec3 w = body.w, l = moments.cwiseProduct(w);
  Vec3 next = w;  // the same at the end, in the axes of the start
  if (rule == Rule::explicit_torque) next -= h * w.cross(l).cwiseQuotient(moments);
  if (rule == Rule::implicit_body) {
    const Mat3 tangent =
        Mat3(moments.asDiagonal()) + h * (skew(w) * moments.asDiagonal() - skew(l));
    next -= tangent.partialPivLu().solve(h * w.cross(l));
  }
  const Quat before = body.R;
  body.R = cayley_turn(h * (before * next), before);
  if (rule == Rule::implicit_body) {
    body.w = next;  // in body axes already
  } else if (rule == Rule::frozen) {
    body.w = (body.R.conjugate() * (before * l)).cwiseQuotient(moments);
  } else {
    body.w = body.R.conjugate() * (before * next);
  }
}

// The attitude after a time by Euler's equations, at a hundredth of the step.
Quat find_truth(const Vec3& w, double time) {
  TurningBody body{.moments = moments, .w = w};
  body.turn(time, std::lround(100.0 * time / h));
  return body.R;
}

struct Outcome {
  double last = 1.0, most = 1.0, band = 0.0;  // E/E₀ at the end; largest; largest |E/E₀ − 1|
  double tenfold = 0.0;                       // the step at which it is 10, 0: none
  double momentum = 0.0;                      // largest |l − l₀|/|l₀|, l in world axes
  double size = 1.0;                          // |l|/|l₀| at the end
  Quat R = Quat::Identity();                  // at the end

  void look(double ratio, const Vec3& l, const Vec3& l0) {
    last = ratio;
    most = std::max(most, ratio);
    band = std::max(band, std::abs(ratio - 1.0));
    momentum = std::max(momentum, (l - l0).norm() / l0.norm());
    size = l.norm() / l0.norm();
  }
};

Outcome spin_by(Rule rule, const Vec3& w, long steps) {
  Spinning body{.w = w};
  const double E = body.energy();
  const Vec3 l = body.momentum();
  Outcome out;
  for (long i = 1; i <= steps && out.tenfold == 0.0; ++i) {
    rotate(rule, body);
    out.look(body.energy() / E, body.momentum(), l);
    if (!(out.last <= 10.0)) out.tenfold = static_cast<double>(i);
  }
  out.R = body.R;
  return out;
}

Outcome spin_by(const Stepper& stepper, const Vec3& w, long steps) {
  ModelBuilder b{{.gravity = {0, 0, 0}}};
  const BodyId id =
      b.add_body({.mass = {.mass = 1.0, .inertia = moments.asDiagonal()}, .angular_velocity = w});
  const Model model = std::move(b).build();
  const double E = compute_energy(model, model.initial_state()).total();
  const Vec3 l = moments.cwiseProduct(w);
  Outcome out;
  const auto watch = [&](const Sample& sample) {
    out.look(sample.energy.total() / E, compute_momentum(sample.model, sample.state).angular, l);
  };
  const State end = simulate(model, stepper, {.steps = steps, .observers = {watch}}).state;
  out.R = compute_pose(model, end, id).R;
  return out;
}

// By Moser and Veselov's rule; nothing if an equation has no solution.
std::optional<Outcome> spin_variationally(const Vec3& w, long steps) {
  DiscreteTop top{.moments = moments, .momentum = moments.cwiseProduct(w)};
  const double E = top.energy();
  const Vec3 l = top.momentum;
  Outcome out;
  for (long i = 0; i < steps; ++i) {
    if (!top.step(h)) return std::nullopt;
    out.look(top.energy() / E, top.R * top.momentum, l);
  }
  out.R = top.R;
  return out;
}

const Stepper by_axes = Impulse{.h = h, .rotation = FreeRotation::axes};
const Stepper by_drift = Spook{.h = h, .gyroscopic = Gyroscopic::kick_drift};
const Stepper by_midpoint = Spook{.h = h};

// A number of the notes: with a band and its reason where it can be judged.
struct Number {
  const char* text;
  double expected, measured;
  Band band{};
  const char* reason = nullptr;  // none: its start is not known
  const char* unit = "";
  const char* unknown = "its start, which is only said to be near the middle axis";
};

void add_numbers(std::initializer_list<Number> numbers, Experiment& e) {
  for (const Number& n : numbers)
    e.claims.push_back({.text = n.text,
                        .source = "section 4",
                        .unit = n.unit,
                        .expected = n.expected,
                        .measured = n.measured,
                        .tolerance = n.band,
                        .reason = n.reason ? n.reason : "",
                        .unknown = n.reason ? "" : n.unknown});
}

void add_failures(Experiment& e) {
  constexpr long steps = 100000;
  const Outcome slow = spin_by(Rule::explicit_torque, near_middle, steps);
  const Outcome fast = spin_by(Rule::explicit_torque, 60.0 * near_middle, steps);
  const Outcome lazy = spin_by(Rule::implicit_body, near_middle, steps);
  const Outcome damped = spin_by(Rule::implicit_body, 6.0 * near_middle, steps);
  const Outcome rapid = spin_by(Rule::implicit_body, 60.0 * near_middle, steps);
  const Outcome frozen = spin_by(Rule::frozen, 6.0 * near_middle, steps);
  const Outcome constant = spin_by(Rule::constant, near_middle, steps);
  const Vec3 generic = Vec3(1.0, 1.0, 1.0).normalized();
  const double astray =
      spin_by(Rule::constant, generic, 120).R.angularDistance(find_truth(generic, 2.0));
  const double L2 = moments.cwiseProduct(near_middle).squaredNorm();
  const double highest = L2 / moments.x() / near_middle.dot(moments.cwiseProduct(near_middle));
  add_numbers(
      {{"Explicit torque, 1 rad/s, 100000 steps: energy over that of the start", 5.7, slow.last},
       {"… the largest", none, slow.most, above(2.0), "any spin gains energy"},
       {"Explicit torque, 60 rad/s: the step at which it blows up, ours at ten times the energy",
        50, fast.tenfold},
       {"… it does so in 100000 steps: largest energy over that of the start", none, fast.most,
        above(10.0), "any spin gains energy"},
       {"Implicit in body axes, 1 rad/s, 100000 steps: energy at the end", 0.40, lazy.last},
       {"… at 6 rad/s", 0.07, damped.last},
       {"… at 60 rad/s", 0.07, rapid.last},
       {"… the largest at 1, 6 and 60 rad/s", 1.0, std::max({lazy.most, damped.most, rapid.most}),
        below(1.01), "it never blows up"},
       {"… the largest of those at the end", 0.40, std::max({lazy.last, damped.last, rapid.last}),
        below(0.6), "over-damped: momentum is lost as well"},
       {"Momentum kept and w frozen over a step, 6 rad/s: energy at the end", highest, frozen.last,
        within(highest, 1e-4), "L²/(2 I₁), the most that L allows: rotation about the first axis"},
       {"… its momentum: largest relative change", 0.0, frozen.momentum, below(1e-10),
        "roundings of 100000 turns"},
       {"No gyroscopic torque: the energy is constant, largest relative change", 0.0, constant.band,
        below(1e-10), "w stays, and the body turns about it"},
       {"… attitude after 2 s at 1 rad/s about (1, 1, 1): error",
        0.5,
        astray,
        {},
        nullptr,
        "rad",
        "its start, which is only said to be generic"},
       {"Implicit in body axes: part of |l| lost at 6 rad/s", 0.7, 1.0 - damped.size}},
      e);
}

void add_bands(const Effort& effort, Experiment& e) {
  const long steps = effort.quick ? 20000 : 100000;
  const auto spin = [&](const Stepper& by, double speed) {
    return spin_by(by, speed * near_middle, steps);
  };
  const auto band = [&](const Stepper& by, double speed) { return spin(by, speed).band; };
  const Outcome turns = spin(by_axes, 60.0), midpoint = spin(by_midpoint, 200.0);
  const char* reason =
      "three times as much: a splitting has a band of O((h w)²), whatever the start";
  add_numbers({{"Turns about the axes forth and back, 1 rad/s: band of the energy", 5e-6,
                band(by_axes, 1.0), below(1.5e-5), reason},
               {"… 6 rad/s", 1.9e-4, band(by_axes, 6.0), below(5.7e-4), reason},
               {"… 60 rad/s", 1.7e-2, turns.band, below(5.1e-2), reason},
               {"… angular momentum: largest relative change", 1e-11, turns.momentum, below(1e-9),
                "each turn keeps it: roundings"},
               {"Symmetric-top drift, 1 rad/s: band of the energy", 1.8e-6, band(by_drift, 1.0),
                below(5.4e-6), reason},
               {"Midpoint rule, 200 rad/s, h w = 3.3: band of the energy", 8e-12, midpoint.band,
                below(1e-9), "the rule keeps it, to Newton's tolerance"},
               {"… angular momentum: largest relative change", 6e-14, midpoint.momentum,
                below(1e-10), "it is stored, and no impulse acts on it"}},
              e);
}

Model make_free_body() {
  ModelBuilder b{{.gravity = {0, 0, 0}}};
  b.add_body({.mass = {.mass = 1.0, .inertia = moments.asDiagonal()}});
  return std::move(b).build();
}

// Up to which h w about a principal axis the engine takes a step by the midpoint rule: as long as
// its tangent is positive definite.
double find_definite_limit(const Model& model, const Vec3& axis) {
  double good = 1.0, bad = 40.0;
  while (bad - good > 1e-6) {
    const double middle = 0.5 * (good + bad);
    State state = model.initial_state();
    set_velocity(model, BodyId{1}, Vec3::Zero(), middle / h * axis, state);
    Workspace work(model);
    (take_step(model, by_midpoint, state, work).drifted_bodies == 0 ? good : bad) = middle;
  }
  return good;
}

void add_definite(const Model& model, Experiment& e) {
  for (int i = 0; i < 3; ++i) {
    const double one = moments((i + 1) % 3), two = moments((i + 2) % 3);
    const double limit = 4.0 * std::sqrt(one * two) / std::abs(one - two);
    add_numbers({{i == 0   ? "The midpoint rule turns a body about its first axis up to h w ="
                  : i == 1 ? "… about its second"
                           : "… about its third",
                  limit,
                  find_definite_limit(model, Vec3::Unit(i)),
                  {limit - 1e-5, limit + 1e-5},
                  "its tangent is positive definite below 4 √(I₁ I₂)/|I₁ − I₂| of the other two"}},
                e);
  }
}

// So fast that the engine leaves most steps to the drift.
void add_fallback(const Model& model, Experiment& e) {
  struct Fast {
    double turn, drifted;  // h w; steps of 20000 in the notes
  };
  for (const Fast& fast : {Fast{8.0, 3.0}, Fast{83.0, 1.0}}) {
    const Vec3 w = fast.turn / h * near_middle, l = moments.cwiseProduct(w);
    State state = model.initial_state();
    set_velocity(model, BodyId{1}, Vec3::Zero(), w, state);
    Workspace work(model);
    Outcome out;
    const double E = compute_energy(model, state).total();
    double drifted = 0.0, least = 1.0;
    for (int i = 0; i < 20000; ++i) {
      drifted += take_step(model, by_midpoint, state, work).drifted_bodies;
      out.look(compute_energy(model, state).total() / E, compute_momentum(model, state).angular, l);
      least = std::min(least, out.last);
    }
    const char* otherwise =
        "its start. And the notes leave a step to the drift when its equation has no solution, the "
        "engine when its tangent is not positive definite, which ends earlier: see above";
    e.claims.push_back(
        {.text = fmt::format("Midpoint rule at h w = {}: steps of 20000 that the drift takes",
                             fast.turn),
         .source = "section 4",
         .expected = fast.drifted,
         .measured = drifted,
         .unknown = otherwise});
    add_numbers({{"… angular momentum: largest relative change", 0.0, out.momentum, below(1e-10),
                  "it is stored, and no impulse acts on it"},
                 {"… least energy over that of the start", 0.86, least, {}, nullptr, "", otherwise},
                 {"… largest", 1.22, out.most, {}, nullptr, "", otherwise}},
                e);
  }
}

// The largest h w of 0.5 … 2 at which the variational rule takes so many steps, by bisection.
double find_variational_limit(const Vec3& axis, long steps) {
  double good = 0.5, bad = 2.0;
  while (bad - good > 1e-4) {
    const double middle = 0.5 * (good + bad);
    (spin_variationally(middle / h * axis, steps) ? good : bad) = middle;
  }
  return good;
}

void add_variational(const Effort& effort, Experiment& e) {
  const long steps = effort.quick ? 20000 : 100000;
  const Outcome slow = spin_variationally(near_middle, steps).value();
  const Outcome fast = spin_variationally(6.0 * near_middle, steps).value();
  const Vec3 w = 6.0 * near_middle;
  const Quat truth = find_truth(w, 10.0);
  const double error = spin_variationally(w, 600).value().R.angularDistance(truth);
  const double midpoint = spin_by(by_midpoint, w, 600).R.angularDistance(truth);
  const char* kept = "an invariant of the rule: roundings of 100000 steps, Newton's included";
  add_numbers({{"Variational rule (Moser, Veselov), 1 rad/s: band of the energy", 1e-13, slow.band,
                below(1e-9), kept},
               {"… 6 rad/s", 1e-13, fast.band, below(1e-9), kept},
               {"… angular momentum: largest relative change", 3e-14,
                std::max(slow.momentum, fast.momentum), below(1e-10), kept},
               {"… about a principal axis its equation is solvable up to h w =", 1.0,
                find_variational_limit(Vec3::UnitY(), 1), Band{0.995, 1.0},
                "sin θ = h w; close to the end Newton's method is slow"},
               {"… and 1000 steps of tumbling", 1.0, find_variational_limit(near_middle, 1000),
                Band{0.8, 1.7}, "about 1 in the notes, and by 1.7 there is none"},
               {"… attitude after 10 s at 6 rad/s: error", 0.10, error, {}, nullptr, "rad"},
               {"… more than that of the midpoint rule by a factor of", none, error / midpoint,
                above(1.0), "1.8 in the notes, of another start: the order is asked"}},
              e);
}

void add_attitudes(Experiment& e) {
  const Vec3 w = 6.0 * near_middle;
  const Quat truth = find_truth(w, 10.0);
  const auto error = [&](const Outcome& outcome) { return outcome.R.angularDistance(truth); };
  const double axes = error(spin_by(by_axes, w, 600)), drift = error(spin_by(by_drift, w, 600));
  const double midpoint = error(spin_by(by_midpoint, w, 600));
  const double constant = error(spin_by(Rule::constant, w, 600));
  add_numbers(
      {{"Attitude after 10 s at 6 rad/s: error of turns about the axes",
        3e-3,
        axes,
        {},
        nullptr,
        "rad"},
       {"… of the symmetric-top drift", 1.3e-4, drift, {}, nullptr, "rad"},
       {"… of the midpoint rule", 5.7e-2, midpoint, {}, nullptr, "rad"},
       {"… of the explicit torque",
        2.5,
        error(spin_by(Rule::explicit_torque, w, 600)),
        {},
        nullptr,
        "rad"},
       {"… implicit in body axes",
        3.0,
        error(spin_by(Rule::implicit_body, w, 600)),
        {},
        nullptr,
        "rad"},
       {"The drift is the best of free maps: turns about the axes err more by a factor of", none,
        axes / drift, above(1.0), "23 in the notes, of another start: the order is asked"},
       {"… and the midpoint rule than these", none, midpoint / axes, above(1.0),
        "19 in the notes, of another start: the order is asked"},
       {"Without gyroscopic torque: error of the attitude after 10 s at 6 rad/s", none, constant,
        above(0.5), "a body that does not tumble is simply elsewhere", "rad"}},
      e);
}

}  // namespace

Experiment run_free_rotation(const Effort& effort) {
  Experiment e{.title = "Free rotation, by rules that fail and rules that do not",
               .source = "section 4",
               .paper_says = "Gyroscopic forces are left to future work.",
               .we_did =
                   "A free body of moments 1, 2, 2.5 kg m² that turns about (0.1, 1, 0.1), close "
                   "to its middle axis, h = 1/60 s: rules that the engine does not offer, written "
                   "out, for 100000 steps; its own for " +
                   std::string(effort.quick ? "20000" : "100000") +
                   ". Attitudes after 10 s against Runge and Kutta's method at h/100."};
  add_failures(e);
  add_bands(effort, e);
  const Model model = make_free_body();
  add_definite(model, e);
  add_fallback(model, e);
  add_attitudes(e);
  add_variational(effort, e);
  e.remarks = {
      "The variational rule keeps what the midpoint rule keeps, errs more and has no solution for "
      "fast spins. The engine does not offer it; it is in papers/baselines."};
  return e;
}

}  // namespace ligament::papers
