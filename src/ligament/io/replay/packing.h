// SPDX-License-Identifier: Apache-2.0
// Numbers into few bytes: integers by their differences from what came before, then zlib, then the
// letters that a web page can hold.
//
// A series x₀, x₁, … is written as the differences from a guess, 0 at first, the value before
// (order 1), or the line through the two values before (order 2):
//     d_k = x_k − x_{k−1}      or      d_k = x_k − 2 x_{k−1} + x_{k−2},
// modulo 2³², as 2d or −2d − 1, seven bits a byte, the lowest first, the eighth bit set on all
// bytes but the last. What stands still or moves evenly is zeros, which zlib takes for nothing.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ligament {

using Bytes = std::vector<std::uint8_t>;

void append_integer(std::int32_t value, Bytes& out);
void append_series(std::span<const std::int32_t> values, int order, Bytes& out);
// Numbers as they lie in memory of a little-endian machine: 4 bytes each.
void append_raw(std::span<const float> values, Bytes& out);

// The 32 bits of a float, of which the last `dropped` are rounded away, as an integer: equal signs
// and near values give near integers.
std::int32_t float_bits(float value, int dropped);

// zlib's format (RFC 1950). Throws std::bad_alloc.
Bytes deflate(std::span<const std::uint8_t> bytes);

std::string to_base64(std::span<const std::uint8_t> bytes);

}  // namespace ligament
