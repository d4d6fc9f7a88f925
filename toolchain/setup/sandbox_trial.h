// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/process/child_process.h"

#include <QObject>
#include <QString>
#include <QTemporaryDir>

#include <vector>

namespace warpwright {

/// One way out of a sandbox, tried once from inside.
struct EscapeAttempt {
    QString name; ///< "read a file outside"
    bool wasStopped = false;
    QString answer; ///< the kernel's word, or how far it got

    bool operator==(const EscapeAttempt &) const = default;
};

/// What came of trying to break out of one sandbox.
struct SandboxTrial {
    QString name;    ///< "candidate, namespaces"
    QString problem; ///< why this sandbox does not stand here; empty: it stood
    std::vector<EscapeAttempt> attempts;

    bool operator==(const SandboxTrial &) const = default;
    [[nodiscard]] bool held() const;
};

/// Builds each sandbox for real and tries to break out of it: reads, writes, connects, signals, traces, forks
/// and allocates over the limits. Takes about 0.1 s. Ends in finished(); empty when `program` is.
class SandboxTrials : public QObject {
    Q_OBJECT
public:
    /// `program`: findSandboxProgram().
    explicit SandboxTrials(QString program, QObject *parent = nullptr);
    ~SandboxTrials() override;

    void start();
    void cancel();

signals:
    void finished(const std::vector<warpwright::SandboxTrial> &trials);

private:
    void startNext();

    QString m_program;
    QTemporaryDir m_outside; ///< what must not be reached
    int m_listener = -1;
    int m_port = 0;
    std::vector<SandboxTrial> m_trials;
    ChildProcess *m_process = nullptr;
    std::size_t m_next = 0;
    bool m_isCancelled = false;
};

/// The program's answer: "name\tstopped|open\tanswer" a line.
[[nodiscard]] std::vector<EscapeAttempt> readSandboxAttempts(const QByteArray &text);

} // namespace warpwright
