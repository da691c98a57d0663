// SPDX-License-Identifier: Apache-2.0
// What `ligament check --json` prints.
#pragma once

#include <string>

#include "ligament/simulation/diagnosis.h"

namespace ligament {

std::string make_diagnosis_json(const std::string& scene, const Diagnosis& diagnosis);

}  // namespace ligament
