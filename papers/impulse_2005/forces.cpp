// SPDX-License-Identifier: Apache-2.0
// Forces other than gravity: where in the step they act decides the order. The step of the paper
// for three point masses on rods, written out, with a spring or with drag; and the engine's own.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "papers/impulse_2005/experiments.h"
#include "papers/impulse_2005/machines.h"
#include "papers/orders.h"
#include "papers/simulate.h"

namespace ligament::papers::impulse {
namespace {

using Vec9 = Eigen::Matrix<double, 9, 1>;
using Rows = Eigen::Matrix<double, 3, 9>;

enum class Rule : unsigned char {
  kicks,           // half of a force before the flight, half after it
  frozen,          // the force of the start for the whole flight
  crank_nicolson,  // half of the drag before and half after, with the rods
  decay            // the same by exponentials, then back to the rods
};

struct Forces {
  double stiffness = 0.0;  // [N/m] from the last mass to the peg
  double drag = 0.0;       // [N s/m] on each mass
};
const Vec3 peg{1.0, -2.0, 0.0};
constexpr double gravity = 9.81;

// The triple pendulum of the tables.
class Chain {
 public:
  Chain(const Machine& machine, const Forces& forces) : forces_(forces) {
    for (std::uint32_t i = 0; i < 3; ++i) {
      x.segment<3>(3 * i) = compute_pose(machine.model, machine.start, {i + 1}).p;
      v.segment<3>(3 * i) = velocity_of(machine.model, machine.start, {i + 1});
    }
    for (int k = 0; k < 3; ++k) half_squares_(k) = 0.5 * find_rod(x, k).squaredNorm();
    W_ << 1, 1, 1, 0.5, 0.5, 0.5, 2, 2, 2;
    fall_ << 0, -gravity, 0, 0, -gravity, 0, 0, -gravity, 0;
  }

  Vec9 x, v;

  void step(Rule rule, double h) {
    brake(rule, 0.5 * h);
    const Vec9 push = accelerate(x);
    if (rule != Rule::frozen) v += 0.5 * h * push;
    fly(h, rule == Rule::frozen ? Vec9(fall_ + push) : fall_);
    if (rule != Rule::frozen) v += 0.5 * h * accelerate(x);
    v += compute_correction(v, W_);
    brake(rule, 0.5 * h);
  }

  // Accelerations with the forces of the rods, for a method of high order.
  void step_by_runge_kutta(double h) {
    const Vec9 x0 = x, v0 = v;
    const auto rate = [&](const Vec9& at, const Vec9& w) {
      const Rows G = find_rows(at), Gdot = find_rows(w);  // rows are linear in the positions
      const Vec9 free = fall_ + accelerate(at) - forces_.drag * W_.cwiseProduct(w);
      const Mat3 S = G * W_.asDiagonal() * G.transpose();
      const Vec3 pull = S.ldlt().solve(-(G * free + Gdot * w));
      return Vec9(free + W_.cwiseProduct(G.transpose() * pull));
    };
    const Vec9 a1 = rate(x0, v0), v2 = v0 + 0.5 * h * a1, a2 = rate(x0 + 0.5 * h * v0, v2);
    const Vec9 v3 = v0 + 0.5 * h * a2, a3 = rate(x0 + 0.5 * h * v2, v3);
    const Vec9 v4 = v0 + h * a3, a4 = rate(x0 + h * v3, v4);
    x = x0 + h / 6.0 * (v0 + 2.0 * v2 + 2.0 * v3 + v4);
    v = v0 + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }

 private:
  static Vec3 find_rod(const Vec9& at, int k) {
    return k == 0 ? Vec3(at.head<3>()) : Vec3(at.segment<3>(3 * k) - at.segment<3>(3 * k - 3));
  }
  // Gradients of |d|²/2.
  static Rows find_rows(const Vec9& at) {
    Rows G = Rows::Zero();
    for (int k = 0; k < 3; ++k) {
      G.block<1, 3>(k, 3 * k) = find_rod(at, k).transpose();
      if (k > 0) G.block<1, 3>(k, 3 * k - 3) = -find_rod(at, k).transpose();
    }
    return G;
  }
  // By the spring.
  Vec9 accelerate(const Vec9& at) const {
    Vec9 out = Vec9::Zero();
    out.tail<3>() = -forces_.stiffness * W_(8) * (at.tail<3>() - peg);
    return out;
  }
  // What W Gᵀ y must add to velocities so that the rods keep their lengths.
  Vec9 compute_correction(const Vec9& w, const Vec9& W) const {
    const Rows G = find_rows(x);
    const Mat3 S = G * W.asDiagonal() * G.transpose();
    return W.cwiseProduct(G.transpose() * Vec3(S.ldlt().solve(-(G * w))));
  }

  void fly(double h, const Vec9& a) {
    const Rows G = find_rows(x);
    Vec9 there = x;
    for (int pass = 0; pass < 30; ++pass) {
      there = x + h * v + 0.5 * h * h * a;
      Vec3 gap;
      for (int k = 0; k < 3; ++k) gap(k) = 0.5 * find_rod(there, k).squaredNorm();
      gap -= half_squares_;
      if (gap.lpNorm<Eigen::Infinity>() <= 1e-13) break;
      const Mat3 K = find_rows(there) * W_.asDiagonal() * G.transpose();
      v += W_.cwiseProduct(G.transpose() * Vec3(K.partialPivLu().solve(-gap / h)));
    }
    x = there;
    v += h * a;
  }

