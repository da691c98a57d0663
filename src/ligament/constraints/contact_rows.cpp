// SPDX-License-Identifier: Apache-2.0
#include "ligament/constraints/contact_rows.h"

#include <fmt/format.h>

#include <array>

namespace ligament {
namespace {

// One of the two bodies of a contact, as its rows see it.
struct Side {
  int free = -1, prescribed = -1;  // block of M, columns of P; −1: none
  BodyKind kind = BodyKind::fixed;
  Vec3 r = Vec3::Zero();  // lever arm of the contact point
  double s = 0.0;         // rods: its place along the rod
  double sign = 1.0;
};

Side make_side(const Model& model, const std::vector<BodyFrame>& frames, BodyId id, const Vec3& x,
               double sign) {
  const Body& body = model.body(id);
  const BodyFrame& frame = frames[id.index()];
  Side side{.free = body.mass_block,
            .prescribed = body.motion,
            .kind = body.kind,
            .r = x - frame.x,
            .sign = sign};
  if (body.kind == BodyKind::rod) side.s = side.r.dot(frame.R.col(0));
  return side;
}

// Velocity of the contact point along d, in row `row` of an entry with `rows` rows.  [JO.1]
void put_point(double* values, int rows, int row, const Side& side, const Vec3& d) {
  const Vec3 along = side.sign * d;
  for (int c = 0; c < 3; ++c) values[c * rows + row] = along(c);
  if (side.kind == BodyKind::particle) return;
  const Vec3 turned = side.kind == BodyKind::rod ? Vec3(side.s * along) : side.r.cross(along);
  for (int c = 0; c < 3; ++c) values[(3 + c) * rows + row] = turned(c);
}

void put_turn(double* values, int rows, int row, const Side& side, const Vec3& d) {
  if (side.kind != BodyKind::rigid && side.kind != BodyKind::fixed) return;
  for (int c = 0; c < 3; ++c) values[(3 + c) * rows + row] = side.sign * d(c);
}

enum class Against { sliding, turning };

// Appends a row block with one row a direction.
int append_block(std::span<const Vec3> directions, Against motion, const std::array<Side, 2>& sides,
                 const Law& law, const ContactMatrices& out) {
  const int rows = static_cast<int>(directions.size());
  std::array<int, 2> free{}, prescribed{};
  std::size_t free_count = 0, prescribed_count = 0;
  for (const Side& side : sides) {
    if (side.free >= 0) free[free_count++] = side.free;
    if (side.prescribed >= 0) prescribed[prescribed_count++] = side.prescribed;
  }
  const int block = out.G.add_block(rows, {free.data(), free_count}, out.M);
  const bool moved = !out.prescribed.blocks.empty();
  if (moved) out.P.add_block(rows, {prescribed.data(), prescribed_count}, out.prescribed);
  out.laws.push_back(law);

  int entry = out.G.blocks.back().first_entry;
  int prescribed_entry = moved ? out.P.blocks.back().first_entry : 0;
  for (const Side& side : sides) {
    double* values = nullptr;
    if (side.free >= 0)
      values = out.G.entry_values(out.G.entries[static_cast<std::size_t>(entry++)]);
    else if (side.prescribed >= 0)
      values = out.P.entry_values(out.P.entries[static_cast<std::size_t>(prescribed_entry++)]);
    else
      continue;
    for (int r = 0; r < rows; ++r)
      if (motion == Against::sliding)
        put_point(values, rows, r, side, directions[static_cast<std::size_t>(r)]);
      else
        put_turn(values, rows, r, side, directions[static_cast<std::size_t>(r)]);
  }
  return block;
}

}  // namespace

const char* name_of(FrictionLaw law) {
  constexpr const char* names[] = {"coulomb", "cone", "disc", "box", "none"};
  return names[static_cast<std::size_t>(law)];
}

void append_contact_rows(const Model& model, const std::vector<BodyFrame>& frames,
                         FrictionLaw friction, std::span<ContactRows> contacts,
                         const ContactMatrices& out) {
  for (ContactRows& rows : contacts) {
    const Contact& contact = rows.contact;
    const Material& material = *rows.material;
    const Vec3 x = 0.5 * (contact.point_a + contact.point_b);
    const std::array<Side, 2> sides{make_side(model, frames, contact.a, x, -1.0),
                                    make_side(model, frames, contact.b, x, 1.0)};
    const std::array<Vec3, 3> axes{contact.normal, contact.tangent, rows.other_tangent()};
    const std::span<const Vec3> normal(axes.data(), 1), tangents(axes.data() + 1, 2);
    const auto row_of = [&](int block) {
      return out.G.blocks[static_cast<std::size_t>(block)].first_row;
    };
    const bool slides = material.friction == 0.0 || friction == FrictionLaw::none;
    const bool one_law = friction == FrictionLaw::coulomb || friction == FrictionLaw::cone;
    if (!slides && one_law) {
      const Law law = friction == FrictionLaw::cone ? Law(Cone{.mu = material.friction})
                                                    : Law(Coulomb{.mu = material.friction});
      rows.block = rows.friction = append_block(axes, Against::sliding, sides, law, out);
      rows.normal_row = row_of(rows.block);
      rows.friction_row = rows.normal_row + 1;
    } else {
      rows.block = append_block(normal, Against::sliding, sides, Unilateral{}, out);
      rows.normal_row = row_of(rows.block);
    }
    if (!slides && !one_law) {
      const Law law = friction == FrictionLaw::box
                          ? Law(Box{.normal = rows.normal_row, .mu = material.friction})
                          : Law(Disc{.normal = rows.normal_row, .mu = material.friction});
      rows.friction = append_block(tangents, Against::sliding, sides, law, out);
      rows.friction_row = row_of(rows.friction);
    }
    if (material.spinning_friction > 0.0) {
      const Disc law{.normal = rows.normal_row, .mu = material.spinning_friction};
      rows.spinning = append_block(normal, Against::turning, sides, law, out);
      rows.spinning_row = row_of(rows.spinning);
    }
    if (material.rolling_friction > 0.0) {
      const Disc law{.normal = rows.normal_row, .mu = material.rolling_friction};
      rows.rolling = append_block(tangents, Against::turning, sides, law, out);
      rows.rolling_row = row_of(rows.rolling);
    }
  }
}

std::string name_of_contact(const Model& model, ShapeId a, ShapeId b) {
  // People know their bodies; the world has nothing but shapes.
  const auto name = [&](ShapeId shape) {
    const BodyId body = model.shape(shape).body;
    return body == world ? model.name(shape) : model.name(body);
  };
  return fmt::format("contact of \"{}\" and \"{}\"", name(a), name(b));
}

}  // namespace ligament
