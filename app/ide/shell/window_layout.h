// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace warpwright {

class Actions;
class BuildPanel;
class FourPanes;
class KeptPlace;
class Pane;
class ProfilePanel;
class StateKeeper;
class WindowDocks;
class WindowState;

/// Layout and sizes of the window: kept and brought back.
class WindowLayout : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        BuildPanel &build;
        WindowDocks &docks;
        FourPanes &four;
        ProfilePanel &profile;
        WindowState &state;
    };
    WindowLayout(const Parts &parts, QWidget *window);

    void restore();
    void keep(const KeptPlace &place); ///< from now on, of an open workspace this
    void touch();                      ///< something is to be kept that no person's hand was at
    void save();
    void keepNothing();

signals:
    void saving(); ///< into the window's state

private:
    [[nodiscard]] QList<std::pair<QString, Pane *>>
    pagedPanes() const; ///< by what the state calls their open page

    const Parts m_parts;
    QWidget *m_window;
    const KeptPlace *m_place = nullptr;
    StateKeeper *m_keeper = nullptr;
    bool m_keepsLayout = true;
};

} // namespace warpwright
