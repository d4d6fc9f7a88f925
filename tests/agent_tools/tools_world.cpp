// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent_tools/tools_world.h"

#include "toolchain/setup/sandbox_facts.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

ToolsWorld::ToolsWorld() {
    scratch.writeModel("work");
    scratch.write("work/model_new.py", "class ModelNew:\n    pass\n");
    scratch.write("work/binding.cpp", "// the fixed binding\n");
    scratch.write("work/kernels/a.cu", "line one\nline two // time 10\nline three\n");
}

void ToolsWorld::addUtils() const {
    scratch.write("work/utils/compile.py", "print('compile')\n");
    scratch.write("work/utils/verification.py", "print('verification', __name__)\n");
    scratch.write("work/utils/compile.sh", "python3 utils/compile.py\n");
    scratch.write("work/SKILL.md", "# The workspace's own skill\n");
}

void ToolsWorld::open(const QString &device) {
    box.reset();
    const auto workspace = Workspace::open(scratch.path("work"), scratch.folders());
    QVERIFY2(workspace.hasValue(), qPrintable(workspace.message()));
    place.workspace = workspace.value();
    place.folder = WorkFolder::placeFor(place.workspace, scratch.folders(), "test");
    place.request.device = device;
    place.request.folders = scratch.folders();
    place.request.programVersion = "test";
    box = std::make_unique<Toolbox>(place, measurer);
    const auto texts = readCandidateTexts(place.workspace);
    QVERIFY2(texts.hasValue(), qPrintable(texts.message()));
    request = {};
    request.workspace = place.workspace.folder;
    request.device = device;
    request.proposal = "p1";
    request.texts = texts.value();
    box->setRequest(request);
    const Result<void> laid = box->setTexts(request.texts);
    QVERIFY2(laid.hasValue(), qPrintable(laid.message()));
}

ToolAnswer ToolsWorld::call(const QString &name, const Json &arguments) {
    const QString id = QStringLiteral("c%1").arg(++m_calls);
    ToolAnswer answer;
    bool hasEnded = false;
    const auto connection = QObject::connect(box.get(), &Toolbox::ended, box.get(),
                                             [&](const QString &which, const ToolAnswer &what) {
                                                 if (which != id)
                                                     return;
                                                 QVERIFY(!hasEnded); // exactly once
                                                 hasEnded = true;
                                                 answer = what;
                                             });
    box->call(id, name, arguments);
    if (!QTest::qWaitFor([&] { return hasEnded; }, 90000))
        qWarning("no end of %s", qPrintable(name));
    QObject::disconnect(connection);
    if (answer.text.toUtf8().size() > 16 * 1024)
        qWarning("an answer of %lld bytes", static_cast<long long>(answer.text.toUtf8().size()));
    return answer;
}

ToolAnswer ToolsWorld::bash(const QString &command, int seconds) {
    return call("bash", {{"command", toJson(command)}, {"timeout_s", seconds}});
}

ToolAnswer ToolsWorld::read(const QString &path) {
    return call("read", {{"path", toJson(path)}});
}

QString ToolsWorld::inWork(const QString &path) const {
    return place.folder + QLatin1Char('/') + path;
}

bool ToolsWorld::hasSandbox() {
    const SandboxFacts facts = findSandboxFacts();
    return facts.landlockAbi > 0 || facts.mayMakeUserNamespace;
}
