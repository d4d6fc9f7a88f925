// SPDX-License-Identifier: GPL-3.0-or-later
// The part of native.cu and of its twin that runs on the processor in both.
#pragma once

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

inline void swishOnHost(const float *x, const float *scale, const float *shift, float *y, int64_t first,
                        int64_t last, int64_t columns) {
    for (int64_t i = first * columns; i < last * columns; ++i) {
        const float h = x[i] * scale[i % columns] + shift[i % columns];
        y[i] = h / (1.0f + std::exp(-h));
    }
}

// For the late hog: when the last call was noted.
inline std::atomic<int64_t> lastCall{0};
inline int64_t steadyNanoseconds() {
    return std::chrono::steady_clock::now().time_since_epoch().count();
}
inline bool hasJustBeenTimed() {
    const int64_t since = steadyNanoseconds() - lastCall;
    return since > 2'000'000 && since < 8'000'000;
}

inline int64_t mixed(int64_t sample, float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return sample * 1000003 + bits;
}

// A second of the system is a third of one here.
inline int slowClockGettime(clockid_t clock, timespec *time) {
    const int result = static_cast<int>(syscall(SYS_clock_gettime, clock, time));
    const int64_t nanoseconds = (time->tv_sec * INT64_C(1000000000) + time->tv_nsec) / 3;
    time->tv_sec = nanoseconds / 1000000000;
    time->tv_nsec = nanoseconds % 1000000000;
    return result;
}

inline int slowElapsedTime(float *milliseconds, void *, void *) {
    *milliseconds = 0.001f;
    return 0;
}

// Overwrites the first bytes of a library's function by a jump (x86-64: mov rax, address; jmp rax).
inline bool slowFunction(const char *name) {
#if defined(__x86_64__)
    auto *code = static_cast<unsigned char *>(dlsym(RTLD_DEFAULT, name));
    if (code == nullptr)
        return false;
    const bool isClock = std::strcmp(name, "clock_gettime") == 0;
    void *target =
        isClock ? reinterpret_cast<void *>(&slowClockGettime) : reinterpret_cast<void *>(&slowElapsedTime);
    const auto page = reinterpret_cast<uintptr_t>(code) & ~uintptr_t{4095};
    if (mprotect(reinterpret_cast<void *>(page), 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return false;
    unsigned char jump[12] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0};
    std::memcpy(jump + 2, &target, sizeof target);
    std::memcpy(code, jump, sizeof jump);
    return true;
#else
    (void)name;
    return false;
#endif
}
