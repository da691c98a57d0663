// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/nearest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace ligament {
namespace {

constexpr std::size_t longest_word = 64;  // longer ones are no misspellings of ours
constexpr std::size_t longest_list = 20;

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t columns = b.size() + 1;
  std::vector<int> before(columns), last(columns), row(columns);
  for (std::size_t j = 0; j < columns; ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j < columns; ++j) {
      const int replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string_view find_nearest(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view nearest;
  if (word.empty() || word.size() > longest_word) return nearest;
  int best = std::numeric_limits<int>::max();
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > longest_word) continue;
    const int distance = edit_distance(word, candidate);
    // Near is a third of the letters, or two; but two words of two letters have nothing in common.
    const int letters = static_cast<int>(std::max(word.size(), candidate.size()));
    if (distance >= best || distance > std::max(2, letters / 3) || distance >= letters) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string suggest(std::string_view word, std::span<const std::string_view> candidates) {
  if (candidates.empty()) return {};
  const std::string_view nearest = find_nearest(word, candidates);
  if (!nearest.empty()) return fmt::format("did you mean \"{}\"?", nearest);
  const auto shown = candidates.first(std::min(candidates.size(), longest_list));
  return fmt::format("known are: {}{}", fmt::join(shown, ", "),
                     shown.size() < candidates.size() ? ", …" : "");
}

std::string quote(std::string_view word) {
  if (word.size() <= longest_word) return fmt::format("\"{}\"", word);
  // Cut between characters: a byte of the form 10xxxxxx continues one.
  const auto continues = [&](std::size_t i) {
    return (static_cast<unsigned char>(word[i]) & 0xC0U) == 0x80U;
  };
  std::size_t end = 40;
  while (end > 0 && continues(end)) --end;
  std::size_t tail = word.size() - 10;
  while (tail < word.size() && continues(tail)) ++tail;
  return fmt::format("\"{}…{}\"", word.substr(0, end), word.substr(tail));
}

}  // namespace ligament
