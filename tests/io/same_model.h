// SPDX-License-Identifier: Apache-2.0
// Whether a model that was read is the one that was meant.
#pragma once

#include <gtest/gtest.h>

#include "ligament/model/model_builder.h"

namespace ligament {

// Directions are normalized once more on their way through a scene: a rounding or two.
constexpr double rounding = 1e-15;

inline void expect_same(const Frame& actual, const Frame& expected) {
  EXPECT_LT((actual.p - expected.p).norm(), 1e-14);
  EXPECT_LT((actual.R.coeffs() - expected.R.coeffs()).norm(), 1e-14);
}

inline void expect_same(const Relaxation& actual, const Relaxation& expected) {
  EXPECT_EQ(actual.compliance, expected.compliance);
  EXPECT_EQ(actual.angular_compliance, expected.angular_compliance);
  EXPECT_EQ(actual.damping_time, expected.damping_time);
}

inline void expect_same(const TimeFunction& actual, const TimeFunction& expected) {
  EXPECT_EQ(actual.is_constant(), expected.is_constant());
  for (const double t : {0.0, 0.3, 1.0, 7.7}) EXPECT_NEAR(actual(t), expected(t), rounding) << t;
}

inline void expect_same(const Joint& actual, const Joint& expected) {
  EXPECT_EQ(actual.kind, expected.kind);
  EXPECT_EQ(actual.a, expected.a);
  EXPECT_EQ(actual.b, expected.b);
  expect_same(actual.frame_a, expected.frame_a);
  expect_same(actual.frame_b, expected.frame_b);
  EXPECT_EQ(actual.length, expected.length);
  EXPECT_EQ(actual.advance, expected.advance);
  EXPECT_EQ(actual.coordinate, expected.coordinate);
  EXPECT_EQ(actual.rates, expected.rates);
  EXPECT_EQ(actual.slip, expected.slip);
  EXPECT_EQ(actual.contacts, expected.contacts);
  expect_same(actual.relaxation, expected.relaxation);
}

inline void expect_same(const Control& actual, const Control& expected) {
  EXPECT_EQ(actual.kind, expected.kind);
  EXPECT_EQ(actual.first_term, expected.first_term);
  EXPECT_EQ(actual.terms, expected.terms);
  expect_same(actual.target, expected.target);
  EXPECT_EQ(actual.lower, expected.lower);
  EXPECT_EQ(actual.upper, expected.upper);
  EXPECT_EQ(actual.max_force, expected.max_force);
  EXPECT_EQ(actual.compliance, expected.compliance);
  EXPECT_EQ(actual.damping_time, expected.damping_time);
  EXPECT_EQ(actual.restitution, expected.restitution);
}

inline void expect_same(const Load& actual, const Load& expected) {
  EXPECT_EQ(actual.name, expected.name);
  EXPECT_EQ(actual.body, expected.body);
  EXPECT_EQ(actual.in_body_axes, expected.in_body_axes);
  EXPECT_EQ(actual.point, expected.point);
  for (std::size_t i = 0; i < 3; ++i) {
    expect_same(actual.force[i], expected.force[i]);
    expect_same(actual.torque[i], expected.torque[i]);
  }
}

// All but the bodies: those of the test are the same by construction.
inline void expect_same(const Model& actual, const Model& expected) {
  ASSERT_EQ(actual.joints().size(), expected.joints().size());
  for (std::uint32_t i = 0; i < expected.joints().size(); ++i) {
    EXPECT_EQ(actual.name(JointId{i}), expected.name(JointId{i}));
    expect_same(actual.joints()[i], expected.joints()[i]);
  }
  ASSERT_EQ(actual.rates().size(), expected.rates().size());
  for (std::size_t i = 0; i < expected.rates().size(); ++i) {
    EXPECT_EQ(actual.rates()[i].stiffness, expected.rates()[i].stiffness);
    EXPECT_EQ(actual.rates()[i].damping, expected.rates()[i].damping);
  }
  ASSERT_EQ(actual.controls().size(), expected.controls().size());
  for (std::uint32_t i = 0; i < expected.controls().size(); ++i) {
    EXPECT_EQ(actual.name(ControlId{i}), expected.name(ControlId{i}));
    expect_same(actual.controls()[i], expected.controls()[i]);
  }
  ASSERT_EQ(actual.terms().size(), expected.terms().size());
  for (std::size_t i = 0; i < expected.terms().size(); ++i) {
    EXPECT_EQ(actual.terms()[i].joint, expected.terms()[i].joint);
    EXPECT_EQ(actual.terms()[i].index, expected.terms()[i].index);
    EXPECT_EQ(actual.terms()[i].factor, expected.terms()[i].factor);
  }
  ASSERT_EQ(actual.loads().size(), expected.loads().size());
  for (std::size_t i = 0; i < expected.loads().size(); ++i)
    expect_same(actual.loads()[i], expected.loads()[i]);
  ASSERT_EQ(actual.motions().size(), expected.motions().size());
  for (std::size_t i = 0; i < expected.motions().size(); ++i)
    for (const double t : {0.0, 0.3, 7.7})
      expect_same(actual.motions()[i](t), expected.motions()[i](t));
}

}  // namespace ligament
