// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "ligament/solvers/gauss_seidel/lanes.h"
#include "ligament/solvers/gauss_seidel/packing.h"

namespace ligament::gauss_seidel {
namespace {

// ---- what a row block is, read off its numbers

struct Contact {
  Rule rule = Rule::coulomb;
  double mu = 0.0;
  int row = 0;                   // first row in the problem
  int body_a = -1, body_b = -1;  // −1: none
  Vec3 n, t;                     // first rows of C
  Vec3 r_a, r_b;                 // [m], 0 without a body
};

// Three rows of three columns of G, a row a lane. (The fourth lane means nothing.)
struct Rows {
  Lanes3 row;

  // Columns first … first + 2 of a block of 3 × 6 numbers.
  Rows(const double* G, int first) {
    const double* at = G + 3 * first;
    const Lanes last = load_unaligned(at + 5);  // not at + 6, to stay within the block
    row = {load_unaligned(at), load_unaligned(at + 3),
           __builtin_shufflevector(last, last, 1, 2, 3, 3)};
  }
  // The rows the other way round: t, s, n for n, t, s.
  static Lanes3 turned(const Lanes3& x) {
    const auto turn = [](const Lanes& y) { return __builtin_shufflevector(y, y, 1, 2, 0, 3); };
    return {turn(x.x), turn(x.y), turn(x.z)};
  }
};

// Whether all numbers of three rows are within the given distance of zero.
bool are_small(const Lanes3& x, double size) {
  const Lanes most = max(max(absolute(x.x), absolute(x.y)), absolute(x.z));
  return most[0] <= size && most[1] <= size && most[2] <= size;
}

// 1 if C is a rotation, −1 if it is minus a rotation, otherwise 0: each row of a rotation is the
// cross product of the other two, and no other matrix but zero has that.
int handedness(const Lanes3& C) {
  const Lanes3 next = Rows::turned(C), third = Rows::turned(next), product = cross(C, next);
  const double determinant = dot(product, third)[0];
  if (determinant > 0.5) return are_small(product - third, same) ? 1 : 0;
  if (determinant < -0.5) return are_small(product + third, same) ? -1 : 0;
  return 0;
}

// r with turn = C [r]ₓᵀ, whose rows are r × c_i: then Σ c_i × (r × c_i) = 2 r. False if there is
// none.
bool read_arm(const Lanes3& C, const Lanes3& turn, Vec3& r) {
  const Lanes3 product = cross(C, turn);
  const auto half_sum = [](const Lanes& x) { return 0.5 * (x[0] + x[1] + x[2]); };
  r = {half_sum(product.x), half_sum(product.y), half_sum(product.z)};
  const Lanes3 rebuilt = cross({all(r.x()), all(r.y()), all(r.z())}, C);
  return are_small(rebuilt - turn, same * r.cwiseAbs().maxCoeff());
}

bool read_law(const Law& law, Contact& out) {
  const Coulomb* coulomb = std::get_if<Coulomb>(&law);
  const Cone* cone = std::get_if<Cone>(&law);
  if (!coulomb && !cone) return false;
  out.rule = coulomb ? Rule::coulomb : Rule::cone;
  out.mu = coulomb ? coulomb->mu : cone->mu;
  return true;
}

// Whether row block i is a contact of two rigid bodies, or of one, with friction; then `out` is it.
// The sign of C says which body is which.                                                 [GS.5]
bool read_contact(const StepProblem& problem, std::size_t i, Contact& out) {
  const RowBlock& block = problem.G.blocks[i];
  if (block.rows != 3 || block.entries < 1 || block.entries > 2) return false;
  if (!read_law(problem.laws[i], out)) return false;
  out.row = block.first_row;
  if (problem.Sigma(out.row + 1) != problem.Sigma(out.row + 2)) return false;

  const std::span<const BlockEntry> entries = problem.G.entries_of(block);
  if (entries[0].columns != 6) return false;
  const double* G = problem.G.entry_values(entries[0]);
  const Lanes3 C = Rows(G, 0).row;
  const int side = handedness(C);
  if (side == 0) return false;
  const bool first_is_b = side > 0;
  out.n = side * Vec3(C.x[0], C.y[0], C.z[0]);
  out.t = side * Vec3(C.x[1], C.y[1], C.z[1]);
  out.body_a = out.body_b = -1;
  out.r_a = out.r_b = Vec3::Zero();
  (first_is_b ? out.body_b : out.body_a) = entries[0].body;
  if (!read_arm(C, Rows(G, 3).row, first_is_b ? out.r_b : out.r_a)) return false;
  if (entries.size() == 1) return true;

  if (entries[1].columns != 6) return false;
  const double* other = problem.G.entry_values(entries[1]);
  const Lanes3 minus_C = Rows(other, 0).row;
  (first_is_b ? out.body_a : out.body_b) = entries[1].body;
  return are_small(C + minus_C, same) &&
         read_arm(minus_C, Rows(other, 3).row, first_is_b ? out.r_a : out.r_b);
}

// ---- four that share no body

// Contacts that wait for a batch, the oldest first. Few, so that a sweep keeps to the order of the
// problem and finds its bodies in the cache; enough to find four without a common body.
class Waiting {
 public:
  Waiting() {
    for (std::size_t i = 0; i < places_.size(); ++i) order_[i] = static_cast<int>(i);
  }
  bool full() const { return count_ == most; }
  bool empty() const { return count_ == 0; }
  Rule rule() const { return at(0).rule; }
  // The place of the next contact, which waits once keep() is called.
  Contact& next() { return places_[static_cast<std::size_t>(order_[count_])]; }
  void keep() { ++count_; }

