// SPDX-License-Identifier: Apache-2.0
#include "apps/interrupt.h"

#include <csignal>

namespace ligament::apps {
namespace {

volatile std::sig_atomic_t received = 0;

extern "C" void note_signal(int number) { received = number; }

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int interrupt_signal() { return received; }

}  // namespace ligament::apps
