// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <QString>

#include <functional>
#include <map>
#include <set>

namespace warpwright {

/// The operands of an SM90 GEMM's main loop, by input.
struct MainloopOperands {
    std::map<int, QString> innerOf; ///< the name of the K extent in the text: kInner
    std::set<int> firsts;           ///< A operands (M along the result's rows); the others are B operands
};
[[nodiscard]] MainloopOperands mainloopOperands(const Kernel &kernel);

/// The text of an SM90 GEMM's main loop over K; a sum of several GEMMs has one loop after the other.
struct Sm90Mainloop {
    QString inner;        ///< constants: the extents of K
    QString steps;        ///< constants: number of stages
    QString instructions; ///< wgmma for all sums, or for half of them where a B operand serves only these
    QString copies;       ///< loop of the producer warpgroup
    QString consumer;     ///< loop of the consumer warpgroups
    QString last;         ///< final scaling of the sums
};
/// `width`: columns of a tile, of both sums together. `copyOf`: the line that loads an input's box; that of a
/// B operand goes to the part of the stage that belongs to `sum`.
[[nodiscard]] Sm90Mainloop sm90Mainloop(const Kernel &kernel, int width,
                                        const std::function<QString(int input, std::size_t sum)> &copyOf);

} // namespace warpwright
