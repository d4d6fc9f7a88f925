// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/judge/amputation_build.h"
#include "toolchain/judge/referee_plan.h"
#include "toolchain/judge/referee_progress.h"
#include "toolchain/process/child_process.h"
#include "toolchain/process/lifetime_lock.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace warpwright {

/// Where the built programs are.
struct RefereePrograms {
    QString folder;
    QString judge; ///< wright-referee
    QString shim;  ///< libwarpwright_shim.so
    bool wasBuiltNow = false;
    Json amputated = Json(); ///< what AmputationBuild said: copies of torch's library for candidates

    bool operator==(const RefereePrograms &) const = default;
};

/// The folder that a plan's programs are built into, and whether they are there.
[[nodiscard]] QString refereeFolder(const QString &data, const RefereePlan &plan);
[[nodiscard]] bool isRefereeBuilt(const QString &data, const RefereePlan &plan);
/// How far it is, whoever builds into that folder (refereeFolder()).
[[nodiscard]] RefereeProgress refereeProgress(const QString &folder);

/// Builds the judge once for each torch it is built against: <data>/referee/<key>/.
///
/// Several of these may run at once, also in different processes: one builds, the others wait for it. A
/// folder is renamed into place when it is whole, so a half-built one is never used. What a build that was
/// cancelled or killed has compiled is there for the next one. A build that fails says the compiler's words
/// and keeps the whole log beside the folder. Always ends in exactly one of finished()
/// or failed().
class RefereeBuild : public QObject {
    Q_OBJECT
public:
    RefereeBuild(RefereePlan plan, QString data, int maxJobs, QObject *parent = nullptr);
    ~RefereeBuild() override;

    void start();
    /// Ends in failed() with the word "cancelled".
    void cancel();

signals:
    /// The step is judgeBuildStep() of how long it still takes; also while another process builds.
    void progress(const QString &step, int index, int count);
    void finished(const warpwright::RefereePrograms &programs);
    void failed(const QString &message);

private:
    void takeLock();
    void tellOther();
    void build();
    void startNext();
    void link();
    void run(const QString &what, const QStringList &arguments, const std::function<void()> &next);
    void install();
    void removeStoppedBuilds() const;
    void amputate(bool wasBuiltNow);
    void end(bool wasBuiltNow, const Json &amputated);
    void fail(const QString &message);
    void settle();
    [[nodiscard]] bool isStopping() const { return m_isDone || !m_failure.isEmpty(); }

    RefereePlan m_plan;
    QString m_data;
    QString m_folder;
    QString m_scratch;
    QString m_failure;
    int m_maxJobs;
    std::unique_ptr<LifetimeLock> m_lock;
    std::unique_ptr<AmputationBuild> m_amputation;
    QTimer m_lockPoll;
    std::vector<ChildProcess *> m_processes;
    QByteArray m_log;
    std::size_t m_nextObject = 0;
    std::size_t m_nextProgram = 0;
    int m_running = 0;
    int m_done = 0;
    std::optional<RefereeProgress> m_told; ///< of another process's build, which this one waits for
    bool m_isCancelled = false;
    bool m_isDone = false;
};

} // namespace warpwright
