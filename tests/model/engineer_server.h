// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/model_profile.h"

#include <QProcess>
#include <QString>
#include <QStringList>

/// tests/tools/engineer as a process of its own: a server that plays an engineer by rules.
class EngineerServer {
public:
    /// `lesson`: a folder with steps/. `more`: options of engineer.py.
    explicit EngineerServer(const QString &lesson, const QStringList &more = {});
    ~EngineerServer();

    [[nodiscard]] bool isListening() const { return m_port > 0; }
    /// That speaks to it in this dialect, without a key.
    [[nodiscard]] warpwright::ModelProfile profile(warpwright::Dialect dialect) const;
    /// What it said of each turn so far.
    [[nodiscard]] QString told();
    void kill();

private:
    QProcess m_process;
    int m_port = 0;
    QString m_told;
};
