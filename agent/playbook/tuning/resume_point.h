// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/tuning/first_moves.h"
#include "agent/playbook/tuning/measurement_table.h"
#include "toolchain/workspace/candidate_texts.h"

#include <QStringList>

#include <optional>

namespace warpwright {

/// What is thought out before the first proposal. Whether the text that stands is one of the playbook's own,
/// of an earlier run, and by which plan it was written: gone through again from the first text, the moves of
/// the history have to come to this very text. And what a first text is with all moves at once.
struct ResumeQuery {
    ReferenceGraph graph;
    Program program;
    PlaybookMove plain; ///< the first text of that plan, without any move
    PlaybookDevice device;
    QString deviceName;
    MeasurementTable measurements;
    QStringList titles; ///< of the moves, the first text before all; empty: nothing of the playbook's stands
    CandidateTexts texts;
    QString workspace; ///< its folder: how kernels are registered there
};

struct ResumePoint {
    Program program;
    std::vector<Knobs> knobSets;
};

struct FoundResumePoint {
    std::optional<ResumePoint> own;
    FirstMoves atOnce; ///< nothing of them is foretold against what stands
};

/// For the pool: it goes through all moves again and again.
[[nodiscard]] FoundResumePoint findResumePoint(const ResumeQuery &question);

} // namespace warpwright
