// SPDX-License-Identifier: Apache-2.0
#include "ligament/collision/collision_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <unordered_map>

#include "ligament/collision/broad_phase.h"
#include "ligament/collision/pair_contacts.h"
#include "ligament/collision/ray.h"
#include "ligament/math/parallel.h"

namespace ligament {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }
ShapeId shape_id(int i) { return {static_cast<std::uint32_t>(i)}; }

// Meshes and height fields that several shapes share are prepared once.
std::vector<PlacedShape> make_placed_shapes(const Model& model) {
  std::unordered_map<const void*, std::size_t> surfaces;  // where the first one is
  std::vector<PlacedShape> placed;
  for (const Shape& shape : model.shapes()) {
    const auto* mesh = std::get_if<MeshShape>(&shape.geometry);
    const auto* field = std::get_if<HeightFieldShape>(&shape.geometry);
    const void* key = mesh    ? static_cast<const void*>(mesh->mesh.get())
                      : field ? static_cast<const void*>(field->field.get())
                              : nullptr;
    if (const auto known = surfaces.find(key); key && known != surfaces.end()) {
      placed.push_back(PlacedShape(placed[known->second]));
      continue;
    }
    placed.push_back(make_placed_shape(shape.geometry));
    if (key) surfaces[key] = placed.size() - 1;
  }
  return placed;
}

// Which shapes move, which never do, and which have no end.
struct Sorted {
  std::vector<int> moving, fixed, endless;
};
Sorted sort_shapes(const Model& model, const std::vector<PlacedShape>& shapes) {
  Sorted sorted;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Body& body = model.body(model.shapes()[i].body);
    const bool moves = body.kind != BodyKind::fixed || body.motion >= 0;
    (is_endless(shapes[i].kind) ? sorted.endless
     : moves                    ? sorted.moving
                                : sorted.fixed)
        .push_back(static_cast<int>(i));
  }
  return sorted;
}

// What a shape travels at a speed in a time [m]. A speed without bound must not make everybody a
// neighbour.
double travel_of(const PlacedShape& shape, double speed, double time) {
  const double travel = std::min(speed * time, 1e6 * (1.0 + shape.reach));
  return travel >= 0.0 ? travel : 0.0;
}

bool can_touch(const Model& model, int i, int j) {
  const Shape &a = model.shapes()[at(i)], &b = model.shapes()[at(j)];
  if (a.body == b.body || !(a.group & b.mask) || !(b.group & a.mask)) return false;
  if (model.body(a.body).kind == BodyKind::fixed && model.body(b.body).kind == BodyKind::fixed)
    return false;
  return model.joints().empty() || !model.is_jointed(a.body, b.body);
}

}  // namespace

void check_options(const ContactOptions& options) {
  const auto require = [](bool good, const char* what, double value) {
    if (!good) throw std::invalid_argument(fmt::format("{} is {}", what, value));
  };
  require(std::isfinite(options.lookahead) && options.lookahead >= 0.0,
          "lookahead must be ≥ 0 and finite; it", options.lookahead);
  require(std::isfinite(options.slack) && options.slack >= 0.0, "slack must be ≥ 0 and finite; it",
          options.slack);
  require(options.threads >= 1, "threads must be ≥ 1; it", options.threads);
}

struct CollisionWorld::Parts {
  Parts(const Model& model_of, const ContactOptions& given, std::vector<PlacedShape> made,
        Sorted sorted)
      : model(model_of),
        options(given),
        shapes(std::move(made)),
        broad(std::move(sorted.moving), std::move(sorted.fixed), std::move(sorted.endless),
              [&m = model_of](int i, int j) { return can_touch(m, i, j); }),
        margins(shapes.size(), 0.0),
        wide(shapes.size(), 0.0),
        balls(shapes.size()),
        bounds(shapes.size()),
        asleep(shapes.size(), 1),
        was_asleep(shapes.size(), 0) {}

