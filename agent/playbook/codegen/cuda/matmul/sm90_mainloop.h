// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <QString>

#include <functional>
#include <map>
#include <set>

namespace warpwright {

/// The matrices that a product of ours multiplies, by leaf.
struct MainloopOperands {
    std::map<int, QString> innerOf; ///< the text's name for what it sums over: kInner
    std::set<int> firsts;           ///< those along the result's rows; the others are along its columns
};
[[nodiscard]] MainloopOperands mainloopOperands(const Kernel &kernel);

/// The text of a product of ours where it goes over what is summed: one loop, or, of several products, one
/// after the other.
struct Sm90Mainloop {
    QString inner;        ///< constants: what is summed over
    QString steps;        ///< how many stages that is
    QString instructions; ///< that multiply: for all sums, or for half where a matrix is for these alone
    QString copies;       ///< of the one who copies
    QString consumer;     ///< of those who multiply
    QString last;         ///< what sums are multiplied by when all is done
};
/// `width`: columns of a tile, of two sums together. `copyOf`: a line that brings a leaf's box, of a second
/// matrix to the place of this sum's.
[[nodiscard]] Sm90Mainloop sm90Mainloop(const Kernel &kernel, int width,
                                        const std::function<QString(int input, std::size_t sum)> &copyOf);

} // namespace warpwright
