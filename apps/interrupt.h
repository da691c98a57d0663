// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and polite requests to end: the first one asks the run to stop, the second one kills.
#pragma once

namespace ligament::apps {

// From now on SIGINT and SIGTERM are noted once, and act as usual after that.
void catch_interrupts();

// The signal that came, 0 if none did.
int interrupt_signal();

}  // namespace ligament::apps
