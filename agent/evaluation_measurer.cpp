// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/evaluation_measurer.h"

#include "agent/shadow_folder.h"
#include "toolchain/evaluation_facts.h"
#include "toolchain/text_file.h"

#include <QTimer>

#include <algorithm>

namespace warpwright {
namespace {

/// What the compilers said lies beside the document.
QString logBeside(const QString &storedAt) {
    if (storedAt.isEmpty())
        return {};
    const Result<QByteArray> log =
        readTextFile(storedAt.left(storedAt.lastIndexOf(QLatin1Char('.'))) + QStringLiteral(".log"));
    return log.hasValue() ? QString::fromUtf8(log.value()) : QString();
}

} // namespace

EvaluationMeasurer::EvaluationMeasurer(Workspace workspace, EvaluationRequest request, QObject *parent)
    : Measurer(parent),
      m_workspace(std::move(workspace)),
      m_request(std::move(request)),
      m_there(new QObject),
      m_keeper(new JudgeKeeper(m_there)) {
    m_thread.setObjectName(QStringLiteral("measure"));
    m_there->moveToThread(&m_thread);
    m_thread.start();
}

EvaluationMeasurer::~EvaluationMeasurer() {
    QMetaObject::invokeMethod(m_there, [there = m_there, keeper = m_keeper, thread = &m_thread] {
        // The keeper's timer belongs to this thread.
        const auto leave = [keeper, thread] {
            delete keeper;
            thread->quit();
        };
        auto *run = there->findChild<EvaluationRun *>(QString(), Qt::FindDirectChildrenOnly);
        if (run == nullptr)
            return leave();
        QObject::connect(run, &EvaluationRun::finished, there, leave);
        run->cancel();
    });
    m_thread.wait();
    delete m_there;
}

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
    if (number == m_running && number != 0) {
        QMetaObject::invokeMethod(m_there, [there = m_there] {
            if (auto *run = there->findChild<EvaluationRun *>(QString(), Qt::FindDirectChildrenOnly))
                run->cancel();
        });
        return;
    }
    const auto found = std::find_if(m_queue.begin(), m_queue.end(),
                                    [number](const Waiting &some) { return some.number == number; });
    if (found == m_queue.end())
        return;
    m_queue.erase(found);
    const Evaluation none = without(Verdict::Cancelled, QStringLiteral("Cancelled before it began."));
    QTimer::singleShot(0, this, [this, number, none] { emit measured(number, none, {}); });
}

Evaluation EvaluationMeasurer::without(Verdict verdict, const QString &why) const {
    Evaluation evaluation = emptyEvaluation(m_request.programVersion);
    evaluation.verdict = verdict;
    evaluation.message = messageFrom(why);
    return evaluation;
}

void EvaluationMeasurer::startNext() {
    if (m_running != 0 || m_queue.empty())
        return;
    const Waiting next = m_queue.front();
    m_queue.pop_front();
    m_running = next.number;
    QMetaObject::invokeMethod(m_there, [this, next] { runThere(next.number, next.measurement.texts); });
}

// In the thread. What it tells goes through the event loop of the measurer's own.
void EvaluationMeasurer::runThere(int number, const CandidateTexts &texts) {
    const Result<QString> folder = layOutShadow(m_workspace, texts, m_request.folders);
    if (!folder.hasValue()) {
        const Evaluation none = without(Verdict::Environment, folder.message());
        QMetaObject::invokeMethod(this, [this, number, none] { end(number, none, {}); });
        return;
    }
    EvaluationRequest request = m_request;
    request.path = folder.value();
    auto *run = new EvaluationRun(request, m_there);
    run->setKeeper(m_keeper);
    connect(run, &EvaluationRun::progress, this,
            [this, number](const StageProgress &now) { emit progress(number, now); });
    connect(run, &EvaluationRun::stageEnded, this,
            [this, number](const QString &stage, StageStatus status, double seconds) {
                emit stageEnded(number, stage, status, seconds);
            });
    connect(run, &EvaluationRun::finished, run,
            [this, run, number](const Evaluation &evaluation, const QString &storedAt) {
                const QString log = logBeside(storedAt);
                run->setParent(nullptr); // the next cancel is not meant for it
                run->deleteLater();
                QMetaObject::invokeMethod(this,
                                          [this, number, evaluation, log] { end(number, evaluation, log); });
            });
    run->start();
}

void EvaluationMeasurer::end(int number, const Evaluation &evaluation, const QString &log) {
    m_running = 0;
    Evaluation own = evaluation;
    // It is the workspace's text; that a copy of it was measured is nobody's concern.
    own.workspace["folder"] = toJson(m_workspace.folder);
    own.workspace["model"] = toJson(m_workspace.modelFile);
    if (own.workspace.contains("modelNew") && own.workspace["modelNew"].is_string())
        own.workspace["modelNew"] = toJson(m_workspace.folder + QStringLiteral("/model_new.py"));
    QTimer::singleShot(0, this, &EvaluationMeasurer::startNext);
    emit measured(number, own, log);
}

} // namespace warpwright