  const Model& model;
  ContactOptions options;
  std::vector<PlacedShape> shapes;
  BroadPhase broad;
  std::vector<double> margins;  // [m] that contacts were looked for in, without falling
  std::vector<double> wide;     // [m] the same at the second look
  // What most pairs are told apart by: a ball around a convex shape and its margin. Endless for the
  // others, and empty for those that are nowhere.
  struct Ball {
    Vec3 p = Vec3::Zero();
    double reach = std::numeric_limits<double>::infinity();
  };
  std::vector<Ball> balls;
  std::vector<Bounds> bounds;  // of the shapes and their margins
  bool placed = false;
  std::vector<unsigned char> asleep;      // by shape: fixed ones are
  std::vector<unsigned char> was_asleep;  // at the last call

  struct Chunk {
    PairContacts pair;
    std::vector<Contact> contacts;
    std::size_t looked_at = 0;
  };
  std::vector<Chunk> chunks;
  std::vector<Contact> contacts;
  std::vector<Contact> missed;  // found by second looks at the state
  std::vector<BodyId> culprits;
  std::size_t candidates = 0, pairs = 0;

  double compute_speed(const State& state, const VecX& v, int i) const;
  double compute_kick(const State& state, const VecX& v, int i) const;
  Vec3 fall() const;
  Reach reach_of(int i, int j, const std::vector<double>& within) const;
  void put_bounds(int i, double margin);
  void place_shape(const State& state, int i);
  void place_shapes(const State& state, std::span<const unsigned char> sleepers);
  bool sleeps(const BroadPhase::Pair& pair) const {
    return asleep[at(pair.owner)] && asleep[at(pair.other)];
  }
  void find_pair(const BroadPhase::Pair& pair, const std::vector<double>& within,
                 Chunk& chunk) const;
  bool widen_margins(const State& state, const VecX& v);
  Vec3 compute_velocity(const State& state, const VecX& v, BodyId id, const Vec3& x) const;
  bool is_missed(const State& state, const VecX& v, const Contact& contact) const;
};

// How fast the fastest point of a shape is if its body has the velocities v [m/s].
double CollisionWorld::Parts::compute_speed(const State& state, const VecX& v, int i) const {
  const Shape& shape = model.shapes()[at(i)];
  const Body& body = model.body(shape.body);
  const double lever = shape.pose.p.norm() + shapes[at(i)].reach;
  if (body.motion >= 0)
    return velocity_of(model, state, shape.body).norm() +
           compute_angular_velocity(model, state, shape.body).norm() * lever;
  if (body.v_offset < 0) return 0.0;
  const double speed = v.segment<3>(body.v_offset).norm();
  if (body.kind != BodyKind::rigid) return speed;
  return speed + v.segment<3>(body.v_offset + 3).norm() * lever;
}

// [m/s] How much faster than in free fall, for a part of the lookahead, the velocities v make it.
double CollisionWorld::Parts::compute_kick(const State& state, const VecX& v, int i) const {
  const double speed = compute_speed(state, v, i);
  const int column = model.body(model.shapes()[at(i)].body).v_offset;
  const Vec3 fallen = options.lookahead * model.gravity();
  if (column < 0 || !(fallen.squaredNorm() > 0.0)) return speed;
  const Vec3 velocity = v.segment<3>(column);
  const double part = std::clamp(velocity.dot(fallen) / fallen.squaredNorm(), 0.0, 1.0);
  return speed - velocity.norm() + (velocity - part * fallen).norm();
}

// [m] How much farther than at its speed a body gets by falling.
Vec3 CollisionWorld::Parts::fall() const {
  return options.lookahead * options.lookahead * model.gravity();
}

// Of two shapes that may move within their margins, while one of them falls.             [CO.12]
Reach CollisionWorld::Parts::reach_of(int i, int j, const std::vector<double>& within) const {
  return {within[at(i)] + within[at(j)], fall()};
}

// The box and the ball around a shape, its margin and its fall.
void CollisionWorld::Parts::put_bounds(int i, double margin) {
  const PlacedShape& shape = shapes[at(i)];
  const bool falls = model.body(model.shapes()[at(i)].body).v_offset >= 0;
  const Vec3 way = falls ? fall() : Vec3::Zero();
  if (!is_endless(shape.kind)) {
    Bounds& box = bounds[at(i)];
    box = compute_bounds(shape, margin);
    box.low -= way.cwiseAbs();
    box.high += way.cwiseAbs();
  }
  balls[at(i)] = shape.kind == ShapeClass::convex
                     ? Ball{shape.convex.p, shape.reach + margin + way.norm()}
                     : Ball{};
}

