// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/mcp/served_workspace.h"

#include "agent/model/model_words.h"
#include "agent/tools/work_folder.h"
#include "toolchain/in_pool.h"
#include "toolchain/text_file.h"

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

void ServedWorkspace::submit(const QString &id, const ToolSubmission &submission) {
    const QString client = m_running ? m_running->client : QString();
    const WorkspaceSubmission wanted{
        m_request.texts,
        submission.texts,
        {AuthorKind::Acp, client.isEmpty() ? QStringLiteral("mcp client") : client},
        submission.title};
    inPool(
        this, [workspace = m_workspace, wanted] { return submitTo(workspace, wanted); },
        [this, id, texts = submission.texts](const Result<Iteration> &made) {
            if (!made.hasValue())
                return m_toolbox->answerSubmission(id, failed(made.message()));
            m_request.texts = texts;
            m_request.iteration = made.value().number;
            m_toolbox->setRequest(m_request);
            m_toolbox->answerSubmission(
                id, {ToolAnswer::Outcome::Ok,
                     QStringLiteral("Written: it is iteration %1 of \"%2\", and its text now.")
                         .arg(made.value().number)
                         .arg(m_workspace.folder),
                     Json{{"iteration", made.value().number}, {"parent", made.value().parent}}});
        });
}

void ServedWorkspace::cancel(const QString &id) {
    if (m_running && m_running->id == id) {
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
