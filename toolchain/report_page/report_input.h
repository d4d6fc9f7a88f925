// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/failure_map/failure_map.h"
#include "toolchain/findings/findings.h"
#include "toolchain/history/iteration.h"
#include "toolchain/timeline/timeline.h"

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace warpwright {

/// Lines of one file that a proposal takes out and puts in.
struct ReportedHunk {
    QString file;
    int line = 0; ///< of the first old one, from 1; 0: the file is new
    QStringList oldLines;
    QStringList newLines;

    bool operator==(const ReportedHunk &) const = default;
};

/// One change that an agent proposed in a run, and what became of it. All are words of other people.
struct ReportedProposal {
    QString id;    ///< "p7"
    QString title; ///< one line
    QString reason;
    QString author;
    QString expected;    ///< "80.0 % of the time (70.0 %–90.0 %)"; empty: nothing was promised
    QString hit;         ///< "1.20×, 1.11–1.43× were expected: hit"; empty: not known
    QString measured;    ///< the same as it came out; empty: not measured
    QString outcome;     ///< "applied", "kept as a branch by policy", "not decided"
    QString why;         ///< so; mostly empty
    QStringList answers; ///< "hunk 1 of kernels/a.cu: rejected by person, «too clever»"
    int madeFor = 0;     ///< the iteration that it is a change of; 0: not said
    int iteration = 0;   ///< that it became; 0: none
    /// Of the run that a page is of: against the text that it was made for.
    std::vector<ReportedHunk> hunks;
    qsizetype linesLeftOut = 0;       ///< of its change, beyond what is told
    QString evaluation;               ///< id of the check of its text; empty: none is known
    bool isWrong = false;             ///< that check says so
    std::vector<FailureMap> failures; ///< where its results are wrong, as far as that is told
};

struct ReportedRun {
    QString id; ///< the name of its folder
    QString agent;
    QString mode;
    QString device; ///< as it was asked for
    QDateTime beganAt;
    QString ending; ///< empty: neither stopped nor ended
    std::vector<ReportedProposal> proposals;
    int proposalsLeftOut = 0;    ///< the earliest ones, beyond what is told
    bool isWhole = false;        ///< told with changes, budgets and messages: the page is of it
    int beganFrom = 0;           ///< the iteration that it began with
    std::vector<int> iterations; ///< that it made, in their order
    QString budgets;             ///< "20 iterations, 30 minutes"; empty: no limit
    QStringList messages;        ///< what the person wrote to it
};

/// A step of a lesson, and what became of it, in words.
struct ReportedStep {
    int number = 0; ///< from 1; 0: the text that the lesson begins with
    QString title;
    QString outcome; ///< "kept", "left out: slower", "to come"
    QString bet;     ///< "1.60×, measured 2.53×: outside"; empty: none was placed
    QString prediction;
    QString taught;                ///< empty: it is not decided, or says nothing
    std::optional<ArmTiming> time; ///< of a call with it; empty: not measured, or a bet hides it
    bool isKept = false;
};

struct ReportedLesson {
    QString title;
    QString place;  ///< "step 3 of 7"
    QString device; ///< that measured; empty: none has yet
    QStringList goals;
    std::vector<ReportedStep> steps; ///< the start first
};

/// All that a page tells: of one text of a workspace, and of the iterations and runs around it. What is not
/// there is said in words on the page.
struct ReportInput {
    QString program;   ///< "wright 0.9.0"
    QDateTime madeAt;  ///< the one line that differs from page to page of the same things
    QString workspace; ///< its name
    QString folder;    ///< absolute
    bool trains = false;
    QStringList precisionAllowed;
    int iteration = 0; ///< that the text is; 0: it is none of the history
    bool isOnDisk = false;
    QString run;        ///< the page is of this run, and of the text that it came to; empty: of a text
    FindingInput known; ///< the text and what is known of it
    Findings findings;  ///< of it
    std::optional<ReportedLesson> lesson; ///< that the workspace was laid out for
    std::optional<Timeline> timeline;     ///< of this very text
    QString otherCounters;                ///< where there are none of this text: of which there are
    QString damagedCheck;    ///< why the newest check of this text cannot be read; empty: it can, or is none
    QString damagedCounters; ///< the same of its counters
    std::vector<IterationRecord> iterations; ///< all, by number
    std::vector<ReportedRun> runs;           ///< oldest first
    QStringList problems;                    ///< what could not be read, in whole sentences
};

} // namespace warpwright
