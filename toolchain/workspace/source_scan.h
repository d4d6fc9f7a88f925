// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/workspace/candidate_texts.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace warpwright {

/// A line of a candidate's text that names what the rules of a task do not want.
struct SourceMatch {
    QString rule; ///< "torch-operators", "runtime-compilation", "fallback", "prebuilt", "hidden-text"
    QString file;
    int line = 0;
    QString word; ///< as it stands there

    bool operator==(const SourceMatch &) const = default;
};

/// Comments do not count; strings do. A match decides nothing: a text may name what never runs, and what runs
/// may never be named. The judge decides by what it saw run.
[[nodiscard]] std::vector<SourceMatch> scanSources(const CandidateTexts &texts);

/// One sentence a match, at most a few: they are doubts.
[[nodiscard]] QStringList doubtsOf(const std::vector<SourceMatch> &matches);

} // namespace warpwright
