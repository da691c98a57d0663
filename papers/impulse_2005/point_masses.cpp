// SPDX-License-Identifier: Apache-2.0
// Rigid bodies as point masses, and constraints that say nothing new.
#include <algorithm>
#include <cmath>

#include "ligament/math/point_masses.h"
#include "ligament/simulation/point_mass_twin.h"
#include "papers/impulse_2005/experiments.h"
#include "papers/impulse_2005/machines.h"
#include "papers/orders.h"
#include "papers/simulate.h"

namespace ligament::papers::impulse {
namespace {

int rank_of(const Model& model) {
  return model.velocities() - diagnose(model, Impulse{}).degrees_of_freedom;
}

void add_ranks(Experiment& out) {
  const auto rank = [](const char* name, const std::vector<Override>& overrides = {}) {
    return rank_of(read_machine(name, overrides).model);
  };
  const struct {
    const char* text;
    int expected, found;
  } ranks[] = {
      {"Rank of the 28 distances of a cuboid, 3 · 8 − 6", 18, rank("cuboid", {set("hung", 0)})},
      {"… with a corner held, 3 · 7 − 3", 18, rank("cuboid")},
      {"Rank of the 56 distances of two cuboids with a common edge, 3 · 14 − 7", 35,
       rank("two_cuboids")},
      {"Rank of the 6 distances of a face: four points in a plane", 5,
       rank("cuboid", {set("hung", 0), set("corners", 4)})},
      {"Rank of the 20 rows of the four-bar linkage", 17, rank("four_bar")}};
  for (const auto& one : ranks)
    out.claims.push_back({.text = one.text,
                          .source = "section 4, redundancy",
                          .expected = static_cast<double>(one.expected),
                          .measured = static_cast<double>(one.found),
                          .tolerance = exactly(one.expected),
                          .reason = "a count"});
  out.claims.front().correction =
      "Section 4 corrects velocities at a deficient rank only if the right side is in the range of "
      "the matrix. It always is: it is made of velocities of points, b = −G v, and the matrix is "
      "that of G W Gᵀ.";
  out.remarks.emplace_back(
      "Section 4 ties each new point to three old ones by vectors that are independent. Where "
      "points lie in a plane, as those of a face, there are no such vectors: of the six distances "
      "of four points five are independent.");
}

// Mass, centre and inertia of the points against those of the body: the largest deviation.
double compare_inertia() {
  const MassProperties body = box_of_mass({0.5, 0.35, 0.2}, 2.0);
  const std::vector<Vec3> corner{Vec3(0.5, 0.35, 0.2)};
  double worst = 0.0;
  for (const double fraction : {0.01, 0.5, 0.9}) {
    double mass = 0.0;
    Vec3 centre = Vec3::Zero();
    Mat3 inertia = Mat3::Zero();
    for (const PointMass& point : make_point_masses(body, corner, fraction).points) {
      mass += point.mass;
      centre += point.mass * point.x;
      inertia +=
          point.mass * (point.x.squaredNorm() * Mat3::Identity() - point.x * point.x.transpose());
    }
    worst = std::max(
        {worst, std::abs(mass - body.mass), centre.norm(), (inertia - body.inertia).norm()});
  }
  return worst;
}

struct Twins {
  std::vector<double> rigid, points;  // largest errors of a point
};

Twins fly_twins(const Machine& box, const PointMassTwin& twin) {
  const State truth = find_truth(box, 1.0);
  const Machine cloud{.model = twin.model, .start = twin.model.initial_state()};
  Twins out;
  for (const double h : table_steps) {
    const State rigid = fly(box, table_method(h), 1.0).state;
    const State points = fly(cloud, Impulse{.h = h}, 1.0).state;
    const Frame exact = compute_pose(box.model, truth, {1});
    const Frame pose = compute_pose(box.model, rigid, {1});
    double worst_rigid = 0.0, worst_points = 0.0;
    for (const TwinPoint& point : twin.points[1]) {
      const Vec3 x = exact.p + exact.R * point.x;
      worst_rigid = std::max(worst_rigid, (pose.p + pose.R * point.x - x).norm());
      worst_points =
          std::max(worst_points, (compute_pose(twin.model, points, point.particle).p - x).norm());
    }
    out.rigid.push_back(worst_rigid);
    out.points.push_back(worst_points);
  }
  return out;
}

// Errors of the notes, of a box that starts otherwise.
void add_noted_errors(const Twins& twins, Experiment& out) {
  const double noted_rigid[] = {1.07e-3, 2.67e-4, 6.67e-5, 1.67e-5};
  const double noted_points[] = {1.20e-3, 2.99e-4, 7.46e-5, 1.87e-5};
  for (std::size_t i = 0; i < table_steps.size(); ++i)
    for (const bool body : {true, false})
      out.claims.push_back(
          {.text = fmt::format("Largest error of a point {}, h = {}",
                               body ? "of the body" : "of its twin", table_steps[i]),
           .source = "section 3",
           .unit = "m",
           .expected = (body ? noted_rigid : noted_points)[i],
           .measured = (body ? twins.rigid : twins.points)[i],
           .unknown = "its angular velocity at the start, and which points"});
}

}  // namespace

Experiment show_point_masses(const Effort&) {
  Experiment out{
      .title = "Bodies as point masses, and redundancy",
      .source = "section 3; section 4 on redundancy",
      .paper_says =
          "A rigid body can be replaced by point masses with the same mass, centre and "
          "inertia, tied by distances; of these only a full-rank part is needed.",
      .we_did =
          "Ranks of clusters of points. A box of 1 × 0.7 × 0.4 m, 2 kg, that hangs at its "
          "corner for 1 s, as a body and as its twin of 16 masses with all 120 distances."};
  add_ranks(out);
  out.claims.push_back({.text = "Mass, centre and inertia of the twin differ from the body's by",
                        .source = "section 3",
                        .unit = "kg, kg m, kg m²",
                        .expected = 0.0,
                        .measured = compare_inertia(),
                        .tolerance = below(1e-13),
                        .reason = "roundings; for shares 0.01, 0.5 and 0.9 at the corner"});
  const Machine box = read_machine("box_at_corner");
  const PointMassTwin twin =
      make_point_mass_twin(box.model, box.start, {.distances = TwinDistances::all});
  out.claims.push_back({.text = "Masses of the twin",
                        .source = "section 3",
                        .expected = 16.0,
                        .measured = static_cast<double>(twin.points[1].size()),
                        .tolerance = exactly(16.0),
                        .reason = "eight images of the corner and eight more"});
  out.claims.push_back({.text = "… distances between them, 16 · 15/2",
                        .source = "section 3",
                        .expected = 120.0,
                        .measured = static_cast<double>(std::ranges::count(
                            twin.model.joints(), JointKind::distance, &Joint::kind)),
                        .tolerance = exactly(120.0),
                        .reason = "a count"});
  out.claims.push_back({.text = "… rank of these with the ball that holds its corner, 42 + 3",
                        .source = "section 3",
                        .expected = 45.0,
                        .measured = static_cast<double>(rank_of(twin.model)),
                        .tolerance = exactly(45.0),
                        .reason = "a count: 3 · 16 − 6 of the distances"});
  out.claims.push_back(
      {.text = "Degrees of freedom of the twin at its corner",
       .source = "section 3",
       .expected = 3.0,
       .measured = static_cast<double>(diagnose(twin.model, Impulse{}).degrees_of_freedom),
       .tolerance = exactly(3.0),
       .reason = "120 distances of rank 42, less a point that is held"});
  const Twins twins = fly_twins(box, twin);
  const Curve rigid{.label = "rigid body", .x = table_steps, .y = twins.rigid, .mark = Mark::both};
  const Curve points{
      .label = "16 masses, 120 distances", .x = table_steps, .y = twins.points, .mark = Mark::both};
  for (const Curve* curve : {&rigid, &points})
    out.claims.push_back({.text = fmt::format("Order of the path: {}", curve->label),
                          .source = "section 3",
                          .expected = 2.0,
                          .measured = fit_last_order(curve->x, curve->y, 3),
                          .tolerance = {1.95, 2.05},
                          .reason = "both go to the same motion, as h²"});
  out.claims.push_back(
      {.text = "Largest error of a point of the twin over that of the body, h = 0.0025",
       .source = "section 3",
       .expected = 1.12,
       .measured = twins.points.back() / twins.rigid.back(),
       .tolerance = within(1.12, 0.1),
       .reason = "10 %: a prototype had 1.87e-5 m and 1.67e-5 m with points elsewhere"});
  add_noted_errors(twins, out);
  Table table{.caption =
                  "Largest error of a point at 1 s [m]. Where points are depends on how much "
                  "of the mass is put at the corner: here half of what can be.",
              .head = {"h [s]", "rigid body", "16 masses"}};
  for (std::size_t i = 0; i < table_steps.size(); ++i)
    table.rows.push_back({cell(table_steps[i]), cell(twins.rigid[i]), cell(twins.points[i])});
  out.tables.push_back(table);
  out.pictures.push_back({.file = "twin",
                          .figure = {.title = "Box at its corner: largest error of a point at 1 s",
                                     .x = {.label = "step h [s]", .logarithmic = true},
                                     .y = {.label = "error [m]", .logarithmic = true},
                                     .curves = {rigid, points, make_guide("h²", 2.0, rigid)}},
                          .caption = "The body and its twin converge to the same path."});
  return out;
}

}  // namespace ligament::papers::impulse
