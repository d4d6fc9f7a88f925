// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QString>
#include <QStringList>

namespace warpwright {

/// What a person sets on one side of a comparison: an iteration, the text on disk, or a baseline that was
/// timed beside the candidate.
struct ComparisonChoice {
    enum class Kind { Iteration, Text, Arm };

    Kind kind = Kind::Text;
    int iteration = 0; ///< of Iteration
    QString arm;       ///< of Arm, as documents name it: "eager", "compileTf32"

    [[nodiscard]] static ComparisonChoice ofIteration(int number);
    [[nodiscard]] static ComparisonChoice ofArm(const QString &arm);

    [[nodiscard]] bool isArm() const { return kind == Kind::Arm; }
    /// How it is typed: "3", "now", "eager"
    [[nodiscard]] QString word() const;
    /// "Iteration 3", "My text", "Eager", "torch.compile TF32"
    [[nodiscard]] QString title() const;
    bool operator==(const ComparisonChoice &) const = default;
};

/// The baselines that a check may time, in the order of their likelihood.
[[nodiscard]] QStringList comparableArms();

/// Of "3", "now" or "saved", "eager", "compile-tf32"; capitals and hyphens do not matter.
[[nodiscard]] Result<ComparisonChoice> comparisonChoiceOf(const QString &word);

} // namespace warpwright
