// SPDX-License-Identifier: Apache-2.0
// The rows of every joint against finite differences of their values along random motions:
//     (g(q ⊕ s v) − g(q ⊖ s v))/(2 s) = G v + O(s²).
// With s = 1e-5, speeds and lengths of order one, the third derivative leaves 1e-10 × |v|³/6 and
// rounding 2e-16 × 5/s = 1e-10: below 1e-8 with a wide margin for the number of terms.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "support/probe.h"
#include "support/random.h"

namespace ligament {
namespace {

constexpr double difference_step = 1e-5, tolerance = 1e-8;

struct Placed {
  BodyId id;
  Vec3 point;  // one that the body can be held at
};

Placed add_random_body(BodyKind kind, Random& random, ModelBuilder& b) {
  const Vec3 position = random.vector(2.0);
  const Quat e = random.rotation();
  Vec3 arm = random.vector();
  if (kind == BodyKind::rod) arm.tail<2>().setZero();
  if (kind == BodyKind::particle) arm.setZero();
  const BodyId id = b.add_body({.kind = kind,
                                .mass = {.mass = 1.0, .inertia = Vec3(1, 2, 2.5).asDiagonal()},
                                .length = 1.5,
                                .position = position,
                                .orientation = e});
  return {id, position + e * arm};
}

VecX random_velocity(const Model& model, Random& random) {
  VecX v(model.velocities());
  for (double& value : v) value = random.uniform();
  return v;
}

// Moves the bodies apart from the pose of the joints, by less than a quarter turn: the rows must be
// right where the joint is open, not only where it is closed.
State open_joints(const Model& model, Random& random) {
  return moved(model, model.initial_state(), random_velocity(model, random), 0.4);
}

void expect_rows_are_derivatives(const Model& model, Random& random, const std::string& what) {
  const State state = open_joints(model, random);
  const RowsAt rows = compute_rows(model, state);
  for (int trial = 0; trial < 5; ++trial) {
    const VecX v = random_velocity(model, random);
    const VecX after = compute_rows(model, moved(model, state, v, difference_step)).g;
    const VecX before = compute_rows(model, moved(model, state, v, -difference_step)).g;
    const VecX slope = (after - before) / (2.0 * difference_step);
    const VecX error = slope - rows.G * v;
    EXPECT_LT(error.cwiseAbs().maxCoeff(), tolerance) << what << ": " << error.transpose();
  }
}

// Two random bodies and the joint that joint(a, b) makes.
Model make_pair(BodyKind a, BodyKind b, Random& random,
                const std::function<JointSpec(const Placed&, const Placed&)>& joint) {
  ModelBuilder builder;
  const Placed first = add_random_body(a, random, builder);
  const Placed second = add_random_body(b, random, builder);
  builder.add_joint(joint(first, second));
  return std::move(builder).build();
}

const BodyKind rigid = BodyKind::rigid, particle = BodyKind::particle, rod = BodyKind::rod,
               fixed = BodyKind::fixed;
const std::vector<std::pair<BodyKind, BodyKind>> rigid_pairs{
    {rigid, rigid}, {rigid, fixed}, {fixed, rigid}};
const std::vector<std::pair<BodyKind, BodyKind>> all_pairs{
    {rigid, rigid},       {rigid, fixed},  {fixed, rigid},  {rigid, rod},      {rod, rigid},
    {rod, rod},           {rod, fixed},    {fixed, rod},    {rigid, particle}, {particle, rigid},
    {particle, particle}, {rod, particle}, {particle, rod}, {particle, fixed}, {fixed, particle}};

std::string describe(const char* joint, BodyKind a, BodyKind b) {
  return std::string(joint) + " of " + name_of(a) + " and " + name_of(b);
}

// A ball ties one point, which must be on both bodies: rods pass through it, particles sit in it.
Model make_ball(BodyKind a, BodyKind b, Random& random) {
  const Vec3 point = random.vector(2.0);
  ModelBuilder builder;
  const auto add = [&](BodyKind kind) {
    const Quat e = random.rotation();
    Vec3 arm = Vec3::Zero();
    if (kind == rod) arm = Vec3(0.7 * random.uniform(), 0, 0);
    if (kind == rigid || kind == fixed) arm = random.vector();
    return builder.add_body({.kind = kind,
                             .mass = {.mass = 1.0, .inertia = Vec3(1, 2, 2.5).asDiagonal()},
                             .position = point - e * arm,
                             .orientation = e});
  };
  const BodyId first = add(a), second = add(b);
  builder.add_joint(Ball{.a = first, .b = second, .point = point});
  return std::move(builder).build();
}

TEST(Jacobian, of_ball_joints) {
  Random random(1);
  for (const auto& [a, b] : all_pairs)
    for (int i = 0; i < 5; ++i)
      expect_rows_are_derivatives(make_ball(a, b, random), random, describe("ball", a, b));
}

void expect_derivatives(const char* name, const std::vector<std::pair<BodyKind, BodyKind>>& kinds,
                        Random& random,
                        const std::function<JointSpec(const Placed&, const Placed&)>& joint) {
  for (const auto& [a, b] : kinds)
    for (int i = 0; i < 10; ++i)
      expect_rows_are_derivatives(make_pair(a, b, random, joint), random, describe(name, a, b));
}

TEST(Jacobian, of_distance_joints) {
  Random random(2);
  expect_derivatives("distance", all_pairs, random, [](const Placed& a, const Placed& b) {
    return Distance{.a = a.id, .b = b.id, .point_a = a.point, .point_b = b.point};
  });
}

TEST(Jacobian, of_hinges) {
  Random random(3);
  expect_derivatives("hinge", rigid_pairs, random, [&](const Placed& a, const Placed& b) {
    return Hinge{.a = a.id, .b = b.id, .point = a.point, .axis = random.direction()};
  });
}

TEST(Jacobian, of_prismatic_joints) {
  Random random(4);
  expect_derivatives("prismatic", rigid_pairs, random, [&](const Placed& a, const Placed& b) {
    return Prismatic{.a = a.id, .b = b.id, .point = a.point, .axis = random.direction()};
  });
}

TEST(Jacobian, of_fixed_joints) {
  Random random(5);
  expect_derivatives("fixed", rigid_pairs, random, [](const Placed& a, const Placed& b) {
    return Fixed{.a = a.id, .b = b.id, .point = b.point};
  });
}

template <class JointOfKind>
void expect_axis_joint(const char* name, const std::vector<std::pair<BodyKind, BodyKind>>& kinds,
                       unsigned seed) {
  Random random(seed);
  expect_derivatives(name, kinds, random, [&](const Placed& a, const Placed& b) {
    JointOfKind joint;
    joint.a = a.id;
    joint.b = b.id;
    joint.point = b.point;
    joint.axis = random.direction();
    return joint;
  });
}

TEST(Jacobian, of_cylindrical_joints) {
  expect_axis_joint<Cylindrical>("cylindrical", rigid_pairs, 11);
}

TEST(Jacobian, of_planar_joints) { expect_axis_joint<Planar>("planar", rigid_pairs, 12); }

TEST(Jacobian, of_parallel_axes) { expect_axis_joint<ParallelAxes>("parallel", rigid_pairs, 13); }

TEST(Jacobian, of_constant_velocity_joints) {
  expect_axis_joint<ConstantVelocity>("constant velocity", rigid_pairs, 14);
}

TEST(Jacobian, of_screws) {
  Random random(15);
  expect_derivatives("screw", rigid_pairs, random, [&](const Placed& a, const Placed& b) {
    return Screw{.a = a.id,
                 .b = b.id,
                 .point = a.point,
                 .axis = random.direction(),
                 .pitch = random.uniform() + 2.0};
  });
}

// The line or plane is of a body with an attitude, the point of any body.
const std::vector<std::pair<BodyKind, BodyKind>> point_pairs{
    {rigid, rigid}, {rigid, fixed},    {fixed, rigid},   {rigid, rod},
    {fixed, rod},   {rigid, particle}, {fixed, particle}};

TEST(Jacobian, of_points_on_lines) { expect_axis_joint<PointOnLine>("line", point_pairs, 16); }

TEST(Jacobian, of_points_on_planes) { expect_axis_joint<PointOnPlane>("plane", point_pairs, 17); }

template <class JointOfKind>
void expect_two_axes_joint(const char* name, unsigned seed) {
  Random random(seed);
  expect_derivatives(name, rigid_pairs, random, [&](const Placed& a, const Placed& b) {
    JointOfKind joint;
    joint.a = a.id;
    joint.b = b.id;
    joint.point = a.point;
    joint.axis = random.direction();
    joint.axis_b = joint.axis.cross(random.direction()).normalized();
    return joint;
  });
}

TEST(Jacobian, of_universal_joints) { expect_two_axes_joint<Universal>("universal", 18); }

TEST(Jacobian, of_perpendicular_axes) {
  expect_two_axes_joint<PerpendicularAxes>("perpendicular", 19);
}

TEST(Jacobian, of_bushings) { expect_axis_joint<Bushing>("bushing", rigid_pairs, 20); }

TEST(Jacobian, of_ropes) {
  Random random(21);
  expect_derivatives("rope", all_pairs, random, [](const Placed& a, const Placed& b) {
    return Rope{.a = a.id, .b = b.id, .point_a = a.point, .point_b = b.point};
  });
}

// The height of a disc over its plane by differences; the two slips, which have no g, by the
// velocities of the points of both bodies at the lowest point of the disc.
TEST(Jacobian, of_rolling_discs) {
  Random random(22);
  for (const auto& [kind_a, kind_b] : rigid_pairs)
    for (int i = 0; i < 10; ++i) {
      const Vec3 normal = random.direction();
      const double radius = random.uniform(0.3, 0.6);
      const Model model = make_pair(kind_a, kind_b, random, [&](const Placed& a, const Placed& b) {
        return RollingDisc{.a = a.id,
                           .b = b.id,
                           .point = b.point,
                           .axis = normal.cross(random.direction()).normalized(),
                           .normal = normal,
                           .radius = radius};
      });
      const State state = open_joints(model, random);
      const VecX v = random_velocity(model, random);
      const RowsAt rows = compute_rows(model, state);
      const State before = moved(model, state, v, -difference_step);
      const State after = moved(model, state, v, difference_step);
      const double slope = (compute_rows(model, after).g(0) - compute_rows(model, before).g(0)) /
                           (2.0 * difference_step);
      EXPECT_NEAR((rows.G * v)(0), slope, 10 * tolerance);

      const Joint& joint = model.joint(JointId{0});
      const Frame a = compute_pose(model, state, joint.a), b = compute_pose(model, state, joint.b);
      const Vec3 n = a.R * (joint.frame_a.R * Vec3::UnitZ());
      const Vec3 axis = b.R * (joint.frame_b.R * Vec3::UnitZ());
      const Vec3 up = (n - n.dot(axis) * axis).normalized();
      const Vec3 lowest = b.p + b.R * joint.frame_b.p - radius * up;
      const auto velocity_of_point = [&](BodyId id, const Frame& pose) {
        const Vec3 fixed_point = pose.R.conjugate() * (lowest - pose.p);
        const Frame first = compute_pose(model, before, id), last = compute_pose(model, after, id);
        return Vec3(((last.p + last.R * fixed_point) - (first.p + first.R * fixed_point)) /
                    (2.0 * difference_step));
      };
      const Vec3 slip = velocity_of_point(joint.b, b) - velocity_of_point(joint.a, a);
      for (int k = 0; k < 2; ++k) {
        const Vec3 t = a.R * (joint.frame_a.R * Vec3::Unit(k));
        EXPECT_NEAR((rows.G * v)(1 + k), t.dot(slip), tolerance);
        EXPECT_EQ(rows.g(1 + k), 0.0);
      }
    }
}

// Locks on sums, servos, motions and both sides of a limit: rows with values of their own.
TEST(Jacobian, of_controls) {
  Random random(23);
  for (int i = 0; i < 10; ++i) {
    ModelBuilder b;
    const Placed first = add_random_body(rigid, random, b),
                 second = add_random_body(rigid, random, b);
    const JointId hinge = b.add_joint(
        Hinge{.a = first.id, .b = second.id, .point = first.point, .axis = random.direction()});
    const JointId guide =
        b.add_joint(Prismatic{.b = first.id, .point = first.point, .axis = random.direction()});
    b.add_control(Servo{.on = hinge, .target = 0.7});
    b.add_control(Motion{.on = guide, .target = -0.2});
    b.add_control(Limit{.on = hinge, .lower = -1.0, .upper = 2.0});
    b.add_control(Lock{.on = {{{hinge, 0, 0.6}, {guide, 0, -1.3}}}});
    expect_rows_are_derivatives(std::move(b).build(), random, "controls");
  }
}

// The columns P of a fixed body that moves: the free bodies stand, and the values of the rows
// change by P times its velocity.
// [JO.15]
TEST(Jacobian, of_bodies_whose_motion_is_prescribed) {
  Random random(24);
  for (int i = 0; i < 10; ++i) {
    const Vec3 velocity = random.vector(), w = random.vector(), start = random.vector();
    const Quat e = random.rotation();
    ModelBuilder b;
    const BodyId base =
        b.add_body({.kind = BodyKind::fixed, .motion = [=](double t) {
                      return Frame{.p = start + t * velocity, .R = rotation_by(t * w) * e};
                    }});
    const Placed body = add_random_body(rigid, random, b);
    const JointId hinge = b.add_joint(
        Hinge{.a = base, .b = body.id, .point = body.point, .axis = random.direction()});
    b.add_joint(
        Prismatic{.a = body.id, .b = base, .point = body.point, .axis = random.direction()});
    b.add_joint(Distance{.a = base, .b = body.id});
    b.add_control(Lock{.on = hinge});
    const Model model = std::move(b).build();
    State state = open_joints(model, random);
    const auto values_at = [&](double t) {
      State shifted = state;
      const Frame pose = model.motions()[0](t);
      const int at = model.body(base).q_offset;
      shifted.q.segment<3>(at) = pose.p;
      shifted.q.segment<4>(at + 3) << pose.R.w(), pose.R.x(), pose.R.y(), pose.R.z();
      displace(model, VecX::Zero(model.velocities()), 0.0, shifted);  // joint coordinates follow
      return compute_rows(model, shifted).g;
    };
    const VecX slope =
        (values_at(difference_step) - values_at(-difference_step)) / (2.0 * difference_step);
    Workspace work(model);
    build_rows(model, state, work);
    VecX motion(6);
    motion << velocity, w;
    const VecX error = slope - make_dense(work.P) * motion;
    EXPECT_LT(error.cwiseAbs().maxCoeff(), tolerance) << error.transpose();
  }
}

// Rods alone: one unit-length row each.
TEST(Jacobian, of_unit_length_rows) {
  Random random(6);
  ModelBuilder b;
  for (int i = 0; i < 4; ++i) add_random_body(rod, random, b);
  expect_rows_are_derivatives(std::move(b).build(), random, "rods");
}

// The row of a motor is the gradient of the joint coordinate that it drives, here also of joints
// that are open, and of sums. It has no g.
TEST(Jacobian, of_joint_coordinates) {
  Random random(7);
  const auto place = [&](auto joint, BodyId a, BodyId b) {
    joint.a = a;
    joint.b = b;
    joint.point = random.vector();
    joint.axis = random.direction();
    return joint;
  };
  for (int i = 0; i < 10; ++i) {
    ModelBuilder b;
    const BodyId first = add_random_body(rigid, random, b).id;
    const BodyId second = add_random_body(rigid, random, b).id;
    const BodyId third = add_random_body(rod, random, b).id;
    Universal universal = place(Universal{}, first, second);
    universal.axis_b = universal.axis.cross(random.direction()).normalized();
    b.add_joint(place(Hinge{}, first, second));
    b.add_joint(place(Prismatic{}, first, second));
    b.add_joint(place(Cylindrical{}, second, first));
    b.add_joint(universal);
    b.add_joint(place(Planar{}, first, second));
    b.add_joint(place(PointOnLine{}, second, first));
    b.add_joint(place(PointOnPlane{}, second, first));
    b.add_joint(Actuator{.a = second, .b = third});
    std::vector<Term> terms;
    for (std::uint32_t joint = 0; joint < 8; ++joint)
      for (const int index : {0, 1, 2}) {
        constexpr int coordinates[] = {1, 1, 2, 2, 3, 1, 2, 1};
        if (index < coordinates[joint])
          terms.push_back({JointId{joint}, index, random.uniform(-2.0, 2.0)});
      }
    for (const Term& term : terms) b.add_control(Motor{.on = {term.joint, term.index}});
    b.add_control(Motor{.on = terms});
    const Model model = std::move(b).build();
    ASSERT_EQ(model.joint_coordinates(), static_cast<int>(terms.size()));
    const State state = open_joints(model, random);
    const VecX v = random_velocity(model, random);
    const VecX rates =
        (moved(model, state, v, difference_step).s - moved(model, state, v, -difference_step).s) /
        (2.0 * difference_step);
    const RowsAt rows = compute_rows(model, state);
    const auto count = static_cast<Eigen::Index>(terms.size());
    const VecX speeds = (rows.G * v).segment(rows.G.rows() - count - 2, count + 1);
    double sum = 0.0;
    for (Eigen::Index k = 0; k < count; ++k) {
      EXPECT_NEAR(speeds(k), rates(k), 10 * tolerance) << k;
      sum += terms[static_cast<std::size_t>(k)].factor * rates(k);
    }
    EXPECT_NEAR(speeds(count), sum, 100 * tolerance);
    EXPECT_TRUE(rows.g.segment(rows.G.rows() - count - 2, count + 1).isZero(0.0));
  }
}

// Closed joints have g = 0: the frames were taken from the pose, with a rounding or two of 5 m.
TEST(Jacobian, rows_vanish_in_the_pose_that_the_joints_were_given_in) {
  Random random(8);
  for (const auto& [a, b] : all_pairs)
    for (int i = 0; i < 5; ++i) {
      const Model model = make_ball(a, b, random);
      const VecX g = compute_rows(model, model.initial_state()).g;
      EXPECT_LT(g.cwiseAbs().maxCoeff(), 1e-14) << describe("ball", a, b);
    }
}

// The attitude row is 2 sin(angle/2) along the axis, with its only zero where the frames agree.
TEST(AttitudeRow, is_twice_the_sine_of_half_the_angle) {
  for (const double angle : {0.1, 1.0, 3.0}) {
    ModelBuilder b;
    const Vec3 axis = Vec3(1, -2, 2) / 3.0;
    const BodyId body = b.add_body({});
    b.add_joint(Fixed{.b = body});
    const Model model = std::move(b).build();
    VecX v = VecX::Zero(6);
    v.tail<3>() = axis;
    const VecX g = compute_rows(model, moved(model, model.initial_state(), v, angle)).g;
    EXPECT_LT((g.tail<3>() - 2.0 * std::sin(0.5 * angle) * axis).norm(), 1e-14);
  }
}

}  // namespace
}  // namespace ligament
