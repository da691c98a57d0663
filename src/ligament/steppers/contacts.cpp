// SPDX-License-Identifier: Apache-2.0
#include "ligament/steppers/contacts.h"

#include <bit>
#include <cmath>

namespace ligament {
namespace {

std::size_t hash_of(ShapeId a, ShapeId b, std::uint64_t feature) {
  std::uint64_t x = (std::uint64_t{a.value} << 32U) ^ b.value ^ (feature * 0x9e3779b97f4a7c15U);
  x = (x ^ (x >> 31U)) * 0xbf58476d1ce4e5b9U;
  return static_cast<std::size_t>(x ^ (x >> 29U));
}

// Angular velocity of a body over the last step.
Vec3 angular_velocity_of(const Model& model, const State& state, BodyId id) {
  const Body& body = model.body(id);
  if (body.kind == BodyKind::rigid) return state.v.segment<3>(body.v_offset + 3);
  if (body.kind == BodyKind::fixed && body.motion < 0) return Vec3::Zero();
  return compute_angular_velocity(model, state, id);
}

// What the springs of friction were stretched by, turned with the surfaces.
Vec3 turn_with(const Vec3& angle, const Vec3& stretch) {
  if ((stretch.array() == 0.0).all()) return stretch;
  const Vec3 turned = stretch + angle.cross(stretch);
  const double size = turned.norm();
  return size > 0.0 ? Vec3(turned * (stretch.norm() / size)) : stretch;
}

// How far the last step took the origin of a body.
Vec3 way_of(const Model& model, const State& state, double h, BodyId id) {
  const Body& body = model.body(id);
  if (body.v_offset >= 0) return h * state.v.segment<3>(body.v_offset);
  if (body.motion < 0) return Vec3::Zero();
  const PoseFunction& motion = model.motions()[static_cast<std::size_t>(body.motion)];
  return motion(state.t).p - motion(state.t - h).p;
}

Vec3 middle_of(const Contact& contact) { return 0.5 * (contact.point_a + contact.point_b); }

void recall(const Model& model, const State& state, double h, const ContactMemory& memory,
            ContactRows& rows) {
  const Contact& contact = rows.contact;
  const Vec3 w_a = angular_velocity_of(model, state, contact.a),
             w_b = angular_velocity_of(model, state, contact.b), angle = 0.5 * h * (w_a + w_b);
  // What the levers of the last step have changed by until here.                         [CT.6]
  const Vec3 way = middle_of(contact) - memory.point,
             slip = w_b.cross(way - way_of(model, state, h, contact.b)) -
                    w_a.cross(way - way_of(model, state, h, contact.a));
  const Vec3& n = contact.normal;
  const Vec3 stretch = turn_with(angle, memory.stretch + 0.5 * h * slip);
  rows.stretch = stretch - n.dot(stretch) * n;
  rows.turn = turn_with(angle, memory.turn);
}

// The impulses of the last step as the first guess of this one.
void guess_impulses(const ContactRows& rows, const ContactMemory& memory, VecX& lambda) {
  const Vec3 &n = rows.contact.normal, &t = rows.contact.tangent, t2 = rows.other_tangent();
  lambda(rows.normal_row) = n.dot(memory.impulse);
  if (rows.friction >= 0)
    lambda.segment<2>(rows.friction_row) << t.dot(memory.impulse), t2.dot(memory.impulse);
  if (rows.spinning >= 0) lambda(rows.spinning_row) = n.dot(memory.turning_impulse);
  if (rows.rolling >= 0)
    lambda.segment<2>(rows.rolling_row) << t.dot(memory.turning_impulse),
        t2.dot(memory.turning_impulse);
}

// Gives everything that has an entry a row its size. Impulses behind the first `known` are zero.
void resize_rows(int known, Workspace& work) {
  const int rows = work.problem.rows();
  for (VecX* of_rows : {&work.problem.Sigma, &work.problem.b, &work.row_speed, &work.drift_before,
                        &work.drift, &work.free_speed})
    if (of_rows->size() != rows) of_rows->setZero(rows);
  work.schemes.resize(static_cast<std::size_t>(rows));
  if (work.solution.lambda.size() != rows) work.solution.lambda.conservativeResize(rows);
  work.solution.lambda.tail(rows - known).setZero();
}

// Rows for the contacts from the given one on, and a guess of their impulses.
void append_contacts(const Model& model, FrictionLaw friction, std::size_t first, Workspace& work) {
  ContactSet& set = work.contacts;
  const int known = work.problem.rows();
  append_contact_rows(
      model, work.frames, friction, std::span(set.rows).subspan(first),
      {work.problem.M, work.problem.G, work.prescribed_columns, work.P, work.problem.laws});
  resize_rows(known, work);
  for (std::size_t i = first; i < set.rows.size(); ++i) {
    if (set.memories[i]) guess_impulses(set.rows[i], *set.memories[i], work.solution.lambda);
    set.bounces = set.bounces || set.rows[i].material->restitution > 0.0;
  }
}

const Material& material_of(const Model& model, const Contact& contact) {
  return model.between(model.shape(contact.shape_a).material,
                       model.shape(contact.shape_b).material);
}

// A contact, with what it remembers.
void add_contact(const Model& model, const State& state, double h, const Contact& contact,
                 ContactSet& set) {
  set.rows.push_back({.contact = contact, .material = &material_of(model, contact)});
  set.memories.push_back(set.index.find(contact));
  if (set.memories.back()) recall(model, state, h, *set.memories.back(), set.rows.back());
}

// The part of a friction row block's motion that its springs follow: all of it while it sticks,
// without the slip against the impulse where the bound is reached.  [CT.3]
template <int N>
Eigen::Matrix<double, N, 1> stretch_rate(const Workspace& work, int row, double bound) {
  const Eigen::Matrix<double, N, 1> lambda = work.solution.lambda.segment<N>(row);
  Eigen::Matrix<double, N, 1> rate = work.row_speed.segment<N>(row);  // G u
  const Eigen::Matrix<double, N, 1> w = rate +
                                        work.problem.Sigma.segment<N>(row).cwiseProduct(lambda) -
                                        work.problem.b.segment<N>(row);
  if (work.constraints.drifts) rate += work.drift.segment<N>(row);
  const double size = lambda.norm();
  constexpr double nearly = 1.0 - 1e-9;
  if (size < nearly * bound) return rate;
  const Eigen::Matrix<double, N, 1> d = lambda / size;
  return rate - std::min(0.0, w.dot(d)) * d;
}

}  // namespace

void ContactIndex::build(std::span<const ContactMemory> memories) {
  memories_ = memories;
  const std::size_t size = std::bit_ceil(2 * memories.size() + 1);
  table_.assign(size, -1);
  for (std::size_t i = 0; i < memories.size(); ++i) {
    const ContactMemory& memory = memories[i];
    std::size_t at = hash_of(memory.shape_a, memory.shape_b, memory.feature) & (size - 1);
    while (table_[at] >= 0) at = (at + 1) & (size - 1);
    table_[at] = static_cast<int>(i);
  }
}

const ContactMemory* ContactIndex::find(const Contact& contact) const {
  const std::size_t size = table_.size();
  std::size_t at = hash_of(contact.shape_a, contact.shape_b, contact.feature) & (size - 1);
  for (; table_[at] >= 0; at = (at + 1) & (size - 1)) {
    const ContactMemory& memory = memories_[static_cast<std::size_t>(table_[at])];
    if (memory.shape_a == contact.shape_a && memory.shape_b == contact.shape_b &&
        memory.feature == contact.feature)
      return &memory;
  }
  return nullptr;
}

void find_contacts(const Model& model, const State& state, double h, const ContactModel& options,
                   Workspace& work) {
  if (!work.collision) return;
  ContactSet& set = work.contacts;
  work.collision->set_options({.lookahead = h, .slack = options.slack, .threads = options.threads});
  std::span<const Contact> found = work.collision->find_contacts(state, work.sleep.sleepers());
  while (work.sleep.wake(model, state, h, found))
    found = work.collision->find_contacts(state, work.sleep.sleepers());
  set.index.build(state.contacts);
  set.rows.clear();
  set.memories.clear();
  for (const Contact& contact : found) {
    if (work.sleep.is_asleep(contact.a) || work.sleep.is_asleep(contact.b)) continue;
    add_contact(model, state, h, contact, set);
  }
  build_contact_rows(model, options.friction, work);
}

bool add_missed_contacts(const Model& model, const State& state, double h, FrictionLaw friction,
                         Workspace& work) {
  if (!work.collision) return false;
  ContactSet& set = work.contacts;
  const std::size_t known = set.rows.size();
  for (const Contact& contact : work.collision->find_missed_contacts(state, work.solution.u)) {
    if (work.sleep.is_asleep(contact.a) || work.sleep.is_asleep(contact.b)) continue;
    if (material_of(model, contact).restitution > 0.0) continue;
    add_contact(model, state, h, contact, set);
  }
  if (set.rows.size() == known) return false;
  append_contacts(model, friction, known, work);
  compute_row_speeds(model, state, h, work);
  return true;
}

void build_contact_rows(const Model& model, FrictionLaw friction, Workspace& work) {
  ContactSet& set = work.contacts;
  work.problem.G.truncate(set.joint_blocks);
  work.P.truncate(set.joint_blocks);
  work.problem.laws.resize(static_cast<std::size_t>(set.joint_blocks));
  set.bounces = false;
  append_contacts(model, friction, 0, work);
}

ContactPhysics physics_of(const Material& material, double default_damping_time) {
  const RowPhysics normal{.unilateral = true,
                          .compliance = material.compliance,
                          .damping_time = material.damping_time.value_or(default_damping_time),
                          .restitution = material.restitution};
  const RowPhysics friction{.elastic = true,  // the spring that it sticks by
                            .compliance = normal.compliance,
                            .damping_time = normal.damping_time};
  ContactPhysics physics{normal, friction, friction, friction};
  // A patch of half width ρ whose rim gives way by ε turns by ε/ρ² under a torque.  [CT.4]
  const auto angular = [&](double lever) {
    return lever > 0.0 ? material.compliance / (lever * lever) : 0.0;
  };
  physics.spinning.compliance = angular(material.spinning_friction);
  physics.rolling.compliance = angular(material.rolling_friction);
  return physics;
}

double mobility_of(const Model& model, const Contact& contact) {
  double mobility = 0.0;
  for (const BodyId id : {contact.a, contact.b})
    if (model.body(id).mass > 0.0) mobility += 4.0 / model.body(id).mass;
  return mobility;
}

double sigma_floor(double compliance_floor, const Model& model, const Contact& contact) {
  return compliance_floor * std::numeric_limits<double>::epsilon() * mobility_of(model, contact);
}

bool bounce_by_poisson(const Model& model, double h, const Solver& solver, double compliance_floor,
                       Workspace& work, State& state, StepReport& report) {
  const auto hits = [&](const ContactRows& rows) {
    const RowPhysics normal{.unilateral = true, .restitution = rows.material->restitution};
    const int n = rows.normal_row;
    return normal.restitution > 0.0 &&
           bounces(normal, rows.contact.gap, work.row_speed(n), work.free_speed(n), h);
  };
  const auto bouncing = std::ranges::count_if(work.contacts.rows, hits);
  if (bouncing == 0) return true;

  Impact& impact = work.impact;
  impact.begin(work.problem, work.drift);
  impact.leave_out_drives(work.constraints);
  const double floor = sigma_floor(compliance_floor, work);
  for (int i = 0; i < work.contacts.joint_blocks; ++i) {
    const int row = work.problem.G.blocks[static_cast<std::size_t>(i)].first_row;
    const bool open =
        work.constraints.physics[static_cast<std::size_t>(row)].unilateral && work.g(row) > 0.0;
    if (open) impact.leave_out(i);
    impact.set_softness(i, floor);
  }
  for (const ContactRows& rows : work.contacts.rows) {
    const bool takes_part = rows.contact.gap <= 0.0 || hits(rows);
    for (const int block : {rows.block, rows.friction, rows.spinning, rows.rolling}) {
      if (block < 0) continue;
      impact.set_softness(block,
                          std::max(softness_of_a_hit * mobility_of(model, rows.contact), floor));
      if (!takes_part) impact.leave_out(block);
    }
    impact.set_restitution(rows.normal_row, rows.material->restitution);
  }
  work.v_before = state.v;
  work.p_before = state.p;
  report.solve = impact.solve(solver, state.v);
  report.solves += impact.solves();
  if (!report.solve.ok()) return false;
  state.p += impact.impulse();
  report.impacts = static_cast<int>(bouncing);
  return true;
}

void take_back_bounces(const Workspace& work, State& state) {
  state.v = work.v_before;
  state.p = work.p_before;
}

void remember_contacts(const Model& model, double h, const ContactModel& options, Workspace& work,
                       State& state) {
  const auto sleeps = [&](ShapeId shape) { return work.sleep.is_asleep(model.shape(shape).body); };
  std::erase_if(state.contacts, [&](const ContactMemory& memory) {
    return !sleeps(memory.shape_a) && !sleeps(memory.shape_b);
  });
  if (work.contacts.rows.empty()) return;
  multiply(work.problem.G, work.solution.u, work.row_speed);
  const VecX& lambda = work.solution.lambda;
  for (const ContactRows& rows : work.contacts.rows) {
    const double press = lambda(rows.normal_row);
    if (!(press > 0.0)) continue;
    const Vec3 &n = rows.contact.normal, &t = rows.contact.tangent, t2 = rows.other_tangent();
    ContactMemory memory{.shape_a = rows.contact.shape_a,
                         .shape_b = rows.contact.shape_b,
                         .feature = rows.contact.feature,
                         .stretch = rows.stretch,
                         .turn = rows.turn,
                         .point = middle_of(rows.contact),
                         .impulse = press * n};
    if (rows.friction >= 0) {
      memory.impulse += lambda(rows.friction_row) * t + lambda(rows.friction_row + 1) * t2;
      const double bound = rows.material->friction * press;
      Eigen::Vector2d rate;
      if (options.friction == FrictionLaw::box)
        rate << stretch_rate<1>(work, rows.friction_row, bound),
            stretch_rate<1>(work, rows.friction_row + 1, bound);
      else
        rate = stretch_rate<2>(work, rows.friction_row, bound);
      memory.stretch += h * (rate.x() * t + rate.y() * t2);
    }
    if (rows.spinning >= 0) {
      memory.turning_impulse += lambda(rows.spinning_row) * n;
      memory.turn +=
          h * n *
          stretch_rate<1>(work, rows.spinning_row, rows.material->spinning_friction * press)(0);
    }
    if (rows.rolling >= 0) {
      memory.turning_impulse += lambda(rows.rolling_row) * t + lambda(rows.rolling_row + 1) * t2;
      const Eigen::Vector2d rate =
          stretch_rate<2>(work, rows.rolling_row, rows.material->rolling_friction * press);
      memory.turn += h * (rate.x() * t + rate.y() * t2);
    }
    if (!options.anchored) memory.stretch = memory.turn = Vec3::Zero();
    state.contacts.push_back(memory);
  }
}

}  // namespace ligament
