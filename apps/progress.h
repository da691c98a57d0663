// SPDX-License-Identifier: Apache-2.0
// A progress bar on a terminal: how much is done, and in a run the simulated time and how it
// compares to real time.
#pragma once

#include <chrono>
#include <string>

namespace ligament::apps {

class Progress {
 public:
  // Shown on standard error, if that is a terminal, and not when `quiet`.
  enum class Mode { automatic, quiet };
  Progress(long steps, Mode mode);
  ~Progress();  // wipes the bar
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Draws at most ten times a second.
  void show(long step, double time);
  // The same with `part` of 1 done, and words in place of times. From one thread at a time.
  void show(double part, const std::string& words);

 private:
  using Clock = std::chrono::steady_clock;

  bool is_due();
  void draw(double part, const std::string& words);

  long steps_;
  bool visible_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_ + std::chrono::milliseconds(100);
};

// One line on a terminal that says what is being done, in place of the one before.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine() { wipe(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  void show(const std::string& what);
  void wipe();

 private:
  bool visible_;
  bool drawn_ = false;
};

}  // namespace ligament::apps
