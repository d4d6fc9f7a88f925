// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counted_launch.h"
#include "toolchain/counters/counter_row.h"

#include <array>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

namespace warpwright {

/// Makes the rows of one launch one by one: value, share, baseline and difference of each in the same way,
/// and a reason where one is missing.
class RowMaker {
public:
    RowMaker(const CountedLaunch &launch, const CountedLaunch &baseline);

    void begin(CounterSection section) { m_section = section; }
    [[nodiscard]] std::optional<double> number(const QString &metric) const;
    [[nodiscard]] std::optional<double> number(const char *metric) const {
        return number(QString::fromLatin1(metric));
    }
    /// Of a metric that is text.
    [[nodiscard]] QString textOf(const QString &metric) const;

    /// `full`: the value of a bar as long as its track.
    void bar(const QString &label, const QString &metric, const QString &help, double full, bool isStrong);
    void bar(const char *label, const char *metric, const char *help, double full, bool isStrong = false) {
        bar(QString::fromUtf8(label), QString::fromLatin1(metric), QString::fromUtf8(help), full, isStrong);
    }
    /// `unit`: instead of the tool's, where that is a sentence of its own.
    void fact(const char *label, const char *metric, const char *help,
              const std::optional<QString> &unit = std::nullopt, bool isStrong = false);
    void sizes(const char *label, const char *metric, const std::array<int, 3> &sizes);
    void opcode(const QString &name, double count, double total);
    /// `why`: empty: it was not collected.
    void missing(const char *label, const QString &metric, const QString &why = {});
    /// The links of memory, and their hit rates.
    void addMemory();
    void addRules(const KernelCounters &kernel);

    [[nodiscard]] std::vector<CounterRow> rows() { return std::move(m_rows); }

private:
    [[nodiscard]] bool usesShared() const;
    CounterRow &add(const QString &label, const QString &metric, const QString &help);
    void fill(CounterRow &row, const CounterReading &read, double full);
    void link(const char *label, const char *metric, const char *help, double bytesEach,
              std::initializer_list<const char *> counts, const char *share);

    const CountedLaunch &m_launch;
    const CountedLaunch &m_baseline;
    const KernelCounters &m_now;
    const KernelCounters *m_before;
    CounterSection m_section = CounterSection::SpeedOfLight;
    std::vector<CounterRow> m_rows;
};

} // namespace warpwright
