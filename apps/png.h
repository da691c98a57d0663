// SPDX-License-Identifier: Apache-2.0
// An SVG drawing as pixels.
#pragma once

#include <filesystem>
#include <string>

namespace ligament::apps {

// `scale` pixels of the picture for one of the drawing, on white. Throws ResultsError.
void write_png(const std::string& svg, double width, double height, double scale,
               const std::filesystem::path& file);

}  // namespace ligament::apps
