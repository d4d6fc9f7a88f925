// SPDX-License-Identifier: GPL-3.0-or-later
//
// Takes a candidate's own kernels out: calls of them through the extension's table of addresses then do
// nothing. Where its results stay the same, somebody else did the work.
//
// Evidence, not proof: this runs in the candidate's process, which can undo it.

#include "referee/worker/module_slots.h"

#include <cstdint>
#include <cstring>

namespace {

using warpwright::ModuleSlot;

struct Slot {
    void **address;
    void *honest;
};

std::vector<Slot> knockedOut;
uint64_t callsSwallowed = 0;

// For every launcher and every launch function: they return an int or nothing, and 0 means that all went
// well.
extern "C" long swallow() {
    ++callsSwallowed;
    return 0;
}

bool isLaunch(const char *name) {
    // What <<<>>> becomes: with the underscores since CUDA 13.
    for (const char *known :
         {"cudaLaunchKernel", "cudaLaunchKernel_ptsz", "__cudaLaunchKernel", "__cudaLaunchKernel_ptsz",
          "cudaLaunchKernelExC", "cudaLaunchKernelExC_ptsz", "cudaLaunchCooperativeKernel", "cuLaunchKernel",
          "cuLaunchKernelEx", "cuLaunchCooperativeKernel"})
        if (std::strcmp(name, known) == 0)
            return true;
    return false;
}

// What CUDA launches kernels with, or a function of the extension itself: a plain C one, or any. A C++
// function may return an object, which nothing would have made then.
bool isOwnWork(const ModuleSlot &slot, bool isCuda, bool isAnyLinkage) {
    if (isCuda)
        return slot.isImported() && isLaunch(slot.name);
    const bool isCpp = std::strncmp(slot.name, "_Z", 2) == 0;
    return !slot.isImported() && ELF64_ST_TYPE(slot.symbol->st_info) == STT_FUNC &&
           ELF64_ST_BIND(slot.symbol->st_info) == STB_GLOBAL && std::strncmp(slot.name, "PyInit", 6) != 0 &&
           (isCpp ? isAnyLinkage : slot.name[0] != '_');
}

} // namespace

extern "C" {

/// Of the library that was loaded from `path`. How many functions were taken out; 0: none can be told. On a
/// CPU those of C alone, or of any linkage.
int ww_knock_out(const char *path, int isCuda, int isAnyLinkage) {
    callsSwallowed = 0;
    for (const ModuleSlot &slot : warpwright::slotsOf(path)) {
        if (!slot.isCall || !isOwnWork(slot, isCuda != 0, isAnyLinkage != 0))
            continue;
        knockedOut.push_back({slot.address, *slot.address});
        warpwright::writeSlot(slot.address, reinterpret_cast<void *>(&swallow));
    }
    return static_cast<int>(knockedOut.size());
}

/// Puts everything back; how many calls did nothing meanwhile.
uint64_t ww_put_back() {
    for (const Slot &slot : knockedOut)
        warpwright::writeSlot(slot.address, slot.honest);
    knockedOut.clear();
    return callsSwallowed;
}

} // extern "C"
