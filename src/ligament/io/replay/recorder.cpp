// SPDX-License-Identifier: Apache-2.0
#include "ligament/io/replay/recorder.h"

#include <algorithm>
#include <cmath>

namespace ligament {
namespace {

constexpr double frame_rate = 60.0;               // [1/s]
constexpr double least_frames = 600.0;            // of a run that has so many steps
constexpr std::size_t most_frames = 36000;        // ten minutes at this rate
constexpr std::size_t most_numbers = 30'000'000;  // 120 MB

std::size_t count_numbers(const ReplayFrame& frame) {
  return frame.poses.size() + frame.velocities.size() + frame.joints.size() +
         frame.controls.size() + 8 * frame.contacts.size() + 2 * frame.values.size();
}

}  // namespace

Recorder::Recorder(const Scene& scene) : scene_(scene) {
  const double h = step_size(scene.stepper);
  const double duration = h * static_cast<double>(scene.steps);
  const double between = std::min(1.0 / frame_rate, duration / least_frames);
  // A hair more than the quotient: 1/60 s is four steps of 1/240 s whatever the rounding.
  stride_ = std::max(1L, static_cast<long>(std::floor(between / h * (1.0 + 1e-9))));
}

void Recorder::record(const Sample& sample) {
  if (sample.step % stride_ != 0 && sample.step != scene_.steps) return;
  ReplayFrame& frame = frames_.emplace_back();
  meter_.measure(sample, frame);
  const bool finite = std::ranges::all_of(frame.poses, [](float x) { return std::isfinite(x); });
  if (!finite) {  // the end of a run that diverged
    frames_.pop_back();
    return;
  }
  numbers_ += count_numbers(frame);
  while ((numbers_ > most_numbers || frames_.size() > most_frames) && thin()) {
  }
}

bool Recorder::thin() {
  if (frames_.size() < 4) return false;
  stride_ *= 2;
  thinned_ = true;
  const long last = frames_.back().step;
  std::erase_if(frames_, [&](const ReplayFrame& frame) {
    return frame.step % stride_ != 0 && frame.step != last;
  });
  numbers_ = 0;
  for (const ReplayFrame& frame : frames_) numbers_ += count_numbers(frame);
  return true;
}

}  // namespace ligament