void CollisionWorld::Parts::place_shape(const State& state, int i) {
  const Shape& shape = model.shapes()[at(i)];
  const Frame pose = compute_pose(model, state, shape.body);
  PlacedShape& placed_shape = shapes[at(i)];
  if (!pose.p.allFinite() || !pose.R.coeffs().allFinite()) {
    bounds[at(i)] = {};
    balls[at(i)].reach = -std::numeric_limits<double>::infinity();
    placed_shape.convex.p.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  place(pose, pose.R.toRotationMatrix(), shape.pose, placed_shape);
  margins[at(i)] = travel_of(placed_shape, compute_speed(state, state.v, i), options.lookahead) +
                   options.slack * placed_shape.smallest;
  put_bounds(i, margins[at(i)]);
}

void CollisionWorld::Parts::place_shapes(const State& state,
                                         std::span<const unsigned char> sleepers) {
  if (!placed) {
    for (const auto list : {broad.fixed(), broad.endless()})
      for (const int i : list) place_shape(state, i);
    for (const int i : broad.moving()) asleep[at(i)] = 0;
    placed = true;
  }
  for (const int i : broad.endless()) {
    if (model.body(model.shapes()[at(i)].body).motion < 0) continue;
    asleep[at(i)] = 0;
    place_shape(state, i);
  }
  constexpr std::size_t chunk_size = 256;
  const std::span<const int> moving = broad.moving();
  for_each_chunk(options.threads, moving.size(), chunk_size,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t k = begin; k < end; ++k) {
                     const int i = moving[k];
                     const std::size_t body = model.shapes()[at(i)].body.index();
                     was_asleep[at(i)] = asleep[at(i)];
                     asleep[at(i)] = body < sleepers.size() ? sleepers[body] : 0;
                     // Who falls asleep has moved since the last call.
                     if (!asleep[at(i)] || !was_asleep[at(i)]) place_shape(state, i);
                   }
                 });
  culprits.clear();
  for (const auto list : {moving, broad.endless()})
    for (const int i : list) {
      if (!(balls[at(i)].reach < 0.0)) continue;
      const BodyId body = model.shapes()[at(i)].body;
      if (std::ranges::find(culprits, body) == culprits.end()) culprits.push_back(body);
    }
}

void CollisionWorld::Parts::find_pair(const BroadPhase::Pair& pair,
                                      const std::vector<double>& within, Chunk& chunk) const {
  const Ball &one = balls[at(pair.owner)], &other = balls[at(pair.other)];
  const double together = one.reach + other.reach;
  if (!((other.p - one.p).squaredNorm() <= together * together) || together < 0.0) return;
  const int i = std::min(pair.owner, pair.other), j = std::max(pair.owner, pair.other);
  const PlacedShape &a = shapes[at(i)], &b = shapes[at(j)];
  const bool round = a.kind == ShapeClass::convex && a.convex.core == Core::point &&
                     b.kind == ShapeClass::convex && b.convex.core == Core::point;
  const bool endless = is_endless(a.kind) || is_endless(b.kind);
  if (!round && !endless && !overlaps(bounds[at(i)], bounds[at(j)])) return;
  ++chunk.looked_at;
  for (const PairPoint& found : chunk.pair.find(a, b, reach_of(i, j, within)))
    chunk.contacts.push_back({.shape_a = shape_id(i),
                              .shape_b = shape_id(j),
                              .a = model.shapes()[at(i)].body,
                              .b = model.shapes()[at(j)].body,
                              .gap = found.point.gap,
                              .normal = found.n,
                              .tangent = compute_tangent(found.n),
                              .point_a = found.point.x,
                              .point_b = found.point.y,
                              .feature = found.point.feature});
}

