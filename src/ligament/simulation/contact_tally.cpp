// SPDX-License-Identifier: Apache-2.0
#include "ligament/simulation/contact_tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ligament {
namespace {

constexpr double deep = 0.1;       // of the smaller half size: no overlap of a good run
constexpr double excessive = 100;  // times all that could press: no force of a good run, unless a
                                   // wedge of less than a degree drives it
constexpr double noticed = 1e-5;   // of the smaller half size: less is rounding of the drawing
constexpr double far = 10;         // sizes of a body in a step: where it hits is a guess

// What the free motion of a body could press with [N s], metres and radians alike.
double impulse_of(const StepProblem& problem, const BodyBlock& block) {
  const double push = problem.p.segment<3>(block.offset).norm();
  if (block.size < 6) return push;
  const double largest = block.rotation.diagonal().maxCoeff();
  return push + problem.p.segment<3>(block.offset + 3).norm() * std::sqrt(block.mass / largest);
}

// All that could press in an island: its momenta, forces of the step included, and the impulses of
// its joints and drives.
double compute_available_impulse(const Workspace& work, const islands::Islands& islands,
                                 int island) {
  double sum = 0.0;
  for (const int body : islands.bodies(island))
    sum += impulse_of(work.problem, work.problem.M.blocks[static_cast<std::size_t>(body)]);
  for (const int i : islands.blocks(island)) {
    if (i >= work.contacts.joint_blocks) continue;
    const RowBlock& block = work.problem.G.blocks[static_cast<std::size_t>(i)];
    sum += work.solution.lambda.segment(block.first_row, block.rows).cwiseAbs().sum();
  }
  return sum;
}

ShapePair pair_of(const ContactRows& rows) {
  return {rows.contact.shape_a, rows.contact.shape_b, true};
}

// [m] The smaller half size of the two; of surfaces without thickness, that of the other.
double thickness_of(const ShapePair& pair, const CollisionWorld& world) {
  const double a = world.thickness_of(pair.a), b = world.thickness_of(pair.b);
  return a == 0.0 ? b : b == 0.0 ? a : std::min(a, b);
}

}  // namespace

ContactTally::ContactTally(const Model& model, const Workspace& work)
    : sizes_(model.bodies().size(), 0.0) {
  if (!work.collision) return;
  for (std::uint32_t i = 0; i < model.shapes().size(); ++i) {
    const Shape& shape = model.shapes()[i];
    const double thickness = work.collision->thickness_of(ShapeId{i});
    if (thickness > 0.0 && (thinnest_ == 0.0 || thickness < thinnest_)) thinnest_ = thickness;
    double& size = sizes_[shape.body.index()];
    size = std::max(size, shape.pose.p.norm() + work.collision->size_of(ShapeId{i}));
  }
}

ShapePair find_contact(const ContactSet& contacts, int row) {
  if (row < contacts.joint_rows) return {};
  const auto after = std::ranges::upper_bound(contacts.rows, row, {}, &ContactRows::normal_row);
  return pair_of(*(after - 1));
}

void ContactTally::add_step(const StepReport& report, const Model& model, const Workspace& work,
                            double h) {
  contacts_ = std::max(contacts_, report.contacts);
  friction_error_ = std::max(friction_error_, report.friction_error);
  if (report.contacts == 0) return;
  const auto& rows = work.contacts.rows;
  if (report.penetration > penetration_) {
    penetration_ = report.penetration;
    deepest_ = pair_of(rows[static_cast<std::size_t>(report.deepest_contact)]);
  }
  if (report.raised_contact >= 0)
    raised_ = pair_of(rows[static_cast<std::size_t>(report.raised_contact)]);
  add_overlaps(work, h);
  add_presses(work, h);
  add_flights(model, work, h);
}

// Only overlaps that can be the largest are looked at closely.
void ContactTally::add_overlaps(const Workspace& work, double h) {
  for (const ContactRows& rows : work.contacts.rows) {
    const double depth = -rows.contact.gap;
    if (!(depth > overlap_ * thinnest_) || depth <= 0.0) continue;
    const double thickness = thickness_of(pair_of(rows), *work.collision);
    if (!(depth > overlap_ * thickness) || thickness == 0.0) continue;
    const double force = work.solution.lambda(rows.normal_row) / h;
    overlap_ = depth / thickness;
    overlap_depth_ = depth;
    overlap_force_ = 2.0 * rows.material->compliance * force > depth ? force : 0.0;
    overlapping_ = pair_of(rows);
  }
}

