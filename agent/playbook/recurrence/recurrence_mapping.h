// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/program.h"

namespace warpwright {

/// How the threads of a kernel share a loop over time in which each row's states are its own: a thread keeps
/// its part of them in registers from the first turn to the last.
struct RecurrenceMapping {
    int width = 1;                  ///< neighbours that a thread takes at once
    std::int64_t threadsPerRow = 1; ///< threads that share a row; of one warp, where there are sums
    std::int64_t vecs = 1;          ///< of a row, that a thread has
    int prefetchDepth = 1;          ///< turns whose inputs are asked for at once
    bool areRowsAdjacent = false;   ///< neighbouring threads have neighbouring rows

    bool operator==(const RecurrenceMapping &) const = default;
};

/// Empty: a turn is more than this kernel, its rows do not fit into a warp's registers, it reads what others
/// have left of the turns before, or values say what it reads.
[[nodiscard]] std::optional<RecurrenceMapping> recurrenceMappingOf(const Program &program,
                                                                   std::size_t kernel);

/// The turns of a kernel that is all of a turn; 1: it is not.
[[nodiscard]] std::int64_t timeStepsOfKernel(const Program &program, std::size_t kernel);

/// Whether a kernel reads, of the memory that it writes itself, the same element of the turn before alone.
[[nodiscard]] bool readsOnlyOwnElements(const Program &program, const Kernel &kernel);

/// Turns that a kernel goes through itself, instead of being launched for each: where it is all of a turn,
/// and what it reads of the turns before it has written itself, each thread for its own elements. 1: it is
/// launched for each, or once.
[[nodiscard]] std::int64_t persistentTimeSteps(const Program &program, std::size_t kernel);

} // namespace warpwright
