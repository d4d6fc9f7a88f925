// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/judge/judge_session.h"
#include "toolchain/judge/judge_setup.h"

#include <QObject>
#include <QTimer>

namespace warpwright {

/// What an opened judge is good for: the same task on the same device with the same interpreter, torch and
/// rules. A changed reference, or a Python file beside it, gives another key.
[[nodiscard]] QString judgeKeyOf(const JudgeNeeds &needs, const JudgeSession::Setup &setup);

/// Keeps one opened judge between two checks of the same task: its reference, oracle and live baseline stay
/// warm.
///
/// It holds memory of the device, so that it is ended after `idleLimitMs` without a check. Whoever takes it
/// owns it. Lives in the thread of the runs that use it.
class JudgeKeeper : public QObject {
    Q_OBJECT
public:
    static constexpr int idleLimitMs = 5 * 60 * 1000;

    explicit JudgeKeeper(QObject *parent = nullptr);
    ~JudgeKeeper() override;

    /// The judge that was kept under `key`, and the folder that it writes to. Another one than that is ended:
    /// two judges would share a device. Null: there is none.
    struct Kept {
        JudgeSession *session = nullptr;
        QString scratch;
    };
    [[nodiscard]] Kept take(const QString &key);

    /// Takes over a judge that has been opened and is asked nothing; ends the one before.
    void keep(const QString &key, JudgeSession *session, const QString &scratch);
    void clear();
    /// Neither keeps a judge nor waits for one to end.
    [[nodiscard]] bool isEmpty() const { return m_kept.session == nullptr && m_ending == 0; }

signals:
    void emptied();

private:
    QString m_key;
    Kept m_kept;
    int m_ending = 0;
    QTimer m_idle{this};
};

} // namespace warpwright
