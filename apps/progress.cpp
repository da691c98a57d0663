// SPDX-License-Identifier: Apache-2.0
#include "apps/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace ligament::apps {
namespace {

constexpr int width = 30;  // of the bar, in characters

bool is_terminal() {
  const char* kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && !(kind && std::string_view(kind) == "dumb");
}

}  // namespace

Progress::Progress(long steps, Mode mode)
    : steps_(steps), visible_(mode == Mode::automatic && is_terminal()) {}

Progress::~Progress() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::show(long step, double time) {
  if (!is_due()) return;
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  const double part = steps_ > 0 ? static_cast<double>(step) / static_cast<double>(steps_) : 1.0;
  draw(part,
       fmt::format("t = {:.2f} s  {:.3g} x real time", time, elapsed > 0.0 ? time / elapsed : 0.0));
}

void Progress::show(double part, const std::string& words) {
  if (is_due()) draw(part, words);
}

bool Progress::is_due() {
  const Clock::time_point now = Clock::now();
  if (!visible_ || now < next_) return false;
  next_ = now + std::chrono::milliseconds(100);
  return true;
}

void Progress::draw(double part, const std::string& words) {
  const auto filled = static_cast<std::size_t>(std::min(part, 1.0) * width);
  const std::string bar = std::string(filled, '#') + std::string(width - filled, '.');
  fmt::print(stderr, "\r[{}] {:3.0f} %  {}\x1b[K", bar, 100.0 * part, words);
  std::fflush(stderr);
  drawn_ = true;
}

StatusLine::StatusLine() : visible_(is_terminal()) {}

void StatusLine::show(const std::string& what) {
  if (!visible_) return;
  fmt::print(stderr, "\r{}\x1b[K", what);
  std::fflush(stderr);
  drawn_ = true;
}

void StatusLine::wipe() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
  drawn_ = false;
}

}  // namespace ligament::apps
