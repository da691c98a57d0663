// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "ligament/geometry/geometry.h"
#include "ligament/geometry/geometry_error.h"

namespace ligament {
namespace {

TEST(HeightFields, have_their_points_where_the_grid_is) {
  const auto field = make_height_field(3, 2, 0.5, 2.0, {0, 1, 2, -3, 4, 5});
  EXPECT_EQ(field->point(2, 0), Vec3(1.0, 0.0, 2.0));
  EXPECT_EQ(field->point(0, 1), Vec3(0.0, 2.0, -3.0));
  EXPECT_EQ(field->lowest, -3.0);
  EXPECT_EQ(field->highest, 5.0);
}

TEST(HeightFields, are_refused_with_a_reason) {
  const auto find_error = [](int columns, int rows, double dx, double dy, std::vector<double> h) {
    try {
      make_height_field(columns, rows, dx, dy, std::move(h));
    } catch (const GeometryError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_NE(find_error(1, 2, 1, 1, {0, 0}).find("at least 2 × 2"), std::string::npos);
  EXPECT_NE(find_error(2, -2, 1, 1, {}).find("2 × -2"), std::string::npos);
  EXPECT_NE(find_error(2, 2, 0, 1, {0, 0, 0, 0}).find("dx"), std::string::npos);
  EXPECT_NE(find_error(2, 2, 1, infinity, {0, 0, 0, 0}).find("dy"), std::string::npos);
  EXPECT_NE(find_error(2, 2, 1, nan, {0, 0, 0, 0}).find("dy"), std::string::npos);
  EXPECT_NE(find_error(2, 2, 1, 1, {0, 0, 0}).find("need 4"), std::string::npos);
  EXPECT_NE(find_error(2, 2, 1, 1, {0, 0, nan, 0}).find("column 0, row 1"), std::string::npos);
}

TEST(Geometries, have_names) {
  EXPECT_STREQ(name_of(SphereShape{}), "sphere");
  EXPECT_STREQ(name_of(HalfSpaceShape{}), "half space");
  EXPECT_STREQ(name_of(CavityShape{}), "cavity");
  EXPECT_STREQ(name_of(HeightFieldShape{}), "height field");
}

}  // namespace
}  // namespace ligament