// Gives the shapes that the velocities v carry out of their margins wider ones. Returns whether
// there are any.
bool CollisionWorld::Parts::widen_margins(const State& state, const VecX& v) {
  wide = margins;
  bool any = false;
  for (const int i : broad.moving()) {
    if (asleep[at(i)] || balls[at(i)].reach < 0.0) continue;
    const double travel = travel_of(shapes[at(i)], compute_kick(state, v, i), options.lookahead);
    if (!(travel > margins[at(i)])) continue;
    wide[at(i)] = travel;
    put_bounds(i, travel);
    any = true;
  }
  return any;
}

// Of a point x of a body.
Vec3 CollisionWorld::Parts::compute_velocity(const State& state, const VecX& v, BodyId id,
                                             const Vec3& x) const {
  const Body& body = model.body(id);
  if (body.motion >= 0)
    return velocity_of(model, state, id) +
           compute_angular_velocity(model, state, id).cross(x - state.q.segment<3>(body.q_offset));
  if (body.v_offset < 0) return Vec3::Zero();
  Vec3 velocity = v.segment<3>(body.v_offset);
  if (body.kind == BodyKind::rigid)
    velocity += v.segment<3>(body.v_offset + 3).cross(x - state.q.segment<3>(body.q_offset));
  return velocity;
}

// Whether the first look did not reach a contact that the velocities v close within the lookahead.
bool CollisionWorld::Parts::is_missed(const State& state, const VecX& v,
                                      const Contact& contact) const {
  const Reach known_within = reach_of(static_cast<int>(contact.shape_a.index()),
                                      static_cast<int>(contact.shape_b.index()), margins);
  if (contact.gap <= known_within.along(contact.normal)) return false;
  const Vec3 approach = compute_velocity(state, v, contact.b, contact.point_b) -
                        compute_velocity(state, v, contact.a, contact.point_a);
  if (!(contact.gap + options.lookahead * contact.normal.dot(approach) < 0.0)) return false;
  return std::ranges::none_of(missed, [&](const Contact& known) {
    return known.shape_a == contact.shape_a && known.shape_b == contact.shape_b &&
           known.feature == contact.feature;
  });
}

CollisionWorld::CollisionWorld(const Model& model, const ContactOptions& options) {
  check_options(options);
  std::vector<PlacedShape> shapes = make_placed_shapes(model);
  Sorted sorted = sort_shapes(model, shapes);
  parts_ = std::make_unique<Parts>(model, options, std::move(shapes), std::move(sorted));
}
CollisionWorld::~CollisionWorld() = default;
CollisionWorld::CollisionWorld(CollisionWorld&&) noexcept = default;
CollisionWorld& CollisionWorld::operator=(CollisionWorld&&) noexcept = default;

void CollisionWorld::set_options(const ContactOptions& options) {
  check_options(options);
  parts_->options = options;
}

void CollisionWorld::place_shapes(const State& state) {
  parts_->place_shapes(state, {});
  parts_->candidates = parts_->broad.update(parts_->bounds, parts_->options.threads).size();
}

std::span<const Contact> CollisionWorld::find_contacts(const State& state,
                                                       std::span<const unsigned char> sleepers) {
  Parts& p = *parts_;
  p.place_shapes(state, sleepers);
  const std::span<const BroadPhase::Pair> pairs = p.broad.update(p.bounds, p.options.threads);
  constexpr std::size_t chunk_size = 256;
  const std::size_t chunks = chunks_of(pairs.size(), chunk_size);
  if (p.chunks.size() < chunks) p.chunks.resize(chunks);
  for_each_chunk(p.options.threads, pairs.size(), chunk_size,
                 [&](std::size_t index, std::size_t begin, std::size_t end) {
                   Parts::Chunk& chunk = p.chunks[index];
                   chunk.contacts.clear();
                   chunk.looked_at = 0;
                   for (std::size_t k = begin; k < end; ++k) {
                     // Shapes are numbered as they like: their neighbours are far away in memory.
                     if (k + 16 < end && !p.sleeps(pairs[k + 16]))
                       __builtin_prefetch(&p.balls[at(pairs[k + 16].other)]);
                     if (!p.sleeps(pairs[k])) p.find_pair(pairs[k], p.margins, chunk);
                   }
                 });
  p.contacts.clear();
  p.missed.clear();
  p.candidates = pairs.size();
  p.pairs = 0;
  for (std::size_t i = 0; i < chunks; ++i) {
    p.contacts.insert(p.contacts.end(), p.chunks[i].contacts.begin(), p.chunks[i].contacts.end());
    p.pairs += p.chunks[i].looked_at;
  }
  return p.contacts;
}

