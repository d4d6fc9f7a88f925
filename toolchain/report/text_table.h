// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/ink.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace warpwright {

/// Columns that line up, on a terminal and in a pipe alike.
class TextTable {
public:
    /// `rightAligned`: the numbers of columns that hold figures.
    explicit TextTable(std::vector<int> rightAligned = {}) : m_right(std::move(rightAligned)) {}

    void heading(const QStringList &cells) { m_rows.push_back({cells, Ink::Faint}); }
    void row(const QStringList &cells, Ink ink = Ink::Plain) { m_rows.push_back({cells, ink}); }

    /// Each line begins with `indent` spaces. The last column is not padded.
    [[nodiscard]] QString text(const Terminal &terminal, int indent) const;

private:
    struct Row {
        QStringList cells;
        Ink ink = Ink::Plain;
    };

    std::vector<int> m_right;
    std::vector<Row> m_rows;
};

} // namespace warpwright
