// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/loop_names.h"

#include <QStringList>

#include <vector>

namespace warpwright {

/// Places that run along as text of a CUDA kernel.
class OnlineArgmax {
public:
    /// `planned`, and what withOnlineArgmax() made of it, if it was asked. `kernel` and `loops` outlive it.
    OnlineArgmax(const Kernel &planned, const Kernel &kernel, const LoopNames &loops);

    [[nodiscard]] bool isExtreme(int step) const;
    [[nodiscard]] bool isArgmax(int step) const;
    /// What an element does to an extreme and its place.
    [[nodiscard]] QStringList update(int extreme, ExpressionPrinter &text) const;
    /// Before threads put together what they have found of this step; nothing for others than extremes and
    /// places.
    [[nodiscard]] QStringList beforeReduction(int step) const;

private:
    struct TrackedExtreme {
        int extreme = -1;  ///< the step that is a row's maximum or minimum
        int position = -1; ///< the step that is the smallest number of an element that equals it
    };

    const Kernel &m_kernel;
    const LoopNames &m_loops;
    std::vector<TrackedExtreme> m_extremes;
};

} // namespace warpwright
