// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/schedule/thread_mapping.h"

#include <QStringList>

namespace warpwright {

/// Radix select of a row's k-th value as text: 32 loops over the row, each of which finds one bit of the
/// element by counting those that are no smaller. Near an end of the row a GPU's block first collects the few
/// candidates in shared memory, in two loops. `name`: of the element.
class RadixSelect {
public:
    RadixSelect(const Kernel &kernel, int step, QString name, bool isCuda);

    /// Whether a loop over few candidates precedes the one over bits, which remains as the fallback on
    /// overflow: beginLargest(), a loop, beginCandidates(), a loop, beginBits(), which opens a bracket.
    [[nodiscard]] bool isNearEnd(const ThreadMapping &mapping) const;
    [[nodiscard]] QStringList beginLargest();
    [[nodiscard]] QStringList beginCandidates();
    [[nodiscard]] QStringList beginBits();
    /// The head of the loop over bits; its body follows, until end().
    [[nodiscard]] QStringList begin() const;
    /// A line for an element, in whichever loop is open.
    [[nodiscard]] QString update(const QString &element) const;
    /// Once `counter()` has counted the whole row.
    [[nodiscard]] QStringList end() const;
    [[nodiscard]] QString counter() const { return counterOf(m_name); }
    [[nodiscard]] static QString counterOf(const QString &name) { return name + QStringLiteral("Count"); }
    /// Double-buffered: threads may still read the counts of one bit when those of the next one are written.
    [[nodiscard]] static QString partOfShared() { return QStringLiteral("[bit % 2]"); }
    /// Helper functions that these lines call.
    void appendFunctions(ExpressionPrinter &text) const;

private:
    enum class Loop { Bits, BitsOfCandidates, Largest, Candidates };

    [[nodiscard]] QString order() const { return m_name + QStringLiteral("Order"); }
    [[nodiscard]] qint64 rankFromEnd() const;
    [[nodiscard]] QString keyOf(const QString &element) const;

    QString m_name;
    qint64 m_rank;
    qint64 m_count;       ///< of the row's elements
    qint64 m_selectCount; ///< of the kernel
    bool m_isCuda;
    Loop m_loop = Loop::Bits;
};

} // namespace warpwright
