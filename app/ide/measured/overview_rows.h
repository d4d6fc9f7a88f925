// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"
#include "toolchain/evaluation/evaluation.h"
#include "toolchain/evaluation/measured_figures.h"
#include "toolchain/failure_map/failure_pattern.h"
#include "toolchain/findings/finding.h"

namespace warpwright {

/// A line of the overview: what is known, and the page that tells the rest.
struct OverviewRow {
    enum class Part { Verdict, Why, Pages };

    Part part = Part::Pages;
    QString page; ///< that it leads to, as ProfilePanel::showPage() takes it
    QString icon;
    const char *token = "text.secondary"; ///< of the icon
    QString title;
    QString words;
    QString value;        ///< at the right end; may be empty
    QStringList wanted;   ///< object names of the actions that would bring what is missing
    bool isQuiet = false; ///< nothing is known yet, or it is of an earlier text

    bool operator==(const OverviewRow &) const = default;
};

/// What the errors of one wrong result have in common.
struct FailureWords {
    QString title; ///< "Every 32nd column", "No pattern in the errors"
    QString words; ///< the evidence; what is wrong

    bool operator==(const FailureWords &) const = default;
};

/// Of each result of the first wrong round that has a map, the pattern that says most about the cause. Takes
/// its time: for the pool.
[[nodiscard]] std::vector<FailureWords> failureWords(const OrderedJson &verify);

/// What one of the other pages has to say in a line.
struct OverviewFact {
    QString page;
    QString icon;
    QString title;
    QString words;
    bool isKnown = false;
    QStringList wanted;
};

/// What is shown of a text, for the overview.
struct OverviewInput {
    std::optional<Evaluation> evaluation;
    MeasuredFigures figures;
    int edits = 0; ///< since it was checked
    bool isRunning = false;
    QString wait;                       ///< for whom the check that runs waits; empty: for nobody
    bool isPast = false;                ///< an event of a past run: nothing of it can be asked for
    std::optional<Findings> findings;   ///< none: they are not there yet
    bool isFinding = false;             ///< they are being looked for
    std::vector<FailureWords> failures; ///< of a wrong text; they come before the findings
    QString otherDevice;                ///< that was profiled, where the check's is another; else empty
    std::vector<OverviewFact> facts;    ///< in their order
};

/// The verdict with its speed-up, the largest findings, and a line for each page.
[[nodiscard]] std::vector<OverviewRow> overviewRows(const OverviewInput &input);

/// What is of this device cannot be held against the times of the check. Without a check, or where either
/// device is not known, there is nothing to confuse.
[[nodiscard]] bool isOtherDevice(const QString &device, const std::optional<Evaluation> &check);
/// The words, after the device where it is another one than the check's: "NVIDIA H200: …".
[[nodiscard]] QString ofDevice(const QString &device, const std::optional<Evaluation> &check,
                               const QString &words);

/// "softmaxRows<512>, 31.2 µs: memory 74.2 %, compute 16.3 % of the peak": of the longest launch.
[[nodiscard]] QString countersText(const Counters &counters);

/// "looked at source, SASS; not at counters, timeline": what a list of findings rests on.
[[nodiscard]] QString lookedText(const Findings &findings);
/// Object names of the actions that would let more be looked at.
[[nodiscard]] QStringList lookMore(const Findings &findings);

} // namespace warpwright
