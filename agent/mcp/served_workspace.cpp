// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/mcp/served_workspace.h"

#include "agent/model/model_words.h"
#include "agent/tools/evaluation_answer.h"
#include "agent/tools/work_folder.h"
#include "toolchain/base/text_file.h"
#include "toolchain/evaluation/evaluation_summary.h"
#include "toolchain/process/in_pool.h"

#include <QFileInfo>
#include <QTimer>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int mostSlots = 64;

ToolAnswer failed(const QString &why) {
    return {ToolAnswer::Outcome::Failed, why, Json()};
}

ToolAnswer openedAnswer(const AgentRequest &request) {
    QStringList lines{
        QStringLiteral("Your copy of \"%1\" holds its text as it is now.").arg(request.workspace)};
    Json files = Json::array();
    for (const auto &[path, text] : request.texts) {
        lines << QStringLiteral("- %1, %2 bytes%3")
                     .arg(path)
                     .arg(text.size())
                     .arg(isCandidatePath(path) ? QString() : QStringLiteral(", to read only"));
        files.push_back(
            {{"path", toJson(path)}, {"bytes", text.size()}, {"isCandidate", isCandidatePath(path)}});
    }
    if (!request.history.empty())
        lines << QStringLiteral("The iterations so far:") << ledgerWords(request);
    return {
        ToolAnswer::Outcome::Ok, lines.join(QLatin1Char('\n')),
        Json{{"workspace", toJson(request.workspace)}, {"iteration", request.iteration}, {"files", files}}};
}

} // namespace

// The first slot that no living server has.
ServedWorkspace::ServedWorkspace(Workspace workspace, const EvaluationRequest &request, QObject *parent)
    : QObject(parent), m_workspace(std::move(workspace)) {
    QString whose, folder;
    for (m_slot = 0; m_slot < mostSlots; ++m_slot) {
        whose = QStringLiteral("mcp-%1").arg(m_slot);
        folder = WorkFolder::placeFor(m_workspace, request.folders, whose);
        const QString lock = QFileInfo(folder).path() + QStringLiteral("/lock");
        m_slotLock = std::make_unique<LifetimeLock>(lock);
        if (makeFolder(QFileInfo(lock).path()).hasValue() && m_slotLock->tryTake())
            break;
    }
    m_measurer = std::make_unique<EvaluationMeasurer>(m_workspace, request, nullptr, whose);
    m_toolbox = std::make_unique<Toolbox>(ToolPlace{m_workspace, folder, request}, *m_measurer);
    m_request.workspace = m_workspace.folder;
    m_request.device = request.device;
    connect(m_toolbox.get(), &Toolbox::progress, this, &ServedWorkspace::progress);
    connect(m_toolbox.get(), &Toolbox::submitted, this, &ServedWorkspace::submit);
    connect(m_measurer.get(), &Measurer::measured, this, &ServedWorkspace::takeMeasured);
    connect(m_measurer.get(), &Measurer::progress, this, [this](int number, const StageProgress &now) {
        if (m_submission && m_submission->number == number && number != 0)
            emit progress(
                m_submission->id,
                QStringLiteral("submit: %1, %2")
                    .arg(now.wait ? QStringLiteral("wait for the device") : now.stage, stepText(now)),
                now.index, now.count);
    });
    connect(m_toolbox.get(), &Toolbox::ended, this, [this](const QString &id, const ToolAnswer &answer) {
        if (m_running && m_running->id == id)
            end(answer);
    });
}

ServedWorkspace::~ServedWorkspace() = default;

void ServedWorkspace::call(const QString &id, const QString &name, const Json &arguments,
                           const QString &client) {
    m_waiting.push_back({id, name, arguments, client});
    QTimer::singleShot(0, this, &ServedWorkspace::startNext);
}

void ServedWorkspace::startNext() {
    if (m_running || m_waiting.empty())
        return;
    m_running = m_waiting.front();
    m_waiting.pop_front();
    if (!m_slotLock->isLocked())
        return end(failed(
            QStringLiteral("Cannot make a copy of \"%1\": %2 servers have one already, or the cache folder "
                           "cannot be written.")
                .arg(m_workspace.folder)
                .arg(mostSlots)));
    if (!m_isOpen || m_running->name == QLatin1String("open_workspace"))
        return open();
    m_toolbox->call(m_running->id, m_running->name, m_running->arguments);
}

void ServedWorkspace::open() {
    inPool(
        this, [workspace = m_workspace] { return readWorkspaceOf(workspace); },
        [this, id = m_running->id](const Result<ReadWorkspace> &read) {
            if (m_running && m_running->id == id)
                opened(read);
        });
}

