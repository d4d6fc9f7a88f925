// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPointer>
#include <QStringList>
#include <QWidget>

namespace warpwright {

/// Where Tab led.
struct TabWalk {
    QList<QPointer<QWidget>> stops;
    QString trouble; ///< empty: it came back to a stop that it had been at
};

/// Presses Tab from where the focus is, at most so many times. A text that is written in keeps Tab for
/// itself: from there it is gone on as if the text had let it through.
[[nodiscard]] TabWalk walkByTab(QWidget &window, int mostSteps);

/// What can be pressed, written into or chosen from in a window, and is at none of these stops; each as a
/// line.
[[nodiscard]] QStringList unreachedOf(const QWidget &window, const QList<QPointer<QWidget>> &stops);

/// What Tab reaches and has no name for those who do not see it, icons without words and without a tool tip,
/// and disabled buttons that do not say why.
[[nodiscard]] QStringList namelessOf(const QWidget &window);

} // namespace warpwright
