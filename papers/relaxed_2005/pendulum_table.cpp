// SPDX-License-Identifier: Apache-2.0
// The pendulum of section 6.1 number by number: not chaotic, so that all digits must come out.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "papers/printed.h"
#include "papers/relaxed_2005/experiments.h"
#include "papers/relaxed_2005/swing.h"

namespace ligament::papers {
namespace {

Swing swing_spook(const char* theta, const char* compliance = "1e-8", const char* duration = "20") {
  return swing_scene({{"compliance", compliance},
                      {"stepper.type", "spook"},
                      {"damping_steps", theta},
                      {"duration", duration}});
}

// First time at the bottom [s], E(10 s), E(20 s), least and largest E [J], largest and rms Φ [m],
// as they are printed; "": not given.
struct Course {
  std::string name;
  Swing swing;
  std::array<const char*, 7> given;
  bool by_other_code = false;  // a step that has more than one form
};

std::vector<Course> make_courses() {
  const auto regularized = [](const char* c) {
    return swing_scene({{"compliance", c}, {"compliance_floor", "0"}});
  };
  const auto implicit = [](double c) { return swing_penalty(c, GeometricStiffness::kept); };
  const std::array<const char*, 7> rigid{"0.583", "-0.0076",  "-0.0929", "-0.284",
                                         "0.222", "2.769e-3", "1.595e-3"};
  std::array<const char*, 7> stiff = rigid;
  stiff[5] = "2.770e-3";
  std::vector<Course> out;
  out.push_back({"regularized, c = 1e-2",
                 regularized("1e-2"),
                 {"0.683", "-4.34", "-6.01", "-7.87", "0.00", "2.83e-1", "1.46e-1"}});
  out.push_back({"regularized, c = 1e-8", regularized("1e-8"), stiff});
  out.push_back({"regularized, c = 1e-20", regularized("1e-20"), rigid});
  out.push_back({"regularized, c = 0", regularized("0"), rigid});
  out.push_back({"linearly implicit, c = 1e-2",
                 implicit(1e-2),
                 {"0.683", "-10.01", "-10.77", "", "", "2.70e-1", "1.15e-1"}});
  out.push_back({"linearly implicit, c = 1e-6",
                 implicit(1e-6),
                 {"1.250", "-9.988", "-9.998", "", "", "3.5e-4", "6.7e-5"}});
  out.push_back({"linearly implicit, c = 1e-8",
                 implicit(1e-8),
                 {"5.867", "-9.9996", "-10.0000", "", "", "1.7e-5", "6.5e-6"}});
  out.push_back({"linearly implicit, c = 1e-12",
                 implicit(1e-12),
                 {"", "-6.82", "-9.31", "", "", "3.9e-6", "1.7e-6"}});
  out.push_back({"SPOOK, θ = 1/2",
                 swing_spook("0.5"),
                 {"0.583", "0.002", "-0.063", "", "", "2.775e-3", "1.60e-3"}});
  out.push_back({"SPOOK, θ = 2",
                 swing_spook("2"),
                 {"0.583", "-0.239", "-0.443", "", "", "6.846e-3", "3.90e-3"}});
  out.push_back({"exact SHAKE",
                 swing_shake(),
                 {"0.583", "0.080", "-0.060", "-0.225", "0.239", "", ""},
                 true});
  return out;
}

void add_course(const Course& course, Experiment& e) {
  const Swing& s = course.swing;
  struct Quantity {
    const char *text, *unit;
    double measured;
  };
  const Quantity quantities[] = {{"first time at the bottom", "s", s.bottom_time()},
                                 {"energy at 10 s", "J", s.energy_at(10.0)},
                                 {"energy at 20 s", "J", s.energy_at(20.0)},
                                 {"least energy", "J", s.least_energy()},
                                 {"largest energy", "J", s.largest_energy()},
                                 {"largest |Φ|", "m", s.largest_violation()},
                                 {"rms Φ", "m", s.rms_violation()}};
  for (std::size_t i = 0; i < std::size(quantities); ++i) {
    if (*course.given[i] == '\0') continue;
    const Printed given = printed(course.given[i]);
    const Quantity& q = quantities[i];
    e.claims.push_back({.text = fmt::format("{}: {}", course.name, q.text),
                        .source = "section 6.1",
                        .unit = q.unit,
                        .expected = given.value,
                        .measured = q.measured,
                        .tolerance = course.by_other_code ? given.unit() : given.band(),
                        .reason = course.by_other_code
                                      ? "a unit of the last digit: which form of SHAKE is not given"
                                      : "rounds to the last digit that is given"});
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
  e.claims.push_back({.text = "exact SHAKE: largest |Φ|",
                      .source = "section 6.1",
                      .unit = "m",
                      .expected = 2e-16,
                      .measured = swing_shake().largest_violation(),
                      .tolerance = below(1e-15),
                      .reason = "Newton's method to 3e-16: some roundings of a length of 1 m"});
  const char* sizes[] = {"1.097e-2", "2.769e-3", "6.939e-4", "1.736e-4", "4.340e-5"};
  for (std::size_t i = 0; i < std::size(sizes); ++i) {
    const std::string h = fmt::format("1/{}", 30 << i);
    e.claims.push_back(
        {.text = fmt::format("c = 0, h = {} s: largest |Φ|", h),
         .source = "figure 6.10",
         .unit = "m",
         .expected = printed(sizes[i]).value,
         .measured = swing_scene({{"compliance", "0"}, {"compliance_floor", "0"}, {"stepper.h", h}})
                         .largest_violation(),
         .tolerance = printed(sizes[i]).band(),
         .reason = "rounds to the last digit that is given"});
  }
  const Swing half = swing_spook("0.5"), two = swing_spook("2");
  const auto compare = [&](const char* text, const char* given, double measured) {
    e.claims.push_back({.text = text,
                        .source = "section 5 of 2007",
                        .expected = printed(given).value,
                        .measured = measured,
                        .tolerance = printed(given).band(),
                        .reason = "rounds to the last digit that is given"});
  };
  compare("SPOOK with θ = 2 violates more than with θ = ½ by a factor of", "2.5",
          two.largest_violation() / half.largest_violation());
  compare("… and loses more of its energy in 20 s by a factor of", "7",
          two.energy_at(20.0) / half.energy_at(20.0));
  e.claims.push_back({.text = "SPOOK at θ = 0.02 is stable, 60 s: largest energy",
                      .source = "section 5 of 2007",
                      .unit = "J",
                      .expected = std::nan(""),
                      .measured = swing_spook("0.02", "1e-8", "60").largest_energy(),
                      .tolerance = below(0.37),
                      .reason = "no more than the ripple of what is stable, h v g/2 with v² = 20"});
  return e;
}

}  // namespace ligament::papers