void ServedWorkspace::opened(const Result<ReadWorkspace> &read) {
    if (!read.hasValue())
        return end(failed(read.message()));
    m_request.texts = read.value().texts;
    m_request.iteration = read.value().iteration;
    m_request.history = read.value().history;
    m_toolbox->setRequest(m_request);
    if (const Result<void> laid = m_toolbox->setTexts(m_request.texts); !laid.hasValue())
        return end(failed(laid.message()));
    m_isOpen = true;
    if (m_running->name == QLatin1String("open_workspace"))
        return end(openedAnswer(m_request));
    m_toolbox->call(m_running->id, m_running->name, m_running->arguments);
}

// What is written has been found right: whoever reads the history finds its numbers there.
void ServedWorkspace::submit(const QString &id, const ToolSubmission &submission) {
    m_submission = Submission{id, submission, 0};
    inPool(
        this, [workspace = m_workspace, base = m_request.texts] { return maySubmitTo(workspace, base); },
        [this, id](const Result<void> &may) {
            if (!m_submission || m_submission->id != id)
                return;
            if (may.hasValue())
                return measure();
            m_submission.reset();
            m_toolbox->answerSubmission(id, failed(may.message()));
        });
}

void ServedWorkspace::measure() {
    const ToolSubmission &submission = m_submission->what;
    if (m_last && summaryOf(*m_last).textHash == textHashOf(submission.texts))
        return judge(*m_last, {});
    Measurement measurement;
    measurement.texts = submission.texts;
    measurement.before = m_request.texts;
    m_submission->number = m_measurer->measure(measurement);
    emit progress(m_submission->id, QStringLiteral("submit: waits for its turn"), 0, 0);
}

void ServedWorkspace::takeMeasured(int number, const Evaluation &evaluation, const QString &log) {
    if (statusOf(evaluation.profile) == StageStatus::Passed)
        m_last = evaluation;
    if (m_submission && m_submission->number == number && number != 0)
        judge(evaluation, log);
}

void ServedWorkspace::judge(const Evaluation &evaluation, const QString &log) {
    ToolAnswer measured = evaluationAnswer(QStringLiteral("submit"), evaluation, log, m_workspace.folder);
    if (evaluation.verdict == Verdict::Pass || evaluation.verdict == Verdict::Inconclusive)
        return write(evaluation, measured);
    const Submission submission = *std::exchange(m_submission, std::nullopt);
    measured.text = QStringLiteral("Not submitted, and nothing was written: ") + measured.text;
    m_toolbox->answerSubmission(submission.id, measured);
}

// From here on there is no way back: what is cancelled now is written all the same, and its answer says so.
void ServedWorkspace::write(const Evaluation &evaluation, const ToolAnswer &measured) {
    m_submission->isBeingWritten = true;
    emit progress(m_submission->id, QStringLiteral("submit: writes it"), 0, 0);
    const QString client = m_running ? m_running->client : QString();
    const WorkspaceSubmission wanted{m_request.texts,
                                     m_submission->what.texts,
                                     {AuthorKind::Mcp, client},
                                     evaluation,
                                     m_submission->what.title};
    inPool(
        this, [workspace = m_workspace, wanted] { return submitTo(workspace, wanted); },
        [this, measured, evaluation](const Result<Iteration> &made) {
            const Submission submission = *std::exchange(m_submission, std::nullopt);
            if (!made.hasValue())
                return m_toolbox->answerSubmission(submission.id, failed(made.message()));
            m_request.texts = submission.what.texts;
            m_request.iteration = made.value().number;
            m_request.lastEvaluation = evaluation;
            m_toolbox->setRequest(m_request);
            ToolAnswer answer = measured;
            answer.outcome = ToolAnswer::Outcome::Ok;
            answer.text = QStringLiteral("Written as iteration %1 of \"%2\", and its text now: ")
                              .arg(made.value().number)
                              .arg(m_workspace.folder) +
                          measured.text;
            answer.structured["iteration"] = made.value().number;
            answer.structured["parent"] = made.value().parent;
            m_toolbox->answerSubmission(submission.id, answer);
        });
}

void ServedWorkspace::cancel(const QString &id) {
    if (m_running && m_running->id == id) {
        if (m_submission && m_submission->isBeingWritten)
            return;
        if (m_submission)
            m_measurer->cancel(std::exchange(m_submission, std::nullopt)->number);
        if (m_isOpen && m_running->name != QLatin1String("open_workspace"))
            return m_toolbox->cancel();
        return end({ToolAnswer::Outcome::Cancelled, QStringLiteral("Cancelled."), Json()});
    }
    const auto found =
        std::find_if(m_waiting.begin(), m_waiting.end(), [&id](const Call &call) { return call.id == id; });
    if (found == m_waiting.end())
        return;
    m_waiting.erase(found);
    QTimer::singleShot(0, this, [this, id] {
        emit ended(id, {ToolAnswer::Outcome::Cancelled, QStringLiteral("Cancelled."), Json()});
    });
}

void ServedWorkspace::end(const ToolAnswer &answer) {
    const Call call = *std::exchange(m_running, std::nullopt);
    QTimer::singleShot(0, this, &ServedWorkspace::startNext);
    emit ended(call.id, answer);
}

} // namespace warpwright
