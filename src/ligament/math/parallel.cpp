// SPDX-License-Identifier: Apache-2.0
#include "ligament/math/parallel.h"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <array>
#include <memory>
#include <mutex>

namespace ligament {
namespace {

// One for each number of threads, made when it is first asked for: making one allocates.
tbb::task_arena& arena_of(int threads) {
  constexpr std::size_t most = 256;
  static std::array<std::unique_ptr<tbb::task_arena>, most> arenas;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  auto& arena = arenas[std::min(static_cast<std::size_t>(threads), most - 1)];
  if (!arena) arena = std::make_unique<tbb::task_arena>(std::min(threads, 255));
  return *arena;
}

}  // namespace

void run_chunks(int threads, std::size_t chunks, void (*body)(void* context, std::size_t chunk),
                void* context) {
  threads = std::min(threads, tbb::info::default_concurrency());
  if (threads <= 1 || chunks <= 1) {
    for (std::size_t i = 0; i < chunks; ++i) body(context, i);
    return;
  }
  arena_of(threads).execute([&] {
    tbb::parallel_for(
        std::size_t{0}, chunks, [&](std::size_t i) { body(context, i); },
        tbb::simple_partitioner{});
  });
}

}  // namespace ligament
