// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <QStringList>

/// What loops, counters and sums are called in an emitted kernel, the same on every device.
namespace warpwright {

class LoopNames {
public:
    explicit LoopNames(const Kernel &kernel);

    [[nodiscard]] const QStringList &allCounters() const { return m_counters; }
    [[nodiscard]] QString counter(std::size_t loop) const { return m_counters[static_cast<qsizetype>(loop)]; }
    [[nodiscard]] std::vector<std::size_t> innerLoops() const;
    /// "const std::int64_t i1 = row % 16;": the outer counters from the row's number; none where it is one.
    /// `is32Bit`: the row's number has 32 bits, and a division of those takes a quarter of the time.
    [[nodiscard]] QStringList outerCounterLines(bool is32Bit = false) const;
    /// The same for the inner ones, from the column's number `c`.
    [[nodiscard]] QStringList innerCounterLines() const;
    [[nodiscard]] AffineExpr outerPart(const AffineExpr &index) const; ///< with the offset
    [[nodiscard]] AffineExpr innerPart(const AffineExpr &index) const;
    /// The place in the row as one number: "c", "j0 * 56 + j1".
    [[nodiscard]] QString flatColumn() const;
    [[nodiscard]] bool isContiguousRow(const AffineExpr &address) const;
    /// "sum", "sum2", "largest": of a reduction.
    [[nodiscard]] QString accumulatorName(int step) const;

private:
    [[nodiscard]] QStringList counterLines(std::size_t begin, std::size_t end, const QString &flat) const;

    const Kernel &m_kernel;
    QStringList m_counters;
};

/// A sum as text: its variable, where it starts, what an element does to it.
struct ReductionCode {
    QString type;
    QString start;
    QString sign;            ///< OpenMP's
    bool countsNans = false; ///< its comparisons pass over NaN, and nothing after it would notice

    [[nodiscard]] QString update(const QString &name, const QString &element) const;
    [[nodiscard]] bool isExtreme() const { return sign.startsWith(QLatin1Char('m')); }
    /// The larger or the smaller of two. fmaxf passes over a NaN, which torch does not; where nothing later
    /// shows it, it is carried along.
    [[nodiscard]] QString extreme(const QString &a, const QString &b) const;
    /// The same on a GPU, where that is one instruction for floats: by fmaxf, or by a function of ours, whose
    /// name extremeFunction() is.
    [[nodiscard]] QString cudaExtreme(const QString &a, const QString &b) const;
    [[nodiscard]] QString extremeFunction() const; ///< empty: none of ours
};
/// `isLong`: so many elements that float would lose digits.
[[nodiscard]] ReductionCode reductionCode(const Kernel &kernel, int step, bool isLong);

/// A running sum as text: its variable, where it starts, and how two of them become one.
struct ScanCode {
    QString type;
    QString start;
    QString sign;     ///< "+", "*", ">=", "<="; empty: `function`
    QString function; ///< of ours, of two arguments

    [[nodiscard]] QString update(const QString &name, const QString &element) const;
    [[nodiscard]] QString combined(const QString &before, const QString &after) const;
};
[[nodiscard]] ScanCode scanCode(const Kernel &kernel, int step, bool isLong);

/// Those of counterLines() whose counter the text names.
[[nodiscard]] QStringList namedIn(const QString &text, const QStringList &counterLines);

/// "3, 16, 16".
[[nodiscard]] QString commaSeparated(const Shape &numbers);

/// Lines of at most 110 characters, cut at spaces.
[[nodiscard]] QString wrapped(const QString &text, const QString &first, const QString &further);
/// Such lines, each `depth` and as many places in as it begins with spaces, but for what is the
/// preprocessor's.
[[nodiscard]] QString wrappedLines(const QStringList &lines, int depth);
/// A call or a head of a function whose arguments are cut at commas, and go on below the first one.
[[nodiscard]] QString wrappedCall(const QString &head, const QString &arguments, const QString &tail);

} // namespace warpwright
