// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/figure/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "ligament/io/figure/ticks.h"

namespace ligament {
namespace {

// Okabe and Ito's, and a grey for guides.
constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                   "#e69f00", "#56b4e9", "#7d8590"};
constexpr const char* dashes[] = {"", "7 3", "2 3", "8 3 2 3"};

constexpr const char* style =
    "text{font:12px 'DejaVu Sans',Verdana,sans-serif;fill:#1c2128}"
    ".title{font-size:14px;font-weight:bold}"
    ".tick{font-size:11px;fill:#57606a}"
    ".grid{stroke:#e1e5ea;stroke-width:1}"
    ".frame{fill:none;stroke:#57606a;stroke-width:1}"
    ".curve{fill:none;stroke-width:1.6;stroke-linejoin:round}"
    "@media (prefers-color-scheme:dark){text{fill:#e6eaef}.tick{fill:#9aa5b1}"
    ".grid{stroke:#2a323c}.frame{stroke:#9aa5b1}.c0{stroke:#4ba3e3}.p0{fill:#4ba3e3}"
    ".c5{stroke:#f0e442}.p5{fill:#f0e442}}"
    "@media print{text{fill:#000}.tick{fill:#333}.grid{stroke:#ddd}.frame{stroke:#333}}";

bool is_shown(double value, const FigureAxis& axis) {
  return std::isfinite(value) && (!axis.logarithmic || value > 0.0);
}

Scale fit_scale(const Figure& figure, bool along_x) {
  const FigureAxis& axis = along_x ? figure.x : figure.y;
  if (axis.range) return {axis.range->first, axis.range->second, axis.logarithmic};
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Curve& curve : figure.curves)
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
      // All times count, also those at which nothing is shown.
      const double value = along_x ? curve.x[i] : curve.y[i];
      if (!is_shown(value, axis)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  return make_scale(low, high, axis.logarithmic, along_x);
}

struct Point {
  double x = 0.0, y = 0.0;  // [px]
};

// Draws one figure into a text.
class Drawing {
 public:
  explicit Drawing(const Figure& figure)
      : figure_(figure), x_(fit_scale(figure, true)), y_(fit_scale(figure, false)) {
    for (const Curve& curve : figure.curves) has_legend_ = has_legend_ || !curve.label.empty();
    if (figure.same_scale) match_scales();
  }

  // The content of an svg element of the figure's size; ids begin with `prefix`.
  std::string draw(const std::string& prefix) {
    draw_axes();
    add("<clipPath id=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
        prefix, left, top(), width(), height());
    add("<g clip-path=\"url(#{})\">\n", prefix);
    for (std::size_t i = 0; i < figure_.curves.size(); ++i)
      draw_curve(figure_.curves[i], colour(i));
    add("</g>\n<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", left, top(),
        width(), height());
    text_ += marks_;
    draw_legend();
    return std::move(text_);
  }

 private:
  static constexpr double left = 76.0, right = 18.0, bottom = 46.0;  // [px] margins

  double top() const { return (figure_.title.empty() ? 12.0 : 32.0) + 20.0 * legend_lines(); }
  double width() const { return figure_.width - left - right; }
  double height() const { return figure_.height - top() - bottom; }
  bool is_in_frame(const Point& point) const {
    return std::abs(point.x - left - 0.5 * width()) < 0.5 * width() + 0.1 &&
           std::abs(point.y - top() - 0.5 * height()) < 0.5 * height() + 0.1;
  }
  double at_x(double x) const { return left + x_.place(x) * width(); }
  double at_y(double y) const { return top() + (1.0 - y_.place(y)) * height(); }

  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }

  // Widens the axis with fewer units a pixel about its middle.
  void match_scales() {
    const double unit_x = (x_.high - x_.low) / width(), unit_y = (y_.high - y_.low) / height();
    const auto widen = [](Scale& scale, double factor) {
      const double middle = 0.5 * (scale.low + scale.high), half = middle - scale.low;
      scale.low = middle - factor * half;
      scale.high = middle + factor * half;
    };
    if (unit_x < unit_y)
      widen(x_, unit_y / unit_x);
    else
      widen(y_, unit_x / unit_y);
  }

  std::size_t colour(std::size_t curve) const {
    const int given = figure_.curves[curve].colour;
    return (given < 0 ? curve : static_cast<std::size_t>(given)) % std::size(colours);
  }

  void draw_axes() {
    if (!figure_.title.empty())
      add("<text class=\"title\" x=\"{}\" y=\"20\">{}</text>\n", left,
          escape_markup(figure_.title));
    for (const Tick& tick : make_ticks(x_, static_cast<int>(width() / 80.0))) {
      const double x = at_x(tick.value);
      add("<line class=\"grid\" x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1:.2f}\" y2=\"{2:.2f}\"/>\n", x,
          top(), top() + height());
      add("<text class=\"tick\" text-anchor=\"middle\" x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", x,
          top() + height() + 16.0, tick.label);
    }
    for (const Tick& tick : make_ticks(y_, static_cast<int>(height() / 45.0))) {
      const double y = at_y(tick.value);
      add("<line class=\"grid\" x1=\"{0:.2f}\" x2=\"{1:.2f}\" y1=\"{2:.2f}\" y2=\"{2:.2f}\"/>\n",
          left, left + width(), y);
      add("<text class=\"tick\" text-anchor=\"end\" x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n",
          left - 6.0, y + 4.0, tick.label);
    }
    add("<text text-anchor=\"middle\" x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", left + 0.5 * width(),
        figure_.height - 10.0, escape_markup(figure_.x.label));
    const double middle = top() + 0.5 * height();
    add("<text text-anchor=\"middle\" transform=\"translate(16 {:.2f}) rotate(-90)\">{}</text>\n",
        middle, escape_markup(figure_.y.label));
  }

