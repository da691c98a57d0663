// SPDX-License-Identifier: Apache-2.0
// Arena: memory for the many short-lived arrays of one piece of work that is done again and again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <vector>

namespace ligament {

// Gives out memory piece by piece and takes it back all at once. What it once took from the heap it
// keeps: work that needs no more than any before it allocates nothing.
class Arena final : public std::pmr::memory_resource {
 public:
  // Everything that was given out is free again. Nobody may use it any more.
  void reset() {
    current_ = 0;
    used_ = 0;
  }

 private:
  struct Chunk {
    std::unique_ptr<std::byte[]> memory;
    std::size_t size = 0;
  };

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    for (; current_ < chunks_.size(); ++current_, used_ = 0)
      if (void* place = find_place(bytes, alignment)) return place;
    const std::size_t last = chunks_.empty() ? first_size / 2 : chunks_.back().size;
    const std::size_t size = std::max(2 * last, bytes + alignment);
    chunks_.push_back({std::make_unique<std::byte[]>(size), size});
    return find_place(bytes, alignment);
  }
  void do_deallocate(void*, std::size_t, std::size_t) override {}
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  // In what is left of the chunk at hand; null if it does not fit.
  void* find_place(std::size_t bytes, std::size_t alignment) {
    Chunk& chunk = chunks_[current_];
    void* place = chunk.memory.get() + used_;
    std::size_t left = chunk.size - used_;
    if (!std::align(alignment, bytes, place, left)) return nullptr;
    used_ = chunk.size - left + bytes;
    return place;
  }

  static constexpr std::size_t first_size = 4096;
  std::vector<Chunk> chunks_;
  std::size_t current_ = 0;  // the chunk that is being given out
  std::size_t used_ = 0;     // bytes of it
};

}  // namespace ligament
