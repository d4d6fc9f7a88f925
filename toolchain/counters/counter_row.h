// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counter_text.h"

#include <QString>

#include <optional>

/// The rows of a launch as values, for who makes one and for who says which there are.
namespace warpwright {

enum class CounterSection {
    SpeedOfLight,
    ComputeBreakdown,
    MemoryBreakdown,
    Memory,
    WarpStates,
    Scheduler,
    Launch,
    Instructions,
    Rules
};
[[nodiscard]] QString sectionName(CounterSection section);
/// The rows of CounterSection::Memory, in their order.
enum MemoryRow {
    LoadsToL1,
    StoresToL1,
    SharedWavefronts,
    ReadsFromL2,
    WritesToL2,
    ReadsFromDram,
    WritesToDram,
    HitsInL1,
    HitsInL2,
    BankConflicts,
    MemoryRowCount
};
/// What its numbers are, in a few words; may be empty.
[[nodiscard]] QString sectionRemark(CounterSection section);

/// One number of a section.
struct CounterRow {
    CounterSection section = CounterSection::SpeedOfLight;
    QString label;
    QString metric;  ///< the tool's name; of rules their id
    QString help;    ///< what it means, for the tooltip
    QString text;    ///< how the value is written; empty: missing
    QString missing; ///< why there is no value: "not collected (set basic)"
    std::optional<double> value;
    QString unit;
    QString exact;
    std::optional<double> share;       ///< of a bar's full length, 0 … 1
    std::optional<double> before;      ///< the baseline's value
    std::optional<double> beforeShare; ///< where its bar ends
    std::optional<CounterChange> change;
    QString spread; ///< "3 launches, 30.1–31.4 µs", or that it is one measurement
    bool isStrong = false;
    bool isSingle = false; ///< with a baseline: one of both was measured only once

    [[nodiscard]] QString toolTip() const;
    bool operator==(const CounterRow &) const = default;
};

/// Why nothing goes to shared memory: the kernel has no instruction that would.
[[nodiscard]] QString sharedIsNotUsed();
/// Why a metric is missing: "not collected (set basic)".
[[nodiscard]] QString notCollected(const Counters &counters);

} // namespace warpwright
