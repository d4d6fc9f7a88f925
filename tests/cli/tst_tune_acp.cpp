// SPDX-License-Identifier: GPL-3.0-or-later
// `wright tune --agent acp:NAME` and `wright bench tasks` with it: an agent of another program that works by
// rules, real compilers, the fake judge. Killed and continued; asked, with and without somebody to answer.
#include "agent/acp/acp_profiles.h"
#include "agent/factory/reopened_run.h"
#include "agent/record/replay.h"
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/workspace/workspace.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>

using namespace warpwright;

class TestTuneAcp : public QObject {
    Q_OBJECT

    CliWorld m_world;
    QString m_workspace;

    static QByteArray readAll(const QString &path) {
        QFile file(path.isEmpty() ? QStringLiteral("/nowhere") : path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    [[nodiscard]] QByteArray gate() const { return readAll(m_workspace + "/kernels/gate.cpp"); }
    [[nodiscard]] QString trajectory() const {
        const QDir runs(runsFolder(m_workspace + "/.warpwright"));
        const QStringList names = runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        return names.isEmpty() ? QString() : trajectoryFile(runs.filePath(names.front()));
    }
    [[nodiscard]] std::vector<TrajectoryEvent> events(const QString &kind) const {
        std::vector<TrajectoryEvent> found;
        for (const QByteArray &line : readAll(trajectory()).split('\n'))
            if (const auto event = eventFromLine(line); event.hasValue() && event.value().kind == kind)
                found.push_back(event.value());
        return found;
    }
    /// The agent "rules" is acp_agent.py with these switches.
    void setUp(const QStringList &switches) {
        m_workspace = m_world.workspace("base", "tuned");
        m_world.write(m_workspace + "/kernels/gate.cpp", gate() + "// fake judge: times=200,220,150\n");
        AcpProfile profile;
        profile.name = "rules";
        profile.command = "python3";
        profile.arguments = QStringList{sourceFolder("/tests/tools/acp_agent/acp_agent.py")} + switches;
        AcpProfiles agents;
        agents.put(profile);
        QDir().mkpath(m_world.path("config/warpwright"));
        QVERIFY(agents.store(m_world.path("config/warpwright/agents.json")).hasValue());
    }
    [[nodiscard]] QStringList tune(const QStringList &more) const {
        return QStringList{"tune", m_workspace, "--agent", "acp:rules", "--device", "cpu"} + more;
    }
    /// The exit code; −9: it was killed as soon as such an event was there.
    int runUntil(const QStringList &arguments, const QString &kind, QByteArray &said) {
        QProcess process;
        process.setProcessEnvironment(m_world.environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(wrightProgram(), arguments);
        process.closeWriteChannel();
        const auto isOver = [&process] {
            return process.state() == QProcess::NotRunning;
        };
        const bool isThere = QTest::qWaitFor([&] { return isOver() || !events(kind).empty(); }, 120'000);
        if (!isOver() && isThere)
            process.kill();
        process.waitForFinished(60'000);
        said += process.readAll();
        return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -9;
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        m_world.environment.insert("WARPWRIGHT_JUDGE", sourceFolder("/tests/tools/fake_judge/fake_judge.py"));
        m_world.environment.insert("XDG_CONFIG_HOME", m_world.path("config"));
    }
    void init() { m_world.environment.insert("FAKE_JUDGE", "intext"); }

    void isKilledAndGoesOn_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<bool>("loads");
        QTest::newRow("while it works") << "tool-call" << false;
        QTest::newRow("with a proposal that nobody answered") << "proposal" << false;
        QTest::newRow("with one that is applied; it knows its session") << "applied" << true;
    }
    void isKilledAndGoesOn() {
        QFETCH(QString, kind);
        QFETCH(bool, loads);
        setUp(QStringList{"--file", "kernels/gate.cpp", "--judge", "120,80", "--think", "--plan"} +
              (loads ? QStringList{"--load"} : QStringList{}));
        QByteArray said;
        QCOMPARE(runUntil(tune({"--mode", "auto", "--allow", "no-sandbox"}), kind, said), -9);
        const CliOutcome outcome =
            m_world.run({"tune", m_workspace, "--continue", "--allow", "no-sandbox"}, 120'000);
        QVERIFY2(outcome.exitCode == 0, said + outcome.words());
        QVERIFY2(outcome.output.contains("rules is done: DONE: there is nothing more in my rules."),
                 outcome.words());
        QVERIFY2(gate().contains("// fake judge: times=80,"), gate());
        // What it had edited and not proposed stays in its copy: the next proposal may hold both steps.
        const std::size_t applied = events("applied").size();
        QVERIFY2(applied == 2 || (applied == 1 && kind == "tool-call"), outcome.words());
        QVERIFY(!events("usage").empty());
        // Told again without the agent.
        const CliOutcome replayed = m_world.run({"replay", trajectory()});
        QVERIFY2(replayed.exitCode == 0, replayed.words());
    }

    void beginsWithTheExpert_data() {
        QTest::addColumn<QString>("kind"); // it is killed there, and goes on
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<QString>("end");
        QTest::newRow("to the end") << "" << QStringList{} << "rules is done: DONE: I had one idea.";
        QTest::newRow("killed in the expert's part")
            << "proposal" << QStringList{} << "rules is done: DONE: I had one idea.";
        QTest::newRow("killed in the other's part")
            << "usage" << QStringList{} << "rules is done: DONE: I had one idea.";
        QTest::newRow("a budget that ends the expert's part")
            << "" << QStringList{"--iterations", "1"} << "The budget of iterations is used up: 1 of 1.";
        QTest::newRow("a budget that ends the other's part")
            << "" << QStringList{"--tokens", "120"} << "The budget of tokens is used up: ";
    }
    void beginsWithTheExpert() {
        QFETCH(QString, kind);
        QFETCH(QStringList, more);
        QFETCH(QString, end);
        setUp({"--file", "model_new.py", "--judge", "120", "--once"});
        // Slower than the expert's kernels are expected to be: else it would propose nothing.
        m_world.environment.insert("FAKE_JUDGE", "intext times=5000,9000,8000");
        QByteArray said;
        const int code =
            runUntil(tune(QStringList{"--expert-first", "--mode", "auto", "--allow", "no-sandbox"} + more),
                     kind, said);
        QCOMPARE(code, kind.isEmpty() ? 0 : -9);
        if (!kind.isEmpty())
            QCOMPARE(runUntil({"tune", m_workspace, "--continue", "--allow", "no-sandbox"}, {}, said), 0);
        said = said.simplified(); // it is wrapped
        QVERIFY2(said.contains(end.toUtf8()), said);
        QString authors;
        for (const TrajectoryEvent &event : events("proposal")) {
            const auto author = event.body.find("author");
            const QString name = author == event.body.end() ? QString() : stringIn(*author, "name");
            if (!authors.endsWith(name + QLatin1Char(' ')))
                authors += name + QLatin1Char(' ');
        }
        // Tokens end within a turn: what it had made of its part is unfinished work, and no proposal.
        QCOMPARE(authors, QString(more.isEmpty() ? "playbook rules " : "playbook "));
        if (!more.contains("--iterations"))
            QVERIFY2(said.contains("playbook has nothing more") && said.contains("rules goes on."), said);
        // Whose words they are.
        QVERIFY2(said.contains("playbook: The reference is") && !said.contains("rules: The reference is"),
                 said);
        const CliOutcome replayed = m_world.run({"replay", trajectory()});
        QVERIFY2(replayed.exitCode == 0, replayed.words());
        QVERIFY2(replayed.output.contains("playbook: The reference is"), replayed.words());
    }

    // What it had changed when the run's money was spent is in the record, and no other run can spoil it.
    void goesOnWithWhatABudgetCutOff() {
        setUp({"--file", "kernels/gate.cpp", "--judge", "120,80"});
        const CliOutcome outcome =
            m_world.run(tune({"--mode", "auto", "--allow", "no-sandbox", "--cost", "0.005"}), 120'000);
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        const QByteArray said = outcome.output.toUtf8().simplified(); // it is wrapped
        QVERIFY2(
            said.contains("run: rules had changed this, and not proposed it yet: kernels/gate.cpp (1 line "
                          "added, 1 taken away). It is kept"),
            said);
        QVERIFY2(outcome.output.contains("The budget of cost is used up"), outcome.words());
        QVERIFY2(outcome.errors.contains(m_workspace + "\" --continue --cost N, a larger budget\n"),
                 outcome.words());
        QCOMPARE(events("proposal").size(), std::size_t(0));
        QVERIFY2(gate().contains("// fake judge: times=200,"), gate());
        QVERIFY(!leftRun(m_workspace + "/.warpwright").run.isEmpty());
        const CliOutcome refused = m_world.run({"tune", m_workspace, "--continue"}, 120'000);
        QVERIFY2(
            refused.exitCode == 2 &&
                refused.errors.contains("its budget of cost is used up. Say a larger one with --continue: "
                                        "--cost N."),
            refused.words());
        const CliOutcome goesOn =
            m_world.run({"tune", m_workspace, "--continue", "--allow", "no-sandbox", "--cost", "1"}, 120'000);
        QVERIFY2(goesOn.exitCode == 0, goesOn.words());
        QVERIFY2(goesOn.output.contains("run: rules goes on with what it had changed and not proposed: "
                                        "kernels/gate.cpp (1 line"),
                 goesOn.words());
        QCOMPARE(events("applied").size(), std::size_t(1)); // both steps
        QVERIFY2(gate().contains("// fake judge: times=80,"), gate());
        QVERIFY(leftRun(m_workspace + "/.warpwright").run.isEmpty());
        QVERIFY(m_world.run({"tune", m_workspace, "--continue"}).errors.contains("Nothing to continue"));
    }

    void asksThePersonInTheTerminal() {
        setUp({"--file", "kernels/gate.cpp", "--judge", "120", "--ask"});
        QProcess process;
        process.setProcessEnvironment(m_world.environment);
        process.start(wrightProgram(), tune({"--allow", "no-sandbox"}));
        // A wrong answer, then leave; the hunk; and the second turn ends the run.
        process.write("7\n1\ny\n");
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(120'000));
        const QByteArray said = process.readAllStandardOutput();
        QVERIFY2(said.contains("rules asks to do this: Edit kernels/gate.cpp"), said);
        QVERIFY2(said.contains("  [1] Allow\n  [2] Reject\n[1] to [2], [q]uit: "), said);
        QVERIFY2(said.contains("Answer with the number of an option, or q."), said);
        QVERIFY2(process.exitCode() == 0, said + process.readAllStandardError());
        QVERIFY2(gate().contains("// fake judge: times=120,"), gate());
        const std::vector<TrajectoryEvent> answered = events("prompt-answered");
        QCOMPARE(answered.size(), std::size_t(1));
        QCOMPARE(answered.front().text("answer"), QString("Allow"));
        QCOMPARE(answered.front().text("by"), QString("person"));
    }

    void isRefused() {
        setUp({"--file", "kernels/gate.cpp", "--judge", "120", "--ask"});
        QProcess process;
        process.setProcessEnvironment(m_world.environment);
        process.start(wrightProgram(), tune({"--mode", "auto", "--allow", "no-sandbox"}));
        process.write("2\n2\n");
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(120'000));
        const QByteArray said = process.readAllStandardOutput();
        QVERIFY2(said.contains("rules changed nothing more; its last words: Then I will not."), said);
        QVERIFY2(gate().contains("// fake judge: times=200,"), gate());
    }

    void endsWhereNobodyAnswers() {
        setUp({"--file", "kernels/gate.cpp", "--judge", "120", "--ask"});
        QByteArray said;
        QCOMPARE(runUntil(tune({"--mode", "auto", "--allow", "no-sandbox"}), {}, said), 130);
        QVERIFY2(said.contains("Nobody is there to answer, and the run ends. --allow permissions allows "
                               "what it asks for."),
                 said);
        QCOMPARE(said.count("rules asks to do this"), 1);
        QVERIFY2(said.contains("[q]uit: \n"), said); // what the call came to may stand between
        QCOMPARE(events("prompt-removed").size(), std::size_t(1));
    }

    void endsWhereAPipeOnlyAnswersWrong_data() {
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<QString>("words");
        QTest::newRow("to its agent's question")
            << QStringList{"--ask"}
            << "3 answers in a row did not fit the question. Nobody is there to answer, and the run ends. "
               "--allow permissions allows what it asks for.";
        QTest::newRow("at a hunk")
            << QStringList{}
            << "3 answers in a row did not fit the question. Nobody is there to answer, "
               "and the run ends.\n";
    }
    void endsWhereAPipeOnlyAnswersWrong() {
        QFETCH(QStringList, more);
        QFETCH(QString, words);
        setUp(QStringList{"--file", "kernels/gate.cpp", "--judge", "120", "--plan"} + more);
        QProcess process;
        process.setProcessEnvironment(m_world.environment);
        process.start(wrightProgram(), tune({"--allow", "no-sandbox"}));
        process.write(QByteArray("?\n").repeated(2000));
        QVERIFY(process.waitForFinished(120'000)); // and its input is open
        const QByteArray said = process.readAllStandardOutput();
        QVERIFY2(process.exitCode() == 130 && said.contains(words.toUtf8()), said);
        QVERIFY2(said.contains("  plan: 0 of 2 done; now: edit\n"), said);
        if (more.isEmpty())
            QVERIFY2(said.contains("  n  leave it out\n"), said);
    }

    void isRefusedWhereNothingAllowsIt() {
        setUp({"--file", "kernels/gate.cpp", "--judge", "120", "--ask", "--only-no"});
        const CliOutcome outcome =
            m_world.run(tune({"--mode", "auto", "--allow", "no-sandbox", "--allow", "permissions"}), 120'000);
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        QVERIFY2(outcome.errors.contains("rules asks to do this: Edit kernels/gate.cpp\nIt was allowed "
                                         "beforehand, but none of the answers that it offers allows it. "
                                         "\"Reject\" was answered."),
                 outcome.words());
        QVERIFY2(outcome.output.contains("its last words: Then I will not."), outcome.words());
    }

    void asksNobodyWhereItIsAllowed() {
        setUp({"--file", "kernels/gate.cpp", "--judge", "120", "--ask"});
        const CliOutcome outcome =
            m_world.run(tune({"--mode", "auto", "--allow", "no-sandbox", "--allow", "permissions"}), 120'000);
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        QVERIFY2(gate().contains("// fake judge: times=120,"), gate());
        QCOMPARE(events("prompt-answered").size(), std::size_t(1));
        QCOMPARE(events("prompt-answered").front().text("by"), QString("policy"));
    }

    void saysWhatIsWrong_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("words");
        QTest::newRow("no such agent")
            << QStringList{"--agent", "acp:nobody"} << "There is no agent \"nobody\": wright agents lists";
        QTest::newRow("no name") << QStringList{"--agent", "acp"} << "--agent \"acp\" is none of acp:NAME";
        QTest::newRow("unknown leave") << QStringList{"--agent", "acp:rules", "--allow", "all"} << "all";
        QTest::newRow("not there")
            << QStringList{"--agent", "acp:gone", "--allow", "no-sandbox"}
            << "Cannot start \"no-such-program-here\": it is not there, or no program.";
    }
    void saysWhatIsWrong() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, words);
        setUp({});
        const CliOutcome added = m_world.run({"agents", "add", "gone", "--", "no-such-program-here"});
        QVERIFY2(added.exitCode == 0, added.words());
        const CliOutcome outcome = m_world.run(QStringList{"tune", m_workspace} + arguments);
        QVERIFY2(outcome.exitCode == 2 && outcome.errors.contains(words), outcome.words());
    }

    void endsABenchWhoseAgentCannotBegin_data() {
        QTest::addColumn<QString>("agent");
        QTest::addColumn<QString>("words");
        QTest::newRow("not there") << "acp:gone"
                                   << "Cannot start \"no-such-program-here\"";
        QTest::newRow("not signed in") << "acp:rules"
                                       << "Nobody is there to answer";
    }
    void endsABenchWhoseAgentCannotBegin() {
        QFETCH(QString, agent);
        QFETCH(QString, words);
        setUp({"--sign-in"});
        const CliOutcome added = m_world.run({"agents", "add", "gone", "--", "no-such-program-here"});
        QVERIFY2(added.exitCode == 0, added.words());
        QDir(m_world.path("bench")).removeRecursively();
        const CliOutcome outcome =
            m_world.run({"bench", "tasks", "adamw_update", "dice_by_class", "--agent", agent, "--device",
                         "cpu", "--json", "--small", "--out", m_world.path("bench"), "--allow", "no-sandbox"},
                        240'000);
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY2(outcome.errors.contains("no further task would get past this: ") &&
                     outcome.errors.contains(words),
                 outcome.words());
        QCOMPARE(outcome.document["tasks"].size(), std::size_t(1));
        QDir(m_world.path("bench")).removeRecursively();
    }

    void isBenchedLikeAnyAgent_data() {
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<QString>("verdict");
        QTest::addColumn<QString>("why");
        QTest::newRow("asked, and nobody there") << QStringList{} << "not-run"
                                                 << "--allow permissions allows what it asks for.";
        QTest::newRow("allowed beforehand") << QStringList{"--allow", "permissions"} << "pass"
                                            << "rules is done: DONE: I had one idea.";
    }
    void isBenchedLikeAnyAgent() {
        QFETCH(QStringList, more);
        QFETCH(QString, verdict);
        QFETCH(QString, why);
        setUp({"--file", "model_new.py", "--judge", "120", "--ask", "--once"});
        m_world.environment.insert("FAKE_JUDGE", "times=100,220,150");
        const CliOutcome outcome = m_world.run(
            QStringList{"bench", "tasks", "adamw_update", "--agent", "acp:rules", "--device", "cpu", "--json",
                        "--small", "--out", m_world.path("bench"), "--allow", "no-sandbox"} +
                more,
            240'000);
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        const OrderedJson &row = outcome.document["tasks"][0];
        QVERIFY2(stringIn(row, "verdict") == verdict && stringIn(row, "why").contains(why),
                 row.dump(2).c_str());
        if (verdict == "pass")
            QVERIFY2(row.dump().find("tokensIn") != std::string::npos, row.dump(2).c_str());
        QDir(m_world.path("bench")).removeRecursively();
    }
};

QObject *makeTestTuneAcp() {
    return new TestTuneAcp;
}
#include "tst_tune_acp.moc"
