// SPDX-License-Identifier: Apache-2.0
// Figures 2 and 3: the ladder, counted and let go.
#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "ligament/io/replay/replay.h"
#include "ligament/steppers/words.h"
#include "papers/spook_2007/experiments.h"
#include "papers/spook_2007/fall.h"

namespace ligament::papers {
namespace {

constexpr int cells = 20;

// All rods of a pose, in the plane.
Curve draw_pose(const Model& model, const State& state) {
  Curve curve{.label = fmt::format("{:.0f} s", state.t)};
  const auto add = [&](double x, double z) {
    curve.x.push_back(x);
    curve.y.push_back(z);
  };
  for (const Body& body : model.bodies()) {
    if (body.kind != BodyKind::rod) continue;
    const Vec3 x = state.q.segment<3>(body.q_offset), u = state.q.segment<3>(body.q_offset + 3);
    const Vec3 tail = x - 0.5 * body.length * u, head = x + 0.5 * body.length * u;
    add(tail.x(), tail.z());
    add(head.x(), head.z());
    add(std::nan(""), std::nan(""));  // a gap
  }
  return curve;
}

void add_counts(const Scene& scene, Experiment& e) {
  const Model& model = scene.model;
  std::vector<int> rows, columns;
  const int joints = static_cast<int>(model.joints().size()), rods = model.moving_bodies();
  for (int c = 0; c < model.velocities(); ++c)
    if (c % 3 != 1) columns.push_back(c);
  for (int r = 0; r < 3 * joints; ++r)
    if (r % 3 != 1) rows.push_back(r);
  for (int r = 0; r < rods; ++r) rows.push_back(3 * joints + r);  // unit lengths
  e.claims.push_back(
      {.text = "Velocities and multipliers of the ladder of 20 cells in its plane",
       .source = "section 6",
       .expected = 467.0,
       .measured = static_cast<double>(rows.size() + columns.size()),
       .tolerance = exactly(467.0),
       .correction = "The text says 427 variables. That is 7 a rod for 61 rods, as if they were a "
                     "chain: it misses the 2 N = 40 rows that close the loops. There are 4 n + "
                     "2 (4 N + 1) + n = 23 N + 7 = 467 unknowns."});
  Workspace work(model);
  build_rows(model, model.initial_state(), work);
  const VecX sizes =
      Eigen::JacobiSVD<MatX>(make_dense(work.problem.G)(rows, columns)).singularValues();
  e.claims.push_back({.text = "Rank of its rows: all of them say something new",
                      .source = "section 6",
                      .expected = static_cast<double>(plane_rows(cells)),
                      .measured = static_cast<double>(
                          std::ranges::count_if(sizes, [](double s) { return s > 1e-9; })),
                      .tolerance = exactly(plane_rows(cells)),
                      .reason = "singular values above 1e-9; N + 1 degrees of freedom are left"});
}

}  // namespace

Experiment run_ladder(const Effort& effort) {
  Experiment e{
      .title = "Ladder: counted, and let go",
      .source = "section 6, figures 2 and 3",
      .paper_says =
          "A ladder of N = 20 square cells of rods, one corner tied to the origin, falls. "
          "This is a moderate problem of 427 variables in the plane. Whiplash develops at "
          "the end after a few oscillations.",
      .we_did =
          "Rods of 10 kg and 1 m, g = 10 m/s², h = 1/60 s, ε = 1e-8, τ = 2 h, horizontal and "
          "at rest at the start. Scene papers/spook_2007/ladder.json. Our rods live in space; "
          "the motion stays in the plane to the last bit, and rows and columns of the plane "
          "are counted."};
  const Scene scene = read_ladder(cells);
  add_counts(scene, e);
  Recorder recorder(scene);
  Figure figure{.title = "The ladder every second",
                .x = {.label = "x [m]"},
                .y = {.label = "z [m]"},
                .height = 520,
                .same_scale = true};
  double off_plane = 0.0;
  const auto watch = [&](const Sample& sample) {
    if (!effort.page.empty()) recorder.record(sample);
    if (sample.step % 60 == 0 && sample.step <= 300)
      figure.curves.push_back(draw_pose(sample.model, sample.state));
    for (int c = 1; c < sample.state.v.size(); c += 3)
      off_plane = std::max(off_plane, std::abs(sample.state.v(c)));
  };
  State state = scene.model.initial_state();
  const RunReport report =
      run(scene.model, scene.stepper, state, {.steps = scene.steps, .observers = {watch}});
  e.claims.push_back({.text = "It falls for 10 s at 60 steps a second: steps taken",
                      .source = "figure 3",
                      .expected = 600.0,
                      .measured = static_cast<double>(report.steps),
                      .tolerance = exactly(600.0)});
  e.claims.push_back({.text = "… and never leaves its plane: largest speed across",
                      .source = "figure 3",
                      .unit = "m/s",
                      .expected = 0.0,
                      .measured = off_plane,
                      .tolerance = exactly(0.0),
                      .reason = "the third direction shares no row with the others: not even "
                                "rounding leaves the plane"});
  e.pictures.push_back({"snapshots", std::move(figure), "Figure 3: the fall, up to the whiplash"});
  if (!effort.page.empty()) {
    const ReplayRun run{recorder, report, ""};
    e.attachments.push_back({"spook-2007-ladder.html", make_replay(effort.page, {&run, 1}),
                             "Replay of the fall, in three dimensions"});
  }
  e.remarks = {
      "No figure of the paper could be seen: the start, g and the form of the unit rows, "
      "(u·u − 1)/2, are our reading of the text."};
  return e;
}

}  // namespace ligament::papers
