// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/process/child_process.h"

#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>

namespace warpwright {

/// Asks programs for their version with --version, all at once. One that does not answer has none.
class ToolVersions : public QObject {
    Q_OBJECT
public:
    explicit ToolVersions(QStringList programs, QObject *parent = nullptr);

    void start();
    void cancel();

signals:
    /// By the program's path: "13.0.88".
    void finished(const QHash<QString, QString> &versions);

private:
    void oneDone();

    QStringList m_programs;
    QList<ChildProcess *> m_processes;
    QHash<QString, QString> m_versions;
    qsizetype m_pending = 0;
};

/// The version in what a tool says: the number after a V or the word version, else the first with a dot.
[[nodiscard]] QString versionIn(const QByteArray &text);

} // namespace warpwright
