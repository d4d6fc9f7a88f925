// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/trust_badge.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace warpwright {
namespace {

TrustSegment tierSegment(const MeasuredFigures &figures) {
    TrustSegment segment{QStringLiteral("shield"), QStringLiteral("quick tier"), {}};
    const auto has = [&figures](const auto &isSuch) {
        return std::any_of(figures.arms.begin(), figures.arms.end(), isSuch);
    };
    const bool hasStored = has([](const ArmFigures &arm) { return !arm.isLive && !arm.isDerived; });
    const bool hasDerived = has([](const ArmFigures &arm) { return arm.isDerived; });
    segment.toolTip =
        hasStored    ? QStringLiteral("The quick tier measures the candidate beside one live baseline; the "
                                         "others are stored times, times the live one's drift.")
        : hasDerived ? QStringLiteral("The quick tier measures the candidate beside one live baseline.")
                     : QStringLiteral("In this check of the quick tier every arm was measured live, beside "
                                      "the others.");
    const CertificateFigures &certificate = figures.certificate;
    if (figures.tier == Tier::Certify && certificate.status == StageStatus::Passed) {
        segment.text = certificate.isOfGraph() ? QStringLiteral("certified as CUDA Graph replay")
                                               : QStringLiteral("certified");
        segment.toolTip =
            QStringLiteral("Every arm was measured in %1 fresh processes; the interval is at most 1 % to "
                           "each side, and so near to 1 came a baseline against itself.")
                .arg(certificate.processes);
    } else if (figures.tier == Tier::Certify) {
        segment = {QStringLiteral("warning"), QStringLiteral("not certified"),
                   QStringLiteral("The certify tier was asked for, and gave no certificate."), true};
    }
    if (!certificate.reason.isEmpty() && figures.tier == Tier::Certify)
        segment.toolTip += QLatin1Char('\n') + certificate.reason;
    if (!figures.method.isEmpty())
        segment.toolTip += QStringLiteral("\nMethod: ") + figures.method;
    return segment;
}

TrustSegment cacheSegment(const ArmFigures &candidate) {
    if (!candidate.flags.contains(QLatin1String("warm-inputs")))
        return {QStringLiteral("snow"), QStringLiteral("cold cache"),
                QStringLiteral("Inputs rotate and the cache is overwritten before each batch."), false};
    return {QStringLiteral("warning"), QStringLiteral("warm inputs"),
            QStringLiteral("The inputs are so small that they stay in the cache from call to call."), true};
}

TrustSegment clockSegment(const MeasuredFigures &figures, bool isShort) {
    if (figures.clock.empty())
        return {QStringLiteral("thermo"), QStringLiteral("clock unknown"),
                QStringLiteral("This device does not let its clock be read: whether it held its speed is "
                               "not known."),
                false};
    std::set<int> blocks;
    std::set<int> slowed;
    QStringList reasons;
    double least = figures.clock.front().megahertz;
    double most = least;
    for (const ClockReading &reading : figures.clock) {
        blocks.insert(reading.block);
        least = std::min(least, reading.megahertz);
        most = std::max(most, reading.megahertz);
        if (reading.slowedBy.isEmpty())
            continue;
        slowed.insert(reading.block);
        if (!reasons.contains(reading.slowedBy))
            reasons << reading.slowedBy;
    }
    const QString range =
        std::lround(least) == std::lround(most)
            ? numberText(most) + QStringLiteral(" MHz")
            : numberText(least) + QStringLiteral("–") + numberText(most) + QStringLiteral(" MHz");
    if (!slowed.empty())
        return {QStringLiteral("warning"),
                QStringLiteral("throttled %1 of %2")
                    .arg(slowed.size())
                    .arg(countText(static_cast<qsizetype>(blocks.size()), QStringLiteral("round"))),
                QStringLiteral("The device lowered its clock while measuring (%1): %2.")
                    .arg(reasons.join(QStringLiteral("; ")), range),
                true};
    // Nothing slowed it: the device says so itself; what a clock does in idle gaps is its own affair.
    return {
        QStringLiteral("thermo"), isShort ? QStringLiteral("steady") : range + QStringLiteral(" steady"),
        QStringLiteral("The clock was read after every batch (%1); nothing slowed the device.").arg(range),
        false};
}

TrustSegment samplesSegment(const MeasuredFigures &figures, const ArmFigures &candidate) {
    TrustSegment segment{QStringLiteral("samples"), {}, {}};
    if (!candidate.samples)
        return segment; // without a number it is left out
    segment.text = countText(*candidate.samples, QStringLiteral("round"));
    if (candidate.callsPerSample)
        segment.text += QStringLiteral(" × ") + countText(*candidate.callsPerSample, QStringLiteral("call"));
    segment.toolTip = QStringLiteral("A round is a batch of calls of the candidate among those of the other "
                                     "arms. %1 is the median of them, 95 % interval %2 %3.")
                          .arg(figures.times.text(candidate.medianMicroseconds),
                               figures.times.interval(candidate.lowMicroseconds, candidate.highMicroseconds),
                               figures.times.unit);
    return segment;
}

TrustSegment possibleSegment(const MeasuredFigures &figures, const ArmFigures &candidate) {
    if (figures.verdict == Verdict::Impossible)
        return {QStringLiteral("impossible"), QStringLiteral("physically impossible"),
                figures.doubts.join(QLatin1Char('\n')), true};
    if (!figures.speedOfLightMicroseconds)
        return {};
    const QString light = figures.times.fineText(*figures.speedOfLightMicroseconds);
    if (candidate.highMicroseconds < *figures.speedOfLightMicroseconds)
        return {QStringLiteral("warning"), QStringLiteral("above the measured ceiling"),
                QStringLiteral("The candidate is faster than the speed of light shown, %1: that is what "
                               "LibTorch's own operations reached on this device, not a law.")
                    .arg(light),
                true};
    return {QStringLiteral("shield"), QStringLiteral("physically possible"),
            QStringLiteral("Not faster than the speed of light of this task on this device, %1.").arg(light),
            false};
}

TrustSegment sandboxSegment(const MeasuredFigures &figures) {
    if (figures.sandbox.isEmpty())
        return {};
    QString lacks = figures.sandboxLacks.join(QLatin1Char('\n'));
    if (figures.sandbox == QLatin1String("none"))
        return {QStringLiteral("warning"), QStringLiteral("no sandbox"), lacks, false};
    return {
        QStringLiteral("shield"), QStringLiteral("sandbox: ") + figures.sandbox,
        QStringLiteral(
            "Escapes from the sandbox were tried before the candidate was loaded, and all were blocked.\n") +
            lacks,
        false};
}

TrustSegment findingsSegment(const MeasuredFigures &figures) {
    if (figures.findings.isEmpty())
        return {};
    return {QStringLiteral("warning"), countText(figures.findings.size(), QStringLiteral("finding")),
            figures.findings.join(QLatin1Char('\n')), true};
}

/// Only where they were asked for: a quick check never runs them.
TrustSegment sanitizersSegment(const MeasuredFigures &figures) {
    const SanitizerSection &sanitizers = figures.sanitizers;
    if (figures.tier != Tier::Certify || (sanitizers.tools.empty() && sanitizers.reason.isEmpty()))
        return {};
    if (sanitizers.status == StageStatus::Passed)
        return {QStringLiteral("shield"), QStringLiteral("sanitizers passed"),
                QStringLiteral("memcheck, racecheck and initcheck saw one forward and found nothing."),
                false};
    if (sanitizers.status == StageStatus::NotRun)
        return {QStringLiteral("shield"), QStringLiteral("sanitizers not run"), sanitizers.reason, false};
    QStringList failed;
    for (const SanitizerOutcome &outcome : sanitizers.tools) {
        if (outcome.status == StageStatus::Failed)
            failed << outcome.tool;
    }
    return {QStringLiteral("warning"), failed.join(QStringLiteral(", ")) + QStringLiteral(" found errors"),
            doubtsOf(sanitizers).join(QLatin1Char('\n')), true};
}

/// The doubts of the document that no other segment tells of.
TrustSegment otherDoubts(const MeasuredFigures &figures, const std::vector<TrustSegment> &told) {
    qsizetype count = figures.doubts.size();
    const auto leads = [&told](const char *icon, const QString &text) {
        return std::any_of(told.begin(), told.end(), [&](const TrustSegment &segment) {
            return segment.isDoubted && segment.icon == QLatin1String(icon) && segment.text.startsWith(text);
        });
    };
    for (const char *text : {"warm inputs", "throttled", "above the measured ceiling"})
        count -= leads("warning", QLatin1String(text)) ? 1 : 0;
    if (std::any_of(told.begin(), told.end(), [](const TrustSegment &segment) {
            return segment.text.endsWith(QLatin1String(" found errors"));
        }))
        count -= doubtsOf(figures.sanitizers).size();
    if (count <= 0)
        return {};
    return {QStringLiteral("warning"), countText(count, QStringLiteral("doubt")),
            figures.doubts.join(QLatin1Char('\n')), true};
}

TrustBadge badgeOf(std::vector<TrustSegment> segments) {
    std::erase_if(segments, [](const TrustSegment &segment) { return segment.text.isEmpty(); });
    std::stable_partition(segments.begin(), segments.end(),
                          [](const TrustSegment &segment) { return segment.isDoubted; });
    return {std::move(segments)};
}

} // namespace

