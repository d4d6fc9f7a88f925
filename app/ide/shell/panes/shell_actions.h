// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class Actions;
class BuildPanel;
class DeviceDisplay;
class WindowNotices;
class WindowPages;
class WindowState;
class Workbench;
struct ShellPlace;

/// The terminal, and the page that runs commands.
class ShellActions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        const Workbench &bench;
        BuildPanel &build;
        const DeviceDisplay &device;
        WindowNotices &notices;
        WindowPages &pages;
        WindowState &state;
    };
    ShellActions(const Parts &parts, QObject *parent);

    void keep() const; ///< into the window's state
    void enable();

private:
    void openTerminal();
    [[nodiscard]] ShellPlace placeNow() const;

    const Parts m_parts;
};

} // namespace warpwright