  // Takes out up to four that share no body: they stay valid until next(). Returns how many.
  int take(std::array<const Contact*, lane_count>& out) {
    int taken = 0;
    std::size_t left = 0;
    std::array<int, lane_count> gone{};
    for (std::size_t i = 0; i < count_; ++i) {
      if (taken < lane_count && is_free(at(i), out, taken)) {
        gone[static_cast<std::size_t>(taken)] = order_[i];
        out[static_cast<std::size_t>(taken++)] = &at(i);
      } else {
        order_[left++] = order_[i];
      }
    }
    for (int i = 0; i < taken; ++i)
      order_[left + static_cast<std::size_t>(i)] = gone[static_cast<std::size_t>(i)];
    count_ = left;
    return taken;
  }

 private:
  const Contact& at(std::size_t i) const { return places_[static_cast<std::size_t>(order_[i])]; }

  static bool is_free(const Contact& contact, const std::array<const Contact*, lane_count>& taken,
                      int count) {
    const auto shares = [](int body, const Contact& with) {
      return body >= 0 && (body == with.body_a || body == with.body_b);
    };
    for (int i = 0; i < count; ++i) {
      const Contact& other = *taken[static_cast<std::size_t>(i)];
      if (shares(contact.body_a, other) || shares(contact.body_b, other)) return false;
    }
    return true;
  }

  static constexpr std::size_t most = 24;
  std::array<Contact, most + 1> places_;
  std::array<int, most + 1> order_;  // places: those that wait, by age, then the free ones
  std::size_t count_ = 0;
};

// ---- the batch

void fill_lane(const StepProblem& problem, const Contact& contact, int lane, ContactBatch& batch) {
  for (int i = 0; i < 3; ++i) {
    batch.n[i][lane] = contact.n(i);
    batch.t[i][lane] = contact.t(i);
    batch.r_a[i][lane] = contact.r_a(i);
    batch.r_b[i][lane] = contact.r_b(i);
    batch.b[i][lane] = problem.b(contact.row + i);
  }
  batch.Sigma_n[lane] = problem.Sigma(contact.row);
  batch.Sigma_t[lane] = problem.Sigma(contact.row + 1);
  batch.mu[lane] = contact.mu;
  if (contact.body_a >= 0) batch.body_a[lane] = contact.body_a;
  if (contact.body_b >= 0) batch.body_b[lane] = contact.body_b;
}

// Adds a body's part of A = G M⁻¹ Gᵀ + Σ, by lanes.                                       [GS.1]
struct LocalMatrix {
  Lanes nn, tt, ss, tn, sn, ts, st;

  void add(const PackedProblem& packed, const int* index, const Lanes3& r, const Lanes3* C) {
    Lanes mass[lane_count], column[3][lane_count];
    for (int i = 0; i < lane_count; ++i) {
      const auto at = static_cast<std::size_t>(index[i]);
      mass[i] = load(packed.bodies[at].v);
      for (int c = 0; c < 3; ++c) column[c][i] = load(packed.inertias[at].columns[c]);
    }
    transpose(mass[0], mass[1], mass[2], mass[3]);
    for (auto& x : column) transpose(x[0], x[1], x[2], x[3]);
    Lanes3 turn[3], moved[3];
    for (int i = 0; i < 3; ++i) {
      turn[i] = cross(r, C[i]);
      moved[i] = turn[i].x * Lanes3{column[0][0], column[0][1], column[0][2]} +
                 turn[i].y * Lanes3{column[1][0], column[1][1], column[1][2]} +
                 turn[i].z * Lanes3{column[2][0], column[2][1], column[2][2]};
    }
    nn += mass[3] + dot(turn[0], moved[0]);
    tt += mass[3] + dot(turn[1], moved[1]);
    ss += mass[3] + dot(turn[2], moved[2]);
    tn += dot(turn[1], moved[0]);
    sn += dot(turn[2], moved[0]);
    ts += dot(turn[1], moved[2]);
    st += dot(turn[2], moved[1]);
  }

