// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/findings/findings.h"
#include "toolchain/findings/findings_json.h"
#include "toolchain/workspace/workspace.h"

namespace warpwright {

/// What is stored of one text, for findings of it: everything but the compiler's listing.
struct StoredInput {
    FindingInput input;
    FindingsSubject subject; ///< but for the program
    QStringList missing;     ///< what is not stored, with the command that would store it
    QString damagedCheck;    ///< why the newest check of this text cannot be read; empty: it can, or is none
    QString damagedCounters; ///< the same of its counters
};

/// Of the text on disk (`iteration` 0) or of an earlier one: the texts, the newest check, counters and
/// timeline of this very text. Reads files: not for a window's thread.
[[nodiscard]] Result<StoredInput> storedInputOf(const Workspace &workspace, int iteration);
/// The same of a text that is known, wherever it lies.
[[nodiscard]] StoredInput storedInputOf(const Workspace &workspace, CandidateTexts texts, int iteration);

} // namespace warpwright
