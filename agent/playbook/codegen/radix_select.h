// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/schedule/thread_mapping.h"

#include <QStringList>

namespace warpwright {

/// The search for a row's element of some rank as text: 32 loops over the row, each of which finds one bit of
/// the element by counting those that are no smaller. Near an end of the row a GPU's block first brings
/// together the few elements that come into question, in two loops. `name`: that the element gets.
class RadixSelect {
public:
    RadixSelect(const Kernel &kernel, int step, QString name, bool isCuda);

    /// Whether lines of a loop over the few come before those of the bits, for when they are too many:
    /// beginLargest(), a loop, beginCandidates(), a loop, beginBits(), which opens a bracket.
    [[nodiscard]] bool isNearEnd(const ThreadMapping &mapping) const;
    [[nodiscard]] QStringList beginLargest();
    [[nodiscard]] QStringList beginCandidates();
    [[nodiscard]] QStringList beginBits();
    /// The head of the loop over bits; what follows stands inside, until end().
    [[nodiscard]] QStringList begin() const;
    /// A line for an element, of whichever loop is at work.
    [[nodiscard]] QString update(const QString &element) const;
    /// Once `counter()` is that of the whole row.
    [[nodiscard]] QStringList end() const;
    [[nodiscard]] QString counter() const { return counterOf(m_name); }
    [[nodiscard]] static QString counterOf(const QString &name) { return name + QStringLiteral("Count"); }
    /// Threads may still read what they told each other of one bit when the next one is told.
    [[nodiscard]] static QString partOfShared() { return QStringLiteral("[bit % 2]"); }
    /// Functions that these lines call.
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