std::span<const Contact> CollisionWorld::find_missed_contacts(const State& state, const VecX& v) {
  Parts& p = *parts_;
  if (!p.widen_margins(state, v)) return {};
  if (p.chunks.empty()) p.chunks.resize(1);
  Parts::Chunk& chunk = p.chunks.front();
  chunk.contacts.clear();
  for (const BroadPhase::Pair& pair : p.broad.update(p.bounds, p.options.threads)) {
    const bool wider = p.wide[at(pair.owner)] > p.margins[at(pair.owner)] ||
                       p.wide[at(pair.other)] > p.margins[at(pair.other)];
    if (wider && !p.sleeps(pair)) p.find_pair(pair, p.wide, chunk);
  }
  const std::size_t known = p.missed.size();
  for (const Contact& contact : chunk.contacts)
    if (p.is_missed(state, v, contact)) p.missed.push_back(contact);
  return std::span(p.missed).subspan(known);
}

std::span<const BodyId> CollisionWorld::culprits() const { return parts_->culprits; }

double CollisionWorld::thickness_of(ShapeId shape) const {
  return parts_->shapes[shape.index()].smallest;
}

double CollisionWorld::size_of(ShapeId shape) const { return parts_->shapes[shape.index()].reach; }

CollisionWorld::Counts CollisionWorld::counts() const {
  return {parts_->candidates, parts_->pairs, parts_->broad.rebuilds()};
}

std::optional<RayHit> CollisionWorld::cast_ray(const Vec3& origin, const Vec3& direction,
                                               double farthest) const {
  const Parts& p = *parts_;
  const double length = direction.norm();
  if (!(length > 0.0) || !origin.allFinite() || !std::isfinite(length)) return std::nullopt;
  Ray ray{origin, direction / length, farthest};
  std::optional<RayHit> best;
  const auto try_shape = [&](int i) {
    if (!p.shapes[at(i)].convex.p.allFinite()) return;
    const std::optional<RayPoint> hit = find_hit(ray, p.shapes[at(i)]);
    // Of two at the same distance the first shape.
    if (!hit || (best && hit->distance == best->distance && best->shape < shape_id(i))) return;
    ray.farthest = hit->distance;
    best = {shape_id(i), p.model.shapes()[at(i)].body, hit->distance,
            origin + hit->distance * ray.direction, hit->normal};
  };
  const auto enter = [&](const Bounds& bounds) { return passes(ray, bounds); };
  p.broad.moving_tree().for_each_in(enter, [&](int k) { try_shape(p.broad.moving()[at(k)]); });
  p.broad.fixed_tree().for_each_in(enter, [&](int k) { try_shape(p.broad.fixed()[at(k)]); });
  for (const int i : p.broad.endless()) try_shape(i);
  return best;
}

std::optional<ShapeDistance> CollisionWorld::find_distance(ShapeId a, ShapeId b) const {
  const PlacedShape &one = parts_->shapes[a.index()], &other = parts_->shapes[b.index()];
  const bool surface = one.kind == ShapeClass::surface || other.kind == ShapeClass::surface;
  PairContacts pair;
  std::optional<ShapeDistance> best;
  // Surfaces are searched in growing rounds, so that the far ends of a terrain cost nothing.
  const PlacedShape& body = one.kind == ShapeClass::convex ? one : other;
  double margin = surface ? body.reach : 1e30;
  for (int round = 0; round < 60 && !best; ++round, margin *= 4.0)
    for (const PairPoint& found : pair.find(one, other, margin))
      if (!best || found.point.gap < best->gap)
        best = {found.point.gap, found.n, found.point.x, found.point.y};
  return best;
}

}  // namespace ligament