QString TrustBadge::text() const {
    QStringList words;
    for (const TrustSegment &segment : segments)
        words << segment.text;
    return words.join(QStringLiteral(", "));
}

TrustBadge trustBadge(const MeasuredFigures &figures) {
    const ArmFigures *candidate = figures.candidate();
    if (candidate == nullptr)
        return {};
    std::vector<TrustSegment> segments{tierSegment(figures)};
    if (!figures.precision.isEmpty())
        segments.push_back(
            {{}, figures.precision, QStringLiteral("The precision class, measured, not believed.")});
    segments.push_back(cacheSegment(*candidate));
    segments.push_back(clockSegment(figures, true));
    // Whether the time is possible is a word of the banner only when it is in doubt.
    if (TrustSegment possible = possibleSegment(figures, *candidate); possible.isDoubted)
        segments.push_back(std::move(possible));
    segments.push_back(findingsSegment(figures));
    segments.push_back(otherDoubts(figures, segments));
    return badgeOf(std::move(segments));
}

TrustBadge wholeTrustBadge(const MeasuredFigures &figures) {
    const ArmFigures *candidate = figures.candidate();
    if (candidate == nullptr)
        return {};
    std::vector<TrustSegment> segments{possibleSegment(figures, *candidate),
                                       samplesSegment(figures, *candidate), cacheSegment(*candidate),
                                       clockSegment(figures, false)};
    if (!figures.precision.isEmpty())
        segments.push_back(
            {{}, figures.precision, QStringLiteral("The precision class, measured, not believed.")});
    segments.push_back(tierSegment(figures));
    segments.push_back(sandboxSegment(figures));
    segments.push_back(sanitizersSegment(figures));
    segments.push_back(findingsSegment(figures));
    segments.push_back(otherDoubts(figures, segments));
    return badgeOf(std::move(segments));
}

QString originText(const MeasuredFigures &figures) {
    QString text = figures.workspace;
    if (!figures.device.name.isEmpty())
        text += QStringLiteral(" on ") + figures.device.name;
    if (figures.startedAt.isValid())
        text += figures.startedAt.toUTC().toString(QStringLiteral(", yyyy-MM-dd HH:mm 'UTC'"));
    const TrustBadge badge = wholeTrustBadge(figures);
    return badge.segments.empty() ? text : text + QStringLiteral(": ") + badge.text();
}

} // namespace warpwright
