// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/worker/call_stubs.h"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace warpwright {

namespace {

constexpr uint64_t codeBytes = 32;
constexpr uint64_t dataBytes = 16; // the count, then the target

#if defined(__x86_64__)

void writeStub(unsigned char *code, uint64_t data) {
    // lock inc qword [rip + count]; jmp [rip + target]. Flags are nobody's where a function begins.
    const auto place = reinterpret_cast<uint64_t>(code);
    const auto toCount = static_cast<int32_t>(data - (place + 8));
    const auto toTarget = static_cast<int32_t>(data + 8 - (place + 14));
    const unsigned char increment[] = {0xf0, 0x48, 0xff, 0x05};
    const unsigned char jump[] = {0xff, 0x25};
    std::memcpy(code, increment, 4);
    std::memcpy(code + 4, &toCount, 4);
    std::memcpy(code + 8, jump, 2);
    std::memcpy(code + 10, &toTarget, 4);
}
constexpr bool isKnown = true;

#elif defined(__aarch64__)

void writeStub(unsigned char *code, uint64_t data) {
    // x16 and x17 are free between a call and the function. A count may be lost when threads meet.
    const auto distance = static_cast<uint32_t>(data - reinterpret_cast<uint64_t>(code));
    const uint32_t words[] = {
        0x10000010u | (distance & 3u) << 29 | (distance >> 2 & 0x7ffffu) << 5, // adr x16, count
        0xf9400211u,                                                           // ldr x17, [x16]
        0x91000631u,                                                           // add x17, x17, #1
        0xf9000211u,                                                           // str x17, [x16]
        0xf9400611u,                                                           // ldr x17, [x16, #8]
        0xd61f0220u,                                                           // br x17
    };
    std::memcpy(code, words, sizeof words);
}
constexpr bool isKnown = true;

#else

void writeStub(unsigned char *, uint64_t) {}
constexpr bool isKnown = false;

#endif

// One page of code and one of data; the code is written before anybody can call it, and never again.
struct Chunk {
    unsigned char *code = nullptr;
    uint64_t data = 0;
    uint64_t used = 0;
    uint64_t size = 0;
};

bool makeChunk(Chunk &chunk) {
    const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    void *memory = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    chunk = {static_cast<unsigned char *>(memory), reinterpret_cast<uint64_t>(memory) + page, 0,
             page / codeBytes};
    for (uint64_t i = 0; i < chunk.size; ++i)
        writeStub(chunk.code + i * codeBytes, chunk.data + i * dataBytes);
    __builtin___clear_cache(static_cast<char *>(memory), static_cast<char *>(memory) + page);
    if (mprotect(memory, page, PROT_READ | PROT_EXEC) == 0)
        return true;
    munmap(memory, 2 * page);
    chunk = {};
    return false;
}

} // namespace

std::optional<CallStub> makeCallStub(void *target) {
    static Chunk chunk;
    if (!isKnown || (chunk.used == chunk.size && !makeChunk(chunk)))
        return std::nullopt;
    const uint64_t place = chunk.used++;
    auto *count = reinterpret_cast<uint64_t *>(chunk.data + place * dataBytes);
    auto **slot = reinterpret_cast<void **>(count + 1);
    *slot = target;
    return CallStub{chunk.code + place * codeBytes, count, slot};
}

} // namespace warpwright
