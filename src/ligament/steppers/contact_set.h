// SPDX-License-Identifier: Apache-2.0
// The contacts of a step, and how they find what they remember.
#pragma once

#include <span>
#include <vector>

#include "ligament/constraints/contact_rows.h"
#include "ligament/model/contact_memory.h"

namespace ligament {

// Finds the memory of a contact by its shapes and its feature.
class ContactIndex {
 public:
  // The memories must stay where they are.
  void build(std::span<const ContactMemory> memories);
  // Null if there is none.
  const ContactMemory* find(const Contact& contact) const;

 private:
  std::span<const ContactMemory> memories_;
  std::vector<int> table_;  // open addressing, −1: empty
};

struct ContactSet {
  std::vector<ContactRows> rows;
  std::vector<const ContactMemory*> memories;  // one a contact, null: it is new
  ContactIndex index;
  int joint_blocks = 0, joint_rows = 0;  // row blocks and rows before those of the contacts
  bool bounces = false;                  // whether a contact has restitution
};

}  // namespace ligament
