// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <QStringList>

/// Names of loops, counters and reductions in an emitted kernel, the same on every device.
namespace warpwright {

class LoopNames {
public:
    explicit LoopNames(const Kernel &kernel);

    [[nodiscard]] const QStringList &allCounters() const { return m_counters; }
    [[nodiscard]] QString counter(std::size_t loop) const { return m_counters[static_cast<qsizetype>(loop)]; }
    [[nodiscard]] std::vector<std::size_t> innerLoops() const;
    /// "const std::int64_t i1 = row % 16;": the outer counters from the row index; none if it is the only
    /// one. `is32Bit`: the row index has 32 bits, and dividing those takes a quarter of the time.
    [[nodiscard]] QStringList outerCounterLines(bool is32Bit = false) const;
    /// The same for the inner ones, from the column index `c`.
    [[nodiscard]] QStringList innerCounterLines() const;
    [[nodiscard]] AffineExpr outerPart(const AffineExpr &index) const; ///< with the offset
    [[nodiscard]] AffineExpr innerPart(const AffineExpr &index) const;
    /// The position in the row as one number: "c", "j0 * 56 + j1".
    [[nodiscard]] QString flatColumn() const;
    [[nodiscard]] bool isContiguousRow(const AffineExpr &address) const;
    /// "sum", "sum2", "largest": the accumulator of a reduction.
    [[nodiscard]] QString accumulatorName(int step) const;

private:
    [[nodiscard]] QStringList counterLines(std::size_t begin, std::size_t end, const QString &flat) const;

    const Kernel &m_kernel;
    QStringList m_counters;
};

/// A reduction as text: its accumulator, the initial value, the update per element.
struct ReductionCode {
    QString type;
    QString start;
    QString sign;            ///< OpenMP's
    bool countsNans = false; ///< its comparisons skip NaN, and nothing later would show it

    [[nodiscard]] QString update(const QString &name, const QString &element) const;
    [[nodiscard]] bool isExtreme() const { return sign.startsWith(QLatin1Char('m')); }
    /// The larger or the smaller of two. fmaxf drops a NaN, which torch does not; unless something later
    /// shows it, it is propagated.
    [[nodiscard]] QString extreme(const QString &a, const QString &b) const;
    /// The same on a GPU, as one instruction for floats: fmaxf, or the helper function that extremeFunction()
    /// names.
    [[nodiscard]] QString cudaExtreme(const QString &a, const QString &b) const;
    [[nodiscard]] QString extremeFunction() const; ///< empty: no helper function
};
/// `isLong`: so many elements that a float accumulator would lose digits.
[[nodiscard]] ReductionCode reductionCode(const Kernel &kernel, int step, bool isLong);

/// A scan as text: its accumulator, the initial value, and how two of them combine.
struct ScanCode {
    QString type;
    QString start;
    QString sign;     ///< "+", "*", ">=", "<="; empty: `function`
    QString function; ///< a helper function of two arguments

    [[nodiscard]] QString update(const QString &name, const QString &element) const;
    [[nodiscard]] QString combined(const QString &before, const QString &after) const;
};
[[nodiscard]] ScanCode scanCode(const Kernel &kernel, int step, bool isLong);

/// Those of counterLines() whose counter the text uses.
[[nodiscard]] QStringList namedIn(const QString &text, const QStringList &counterLines);

/// "3, 16, 16".
[[nodiscard]] QString commaSeparated(const Shape &numbers);

/// Lines of at most 110 characters, broken at spaces.
[[nodiscard]] QString wrapped(const QString &text, const QString &first, const QString &further);
/// Such lines, each indented by `depth` plus its own leading spaces, except for preprocessor lines.
[[nodiscard]] QString wrappedLines(const QStringList &lines, int depth);
/// A call or function header broken at commas, with the arguments aligned below the first one.
[[nodiscard]] QString wrappedCall(const QString &head, const QString &arguments, const QString &tail);

} // namespace warpwright
