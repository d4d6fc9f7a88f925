// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/loop_text.h"
#include "agent/playbook/codegen/scalar_text.h"

#include <QStringList>

#include <vector>

namespace warpwright {

/// Places that run along as text of a CUDA kernel.
class RunningPlaces {
public:
    /// `planned`, and what withRunningPlaces() made of it, if it was asked. `kernel` and `loops` outlive it.
    RunningPlaces(const FusedKernel &planned, const FusedKernel &kernel, const LoopText &loops);

    [[nodiscard]] bool isExtreme(int step) const;
    [[nodiscard]] bool isPlace(int step) const;
    /// What an element does to an extreme and its place.
    [[nodiscard]] QStringList update(int extreme, ScalarText &text) const;
    /// Before threads put together what they have found of this step; nothing for others than extremes and
    /// places.
    [[nodiscard]] QStringList beforeMeeting(int step) const;

private:
    struct Running {
        int extreme = -1; ///< the step that is a row's maximum or minimum
        int place = -1;   ///< the step that is the smallest number of an element that equals it
    };

    const FusedKernel &m_kernel;
    const LoopText &m_loops;
    std::vector<Running> m_running;
};

} // namespace warpwright
