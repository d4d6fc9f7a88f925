// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/workspace/exercised_files.h"

#include <QString>

namespace warpwright {

/// How a verdict is shown everywhere: word, shape and colour together, so that colour is never the only sign.
struct VerdictLook {
    QString word;       ///< "Build failed"
    const char *icon;   ///< of resources/look/icons
    const char *ink;    ///< token of text and icon
    const char *ground; ///< token of the cell behind it
};

[[nodiscard]] VerdictLook lookOf(Verdict verdict);
/// No green for a change that did not run: a pass that is kept, or that is of the twin alone, is «Not
/// exercised».
[[nodiscard]] VerdictLook lookOf(Verdict verdict, const std::optional<Unexercised> &unexercised);
/// What an evaluation looks like whose text was edited since.
[[nodiscard]] VerdictLook staleLook();
/// What a recorded run of somebody else looks like.
[[nodiscard]] VerdictLook recordingLook();
/// What a text looks like that no check has looked at.
[[nodiscard]] VerdictLook notCheckedLook();
/// Of one stage: passed, failed, not run, cancelled.
[[nodiscard]] VerdictLook lookOf(StageStatus status);

} // namespace warpwright
