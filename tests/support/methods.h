// SPDX-License-Identifier: Apache-2.0
// Steppers and solvers as parameters of tests of contact: what a law is tried with.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "ligament/ligament.h"

namespace ligament {

struct Method {
  std::string name;
  Stepper stepper;
  // What the solver promises: relative error of what constraints change of the velocities in a
  // step.
  double error = 1e-10;
};

inline std::ostream& operator<<(std::ostream& out, const Method& method) {
  return out << method.name;
}

// Names the cases of a parameterized suite.
inline std::string name_of_method(const ::testing::TestParamInfo<Method>& info) {
  return info.param.name;
}

// The run came to its end; and where the solver is to converge, it has nothing to complain of.
inline void expect_clean(const RunReport& report, const Method& method) {
  EXPECT_EQ(report.status, RunStatus::completed) << report.failure;
  if (method.error < 1e-9) {
    EXPECT_TRUE(report.warnings.empty()) << report.full();
  }
  if (report.warnings.empty()) {  // then each step kept the promise
    EXPECT_LE(report.velocity_error, method.error);
  }
}

inline Method with_step(Method method, double h) {
  std::visit([h](auto& stepper) { stepper.h = h; }, method.stepper);
  return method;
}

inline Method with_contacts(Method method, const ContactModel& contacts) {
  std::visit(
      [&](auto& stepper) {
        if constexpr (requires { stepper.contacts; }) stepper.contacts = contacts;
      },
      method.stepper);
  return method;
}

inline double step_of(const Method& method) { return step_size(method.stepper); }

// The two steppers with the default solver.
inline std::vector<Method> both_methods() { return {{"spook", Spook{}}, {"relaxed", Relaxed{}}}; }

// These and, on one stepper, the other solvers that converge: they are to agree.
inline std::vector<Method> all_methods() {
  std::vector<Method> methods = both_methods();
  methods.push_back({"impulse", Impulse{}});
  methods.push_back({"newton", Spook{.solver = Newton{}}});
  // Its bound on the error ends where rounding over compliance does: √(1e-16² · S/Σ) ≈ 1e-8.
  methods.push_back(
      {"gauss_seidel", Spook{.solver = GaussSeidel{.max_sweeps = 2000, .tolerance = 1e-7}}, 1e-7});
  return methods;
}

}  // namespace ligament