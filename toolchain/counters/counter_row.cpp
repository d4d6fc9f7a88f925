// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/counter_row.h"

#include <QStringList>

namespace warpwright {

QString sectionName(CounterSection section) {
    switch (section) {
    case CounterSection::SpeedOfLight:
        return QStringLiteral("Speed of light");
    case CounterSection::ComputeBreakdown:
        return QStringLiteral("Compute breakdown");
    case CounterSection::MemoryBreakdown:
        return QStringLiteral("Memory breakdown");
    case CounterSection::Memory:
        return QStringLiteral("Memory");
    case CounterSection::WarpStates:
        return QStringLiteral("Warp states");
    case CounterSection::Scheduler:
        return QStringLiteral("Scheduler");
    case CounterSection::Launch:
        return QStringLiteral("Launch and occupancy");
    case CounterSection::Instructions:
        return QStringLiteral("Instruction mix");
    case CounterSection::Rules:
        break;
    }
    return QStringLiteral("Rules of Nsight Compute");
}

QString sectionRemark(CounterSection section) {
    switch (section) {
    case CounterSection::SpeedOfLight:
        return QStringLiteral("share of the peak that the GPU can sustain");
    case CounterSection::ComputeBreakdown:
    case CounterSection::MemoryBreakdown:
        return QStringLiteral("busiest units, share of their peak");
    case CounterSection::Memory:
        return QStringLiteral("traffic, share of the peak of each link");
    case CounterSection::WarpStates:
        return QStringLiteral("cycles between two instructions of a warp");
    case CounterSection::Scheduler:
        return QStringLiteral("warps a scheduler, a cycle");
    case CounterSection::Instructions:
        return QStringLiteral("executed, in warps");
    case CounterSection::Rules:
        return QStringLiteral("the tool's own estimates; they overlap and do not add up");
    case CounterSection::Launch:
        break;
    }
    return {};
}

QString sharedIsNotUsed() {
    return QStringLiteral("not used: the kernel has no shared memory");
}

QString notCollected(const Counters &counters) {
    return counters.set.isEmpty() ? QStringLiteral("not collected")
                                  : QStringLiteral("not collected (set %1)").arg(counters.set);
}

QString CounterRow::toolTip() const {
    QStringList lines{label};
    if (!help.isEmpty())
        lines << help;
    if (!missing.isEmpty())
        lines << missing;
    else
        lines << QStringLiteral("%1 = %2").arg(metric, exact);
    if (before)
        lines << QStringLiteral("baseline %1, %2")
                     .arg(counterText(*before, unit), change ? change->text() : QString());
    if (!spread.isEmpty())
        lines << spread;
    else if (!missing.isEmpty())
        lines << metric;
    return lines.join(QLatin1Char('\n'));
}

} // namespace warpwright
