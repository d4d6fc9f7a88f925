// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"
#include "toolchain/findings/detectors.h"

namespace warpwright {
namespace {

/// Times the measured ceiling of memory: a copy's own spread is below that.
constexpr double clearlyAbove = 1.05;

} // namespace

std::optional<double> lastLevelCacheBytes(const FindingContext &context) {
    const OrderedJson &device = context.input.evaluation->device;
    if (!device.is_object() || !device.contains("lastLevelCacheBytes") ||
        !device["lastLevelCacheBytes"].is_number())
        return {};
    const auto bytes = device["lastLevelCacheBytes"].get<double>();
    return bytes > 0 ? std::optional(bytes) : std::nullopt;
}

std::vector<Finding> residentFindings(const FindingContext &context) {
    if (!context.figures || !context.figures->candidate() || !context.figures->task.bytes ||
        !context.figures->device.bytesPerSecond || !context.callMicroseconds)
        return {};
    // What is larger than the cache is not in it; and a ceiling that was measured while others used the
    // memory is none.
    const auto cache = lastLevelCacheBytes(context);
    if (!cache || *context.figures->task.bytes > *cache || context.figures->profile != StageStatus::Passed ||
        !context.figures->doubts.isEmpty())
        return {};
    const double rate = *context.figures->task.bytes / (*context.callMicroseconds * 1e-6);
    const double ceiling = *context.figures->device.bytesPerSecond;
    if (rate < clearlyAbove * ceiling)
        return {};
    Finding note;
    note.id = QStringLiteral("l2-resident");
    note.title = QStringLiteral("The tensors stay in the cache");
    note.isMeasured = true;
    note.isNote = true;
    note.gainMicroseconds = 0;
    note.gainShare = 0;
    note.gainBasis = QStringLiteral("nothing: it says how the time is to be read");
    note.evidence.push_back({QStringLiteral("the task's bytes in a call's time"), rate,
                             QStringLiteral("byte/s"), QStringLiteral("clock")});
    note.evidence.push_back({QStringLiteral("what memory reaches here"), ceiling, QStringLiteral("byte/s"),
                             QStringLiteral("the judge's ceilings")});
    note.message =
        QStringLiteral("A call processes the task's %1 faster than memory can deliver them (%2 against %3): "
                       "they stay in the last-level cache (%4) from call to call. Larger tensors would not.")
            .arg(scaledText(*context.figures->task.bytes, QStringLiteral("B")),
                 scaledText(rate, QStringLiteral("B/s")), scaledText(ceiling, QStringLiteral("B/s")),
                 bytesText(*cache));
    note.advice = QStringLiteral("Measure with tensors larger than the cache before you trust the number for "
                                 "work whose data come from memory.");
    return {note};
}

} // namespace warpwright
