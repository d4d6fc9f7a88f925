// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/theme.h"

#include <QFont>
#include <QIcon>
#include <QObject>

namespace warpwright {

/// What a text is for decides its size, in points so that it follows the screen (look.md, Type).
enum class TextRole {
    Axis,     ///< 8.25 pt: axes, labels, key caps
    Small,    ///< 9 pt: tables, tabs, facts
    Body,     ///< 9.75 pt: controls, messages, trees
    Title,    ///< 11.25 pt: card titles, dialogs
    Headline, ///< 12 pt: the banner's numbers
    Display,  ///< 21 pt: the start page
    Code,     ///< 9.75 pt monospaced: editors
    Log,      ///< 8.25 pt monospaced: logs, SASS
};

/// How everything looks right now: the theme in force, fonts, icons and lengths that follow the font scale.
/// The window owns one and hands it to each widget by reference; a widget repaints on changed().
class Look : public QObject {
    Q_OBJECT
public:
    explicit Look(QObject *parent = nullptr);

    [[nodiscard]] const Theme &theme() const { return m_theme; }
    [[nodiscard]] QColor color(const char *token) const { return m_theme.color(token); }
    /// 1 is 100 %; 0.75 to 2.
    [[nodiscard]] double scale() const { return m_scale; }
    void set(const Theme &theme, double scale);
    /// The family of Code and Log; empty: ours. Points at scale 1, 0: 9.75.
    void setCodeFont(const QString &family, double points);

    [[nodiscard]] QFont font(TextRole role, QFont::Weight weight = QFont::Normal) const;
    /// A length at 96 dpi and scale 1, in this screen's pixels; at least 1 for what is at least 1.
    [[nodiscard]] int px(double at96) const;

    /// `name`: of resources/look/icons without ".svg". Drawn at any size; without a colour text.secondary,
    /// disabled text.disabled. Follows no theme change: ask again on changed().
    [[nodiscard]] QIcon icon(const QString &name, const QColor &color = {}) const;
    [[nodiscard]] QPixmap pixmap(const QString &name, int size, const QColor &color,
                                 double devicePixelRatio) const;

signals:
    void changed();

private:
    Theme m_theme;
    double m_scale = 1;
    double m_codePoints = 9.75;
    QString m_sans;
    QString m_mono;
    QString m_codeFamily;
};

/// Makes our two families known to Qt; once, before the first Look. Returns what could not be loaded.
QStringList loadFonts();

} // namespace warpwright
