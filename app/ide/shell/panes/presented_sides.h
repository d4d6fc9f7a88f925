// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QStackedWidget;
class QWidget;

namespace warpwright {

class Dock;
class Presentation;
class WindowDocks;
class WindowPages;

/// Where the docks and the agent's pane are while one pane is presented.
class PresentedSides : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Dock &agentDock;
        QStackedWidget &agentStack;
        WindowDocks &docks;
        WindowPages &pages;
        Presentation &presentation;
        QWidget &workPage;
    };
    PresentedSides(const Parts &parts, QObject *parent);

private:
    void placeAgent(bool isAlone);

    const Parts m_parts;
};

} // namespace warpwright
