// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/check_runner.h"

namespace warpwright {

CheckRunner::CheckRunner(QObject *parent)
    : QObject(parent), m_there(new QObject), m_keeper(new JudgeKeeper(m_there)) {
    m_thread.setObjectName(QStringLiteral("check"));
    m_there->moveToThread(&m_thread);
    m_thread.start();
}

CheckRunner::~CheckRunner() {
    QMetaObject::invokeMethod(m_there, [there = m_there, keeper = m_keeper, thread = &m_thread] {
        // The keeper's timer belongs to this thread.
        const auto leave = [keeper, thread] {
            delete keeper;
            thread->quit();
        };
        auto *run = there->findChild<EvaluationRun *>(QString(), Qt::FindDirectChildrenOnly);
        if (run == nullptr) {
            leave();
            return;
        }
        QObject::connect(run, &EvaluationRun::finished, there, leave);
        run->cancel();
    });
    m_thread.wait();
    delete m_there;
}

void CheckRunner::start(const EvaluationRequest &request) {
    Q_ASSERT(!m_isRunning);
    m_isRunning = true;
    m_isStopping = false;
    QMetaObject::invokeMethod(m_there, [this, request] {
        auto *run = new EvaluationRun(request, m_there);
        run->setKeeper(m_keeper);
        connect(run, &EvaluationRun::progress, this, &CheckRunner::progress);
        connect(run, &EvaluationRun::stageEnded, this, &CheckRunner::stageEnded);
        connect(run, &EvaluationRun::compiled, this, &CheckRunner::compiled);
        connect(run, &EvaluationRun::finished, this, &CheckRunner::ended);
        connect(run, &EvaluationRun::finished, run, &QObject::deleteLater);
        run->start();
    });
}

void CheckRunner::stop() {
    if (!m_isRunning)
        return;
    if (!m_isStopping) {
        m_isStopping = true;
        emit stopping();
    }
    QMetaObject::invokeMethod(m_there, [there = m_there] {
        if (auto *run = there->findChild<EvaluationRun *>(QString(), Qt::FindDirectChildrenOnly))
            run->cancel();
    });
}

void CheckRunner::ended(const Evaluation &evaluation, const QString &storedAt) {
    m_isRunning = false;
    m_isStopping = false;
    emit finished(evaluation, storedAt);
}

} // namespace warpwright
