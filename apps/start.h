// SPDX-License-Identifier: Apache-2.0
// What the commands that read a scene do with it first.
#pragma once

#include <string>

#include "ligament/io/scene.h"

namespace ligament::apps {

// The warnings of the scene on standard error, one line each.
void print_warnings(const Scene& scene);

// The start: as the scene gives it, or brought together. Throws InputError, with the name of the
// file, if that cannot be done.
State make_start(const Scene& scene, const std::string& file);

}  // namespace ligament::apps
