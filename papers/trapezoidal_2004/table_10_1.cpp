// SPDX-License-Identifier: Apache-2.0
// Table 10.1: errors of the double pendulum at halved steps, beside those that the paper prints.
#include <array>
#include <cmath>

#include "ligament/io/figure/ticks.h"
#include "papers/orders.h"
#include "papers/simulate.h"
#include "papers/trapezoidal_2004/double_pendulum.h"
#include "papers/trapezoidal_2004/experiments.h"

namespace ligament::papers::trapezoidal {
namespace {

// h = 2⁻⁵ … 2⁻¹¹. The paper's columns, and those of a prototype of the scheme with more digits.
constexpr std::array paper_E{2.38e-3, 6.14e-4, 1.54e-4, 3.95e-5, 1.01e-5, 2.42e-6, 6.15e-7};
constexpr std::array<double, 6> paper_ratio{3.88, 3.97, 3.91, 3.92, 4.17, 3.93};
constexpr std::array<double, 6> paper_ratio_g1{4.04, 4.01, 4.00, 4.00, 4.00, 4.01};
constexpr std::array<double, 6> paper_ratio_g2{3.84, 3.88, 3.90, 3.99, 3.99, 4.00};
constexpr std::array paper_g1{-1.27e-3, -3.14e-4, -7.82e-5, -1.95e-5, -4.88e-6, -1.22e-6, -3.05e-7};
constexpr std::array paper_g2{-3.18e-3, -8.29e-4, -2.14e-4, -5.48e-5, -1.37e-5, -3.44e-6, -8.60e-7};
constexpr std::array prototype_E{2.3822e-3, 6.1373e-4, 1.5445e-4, 3.9452e-5,
                                 1.0066e-5, 2.4159e-6, 6.1574e-7};
// With collisions solved for.
constexpr std::array prototype_E_r{2.477e-3, 6.351e-4, 1.569e-4, 3.872e-5,
                                   9.702e-6, 2.420e-6, 6.057e-7};
constexpr std::array prototype_g1{1.267e-3, 3.138e-4, 7.822e-5, 1.954e-5,
                                  4.883e-6, 1.221e-6, 3.049e-7};
constexpr std::array prototype_g2{3.183e-3, 8.285e-4, 2.137e-4, 5.476e-5,
                                  1.371e-5, 3.438e-6, 8.600e-7};

struct Study {
  std::vector<double> h;
  std::vector<double> E, g1, g2;  // the paper's settings
  std::vector<double> v;          // the same of velocities
  std::vector<double> E_r, v_r;   // collisions solved for: positions and velocities
  // Largest relative deviations from the prototype.
  double off_E = 0.0, off_g = 0.0, off_E_r = 0.0;
  std::vector<double> stretching;   // [m²/s] largest |ġ|
  long surplus = 0;                 // most |solves − steps − 15|
  double solves_per_hit = 0.0;      // most beyond one a step, collisions solved for
  double prototype_distance = 0.0;  // [m] from its ends at 2⁻⁵ … 2⁻⁸
};

Study measure(int count, int finest) {
  const DoublePendulum pendulum;
  const std::array<Eigen::Vector4d, 4> ends{
      Eigen::Vector4d(0.0216107695, -1.0004001198, 0.0233708836, -2.0019890455),
      Eigen::Vector4d(0.0218708652, -0.9999177227, 0.0236487014, -2.0003303099),
      Eigen::Vector4d(0.0219400092, -0.9997984078, 0.0237507634, -1.9999036166),
      Eigen::Vector4d(0.0219574405, -0.9997686764, 0.0237624840, -1.9997944277)};
  const Swing truth = pendulum.swing(pendulum.with_solved_collisions(std::exp2(-finest)));
  Study out{.h = halvings(std::exp2(-5), count)};
  for (std::size_t i = 0; i < out.h.size(); ++i) {
    const Swing swing = pendulum.swing(pendulum.with_step(out.h[i]));
    out.E.push_back((swing.q - golden_end()).norm());
    out.g1.push_back(swing.g1);
    out.g2.push_back(swing.g2);
    out.v.push_back((swing.v - truth.v).norm());
    out.stretching.push_back(swing.stretching);
    out.off_E = std::max(out.off_E, std::abs(out.E[i] / prototype_E[i] - 1.0));
    out.off_g = std::max({out.off_g, std::abs(swing.g1 / prototype_g1[i] - 1.0),
                          std::abs(swing.g2 / prototype_g2[i] - 1.0)});
    out.surplus = std::max(out.surplus, std::abs(swing.solves - swing.steps - 15));
    if (i < ends.size())
      out.prototype_distance =
          std::max(out.prototype_distance, (swing.q - ends[i]).lpNorm<Eigen::Infinity>());
    const Swing solved = pendulum.swing(pendulum.with_solved_collisions(out.h[i]));
    out.E_r.push_back((solved.q - golden_end()).norm());
    out.off_E_r = std::max(out.off_E_r, std::abs(out.E_r[i] / prototype_E_r[i] - 1.0));
    out.v_r.push_back((solved.v - truth.v).norm());
    out.solves_per_hit =
        std::max(out.solves_per_hit, static_cast<double>(solved.solves - solved.steps) /
                                         static_cast<double>(solved.impacts.size()));
  }
  return out;
}

using Ratios = std::array<double, 6>;

double compare(const std::vector<double>& ratios, const Ratios& with) {
  double worst = 0.0;
  for (std::size_t i = 0; i < ratios.size(); ++i)
    worst = std::max(worst, std::abs(ratios[i] - with[i]));
  return worst;
}

// The ratios of errors with another gravity.
std::vector<double> measure_ratios(double gravity, int count, int finest) {
  const DoublePendulum pendulum(gravity);
  const Eigen::Vector4d truth =
      pendulum.swing(pendulum.with_solved_collisions(std::exp2(-finest))).q;
  std::vector<double> errors;
  for (const double h : halvings(std::exp2(-5), count))
    errors.push_back((pendulum.swing(pendulum.with_step(h)).q - truth).norm());
  return find_ratios(errors);
}

Table make_table(const Study& study) {
  Table table{.caption =
                  "Table 10.1: the paper's numbers and ours. E is the error of positions at "
                  "2.5 s, g₁ and g₂ are x₁² + y₁² − 1 and the same of the lower rod.",
              .head = {"h", "E paper", "E ours", "ratio paper", "ours", "g₁ paper", "ours",
                       "g₂ paper", "ours", "E, collisions solved for", "ratio"}};
  for (std::size_t i = 0; i < study.h.size(); ++i) {
    const bool first = i == 0;
    table.rows.push_back({format_power(2, -5 - static_cast<int>(i)),
                          fmt::format("{:.2e}", paper_E[i]), fmt::format("{:.4e}", study.E[i]),
                          first ? "" : fmt::format("{:.2f}", paper_ratio[i - 1]),
                          first ? "" : fmt::format("{:.3f}", study.E[i - 1] / study.E[i]),
                          fmt::format("{:.2e}", paper_g1[i]), fmt::format("{:.3e}", study.g1[i]),
                          fmt::format("{:.2e}", paper_g2[i]), fmt::format("{:.3e}", study.g2[i]),
                          fmt::format("{:.4e}", study.E_r[i]),
                          first ? "" : fmt::format("{:.3f}", study.E_r[i - 1] / study.E_r[i])});
  }
  return table;
}

Picture make_picture(const Study& study) {
  Curve ours{.label = "positions", .x = study.h, .y = study.E, .mark = Mark::both};
  Curve paper{.label = "positions, paper", .x = study.h, .mark = Mark::points};
  Curve rods{.label = "lower rod", .x = study.h, .y = study.g2, .mark = Mark::both};
  Curve speeds{.label = "velocities, collisions solved for",
               .x = study.h,
               .y = study.v_r,
               .mark = Mark::both};
  paper.y.assign(paper_E.begin(), paper_E.begin() + static_cast<std::ptrdiff_t>(study.h.size()));
  return {.file = "errors",
          .figure = {.title = "Errors at 2.5 s",
                     .x = {.label = "step h [s]", .logarithmic = true},
                     .y = {.label = "error [m, m², m/s]", .logarithmic = true},
                     .curves = {speeds, rods, ours, paper, make_guide("h²", 2.0, ours, 0.2)}},
          .caption = "Errors of table 10.1: all fall with h². The paper's points lie on ours."};
}

// How many numbers round to something else than what is printed, as far as they were measured.
template <class Printed>
double count_others(const std::vector<double>& found, const Printed& printed,
                    const char* format = "{:.2e}") {
  double others = 0.0;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (fmt::format(fmt::runtime(format), found[i]) !=
        fmt::format(fmt::runtime(format), printed[i]))
      ++others;
  return others;
}

// How many are off by more than a hundredth.
double count_far(const std::vector<double>& found, const std::array<double, 6>& printed) {
  double far = 0.0;
  for (std::size_t i = 0; i < found.size(); ++i) far += std::abs(found[i] - printed[i]) > 0.01;
  return far;
}

std::vector<double> negative(std::vector<double> values) {
  for (double& value : values) value = -value;
  return values;
}

double least(const std::vector<double>& v) { return *std::ranges::min_element(v); }
double most(const std::vector<double>& v) { return *std::ranges::max_element(v); }

void add_claims(const Study& study, bool quick, Experiment& out) {
  const std::vector<double> ratios = find_ratios(study.E);
  const double finest = study.h.back() * study.h.back();
  out.claims = {
      {.text = "Errors of positions deviate from the corrected scheme's, at most by a part of",
       .source = "table 10.1, E_h",
       .expected = 0.0,
       .measured = study.off_E,
       .tolerance = below(1e-4),
       .reason = "five digits are given, of which half a unit is up to 5e-5; as much for roundings "
                 "of LCP solvers"},
      {.text = "Printed errors E_h that differ from ours in their three digits",
       .source = "table 10.1, E_h",
       .expected = quick ? 0.0 : 1.0,
       .measured = count_others(study.E, paper_E),
       .tolerance = exactly(quick ? 0.0 : 1.0),
       .reason = "the last one: 6.157e-7 is printed as 6.15e-7, cut off and not rounded"},
      {.text = "Errors of the rods deviate from the corrected scheme's, at most by a part of",
       .source = "table 10.1, E_1,h and E_2,h",
       .expected = 0.0,
       .measured = study.off_g,
       .tolerance = below(5e-4),
       .reason = "four digits are given, of which half a unit is up to 4e-4",
       .correction = "The columns show −Θ, and the first joint is x₁² + y₁² − 1, not x₁² + x₂² − 1 "
                     "as printed: with these the digits are ours."},
      {.text = "… printed errors that differ from ours in their three digits",
       .source = "table 10.1, E_1,h and E_2,h",
       .expected = 0.0,
       .measured =
           count_others(negative(study.g1), paper_g1) + count_others(negative(study.g2), paper_g2),
       .tolerance = exactly(0.0),
       .reason = "a count of fourteen"},
      {.text = "… printed ratios that differ from ours by more than a unit of their last digit",
       .source = "table 10.1, R_1,h and R_2,h",
       .expected = 0.0,
       .measured = count_far(find_ratios(study.g1), paper_ratio_g1) +
                   count_far(find_ratios(study.g2), paper_ratio_g2),
       .tolerance = exactly(0.0),
       .reason = "a count of twelve; the paper may have divided before or after it rounded"},
      {.text = "Halving the step divides the error by four: smallest ratio",
       .source = "table 10.1, R_0,h",
       .expected = 3.88,
       .measured = least(ratios),
       .tolerance = {3.875, 3.885},
       .reason = "rounds to two decimals; ratios scatter, for hits fall anywhere in a step"},
      {.text = "Halving the step divides the error by four: largest ratio",
       .source = "table 10.1, R_0,h",
       .expected = quick ? 3.97 : 4.17,
       .measured = most(ratios),
       .tolerance = quick ? Band{3.965, 3.975} : Band{4.16, 4.175},
       .reason =
           quick ? "as above" : "as above; 4.166 rounds to 4.17, and 1.01e-5/2.42e-6 to 4.17"},
      {.text = "Mean order of the positions",
       .source = "table 10.1",
       .expected = 2.0,
       .measured = fit_order(study.h, study.E),
       .tolerance = {1.95, 2.05},
       .reason = "the scatter of the ratios averages out"},
      {.text = "Linear complementarity problems beyond one a step and three a hit",
       .source = "section 7",
       .expected = 0.0,
       .measured = static_cast<double>(study.surplus),
       .tolerance = exactly(0.0),
       .reason = "a count: five hits, steps + 15 problems at every step size"},
      {.text = "Distance from the ends of the prototype at 2⁻⁵ … 2⁻⁸",
       .source = "table 10.1",
       .unit = "m",
       .expected = 0.0,
       .measured = study.prototype_distance,
       .tolerance = below(1e-8),
       .reason = "ten digits are given; two programs of the same scheme differ by roundings"},
      {.text = "Drift law: g₁/h² at the finest step",
       .source = "table 10.1, E_1,h",
       .unit = "m²/s²",
       .expected = 1.279,
       .measured = study.g1.back() / finest,
       .tolerance = quick ? within(1.2792, 0.03) : Band{1.2785, 1.2795},
       .reason = quick ? "g = (h²/4) Σ [|v|²] over smooth parts + O(h³): 1.2792 as h → 0"
                       : "rounds to the four digits that are given of this step; 1.2792 as h → 0"},
      {.text = "Drift law: g₂/h² at the finest step",
       .source = "table 10.1, E_2,h",
       .unit = "m²/s²",
       .expected = 3.607,
       .measured = study.g2.back() / finest,
       .tolerance = quick ? within(3.6099, 0.03) : Band{3.6065, 3.6075},
       .reason = "as above, with 3.6099"}};
}

// Variant R: the place of a hit in its step no longer matters.
void add_claims_of_solved_collisions(const Study& study, bool quick, Experiment& out) {
  const auto add = [&](const char* text, double expected, double measured, double room,
                       const char* reason) {
    out.claims.push_back({.text = text,
                          .source = "section 10, collisions",
                          .expected = expected,
                          .measured = measured,
                          .tolerance = {expected - room, expected + room},
                          .reason = reason});
  };
  const std::vector<double> q = find_ratios(study.E_r), v = find_ratios(study.v_r);
  const char* digits = "rounds to two decimals: little scatter is left";
  add("Collisions solved for: ratios of positions, smallest", 3.9, least(q), 0.005, digits);
  add("Collisions solved for: ratios of positions, largest", 4.05, most(q), 0.005, digits);
  const char* truth = "two decimals, and a truth that is itself off by 1/256 of the finest error";
  add("Collisions solved for: ratios of velocities, smallest", 3.77, least(v), 0.02, truth);
  add("Collisions solved for: ratios of velocities, largest", quick ? 3.99 : 4.0, most(v), 0.02,
      truth);
  const std::vector<double> cubic = find_ratios(study.v);
  const auto add_cubic = [&](const char* text, double expected, double measured) {
    out.claims.push_back({.text = text,
                          .source = "section 10, collisions",
                          .expected = expected,
                          .measured = measured,
                          .tolerance = {expected - 0.05, expected + 0.05},
                          .reason = "rounds to the two digits that are given"});
  };
  add_cubic("… with the cubic: ratios of velocities, smallest", 2.7, least(cubic));
  if (!quick) add_cubic("… largest", 8.8, most(cubic));
  out.claims.push_back({.text = "Collisions solved for: problems a hit beyond one a step, the most",
                        .source = "section 10, collisions",
                        .expected = 8.0,
                        .measured = study.solves_per_hit,
                        .unknown = "whether its 4 to 8 count the two phases of the hit and the "
                                   "rest of the step"});
  out.claims.push_back({.text = "Collisions solved for: errors of positions deviate from the "
                                "prototype's, at most by a part of",
                        .source = "section 10, collisions",
                        .expected = 0.0,
                        .measured = study.off_E_r,
                        .tolerance = below(5e-4),
                        .reason = "four digits are given, of which half a unit is up to 2.5e-4"});
}

// What the drift law comes to at a step that is fine enough.
void add_fine_drift(Experiment& out) {
  const DoublePendulum pendulum;
  const double h = std::exp2(-16);
  const Swing fine = pendulum.swing(pendulum.with_step(h));
  const auto add = [&](const char* text, double expected, double g) {
    out.claims.push_back({.text = text,
                          .source = "table 10.1",
                          .unit = "m²/s²",
                          .expected = expected,
                          .measured = g / (h * h),
                          .tolerance = {expected - 5e-4, expected + 5e-4},
                          .reason =
                              "roundings of 2e-16 m² in each of 163840 steps come to 9e-14 m², "
                              "4e-4 h²"});
  };
  add("Drift law: g₁/h² at h = 2⁻¹⁶", 1.2792, fine.g1);
  add("… g₂/h²", 3.6098, fine.g2);
}

// Velocities of the rods ring, by O(h²).
void add_stretching(const Study& study, bool quick, Experiment& out) {
  const auto add = [&](const char* text, double expected, double digit, double measured) {
    out.claims.push_back({.text = text,
                          .source = "(5.5)",
                          .unit = "m²/s",
                          .expected = expected,
                          .measured = measured,
                          .tolerance = {expected - digit, expected + digit},
                          .reason = "rounds to the two digits that are given"});
  };
  add("Rates ġ of the rods at the ends of steps, largest, h = 2⁻⁵", 8.8e-2, 5e-4,
      study.stretching.front());
  if (!quick) add("… h = 2⁻¹¹", 1.8e-5, 5e-7, study.stretching.back());
}

// The same errors with other values of gravity, which the paper does not tell.
void add_gravities(int count, int finest, Experiment& out) {
  struct Other {
    double gravity;
    Ratios ratios;  // of the prototype; 0: not given
  };
  double nearest = 1e300, off = 0.0;
  for (const Other& other : {Other{9.79, {}}, Other{9.80665, {3.89, 3.92, 3.97, 4.05, 3.98, 3.99}},
                             Other{9.81, {3.89, 3.89, 4.01, 4.00, 3.89, 4.11}},
                             Other{10.0, {3.99, 3.96, 3.93, 3.99, 4.05, 3.97}}}) {
    const std::vector<double> ratios = measure_ratios(other.gravity, count, finest);
    nearest = std::min(nearest, compare(ratios, paper_ratio));
    if (other.ratios[0] > 0.0) off = std::max(off, compare(ratios, other.ratios));
  }
  out.claims.push_back({.text = "Ratios of errors with gravity 9.8 are off the printed ones by",
                        .source = "table 10.1",
                        .expected = 0.006,
                        .measured = compare(measure_ratios(9.8, count, finest), paper_ratio),
                        .tolerance = below(0.01),
                        .reason = "two decimals are printed, and the last error was cut off"});
  out.claims.push_back(
      {.text = "… and with 9.79, 9.80665, 9.81 or 10 m/s², by at least",
       .source = "table 10.1",
       .expected = count < 7 ? 0.10 : 0.12,  // by the notes' ratios, which 9.79 has none of
       .measured = nearest,
       .tolerance = above(0.04),
       .reason = "ratios are a fingerprint: they depend on where in its step each hit falls"});
  out.claims.push_back({.text = "… which are then off those of the prototype by at most",
                        .source = "table 10.1",
                        .expected = 0.0,
                        .measured = off,
                        .tolerance = below(0.01),
                        .reason = "two decimals are given, of errors whose truth has its own"});
}

}  // namespace

Experiment show_table_10_1(const Effort& effort) {
  const int count = effort.quick ? 5 : 7, finest = effort.quick ? 13 : 15;
  const Study study = measure(count, finest);
  Experiment out{
      .title = "Second order with impacts",
      .source = "section 10.1, table 10.1",
      .paper_says =
          "Halving the step divides the error of the positions and those of the joints "
          "by about four: the method is of second order, impacts included.",
      .we_did = fmt::format("The double pendulum at h = 2⁻⁵ … {} with the paper's settings, and "
                            "with collisions solved for instead of interpolated. Truth as above.",
                            format_power(2, -4 - count))};
  add_claims(study, effort.quick, out);
  add_claims_of_solved_collisions(study, effort.quick, out);
  add_stretching(study, effort.quick, out);
  if (!effort.quick) add_fine_drift(out);
  add_gravities(count, finest + 2, out);  // ratios need a truth better than 1/1000 of the errors
  out.remarks.push_back(
      "The paper does not say its gravity. Only 9.8 m/s² gives the printed digits.");
  out.tables.push_back(make_table(study));
  out.pictures.push_back(make_picture(study));
  return out;
}

}  // namespace ligament::papers::trapezoidal
