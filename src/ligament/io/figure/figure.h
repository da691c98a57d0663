// SPDX-License-Identifier: Apache-2.0
// Figures for reports and papers: curves over an axis, as SVG.
//
// A figure is made of vectors and real text, follows the reader's light or dark mode and prints in
// black on white. Curves differ by colour (Okabe and Ito's, for all eyes) and by dashes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ligament {

enum class Mark : unsigned char { line, points, both };

// Points that are not finite, or not positive on a logarithmic axis, are left out and part a line.
struct Curve {
  std::string label{};
  std::vector<double> x{}, y{};  // as many each
  Mark mark = Mark::line;
  int colour = -1;  // index of the palette, negative: the next
  int dash = 0;     // 0: solid
};

struct FigureAxis {
  std::string label{};  // with unit: energy [J]
  bool logarithmic = false;
  std::optional<std::pair<double, double>> range{};  // unset: what the curves need
};

struct Figure {
  std::string title{};
  FigureAxis x{}, y{};
  std::vector<Curve> curves{};
  double width = 640.0, height = 360.0;  // [px] of 1/96 inch
  // Whether x and y have the same scale, as a map: an axis gets more room than it asks for. Not for
  // logarithmic axes.
  bool same_scale = false;
};

// A document by itself.
std::string make_svg(const Figure& figure);

// An svg element for a page that has figure_style(). `id` tells it from the others of the page.
std::string make_svg_element(const Figure& figure, const std::string& id);
std::string_view figure_style();

// Text that can stand in HTML and XML, in quoted attributes too.
std::string escape_markup(std::string_view text);

// A page with the figures one below the other.
std::string make_figure_page(const std::string& title, std::span<const Figure> figures);

}  // namespace ligament
