// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/worker/call_stubs.h"

namespace warpwright {

namespace {

// More than any extension imports and Python looks up. Written by the assembler, for the process may not make
// code (no_new_code.cpp).
#define WARPWRIGHT_STUBS 8192
constexpr uint64_t most = WARPWRIGHT_STUBS;

struct StubData {
    uint64_t calls;
    void *target;
};

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

#if defined(__x86_64__) || defined(__aarch64__)

extern "C" {
extern const unsigned char warpwright_call_stubs[] __attribute__((visibility("hidden")));
StubData warpwright_stub_data[most] __attribute__((visibility("hidden"), aligned(16), used));
}

asm(".pushsection .text\n"
    ".balign 32\n"
    ".hidden warpwright_call_stubs\n"
    ".globl warpwright_call_stubs\n"
    "warpwright_call_stubs:\n"
    ".set warpwright_stub, 0\n"
    ".rept " TEXT(WARPWRIGHT_STUBS) "\n"
#if defined(__x86_64__)
                                    // Flags are nobody's where a function begins.
                                    "lock incq warpwright_stub_data + 16 * warpwright_stub(%rip)\n"
                                    "jmp *warpwright_stub_data + 16 * warpwright_stub + 8(%rip)\n"
#else
                                    // x16 and x17 are free between a call and the function. A count may be
                                    // lost when threads meet.
                                    "adrp x16, warpwright_stub_data + 16 * warpwright_stub\n"
                                    "add x16, x16, :lo12:warpwright_stub_data + 16 * warpwright_stub\n"
                                    "ldr x17, [x16]\n"
                                    "add x17, x17, #1\n"
                                    "str x17, [x16]\n"
                                    "ldr x17, [x16, #8]\n"
                                    "br x17\n"
#endif
                                    ".balign 32\n"
                                    ".set warpwright_stub, warpwright_stub + 1\n"
                                    ".endr\n"
                                    ".popsection\n");

const unsigned char *codeOf(uint64_t stub) {
    return warpwright_call_stubs + 32 * stub;
}

#else

StubData warpwright_stub_data[1];

const unsigned char *codeOf(uint64_t) {
    return nullptr;
}

#endif

} // namespace

std::optional<CallStub> makeCallStub(void *target) {
    static uint64_t used = 0;
    if (codeOf(0) == nullptr || used == most)
        return std::nullopt;
    const uint64_t stub = used++;
    StubData &data = warpwright_stub_data[stub];
    data.target = target;
    return CallStub{const_cast<unsigned char *>(codeOf(stub)), &data.calls, &data.target};
}

} // namespace warpwright
