// SPDX-License-Identifier: GPL-3.0-or-later
// Memory for torch's tensors that ends where a page ends, with nothing behind it: who reads or writes beyond
// a tensor ends the process. What nobody has written is no number.
#include <c10/core/CPUAllocator.h>

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <new>

namespace {

constexpr std::size_t pageBytes = 4096;
constexpr std::size_t alignment = 64; // as torch's own

char *pageOf(void *place) {
    return static_cast<char *>(place) - reinterpret_cast<std::uintptr_t>(place) % pageBytes;
}

/// The page before says how much there is.
void give(void *data) {
    if (data == nullptr) // as free() may be asked
        return;
    char *const begin = pageOf(data) - pageBytes;
    std::size_t bytes = 0;
    std::memcpy(&bytes, begin, sizeof bytes);
    munmap(begin, bytes);
}

class GuardedMemory final : public c10::Allocator {
public:
    c10::DataPtr allocate(std::size_t asked) override {
        const c10::Device device(c10::DeviceType::CPU);
        if (asked == 0)
            return {nullptr, device};
        const std::size_t used = (asked + alignment - 1) / alignment * alignment;
        const std::size_t usable = (used + pageBytes - 1) / pageBytes * pageBytes;
        const std::size_t bytes = usable + 2 * pageBytes;
        void *const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            throw std::bad_alloc();
        char *const begin = static_cast<char *>(memory);
        std::memcpy(begin, &bytes, sizeof bytes);
        mprotect(begin, pageBytes, PROT_READ);
        mprotect(begin + pageBytes + usable, pageBytes, PROT_NONE);
        char *const data = begin + pageBytes + usable - used;
        std::memset(data, 0xFF, used);
        return {data, data, &give, device};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &give; }
    void copy_data(void *to, const void *from, std::size_t bytes) const override {
        std::memcpy(to, from, bytes);
    }
};

GuardedMemory memory;
const bool isInUse = (c10::SetCPUAllocator(&memory, 1), true);

} // namespace
