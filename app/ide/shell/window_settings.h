// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/settings.h"

#include <QObject>

#include <functional>

namespace warpwright {

class Actions;
class DeviceDisplay;
class Look;
class SettingsPage;
class SetupPage;
class SystemTheme;
class WindowNotices;
class WindowPages;
class Workbench;

/// The settings in the window: read, applied and changed; their page, that of the setup, and the theme.
class WindowSettings : public QObject {
    Q_OBJECT
public:
    /// `loaded`: once; what is wrong in the file is mended, and told, by who reads it first.
    struct Parts {
        Actions &actions;
        Workbench &bench;
        DeviceDisplay &device;
        Look &look;
        WindowNotices &notices;
        WindowPages &pages;
        SettingsPage &settingsPage;
        SetupPage &setupPage;
    };
    WindowSettings(const Parts &parts, Settings::Loaded loaded, QObject *parent);

    void load();
    void apply(const Settings &settings);
    void change(const std::function<void(Settings &)> &edit); ///< here and in the file
    void changeScale(int steps);
    /// "light", "dark"; anything else: as the settings say.
    void useTheme(const QString &name);
    void showPage(const QString &row = {});
    /// From now on what is edited in the file elsewhere comes in.
    void watchFile();

signals:
    void applied(const Settings &settings);

private:
    void connectPages();
    void offerSetup(const QString &why);
    void connectOffers();
    void connectActions();
    void readOffers();

    const Parts m_parts;
    Settings::Loaded m_loaded;
    SystemTheme *m_systemTheme;
    QString m_forcedTheme;
};

} // namespace warpwright
