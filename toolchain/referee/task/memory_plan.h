// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpwright {

/// What one call of a reference takes, in bytes, as its own worker measured it.
struct MemoryNeeds {
    uint64_t inputs = 0;  ///< one set
    uint64_t results = 0; ///< of one call
    uint64_t forward = 0; ///< the most that the call takes beside its inputs and parameters, results among it
    uint64_t parameters = 0;
    int64_t rows =
        0; ///< the first dimension that inputs and all results share; below 2: the oracle has no parts

    [[nodiscard]] uint64_t peak() const { return inputs + forward + parameters; }
};

/// What there is for it.
struct MemorySupply {
    uint64_t device = 0; ///< all of the device's
    uint64_t free = 0;   ///< of that, with only the judge there
    uint64_t host = 0;   ///< that can be had beside the device's; 0: the device is the host
    uint64_t each = 0;   ///< that a process takes on the device before it has a tensor
    bool parts = false;  ///< what is compared at one time lies on the device too
};

/// Who keeps what, decided before anything is allocated: a pure function of needs and supply.
///
/// Where there is room, all keep all (`isRoomy`): arguments are cloned, results of a round stay through the
/// next, oracle and reference work at once. Else one of them works at a time, what is over is given back to
/// the device, what was to be compared later is hashed, and the oracle takes what is left.
struct MemoryPlan {
    enum class Oracle {
        Whole,  ///< the fp64 oracle's call at once, on the device
        Pieces, ///< rows at a time, on the device, where rows are shown not to depend on each other
        OnCpu,  ///< on the CPU, its results in the system's memory
        None    ///< the reference itself is the measure
    };

    bool isRoomy = true;
    Oracle oracle = Oracle::Whole;
    int pieces = 1;
    int mostSets = 0;  ///< input sets that timed calls may rotate over; 0: as the free memory allows then
    std::string doubt; ///< what it costs in trust; empty: nothing
};

/// The part of a device's memory that an eager call may take with inputs, parameters and results: the
/// candidate's has to lie beside the reference's results.
constexpr double shareForOneCall = 0.45;

/// From the roomiest to the smallest: when one runs out of memory, the next one is tried. Empty: none fits,
/// and `whyNone` says why.
std::vector<MemoryPlan> planMemory(const MemoryNeeds &needs, const MemorySupply &supply);
/// A sentence with the bytes; empty where there is a plan.
std::string whyNone(const MemoryNeeds &needs, const MemorySupply &supply);

std::string gibibytes(uint64_t bytes); ///< "12.4 GiB", "310 MiB"

} // namespace warpwright
