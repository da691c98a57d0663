// SPDX-License-Identifier: Apache-2.0
// replay.html: a page that needs nothing but a browser, with the runs in it.
//
// The page is a template, built from viewer/, with a marker where the runs go. Each run is a JSON
// text and a block of numbers, deflated and in base64. The numbers are bytes in sections, which the
// JSON names with offset and length:
//
//   poses       of each body but the world x, y, z [grid] (order 2), qw, qx, qy, qz [1/32767]
//               (order 1); each a series over the frames, see packing.h
//   velocities  of each body but the world x, y, z [velocity_grid], each over the frames k as
//               v_k − ⌊(x_{k+1} − x_{k−1}) grid / velocity_grid / (t_{k+1} − t_{k−1}) + ½⌋ with the
//               positions x [grid] of its neighbours, or of itself where it has none
//   quantities  of each quantity the float's bits, order 1; then the number of the worst row and
//               the number of contacts that press, order 1
//   joints      as frame.h says, floats rounded to 13 bits, order 1; then controls likewise
//   contacts    of each frame the count, then of each contact the difference of its number to that
//               of the contact before it, and point [grid] and force [force_grid] as differences to
//               those that this contact had last (0 at first), then the bits of its excess of
//               compliance, a float rounded to 13 bits, likewise
//   meshes      4-byte floats
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "ligament/io/replay/recorder.h"

namespace ligament {

// Where the runs go.
inline constexpr std::string_view replay_marker = "<!--ligament:runs-->";

// Such a page with all its data stays below this.
inline constexpr std::size_t most_page_bytes = 24'000'000;

struct ReplayRun {
  Recorder& recorder;  // its frames are thinned if the page would be too large
  const RunReport& report;
  std::string label;  // what tells this run from the others; empty if there is one
};

// The page with these runs: at least one. The template must have the marker.
std::string make_replay(std::string_view page, std::span<const ReplayRun> runs);

// The template with other text in place of the runs, for a page that is served live.
std::string fill_page(std::string_view page, std::string_view text);

// Names, units and figures of the quantities, for the page.
void add_vocabulary(nlohmann::ordered_json& json);

// JSON that can stand in a script element of a page.
std::string to_script_json(const nlohmann::ordered_json& json);

}  // namespace ligament