  // λ_max of the tangential rows, with the skew part of a non-symmetric block added to it.
  Lanes largest_tangential() const {
    const Lanes half = 0.5 * (tt - ss), off = 0.5 * (ts + st), skew = 0.5 * (ts - st);
    return 0.5 * (tt + ss) + sqrt(half * half + off * off) + max(skew, -skew);
  }
  // [GS.4], as projected_step() of blocks.
  Lanes projected_step() const {
    const Lanes mean = (nn + tt + ss) / 3.0;
    const Lanes off = 2.0 * (tn * tn + sn * sn) + ts * ts + st * st;
    const Lanes spread =
        (nn - mean) * (nn - mean) + (tt - mean) * (tt - mean) + (ss - mean) * (ss - mean) + off;
    return min(1.0 / mean, 1.5 / (mean + sqrt(2.0 / 3.0 * spread)));
  }
};

void fill_steps(const PackedProblem& packed, Rule rule, ContactBatch& batch) {
  const auto read = [](const Lane4* x) { return Lanes3{load(x[0]), load(x[1]), load(x[2])}; };
  const Lanes3 n = read(batch.n), t = read(batch.t);
  const Lanes3 C[3] = {n, t, cross(n, t)};
  const Lanes Sigma_n = load(batch.Sigma_n), Sigma_t = load(batch.Sigma_t), zero = all(0.0);
  LocalMatrix A{Sigma_n, Sigma_t, Sigma_t, zero, zero, zero, zero};
  A.add(packed, batch.body_a, read(batch.r_a), C);
  A.add(packed, batch.body_b, read(batch.r_b), C);
  const Lanes step_n = 1.0 / A.nn;
  const Lanes step_t = rule == Rule::coulomb ? 1.0 / A.largest_tangential() : A.projected_step();
  for (int i = 0; i < lane_count; ++i) {
    batch.step_n[i] = static_cast<float>(step_n[i]);
    batch.step_t[i] = static_cast<float>(step_t[i]);
    batch.coupling[0][i] = static_cast<float>(A.tn[i]);
    batch.coupling[1][i] = static_cast<float>(A.sn[i]);
  }
}

void add_batch(const StepProblem& problem, Waiting& waiting, PackedProblem& out) {
  std::array<const Contact*, lane_count> contacts{};
  const Rule rule = waiting.rule();
  const int count = waiting.take(contacts);
  const int index = static_cast<int>(out.batches.size());
  ContactBatch& batch = out.batches.emplace_back();
  const int ground = static_cast<int>(problem.M.blocks.size());
  for (int lane = 0; lane < lane_count; ++lane) {
    batch.body_a[lane] = ground + lane;
    batch.body_b[lane] = ground + lane_count + lane;
    batch.Sigma_n[lane] = batch.Sigma_t[lane] = 1.0;  // a lane without a contact divides by it
  }
  for (int lane = 0; lane < count; ++lane) {
    const Contact& contact = *contacts[static_cast<std::size_t>(lane)];
    fill_lane(problem, contact, lane, batch);
    for (int i = 0; i < 3; ++i)
      out.position[static_cast<std::size_t>(contact.row + i)] = 12 * index + lane_count * i + lane;
  }
  fill_steps(out, rule, batch);
  if (out.runs.empty() || out.runs.back().rule != rule)
    out.runs.push_back({.rule = rule, .first = index, .last = index});
  out.runs.back().last = index + 1;
}

}  // namespace

void pack_contacts(const StepProblem& problem, PackedProblem& out) {
  Waiting waiting;
  for (std::size_t i = 0; i < problem.laws.size(); ++i) {
    if (!read_contact(problem, i, waiting.next())) continue;
    if (!waiting.empty() && waiting.next().rule != waiting.rule()) {
      const Contact other = waiting.next();
      while (!waiting.empty()) add_batch(problem, waiting, out);
      waiting.next() = other;
    }
    waiting.keep();
    if (waiting.full()) add_batch(problem, waiting, out);
  }
  while (!waiting.empty()) add_batch(problem, waiting, out);
}

}  // namespace ligament::gauss_seidel
