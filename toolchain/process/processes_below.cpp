// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/process/processes_below.h"

#include <QDir>
#include <QFile>

#include <algorithm>
#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unordered_map>

namespace warpwright {

namespace {

constexpr int pollMs = 50;

/// «4711 (name with ) and spaces) S 42 …»: the name ends at the last parenthesis.
bool readStat(const QString &pid, ProcessFact &fact) {
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return false; // it has just ended
    const QByteArray text = file.readAll();
    const auto open = text.indexOf('(');
    const auto close = text.lastIndexOf(')');
    if (open < 0 || close < open || close + 2 >= text.size())
        return false;
    const QList<QByteArray> rest = text.mid(close + 2).split(' ');
    if (rest.size() < 2)
        return false;
    fact.pid = pid.toLongLong();
    fact.name = QString::fromUtf8(text.mid(open + 1, close - open - 1));
    fact.state = QLatin1Char(rest[0].isEmpty() ? '?' : rest[0][0]);
    fact.parent = rest[1].toLongLong();
    return true;
}

std::vector<ProcessFact> allBelow(qint64 root) {
    std::unordered_multimap<qint64, ProcessFact> children;
    const QStringList entries = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &entry : entries) {
        ProcessFact fact;
        if (entry[0].isDigit() && readStat(entry, fact))
            children.emplace(fact.parent, fact);
    }
    std::vector<ProcessFact> below;
    std::vector<qint64> parents = {root};
    // Nearest first; every process has one parent, so this ends.
    for (std::size_t at = 0; at < parents.size(); ++at) {
        const auto [begin, end] = children.equal_range(parents[at]);
        for (auto child = begin; child != end; ++child) {
            below.push_back(child->second);
            parents.push_back(child->second.pid);
        }
    }
    return below;
}

bool isDead(const ProcessFact &fact) {
    return fact.state == QLatin1Char('Z') || fact.state == QLatin1Char('X');
}

} // namespace

void adoptOrphans() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

std::vector<ProcessFact> processesBelow(qint64 pid) {
    std::vector<ProcessFact> below = allBelow(pid == 0 ? getpid() : pid);
    std::erase_if(below, isDead);
    return below;
}

void signalProcessesBelow(int signal, qint64 pid) {
    for (const ProcessFact &fact : processesBelow(pid))
        ::kill(static_cast<pid_t>(fact.pid), signal);
}

QString describe(const ProcessFact &fact) {
    QString doing;
    switch (fact.state.toLatin1()) {
    case 'D':
        doing = QStringLiteral("waiting inside the kernel, where no signal reaches it");
        break;
    case 'T':
    case 't':
        doing = QStringLiteral("stopped");
        break;
    case 'R':
        doing = QStringLiteral("running");
        break;
    default:
        doing = QStringLiteral("sleeping");
    }
    return QStringLiteral("%1 (pid %2, state %3: %4)")
        .arg(fact.name)
        .arg(fact.pid)
        .arg(fact.state)
        .arg(doing);
}

ProcessCleanup::ProcessCleanup(QObject *parent) : QObject(parent) {
    m_poll.setInterval(pollMs);
    connect(&m_poll, &QTimer::timeout, this, &ProcessCleanup::look);
}

void ProcessCleanup::start(int graceMs, int limitMs) {
    m_graceMs = graceMs;
    m_limitMs = limitMs;
    m_clock.start();
    signalProcessesBelow(SIGTERM);
    m_poll.start();
}

void ProcessCleanup::look() {
    std::vector<ProcessFact> below = allBelow(getpid());
    // An adopted orphan stays a zombie until we reap it; one of QProcess is reaped by QProcess within a turn
    // of the event loop. So only what was a zombie in the last look too is ours to reap.
    std::vector<qint64> zombies;
    for (const ProcessFact &fact : below) {
        if (!isDead(fact) || fact.parent != getpid())
            continue;
        zombies.push_back(fact.pid);
        if (std::find(m_zombies.begin(), m_zombies.end(), fact.pid) != m_zombies.end())
            waitpid(static_cast<pid_t>(fact.pid), nullptr, WNOHANG);
    }
    m_zombies = zombies;
    std::erase_if(below, isDead);

    const qint64 elapsedMs = m_clock.elapsed();
    if ((below.empty() && zombies.empty()) || elapsedMs >= m_limitMs) {
        m_poll.stop();
        emit finished(below);
        return;
    }
    // Again in every look: a process may have started another one in between.
    if (elapsedMs >= m_graceMs)
        signalProcessesBelow(SIGKILL);
}

} // namespace warpwright
