// SPDX-License-Identifier: Apache-2.0
// Help with misspelled words.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ligament {

// Number of letters to insert, delete, replace or swap with their neighbour to make `b` of `a`.
int edit_distance(std::string_view a, std::string_view b);

// The candidate nearest to `word`, empty if none is near enough to be meant.
std::string_view find_nearest(std::string_view word, std::span<const std::string_view> candidates);

// `did you mean "mass"?` or, if nothing is near, `known are: mass, name`. No candidates: empty.
std::string suggest(std::string_view word, std::span<const std::string_view> candidates);

// The word in quotes, its middle left out if it is long.
std::string quote(std::string_view word);

}  // namespace ligament
