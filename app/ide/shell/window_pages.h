// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QStackedWidget;
class QWidget;

namespace warpwright {

class Presentation;
class StartPage;
class WindowDocks;
class Workbench;

/// Turns the window's pages. A page is one thing at a time: while it is shown the docks are hidden.
class WindowPages : public QObject {
    Q_OBJECT
public:
    struct Parts {
        const Workbench &bench;
        WindowDocks &docks;
        QStackedWidget &pageStack;
        QWidget &workPage; ///< of the four panes
    };
    WindowPages(const Parts &parts, QObject *parent);
    void setStart(StartPage &start) { m_start = &start; }                                ///< once it is made
    void setPresentation(Presentation &presentation) { m_presentation = &presentation; } ///< once it is made

    void add(QWidget *page);
    void remove(QWidget *page); ///< which still belongs to the window
    void show(QWidget *page);
    [[nodiscard]] bool isOn(const QWidget *page) const;
    [[nodiscard]] bool isOnWork() const; ///< the four panes
    void showWork();                     ///< nothing, where they are shown
    void comeToWork();                   ///< and where they are shown the candidate gets the keys
    void backToWork();                   ///< and to where the keys were; the start page without a workspace
    void showStart();
    [[nodiscard]] bool isOnStart() const;

signals:
    void cameToWork();

private:
    const Parts m_parts;
    StartPage *m_start = nullptr;
    Presentation *m_presentation = nullptr;
};

} // namespace warpwright
