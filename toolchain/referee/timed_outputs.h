// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/block_timer.h"
#include "referee/stage_answer.h"

#include <random>

namespace warpwright {

/// Compares results of timed calls with the reference's: what was timed must be what was verified.
class TimedOutputs {
public:
    /// `allowed`: relative RMS difference; `allowedWhole`: part of a result's whole numbers that may differ.
    TimedOutputs(TaskSession &session, Json &answer, const Json &sets, double allowed, double allowedWhole);

    /// After a batch of the candidate whose calls took the sets `order` and kept `ring` results: the last one
    /// and one by chance, which later calls may have overwritten. Settles "wrong".
    void check(int block, TimedArm &arm, const std::vector<int> &order, int ring);

    int checked() const { return m_checked; }

private:
    [[nodiscard]] bool isChecked(int block);
    void checkCall(TimedArm &arm, size_t call, int set, int slot);

    TaskSession &m_session;
    StageAnswer m_stage;
    const Json &m_sets;
    double m_allowed;
    double m_allowedWhole;
    int m_checked = 0;
    bool m_isFirst = true; ///< no block of this process was checked yet
    std::mt19937_64 m_random;
};

} // namespace warpwright
