// SPDX-License-Identifier: Apache-2.0
// Frames of a run at even distances, as many as a page can show: every step of a short run, about
// sixty a second of a longer one, fewer if the machine is large or the run is long.
#pragma once

#include "ligament/io/replay/frame.h"
#include "ligament/io/scene.h"

namespace ligament {

class Recorder {
 public:
  // The scene must live as long as the recorder.
  explicit Recorder(const Scene& scene);

  // To be shown every step; it keeps every stride()-th, and the last one that the scene asks for.
  void record(const Sample& sample);

  const Scene& scene() const { return scene_; }
  const std::vector<ReplayFrame>& frames() const { return frames_; }
  const FrameMeter& meter() const { return meter_; }
  long stride() const { return stride_; }
  // Whether frames were left out because there were too many, not because of their rate.
  bool thinned() const { return thinned_; }
  // Leaves out every other frame from now on and in what there is. False if there are too few.
  bool thin();

 private:
  const Scene& scene_;
  long stride_ = 1;
  bool thinned_ = false;
  std::size_t numbers_ = 0;  // in all frames
  FrameMeter meter_;
  std::vector<ReplayFrame> frames_;
};

}  // namespace ligament
