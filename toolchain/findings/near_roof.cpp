// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/findings/detectors.h"
#include "toolchain/findings/speed_of_light.h"

namespace warpwright {
namespace {

/// Of the speed of light: what is left above that is less than a third of it, and the ceilings themselves are
/// what torch's own operations reach.
constexpr double nearEnough = 0.75;

QString boundText(const MeasuredFigures &figures) {
    if (figures.task.limit == QLatin1String("memory"))
        return QStringLiteral("the task's bytes, moved once as fast as memory is here");
    return figures.task.limit == QLatin1String("compute")
               ? QStringLiteral("the task's operations, as fast as arithmetic is here")
               : QStringLiteral("the task's bytes or operations, whichever takes longer here");
}

QString adviceText(const QString &limit) {
    if (limit == QLatin1String("memory"))
        return QStringLiteral(
            "Wider loads or more warps can gain little. Move fewer bytes instead: fuse more of the model "
            "into one kernel, or use narrower types where the task allows them.");
    if (limit == QLatin1String("compute"))
        return QStringLiteral("Scheduling the same operations better can gain little. Do fewer of them "
                              "instead, or narrower ones where the task allows them.");
    return QStringLiteral("Scheduling the same work better can gain little. Move fewer bytes or do fewer "
                          "operations instead, or narrower ones where the task allows them.");
}

void addBound(std::vector<FindingEvidence> &evidence, const MeasuredFigures &figures) {
    const QString ceilings = QStringLiteral("the judge's ceilings");
    const QString task = QStringLiteral("the judge's count of the task");
    if (figures.task.limit == QLatin1String("memory")) {
        evidence.push_back({QStringLiteral("the task's bytes"), figures.task.bytes.value_or(0),
                            QStringLiteral("byte"), task});
        evidence.push_back({QStringLiteral("what memory reaches here"),
                            figures.device.bytesPerSecond.value_or(0), QStringLiteral("byte/s"), ceilings});
    } else if (figures.task.limit == QLatin1String("compute")) {
        evidence.push_back({QStringLiteral("the task's operations"), figures.task.flops.value_or(0),
                            QStringLiteral("FLOP"), task});
    }
}

} // namespace

std::vector<Finding> nearRoofFindings(const FindingContext &context) {
    const std::optional<double> known = speedOfLightOf(context, true);
    if (!known)
        return {};
    const MeasuredFigures &figures = *context.figures;
    const ArmFigures *candidate = figures.candidate();
    const double light = *known;
    const double call = candidate->medianMicroseconds;
    const double share = light / call;
    if (share < nearEnough)
        return {};
    // In 16 bits, where the task allows them, its products take less than the light that FP32 or TF32 sets.
    const QStringList &allowed = context.input.evaluation->precisionAllowed;
    if (figures.task.limit != QLatin1String("memory") &&
        (allowed.contains(QLatin1String("BF16")) || allowed.contains(QLatin1String("FP16"))))
        return {};
    Finding note;
    note.id = QStringLiteral("near-roof");
    note.title = QStringLiteral("Near the measured speed of light");
    note.isMeasured = true;
    note.isNote = true;
    note.gainMicroseconds = 0;
    note.gainShare = 0;
    note.gainBasis = QStringLiteral("nothing: it says how little is left");
    note.message =
        QStringLiteral(
            "A call reaches %1 of the speed of light: at most %2 of its %3 can be saved. The speed of light "
            "is %4: %5. It is what torch's own operations reach on this device, not a physical limit.")
            .arg(percentText(share), figures.times.text(call - light),
                 figures.times.withSpread(call, candidate->lowMicroseconds, candidate->highMicroseconds),
                 figures.times.text(light), boundText(figures));
    if (!figures.doubts.isEmpty())
        note.message +=
            QStringLiteral(" The check has doubts: %1").arg(figures.doubts.join(QLatin1Char(' ')));
    note.evidence.push_back(
        {QStringLiteral("a call, median"), call, QStringLiteral("µs"), QStringLiteral("clock")});
    note.evidence.push_back({QStringLiteral("a call, low end of the 95 % interval"),
                             candidate->lowMicroseconds, QStringLiteral("µs"), QStringLiteral("clock")});
    note.evidence.push_back({QStringLiteral("a call, high end of the 95 % interval"),
                             candidate->highMicroseconds, QStringLiteral("µs"), QStringLiteral("clock")});
    note.evidence.push_back({QStringLiteral("the speed of light of the task"), light, QStringLiteral("µs"),
                             QStringLiteral("the judge's ceilings")});
    addBound(note.evidence, figures);
    note.advice = adviceText(figures.task.limit);
    return {note};
}

} // namespace warpwright
