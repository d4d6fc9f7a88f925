// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/tuning/first_moves.h"
#include "agent/playbook/tuning/measurement_table.h"
#include "toolchain/workspace/candidate_texts.h"

#include <QStringList>

#include <optional>

namespace warpwright {

/// What is computed before the first proposal. Whether the current text is the playbook's own, of an earlier
/// run, and of which program: replayed from the first text, the moves of the history have to lead to this
/// very text. And what a first text is with all moves at once.
struct ResumeQuery {
    ReferenceGraph graph;
    Program program;
    PlaybookMove plain; ///< the first text of that program, without any move
    Target target;
    QString deviceName;
    MeasurementTable measurements;
    QStringList titles; ///< of the moves, first text first; empty: the current text is not the playbook's
    CandidateTexts texts;
    QString workspace; ///< its folder: how kernels are registered there
};

struct ResumePoint {
    Program program;
    std::vector<Knobs> knobSets;
};

struct FoundResumePoint {
    std::optional<ResumePoint> own;
    FirstMoves atOnce; ///< without predictions against the current text
};

/// For the pool: it evaluates all moves many times.
[[nodiscard]] FoundResumePoint findResumePoint(const ResumeQuery &query);

} // namespace warpwright
