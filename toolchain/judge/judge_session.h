// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/judge/judge.h"
#include "toolchain/judge/referee_build.h"

#include <QObject>

#include <optional>

namespace warpwright {

/// What we speak with the judge (toolchain/referee/PROTOCOL.md).
inline constexpr int judgeProtocolVersion = 1;

/// Brings a judge to the point where it can verify: builds it if it must be, starts it, greets it, opens the
/// task.
///
/// start() ends in opened() or refused(); expect(), verify(), baselines(), profile(), clock() and
/// exportInputs() in answered() or refused(). One of them at a time, but that expect() may still be under
/// way. After a refusal there is nothing left but stop(). stop() works in every state, cancels what is under
/// way, and always ends in stopped().
class JudgeSession : public QObject {
    Q_OBJECT
public:
    struct Setup {
        std::optional<RefereePlan> plan; ///< empty: `replacement` is used as it is
        QString replacement; ///< a judge program of the person's own, for tests and for building a new one
        QString data;        ///< DataFolders::data
        int maxJobs = 1;
        int silenceLimitMs = 0;      ///< 0: the judge's own
        Json openParams;             ///< all but `shim`
        bool opensWhenAsked = false; ///< after readyToOpen(), by open()
    };

    explicit JudgeSession(Setup setup, QObject *parent = nullptr);

    void start();
    /// Runs the reference, which would disturb whoever measures on the device.
    void open() { ask(QStringLiteral("open"), m_setup.openParams); }
    /// Lets the judge start a worker for a candidate that is not there yet. Nothing for a judge that cannot.
    void expect();
    void verify(const Json &params);
    /// Waits for baselines that are compiled beside everything else; nothing runs on the device meanwhile.
    void baselines() { ask(QStringLiteral("baselines"), Json::object()); }
    void profile(const Json &params) { ask(QStringLiteral("profile"), params); }
    /// The reference in the candidate's place: for trying the clock.
    void clock(const Json &params) { ask(QStringLiteral("clock"), params); }
    void exportInputs(const Json &params) { ask(QStringLiteral("export"), params); }
    void stop();

    /// Opened, holds no candidate, asked nothing that concerns one, and not at its end: it can be asked
    /// again.
    [[nodiscard]] bool isIdle() const {
        return m_isOpened && !m_isOver && !m_hasCandidate && m_next.isEmpty() &&
               (m_method.isEmpty() || isExpecting());
    }
    /// profile() would begin with waiting for compilers.
    [[nodiscard]] bool isCompiling() const { return m_isCompiling; }
    /// What `open` answered; null until then.
    [[nodiscard]] const Json &openReply() const { return m_openReply; }

signals:
    /// `lastSeconds`: what the judge itself knows of the last time; negative: nothing.
    void progress(const QString &stage, const QString &step, int index, int count, double lastSeconds);
    /// Of the certify tier: a process of `profile` is over, and what it measured.
    void measured(const warpwright::Json &process);
    void readyToOpen();
    void opened(const warpwright::Json &reply);
    void answered(const QString &method, const warpwright::Json &reply);
    void refused(const warpwright::JudgeError &error);
    void stopped();

private:
    void startJudge(const RefereePrograms &programs);
    void ask(const QString &method, const Json &params);
    [[nodiscard]] bool isExpecting() const { return m_method == QLatin1String("expect"); }
    void readReply(const Json &reply);
    void refuse(const JudgeError &error);
    void passOn(const Json &params);

    Setup m_setup;
    RefereeBuild *m_build = nullptr;
    Judge *m_judge = nullptr;
    QString m_method; // of the call in progress
    QString m_next;   // asked for while the judge expects
    Json m_nextParams;
    bool m_canExpect = false;
    Json m_openReply;
    bool m_isOpened = false;
    bool m_isCompiling = false;
    bool m_hasCandidate = false; ///< that passed verify and waits to be profiled
    bool m_isOver = false;
    bool m_isStopping = false;
};

} // namespace warpwright
