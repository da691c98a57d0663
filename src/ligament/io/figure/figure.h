// SPDX-License-Identifier: Apache-2.0
// Figures for reports and papers: curves over an axis, as SVG.
//
// A figure is made of vectors and real text, follows the reader's light or dark mode and prints in
// black on white. Curves differ by colour (Okabe and Ito's, for all eyes) and by dashes.
#pragma once

#include <optional>
#include <span>
#include <string>
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
};

// A document by itself.
std::string make_svg(const Figure& figure);

// A page with the figures one below the other.
std::string make_figure_page(const std::string& title, std::span<const Figure> figures);

}  // namespace ligament
