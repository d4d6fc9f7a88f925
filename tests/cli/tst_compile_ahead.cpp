// SPDX-License-Identifier: GPL-3.0-or-later
// Baselines that are compiled beside everything else, by the real judge on the CPU: that what they leave is
// what an arm of the same mode finds.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/judge/judge_setup.h"
#include "toolchain/process/processes_below.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QEventLoop>
#include <QFile>
#include <QTest>

using namespace warpwright;

class TestCompileAhead : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;

    /// Graphs that torch's compiler has kept below `folder`.
    static int keptGraphs(const QString &folder) {
        QDirIterator files(folder + "/inductor/fxgraph", QDir::Files, QDirIterator::Subdirectories);
        int count = 0;
        for (; files.hasNext(); files.next())
            ++count;
        return count;
    }

    [[nodiscard]] JudgeSession::Setup setup() const {
        const DataFolders places =
            DataFolders::find(m_world.environment, QCoreApplication::applicationDirPath());
        const Toolchain toolchain = m_world.toolchain();
        const Result<Workspace> opened = Workspace::open(m_world.workspace("base"), places);
        if (!opened.hasValue() || !toolchain.python)
            qFatal("%s", qPrintable(opened.message() + toolchain.pythonMessage));
        Result<JudgeSession::Setup> made = makeJudgeSetup(JudgeNeeds{
            opened.value(), toolchain, DeviceChoice(), places, Tier::Quick, {}, m_world.path("scratch")});
        if (!made.hasValue() || !QDir().mkpath(m_world.path("cache")))
            qFatal("%s", qPrintable(made.message()));
        JudgeSession::Setup setup = std::move(made).value();
        setup.openParams["cache"] = toJson(m_world.path("cache"));
        setup.openParams["compilesAhead"] = "always";
        // No times of this task are known: stored ones would need no baselines.
        setup.openParams["baselines"] = toJson(m_world.path("baselines.json"));
        setup.opensWhenAsked = true;
        return setup;
    }

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    // The judge makes its device the only one, and torch is imported before the judge touches a device.
    void importSeesTheJudgesDevice_data() {
        QTest::addColumn<QString>("uuid");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("by its UUID") << "GPU-aaaa1111-0000-0000-0000-000000000001"
                                     << QByteArray("GPU-aaaa1111-0000-0000-0000-000000000001");
        QTest::newRow("of a client that knows none") << "" << QByteArray("3");
    }

    void importSeesTheJudgesDevice() {
        QFETCH(QString, uuid);
        QFETCH(QByteArray, shown);
        JudgeSession::Setup asked = setup();
        asked.openParams["device"] = "cuda:3";
        asked.openParams["deviceUuid"] = toJson(uuid);
        JudgeSession judge(std::move(asked));
        QEventLoop loop;
        QByteArrayList environments;
        connect(&judge, &JudgeSession::readyToOpen, &loop, [&] {
            for (const ProcessFact &fact : processesBelow()) {
                QFile file(QStringLiteral("/proc/%1/environ").arg(fact.pid));
                if (fact.name.startsWith("python") && file.open(QIODevice::ReadOnly))
                    environments << file.readAll();
            }
            judge.stop();
        });
        connect(&judge, &JudgeSession::refused, &loop, [&] { judge.stop(); });
        connect(&judge, &JudgeSession::stopped, &loop, &QEventLoop::quit);
        judge.start();
        loop.exec();
        QVERIFY(!environments.isEmpty());
        for (const QByteArray &environment : environments)
            QVERIFY(environment.split('\0').contains("CUDA_VISIBLE_DEVICES=" + shown));
    }

    void leavesWhatArmsFind() {
        const QString cache = m_world.path("cache");
        JudgeSession judge(setup());
        QEventLoop loop;
        QStringList course;
        int graphsAhead = 0;
        Json timed;
        connect(&judge, &JudgeSession::readyToOpen, &loop, [&] {
            course << "ready";
            judge.open();
        });
        connect(&judge, &JudgeSession::opened, &loop, [&] {
            course << (judge.isCompiling() ? "compiling" : "not compiling");
            judge.baselines();
        });
        connect(&judge, &JudgeSession::answered, &loop, [&](const QString &method, const Json &reply) {
            course << method;
            if (method == "baselines") {
                QVERIFY(!judge.isCompiling());
                graphsAhead = keptGraphs(cache);
                return judge.clock({{"tier", "quick"}, {"arm", "eager"}});
            }
            timed = reply;
            judge.stop();
        });
        connect(&judge, &JudgeSession::refused, &loop, [&](const JudgeError &error) {
            qWarning("%s", qPrintable(plainText(error.message)));
            judge.stop();
        });
        connect(&judge, &JudgeSession::stopped, &loop, &QEventLoop::quit);
        judge.start();
        loop.exec();
        QCOMPARE(course, (QStringList{"ready", "compiling", "baselines", "clock"}));
        QVERIFY(graphsAhead > 0);
        // The timed arm found its graph there and made no other.
        QCOMPARE(keptGraphs(cache), graphsAhead);
        QVERIFY2(timed["profile"]["arms"]["compile"].is_object(), timed.dump().c_str());
    }
};

QObject *makeTestCompileAhead() {
    return new TestCompileAhead;
}

#include "tst_compile_ahead.moc"
