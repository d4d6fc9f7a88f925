// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"
#include "toolchain/evaluation/judge_sections.h"

#include <QString>

#include <optional>
#include <vector>

namespace warpwright {

/// A run that ships with the program, as a list shows it: to be watched, and gone on from.
struct Recording {
    QString name;   ///< of its folder: "softmax"
    QString folder; ///< absolute; holds trajectory.jsonl and history.json, and evaluations where they ship
    int order = 0;
    QString title;  ///< "The softmax lesson, reviewed on a CPU"
    QString device; ///< its name, as it was measured: "AMD EPYC"
    int iterations = 0;
    std::optional<double> firstMicroseconds; ///< of the first text that has a time
    std::optional<double> bestMicroseconds;
    std::optional<double> undecidedMicroseconds; ///< less than that, and of an inconclusive check: the least
    std::optional<SpeedUp> bestOverEager;

    bool operator==(const Recording &) const = default;
};

/// Those of `resources`/recordings, in their order; none: an empty list. One whose words cannot be read is
/// listed by its name.
[[nodiscard]] std::vector<Recording> listRecordings(const QString &resources);

/// «10.23 ms was inconclusive»: why the best of a recording is not its least time. Empty: it is.
[[nodiscard]] QString undecidedWords(const Recording &recording);

/// A recording as a workspace that the person may write into.
struct OpenedRecording {
    QString folder;
    QString run; ///< its id there
};
/// <data>/recordings/<name>, with the text that the run began with, the run among its past ones, and those of
/// its evaluations that ship; made on first use, later ones open what was made of it. Nothing that is there
/// is written over: neither what a person made of the text, nor where another recording of this name was
/// opened.
[[nodiscard]] Result<OpenedRecording> openRecordingCopy(const Recording &recording, const QString &data);

} // namespace warpwright
