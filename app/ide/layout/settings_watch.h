// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/job.h"
#include "toolchain/base/settings.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace warpwright {

/// Reads settings.json again when somebody else has written it: an editor, another window, `wright config`.
/// A file that is half written is told of and left alone; what counts until then stays.
class SettingsWatch : public QObject {
    Q_OBJECT
public:
    SettingsWatch(QString file, QObject *parent);

signals:
    void changed(const warpwright::Settings &settings);
    void failed(const QString &why);

private:
    void watch();

    QString m_file;
    QString m_said; ///< why it could not be read; empty: it could
    QFileSystemWatcher m_watcher;
    QTimer m_wait;
    JobNumber m_jobs;
};

} // namespace warpwright
