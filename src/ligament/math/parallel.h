// SPDX-License-Identifier: Apache-2.0
// A loop over chunks, on several threads. What a chunk is depends on the count alone: results that
// are kept chunk by chunk are the same bits for any number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace ligament {

constexpr std::size_t chunks_of(std::size_t count, std::size_t chunk_size) {
  return (count + chunk_size - 1) / chunk_size;
}

// body(context, chunk) for all chunks 0 … chunks − 1, on up to `threads` threads, and no more than
// the machine has.
void run_chunks(int threads, std::size_t chunks, void (*body)(void* context, std::size_t chunk),
                void* context);

// body(chunk, begin, end) for each chunk of 0 … count − 1. No allocation of ours.
template <class Body>
void for_each_chunk(int threads, std::size_t count, std::size_t chunk_size, Body&& body) {
  struct Context {
    std::remove_reference_t<Body>* body;
    std::size_t count, chunk_size;
  } context{&body, count, chunk_size};
  const auto call = [](void* pointer, std::size_t chunk) {
    const Context& c = *static_cast<Context*>(pointer);
    const std::size_t begin = chunk * c.chunk_size;
    (*c.body)(chunk, begin, std::min(c.count, begin + c.chunk_size));
  };
  run_chunks(threads, chunks_of(count, chunk_size), call, &context);
}

}  // namespace ligament
