// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/evaluation.h"

#include <QString>

#include <optional>
#include <vector>

namespace warpwright {

/// One stage in one line: its status and the fact about it that matters most.
struct StageNote {
    QString stage;
    StageStatus status = StageStatus::NotRun;
    std::optional<double> seconds;
    QString text;

    bool operator==(const StageNote &) const = default;
};

/// Of compile, verify, profile, the sanitizers (certify tier) and integrity, in that order. A stage that did
/// not run says so and nothing else.
[[nodiscard]] std::vector<StageNote> stageNotes(const Evaluation &evaluation);

} // namespace warpwright
