// SPDX-License-Identifier: Apache-2.0
// One of each alternative of a variant, with its default options.
#pragma once

#include <array>
#include <utility>
#include <variant>

namespace ligament {

template <class Variant, std::size_t... i>
std::array<Variant, sizeof...(i)> make_alternatives(std::index_sequence<i...>) {
  return {Variant(std::in_place_index<i>)...};
}

template <class Variant>
auto make_alternatives() {
  return make_alternatives<Variant>(std::make_index_sequence<std::variant_size_v<Variant>>());
}

}  // namespace ligament
