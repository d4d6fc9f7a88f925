// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/settings.h"

#include <QObject>

#include <functional>

namespace warpwright {

class SystemTheme;
struct WindowParts;

/// The settings in the window: read, applied and changed; their page, that of the setup, and the theme.
class WindowSettings : public QObject {
    Q_OBJECT
public:
    /// `loaded`: once; what is wrong in the file is mended, and told, by who reads it first.
    WindowSettings(const WindowParts &parts, Settings::Loaded loaded, QObject *parent);

    void load();
    void apply(const Settings &settings);
    void change(const std::function<void(Settings &)> &edit); ///< here and in the file
    void changeScale(int steps);
    /// "light", "dark"; anything else: as the settings say.
    void useTheme(const QString &name);
    void showPage(const QString &row = {});
    /// From now on what is edited in the file elsewhere comes in.
    void watchFile();

private:
    void connectPages();
    void connectOffers();
    void connectActions();
    void readOffers();

    const WindowParts &m_parts;
    Settings::Loaded m_loaded;
    SystemTheme *m_systemTheme;
    QString m_forcedTheme;
};

} // namespace warpwright
