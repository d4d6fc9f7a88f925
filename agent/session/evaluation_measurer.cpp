// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/session/evaluation_measurer.h"

#include "agent/session/shadow_folder.h"
#include "toolchain/judge/evaluation_facts.h"

#include <QTimer>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int mostTries = 3;
constexpr int againMs = 3000;

} // namespace

EvaluationMeasurer::EvaluationMeasurer(Workspace workspace, EvaluationRequest request, QObject *parent,
                                       QString whose)
    : Measurer(parent),
      m_workspace(std::move(workspace)),
      m_request(std::move(request)),
      m_whose(std::move(whose)) {
    m_request.sweepsConfigs = true; // an agent takes the hint; who names no choices is asked for nothing
    connect(&m_runner, &EvaluationThread::progress, this,
            [this](const StageProgress &now) { emit progress(m_running, now); });
    connect(&m_runner, &EvaluationThread::stageEnded, this,
            [this](const QString &stage, StageStatus status, double seconds) {
                emit stageEnded(m_running, stage, status, seconds);
            });
    connect(&m_runner, &EvaluationThread::compiled, this,
            [this](const QString &log, const Evaluation &soFar) {
                m_log = log;
                emit compiled(inWorkspace(log, soFar), soFar);
            });
    connect(&m_runner, &EvaluationThread::collected, this,
            [this](const SharedCounters &counters) { emit collected(m_running, counters); });
    connect(&m_runner, &EvaluationThread::traced, this,
            [this](const Timeline &timeline) { emit traced(m_running, timeline); });
    connect(&m_runner, &EvaluationThread::finished, this, &EvaluationMeasurer::end);
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
        m_runner.stop();
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

// It is the workspace's text; that a copy of it was measured is nobody's concern.
QString EvaluationMeasurer::inWorkspace(QString text, const Evaluation &of) const {
    const QString shadow = stringIn(of.workspace, "folder");
    return shadow.isEmpty() ? text : text.replace(shadow, m_workspace.folder);
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
    m_current = m_queue.front();
    m_queue.pop_front();
    m_running = m_current.number;
    m_log.clear();
    m_runner.start(m_request, [workspace = m_workspace, whose = m_whose,
                               asked = m_current.measurement](EvaluationRequest &request) {
        const Result<QString> folder =
            layOutShadow(workspace, asked.texts, request.folders, ShadowOf::Text, whose);
        if (!folder.hasValue())
            return Result<void>::error(folder.message());
        request.path = folder.value();
        request.longerSeconds = asked.longerSeconds;
        request.lastStage = std::min(request.lastStage, asked.lastStage);
        request.tier = std::max(request.tier, asked.tier);
        if (asked.isForTools()) {
            request.collect = asked.collect;
            request.traces = asked.traces;
            request.tier = Tier::Quick;
            request.sweepsConfigs = false;
            request.isStored = false;
            request.stateFolder = workspace.state;
        }
        if (asked.before.empty())
            return Result<void>::ok();
        const Result<QString> before =
            layOutShadow(workspace, asked.before, request.folders, ShadowOf::TextBefore, whose);
        if (!before.hasValue())
            return Result<void>::error(before.message());
        request.before = before.value();
        return Result<void>::ok();
    });
}

void EvaluationMeasurer::end(const Evaluation &evaluation) {
    const int number = std::exchange(m_running, 0);
    // A device that others used, or a process that was lost after it had been compiled: the text is not to
    // blame, and the machine can do it, so it is tried again.
    // What a profiler refuses it refuses again.
    if (evaluation.verdict == Verdict::Environment && evaluation.compile.status == StageStatus::Passed &&
        !m_current.measurement.isForTools() && ++m_current.tries < mostTries) {
        m_queue.push_front(m_current);
        QTimer::singleShot(againMs, this, &EvaluationMeasurer::startNext);
        return;
    }
    Evaluation own = evaluation;
    EvaluationMessage &message = own.message;
    for (QString *text :
         {&message.what, &message.thing, &message.why, &message.advice, &message.detail, &m_log})
        *text = inWorkspace(*text, own);
    for (QString &doubt : own.doubts)
        doubt = inWorkspace(doubt, own);
    own.workspace["folder"] = toJson(m_workspace.folder);
    own.workspace["model"] = toJson(m_workspace.modelFile);
    if (own.workspace.contains("modelNew") && own.workspace["modelNew"].is_string())
        own.workspace["modelNew"] = toJson(m_workspace.folder + QStringLiteral("/model_new.py"));
    QTimer::singleShot(0, this, &EvaluationMeasurer::startNext);
    emit measured(number, own, m_log);
}

} // namespace warpwright
