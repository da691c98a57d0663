// SPDX-License-Identifier: Apache-2.0
// Theorem 5.1: the step of a linear system, as a matrix, and its eigenvalues.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>

#include "ligament/math/types.h"
#include "papers/chance.h"
#include "papers/spook_2007/experiments.h"

namespace ligament::papers {
namespace {

using Complex = std::complex<double>;

// Masses of 1, rows G q = 0, h = 1: z = (q, v), and each row has its own ε and θ.
struct LinearSystem {
  MatX G;
  VecX compliance, theta;
};

// z⁺ = Z z:  v⁺ = v + Gᵀ y,  (G Gᵀ + Σ) y = Υ (G v − 4 G q) − G v,  q⁺ = q + v⁺.
MatX make_step(const LinearSystem& system) {
  const auto n = system.G.cols();
  const VecX upsilon = (1.0 + 4.0 * system.theta.array()).inverse();
  const VecX sigma = 4.0 * system.compliance.cwiseProduct(upsilon);
  MatX S = system.G * system.G.transpose();
  S.diagonal() += sigma;
  const Eigen::FullPivLU<MatX> lu(S);
  const MatX UG = upsilon.asDiagonal() * system.G;
  const MatX by_q = system.G.transpose() * lu.solve(-4.0 * UG);
  const MatX by_v = MatX::Identity(n, n) + system.G.transpose() * lu.solve(UG - system.G);
  MatX Z(2 * n, 2 * n);
  Z << MatX::Identity(n, n) + by_q, by_v, by_q, by_v;
  return Z;
}

std::vector<Complex> find_eigenvalues(const LinearSystem& system) {
  const Eigen::VectorXcd values = Eigen::EigenSolver<MatX>(make_step(system), false).eigenvalues();
  return {values.begin(), values.end()};
}

// Equation 34.
std::pair<Complex, Complex> predict(double theta, double gamma) {
  const double psi = 1.0 / (1.0 + 4.0 * theta), centre = gamma * psi * (1.0 + theta);
  const Complex root = 2.0 * std::sqrt(Complex(centre * centre - gamma * psi));
  return {1.0 - 2.0 * centre + root, 1.0 - 2.0 * centre - root};
}

MatX random_rows(Chance& chance, int rows, int columns, int redundant) {
  MatX G(rows + redundant, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) G(i, j) = chance.around_zero();
  for (int i = rows; i < rows + redundant; ++i) {  // sums of the rows before
    G.row(i).setZero();
    for (int k = 0; k < rows; ++k) G.row(i) += chance.around_zero() * G.row(k);
  }
  return G;
}

// The same on what the rows see: velocities that no row sees go on for ever, with the defective
// eigenvalue 1 that roundings would split by their square root.
LinearSystem without_free_motion(LinearSystem system, Eigen::Index rank) {
  const MatX Q = Eigen::HouseholderQR<MatX>(system.G.topRows(rank).transpose()).householderQ();
  system.G *= Q.leftCols(rank);
  return system;
}

// Largest |μ| over random systems, with redundant rows but without free motion, each row with ε and
// θ of its own.
double find_spectral_radius(int systems, std::vector<Complex>& seen) {
  Chance chance(5);
  double radius = 0.0;
  for (int i = 0; i < systems; ++i) {
    const int columns = 2 + static_cast<int>(chance.between(0.0, 7.0));
    const int rows = 1 + static_cast<int>(chance.between(0.0, columns));
    const int redundant = static_cast<int>(chance.between(0.0, 4.0));
    LinearSystem system{.G = random_rows(chance, rows, columns, redundant)};
    system.compliance.resize(system.G.rows());
    system.theta.resize(system.G.rows());
    for (double& value : system.compliance) value = chance.magnitude(1e-10, 1e2);
    for (double& value : system.theta) value = chance.magnitude(1e-3, 1e2);
    for (const Complex& value : find_eigenvalues(without_free_motion(system, rows))) {
      radius = std::max(radius, std::abs(value));
      if (seen.size() < 1500) seen.push_back(value);
    }
  }
  return radius;
}

// Largest distance of an eigenvalue of equation 34 to one of the matrix, away from double roots.
double find_formula_error(int systems) {
  Chance chance(6);
  double worst = 0.0;
  for (int i = 0; i < systems; ++i) {
    const int columns = 2 + static_cast<int>(chance.between(0.0, 6.0));
    const int rows = 1 + static_cast<int>(chance.between(0.0, columns));
    const double theta = chance.magnitude(1e-2, 1e2), compliance = chance.magnitude(1e-6, 1e2);
    LinearSystem system{.G = random_rows(chance, rows, columns, 0)};
    system.compliance = VecX::Constant(rows, compliance);
    system.theta = VecX::Constant(rows, theta);
    const std::vector<Complex> values = find_eigenvalues(system);
    const VecX s =
        Eigen::SelfAdjointEigenSolver<MatX>(system.G * system.G.transpose()).eigenvalues();
    for (const double mobility : s) {
      const double sigma = 4.0 * compliance / (1.0 + 4.0 * theta);
      const auto [first, second] = predict(theta, mobility / (mobility + sigma));
      if (std::abs(first - second) < 1e-3 || std::abs(first - 1.0) < 1e-3) continue;
      for (const Complex& expected : {first, second}) {
        double distance = 1e300;
        for (const Complex& value : values)
          distance = std::min(distance, std::abs(value - expected));
        worst = std::max(worst, distance);
      }
    }
  }
  return worst;
}

// A row alone, from the matrix. γ = s/(s + 4 ε Υ), s = G Gᵀ.
std::vector<Complex> find_row(double theta, double gamma = 1.0) {
  LinearSystem system{.G = MatX::Constant(1, 1, 1.3)};
  const double s = 1.3 * 1.3;
  system.compliance = VecX::Constant(1, 0.25 * s * (1.0 / gamma - 1.0) * (1.0 + 4.0 * theta));
  system.theta = VecX::Constant(1, theta);
  return find_eigenvalues(system);
}

// The θ beyond which the pair of a rigid row is real, by bisection.
double find_critical_damping() {
  double complex = 1.0, real = 4.0;
  for (int i = 0; i < 50; ++i) {
    const double middle = 0.5 * (complex + real);
    (find_row(middle)[0].imag() != 0.0 ? complex : real) = middle;
  }
  return real;
}

// Closed forms of one rigid row.
void add_rigid_row(Experiment& e) {
  const auto add = [&](const char* text, double expected, double measured, Band band,
                       const char* reason) {
    e.claims.push_back({.text = text,
                        .source = "equation 34",
                        .expected = expected,
                        .measured = measured,
                        .tolerance = band,
                        .reason = reason});
  };
  double off = 0.0, product_off = 0.0;
  for (const Complex& value : find_row(2.0)) off = std::max(off, std::abs(value - 1.0 / 3.0));
  for (const double theta : {0.02, 0.5, 1.0, 2.0, 10.0})
    for (const double gamma : {1.0, 0.9, 0.5, 0.1}) {
      const std::vector<Complex> pair = find_row(theta, gamma);
      const double product = 1.0 - 4.0 * theta / (1.0 + 4.0 * theta) * gamma;
      product_off = std::max(product_off, std::abs(pair[0] * pair[1] - product));
    }
  add("A rigid row at θ = 2 has the double eigenvalue 1/3: largest distance", 0.0, off, below(1e-6),
      "rounding enters by its square root. θ = 2 is critical damping, which explains the paper's "
      "default");
  add("… its pair is real from θ =", 2.0, find_critical_damping(), {2.0 - 1e-12, 2.0 + 1e-12},
      "where the root in (34) is zero, by bisection: its slope there is 2/81");
  add("… the product of a pair is 1 − 4 θ Υ γ, θ = 0.02 … 10, γ = 0.1 … 1: largest distance", 0.0,
      product_off, below(1e-12), "rounding");
  add("… at θ = 0 an error keeps its size: |μ|", 1.0, std::abs(find_row(0.0)[0]),
      within(1.0, 1e-12), "rounding");
  add("… and at θ = 1/2: |μ|", 0.577, std::abs(find_row(0.5)[0]),
      within(std::sqrt(1.0 / 3.0), 1e-12), "√(1 − 4 θ Υ) = 1/√3, rounding");
}

Picture draw_radius() {
  Figure figure{.title = "Decay of an error in a step",
                .x = {.label = "θ = τ/h", .logarithmic = true},
                .y = {.label = "larger |μ|", .range = {{0.0, 1.05}}}};
  for (const double gamma : {1.0, 0.99, 0.9, 0.5, 0.1}) {
    Curve curve{.label = fmt::format("γ = {}", gamma)};
    for (double theta = 0.01; theta < 101.0; theta *= 1.03) {
      const auto [first, second] = predict(theta, gamma);
      curve.x.push_back(theta);
      curve.y.push_back(std::max(std::abs(first), std::abs(second)));
    }
    figure.curves.push_back(std::move(curve));
  }
  return {
      "decay", std::move(figure),
      "Equation 34. γ is 1 for a rigid row and falls with its compliance; at γ = 1 and θ = 2 the "
      "two eigenvalues meet at 1/3: critical damping."};
}

Picture draw_plane(const std::vector<Complex>& seen) {
  Figure figure{.title = "Eigenvalues of random systems",
                .x = {.label = "real part", .range = {{-1.1, 1.1}}},
                .y = {.label = "imaginary part", .range = {{-1.1, 1.1}}},
                .height = 560,
                .same_scale = true};
  Curve circle{.label = "unit circle", .colour = 1},
      values{.label = "eigenvalues", .mark = Mark::points, .colour = 0};
  for (double angle = 0.0; angle < 6.3; angle += 0.02) {
    circle.x.push_back(std::cos(angle));
    circle.y.push_back(std::sin(angle));
  }
  for (const Complex& value : seen) {
    values.x.push_back(value.real());
    values.y.push_back(value.imag());
  }
  figure.curves = {std::move(values), std::move(circle)};
  return {"eigenvalues", std::move(figure),
          "Every row with an ε and a τ of its own, rows that depend on each other included"};
}

}  // namespace

Experiment run_linear_stability(const Effort& effort) {
  const int systems = effort.quick ? 300 : 2000;
  Experiment e{.title = "Linear stability",
               .source = "section 5, theorem 5.1, equations 33 to 35",
               .paper_says =
                   "For constant masses and linear constraints, redundant or not, the step is "
                   "stable for ε > 0 and τ > 0; its eigenvalues are given by (34). Numerical "
                   "evidence says that this stays so when each row has its own ε and τ.",
               .we_did = fmt::format("{} random systems with up to 8 coordinates and 11 rows: the "
                                     "matrix of a step, its eigenvalues by QR. For the conjecture "
                                     "velocities that no row sees are projected out: they go on "
                                     "for ever, with the defective eigenvalue 1 that roundings "
                                     "split by their square root.",
                                     systems)};
  std::vector<Complex> seen;
  e.claims.push_back({.text =
                          "Largest |μ| with ε and τ that differ from row to row, redundant rows "
                          "included: the conjecture",
                      .source = "section 5",
                      .expected = 1.0,
                      .measured = find_spectral_radius(systems, seen),
                      .tolerance = below(1.0 + 1e-12),
                      .reason = "soft rows come close to 1 from below; roundings of a step whose "
                                "entries are up to some 10"});
  e.claims.push_back(
      {.text = "Eigenvalues against equation 34: largest distance",
       .source = "equation 34",
       .expected = 1e-16,
       .measured = find_formula_error(systems),
       .tolerance = below(1e-10),
       .reason = "rounding of a matrix with entries of some 10, over the distance of two "
                 "eigenvalues: pairs closer than 1e-3, and those so close to the 1 of free motion, "
                 "are left out",
       .correction = "In (33) the matrix B is [1 −1; 0 1] and variables transform with "
                     "(U V)ᵀ; in (35) the first case is i ≤ r. (32) and (34) are "
                     "right."});
  add_rigid_row(e);
  e.pictures = {draw_radius(), draw_plane(seen)};
  return e;
}

}  // namespace ligament::papers
