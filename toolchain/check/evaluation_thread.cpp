// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/check/evaluation_thread.h"

#include "toolchain/judge/evaluation_facts.h"

#include <QCoreApplication>
#include <QMutex>

#include <vector>

namespace warpwright {
namespace {

/// Threads whose owner is gone. They still end processes.
struct Retired {
    QMutex mutex;
    std::vector<QThread *> threads;
    bool isAwaitedAtTheEnd = false;
};

Retired &retired() {
    static Retired those;
    return those;
}

} // namespace

/// What lives in the thread: the keeper, whose timer belongs there, and the run of the moment. It knows
/// nothing of its owner, who may be gone when it is told to start.
class EvaluationThread::There : public QObject {
    Q_OBJECT
public:
    void start(EvaluationRequest request, const Preparation &prepare) {
        if (prepare) {
            if (const Result<void> prepared = prepare(request); !prepared.hasValue()) {
                Evaluation none = emptyEvaluation(request.programVersion);
                none.verdict = Verdict::Environment;
                none.message = messageFrom(prepared.message());
                emit finished(none, {});
                return;
            }
        }
        m_run = new EvaluationRun(std::move(request), this);
        m_run->setKeeper(m_keeper);
        connect(m_run, &EvaluationRun::progress, this, &There::progress);
        connect(m_run, &EvaluationRun::stageEnded, this, &There::stageEnded);
        connect(m_run, &EvaluationRun::compiled, this, &There::compiled);
        connect(m_run, &EvaluationRun::collected, this, &There::collected);
        connect(m_run, &EvaluationRun::traced, this, &There::traced);
        connect(m_run, &EvaluationRun::finished, this,
                [this](const Evaluation &evaluation, const QString &storedAt) {
                    // From here on a cancel would be answered by nobody.
                    std::exchange(m_run, nullptr)->deleteLater();
                    emit finished(evaluation, storedAt);
                    if (m_isLeaving)
                        quit();
                });
        m_run->start();
    }
    void cancel() {
        if (m_run != nullptr)
            m_run->cancel();
    }
    void leave() {
        m_isLeaving = true;
        if (m_run == nullptr)
            quit();
        else
            m_run->cancel();
    }

signals:
    void progress(const warpwright::StageProgress &progress);
    void stageEnded(const QString &stage, warpwright::StageStatus status, double seconds);
    void compiled(const QString &log, const warpwright::Evaluation &soFar);
    void collected(const warpwright::SharedCounters &counters, const QString &storedAt);
    void traced(const warpwright::Timeline &timeline, const QString &storedAt);
    void finished(const warpwright::Evaluation &evaluation, const QString &storedAt);

private:
    // The judge that was kept is told to end, and is waited for.
    void quit() {
        connect(m_keeper, &JudgeKeeper::emptied, this, [this] { thread()->quit(); });
        m_keeper->clear();
        if (m_keeper->isEmpty())
            thread()->quit();
    }

    JudgeKeeper *m_keeper = new JudgeKeeper(this);
    EvaluationRun *m_run = nullptr;
    bool m_isLeaving = false;
};

EvaluationThread::EvaluationThread(const QString &name, QObject *parent)
    : QObject(parent), m_thread(new QThread), m_there(new There) {
    m_thread->setObjectName(name);
    m_there->moveToThread(m_thread);
    connect(m_thread, &QThread::finished, m_there, &QObject::deleteLater);
    connect(m_there, &There::progress, this, &EvaluationThread::progress);
    connect(m_there, &There::stageEnded, this, &EvaluationThread::stageEnded);
    connect(m_there, &There::compiled, this, &EvaluationThread::compiled);
    connect(m_there, &There::collected, this, &EvaluationThread::collected);
    connect(m_there, &There::traced, this, &EvaluationThread::traced);
    connect(m_there, &There::finished, this, &EvaluationThread::ended);
    m_thread->start();
}

EvaluationThread::~EvaluationThread() {
    Retired &those = retired();
    {
        const QMutexLocker lock(&those.mutex);
        std::vector<QThread *> alive;
        for (QThread *thread : those.threads) {
            if (thread->isFinished())
                delete thread;
            else
                alive.push_back(thread);
        }
        alive.push_back(m_thread);
        those.threads = std::move(alive);
        if (!std::exchange(those.isAwaitedAtTheEnd, true))
            qAddPostRoutine(&EvaluationThread::waitForRetired);
    }
    QMetaObject::invokeMethod(m_there, [there = m_there] { there->leave(); });
}

void EvaluationThread::waitForRetired() {
    Retired &those = retired();
    std::vector<QThread *> threads;
    {
        const QMutexLocker lock(&those.mutex);
        threads = std::exchange(those.threads, {});
    }
    for (QThread *thread : threads) {
        thread->wait();
        delete thread;
    }
}

void EvaluationThread::start(const EvaluationRequest &request, const Preparation &prepare) {
    Q_ASSERT(!m_isRunning);
    m_isRunning = true;
    m_isStopping = false;
    QMetaObject::invokeMethod(m_there,
                              [there = m_there, request, prepare] { there->start(request, prepare); });
}

void EvaluationThread::stop() {
    if (!m_isRunning)
        return;
    if (!m_isStopping) {
        m_isStopping = true;
        emit stopping();
    }
    QMetaObject::invokeMethod(m_there, [there = m_there] { there->cancel(); });
}

void EvaluationThread::ended(const Evaluation &evaluation, const QString &storedAt) {
    m_isRunning = false;
    m_isStopping = false;
    emit finished(evaluation, storedAt);
}

} // namespace warpwright

#include "evaluation_thread.moc"
