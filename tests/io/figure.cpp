// SPDX-License-Identifier: Apache-2.0
// Figures: round numbers on the axes, curves where they belong, and text that stays text.

#include "ligament/io/figure/figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "io/xml.h"
#include "ligament/io/figure/ticks.h"

namespace ligament {
namespace {

using testing::ElementsAre;
using testing_xml::Element;

std::vector<std::string> labels_of(const std::vector<Tick>& ticks) {
  std::vector<std::string> labels;
  for (const Tick& tick : ticks) labels.push_back(tick.label);
  return labels;
}

std::vector<Element> find(const Element& from, const std::string& name, const std::string& kind) {
  std::vector<Element> found;
  testing_xml::collect(from, name, kind, found);
  return found;
}

std::vector<std::pair<double, double>> points_of(const Element& polyline) {
  std::istringstream text(polyline["points"]);
  std::vector<std::pair<double, double>> points;
  for (double x = 0.0, y = 0.0; text >> x && text.get() == ',' && text >> y;)
    points.emplace_back(x, y);
  return points;
}

TEST(Ticks, are_round_numbers_with_the_digits_that_they_need) {
  EXPECT_THAT(labels_of(make_ticks({0.0, 10.0, false}, 5)),
              ElementsAre("0", "2", "4", "6", "8", "10"));
  EXPECT_THAT(labels_of(make_ticks({0.0, 1.0, false}, 4)), ElementsAre("0", "0.5", "1.0"));
  EXPECT_THAT(labels_of(make_ticks({-0.3, 0.3, false}, 6)),
              ElementsAre("−0.3", "−0.2", "−0.1", "0", "0.1", "0.2", "0.3"));
  EXPECT_THAT(labels_of(make_ticks({-1e7, 2e7, false}, 6)),
              ElementsAre("−1.0×10⁷", "−5×10⁶", "0", "5×10⁶", "1.0×10⁷", "1.5×10⁷", "2.0×10⁷"));
  EXPECT_THAT(labels_of(make_ticks({0.0, 4e-9, false}, 4)),
              ElementsAre("0", "1×10⁻⁹", "2×10⁻⁹", "3×10⁻⁹", "4×10⁻⁹"));
  EXPECT_THAT(labels_of(make_ticks({9.79, 9.83, false}, 4)),
              ElementsAre("9.79", "9.80", "9.81", "9.82", "9.83"));
}

// Whatever the range, every tick is a whole number of steps, and a step is 1, 2 or 5 times a power
// of ten; they lie within the range, as many as are wanted or fewer, and no two read the same.
TEST(Ticks, of_ranges_of_all_sizes_are_whole_steps) {
  for (const double low : {-3e7, -12.3, -1e-9, 0.0, 1e-7, 0.77, 1234.5, 6.02e23})
    for (const double span : {3.3e-9, 1e-3, 0.4, 1.0, 17.0, 1e5, 9e22}) {
      const double high = low + span;
      if (span < 1e-6 * std::abs(low)) continue;
      const std::vector<Tick> ticks = make_ticks({low, high, false}, 6);
      SCOPED_TRACE(testing::Message() << low << " to " << high);
      ASSERT_GE(ticks.size(), 2U);
      EXPECT_LE(ticks.size(), 8U);
      const double step = ticks[1].value - ticks[0].value;
      const double leading = step / std::pow(10.0, std::floor(std::log10(step) + 1e-6));
      EXPECT_TRUE(std::abs(leading - 1.0) < 1e-3 || std::abs(leading - 2.0) < 1e-3 ||
                  std::abs(leading - 5.0) < 1e-3)
          << leading;
      for (std::size_t i = 0; i < ticks.size(); ++i) {
        EXPECT_NEAR(std::remainder(ticks[i].value, step) / step, 0.0, 1e-3);
        EXPECT_GE(ticks[i].value, low - 1e-6 * span);
        EXPECT_LE(ticks[i].value, high + 1e-6 * span);
        if (i > 0) {
          EXPECT_NE(ticks[i].label, ticks[i - 1].label);
        }
      }
    }
}

TEST(Ticks, of_a_logarithmic_scale_are_the_decades) {
  EXPECT_THAT(labels_of(make_ticks({1e-3, 1e1, true}, 8)),
              ElementsAre("10⁻³", "10⁻²", "10⁻¹", "10⁰", "10¹"));
  const std::vector<Tick> many = make_ticks({1e-12, 1.0, true}, 5);
  ASSERT_EQ(many.size(), 13U);  // a line each
  EXPECT_LE(std::ranges::count_if(many, [](const Tick& t) { return !t.label.empty(); }), 6);
}

// Steps of a study span one or two decades: powers of ten alone would leave most of an axis bare.
TEST(Ticks, of_a_few_decades_are_one_two_and_five_of_each) {
  EXPECT_THAT(labels_of(make_ticks({1.8e-3, 0.03, true}, 6)),
              ElementsAre("0.002", "0.005", "0.01", "0.02"));
  EXPECT_THAT(labels_of(make_ticks({4.0, 220.0, true}, 6)),
              ElementsAre("5", "10", "20", "50", "100", "200"));
  const Scale scale = make_scale(0.0025, 0.02, true, true);
  EXPECT_NEAR(scale.place(0.0025), 0.04 / 1.08, 1e-12);
  EXPECT_NEAR(scale.place(0.02), 1.04 / 1.08, 1e-12);
}

TEST(Scale, puts_a_decade_beside_a_decade_and_has_room_for_all) {
  const Scale scale = make_scale(3e-5, 0.2, true, false);
  EXPECT_DOUBLE_EQ(scale.low, 1e-5);
  EXPECT_DOUBLE_EQ(scale.high, 1.0);
  for (int i = 0; i <= 5; ++i) EXPECT_NEAR(scale.place(std::pow(10.0, i - 5)), i / 5.0, 1e-14);
  // A twentieth at both ends, none where it is tight.
  const Scale loose = make_scale(-1.0, 3.0, false, false),
              tight = make_scale(-1.0, 3.0, false, true);
  EXPECT_DOUBLE_EQ(loose.low, -1.2);
  EXPECT_DOUBLE_EQ(loose.high, 3.2);
  EXPECT_DOUBLE_EQ(tight.place(1.0), 0.5);
  EXPECT_DOUBLE_EQ(tight.low, -1.0);
}

TEST(Scale, of_one_value_or_none_is_still_a_scale) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const bool logarithmic : {false, true})
    for (const auto& [low, high] :
         {std::pair{5.0, 5.0}, {0.0, 0.0}, {-2.0, -2.0}, {infinity, -infinity}, {1e-300, 1e-300}}) {
      const Scale scale = make_scale(low, high, logarithmic, false);
      SCOPED_TRACE(testing::Message() << low << (logarithmic ? " logarithmic" : ""));
      EXPECT_LT(scale.low, scale.high);
      EXPECT_TRUE(std::isfinite(scale.place(0.5 * (scale.low + scale.high))));
      EXPECT_FALSE(make_ticks(scale, 5).empty());
    }
}

