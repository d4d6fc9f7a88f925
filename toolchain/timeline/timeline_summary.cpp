// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/timeline/timeline_summary.h"

#include "toolchain/base/figures.h"
#include "toolchain/evaluation/measured_figures.h"
#include "toolchain/tool_output/kernel_name.h"

#include <algorithm>

namespace warpwright {
namespace {

using Kind = TimelineEvent::Kind;
using Step = PathStep::Kind;

constexpr qsizetype longestName = 60;
constexpr double littleUs = 0.05; // below what is told of at all

QString busySentence(const TimelineArm &arm, const TimelineAnalysis &analysis) {
    int steps = 0;
    for (const WorkShare &share : analysis.work)
        steps += share.count;
    if (steps == 0)
        return QStringLiteral("Nothing was seen to run in a call of %1.").arg(timeText(analysis.callUs));
    const bool isDevice = analysis.worksBy == Kind::Kernel;
    const bool hasCopies = std::any_of(analysis.work.begin(), analysis.work.end(),
                                       [](const WorkShare &share) { return share.kind != Kind::Kernel; });
    const QString what = isDevice && hasCopies
                             ? QStringLiteral("%1 kernels and copies").arg(numberText(steps))
                             : countText(steps, workName(analysis.worksBy));
    const QString where = isDevice                           ? QStringLiteral("the device works for")
                          : analysis.worksBy == Kind::Region ? QStringLiteral("parallel regions take")
                                                             : QStringLiteral("torch's operators take");
    QString text = QStringLiteral("%1 in a call of %2: %3 %4 of it (%5).")
                       .arg(what, timeText(arm.callMicroseconds()), where, timeText(analysis.busyUs),
                            percentText(analysis.busyShare()));
    return text.replace(0, 1, text.at(0).toUpper());
}

QString idleSentence(const TimelineAnalysis &analysis) {
    using Cause = TimelineGap::Cause;
    const bool isDevice = analysis.worksBy == Kind::Kernel;
    double sums[4] = {};
    int launchGaps = 0;
    for (const TimelineGap &gap : analysis.gaps) {
        sums[static_cast<int>(gap.cause)] += gap.microseconds();
        launchGaps += gap.cause == Cause::Launch ? 1 : 0;
    }
    QStringList parts;
    const auto add = [&](Cause cause, const QString &words) {
        if (const double sum = sums[static_cast<int>(cause)]; sum >= littleUs)
            parts << words.arg(timeText(sum));
    };
    add(Cause::First,
        isDevice ? QStringLiteral("%1 before the first runs") : QStringLiteral("%1 before the first"));
    add(Cause::Launch, QStringLiteral("%1 in %2 where the host had not launched what follows")
                           .arg(QStringLiteral("%1"), countText(launchGaps, QStringLiteral("gap"))));
    add(Cause::Between,
        isDevice ? QStringLiteral("%1 between what was queued in time") : QStringLiteral("%1 between them"));
    add(Cause::Last,
        isDevice ? QStringLiteral("%1 until the host saw the end") : QStringLiteral("%1 after the last"));
    if (parts.isEmpty() || analysis.work.empty())
        return {};
    const QString who = isDevice ? QStringLiteral("The device is idle for %1: %2.")
                        : analysis.worksBy == Kind::Region
                            ? QStringLiteral("Outside of them, in one thread: %1; %2.")
                            : QStringLiteral("Outside of them: %1; %2.");
    return who.arg(timeText(analysis.idleUs()), parts.join(QStringLiteral(", ")));
}

QString launchSentence(const TimelineAnalysis &analysis) {
    QString text;
    if (analysis.launches == 1)
        text = QStringLiteral("The host launches once, in %1.").arg(timeText(analysis.launchUs));
    else if (analysis.launches > 1)
        text = QStringLiteral("The host launches %1 in %2, %3 each.")
                   .arg(countText(analysis.launches, QStringLiteral("time")), timeText(analysis.launchUs),
                        timeText(analysis.launchUs / analysis.launches));
    if (analysis.graphs > 0)
        text += QStringLiteral(" %1 of a graph: %2 without a launch of their own.")
                    .arg(countText(analysis.graphs, QStringLiteral("replay")),
                         countText(analysis.graphSteps, QStringLiteral("step")));
    return text.trimmed();
}

QString streamSentence(const TimelineAnalysis &analysis) {
    if (analysis.streams.size() < 2)
        return {};
    return analysis.overlapUs >= littleUs
               ? QStringLiteral("%1 streams, and for %2 work of more than one of them runs at once.")
                     .arg(analysis.streams.size())
                     .arg(timeText(analysis.overlapUs))
               : QStringLiteral("%1 streams, and never does work of two of them run at once.")
                     .arg(analysis.streams.size());
}

/// How evenly the threads of the regions worked.
QString balanceSentence(const TimelineArm &arm) {
    double room = 0;
    double busy = 0;
    int threads = 0;
    for (const TimelineEvent &event : arm.events) {
        if (event.kind != Kind::Region)
            continue;
        threads = std::max(threads, event.threads);
        room += event.durationUs * event.threads;
        busy += event.busyUs;
    }
    return threads > 0 && room > 0 ? QStringLiteral("Up to %1 work in them, %2 of their time.")
                                         .arg(countText(threads, QStringLiteral("thread")),
                                              percentText(std::min(1.0, busy / room)))
                                   : QString();
}

/// "56.00 µs in the median (55.00–57.00 of 3)", of calls that nothing traced.
QString untracedText(const std::vector<double> &times, double median) {
    const auto [low, high] = std::minmax_element(times.begin(), times.end());
    const TimeScale scale = timeScaleOf(median);
    const QString spread =
        times.size() > 1
            ? QStringLiteral(" in the median (%1 of %2)").arg(scale.interval(*low, *high)).arg(times.size())
            : QString();
    return timeText(median) + spread;
}

QString spreadSentence(const TimelineArm &arm) {
    if (arm.calls.empty())
        return {};
    const auto [low, high] = std::minmax_element(
        arm.calls.begin(), arm.calls.end(),
        [](const TracedCall &one, const TracedCall &other) { return one.microseconds < other.microseconds; });
    const TimeScale scale = timeScaleOf(arm.callMicroseconds());
    QString text = arm.calls.size() == 1
                       ? QStringLiteral("The traced call took %1").arg(scale.text(low->microseconds))
                       : QStringLiteral("%1 traced calls took %2 %3, the median one is shown")
                             .arg(arm.calls.size())
                             .arg(scale.interval(low->microseconds, high->microseconds), scale.unit);
    if (const auto untraced = arm.untracedMedian()) {
        const std::vector<double> &times = arm.untracedMicroseconds;
        text += QStringLiteral("; untraced ones %1").arg(untracedText(times, *untraced));
        const bool hasLaunches =
            std::any_of(arm.events.begin(), arm.events.end(), [](const TimelineEvent &event) {
                return event.kind == Kind::Launch || event.kind == Kind::Graph;
            });
        // Where the two overlap a busy machine explains it as well.
        if (*std::max_element(times.begin(), times.end()) < low->microseconds)
            text += hasLaunches
                        ? QStringLiteral(": what lies between is the profiler's, mostly in launches and on "
                                         "the host")
                        : QStringLiteral(": what lies between is the profiler's");
    }
    text += QLatin1Char('.');
    if (!arm.isSameEachTime)
        text += QStringLiteral(" They did not all do the same.");
    return text;
}

QString stepText(const TimelineArm &arm, const PathStep &step, bool isOnDevice, double microseconds,
                 int count) {
    const QString time = timeText(microseconds);
    const QString times = count > 1 ? QStringLiteral(" (%1×)").arg(count) : QString();
    switch (step.kind) {
    case Step::Host:
        return QStringLiteral("%1 %2").arg(isOnDevice ? QStringLiteral("host") : QStringLiteral("outside"),
                                           time);
    case Step::Launch:
        return QStringLiteral("launch %1").arg(time);
    case Step::Between:
        return QStringLiteral("gap %1").arg(time);
    case Step::Device:
        break;
    }
    const QString name = shortNameOf(arm.events[*step.event]);
    const QString shown = name.size() > longestName ? name.left(longestName - 1) + QChar(0x2026) : name;
    return QStringLiteral("%1%2 %3").arg(shown, times, time);
}

QString pathSentence(const TimelineArm &arm, const TimelineAnalysis &analysis) {
    if (analysis.work.empty())
        return {};
    QStringList parts;
    const auto add = [&](Step kind, const QString &words) {
        const double sum = analysis.pathUs(kind);
        if (sum >= littleUs && sum >= 0.0005 * analysis.callUs)
            parts << QStringLiteral("%1 %2 (%3)")
                         .arg(words, timeText(sum), percentText(std::min(1.0, sum / analysis.callUs)));
    };
    const bool isDevice = analysis.worksBy == Kind::Kernel;
    add(Step::Device,
        isDevice ? QStringLiteral("work on the device") : workName(analysis.worksBy) + QLatin1Char('s'));
    add(Step::Launch, QStringLiteral("launches"));
    add(Step::Between, QStringLiteral("gaps between what is queued"));
    add(Step::Host, isDevice ? QStringLiteral("the host") : QStringLiteral("what lies outside"));
    return QStringLiteral("The end of the call waits for %1. %2.")
        .arg(parts.join(QStringLiteral(", ")), pathText(arm, analysis.path));
}

} // namespace

QString shortNameOf(const TimelineEvent &event) {
    if (event.kind == Kind::Kernel)
        return shortKernelName(event.name);
    if (event.kind != Kind::Region)
        return event.name;
    const qsizetype region = event.name.lastIndexOf(QLatin1String(", region "));
    return region < 0 ? event.name : shortKernelName(event.name.left(region)) + event.name.mid(region);
}

QString workName(TimelineEvent::Kind kind) {
    switch (kind) {
    case Kind::Kernel:
        return QStringLiteral("kernel");
    case Kind::Memcpy:
        return QStringLiteral("copy");
    case Kind::Memset:
        return QStringLiteral("fill");
    case Kind::Wait:
        return QStringLiteral("wait of a stream");
    case Kind::Launch:
        return QStringLiteral("launch");
    case Kind::Graph:
        return QStringLiteral("launch of a graph");
    case Kind::Sync:
        return QStringLiteral("wait for the device");
    case Kind::Runtime:
        return QStringLiteral("call of CUDA");
    case Kind::Operator:
        return QStringLiteral("operator");
    case Kind::Region:
        return QStringLiteral("parallel region");
    }
    return {};
}

QString pathText(const TimelineArm &arm, const std::vector<PathStep> &path, std::size_t most) {
    const bool isOnDevice = std::any_of(path.begin(), path.end(), [&arm](const PathStep &step) {
        return step.kind == Step::Device && arm.events[*step.event].isOnDevice();
    });
    QStringList parts;
    std::size_t left = 0;
    for (std::size_t i = 0; i < path.size();) {
        // The same kernel over and over is one piece, with what lies between.
        const PathStep &step = path[i];
        double sum = step.microseconds();
        int count = 1;
        std::size_t next = i + 1;
        const auto isSame = [&](std::size_t place) {
            return place < path.size() && path[place].kind == Step::Device && step.kind == Step::Device &&
                   arm.events[*path[place].event].name == arm.events[*step.event].name;
        };
        while (isSame(next) || (next < path.size() && path[next].kind == Step::Between && isSame(next + 1))) {
            count += path[next].kind == Step::Device ? 1 : 0;
            sum += path[next].microseconds();
            ++next;
        }
        i = next;
        if (sum < littleUs)
            continue;
        if (static_cast<std::size_t>(parts.size()) < most)
            parts << stepText(arm, step, isOnDevice, sum, count);
        else
            ++left;
    }
    if (left > 0)
        parts << QStringLiteral("%1 more").arg(numberText(static_cast<double>(left)));
    return parts.join(QStringLiteral(" → "));
}

QStringList sentencesOf(const TimelineArm &arm, const TimelineAnalysis &analysis) {
    QStringList sentences;
    if (!arm.problem.isEmpty()) {
        sentences << QStringLiteral("It was not traced: %1").arg(arm.problem);
    } else {
        sentences << busySentence(arm, analysis) << balanceSentence(arm) << idleSentence(analysis)
                  << launchSentence(analysis) << streamSentence(analysis) << pathSentence(arm, analysis)
                  << spreadSentence(arm);
        if (arm.eventsLeftOut > 0)
            sentences << QStringLiteral(
                             "%1 more of the call are not kept; what is said is of those that are.")
                             .arg(countText(arm.eventsLeftOut, QStringLiteral("event")));
    }
    sentences << arm.notes;
    sentences.removeAll(QString());
    return sentences;
}

std::optional<double> checkedCallMicroseconds(const MeasuredFigures &figures) {
    const ArmFigures *candidate = figures.candidate();
    return figures.profile == StageStatus::Passed && candidate != nullptr
               ? std::optional(candidate->medianMicroseconds)
               : std::nullopt;
}

QString timesSentence(const TimelineArm &arm, bool isOnCpu, std::optional<double> checkedMicroseconds) {
    if (!arm.problem.isEmpty() || arm.calls.empty())
        return {};
    const TimeScale scale = timeScaleOf(arm.callMicroseconds());
    QStringList parts{QStringLiteral("The same call takes %1 traced, with the profiler's own work in it")
                          .arg(scale.text(arm.callMicroseconds()))};
    if (const auto untraced = arm.untracedMedian())
        parts << QStringLiteral("%1 untraced, until the host knows of its end").arg(scale.text(*untraced));
    // Between the calls of one of the check's batches nobody waits for the device.
    const QString how = isOnCpu
                            ? QStringLiteral("where calls follow one another with other inputs")
                            : QStringLiteral("where the host launches the next call while the device works");
    parts << (checkedMicroseconds
                  ? QStringLiteral("%1 in the check (median), %2").arg(scale.text(*checkedMicroseconds), how)
                  : QStringLiteral("a check measures a third time, %1").arg(how));
    return parts.join(QStringLiteral("; ")) + QLatin1Char('.');
}

QString methodOf(const Timeline &timeline) {
    QString text =
        QStringLiteral(
            "One call at a time, from the host's call until it has waited for the end, with the same "
            "inputs each time, so that what fits a cache is there. %1 in a process of its own: "
            "evidence, not proof, and no measure of speed; a check measures that, over calls that follow "
            "one another%2.")
            .arg(timeline.tool.isEmpty() ? QStringLiteral("Traced")
                                         : QStringLiteral("Traced by ") + timeline.tool,
                 timeline.isOnCpu
                     ? QString()
                     : QStringLiteral(", where the host launches the next while the device works"));
    if (timeline.isOnCpu)
        text += QStringLiteral(
            " On a CPU the parallel regions of the candidate's own code are timed; what torch's "
            "operators do in theirs is not told apart.");
    return text;
}

} // namespace warpwright
