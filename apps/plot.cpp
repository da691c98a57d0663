// SPDX-License-Identifier: Apache-2.0
// ligament plot DIR: figures of a run, or of runs that were compared.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "apps/png.h"
#include "ligament/io/csv_table.h"
#include "ligament/io/figure/figure.h"
#include "ligament/io/nearest.h"
#include "ligament/io/quantities.h"
#include "ligament/io/results.h"

namespace ligament::apps {
namespace {

struct PlotArguments {
  std::string folder;
  std::string out;
  std::vector<std::string> what;
  std::string format = "svg";
};

// The tables of one run.
struct Run {
  std::string label;
  CsvTable history;
  CsvTable trajectory{};  // empty until a column of it is asked for
  std::filesystem::path folder;
};

bool has_run(const std::filesystem::path& folder) {
  std::error_code ignored;
  return is_regular_file(folder / "history.csv", ignored);
}

// The run in the folder, or those in folders in it, by name.
std::vector<Run> find_runs(const std::filesystem::path& folder) {
  std::error_code error;
  if (!is_directory(folder, error))
    throw InputError(fmt::format("{}: there is no such folder", folder.string()));
  std::vector<std::filesystem::path> found;
  if (has_run(folder)) {
    found.push_back(folder);
  } else {
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
      if (has_run(entry.path())) found.push_back(entry.path());
    std::ranges::sort(found);
  }
  if (found.empty())
    throw InputError(fmt::format("{}: holds no results of `ligament run` (history.csv is missing)",
                                 folder.string()));
  std::vector<Run> runs;
  for (const auto& path : found)
    runs.push_back({.label = found.size() > 1 ? path.filename().string() : "",
                    .history = read_csv(path / "history.csv"),
                    .folder = path});
  return runs;
}

std::string join_label(const std::string& what, const Run& run) {
  return run.label.empty() ? what : fmt::format("{}, {}", what, run.label);
}

// One colour a run and one kind of dashes a quantity, or one colour a quantity of the only run.
void add_curve(const std::vector<Run>& runs, std::size_t run, int number, std::string label,
               const std::vector<double>& values, Figure& figure) {
  const CsvTable& table = runs[run].history;
  const std::vector<double>* times = table.find("t");
  const bool several = runs.size() > 1;
  figure.curves.push_back({.label = join_label(label, runs[run]),
                           .x = times ? *times : std::vector<double>(),
                           .y = values,
                           .colour = several ? static_cast<int>(run) : number,
                           .dash = several ? number : 0});
}

std::optional<Figure> make_group_figure(const std::vector<Run>& runs, const std::string& what) {
  const auto group = std::ranges::find(quantity_groups, what, &QuantityGroup::name);
  if (group == quantity_groups.end()) return std::nullopt;
  Figure figure{
      .title = group->title, .x = {.label = "time [s]"}, .y = {.logarithmic = group->logarithmic}};
  for (std::size_t run = 0; run < runs.size(); ++run) {
    int number = 0;
    for (const Quantity& quantity : quantities) {
      if (what != quantity.group) continue;
      const std::vector<double>* values = runs[run].history.find(quantity.name);
      if (!values)
        throw InputError(fmt::format("{}: has no column {}",
                                     (runs[run].folder / "history.csv").string(), quantity.name));
      add_curve(runs, run, number++, quantity.label, *values, figure);
      figure.y.label = *quantity.unit ? fmt::format("{} [{}]", group->title, quantity.unit)
                                      : std::string(group->title);
    }
  }
  return figure;
}

std::optional<Figure> make_column_figure(std::vector<Run>& runs, const std::string& what) {
  Figure figure{.title = what, .x = {.label = "time [s]"}, .y = {.label = what}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Run& run = runs[i];
    const std::vector<double>* values = run.history.find(what);
    if (!values) {
      if (run.trajectory.names.empty()) run.trajectory = read_csv(run.folder / "trajectory.csv");
      values = run.trajectory.find(what);
    }
    if (!values) return std::nullopt;
    add_curve(runs, i, 0, run.label.empty() ? "" : what, *values, figure);
  }
  if (runs.size() == 1) figure.curves.front().label.clear();
  return figure;
}

std::vector<std::string_view> known_names(const std::vector<Run>& runs) {
  std::vector<std::string_view> names;
  for (const QuantityGroup& group : quantity_groups) names.emplace_back(group.name);
  for (const Run& run : runs) {
    for (const CsvTable* table : {&run.history, &run.trajectory})
      names.insert(names.end(), table->names.begin(), table->names.end());
  }
  return names;
}

// The figures that say something: quantities that are 0 all the time are left out.
std::vector<std::string> choose_figures(const std::vector<Run>& runs) {
  std::vector<std::string> chosen;
  for (const QuantityGroup& group : quantity_groups) {
    const auto figure = make_group_figure(runs, group.name);
    const bool says = std::ranges::any_of(figure->curves, [](const Curve& curve) {
      return std::ranges::any_of(curve.y, [](double y) { return y != 0.0; });
    });
    if (says) chosen.emplace_back(group.name);
  }
  return chosen;
}

std::string file_name_of(const std::string& what) {
  std::string name;
  for (const char c : what)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' ? c : '-';
  return name;
}

int plot_results(const PlotArguments& arguments) {
  std::vector<Run> runs = find_runs(arguments.folder);
  const std::vector<std::string> what =
      arguments.what.empty() ? choose_figures(runs) : arguments.what;
  std::vector<Figure> figures;
  for (const std::string& name : what) {
    auto figure = make_group_figure(runs, name);
    if (!figure) figure = make_column_figure(runs, name);
    if (!figure)
      throw InputError(fmt::format("--what {}: there is no such quantity: {}", name,
                                   suggest(name, known_names(runs))));
    figures.push_back(*std::move(figure));
  }
  std::filesystem::path out = arguments.out;
  if (out.empty()) out = std::filesystem::path(arguments.folder) / "plots";
  ResultsFolder folder(out);
  std::vector<std::string> files;
  if (arguments.format == "html") {
    files.emplace_back("plots.html");
    write_text(
        folder.part(files.back()),
        make_figure_page(std::filesystem::path(arguments.folder).filename().string(), figures));
  }
  for (std::size_t i = 0; arguments.format != "html" && i < figures.size(); ++i) {
    files.push_back(fmt::format("{}.{}", file_name_of(what[i]), arguments.format));
    const std::string svg = make_svg(figures[i]);
    if (arguments.format == "svg")
      write_text(folder.part(files.back()), svg);
    else
      write_png(svg, figures[i].width, figures[i].height, 2.0, folder.part(files.back()));
  }
  if (!files.empty()) folder.publish(files);
  for (const std::string& file : files) fmt::print("{}\n", (out / file).string());
  return ok;
}

}  // namespace

void add_plot_command(CLI::App& app, int& exit_code) {
  CLI::App* plot = app.add_subcommand("plot", "Draw figures of results");
  auto arguments = std::make_shared<PlotArguments>();
  plot->add_option("DIR", arguments->folder, "A results folder of `ligament run`")->required();
  std::string names;
  for (const QuantityGroup& group : quantity_groups)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", group.name);
  plot->add_option("--what", arguments->what,
                   fmt::format("What to draw, with commas between: {}, or a column of "
                               "trajectory.csv (default: all that is not 0)",
                               names))
      ->type_name("NAME,…")
      ->delimiter(',');
  plot->add_option("--format", arguments->format, "svg (default), png, or html: one page for all")
      ->check(CLI::IsMember({"svg", "png", "html"}));
  plot->add_option("--out", arguments->out, "Folder for the figures (default: DIR/plots)")
      ->type_name("FOLDER");
  plot->callback([arguments, &exit_code] { exit_code = plot_results(*arguments); });
}

}  // namespace ligament::apps
