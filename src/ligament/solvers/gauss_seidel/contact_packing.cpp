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

// ---- as many as there are lanes, that share no body

// Contacts that wait for a batch, the oldest first. Few, so that a sweep keeps to the order of the
// problem and finds its bodies in the cache; enough to find a batch without a common body.
template <int lanes>
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

  // Takes out a batch that shares no body: it stays valid until next(). Returns how many there are.
  int take(std::array<const Contact*, lanes>& out) {
    int taken = 0;
    std::size_t left = 0;
    std::array<int, lanes> gone{};
    for (std::size_t i = 0; i < count_; ++i) {
      if (taken < lanes && is_free(at(i), out, taken)) {
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

  static bool is_free(const Contact& contact, const std::array<const Contact*, lanes>& taken,
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

  static constexpr std::size_t most = 6 * lanes;
  std::array<Contact, most + 1> places_;
  std::array<int, most + 1> order_;  // places: those that wait, by age, then the free ones
  std::size_t count_ = 0;
};

// ---- the batch

template <class Real>
void fill_lane(const StepProblem& problem, const VecX& b, const Contact& contact, int lane,
               BatchOf<Real>& batch) {
  const auto put = [lane](double x, Real* lanes) { lanes[lane] = static_cast<Real>(x); };
  for (int i = 0; i < 3; ++i) {
    put(contact.n(i), batch.n[i]);
    put(contact.t(i), batch.t[i]);
    put(contact.r_a(i), batch.r_a[i]);
    put(contact.r_b(i), batch.r_b[i]);
    put(b(contact.row + i), batch.b[i]);
  }
  put(problem.Sigma(contact.row), batch.Sigma_n);
  put(problem.Sigma(contact.row + 1), batch.Sigma_t);
  put(contact.mu, batch.mu);
  if (contact.body_a >= 0) batch.body_a[lane] = contact.body_a;
  if (contact.body_b >= 0) batch.body_b[lane] = contact.body_b;
}

// Adds a body's part of A = G M⁻¹ Gᵀ + Σ, by lanes.                                       [GS.1]
template <class Real>
struct LocalMatrix {
  using V = LanesOf<Real>;
  V nn, tt, ss, tn, sn, ts, st;

  void add(const PackedContacts<Real>& packed, const int* index, const Lanes3Of<V>& r,
           const Lanes3Of<V>* C) {
    V mass{}, column[3][3] = {};
    for (int i = 0; i < lanes_of<Real>; ++i) {
      const auto at = static_cast<std::size_t>(index[i]);
      mass[i] = packed.bodies[at].inverse_mass;
      for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k) column[c][k][i] = packed.inertias[at].columns[c][k];
    }
    Lanes3Of<V> turn[3], moved[3];
    for (int i = 0; i < 3; ++i) {
      turn[i] = cross(r, C[i]);
      moved[i] = turn[i].x * Lanes3Of<V>{column[0][0], column[0][1], column[0][2]} +
                 turn[i].y * Lanes3Of<V>{column[1][0], column[1][1], column[1][2]} +
                 turn[i].z * Lanes3Of<V>{column[2][0], column[2][1], column[2][2]};
    }
    nn += mass + dot(turn[0], moved[0]);
    tt += mass + dot(turn[1], moved[1]);
    ss += mass + dot(turn[2], moved[2]);
    tn += dot(turn[1], moved[0]);
    sn += dot(turn[2], moved[0]);
    ts += dot(turn[1], moved[2]);
    st += dot(turn[2], moved[1]);
  }

  // λ_max of the tangential rows, with the skew part of a non-symmetric block added to it.
  V largest_tangential() const {
    const V half = times(0.5, tt - ss), off = times(0.5, ts + st), skew = times(0.5, ts - st);
    return times(0.5, tt + ss) + sqrt(half * half + off * off) + absolute(skew);
  }
  // [GS.4], as projected_step() of blocks.
  V projected_step() const {
    const V mean = (nn + tt + ss) / all<V>(3.0);
    const V off = times(2.0, tn * tn + sn * sn) + ts * ts + st * st;
    const V spread =
        (nn - mean) * (nn - mean) + (tt - mean) * (tt - mean) + (ss - mean) * (ss - mean) + off;
    return min(all<V>(1.0) / mean, all<V>(1.5) / (mean + sqrt(times(2.0 / 3.0, spread))));
  }

 private:
  static V times(double factor, const V& x) { return all<V>(factor) * x; }
};

template <class Real>
void fill_steps(const PackedContacts<Real>& packed, Rule rule, BatchOf<Real>& batch) {
  using V = LanesOf<Real>;
  const auto read = [](const auto* x) { return Lanes3Of<V>{load(x[0]), load(x[1]), load(x[2])}; };
  const Lanes3Of<V> n = read(batch.n), t = read(batch.t);
  const Lanes3Of<V> C[3] = {n, t, cross(n, t)};
  const V Sigma_n = load(batch.Sigma_n), Sigma_t = load(batch.Sigma_t), zero{};
  LocalMatrix<Real> A{Sigma_n, Sigma_t, Sigma_t, zero, zero, zero, zero};
  A.add(packed, batch.body_a, read(batch.r_a), C);
  A.add(packed, batch.body_b, read(batch.r_b), C);
  const V one = all<V>(1.0), step_n = one / A.nn;
  const V step_t = rule == Rule::coulomb ? one / A.largest_tangential() : A.projected_step();
  for (int i = 0; i < lanes_of<Real>; ++i) {
    batch.step_n[i] = static_cast<float>(step_n[i]);
    batch.step_t[i] = static_cast<float>(step_t[i]);
    batch.coupling[0][i] = static_cast<float>(A.tn[i]);
    batch.coupling[1][i] = static_cast<float>(A.sn[i]);
  }
}

template <class Real>
void add_batch(const StepProblem& problem, const VecX& b, Waiting<lanes_of<Real>>& waiting,
               PackedContacts<Real>& out) {
  constexpr int lanes = lanes_of<Real>;
  std::array<const Contact*, lanes> contacts{};
  const Rule rule = waiting.rule();
  const int count = waiting.take(contacts);
  const int index = static_cast<int>(out.batches.size());
  BatchOf<Real>& batch = out.batches.emplace_back();
  const int ground = static_cast<int>(problem.M.blocks.size());
  for (int lane = 0; lane < lanes; ++lane) {
    batch.body_a[lane] = ground + lane;
    batch.body_b[lane] = ground + lanes + lane;
    batch.Sigma_n[lane] = batch.Sigma_t[lane] = 1;  // a lane without a contact divides by it
  }
  const int first = static_cast<int>(out.first_impulse(static_cast<std::size_t>(index)));
  for (int lane = 0; lane < count; ++lane) {
    const Contact& contact = *contacts[static_cast<std::size_t>(lane)];
    fill_lane(problem, b, contact, lane, batch);
    for (int i = 0; i < 3; ++i)
      out.position[static_cast<std::size_t>(contact.row + i)] = first + lanes * i + lane;
  }
  fill_steps(out, rule, batch);
  if (out.runs.empty() || out.runs.back().rule != rule)
    out.runs.push_back({.rule = rule, .first = index, .last = index});
  out.runs.back().last = index + 1;
}

}  // namespace

template <class Real>
void pack_contacts(const StepProblem& problem, const VecX& b, PackedContacts<Real>& out) {
  Waiting<lanes_of<Real>> waiting;
  for (std::size_t i = 0; i < problem.laws.size(); ++i) {
    if (!read_contact(problem, i, waiting.next())) continue;
    if (!waiting.empty() && waiting.next().rule != waiting.rule()) {
      const Contact other = waiting.next();
      while (!waiting.empty()) add_batch(problem, b, waiting, out);
      waiting.next() = other;
    }
    waiting.keep();
    if (waiting.full()) add_batch(problem, b, waiting, out);
  }
  while (!waiting.empty()) add_batch(problem, b, waiting, out);
}

template void pack_contacts(const StepProblem&, const VecX&, PackedContacts<double>&);
template void pack_contacts(const StepProblem&, const VecX&, PackedContacts<float>&);

}  // namespace ligament::gauss_seidel
