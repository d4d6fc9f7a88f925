// SPDX-License-Identifier: GPL-3.0-or-later
// Baselines that are compiled beside everything else, by the real judge on the CPU: that what they leave is
// what an arm of the same mode finds.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/run_rooms.h"
#include "toolchain/judge_setup.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QEventLoop>
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

private slots:
    void leavesWhatArmsFind() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        const DataFolders places =
            DataFolders::find(m_world.environment, QCoreApplication::applicationDirPath());
        const Toolchain toolchain = m_world.toolchain();
        const Result<Workspace> opened = Workspace::open(m_world.workspace("base"), places);
        QVERIFY(opened.hasValue() && toolchain.python);
        Result<JudgeSession::Setup> made = makeJudgeSetup(JudgeNeeds{
            opened.value(), toolchain, DeviceChoice(), places, Tier::Quick, {}, m_world.path("scratch")});
        QVERIFY2(made.hasValue(), qPrintable(made.message()));
        JudgeSession::Setup setup = std::move(made).value();
        const QString cache = m_world.path("cache");
        QVERIFY(QDir().mkpath(cache));
        setup.openParams["cache"] = toJson(cache);
        setup.openParams["compilesAhead"] = "always";
        // No times of this task are known: stored ones would need no baselines.
        setup.openParams["baselines"] = toJson(m_world.path("baselines.json"));
        setup.opensWhenAsked = true;

        JudgeSession judge(std::move(setup));
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
