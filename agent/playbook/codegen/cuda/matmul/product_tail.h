// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"

#include <set>

namespace warpwright {

/// Text of what a product of ours does with a tile's sums, which lie in `sums` as the units leave them.
struct ProductTail {
    int sharedBytes = 0; ///< of a block, beside the stages; the same as a term of C++, and what they are for
    QString sharedTerm;
    QString sharedWords;
    QString constants;
    QString types;
    QString instructions;
    QString held;   ///< before the tiles
    QString before; ///< a tile's products
    QString after;  ///< these
    std::set<QString> functions;
};

/// In packs where the result's rows allow it, else element by element.
[[nodiscard]] ProductTail productTail(const FusedKernel &kernel, const KernelNames &names);

} // namespace warpwright
