// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QPoint;
class QWidget;

namespace warpwright {

class Actions;
class Comparing;
class IterationsPanel;
class DisplayedIterations;
class Workbench;

/// What can be done with an iteration, where it stands in the tree.
class IterationMenu : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        Workbench &bench;
        Comparing &comparing;
        IterationsPanel &iterations;
        DisplayedIterations &shown;
    };
    IterationMenu(const Parts &parts, QWidget *window);

private:
    void open(int number, const QPoint &at);

    const Parts m_parts;
    QWidget *m_window;
};

} // namespace warpwright
