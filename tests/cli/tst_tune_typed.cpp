// SPDX-License-Identifier: GPL-3.0-or-later
// What a person types at `wright tune` in a terminal: answers to what was asked, messages to the agent, and
// nothing else. A model's server that plays an engineer by rules, real compilers, the fake judge.
#include "agent/endpoints/model_profiles.h"
#include "agent/record/replay.h"
#include "app/cli/tuning/line_stream.h"
#include "app/cli/tuning/typed_answer.h"
#include "tests/cli/cli_world.h"
#include "tests/cli/terminal_run.h"
#include "tests/model/engineer_server.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/workspace/workspace.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace warpwright;

class TestTuneTyped : public QObject {
    Q_OBJECT

    CliWorld m_world;
    QString m_workspace;
    std::unique_ptr<EngineerServer> m_server;

    static QByteArray readAll(const QString &path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    [[nodiscard]] std::vector<TrajectoryEvent> events(const QString &kind) const {
        std::vector<TrajectoryEvent> found;
        const QDir runs(runsFolder(m_workspace + "/.warpwright"));
        for (const QString &name : runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            for (const QByteArray &line : readAll(trajectoryFile(runs.filePath(name))).split('\n'))
                if (const auto event = eventFromLine(line); event.hasValue() && event.value().kind == kind)
                    found.push_back(event.value());
        return found;
    }
    void setUp(const QByteArray &pace) {
        m_workspace = m_world.workspace("base", "typed");
        const QString kernel = m_workspace + "/kernels/gate.cpp";
        m_world.write(kernel, readAll(kernel) + "// fake judge: times=200,220,150\n");
        QDir(m_world.path("lesson")).removeRecursively();
        m_world.write(
            "lesson/steps/01-divide.patch",
            "--- a/kernels/gate.cpp\n+++ b/kernels/gate.cpp\n"
            "@@ -5,1 +5,2 @@\n-#pragma omp parallel for schedule(static)\n+    float one = 1.0f;\n"
            "+#pragma omp parallel for schedule(static)\n"
            "@@ -10,1 +11,1 @@\n-// fake judge: times=200,220,150\n+// fake judge: times=120,220,150\n");
        m_world.write("lesson/steps/01-divide.json",
                      R"({"title": "Divide once", "reason": "Fewer divisions."})");
        m_server = std::make_unique<EngineerServer>(m_world.path("lesson"),
                                                    QStringList{"--pace", QString::fromUtf8(pace)});
        QVERIFY(m_server->isListening());
        ModelProfiles profiles;
        profiles.put(m_server->profile(Dialect::OpenAiChat));
        m_world.environment.insert("XDG_CONFIG_HOME", m_world.path("config"));
        QDir().mkpath(m_world.path("config/warpwright"));
        QVERIFY(profiles.store(m_world.path("config/warpwright/models.json")).hasValue());
    }
    [[nodiscard]] QStringList tune(const QStringList &more) const {
        return QStringList{"tune", m_workspace, "--device", "cpu"} + more;
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        m_world.environment.insert("WARPWRIGHT_JUDGE", sourceFolder("/tests/tools/fake_judge/fake_judge.py"));
        m_world.environment.insert("FAKE_JUDGE", "intext");
    }

    void knowsAnAnswerFromASentence_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("letter");
        QTest::addColumn<QString>("reason");
        QTest::newRow("a letter") << "y"
                                  << "y"
                                  << "";
        QTest::newRow("a capital") << " Y "
                                   << "y"
                                   << "";
        QTest::newRow("its word") << "yes"
                                  << "y"
                                  << "";
        QTest::newRow("with a reason") << "n slower, für 漢"
                                       << "n"
                                       << "slower, für 漢";
        QTest::newRow("a tab between") << "n\tslower"
                                       << "n"
                                       << "slower";
        for (const char *line : {"yesterday", "nothing to say", "hello", "help", "question", "even better",
                                 "a lot of this is wrong", "a\x01\x02", "", "yy", "no way"})
            QTest::newRow(line) << QString::fromUtf8(line) << ""
                                << "";
    }
    void knowsAnAnswerFromASentence() {
        QFETCH(QString, line);
        QFETCH(QString, letter);
        QFETCH(QString, reason);
        const auto answer = typedAnswer(line, {{"y", "yes", true},
                                               {"n", "no", true},
                                               {"a", "all", false},
                                               {"e", "edit", false},
                                               {"h", "hunks", false}});
        QCOMPARE(answer.has_value(), !letter.isEmpty());
        if (answer)
            QCOMPARE(*answer, (TypedAnswer{letter, reason}));
    }

    void givesLinesAsTheyAreWhole() {
        LineStream stream(20, 10);
        QCOMPARE(stream.take("\n\nOne "), QStringList());
        QCOMPARE(stream.take("line\nand"), QStringList{"One line"});
        QCOMPARE(stream.take(" another one of some length"), QStringList{"and another one of"});
        QCOMPARE(stream.take("\n\n"), QStringList{"some length"});
        QCOMPARE(stream.take("x"), QStringList());
        QCOMPARE(stream.finish(), (QStringList{"", "x"}));
        LineStream words(4, 4);
        QCOMPARE(words.take("incomprehensible "), QStringList{"incomprehensible"});
        QCOMPARE(words.finish(), QStringList());
    }

    void whatWasTypedBeforeAQuestionIsNoAnswer() {
        setUp("0");
        TerminalRun run(tune({"--script", m_world.path("lesson/steps")}), m_world.environment);
        run.type("y\ny\ny\n");
        QVERIFY2(run.waitFor("(1 of 2) Take it?"), run.said());
        QVERIFY2(!run.waitFor("(2 of 2)", 1500), run.said());
        for (const char *line :
             {"hello\n", "question about this\n", "yesterday\n", "a lot of this is wrong\n"}) {
            run.type(line);
            QVERIFY2(run.waitFor("Answer y, n, e, a, d, h, u or q"), run.said());
            QVERIFY2(run.waitFor("(1 of 2) Take it?"), run.said());
        }
        // Pasted lines: the first answers what is asked, the others were there before the next question.
        run.type("y with a reason\nn\nn\nn\n");
        QVERIFY2(run.waitFor("(2 of 2) Take it?"), run.said());
        QVERIFY2(!run.waitFor("Take it?", 1500), run.said());
        run.type("quit\n");
        QCOMPARE(run.waitForEnd(), 130);
        const std::vector<TrajectoryEvent> decisions = events("decision");
        QCOMPARE(decisions.size(), std::size_t(1));
        QCOMPARE(decisions.front().text("reason"), QString("with a reason"));
    }

    void aLineIsAMessageWhileTheModelWorks() {
        setUp("15");
        TerminalRun run(tune({"--agent", "model:engineer"}), m_world.environment);
        QVERIFY2(run.waitFor("engineer thinks"), run.said());
        run.type("please use float4\n");
        QVERIFY2(run.waitFor("to the agent: please use float4"), run.said());
        run.type("?\n");
        QVERIFY2(run.waitFor("What you type is a message to engineer"), run.said());
        run.type("question about this\n");
        QVERIFY2(run.waitFor("to the agent: question about this"), run.said());
        run.type("\x03");
        QVERIFY2(run.waitFor("Paused. Enter goes on"), run.said());
        run.type("no atomics\n");
        QVERIFY2(run.waitFor("to the agent: no atomics"), run.said());
        QVERIFY2(run.waitFor("Paused. Enter goes on"), run.said());
        run.type("\n");
        QVERIFY2(run.waitFor("Take it?", 120'000), run.said());
        run.type("q\n");
        QCOMPARE(run.waitForEnd(), 130);
        QStringList told;
        for (const TrajectoryEvent &event : events("message"))
            if (event.text("role") == "person")
                told << event.text("text");
        QCOMPARE(told, (QStringList{"please use float4", "question about this", "no atomics"}));
        // Its words come line by line, and once.
        for (const TrajectoryEvent &event : events("message"))
            if (event.text("role") == "agent" && event.text("text").size() < 80)
                QVERIFY2(run.said().contains("engineer: " + event.text("text").toUtf8()), run.said());
    }
};

QObject *makeTestTuneTyped() {
    return new TestTuneTyped;
}
#include "tst_tune_typed.moc"