  // Drag for a time, on velocities that the rods allow.
  void brake(Rule rule, double time) {
    const Vec9 rate = forces_.drag * W_;
    if (rule == Rule::decay) {
      v = v.cwiseProduct((-time * rate).array().exp().matrix());
      v += compute_correction(v, W_);
    } else if (rule == Rule::crank_nicolson) {
      // (1 + c W t/2) v⁺ = (1 − c W t/2) v + W Gᵀ y,  G v⁺ = 0
      const Vec9 up = Vec9::Ones() + 0.5 * time * rate, down = Vec9::Ones() - 0.5 * time * rate;
      v = v.cwiseProduct(down).cwiseQuotient(up);
      v += compute_correction(v, W_.cwiseQuotient(up));
    }
  }

  Forces forces_;
  Vec9 W_, fall_;  // 1/m of each coordinate; gravity
  Vec3 half_squares_;
};

const std::vector<double> steps{0.01, 0.005, 0.0025, 0.00125};

// Errors of positions and velocities together at 1 s.
std::vector<double> find_errors(const Machine& machine, const Forces& forces, Rule rule) {
  Chain truth(machine, forces);
  for (int i = 0; i < 8000; ++i) truth.step_by_runge_kutta(1.0 / 8000);
  std::vector<double> out;
  for (const double h : steps) {
    Chain chain(machine, forces);
    for (long i = 0; i < std::lround(1.0 / h); ++i) chain.step(rule, h);
    out.push_back(std::hypot((chain.x - truth.x).norm(), (chain.v - truth.v).norm()));
  }
  return out;
}

std::vector<double> find_engine_errors(const Machine& tied) {
  const State truth = fly(tied, table_method(1.0 / 16384), 1.0).state;
  std::vector<double> out;
  for (const double h : steps) {
    const State end = fly(tied, table_method(h), 1.0).state;
    out.push_back(
        std::hypot(position_error(tied.model, end, truth), velocity_error(tied.model, end, truth)));
  }
  return out;
}

}  // namespace

Experiment show_forces(const Effort&) {
  Experiment out{
      .title = "Other forces",
      .source = "section 1",
      .paper_says = "The method is for any forces; the proofs are for gravity.",
      .we_did =
          "The triple pendulum of the tables over 1 s, h = 0.01 … 0.00125: with a spring of "
          "20 N/m from its last mass to a peg, or with drag of 0.5 N s/m on each mass, by a step "
          "that is written out; and with a spring, and a damper, by the engine. Truth is a "
          "Runge–Kutta method of order four on the accelerations, and the engine's own at "
          "h = 1/16384."};
  const Machine triple = read_machine("triple_pendulum");
  const Forces spring{.stiffness = 20.0}, drag{.drag = 0.5};
  struct Row {
    const char *label, *text;
    double expected;
    std::vector<double> errors;
    const char* unknown = "";
  };
  const std::vector<Row> rows{
      {"spring, kicks", "A force in halves before and after the flight: order", 2.0,
       find_errors(triple, spring, Rule::kicks)},
      {"spring, frozen", "A force frozen over the step: order", 1.0,
       find_errors(triple, spring, Rule::frozen)},
      {"drag, Crank–Nicolson", "Drag in halves by Crank–Nicolson with the rods: order", 2.0,
       find_errors(triple, drag, Rule::crank_nicolson)},
      {"drag, decay", "Drag by exponentials and back to the rods: order, and it falls", 1.93,
       find_errors(triple, drag, Rule::decay), "masses, drag and steps of its chain"},
      {"spring, engine", "A spring of the engine's: order", 2.0,
       find_engine_errors(read_machine("triple_pendulum", {set("k", 20)}))},
      {"spring and damper, engine", "", 0.0,
       find_engine_errors(read_machine("triple_pendulum", {set("k", 20), set("d", 0.5)}))}};
  Figure figure{.title = "Triple pendulum with a spring or drag",
                .x = {.label = "step h [s]", .logarithmic = true},
                .y = {.label = "error at 1 s [m, m/s]", .logarithmic = true},
                .height = 400};
  Table table{.caption = "Errors of positions and velocities at 1 s.", .head = {"rule"}};
  for (const double h : steps) table.head.push_back(cell(h));
  for (const Row& row : rows) {
    const double room = row.expected > 1.5 ? 0.05 : 0.12;
    if (row.expected > 0.0)
      out.claims.push_back({.text = row.text,
                            .source = "section 1",
                            .expected = row.expected,
                            .measured = fit_last_order(steps, row.errors, 3),
                            .tolerance = {row.expected - room, row.expected + room},
                            .reason = "as of the other orders of this paper",
                            .unknown = row.unknown});
    figure.curves.push_back({.label = row.label, .x = steps, .y = row.errors, .mark = Mark::both});
    table.rows.push_back({row.label});
    for (const double error : row.errors) table.rows.back().push_back(cell(error));
  }
  figure.curves.push_back(make_guide("h²", 2.0, figure.curves.front()));
  out.remarks.push_back(fmt::format(
      "Dampers of the engine beside rods are of order {:.2f} here, where Crank–Nicolson with the "
      "rods shows that two is possible: theirs is stable at any stiffness instead.",
      fit_last_order(steps, rows.back().errors, 3)));
  out.tables.push_back(table);
  out.pictures.push_back({.file = "errors",
                          .figure = figure,
                          .caption = "A force that is frozen over the step costs an order."});
  return out;
}

}  // namespace ligament::papers::impulse