// With given ranges the frame says where each point must be.
TEST(Figure, draws_points_where_the_axes_say) {
  Figure figure{.x = {.label = "t [s]", .range = {{0.0, 4.0}}},
                .y = {.label = "error [m]", .logarithmic = true, .range = {{1e-6, 1e-2}}},
                .curves = {{.x = {0.0, 1.0, 4.0}, .y = {1e-6, 1e-4, 1e-2}}}};
  const Element svg = testing_xml::parse(make_svg(figure));
  const Element frame = find(svg, "rect", "frame").at(0);
  const double left = frame.number("x"), top = frame.number("y");
  const double width = frame.number("width"), height = frame.number("height");
  const auto points = points_of(find(svg, "polyline", "curve").at(0));
  ASSERT_EQ(points.size(), 3U);
  // Coordinates are written with two decimals.
  EXPECT_NEAR(points[0].first, left, 0.006);
  EXPECT_NEAR(points[0].second, top + height, 0.006);
  EXPECT_NEAR(points[1].first, left + 0.25 * width, 0.006);
  EXPECT_NEAR(points[1].second, top + 0.5 * height, 0.006);
  EXPECT_NEAR(points[2].first, left + width, 0.006);
  EXPECT_NEAR(points[2].second, top, 0.006);
}

TEST(Figure, what_is_not_finite_parts_a_line) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  Figure figure{
      .curves = {{.x = {0, 1, 2, 3, 4, 5, 6, 7, 8}, .y = {1, 2, nan, 3, 4, infinity, 5, 6, 7}}}};
  const auto lines = find(testing_xml::parse(make_svg(figure)), "polyline", "curve");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(points_of(lines[0]).size(), 2U);
  EXPECT_EQ(points_of(lines[1]).size(), 2U);
  EXPECT_EQ(points_of(lines[2]).size(), 3U);
  // On a logarithmic axis so does what is not positive.
  figure.y.logarithmic = true;
  figure.curves[0].y = {1, 2, 0, 3, -4, 5, 6, 7, 8};
  EXPECT_EQ(find(testing_xml::parse(make_svg(figure)), "polyline", "curve").size(), 3U);
}

