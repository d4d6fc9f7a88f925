// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tasks/task_run.h"

#include "toolchain/base/text_file.h"
#include "toolchain/evaluation/measured_figures.h"
#include "toolchain/workspace/workspace_template.h"

#include <QDir>

#include <algorithm>

namespace warpwright {

TaskRun::TaskRun(TaskRunRequest request, QObject *parent) : QObject(parent), m_request(std::move(request)) {
    m_result.name = m_request.task.name;
    m_result.kind = m_request.task.kind;
    m_result.split = splitOf(m_request.task.name);
    m_result.settings = m_request.settings;
    m_limit.setSingleShot(true);
    m_search.setSingleShot(true);
}

TaskRun::~TaskRun() = default;

Result<Workspace> TaskRun::makeWorkspace() const {
    using Answer = Result<Workspace>;
    QDir(m_request.folder).removeRecursively();
    Result<QByteArray> text = readTextFile(m_request.task.file);
    if (text.hasValue() && m_request.settings.isSmall) {
        const Result<QByteArray> small = atSmallSize(text.value());
        if (!small.hasValue())
            return Answer::error(
                QStringLiteral("Cannot make \"%1\" small: %2.").arg(m_request.task.file, small.message()));
        text = small;
    }
    if (!text.hasValue())
        return Answer::error(text.message());
    const QString model = m_request.folder + QStringLiteral("/model.py");
    if (const Result<void> written = writeFileAtomically(model, text.value()); !written.hasValue())
        return Answer::error(written.message());
    const Result<QStringList> made =
        createWorkspace(m_request.folder, model, m_request.evaluation.folders.resources);
    if (!made.hasValue())
        return Answer::error(made.message());
    return Workspace::open(m_request.folder, m_request.evaluation.folders);
}

void TaskRun::start() {
    m_clock.start();
    const Result<Workspace> workspace = makeWorkspace();
    if (!workspace.hasValue())
        return end(TaskVerdict::NotRun, workspace.message());
    Result<TrajectoryWriter> writer = TrajectoryWriter::beginRun(workspace.value().state);
    if (!writer.hasValue())
        return end(TaskVerdict::NotRun, writer.message());
    m_writer = std::make_unique<TrajectoryWriter>(std::move(writer).value());
    m_recorder = std::make_unique<RecorderOf<TrajectoryWriter>>(*m_writer);
    SessionSetup setup;
    setup.workspace = workspace.value();
    setup.run = m_writer->run();
    setup.device = m_request.evaluation.device;
    setup.program = m_request.evaluation.programVersion;
    setup.mode = SessionMode::Auto;
    setup.leave = m_request.leave;
    Result<std::shared_ptr<Agent>> agent = m_request.makeAgent();
    if (!agent.hasValue())
        return end(TaskVerdict::NotRun, agent.message());
    m_agent = std::move(agent).value();
    m_measurer = std::make_unique<EvaluationMeasurer>(workspace.value(), m_request.evaluation);
    m_session = std::make_unique<Session>(setup, *m_agent, *m_measurer, *m_recorder);
    listen();
    m_search.start(static_cast<int>(m_request.minutes * 60'000));
    m_limit.start(static_cast<int>((m_request.minutes + m_request.minutesForFirst) * 60'000));
    m_session->start();
}

// A budget of the session's would end it in the middle of its first measurement as well.
void TaskRun::endSearch() {
    if (m_hasText && !m_search.isActive() && !m_isOver)
        m_session->stop(QStringLiteral("Its %1 minutes were over.").arg(m_request.minutes));
}

void TaskRun::listen() {
    connect(&m_search, &QTimer::timeout, this, &TaskRun::endSearch);
    connect(&m_limit, &QTimer::timeout, this, [this] {
        end(m_result.moves.empty() ? TaskVerdict::NotRun : TaskVerdict::Failed,
            QStringLiteral("it did not end after its %1 minutes").arg(m_request.minutes));
    });
    connect(m_agent.get(), &Agent::proposed, this,
            [this](const Proposal &proposal) { m_moves[proposal.id] = proposal.move; });
    connect(m_measurer.get(), &Measurer::measured, this,
            [this](int, const Evaluation &evaluation, const QString &) {
                const MeasuredFigures figures = measuredFigures(evaluation);
                if (!figures.device.name.isEmpty())
                    m_result.settings.deviceName = figures.device.name;
                // Before the first proposal it is the template that is measured.
                if (m_moves.empty() || evaluation.verdict == Verdict::Cancelled)
                    return;
                m_wasUndecided = m_wasUndecided || evaluation.verdict == Verdict::Inconclusive;
                m_last = evaluation;
            });
    connect(m_session.get(), &Session::progress, this, &TaskRun::progress);
    connect(m_session.get(), &Session::scored, this, [this](const ScoredProposal &scored) {
        const auto move = m_moves.find(scored.proposal);
        m_result.moves.push_back({move == m_moves.end() ? QString() : move->second, scored.title,
                                  scored.outcome,
                                  scored.ratio ? std::optional(scored.ratio->value) : std::nullopt});
        m_hasText = m_hasText || scored.outcome == QLatin1String("accepted");
        // Not in the middle of what the session says.
        QMetaObject::invokeMethod(this, &TaskRun::endSearch, Qt::QueuedConnection);
    });
    connect(m_session.get(), &Session::promptsChanged, this, [this] {
        if (m_isOver || m_session->prompts().empty())
            return;
        const AgentPrompt &prompt = m_session->prompts().front();
        const QString why = nobodyAnswersWords(prompt);
        if (prompt.about != AgentPrompt::About::Permission) // it asks that before it begins
            m_whyNoFurther = why;
        m_session->stop(why);
    });
    connect(m_session.get(), &Session::ended, this, &TaskRun::takeEnd);
}

void TaskRun::stop() {
    m_isStopped = true;
    if (m_session && !m_isOver)
        m_session->stop();
    else if (!std::exchange(m_isOver, true))
        emit stopped();
}

void TaskRun::takeEnd(SessionEnd ended, const QString &why) {
    if (m_isOver)
        return;
    if (m_isStopped) {
        m_isOver = true;
        m_limit.stop();
        emit stopped();
        return;
    }
    if (ended == SessionEnd::Failed && m_agent->failsForAll())
        m_whyNoFurther = why;
    const std::optional<Evaluation> &standing = m_session->evaluation();
    if (standing && standing->verdict == Verdict::Pass && !m_moves.empty()) {
        takeNumbers(m_result, *standing);
        return end(TaskVerdict::Pass, why);
    }
    if (m_moves.empty()) {
        const QString mark = QStringLiteral("cannot, because ");
        const qsizetype place = why.indexOf(mark);
        if (ended == SessionEnd::Done)
            return end(TaskVerdict::Cannot, place < 0 ? why : why.mid(place + mark.size()));
        return end(TaskVerdict::NotRun, why);
    }
    if (!m_whyNoFurther.isEmpty()) // it says nothing of the task, which is tried again
        return end(TaskVerdict::NotRun, why);
    if (m_wasUndecided)
        return end(TaskVerdict::Inconclusive, why);
    if (!m_last)
        return end(TaskVerdict::Failed, QStringLiteral("no text was measured: %1").arg(why));
    const QString words = plainText(m_last->message);
    if (m_last->verdict == Verdict::Environment) // it says nothing of the text
        return end(TaskVerdict::NotRun,
                   QStringLiteral("the last of its texts could not be measured: ") + words);
    end(TaskVerdict::Failed,
        QStringLiteral("%1%2").arg(verdictName(m_last->verdict),
                                   words.isEmpty() ? QString() : QStringLiteral(": ") + words));
}

void TaskRun::end(TaskVerdict verdict, const QString &why) {
    if (std::exchange(m_isOver, true))
        return;
    if (m_session)
        if (const RunMeter &meter = m_session->meter();
            meter.tokensIn > 0 || meter.tokensOut > 0 || meter.cost > 0)
            m_result.used = meter;
    m_limit.stop();
    m_search.stop();
    m_result.verdict = verdict;
    if (verdict == TaskVerdict::NotRun) // on whatever it was not
        m_result.settings.deviceName.clear();
    m_result.why = why.simplified();
    m_result.seconds = static_cast<double>(m_clock.elapsed()) / 1000;
    emit finished(m_result);
}

} // namespace warpwright
