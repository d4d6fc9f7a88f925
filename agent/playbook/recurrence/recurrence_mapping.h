// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// Thread mapping of a kernel that runs a loop over time in which each row's states are its own: a thread
/// keeps its part of them in registers from the first time step to the last.
struct RecurrenceMapping {
    int width = 1;                  ///< contiguous elements per access
    std::int64_t threadsPerRow = 1; ///< in one warp, where there are reductions
    std::int64_t vecs = 1;          ///< vectors of a row per thread
    int prefetchDepth = 1;          ///< time steps whose inputs are prefetched
    bool areRowsAdjacent = false;   ///< neighbouring threads have neighbouring rows

    bool operator==(const RecurrenceMapping &) const = default;
};

/// Empty: a time step has more kernels, its rows do not fit a warp's registers, it reads other elements of
/// earlier time steps than its own, or it gathers.
[[nodiscard]] std::optional<RecurrenceMapping> recurrenceMappingOf(const Program &program,
                                                                   std::size_t kernel);

/// The time steps of a kernel that is all of a time step; 1: it is not.
[[nodiscard]] std::int64_t timeStepsOfKernel(const Program &program, std::size_t kernel);

/// Whether a kernel reads, of memory that it writes, only the same element of the time step before.
[[nodiscard]] bool readsOnlyOwnElements(const Program &program, const Kernel &kernel);

/// Time steps that a kernel runs in one launch: it is all of a time step, and each thread reads only states
/// that it has written itself. 1: it is launched for each time step, or once.
[[nodiscard]] std::int64_t persistentTimeSteps(const Program &program, std::size_t kernel);

} // namespace warpwright
