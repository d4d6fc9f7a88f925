// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/environment/toolchain_probe.h"

#include <QObject>
#include <QPointer>

#include <optional>

class QMenu;

namespace warpwright {

class StatusLine;
class TopBar;
class WindowNotices;
class Workbench;

/// Looks for Python, CUDA and devices, and shows in the top bar, its menu and the status line which is used.
class DeviceDisplay : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Workbench &bench;
        QMenu &deviceMenu;
        WindowNotices &notices;
        StatusLine &status;
        TopBar &topBar;
    };
    DeviceDisplay(const Parts &parts, QObject *parent);

    void probe(const Settings &settings); ///< what was asked before is dropped
    void forget() { m_toolchain.reset(); }
    /// Once the probe has answered.
    [[nodiscard]] const std::optional<Toolchain> &toolchain() const { return m_toolchain; }
    /// Configs differ on a GPU only; empty: there is one.
    [[nodiscard]] const QString &whyNoSweep() const { return m_whyNoSweep; }
    void describe();

signals:
    void described(); ///< whyNoSweep() may be another one
    void found(const Toolchain &toolchain);
    void pythonMissed(const QString &why); ///< there is none with torch
    void deviceChosen(const QString &device);

private:
    void take(const Toolchain &toolchain);
    [[nodiscard]] QString reasonNow() const;
    void fillMenu();

    const Parts m_parts;
    QPointer<QObject> m_probe; ///< the inquiry that runs
    std::optional<Toolchain> m_toolchain;
    QString m_whyNoSweep;
};

} // namespace warpwright
