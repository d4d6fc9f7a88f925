// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace warpwright {

class Actions;
class FourPanes;
class PaneOpener;
class WindowDocks;
class WindowNotices;

/// The actions about the window, its panes and its docks: sizes, and which of them are there.
class PaneActions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        WindowDocks &docks;
        FourPanes &four;
        WindowNotices &notices;
        PaneOpener &panes;
    };
    PaneActions(const Parts &parts, QWidget *window);

private:
    void connectPanes();

    const Parts m_parts;
    QWidget *m_window;
};

} // namespace warpwright
