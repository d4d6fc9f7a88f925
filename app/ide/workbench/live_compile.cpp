// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/workbench/live_compile.h"

namespace warpwright {

/// Saving several files is one change of the text.
constexpr int afterSaveMs = 60;

LiveCompile::LiveCompile(std::function<EvaluationRequest()> request, QObject *parent)
    : QObject(parent), m_request(std::move(request)) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(afterSaveMs);
    connect(&m_soon, &QTimer::timeout, this, &LiveCompile::begin);
    connect(&m_runner, &EvaluationThread::compiled, this, [this](const QString &log) { m_log = log; });
    connect(&m_runner, &EvaluationThread::finished, this, [this](const Evaluation &evaluation) {
        if (std::exchange(m_isOutdated, false)) {
            if (std::exchange(m_isWanted, false))
                begin();
            return;
        }
        const StageStatus status = evaluation.compile.status;
        if (status == StageStatus::Passed || status == StageStatus::Failed)
            take(evaluation, m_log);
    });
}

void LiveCompile::take(const Evaluation &soFar, const QString &log) {
    m_latest =
        CompiledText{++m_count, stringIn(soFar.workspace, "textHash"), soFar.compile, soFar.environment, log};
    emit changed();
}

void LiveCompile::textSaved() {
    m_soon.start();
}

void LiveCompile::begin() {
    if (m_runner.isRunning()) {
        m_isOutdated = true;
        m_isWanted = true;
        m_runner.stop();
        return;
    }
    EvaluationRequest request = m_request();
    if (request.path.isEmpty())
        return;
    request.lastStage = LastStage::Compile;
    request.isStored = false;
    request.listsKernels = true;
    m_log.clear();
    m_runner.start(request);
}

void LiveCompile::forget() {
    m_soon.stop();
    m_isWanted = false;
    if (m_runner.isRunning()) {
        m_isOutdated = true;
        m_runner.stop();
    }
    if (std::exchange(m_latest, {}))
        emit changed();
}

} // namespace warpwright
