// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/model/model_world.h"

#include "agent/record/run_so_far.h"
#include "agent/record/trajectory_writer.h"
#include "tests/toolchain/places.h"

#include <QTest>

using namespace warpwright;

ModelWorld::ModelWorld() : folder(scratch.path("work")) {
    scratch.writeModel("work");
    scratch.write("work/model_new.py", "class ModelNew:\n    pass\n");
    scratch.write("work/kernels/a.cu", SessionWorld::kernel());
    QDir().mkpath(scratch.path("lesson/steps"));
}

void ModelWorld::addIdea(const QString &title, const std::map<int, QByteArray> &lines) {
    QByteArray patch = "--- a/kernels/a.cu\n+++ b/kernels/a.cu\n";
    for (const auto &[line, text] : lines) {
        const QByteArray first = QByteArray::number(line);
        patch += "@@ -" + first + ",3 +" + first + ",3 @@\n line " + QByteArray::number(line - 1) +
                 "\n-line " + first + "\n+" + text + " line " + QByteArray::number(line + 1) + '\n';
    }
    const QString name = QStringLiteral("lesson/steps/%1-idea").arg(++m_ideas, 2, 10, QLatin1Char('0'));
    scratch.write(name + ".patch", patch);
    scratch.write(name + ".json", dumpJson(Json{{"title", toJson(title)},
                                                {"reason", "because it should be faster"},
                                                {"prediction", {{"timeRatio", 0.8}}}}));
}

void ModelWorld::openServer(const QStringList &more) {
    server = std::make_unique<EngineerServer>(scratch.path("lesson"), more);
    QVERIFY(server->isListening());
}

ModelSetup ModelWorld::setup(Dialect dialect) const {
    return setupFor(server->profile(dialect));
}

ModelSetup ModelWorld::setupFor(const ModelProfile &profile) const {
    ModelSetup setup;
    setup.profile = profile;
    setup.request.folders = scratch.folders();
    setup.request.folders.resources = sourceFolder("/resources");
    setup.request.device = QStringLiteral("cpu");
    return setup;
}

void ModelWorld::open(SessionMode mode, ModelSetup made, const RunBudgets &budgets) {
    auto opened = Workspace::open(folder, scratch.folders());
    QVERIFY2(opened.hasValue(), qPrintable(opened.message()));
    agent = std::make_unique<ModelAgent>(std::move(made));
    SessionSetup setup;
    setup.workspace = opened.value();
    setup.run = "r1";
    setup.device = "cpu";
    setup.mode = mode;
    setup.budgets = budgets;
    begin(setup);
}

bool ModelWorld::goOn(ModelSetup made) {
    session.reset(); // and with it the workspace's lock
    agent.reset();
    const Workspace workspace = Workspace::open(folder, scratch.folders()).value();
    Result<TrajectoryWriter> begun = TrajectoryWriter::beginRun(workspace.state);
    if (!begun.hasValue())
        return false;
    TrajectoryWriter writer = std::move(begun).value();
    for (const auto &[kind, body] : recorder.events)
        if (!writer.append(kind, body).hasValue())
            return false;
    agent = std::make_unique<ModelAgent>(std::move(made));
    const Result<RunSoFar> so = readRunSoFar(
        workspace, writer.run(),
        [this](const AnsweredProposal &answered) { return agent->wasAnswered(answered); },
        [this](const Json &memory) { return agent->recall(memory); });
    if (!so.hasValue()) {
        qWarning("%s", qPrintable(so.message()));
        return false;
    }
    SessionSetup setup;
    setup.workspace = workspace;
    setup.run = "r1";
    setup.device = "cpu";
    setup.mode = so.value().mode;
    setup.continued = so.value().continued;
    begin(setup);
    session->start();
    return true;
}

void ModelWorld::begin(SessionSetup setup) {
    end.reset();
    session = std::make_unique<Session>(std::move(setup), *agent, measurer, recorder);
    QObject::connect(session.get(), &Session::scored, session.get(),
                     [this](const ScoredProposal &one) { scored.push_back(one); });
    QObject::connect(session.get(), &Session::trouble, session.get(),
                     [this](const QString &message) { troubles.push_back(message); });
    QObject::connect(session.get(), &Session::ended, session.get(),
                     [this](SessionEnd how, const QString &why) {
                         QVERIFY(!end); // exactly once
                         end = {how, why};
                     });
}

QByteArray ModelWorld::onDisk() const {
    return textOf(folder + "/kernels/a.cu");
}

bool ModelWorld::waitForEnd(int milliseconds) const {
    return QTest::qWaitFor([this] { return end.has_value(); }, milliseconds);
}

QString ModelWorld::conversation() const {
    QString text;
    for (const auto &[kind, body] : recorder.events)
        if (kind == QLatin1String("agent-memory"))
            text += QString::fromUtf8(dumpJson(body)) + QLatin1Char('\n');
    return text;
}
