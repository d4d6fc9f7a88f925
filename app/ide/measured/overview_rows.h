// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"
#include "toolchain/evaluation.h"
#include "toolchain/findings/finding.h"
#include "toolchain/measured_figures.h"

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
    bool isPast = false;              ///< an event of a past run: nothing of it can be asked for
    std::optional<Findings> findings; ///< none: they are not there yet
    std::vector<OverviewFact> facts;  ///< in their order
};

/// The verdict with its speed-up, the largest findings, and a line for each page.
[[nodiscard]] std::vector<OverviewRow> overviewRows(const OverviewInput &input);

/// "softmaxRows<512>, 31.2 µs: memory 74.2 %, compute 16.3 % of the peak": of the longest launch.
[[nodiscard]] QString countersText(const Counters &counters);

/// "looked at source, SASS; not at counters, timeline": what a list of findings rests on.
[[nodiscard]] QString lookedText(const Findings &findings);
/// Object names of the actions that would let more be looked at.
[[nodiscard]] QStringList lookMore(const Findings &findings);

} // namespace warpwright
