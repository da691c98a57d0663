// SPDX-License-Identifier: Apache-2.0
// A machine for the eye, as JSON: bodies with what they look like, joints with their frames,
// controls. Positions are from the centre of mass of a body, in its axes.
//
//   pose        [x, y, z, qw, qx, qy, qz]
//   shape       {"type": "box", "half": […], "pose": …}, and others by the words of the scene file
//   mesh        {"vertices": [offset, count], "triangles": [offset, count]} of 4-byte numbers that
//               follow each other in `meshes`
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ligament/io/replay/packing.h"
#include "ligament/io/scene.h"

namespace ligament {

// The numbers of meshes, hulls and terrains are appended to `meshes`; beyond what a page can hold a
// mesh is given by its box, with "simplified": true.
nlohmann::ordered_json make_machine_json(const Scene& scene, Bytes& meshes);

}  // namespace ligament