TEST(Figure, long_curves_keep_their_peaks_in_fewer_points) {
  Curve curve;
  for (int i = 0; i < 100'000; ++i) {
    curve.x.push_back(i);
    curve.y.push_back(i == 54'321 ? 10.0 : std::sin(0.37 * i));
  }
  Figure figure{.y = {.range = {{-10.0, 10.0}}}, .curves = {curve}};
  const Element svg = testing_xml::parse(make_svg(figure));
  const auto points = points_of(find(svg, "polyline", "curve").at(0));
  EXPECT_LT(points.size(), 6000U);
  const double top = find(svg, "rect", "frame").at(0).number("y");
  const auto highest = std::ranges::min_element(points, {}, [](const auto& p) { return p.second; });
  EXPECT_NEAR(highest->second, top, 0.006);
}

TEST(Figure, text_stays_text) {
  const std::string evil = "a < b && \"c\" > </text><script>\x01";
  Figure figure{.title = evil,
                .x = {.label = evil},
                .y = {.label = evil},
                .curves = {{.label = evil, .x = {0, 1}, .y = {0, 1}}}};
  const Element svg = testing_xml::parse(make_svg(figure));
  const std::string shown = evil.substr(0, evil.size() - 1);  // no control characters in XML
  EXPECT_EQ(svg["aria-label"], shown);
  EXPECT_EQ(find(svg, "text", "title").at(0).text, shown);
  std::size_t times = 0;
  for (const Element& child : svg.children) times += child.name == "text" && child.text == shown;
  EXPECT_EQ(times, 4U);
}

TEST(Figure, is_well_formed_whatever_it_is_given) {
  const double nan = std::nan("");
  for (const Figure& figure : std::vector<Figure>{
           {},
           {.curves = {{}}},
           {.curves = {{.label = "nothing", .x = {nan}, .y = {nan}}}},
           {.curves = {{.x = {1}, .y = {1e300}}, {.x = {2}, .y = {-1e300}, .mark = Mark::points}}},
           {.y = {.logarithmic = true}, .curves = {{.x = {0, 1}, .y = {-1, 0}}}},
           {.curves = std::vector<Curve>(30, {.label = "one of many curves",
                                             .x = {0, 1},
                                             .y = {1, 2},
                                             .mark = Mark::both,
                                             .dash = 3})}}) {
    const std::string text = make_svg(figure);
    EXPECT_NO_THROW(testing_xml::parse(text)) << text;
    EXPECT_THAT(text, testing::Not(testing::ContainsRegex("nan|inf[^o]")));
  }
}

}  // namespace
}  // namespace ligament
