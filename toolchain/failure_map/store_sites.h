// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/inspect/inspection.h"

namespace warpwright {

/// A line of the source whose instructions write to the device's memory.
struct StoreSite {
    QString file; ///< below the workspace
    int line = 0; ///< from 1
    QString kernel;
    QString opcode; ///< "STG.E.128"; of several the first

    bool operator==(const StoreSite &) const = default;
};

/// The lines of all kernels that store to global memory, as the compiler's listing has them: each once, in
/// the order of the kernels and their instructions. Stores whose line the listing does not know are left out;
/// `unplaced` counts them.
[[nodiscard]] std::vector<StoreSite> storeSites(const Inspection &inspection, int *unplaced = nullptr);

/// Which of them writes an element of a result, in a sentence. The kernels' addresses are not worked out:
/// only where one line alone stores, it is said to be the one; else the lines are named, and that it is not
/// known which.
[[nodiscard]] QString storeWords(const std::vector<StoreSite> &sites, int unplaced);

} // namespace warpwright
