// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/evaluation_message.h"
#include "toolchain/base/json.h"
#include "toolchain/base/verdict.h"
#include "toolchain/process/child_process.h"

#include <QHash>
#include <QObject>
#include <QTimer>

namespace warpwright {

/// What the judge answers instead of a result.
struct JudgeError {
    Verdict verdict = Verdict::Environment;
    EvaluationMessage message;

    bool operator==(const JudgeError &) const = default;
};

/// A running `wright-referee`, spoken to in JSON-RPC 2.0, one message a line (toolchain/referee/PROTOCOL.md).
///
/// Each call is answered by exactly one of replied() or refused(), unless the judge dies: then died() comes
/// once, for all calls. A judge that says what is no JSON-RPC, or nothing for `silenceLimitMs` while a call
/// waits, is ended and counts as dead. After shutDown() its end is not a death: stopped() comes, and always
/// within seven seconds.
class Judge : public QObject {
    Q_OBJECT
public:
    explicit Judge(QObject *parent = nullptr);

    void setSilenceLimitMs(int limit) { m_silence.setInterval(limit); }
    void start(const QString &program, const QStringList &arguments = {});

    /// The number that the answer will carry.
    int call(const QString &method, const Json &params);
    /// The call in progress is answered with the verdict `cancelled`.
    void cancelCall();
    /// Asks it to go, and makes it go. Safe in every state.
    void shutDown();

    [[nodiscard]] bool isRunning() const { return m_isRunning; }
    [[nodiscard]] bool hasCallInProgress() const { return !m_calls.isEmpty(); }

signals:
    void replied(int id, const warpwright::Json &result);
    void refused(int id, const warpwright::JudgeError &error);
    void progress(const warpwright::Json &params);
    void died(const warpwright::EvaluationMessage &message);
    void stopped();

private:
    void read(const QByteArray &bytes);
    void readLine(const QByteArray &line);
    void readError(int id, const Json &error);
    void send(const Json &message);
    void breakOff(const QString &why);
    void end(const ProcessOutcome &outcome);
    void die(const QString &why, const QString &advice);
    [[nodiscard]] QString lastWords() const;

    ChildProcess *m_process;
    QTimer m_silence;
    QTimer m_patience;
    QString m_program;
    QByteArray m_buffer;
    QByteArray m_errors;
    QHash<int, QString> m_calls; // what each call in progress asked
    QString m_brokenWhy;
    int m_lastId = 0;
    bool m_isRunning = false;
    bool m_isStopping = false;
};

} // namespace warpwright
