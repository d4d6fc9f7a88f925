// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/measured/overview_rows.h"

#include "profiler_views/findings/findings_model.h"
#include "profiler_views/verdict_look.h"
#include "toolchain/figures.h"
#include "toolchain/kernel_name.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace warpwright {
namespace {

constexpr std::size_t mostFindings = 3;

QString tr(const char *text) {
    return QCoreApplication::translate("Overview", text);
}

OverviewRow verdictRow(const OverviewInput &input) {
    OverviewRow row;
    row.part = OverviewRow::Part::Verdict;
    row.page = QStringLiteral("speedup");
    if (!input.evaluation) {
        row.icon = QStringLiteral("pending");
        row.title = input.isRunning ? tr("The check is running") : tr("Not checked yet");
        row.words = input.isRunning ? tr("its verdict appears here when it ends")
                                    : tr("whether it is right, and how fast, a check tells");
        if (!input.isRunning && !input.isPast)
            row.wanted << QStringLiteral("check");
        row.isQuiet = true;
        return row;
    }
    const VerdictLook own = lookOf(input.evaluation->verdict, input.evaluation->unexercised);
    const VerdictLook look = input.edits > 0 ? staleLook() : own;
    row.icon = QString::fromLatin1(look.icon);
    row.token = look.ink;
    row.title = look.word;
    row.isQuiet = input.edits > 0;
    const MeasuredFigures figures = headlineFigures(input.figures);
    QStringList words;
    if (input.edits > 0) {
        words << tr("was %1, %2 ago").arg(own.word, countText(input.edits, tr("edit")));
        if (!input.isRunning && !input.isPast)
            row.wanted << QStringLiteral("check");
    }
    if (const ArmFigures *candidate = figures.candidate())
        words << figures.times.withSpread(candidate->medianMicroseconds, candidate->lowMicroseconds,
                                          candidate->highMicroseconds);
    else if (!figures.reason.isEmpty())
        words << figures.reason;
    if (const auto &compile = figures.compile)
        words << tr("%1 against compile").arg(factorText(compile->value, compile->low, compile->high).both());
    if (const auto share = figures.shareOfLight())
        words << tr("%1 of the speed of light").arg(percentText(share->value));
    row.words = words.join(QStringLiteral(" · "));
    if (const auto &eager = figures.eager)
        row.value = tr("%1 against eager").arg(factorText(eager->value, eager->low, eager->high).both());
    return row;
}

std::vector<OverviewRow> whyRows(const OverviewInput &input) {
    OverviewRow row;
    row.part = OverviewRow::Part::Why;
    row.page = QStringLiteral("findings");
    row.icon = QStringLiteral("finding");
    row.token = "accent.text";
    if (input.isPast || !input.findings)
        return {};
    const Findings &findings = *input.findings;
    std::vector<OverviewRow> rows;
    for (std::size_t i = 0; i < std::min(mostFindings, findings.list.size()); ++i) {
        row.title = findings.list[i].title;
        row.words = findings.list[i].message;
        row.value = FindingsModel::gainText(findings.list[i]);
        row.isQuiet = input.edits > 0;
        rows.push_back(row);
    }
    if (rows.empty()) {
        row.token = "text.secondary";
        row.title = tr("Nothing was found yet");
        row.words = lookedText(findings);
        row.isQuiet = true;
        rows.push_back(row);
    }
    return rows;
}

} // namespace

QString countersText(const Counters &counters) {
    // Of the candidate's, where there are any: torch's are counted beside them.
    const auto isOwn = [](const KernelCounters &kernel) {
        return kernel.arm == QLatin1String("candidate");
    };
    const auto rank = [&isOwn](const KernelCounters &kernel) {
        return std::pair(isOwn(kernel), kernel.microseconds().value_or(0));
    };
    const KernelCounters *longest = nullptr;
    for (const KernelCounters &kernel : counters.kernels)
        if (longest == nullptr || rank(kernel) > rank(*longest))
            longest = &kernel;
    if (longest == nullptr)
        return tr("no launch was counted");
    QString words = shortKernelName(longest->name);
    if (const auto time = longest->microseconds())
        words += tr(", %1 under the profiler").arg(timeText(*time));
    QStringList shares;
    const auto add = [&](const QString &what, const char *metric) {
        if (const auto percent = longest->number(metric))
            shares << QStringLiteral("%1 %2").arg(what, percentText(*percent / 100));
    };
    add(tr("memory"), "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed");
    add(tr("compute"), "sm__throughput.avg.pct_of_peak_sustained_elapsed");
    if (!shares.isEmpty())
        words += tr(": %1 of the peak").arg(shares.join(QStringLiteral(", ")));
    if (counters.kernels.size() > 1)
        words += tr(" · %1 launches").arg(counters.kernels.size());
    return words;
}

QString lookedText(const Findings &findings) {
    struct Evidence {
        const char *name; ///< in Findings::looked
        const char *words;
    };
    static constexpr std::array all{
        Evidence{"source", QT_TRANSLATE_NOOP("Overview", "source")},
        Evidence{"ptxas", QT_TRANSLATE_NOOP("Overview", "compile report")},
        Evidence{"SASS", QT_TRANSLATE_NOOP("Overview", "SASS")},
        Evidence{"clock", QT_TRANSLATE_NOOP("Overview", "times of a check")},
        Evidence{"counters", QT_TRANSLATE_NOOP("Overview", "counters")},
        Evidence{"timeline", QT_TRANSLATE_NOOP("Overview", "timeline")},
    };
    QStringList looked;
    QStringList not_;
    for (const Evidence &one : all)
        (findings.looked.contains(QLatin1String(one.name)) ? looked : not_) << tr(one.words);
    const QString at = looked.isEmpty() ? tr("looked at nothing yet")
                                        : tr("looked at %1").arg(looked.join(QStringLiteral(", ")));
    return not_.isEmpty() ? at : tr("%1; not at %2").arg(at, not_.join(QStringLiteral(", ")));
}

QStringList lookMore(const Findings &findings) {
    QStringList wanted;
    const auto want = [&](const char *looked, const char *action) {
        if (!findings.looked.contains(QLatin1String(looked)))
            wanted << QLatin1String(action);
    };
    want("clock", "check");
    want("counters", "collectCounters");
    want("timeline", "traceTimeline");
    return wanted;
}

std::vector<OverviewRow> overviewRows(const OverviewInput &input) {
    std::vector<OverviewRow> rows{verdictRow(input)};
    for (OverviewRow &row : whyRows(input))
        rows.push_back(std::move(row));
    for (const OverviewFact &fact : input.facts) {
        OverviewRow row;
        row.page = fact.page;
        row.icon = fact.icon;
        row.title = fact.title;
        row.words = fact.words;
        row.isQuiet = !fact.isKnown;
        if (!input.isPast)
            row.wanted = fact.wanted;
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace warpwright
