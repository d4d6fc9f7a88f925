// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <vector>

namespace warpwright {

/// One line of /proc, as it was a moment ago.
struct ProcessFact {
    qint64 pid = 0;
    qint64 parent = 0;
    QString name;
    QChar state; ///< as in /proc/PID/stat: R, S, D, Z, T ...

    bool operator==(const ProcessFact &) const = default;
};

/// From now on orphans below us become our children instead of init's, so that processesBelow() still finds
/// them.
void adoptOrphans();

/// Every living descendant of `pid` (0: of us), nearest first. Zombies are dead and left out.
[[nodiscard]] std::vector<ProcessFact> processesBelow(qint64 pid = 0);

/// Sends `signal` to every one of them.
void signalProcessesBelow(int signal, qint64 pid = 0);

/// «wright-referee (pid 4711, waiting in the kernel: D)»: for naming what would not die.
[[nodiscard]] QString describe(const ProcessFact &fact);

/// Ends everything below us: SIGTERM, SIGKILL after a grace, then waits until all are gone or the limit has
/// passed. finished() gives what is left. A process in state D (stuck in a driver) cannot be killed by
/// anyone, only named.
class ProcessCleanup : public QObject {
    Q_OBJECT
public:
    explicit ProcessCleanup(QObject *parent = nullptr);

    void start(int graceMs = 2000, int limitMs = 8000);

signals:
    void finished(const std::vector<warpwright::ProcessFact> &left);

private:
    void look();

    QTimer m_poll;
    QElapsedTimer m_clock;
    int m_graceMs = 0;
    int m_limitMs = 0;
    std::vector<qint64> m_zombies;
};

} // namespace warpwright
