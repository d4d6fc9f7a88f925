// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/loop_names.h"

#include <QStringList>

#include <vector>

namespace warpwright {

/// Online argmax and argmin, as lines of a CUDA kernel.
class OnlineArgmax {
public:
    /// `kernel`: what withOnlineArgmax() made of `planned`, or `planned`. `kernel` and `loops` outlive it.
    OnlineArgmax(const Kernel &planned, const Kernel &kernel, const LoopNames &loops);

    [[nodiscard]] bool isExtreme(int step) const;
    [[nodiscard]] bool isArgmax(int step) const;
    /// Updates an extreme and its index with an element.
    [[nodiscard]] QStringList update(int extreme, ExpressionPrinter &text) const;
    /// Lines before this step is reduced across threads; none for steps that are neither extremes nor their
    /// indices.
    [[nodiscard]] QStringList linesBeforeReduction(int step) const;

private:
    struct TrackedExtreme {
        int extreme = -1;  ///< the step that is a row's maximum or minimum
        int position = -1; ///< the step that is the smallest index of an element equal to it
    };

    const Kernel &m_kernel;
    const LoopNames &m_loops;
    std::vector<TrackedExtreme> m_extremes;
};

} // namespace warpwright
