// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/measured/overview_rows.h"

#include "profiler_views/findings/findings_model.h"
#include "profiler_views/verdict_look.h"
#include "toolchain/base/figures.h"
#include "toolchain/base/json.h"
#include "toolchain/evaluation/ceiling_doubt.h"
#include "toolchain/evaluation/graph_remark.h"
#include "toolchain/evaluation/stored_baseline.h"
#include "toolchain/tool_output/kernel_name.h"

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
        row.title = !input.wait.isEmpty() ? tr("The check waits for the device")
                    : input.isRunning     ? tr("The check is running")
                                          : tr("Not checked yet");
        row.words = !input.wait.isEmpty() ? input.wait
                    : input.isRunning     ? tr("its verdict appears here when it ends")
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
    if (const auto &compile = figures.compile) {
        const QString whyNot = whyNotComparableToday(figures, compile->arm);
        words << (whyNot.isEmpty() ? tr("%1 against compile")
                                         .arg(factorText(compile->value, compile->low, compile->high).both())
                                   : tr("compile: %1").arg(whyNot));
    }
    if (const QString doubt = ceilingDoubt(figures); !doubt.isEmpty())
        words << tr("speed of light %1: %2")
                     .arg(figures.times.fineText(*figures.speedOfLightMicroseconds), doubt);
    else if (const auto share = figures.shareOfLight())
        words << tr("%1 of the speed of light, %2")
                     .arg(percentText(share->value),
                          figures.times.fineText(*figures.speedOfLightMicroseconds));
    if (const auto remark = graphRemark(input.figures))
        words << remark->sentence;
    row.words = words.join(QStringLiteral(" · "));
    if (const auto &eager = figures.eager) {
        if (const QString whyNot = whyNotComparableToday(figures, eager->arm); !whyNot.isEmpty())
            row.words += QStringLiteral(" · ") + tr("eager: %1").arg(whyNot);
        else
            row.value = tr("%1 against eager").arg(factorText(eager->value, eager->low, eager->high).both());
    }
    return row;
}

std::vector<OverviewRow> whyRows(const OverviewInput &input) {
    OverviewRow row;
    row.part = OverviewRow::Part::Why;
    row.page = QStringLiteral("findings");
    row.icon = QStringLiteral("finding");
    row.token = "accent.text";
    std::vector<OverviewRow> rows;
    for (const FailureWords &failure : input.failures) {
        OverviewRow wrong = row;
        wrong.page = QStringLiteral("verify");
        wrong.icon = QStringLiteral("wrong");
        wrong.token = "verdict.wrong";
        wrong.title = failure.title;
        wrong.words = failure.words;
        wrong.isQuiet = input.edits > 0;
        rows.push_back(wrong);
    }
    if (input.isPast)
        return rows;
    if (!input.findings) {
        // The part has its place, so that nothing moves when they come.
        row.token = "text.secondary";
        row.title = tr("Reading what was kept");
        row.words = tr("what keeps it from being faster appears here");
        row.isQuiet = true;
        if (input.isFinding && rows.empty())
            rows.push_back(row);
        return rows;
    }
    const Findings &findings = *input.findings;
    for (std::size_t i = 0; i < std::min(mostFindings, findings.list.size()); ++i) {
        row.title = findings.list[i].title;
        row.words = findings.list[i].message;
        row.value = FindingsModel::gainText(findings.list[i]);
        if (!input.otherDevice.isEmpty() && findings.list[i].isMeasured)
            row.words = QStringLiteral("%1: %2").arg(input.otherDevice, row.words);
        row.isQuiet = input.edits > 0;
        rows.push_back(row);
    }
    // A note mends nothing: what was not looked at may hold what does.
    const bool hasOnlyNotes = std::all_of(findings.list.begin(), findings.list.end(),
                                          [](const Finding &finding) { return finding.isNote; });
    if (rows.empty() || (hasOnlyNotes && !findings.list.empty())) {
        row.token = "text.secondary";
        row.title = findings.list.empty() ? tr("Nothing was found yet") : tr("Nothing to fix was found yet");
        row.value.clear();
        row.words = lookedText(findings);
        row.isQuiet = true;
        rows.push_back(row);
    }
    return rows;
}

} // namespace

std::vector<FailureWords> failureWords(const OrderedJson &verify) {
    std::vector<FailureWords> all;
    const std::vector<FailureMap> maps = failureMaps(verify);
    if (maps.empty())
        return all;
    for (const OutputFailure &output : maps.front().outputs) {
        if (output.wrong == 0 || all.size() == mostFindings)
            continue;
        const std::vector<FailurePattern> patterns = patternsOf(output);
        if (patterns.empty()) {
            all.push_back({tr("No pattern in the errors"),
                           tr("%1: %2 of %3 are wrong")
                               .arg(output.name, numberText(static_cast<double>(output.wrong)),
                                    countText(static_cast<qsizetype>(output.elements), tr("element")))});
            continue;
        }
        QString title = patterns.front().name;
        title.replace(0, 1, title.left(1).toUpper());
        all.push_back({title, QStringLiteral("%1: %2").arg(output.name, patterns.front().sentence)});
    }
    return all;
}

bool isOtherDevice(const QString &device, const std::optional<Evaluation> &check) {
    if (!check || device.isEmpty())
        return false;
    const QString own = stringIn(check->device, "name");
    // A timeline of a CPU does not say which.
    return device == QLatin1String("CPU") ? stringIn(check->device, "kind") == QLatin1String("cuda")
                                          : !own.isEmpty() && own != device;
}

QString ofDevice(const QString &device, const std::optional<Evaluation> &check, const QString &words) {
    return isOtherDevice(device, check) ? QStringLiteral("%1: %2").arg(device, words) : words;
}

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