  // Runs of points between gaps.
  void draw_curve(const Curve& curve, std::size_t colour) {
    std::vector<Point> run;
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
      if (is_shown(curve.x[i], figure_.x) && is_shown(curve.y[i], figure_.y)) {
        // Far outside is as good as just outside, and fits a drawing program.
        run.push_back({at_x(curve.x[i]), std::clamp(at_y(curve.y[i]), -1e4, 1e4)});
        continue;
      }
      draw_run(run, curve, colour);
      run.clear();
    }
    draw_run(run, curve, colour);
  }

  void draw_run(const std::vector<Point>& run, const Curve& curve, std::size_t colour) {
    if (run.empty()) return;
    if (curve.mark != Mark::points) {
      add("<polyline class=\"curve c{}\" stroke=\"{}\"", colour, colours[colour]);
      if (const char* dash = dashes[static_cast<std::size_t>(curve.dash) % std::size(dashes)];
          *dash)
        add(" stroke-dasharray=\"{}\"", dash);
      add(" points=\"");
      for (const Point& point : reduce(run)) add("{:.2f},{:.2f} ", point.x, point.y);
      add("\"/>\n");
    }
    if (curve.mark == Mark::line) return;
    for (const Point& point : run)
      if (is_in_frame(point))
        fmt::format_to(
            std::back_inserter(marks_),
            "<circle class=\"p{}\" fill=\"{}\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"2.6\"/>\n", colour,
            colours[colour], point.x, point.y);
  }

  // Of the points in each half pixel the first, the lowest, the highest and the last: the same
  // picture from fewer numbers.
  static std::vector<Point> reduce(const std::vector<Point>& run) {
    if (run.size() < 3000) return run;
    std::vector<Point> kept;
    for (std::size_t i = 0; i < run.size();) {
      const double column = std::floor(2.0 * run[i].x);
      std::size_t low = i, high = i, end = i;
      for (; end < run.size() && std::floor(2.0 * run[end].x) == column; ++end) {
        if (run[end].y < run[low].y) low = end;
        if (run[end].y > run[high].y) high = end;
      }
      std::size_t order[] = {i, std::min(low, high), std::max(low, high), end - 1};
      const auto last = std::unique(std::begin(order), std::end(order));
      for (const auto* k = std::begin(order); k != last; ++k) kept.push_back(run[*k]);
      i = end;
    }
    return kept;
  }

  // Keys in lines above the frame. A letter is about seven pixels wide.
  static double key_width(const Curve& curve) {
    const auto letters = std::ranges::count_if(
        curve.label, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
    return 40.0 + 7.2 * static_cast<double>(letters);
  }
  template <class Place>
  int place_keys(const Place& place) const {
    double x = left;
    int line = 0;
    for (std::size_t i = 0; i < figure_.curves.size(); ++i) {
      const Curve& curve = figure_.curves[i];
      if (curve.label.empty()) continue;
      if (x > left && x + key_width(curve) > figure_.width - right) {
        x = left;
        ++line;
      }
      place(i, x, line);
      x += key_width(curve);
    }
    return line + 1;
  }
  int legend_lines() const {
    return has_legend_ ? place_keys([](std::size_t, double, int) {}) : 0;
  }
  void draw_legend() {
    const double first = figure_.title.empty() ? 18.0 : 40.0;
    place_keys([&](std::size_t i, double x, int line) {
      const Curve& curve = figure_.curves[i];
      const double y = first + 20.0 * line;
      const std::size_t c = colour(i);
      if (curve.mark != Mark::points)
        add("<line class=\"c{}\" stroke=\"{}\" stroke-width=\"2.4\" stroke-dasharray=\"{}\" "
            "x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
            c, colours[c], dashes[static_cast<std::size_t>(curve.dash) % std::size(dashes)], x,
            x + 22.0, y, y);
      else
        add("<circle class=\"p{}\" fill=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>\n", c,
            colours[c], x + 11.0, y);
      add("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + 27.0, y + 4.0,
          escape_markup(curve.label));
    });
  }

  const Figure& figure_;
  Scale x_, y_;
  bool has_legend_ = false;
  std::string text_, marks_;  // marks lie on the frame, whole where they touch it
};

std::string open_svg(const Figure& figure) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" role=\"img\" aria-label=\"{2}\">\n",
      figure.width, figure.height, escape_markup(figure.title));
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20 || c == '\t')
      out += c;
  }
  return out;
}

std::string make_svg(const Figure& figure) {
  return fmt::format("{}<style>{}</style>\n{}</svg>\n", open_svg(figure), style,
                     Drawing(figure).draw("plot"));
}

std::string make_svg_element(const Figure& figure, const std::string& id) {
  return open_svg(figure) + Drawing(figure).draw(id) + "</svg>\n";
}

std::string_view figure_style() { return style; }

std::string make_figure_page(const std::string& title, std::span<const Figure> figures) {
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\"><link rel=\"icon\" href=\"data:,\">\n"
      "<title>{0}</title>\n<style>body{{margin:24px auto;max-width:960px;padding:0 12px;"
      "font:16px 'DejaVu Sans',Verdana,sans-serif}}svg{{width:100%;height:auto;margin:8px 0}}{1}"
      "</style></head>\n<body><h1>{0}</h1>\n",
      escape_markup(title), style);
  for (std::size_t i = 0; i < figures.size(); ++i)
    text += make_svg_element(figures[i], fmt::format("plot{}", i));
  return text + "</body></html>\n";
}

}  // namespace ligament
