// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcessEnvironment>
#include <QString>

namespace warpwright {

/// Where things live. All absolute; none is created by naming it.
struct DataFolders {
    QString data;      ///< $WARPWRIGHT_DATA, else $XDG_DATA_HOME/warpwright
    QString cache;     ///< $XDG_CACHE_HOME/warpwright
    QString config;    ///< $XDG_CONFIG_HOME/warpwright
    QString resources; ///< samples, templates, schemas: $WARPWRIGHT_RESOURCES, else
                       ///< <exe>/../share/warpwright, else the source tree
    QString referee;   ///< the judge's sources: <resources>/referee when installed, toolchain/referee in the
                       ///< source tree
    QString pythonEnvironment; ///< $WARPWRIGHT_ENV, else <data>/env

    /// `executableFolder`: the folder of the running program (it finds an installed share/ beside bin/).
    static DataFolders find(const QProcessEnvironment &environment, const QString &executableFolder);
    /// For this process; needs a QCoreApplication.
    static DataFolders find();

    [[nodiscard]] QString refereeSources() const { return referee; }
    [[nodiscard]] QString settingsFile() const { return config + QStringLiteral("/settings.json"); }

    bool operator==(const DataFolders &) const = default;
};

} // namespace warpwright
