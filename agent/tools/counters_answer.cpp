// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/counters_answer.h"

#include "agent/tools/file_tools.h"
#include "agent/tools/kept_output.h"
#include "toolchain/report/counters_report.h"
#include "toolchain/report/timeline_report.h"
#include "toolchain/tool_output/kernel_name.h"

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

constexpr std::size_t mostLaunches = 8; ///< for programs; the text has bounds of its own
const QString candidate = QStringLiteral("candidate");

/// The candidate's launches of that kernel.
std::vector<KernelCounters> launchesOf(const Counters &counters, const QString &kernel) {
    std::vector<KernelCounters> launches;
    for (const KernelCounters *one : counters.kernelsOf(candidate))
        if (one->name.contains(kernel))
            launches.push_back(*one);
    return launches;
}

/// The longest ones, in the order in which they were launched.
std::vector<KernelCounters> longest(std::vector<KernelCounters> launches) {
    if (launches.size() <= mostLaunches)
        return launches;
    std::stable_sort(launches.begin(), launches.end(),
                     [](const KernelCounters &one, const KernelCounters &other) {
                         return one.microseconds().value_or(0) > other.microseconds().value_or(0);
                     });
    launches.resize(mostLaunches);
    std::sort(launches.begin(), launches.end(), [](const KernelCounters &one, const KernelCounters &other) {
        return one.launch < other.launch;
    });
    return launches;
}

void nameFilesOf(KernelCounters &kernel, const CandidateTexts &texts) {
    for (InstructionCounters &instruction : kernel.instructions)
        if (const QString path = workspacePathOf(texts, instruction.file); !path.isEmpty())
            instruction.file = path;
}

Json structuredOf(const Counters &shown, const Counters &all, bool isKept) {
    Json kernels = Json::array();
    for (const KernelCounters &kernel : longest(shown.kernels)) {
        Json figures = Json::object();
        for (const LaunchFigure &figure : launchFigures(kernel))
            if (figure.value)
                figures[figure.name.toStdString()] = *figure.value;
        kernels.push_back({{"name", toJson(shortKernelName(kernel.name))},
                           {"launch", kernel.launch + 1},
                           {"figures", std::move(figures)}});
    }
    return Json{{"id", toJson(all.id)},           {"textHash", toJson(all.textHash)},
                {"device", toJson(all.device)},   {"isKept", isKept},
                {"isWholeCall", all.isWholeCall}, {"launches", all.kernelsOf(candidate).size()},
                {"kernels", std::move(kernels)}};
}

QString againstText(const Counters &shown, const CountersQuestion &question) {
    if (question.against == 0)
        return {};
    if (!question.before)
        return QStringLiteral("\nIteration %1 was not counted: there is nothing to hold this against. "
                              "restore it in your "
                              "work folder and call counters there.\n")
            .arg(question.against);
    Counters before = *question.before;
    before.kernels = launchesOf(before, question.kernel);
    return QStringLiteral("\nAgainst iteration %1:\n").arg(question.against) +
           countersChangesText(before, shown, Terminal());
}

} // namespace

bool hasKernel(const Counters &counters, const QString &kernel) {
    const auto launches = counters.kernelsOf(candidate);
    return std::any_of(launches.begin(), launches.end(),
                       [&kernel](const KernelCounters *one) { return one->name.contains(kernel); });
}

ToolAnswer countersAnswer(const Counters &counters, const CountersQuestion &question,
                          const CandidateTexts &texts) {
    const std::vector<KernelCounters> asked = launchesOf(counters, question.kernel);
    if (asked.empty()) {
        std::set<QString> names;
        for (const KernelCounters *kernel : counters.kernelsOf(candidate))
            names.insert(shortKernelName(kernel->name));
        return failedAnswer(
            names.empty()
                ? QStringLiteral("Nothing was counted: the candidate launched no kernel. %1")
                      .arg(counters.problems.join(QLatin1Char(' ')))
                      .trimmed()
                : QStringLiteral("There is no kernel \"%1\" among the launches that were counted. There are "
                                 "%2.")
                      .arg(question.kernel.left(200),
                           QStringList(names.begin(), names.end()).join(QStringLiteral(", "))));
    }
    Counters shown = counters;
    shown.kernels = asked;
    std::erase_if(shown.leftOut,
                  [&question](const LeftOutLaunches &one) { return !one.name.contains(question.kernel); });
    for (KernelCounters &kernel : shown.kernels)
        nameFilesOf(kernel, texts);
    QString text;
    if (question.isKept)
        text += QStringLiteral("Counted before, of this very text (anew: true counts again).\n");
    text += countersText(shown, QStringLiteral("/"), Terminal(),
                         QStringLiteral("Name a kernel to have its launches in full."));
    if (!counters.isWholeCall)
        text += QStringLiteral("\nThe call launches more than was counted: these times sum to no call's.\n");
    text += againstText(shown, question);
    return {ToolAnswer::Outcome::Ok,
            cutInTheMiddle(text, mostAnswerBytes, QStringLiteral("Name a kernel to see less")),
            structuredOf(shown, counters, question.isKept)};
}

ToolAnswer timelineAnswer(const Timeline &timeline, bool isKept) {
    QString text;
    if (isKept)
        text += QStringLiteral("Traced before, of this very text, on %1 (anew: true traces again).\n")
                    .arg(printableLine(timeline.device));
    text += timelineText(timeline, Terminal());
    return {ToolAnswer::Outcome::Ok, cutInTheMiddle(text, mostAnswerBytes, {}),
            Json{{"id", toJson(timeline.id)},
                 {"textHash", toJson(timeline.textHash)},
                 {"device", toJson(timeline.device)},
                 {"isKept", isKept}}};
}

} // namespace warpwright
