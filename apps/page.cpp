// SPDX-License-Identifier: Apache-2.0
#include "apps/page.h"

#ifdef LIGAMENT_PAGE_FILE

// The assembler reads the file: quicker than any C++ that holds its bytes.
asm(".pushsection .rodata\n"
    "ligament_page_begin:\n"
    ".incbin \"" LIGAMENT_PAGE_FILE
    "\"\n"
    "ligament_page_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
extern const char page_begin[] asm("ligament_page_begin");
extern const char page_end[] asm("ligament_page_end");
}

namespace ligament::apps {
std::string_view page() { return {page_begin, page_end}; }
}  // namespace ligament::apps

#else

namespace ligament::apps {
std::string_view page() { return {}; }
}  // namespace ligament::apps

#endif
