// SPDX-License-Identifier: Apache-2.0
// A warm step allocates nothing. Every way to the heap is counted: malloc and its relatives are
// replaced in this program (operator new and Eigen end there); under a sanitizer, which has
// replaced them already, its hook counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <memory>
#include <memory_resource>
#include <string>
#include <utility>
#include <vector>

#include "ligament/collision/collision_world.h"
#include "ligament/math/arena.h"
#include "support/contact_scenes.h"
#include "support/machines.h"
#include "support/probe.h"
#include "support/random_machines.h"
#include "support/random_problems.h"

namespace {

std::atomic<bool> counting{false};
std::atomic<long> allocations{0};

void count_allocation() {
  if (counting.load(std::memory_order_relaxed)) allocations.fetch_add(1);
}

}  // namespace

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LIGAMENT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LIGAMENT_SANITIZED 1
#endif
#endif

#ifdef LIGAMENT_SANITIZED

extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*,
                                                                             std::size_t),
                                                         void (*free_hook)(const volatile void*));

namespace {
void on_malloc(const volatile void*, std::size_t) { count_allocation(); }
void on_free(const volatile void*) {}
const int hooked = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}  // namespace

#else

// The functions of glibc behind the names that are replaced here.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  count_allocation();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  count_allocation();
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  count_allocation();
  return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  count_allocation();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  *out = memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}
}

#endif

