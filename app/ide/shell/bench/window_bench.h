// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

namespace warpwright {

class EventMeter;
class MainWindow;

/// What `wright bench window` starts in a process of its own each time. "start": until the workspace's files
/// can be edited. "events": what events cost while a check runs and while someone types into 5,000 lines.
/// "stream": the same while an agent streams beside an open diff (`StreamBench`).
/// "pages": of each page of what was measured (`PagesBench`), and of the report in WARPWRIGHT_BENCH_REPORT.
class WindowBench : public QObject {
    Q_OBJECT
public:
    WindowBench(QString what, QString workspace, EventMeter &meter, MainWindow &window,
                QObject *parent = nullptr);
    void start();

signals:
    /// `json`: one object in one line.
    void finished(int exitCode, const QByteArray &json);

private:
    void opened();
    void type();
    void stream();
    void openPages();
    void fail(const QString &why);
    void report();

    QString m_what;
    QString m_workspace;
    EventMeter &m_meter;
    MainWindow &m_window;
};

} // namespace warpwright
