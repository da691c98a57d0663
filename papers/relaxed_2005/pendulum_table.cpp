// SPDX-License-Identifier: Apache-2.0
// The pendulum of section 6.1 number by number: not chaotic, so that all digits must come out.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "papers/relaxed_2005/experiments.h"
#include "papers/relaxed_2005/swing.h"

namespace ligament::papers {
namespace {

// First time at the bottom [s], E(10 s), E(20 s), least and largest E [J], largest and rms Φ [m];
// NaN: not given.
constexpr double none = std::numeric_limits<double>::quiet_NaN();
struct Course {
  std::string name;
  Swing swing;
  std::array<double, 7> given;
};

std::vector<Course> make_courses() {
  const auto regularized = [](const char* c) {
    return swing_scene({{"compliance", c}, {"compliance_floor", "0"}});
  };
  const auto spook = [](const char* theta) {
    return swing_scene(
        {{"compliance", "1e-8"}, {"stepper.type", "spook"}, {"damping_steps", theta}});
  };
  const std::array<double, 7> stiff{.583, -.0076, -.0929, -.284, .222, 2.77e-3, 1.595e-3};
  std::vector<Course> out;
  out.push_back(
      {"regularized, c = 1e-2", regularized("1e-2"), {.683, -4.34, -6.01, -7.87, 0, .283, .146}});
  out.push_back({"regularized, c = 1e-8", regularized("1e-8"), stiff});
  out.push_back({"regularized, c = 1e-20", regularized("1e-20"), stiff});
  out.push_back({"regularized, c = 0", regularized("0"), stiff});
  out.push_back({"linearly implicit, c = 1e-2",
                 swing_penalty(1e-2, GeometricStiffness::kept),
                 {.683, -10.01, -10.77, none, none, .270, .115}});
  out.push_back({"linearly implicit, c = 1e-6",
                 swing_penalty(1e-6, GeometricStiffness::kept),
                 {1.25, -9.988, -9.998, none, none, 3.5e-4, 6.7e-5}});
  out.push_back({"linearly implicit, c = 1e-8",
                 swing_penalty(1e-8, GeometricStiffness::kept),
                 {5.867, -9.9996, -10.0, none, none, 1.7e-5, 6.5e-6}});
  out.push_back({"linearly implicit, c = 1e-12",
                 swing_penalty(1e-12, GeometricStiffness::kept),
                 {none, -6.82, -9.31, none, none, 3.9e-6, 1.7e-6}});
  out.push_back(
      {"SPOOK, θ = 1/2", spook("0.5"), {.583, .002, -.063, none, none, 2.775e-3, 1.6e-3}});
  out.push_back({"SPOOK, θ = 2", spook("2"), {.583, -.239, -.443, none, none, 6.846e-3, 3.9e-3}});
  out.push_back({"exact SHAKE", swing_shake(), {.583, .080, -.060, -.225, .239, none, none}});
  return out;
}

void add_course(const Course& course, Experiment& e) {
  const Swing& s = course.swing;
  struct Quantity {
    const char *text, *unit;
    double measured, room;  // relative, and absolute
    double least;
  };
  const Quantity quantities[] = {{"first time at the bottom", "s", s.bottom_time(), 0.0, 1.0 / 600},
                                 {"energy at 10 s", "J", s.energy_at(10.0), 1e-3, 6e-4},
                                 {"energy at 20 s", "J", s.energy_at(20.0), 1e-3, 6e-4},
                                 {"least energy", "J", s.least_energy(), 2e-3, 6e-4},
                                 {"largest energy", "J", s.largest_energy(), 2e-3, 6e-4},
                                 {"largest |Φ|", "m", s.largest_violation(), 0.03, 0.0},
                                 {"rms Φ", "m", s.rms_violation(), 0.01, 0.0}};
  for (std::size_t i = 0; i < std::size(quantities); ++i) {
    const double given = course.given[i];
    if (std::isnan(given)) continue;
    const Quantity& q = quantities[i];
    const double room = std::max(q.room * std::abs(given), q.least);
    e.claims.push_back({.text = fmt::format("{}: {}", course.name, q.text),
                        .source = "section 6.1",
                        .unit = q.unit,
                        .expected = given,
                        .measured = q.measured,
                        .tolerance = {given - room, given + room},
                        .reason = "a unit of the last digit that is given"});
  }
}

}  // namespace

Experiment run_pendulum_table(const Effort&) {
  Experiment e{.title = "Pendulum: number by number",
               .source = "section 6.1",
               .paper_says = "The figures have no numbers; these are of the notes' prototype.",
               .we_did =
                   "The pendulum as above, h = 1/60 s, 20 s, by the regularized stepper, linearly "
                   "implicit Euler and SPOOK; then other steps and dampings."};
  for (const Course& course : make_courses()) add_course(course, e);
  const std::array<double, 5> sizes{1.097e-2, 2.769e-3, 6.939e-4, 1.736e-4, 4.340e-5};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::string h = fmt::format("1/{}", 30 << i);
    e.claims.push_back(
        {.text = fmt::format("c = 0, h = {} s: largest |Φ|", h),
         .source = "figure 6.10",
         .unit = "m",
         .expected = sizes[i],
         .measured = swing_scene({{"compliance", "0"}, {"compliance_floor", "0"}, {"stepper.h", h}})
                         .largest_violation(),
         .tolerance = within(sizes[i], 1e-3),
         .reason = "four digits are given"});
  }
  const auto spook = [](const char* theta) {
    return swing_scene(
        {{"compliance", "1e-8"}, {"stepper.type", "spook"}, {"damping_steps", theta}});
  };
  const Swing half = spook("0.5"), two = spook("2");
  const auto compare = [&](const char* text, double expected, double measured, Band band) {
    e.claims.push_back({.text = text,
                        .source = "section 5 of 2007",
                        .expected = expected,
                        .measured = measured,
                        .tolerance = band,
                        .reason = "one or two digits are given"});
  };
  compare("SPOOK with θ = 2 violates more than with θ = ½ by a factor of", 2.5,
          two.largest_violation() / half.largest_violation(), {2.4, 2.6});
  compare("… and loses more of its energy in 20 s by a factor of", 7.0,
          two.energy_at(20.0) / half.energy_at(20.0), {6.5, 7.5});
  const Swing damped = swing_scene({{"compliance", "1e-8"},
                                    {"stepper.type", "spook"},
                                    {"damping_steps", "0.02"},
                                    {"duration", "60"}});
  e.claims.push_back({.text = "SPOOK at θ = 0.02 is stable, 60 s: largest energy",
                      .source = "section 5 of 2007",
                      .unit = "J",
                      .expected = 0.222,
                      .measured = damped.largest_energy(),
                      .tolerance = below(1.0),
                      .reason = "a tenth of what there is to fall, where θ = 0 gives 1e8"});
  return e;
}

}  // namespace ligament::papers
