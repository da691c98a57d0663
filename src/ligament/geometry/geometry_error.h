// SPDX-License-Identifier: Apache-2.0
// What is wrong with points, triangles or sizes that a shape was to be made of.
#pragma once

#include <stdexcept>

namespace ligament {

// The message says what is wrong, where (the index of the vertex or triangle) and what would be
// right. It does not name the shape: who adds it to a model or reads it from a file does.
class GeometryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ligament