// Contacts that overlap and press far more than their own two bodies could are held against all
// that could press in their island.
void ContactTally::add_presses(const Workspace& work, double h) {
  const StepProblem& problem = work.problem;
  constexpr double unknown = -1.0;
  bool found = false;
  for (const ContactRows& rows : work.contacts.rows) {
    const double press = work.solution.lambda(rows.normal_row);
    if (!(-rows.contact.gap > noticed * thinnest_) || !(press > 0.0)) continue;
    if (-rows.contact.gap < noticed * thickness_of(pair_of(rows), *work.collision)) continue;
    const auto entries =
        problem.G.entries_of(problem.G.blocks[static_cast<std::size_t>(rows.block)]);
    double own = 0.0;
    for (const BlockEntry& entry : entries)
      own += impulse_of(problem, problem.M.blocks[static_cast<std::size_t>(entry.body)]);
    if (!(press > std::max(excess_, excessive) * own)) continue;
    if (!found) {
      islands_.find(problem, islands::Small::apart);
      available_.assign(static_cast<std::size_t>(islands_.count()), unknown);
    }
    found = true;
    const int island = islands_.island_of(entries.front().body);
    double& available = available_[static_cast<std::size_t>(island)];
    if (available == unknown) available = compute_available_impulse(work, islands_, island);
    const double excess =
        available > 0.0 ? press / available : std::numeric_limits<double>::infinity();
    if (excess <= excess_) continue;
    excess_ = excess;
    excess_force_ = press / h;
    pressed_ = pair_of(rows);
  }
}

// The way of a body's farthest point in the step, in sizes of the body: as it would be without
// contacts and gravity, which moves nothing that rests.
void ContactTally::add_flights(const Model& model, const Workspace& work, double h) {
  const auto flight_of = [&](BodyId id) {
    const Body& body = model.body(id);
    const double size = sizes_[id.index()];
    if (body.mass_block < 0 || size == 0.0) return 0.0;
    const BodyBlock& block = work.problem.M.blocks[static_cast<std::size_t>(body.mass_block)];
    const Vec3 v = work.problem.p.segment<3>(block.offset) / block.mass - h * model.gravity();
    double speed = v.norm();
    if (body.kind == BodyKind::rigid) speed += size * work.spins[id.index()].w_P.norm();
    return h * speed / size;
  };
  // Most steps have none, and bodies are fewer than contacts.
  bool any = false;
  for (std::uint32_t i = 0; i < model.bodies().size() && !any; ++i)
    any = flight_of(BodyId{i}) > std::max(far, flight_);
  if (!any) return;
  for (const ContactRows& rows : work.contacts.rows)
    for (const BodyId id : {rows.contact.a, rows.contact.b})
      if (const double flight = flight_of(id); flight > flight_) {
        flight_ = flight;
        flying_ = id;
      }
}

void ContactTally::write_to(const Model& model, double h, RunReport& out) const {
  out.contacts = contacts_;
  out.penetration_max = penetration_;
  out.penetration_worst = deepest_.name(model);
  out.friction_error = friction_error_;
  if (overlap_ > deep)
    out.warnings.push_back(fmt::format(
        "{}: they overlapped by {:.3g} m, {:.2g} of their smallest half size, {}",
        overlapping_.name(model), overlap_depth_, overlap_,
        overlap_force_ > 0.0
            ? fmt::format("under {:.3g} N: their compliance gives way by so much. Give these "
                          "surfaces less of it, or what is pinched between them more room",
                          overlap_force_)
            : "and were pushed apart: start them clear of each other, or take a smaller step if "
              "they are this fast"));
  if (excess_ > excessive)
    out.warnings.push_back(fmt::format(
        "{}: it pressed with {:.3g} N, which no weight, motion or drive in the scene explains. "
        "What "
        "overlaps at the start, or is pinched with no room left, is pressed by overlap over "
        "compliance: make room, or give these surfaces the compliance that they have",
        pressed_.name(model), excess_force_));
  if (flight_ > far)
    out.warnings.push_back(fmt::format(
        "body \"{}\": it went as far as {:.2g} times its size in one step. Contacts are looked for "
        "once a step, so that where it hits is a guess: take a step of {:.1g} s, or slow it down",
        model.name(flying_), flight_, h / flight_));
  if (raised_.known)
    out.warnings.push_back(fmt::format(
        "{}: the surfaces have less compliance than double precision can resolve at this step "
        "size; such contacts were given the least that it can",
        raised_.name(model)));
}

}  // namespace ligament