namespace ligament {
namespace {

long count_allocations_of(const std::function<void()>& work) {
  allocations = 0;
  counting = true;
  work();
  counting = false;
  return allocations;
}

// The counter sees what it must: new, vectors, Eigen's aligned memory, malloc. (Results outlive the
// count: a compiler may leave out an allocation that nobody can see.)
TEST(Allocations, are_counted) {
  EXPECT_EQ(count_allocations_of([] {}), 0);
  static std::unique_ptr<int> number;
  EXPECT_EQ(count_allocations_of([] { number = std::make_unique<int>(3); }), 1);
  static std::vector<double> list;
  EXPECT_EQ(count_allocations_of([] { list.resize(1000); }), 1);
  static VecX x;
  EXPECT_EQ(count_allocations_of([] { x.resize(1000); }), 1);
  static void* volatile block = nullptr;
  EXPECT_EQ(count_allocations_of([] { block = std::malloc(10); }), 1);
  std::free(block);
  EXPECT_EQ(*number + static_cast<int>(list.size()) + x.size(), 2003);
}

// A shaken platform with an arm on it that has every control, a rope, a spring, a bushing, loads.
// Bounds are hit and left all the time.
Model make_controlled_arm() {
  ModelBuilder b;
  const BodyId platform = b.add_body(
      {.name = "platform", .kind = BodyKind::fixed, .motion = [](double t) {
         return Frame{.p = {0.1 * std::sin(5 * t), 0, 0},
                      .R = Quat(Eigen::AngleAxisd(0.2 * std::sin(3 * t), Vec3::UnitX()))};
       }});
  const MassProperties box = box_of_mass({0.4, 0.1, 0.1}, 2.0);
  const BodyId upper = b.add_body({.name = "upper", .mass = box, .position = {0.2, 0, 0}});
  const BodyId lower = b.add_body({.name = "lower", .mass = box, .position = {0.6, 0, 0}});
  const BodyId slider = b.add_body({.name = "slider", .mass = box, .position = {1.0, 0, 0}});
  const BodyId bob = b.add_body(
      {.name = "bob", .kind = BodyKind::particle, .mass = {.mass = 0.5}, .position = {1, 0, -1}});
  const JointId shoulder = b.add_joint(Hinge{.a = platform, .b = upper, .axis = Vec3::UnitY()});
  const JointId elbow =
      b.add_joint(Hinge{.a = upper, .b = lower, .point = {0.4, 0, 0}, .axis = Vec3::UnitY()});
  const JointId guide =
      b.add_joint(Prismatic{.a = lower, .b = slider, .point = {0.8, 0, 0}, .axis = Vec3::UnitX()});
  b.add_joint(Rope{.a = slider, .b = bob, .length = 1.05});
  b.add_joint(Spring{.a = platform, .b = bob, .stiffness = 10.0, .damping = 0.1});
  b.add_joint(Bushing{.a = platform,
                      .b = slider,
                      .point = {1, 0, 0},
                      .stiffness = {1, 2, 3},
                      .damping = {0, 0.1, 0},
                      .angular_damping = {0.1, 0, 0}});
  b.add_control(
      Motor{.on = shoulder, .speed = [](double t) { return std::cos(7 * t); }, .max_force = 5.0});
  b.add_control(
      Servo{.on = elbow, .target = [](double t) { return std::sin(4 * t); }, .max_force = 8.0});
  b.add_control(Friction{.on = guide, .max_force = 1.0});
  b.add_control(Limit{.on = guide, .lower = -0.02, .upper = 0.02, .restitution = 0.5});
  b.add_control(Lock{.on = {{{shoulder, 0, 0.3}, {elbow, 0, 0.2}}}, .compliance = 1e-2});
  b.add_load({.body = slider,
              .in_body_axes = true,
              .point = Vec3(0.1, 0, 0),
              .force = {0.0, [](double t) { return std::sin(t); }, 0.0}});
  return std::move(b).build();
}

struct Machine {
  std::string name;
  Model model;
};

std::vector<Machine> make_machines() {
  std::vector<Machine> machines;
  machines.push_back({"rod ladder", machines::make_rod_ladder(20)});
  machines.push_back({"rigid ladder", machines::make_rigid_ladder(20)});
  machines.push_back({"chain", machines::make_chain(30)});
  machines.push_back({"slider crank", machines::make_slider_crank()});
  machines.push_back({"heavy top", machines::make_heavy_top()});
  machines.push_back({"controlled arm", make_controlled_arm()});
  machines.push_back(
      {"random machine with a hub",
       make_random_machine({.bodies = 20, .loops = 6, .doubled = 4, .hub_joints = 40, .spin = 3.0},
                           7)});
  return machines;
}

// Warm: after a few steps that meet symmetric and gyroscopic blocks.
TEST(WarmStep, allocates_nothing) {
  for (const Machine& machine : make_machines())
    for (const Gyroscopic gyroscopic : {Gyroscopic::midpoint, Gyroscopic::kick_drift}) {
      const Stepper steppers[] = {
          Spook{.gyroscopic = gyroscopic}, Relaxed{.gyroscopic = gyroscopic},
          Trapezoidal{.gyroscopic = gyroscopic},
          Trapezoidal{.gyroscopic = gyroscopic, .drift = DriftControl::none}};
      for (const Stepper& stepper : steppers) {
        State state = machine.model.initial_state();
        Workspace work(machine.model);
        take_steps(stepper, machine.model, 3, state, work);
        int failures = 0;
        const long count = count_allocations_of([&] {
          for (int i = 0; i < 100; ++i)
            if (!step(stepper, machine.model, state, work).ok()) ++failures;
        });
        EXPECT_EQ(count, 0) << machine.name << " by " << name_of(stepper);
        EXPECT_EQ(failures, 0);
      }
    }
}

// A stack that comes to rest: contacts that stay as many as they are.
TEST(WarmStep, of_things_that_touch_allocates_nothing) {
  const Model stack = scenes::make_stack();
  for (const Stepper& stepper :
       {Stepper(Spook{}), Stepper(Relaxed{}), Stepper(RegularizedVi{}), Stepper(Impulse{}),
        Stepper(Trapezoidal{.drift = DriftControl::none})}) {
    State state = stack.initial_state();
    Workspace work(stack);
    take_steps(stepper, stack, 10, state, work);
    int failures = 0;
    const long count = count_allocations_of([&] {
      for (int i = 0; i < 100; ++i)
        if (!step(stepper, stack, state, work).ok()) ++failures;
    });
    EXPECT_EQ(count, 0) << name_of(stepper);
    EXPECT_EQ(failures, 0);
  }
}

// What every vector of a step promises: it allocates when it becomes larger than it ever was, and
// at no other time.
TEST(VecX, allocates_only_past_its_largest_size) {
  VecX x;
  const auto count = [&](Eigen::Index size) {
    return count_allocations_of([&] { x.setConstant(size, 1.0); });
  };
  EXPECT_EQ(count(100), 1);
  EXPECT_EQ(count(10), 0);
  EXPECT_EQ(count(100), 0);
  EXPECT_EQ(count(101), 1);
  EXPECT_EQ(x.capacity(), 150);  // by half as much again: growing by ones is not paid for by ones
  EXPECT_EQ(count(150), 0);
  VecX y = VecX::Ones(120);
  EXPECT_EQ(count_allocations_of([&] {
              x = 2.0 * y;
              x = x.tail(7);
              x.conservativeResize(9);
              x = y;
              std::swap(x, y);
            }),
            0);
}

TEST(VecX, may_be_made_of_itself_when_it_grows) {
  VecX x(2);
  x << 1, 2;
  MatX A(3, 2);
  A << 1, 0, 0, 1, 1, 1;
  x = A * x;
  ASSERT_EQ(x.size(), 3);
  EXPECT_EQ(x(2), 3.0);
  x = x.replicate(5, 1) + VecX::Ones(15);
  ASSERT_EQ(x.size(), 15);
  EXPECT_EQ(x(14), 4.0);
}

TEST(Arena, allocates_only_for_more_than_ever_before) {
  Arena arena;
  const auto work = [&](std::size_t size) {
    return count_allocations_of([&] {
      arena.reset();
      std::pmr::vector<double> grown(&arena);
      for (std::size_t i = 0; i < size; ++i) grown.push_back(static_cast<double>(i));
      std::pmr::vector<char> other(size, 'x', &arena);
      EXPECT_EQ(grown.back(), static_cast<double>(size - 1));
      EXPECT_EQ(other.back(), 'x');
    });
  };
  EXPECT_GT(work(5000), 0);
  EXPECT_EQ(work(5000), 0);
  EXPECT_EQ(work(17), 0);
  EXPECT_EQ(work(4999), 0);
  EXPECT_GT(work(50000), 0);
}

// Boxes and balls that fall on each other, tumble and roll apart: contacts, pairs that touch and
// islands come and go in nearly every step.
Model make_tumbling_pile() {
  ModelBuilder b;
  const MaterialId stone = b.add_material({"stone", {.friction = 0.5, .compliance = 1e-7}});
  b.add_shape({.geometry = HalfSpaceShape{}, .material = stone});
  for (int i = 0; i < 27; ++i) {
    const BodyId body = b.add_body(
        {.mass = box_of_mass({0.2, 0.15, 0.1}, 1.0),
         .position = {0.31 * (i % 3) + 0.02 * (i / 3 % 3), 0.31 * (i / 3 % 3) - 0.03 * (i / 9),
                      0.3 + 0.35 * (i / 9)},
         .orientation = Quat(Eigen::AngleAxisd(0.3 * i, Vec3(1, i % 3, i % 5).normalized()))});
    Geometry geometry = BoxShape{Vec3(0.16, 0.12, 0.1)};
    if (i % 2 == 1) geometry = SphereShape{0.13};
    b.add_shape({.body = body, .geometry = geometry, .material = stone});
  }
  return std::move(b).build();
}

// Warm: after the same motion has been seen, so that nothing becomes larger than it ever was.
class ContactsThatComeAndGo : public testing::TestWithParam<Stepper> {};

TEST_P(ContactsThatComeAndGo, allocate_nothing_once_they_were_as_many) {
  const Model model = make_tumbling_pile();
  const State start = model.initial_state();
  State state = start;
  Workspace work(model);
  constexpr int steps = 200;
  int fewest = 0, most = 0, changes = 0;
  const auto tumble = [&] {
    state = start;
    fewest = 1000, most = changes = 0;
    for (int i = 0, last = 0; i < steps; ++i) {
      const int contacts = step(GetParam(), model, state, work).contacts;
      fewest = std::min(fewest, contacts);
      most = std::max(most, contacts);
      if (std::exchange(last, contacts) != contacts) ++changes;
    }
  };
  tumble();
  EXPECT_EQ(count_allocations_of(tumble), 0);
  // Otherwise this would show nothing: they come or go in every third step.
  EXPECT_GT(3 * changes, steps);
  EXPECT_GT(most, 2 * fewest);
}

INSTANTIATE_TEST_SUITE_P(
    Solvers, ContactsThatComeAndGo,
    testing::Values(Stepper(Spook{}), Stepper(Relaxed{}), Stepper(Spook{.solver = Newton{}}),
                    Stepper(Spook{.solver = InteriorPoint{.max_sweeps = 500}}),
                    Stepper(Spook{.solver = GaussSeidel{.max_sweeps = 50}}),
                    Stepper(Spook{
                        .solver = GaussSeidel{.max_sweeps = 50, .local = LocalSolve::exact}}),
                    Stepper(Spook{.solver = AcceleratedGradient{.max_iterations = 100}})));

// Contacts, friction and the end of sliding, solved by Lemke's method: sizes change on the way.
TEST(WarmStep, by_lemke_allocates_nothing) {
  const Model model =
      scenes::make_block_on_incline({.slope = 0.2, .contact = scenes::surface(0.5)});
  const Stepper stepper = Trapezoidal{.h = 0.01, .solver = Lemke{}, .drift = DriftControl::none};
  State state = model.initial_state();
  set_velocity(model, *model.find_body("block"),
               scenes::axes_of({.slope = 0.2}) * Vec3(0.5, 0.2, 0), Vec3::Zero(), state);
  Workspace work(model);
  take_steps(stepper, model, 3, state, work);
  int failures = 0;
  const long count = count_allocations_of([&] {
    for (int i = 0; i < 100; ++i)
      if (!step(stepper, model, state, work).ok()) ++failures;
  });
  EXPECT_EQ(count, 0);
  EXPECT_EQ(failures, 0);
}

// Warm: after a solve of a problem of the same size. The guess is not kept: every solve works.
TEST(WarmSolve, allocates_nothing) {
  Random random(1);
  StepProblem mixed = make_random_problem({.bodies = 20, .row_blocks = 30}, random);
  give_laws_at_random(RandomLaws::all, random, mixed);
  const StepProblem contacts = make_random_contacts(40, 90, RandomFriction::both, random);
  const Solver solvers[] = {GaussSeidel{.max_sweeps = 50, .tolerance = 0.0},
                            GaussSeidel{.max_sweeps = 50, .tolerance = 0.0, .momentum = false},
                            GaussSeidel{.max_sweeps = 50, .local = LocalSolve::exact},
                            AcceleratedGradient{.max_iterations = 50, .tolerance = 0.0}};
  for (const Solver& solver : solvers)
    for (const StepProblem& problem : {std::cref(mixed), std::cref(contacts)}) {
      SolverWorkspace workspace;
      StepSolution solution;
      solve(solver, problem, workspace, solution);
      solution.lambda.setZero();
      const long count = count_allocations_of([&] { solve(solver, problem, workspace, solution); });
      EXPECT_EQ(count, 0) << name_of(solver);
    }
}

// Rows that contradict each other: after a pivot a row projected Newton goes on.
TEST(WarmSolve, allocates_nothing_where_pivoting_falls_back) {
  Random random(2);
  ProblemShape shape{.bodies = 6, .row_blocks = 60, .most_rows = 1, .most_bodies_a_block = 6};
  shape.least_sigma = shape.largest_sigma = 1e-4;
  StepProblem problem = make_random_problem(shape, random);
  for (Law& law : problem.laws) law = Unilateral{};
  SolverWorkspace workspace;
  StepSolution solution;
  int steps = 0;
  const auto work = [&] {
    steps += solve(BlockPivot{.pivots_per_row = 1}, problem, workspace, solution).iterations;
  };
  for (int i = 0; i < 3; ++i) {
    work();
    fill_at_random(shape, random, problem);  // other numbers, the same structure
  }
  EXPECT_GT(std::exchange(steps, 0), 0);
  long count = 0;
  for (int i = 0; i < 3; ++i) {
    count += count_allocations_of(work);
    fill_at_random(shape, random, problem);
  }
  EXPECT_GT(steps, 0);
  EXPECT_EQ(count, 0);
}

// Balls, boxes, cylinders and capsules that swing through each other, over a plane, a terrain and
// a mesh.
Model make_swarm() {
  ModelBuilder b;
  b.add_shape({.geometry = HalfSpaceShape{}, .pose = {Vec3(0, 0, -2)}});
  b.add_shape(
      {.geometry = HeightFieldShape{make_height_field(3, 3, 2, 2, {0, 1, 0, 1, 0, 1, 0, 1, 0})},
       .pose = {Vec3(-2, -2, -2)}});
  b.add_shape(
      {.geometry = MeshShape{make_mesh({{-9, -9, -1}, {9, -9, -1}, {0, 9, -1}}, {{0, 1, 2}})}});
  const Geometry kinds[] = {SphereShape{0.3}, BoxShape{Vec3(0.2, 0.3, 0.25)},
                            CylinderShape{0.2, 0.3}, CapsuleShape{0.2, 0.2}};
  for (int i = 0; i < 200; ++i)
    b.add_shape({.body = b.add_body(
                     {.position = {0.4 * (i % 6) - 1, 0.4 * (i / 6 % 6) - 1, 0.4 * (i / 36) - 1}}),
                 .geometry = kinds[i % 4]});
  return std::move(b).build();
}

// Warm: after the same motion has been seen once. Some shapes leave their boxes in each step, and
// twice in a round all of them do.
TEST(FindingContacts, allocates_nothing) {
  const Model model = make_swarm();
  for (const int threads : {1, 2}) {
    CollisionWorld world(model, {.threads = threads});
    State state = model.initial_state();
    std::size_t contacts = 0;
    const auto go_round = [&] {
      for (int k = 0; k < 50; ++k) {
        state.q = model.initial_state().q;
        for (std::size_t i = 1; i < model.bodies().size(); ++i)
          state.q.segment<3>(model.bodies()[i].q_offset) +=
              (k % 25 == 0 ? 2.0 : 0.3) *
              Vec3(std::sin(0.1257 * k * static_cast<double>(i % 3)), std::sin(0.1257 * k), 0.0);
        contacts += world.find_contacts(state).size();
      }
    };
    // The roomy boxes depend on the motion before: the second round is the first that repeats.
    go_round();
    go_round();
    go_round();
    EXPECT_EQ(count_allocations_of(go_round), 0) << threads << " threads";
    EXPECT_GT(contacts, 1000U);
    EXPECT_GT(world.counts().rebuilds, 4U);
  }
}

// Measuring is part of a step that is watched.
TEST(Measuring, allocates_nothing) {
  const Model model = machines::make_rigid_ladder(20);
  State state = model.initial_state();
  double sum = 0.0;
  const long count = count_allocations_of([&] {
    sum += compute_energy(model, state).total();
    sum += compute_momentum(model, state).angular.norm();
  });
  EXPECT_EQ(count, 0);
  EXPECT_TRUE(std::isfinite(sum));
}

}  // namespace
}  // namespace ligament
