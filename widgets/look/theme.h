// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QHash>
#include <QString>

#include <array>

class QPalette;

namespace warpwright {

/// The colours of one scheme, by their token names ("bg.pane", "text.primary", "verdict.pass"): the one
/// source for palette, editors and charts. Value; read from the built-in resources/look/tokens.json.
class Theme {
public:
    static Theme light();
    static Theme dark();

    [[nodiscard]] bool isDark() const { return m_isDark; }
    /// `token`: as in tokens.json, group and name joined by a dot. An unknown one is our own mistake
    /// (asserted).
    [[nodiscard]] QColor color(const char *token) const;
    [[nodiscard]] QColor color(const QString &token) const;
    /// Six steps from cold to hot; the number is printed in the cell besides.
    [[nodiscard]] const std::array<QColor, 6> &heat() const { return m_heat; }
    /// All "group.name" tokens.
    [[nodiscard]] QStringList tokens() const { return m_colors.keys(); }
    [[nodiscard]] QPalette palette() const;

    bool operator==(const Theme &) const = default;

private:
    static Theme read(const char *scheme);

    QHash<QString, QColor> m_colors;
    std::array<QColor, 6> m_heat;
    bool m_isDark = false;
};

} // namespace warpwright
