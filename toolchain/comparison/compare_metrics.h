// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/evaluation.h"
#include "toolchain/workspace/candidate_texts.h"

#include <QString>

#include <optional>
#include <vector>

namespace warpwright {

/// One side of a comparison: a text and, where it was checked, what was found.
struct ComparedSide {
    QString title; ///< "Iteration 3", "My text"
    QString note;  ///< what was changed, one line
    CandidateTexts texts;
    std::optional<Evaluation> evaluation;
    bool isStale = false;                      ///< the evaluation is of an earlier text
    QString arm = QStringLiteral("candidate"); ///< whose times: of the text, or of a baseline beside it

    [[nodiscard]] bool isBaseline() const { return arm != QLatin1String("candidate"); }
};

/// One number of both sides as they are written, and what lies between. A «—» is what nobody measured.
struct ComparedMetric {
    QString name;
    QString left;
    QString right;
    QString delta;        ///< right against left; empty: cannot be said
    QString remark;       ///< why it cannot, or what the number is of
    bool isNoise = false; ///< no difference measured: saidDifference()

    bool operator==(const ComparedMetric &) const = default;
};

/// Why the times of both say nothing of each other: two devices, two precisions, an earlier text, the same
/// code. Empty: they may be compared, or one has none.
[[nodiscard]] QString whyTimesDoNotCompare(const ComparedSide &left, const ComparedSide &right);

/// Time, speed-up, registers, spills, shared memory: always these five, in this order.
[[nodiscard]] std::vector<ComparedMetric> comparedMetrics(const ComparedSide &left,
                                                          const ComparedSide &right);

} // namespace warpwright
