// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/acp/acp_world.h"

#include "tests/toolchain/places.h"

#include <QFile>
#include <QTest>

using namespace warpwright;

namespace {

QByteArray kernel() {
    QByteArray text;
    for (int line = 0; line < 12; ++line)
        text += "line " + QByteArray::number(line) + '\n';
    return text;
}

} // namespace

AcpWorld::AcpWorld(const QStringList &switches) {
    scratch.writeModel("work");
    scratch.write("work/model_new.py", "class ModelNew:\n    pass\n");
    scratch.write("work/kernels/a.cu", kernel());
    setup.profile.name = "rules";
    setup.profile.command = "python3";
    setup.profile.arguments =
        QStringList{sourceFolder("/tests/tools/acp_agent/acp_agent.py"), "--log", scratch.path("log")} +
        switches;
    setup.request.folders = scratch.folders();
    setup.request.device = "cpu";
    setup.request.programVersion = "0.test";
    setup.patience = {10'000, 500};
    setup.writable = QStringList{scratch.write("log", "")};
    request.workspace = scratch.path("work");
    request.device = "cpu";
    request.iteration = 1;
    const Workspace workspace = Workspace::open(request.workspace, scratch.folders()).value();
    request.texts = readCandidateTexts(workspace).value();
    answers = [](const AgentPrompt &prompt) {
        const QString withoutSandbox = QStringLiteral("Run it without a sandbox");
        return prompt.options.contains(withoutSandbox) ? withoutSandbox : QString();
    };
    listen();
}

void AcpWorld::listen() {
    agent = std::make_unique<AcpAgent>(setup);
    AcpAgent *one = agent.get();
    QObject::connect(one, &Agent::proposed, one, [this](const Proposal &proposal) {
        end.proposal = proposal;
        ++endings;
    });
    QObject::connect(one, &Agent::done, one, [this](const QString &why) {
        end.done = why;
        ++endings;
    });
    QObject::connect(one, &Agent::failed, one, [this](const QString &why) {
        end.failed = why;
        ++endings;
    });
    QObject::connect(one, &Agent::message, one,
                     [this](const AgentMessage &message) { messages.push_back(message); });
    QObject::connect(one, &Agent::messageDelta, one,
                     [this](const QString &, const QString &text) { deltas += text; });
    QObject::connect(one, &Agent::thoughtDelta, one,
                     [this](const QString &, const QString &text) { thoughts += text; });
    QObject::connect(one, &Agent::planChanged, one,
                     [this](const std::vector<PlanItem> &items) { plan = items; });
    QObject::connect(one, &Agent::toolBegan, one, [this](const ToolCall &call) { began.push_back(call); });
    QObject::connect(one, &Agent::toolEnded, one, [this](const ToolCall &call) { ended.push_back(call); });
    QObject::connect(one, &Agent::noted, one, [this](const QString &text) { notes << text; });
    QObject::connect(one, &Agent::used, one, [this](const AgentUsage &more) { usage.push_back(more); });
    QObject::connect(one, &Agent::remembered, one,
                     [this](const Json &memory) { memories.push_back(memory); });
    QObject::connect(one, &Agent::prompted, one, [this, one](const AgentPrompt &prompt) {
        prompts.push_back(prompt);
        if (answers)
            one->answerPrompt(prompt.id, answers(prompt));
    });
}

void AcpWorld::measure() {
    agent->setMeasurer(measurer);
}

void AcpWorld::begin(const std::vector<Feedback> &feedback, const QStringList &said) {
    end = {};
    endings = 0;
    request.proposal = QStringLiteral("p%1").arg(++m_proposals);
    request.feedback = feedback;
    request.messages = said;
    agent->propose(request);
    if (endings != 0)
        qFatal("it answers before propose() is back");
}

bool AcpWorld::waitForEnd(int milliseconds) {
    const bool hasEnded = QTest::qWaitFor([this] { return endings > 0; }, milliseconds);
    QTest::qWait(20);
    if (endings > 1)
        qFatal("%d endings", endings);
    return hasEnded;
}

AcpWorld::End AcpWorld::ask(const std::vector<Feedback> &feedback, const QStringList &said) {
    begin(feedback, said);
    if (!waitForEnd())
        qWarning("it has not ended");
    return end;
}

void AcpWorld::goOn(const std::vector<AnsweredProposal> &answered) {
    listen();
    for (const Json &memory : memories)
        if (const Result<void> recalled = agent->recall(memory); !recalled.hasValue())
            qFatal("%s", qPrintable(recalled.message()));
    for (const AnsweredProposal &one : answered)
        if (const Result<void> told = agent->wasAnswered(one); !told.hasValue())
            qFatal("%s", qPrintable(told.message()));
}

void AcpWorld::apply(const Proposal &proposal) {
    request.texts = proposal.proposed;
    ++request.iteration;
}

std::vector<Json> AcpWorld::noted(const char *key) const {
    std::vector<Json> found;
    QFile file(scratch.path("log"));
    if (!file.open(QIODevice::ReadOnly))
        return found;
    for (const QByteArray &line : file.readAll().split('\n'))
        if (const Result<Json> json = parseJson(line); json.hasValue() && json.value().contains(key))
            found.push_back(json.value());
    return found;
}

bool AcpWorld::hasSandbox() {
    const Scratch scratch;
    const Result<AcpSandbox> sandbox =
        makeAcpSandbox({}, {}, scratch.folders(), QProcessEnvironment::systemEnvironment());
    if (!sandbox.hasValue())
        return false;
    AcpSandboxTrial trial;
    std::optional<bool> stands;
    QObject::connect(&trial, &AcpSandboxTrial::stood, &trial, [&stands] { stands = true; });
    QObject::connect(&trial, &AcpSandboxTrial::fell, &trial, [&stands] { stands = false; });
    trial.start(sandbox.value());
    return QTest::qWaitFor([&stands] { return stands.has_value(); }, 5000) && *stands;
}
