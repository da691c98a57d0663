// SPDX-License-Identifier: Apache-2.0
// The members of one object of a scene, checked against its format.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ligament/io/reader.h"
#include "ligament/io/scene_format.h"

namespace ligament {

class Fields {
 public:
  // Fails if the value is no object, or has a key that its format does not know.
  Fields(Reader& reader, const Json& object, const ObjectFormat& format);

  // Fails if the object has a key that its kind does not have. `selector` is the key that tells the
  // kind, and `kind` its value: "kind", "particle".
  void check_kind(unsigned kind_bit, std::string_view selector, std::string_view kind) const;

  const Json& object() const { return object_; }
  // The member, null if it is not there.
  const Json* find(std::string_view key) const;
  // The member, which must be there.
  const Json& require(std::string_view key) const;

  // Reads a member if it is there, and leaves `out` alone if not.
  void read(std::string_view key, double& out) const;
  void read(std::string_view key, std::optional<double>& out) const;
  void read(std::string_view key, Vec3& out) const;
  void read(std::string_view key, std::optional<Vec3>& out) const;
  void read_name(std::string_view key, std::string& out) const;

 private:
  Reader& reader_;
  const Json& object_;
  const ObjectFormat& format_;
};

// The member of an object that a message is about: the first of its keys that the message names, or
// the object itself. Made for ModelBuilder and check_options: "angular velocity is …".
const Json& find_culprit(const Json& object, const ObjectFormat& format, std::string_view message);

}  // namespace ligament
