// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/heat/heat.h"

/// One of the recorded kernels of tests/data/heat: its text, what was counted, what the compiler makes of it.
struct RecordedHeat {
    explicit RecordedHeat(const QString &name);

    [[nodiscard]] warpwright::Heat heat(const warpwright::HeatChoice &choice = {}) const;
    [[nodiscard]] warpwright::Heat heatWithoutListing() const;

    QString file; ///< "kernels/sum_by_label.cu"
    warpwright::CandidateTexts texts;
    warpwright::Counters counters;
    warpwright::Inspection inspection;
};

/// Counters of a made kernel of so many instructions, an FFMA each but the last, sixteen on each line of
/// kernels/k.cu from line 1; one sample each, `perFirst` at the first.
[[nodiscard]] warpwright::Counters madeCounters(int instructions, double perFirst = 1);
[[nodiscard]] warpwright::CandidateTexts madeTexts(int lines);
