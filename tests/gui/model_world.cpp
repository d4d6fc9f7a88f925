// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/model_world.h"

#include "app/ide/agent/agent_event_model.h"
#include "app/ide/layout/dock.h"
#include "app/ide/workbench/workbench.h"

#include <QTest>
#include <QTimer>

using namespace warpwright;

AgentIdentity ToldAgent::identity() const {
    return {AuthorKind::Model, QStringLiteral("qwen"), QStringLiteral("qwen3-coder:30b")};
}

void ToldAgent::cancel() {
    if (std::exchange(m_request, {}))
        QTimer::singleShot(0, this, [this] { emit failed(QStringLiteral("cancelled")); });
}

void ToldAgent::answerPrompt(const QString &id, const QString &answer) {
    answers.emplace_back(id, answer);
}

void ToldAgent::submit(const QByteArray &text) {
    const AgentRequest request = *std::exchange(m_request, {});
    Proposal proposal;
    proposal.id = request.proposal;
    proposal.baseIteration = request.iteration;
    proposal.author = identity().author();
    proposal.title = QStringLiteral("one pass");
    proposal.reason = QStringLiteral("The row is read **once**.");
    proposal.base = proposal.proposed = request.texts;
    proposal.proposed[QString::fromLatin1(ScriptWorld::kernelFile)] = text;
    emit proposed(proposal);
}

bool ModelWorld::beginModel(SessionMode mode, const RunBudgets &budgets) {
    if (!window.open(window.folder))
        return false;
    Workbench &bench = window.window->bench();
    model = std::make_shared<ToldAgent>();
    agent().begin(model, {*bench.workspace(), bench.request(), mode, budgets, {}, {}});
    return QTest::qWaitFor([this] { return model->isAsked(); }, 60000);
}

const AgentEvent &ModelWorld::last() const {
    return events().event(events().rowCount() - 1);
}

MessageList &ModelWorld::list() const {
    return *window.find<MessageList>("messageList");
}

ToolCall ModelWorld::bash(const QString &id) {
    ToolCall call;
    call.id = id;
    call.name = QStringLiteral("bash");
    call.arguments = {{"command", "bash utils/compile.sh\ncat build.log"}, {"timeout_s", 60}};
    return call;
}

void takePictures(const WindowWorld &window, const char *name, bool isFolded) {
    const QString folder = qEnvironmentVariable("WARPWRIGHT_PICTURES");
    if (folder.isEmpty())
        return;
    window.window->resize(1280, 720);
    QTest::qWait(50);
    for (Dock *dock : window.window->findChildren<Dock *>())
        if (!isFolded)
            dock->setFolded(false);
    QTest::qWait(300);
    for (const char *theme : {"light", "dark"}) {
        window.useTheme(QString::fromLatin1(theme));
        QTest::qWait(200);
        QVERIFY(window.window->grab().save(
            QStringLiteral("%1/%2-%3.png")
                .arg(folder, QString::fromLatin1(name), QString::fromLatin1(theme))));
    }
}
