// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/fused_kernel.h"
#include "agent/playbook/scalar_text.h"

#include <QStringList>

namespace warpwright {

/// The search for a row's element of some rank as text: 32 loops over the row, each of which finds one bit of
/// the element by counting those that are no smaller. `name`: that the element gets.
class RankedText {
public:
    RankedText(const FusedKernel &kernel, int step, QString name, bool isCuda);

    /// The head of the loop over bits; what follows stands inside, until end().
    [[nodiscard]] QStringList begin() const;
    [[nodiscard]] QString update(const QString &element) const;
    /// Once `counter()` is that of the whole row.
    [[nodiscard]] QStringList end() const;
    [[nodiscard]] QString counter() const { return m_name + QStringLiteral("Count"); }
    /// Threads may still read what they told each other of one bit when the next one is told.
    [[nodiscard]] static QString partOfShared() { return QStringLiteral("[bit % 2]"); }
    /// Functions that these lines call.
    static void tellFunctions(ScalarText &text);

private:
    [[nodiscard]] QString order() const { return m_name + QStringLiteral("Order"); }

    QString m_name;
    qint64 m_rank;
    bool m_isCuda;
};

} // namespace warpwright
