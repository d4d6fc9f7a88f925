// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace warpwright {

class Dock;
struct WindowParts;

/// Turns the window's pages. A page is one thing at a time: while it is shown the docks are hidden.
class WindowPages : public QObject {
    Q_OBJECT
public:
    WindowPages(const WindowParts &parts, QObject *parent);

    void show(QWidget *page);
    [[nodiscard]] bool isOnWork() const; ///< the four panes
    void showWork();                     ///< nothing, where they are shown
    void backToWork();                   ///< and to where the keys were; the start page without a workspace
    void showStart();

    /// Only where a pane is presented: it yields to this one, in the order of the four.
    void presentInstead(int pane);
    /// The same, and where another pane is enlarged all are alike again.
    void showPane(int pane);
    void showBuild();
    /// Wherever the window is: the four panes come back, and the profile pane with this page.
    void showProfilePage(const QString &name);

    void hideDocks();
    void showDocks(); ///< those that were hidden
    [[nodiscard]] bool hidesDocks() const { return !m_hiddenDocks.isEmpty(); }
    /// How they stand when none is hidden, as QMainWindow::saveState() writes it.
    [[nodiscard]] QByteArray docksState() const;

private:
    const WindowParts &m_parts;
    QList<Dock *> m_hiddenDocks; ///< while a page is shown
    QByteArray m_docksBefore;    ///< how they stood before it
};

} // namespace warpwright
