// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/nearest.h"

#include <gtest/gtest.h>

namespace ligament {
namespace {

TEST(Nearest, distance_counts_edits) {
  EXPECT_EQ(edit_distance("mass", "mass"), 0);
  EXPECT_EQ(edit_distance("mas", "mass"), 1);
  EXPECT_EQ(edit_distance("msas", "mass"), 1);  // neighbours swapped
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(Nearest, word_is_found_if_it_is_near) {
  const std::string_view words[] = {"mass", "position", "h"};
  EXPECT_EQ(find_nearest("masss", words), "mass");
  EXPECT_EQ(find_nearest("positoin", words), "position");
  EXPECT_EQ(find_nearest("x", words), "");
  EXPECT_EQ(find_nearest("velocity", words), "");
  EXPECT_EQ(find_nearest("", words), "");
  EXPECT_EQ(find_nearest(std::string(1000, 'm'), words), "");
}

TEST(Nearest, quotes_cut_between_characters) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "µ";
  const std::string quoted = quote(text);
  EXPECT_LT(quoted.size(), 70U);
  EXPECT_EQ(quoted.find("\xB5\xB5"), std::string::npos);
  EXPECT_EQ(quote("short"), "\"short\"");
}

}  // namespace
}  // namespace ligament
