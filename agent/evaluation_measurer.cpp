// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/evaluation_measurer.h"

#include "agent/shadow_folder.h"
#include "toolchain/evaluation_facts.h"
#include "toolchain/text_file.h"

#include <QTimer>

#include <algorithm>

namespace warpwright {

EvaluationMeasurer::EvaluationMeasurer(Workspace workspace, EvaluationRequest request, QObject *parent)
    : Measurer(parent), m_workspace(std::move(workspace)), m_request(std::move(request)) {}

int EvaluationMeasurer::measure(const Measurement &measurement) {
    const int number = ++m_lastNumber;
    const auto place = measurement.isForPerson
                           ? std::find_if(m_queue.begin(), m_queue.end(),
                                          [](const Waiting &some) { return !some.measurement.isForPerson; })
                           : m_queue.end();
    m_queue.insert(place, {number, measurement});
    QTimer::singleShot(0, this, &EvaluationMeasurer::startNext);
    return number;
}

void EvaluationMeasurer::cancel(int number) {
    if (number == m_running && m_run != nullptr) {
        m_run->cancel();
        return;
    }
    const auto found = std::find_if(m_queue.begin(), m_queue.end(),
                                    [number](const Waiting &some) { return some.number == number; });
    if (found == m_queue.end())
        return;
    m_queue.erase(found);
    endLater(number, Verdict::Cancelled, QStringLiteral("Cancelled before it began."));
}

void EvaluationMeasurer::endLater(int number, Verdict verdict, const QString &why) {
    Evaluation evaluation = emptyEvaluation(m_request.programVersion);
    evaluation.verdict = verdict;
    evaluation.message = messageFrom(why);
    QTimer::singleShot(0, this, [this, number, evaluation] { emit measured(number, evaluation, {}); });
}

void EvaluationMeasurer::startNext() {
    if (m_run != nullptr || m_queue.empty())
        return;
    const Waiting next = m_queue.front();
    m_queue.pop_front();
    const Result<QString> folder = layOutShadow(m_workspace, next.measurement.texts, m_request.folders);
    if (!folder.hasValue()) {
        endLater(next.number, Verdict::Environment, folder.message());
        QTimer::singleShot(0, this, &EvaluationMeasurer::startNext);
        return;
    }
    EvaluationRequest request = m_request;
    request.path = folder.value();
    m_running = next.number;
    m_run = new EvaluationRun(request, this);
    m_run->setKeeper(&m_keeper);
    connect(m_run, &EvaluationRun::progress, this,
            [this, number = next.number](const StageProgress &now) { emit progress(number, now); });
    connect(m_run, &EvaluationRun::stageEnded, this,
            [this, number = next.number](const QString &stage, StageStatus status, double seconds) {
                emit stageEnded(number, stage, status, seconds);
            });
    connect(m_run, &EvaluationRun::finished, this,
            [this, number = next.number](const Evaluation &evaluation, const QString &storedAt) {
                QString path = storedAt;
                path.replace(path.lastIndexOf(QLatin1Char('.')), path.size(), QStringLiteral(".log"));
                const Result<QByteArray> log =
                    storedAt.isEmpty() ? Result<QByteArray>::ok({}) : readTextFile(path);
                end(number, evaluation, log.hasValue() ? QString::fromUtf8(log.value()) : QString());
            });
    m_run->start();
}

void EvaluationMeasurer::end(int number, const Evaluation &evaluation, const QString &log) {
    m_run->deleteLater();
    m_run = nullptr;
    m_running = 0;
    Evaluation own = evaluation;
    // It is the workspace's text; that a copy of it was measured is nobody's concern.
    own.workspace["folder"] = toJson(m_workspace.folder);
    own.workspace["model"] = toJson(m_workspace.modelFile);
    if (own.workspace.contains("modelNew") && own.workspace["modelNew"].is_string())
        own.workspace["modelNew"] = toJson(m_workspace.folder + QStringLiteral("/model_new.py"));
    emit measured(number, own, log);
    QTimer::singleShot(0, this, &EvaluationMeasurer::startNext);
}

} // namespace warpwright
