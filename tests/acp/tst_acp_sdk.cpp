// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/acp/acp_world.h"
#include "tests/toolchain/places.h"

#include <QProcess>
#include <QTest>

using namespace warpwright;

/// An agent made of the protocol's own package: it checks each message of ours against the schema.
class TestAcpSdk : public QObject {
    Q_OBJECT

private slots:
    void speaksWithTheProtocolsOwnPackage() {
        const QString python = qEnvironmentVariable("WARPWRIGHT_TEST_PYTHON", QStringLiteral("python3"));
        if (QProcess::execute(python, {"-c", "import acp"}) != 0)
            QSKIP("agent-client-protocol is not installed for the interpreter of WARPWRIGHT_TEST_PYTHON.");
        if (!AcpWorld::hasWall())
            QSKIP("No wall stands here: commands are not run.");
        AcpWorld world;
        world.setup.profile.command = python;
        world.setup.profile.arguments = QStringList{sourceFolder("/tests/acp/sdk_agent.py")};
        world.goOn();
        world.answers = [](const AgentPrompt &prompt) {
            return prompt.options.front();
        };
        const AcpWorld::End end = world.ask();
        QVERIFY2(end.proposal, qPrintable(end.failed + end.done));
        QCOMPARE(end.proposal->title, QString("Changed by the package"));
        QCOMPARE(end.proposal->proposed.at("kernels/a.cu"),
                 QByteArray(world.request.texts.at("kernels/a.cu")).replace("line 5", "sdk 0"));
        QCOMPARE(world.thoughts, QString("I think"));
        QCOMPARE(world.plan, (std::vector<PlanItem>{{"edit", "working"}}));
        QCOMPARE(world.ended.front().outcome, QString("ok"));
    }
};

QObject *makeTestAcpSdk() {
    return new TestAcpSdk;
}

#include "tst_acp_sdk.moc"
