// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/replay/packing.h"

#include <zlib.h>

#include <bit>
#include <cstring>
#include <new>

namespace ligament {

void append_integer(std::int32_t value, Bytes& out) {
  const auto bits = static_cast<std::uint32_t>(value);
  std::uint32_t rest = (bits << 1U) ^ (value < 0 ? ~0U : 0U);
  while (rest >= 0x80U) {
    out.push_back(static_cast<std::uint8_t>(rest | 0x80U));
    rest >>= 7U;
  }
  out.push_back(static_cast<std::uint8_t>(rest));
}

void append_series(std::span<const std::int32_t> values, int order, Bytes& out) {
  std::uint32_t before = 0, guess = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto value = static_cast<std::uint32_t>(values[k]);
    append_integer(static_cast<std::int32_t>(value - guess), out);
    guess = order == 2 && k > 0 ? 2 * value - before : value;
    before = value;
  }
}

void append_raw(std::span<const float> values, Bytes& out) {
  static_assert(std::endian::native == std::endian::little);
  const std::size_t at = out.size();
  out.resize(at + values.size_bytes());
  if (!values.empty()) std::memcpy(out.data() + at, values.data(), values.size_bytes());
}

std::int32_t float_bits(float value, int dropped) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits & 0x80000000U, size = bits & 0x7fffffffU;
  const std::uint32_t half = dropped > 0 ? 1U << static_cast<unsigned>(dropped - 1) : 0U;
  const std::uint32_t rounded = (size + half) >> static_cast<unsigned>(dropped);
  return sign != 0 ? -static_cast<std::int32_t>(rounded) : static_cast<std::int32_t>(rounded);
}

Bytes deflate(std::span<const std::uint8_t> bytes) {
  constexpr int level = 6;
  uLongf size = compressBound(bytes.size());
  Bytes out(size);
  if (compress2(out.data(), &size, bytes.data(), bytes.size(), level) != Z_OK)
    throw std::bad_alloc();
  out.resize(size);
  return out;
}

std::string to_base64(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    const std::uint32_t word = (static_cast<std::uint32_t>(bytes[i]) << 16U) |
                               (left > 1 ? static_cast<std::uint32_t>(bytes[i + 1]) << 8U : 0U) |
                               (left > 2 ? static_cast<std::uint32_t>(bytes[i + 2]) : 0U);
    out += letters[word >> 18U];
    out += letters[(word >> 12U) & 63U];
    out += left > 1 ? letters[(word >> 6U) & 63U] : '=';
    out += left > 2 ? letters[word & 63U] : '=';
  }
  return out;
}

}  // namespace ligament
