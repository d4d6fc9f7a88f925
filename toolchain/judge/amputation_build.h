// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"
#include "toolchain/judge/referee_plan.h"
#include "toolchain/process/child_process.h"
#include "toolchain/process/lifetime_lock.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace warpwright {

/// Makes the copies of torch's library that cannot compute, once for each torch and processor:
/// <data>/amputated/<key>/, half a gigabyte, shared by all builds of the judge.
///
/// Its end is always finished(): {"status": "made", "folder", "libraries" …}, or "not-run" with a reason.
/// What another try may mend, as a full disk, is tried again the next time.
class AmputationBuild : public QObject {
    Q_OBJECT
public:
    /// `programs`: the folder of the built judge.
    AmputationBuild(const RefereePlan &plan, const QString &data, QString programs,
                    QObject *parent = nullptr);
    ~AmputationBuild() override;

    void start();
    void cancel(); ///< then it never finishes

    /// What is there already; null: nothing.
    [[nodiscard]] static Json found(const RefereePlan &plan, const QString &data);

signals:
    void progress(const QString &step);
    void finished(const warpwright::Json &amputated);

private:
    void takeLock();
    void make();
    void end(const Json &amputated);
    void endNotRun(const QString &reason);

    RefereePlan m_plan;
    QString m_data, m_programs, m_folder, m_scratch;
    std::unique_ptr<LifetimeLock> m_lock;
    QTimer m_lockPoll;
    ChildProcess *m_process = nullptr;
    bool m_isWaiting = false;
    bool m_isDone = false;
};

} // namespace warpwright
