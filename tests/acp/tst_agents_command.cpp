// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/acp_profile.h"
#include "tests/toolchain/compare_json.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/base/json.h"

#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

using namespace warpwright;

/// `wright agents`, as a process.
class TestAgentsCommand : public QObject {
    Q_OBJECT

private:
    struct Said {
        int exitCode = -1;
        QString output;
        QString errors;
    };
    static Said run(const Scratch &scratch, const QStringList &arguments) {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_CONFIG_HOME", scratch.path("config"));
        environment.insert("PATH", scratch.path("bin"));
        process.setProcessEnvironment(environment);
        process.setStandardInputFile(QProcess::nullDevice());
        process.start(wrightProgram(), QStringList{"agents"} + arguments);
        if (!process.waitForFinished(20'000))
            return {};
        return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
                QString::fromUtf8(process.readAllStandardError())};
    }

    static Json named(const QString &output, const char *name) {
        const Json json = parseJson(output.toUtf8()).value();
        for (const Json &agent : json["agents"])
            if (agent["name"] == Json(name))
                return agent;
        return {};
    }

private slots:
    void tellsWhichAreThere() {
        const Scratch scratch;
        scratch.writeProgram("bin/gemini", "#!/bin/sh\n");
        const Said said = run(scratch, {});
        QCOMPARE(said.exitCode, 0);
        static const QRegularExpression gemini("gemini +Gemini CLI +gemini --acp +found");
        QVERIFY2(gemini.match(said.output).hasMatch(), qPrintable(said.output));
        QVERIFY2(said.output.contains("not installed: npm install -g @agentclientprotocol/claude-agent-acp"),
                 qPrintable(said.output));
        const Said json = run(scratch, {"--json"});
        QCOMPARE(stringIn(named(json.output, "gemini"), "program"), scratch.path("bin/gemini"));
        COMPARE_JSON(named(json.output, "codex")["program"], Json());
    }

    void setsOneUpAndForgetsIt() {
        const Scratch scratch;
        const Said added =
            run(scratch, {"add", "mine", "--env", "A=b=c", "--", "/opt/mine", "acp", "--fast"});
        QCOMPARE(added.exitCode, 0);
        QCOMPARE(added.output,
                 QString("\"mine\" is set up: wright tune --agent acp:mine\nIts command \"/opt/mine\" is "
                         "not there yet.\n"));
        const Json mine = named(run(scratch, {"--json"}).output, "mine");
        COMPARE_JSON(mine["arguments"], Json::array({"acp", "--fast"}));
        COMPARE_JSON(mine["environment"], (Json{{"A", "b=c"}}));
        COMPARE_JSON(mine["isSetUp"], Json(true));
        QCOMPARE(run(scratch, {"remove", "mine"}).exitCode, 0);
        QVERIFY(named(run(scratch, {"--json"}).output, "mine").is_null());
        const Said again = run(scratch, {"remove", "mine"});
        QCOMPARE(again.exitCode, 2);
        QCOMPARE(again.errors,
                 QString("There is no agent \"mine\" that is set up: wright agents lists them.\n"));
    }

    void takesNoKeyInTheOpen_data() {
        QTest::addColumn<QString>("variable");
        QTest::addColumn<bool>("isTaken");
        QTest::newRow("a key") << "ANTHROPIC_API_KEY=sk-MARKED-0123" << false;
        QTest::newRow("a token") << "GITHUB_TOKEN=MARKED-0123" << false;
        QTest::newRow("small letters") << "my_password=MARKED-0123" << false;
        QTest::newRow("of a variable") << "ANTHROPIC_API_KEY=$MY_KEY" << true;
        QTest::newRow("a limit") << "MAX_THINKING_TOKENS=8000" << true;
        QTest::newRow("a file") << "SSH_KEY=/home/me/id" << true;
        QTest::newRow("another word") << "MODE=MARKED-0123" << true;
    }

    void takesNoKeyInTheOpen() {
        QFETCH(QString, variable);
        QFETCH(bool, isTaken);
        const Scratch scratch;
        const Said added = run(scratch, {"add", "mine", "--env", variable, "--", "/usr/bin/true"});
        QCOMPARE(added.exitCode, isTaken ? 0 : 2);
        const QString name = variable.section('=', 0, 0);
        if (!isTaken)
            QVERIFY2(added.errors.contains(name + " looks like a key") &&
                         added.errors.contains(name + "=$OTHER") && !added.errors.contains("MARKED"),
                     qPrintable(added.errors));
        // One of before is read, with a word.
        const QByteArray before =
            dumpJson(Json{{"agents",
                           {{{"name", "old"},
                             {"command", "/usr/bin/true"},
                             {"environment", {{toJson(name), toJson(variable.section('=', 1))}}}}}}});
        scratch.write("config/warpwright/agents.json", before);
        const Said listed = run(scratch, {});
        QCOMPARE(listed.exitCode, 0);
        QVERIFY2(listed.output.contains("old"), qPrintable(listed.output));
        QCOMPARE(listed.errors.contains("looks like a key"), !isTaken);
    }

    void handsOverWhatAVariableHolds() {
        AcpProfile profile{"a", "x", {}, {{"KEY", "$MY_KEY"}, {"B", "$ 5"}}, Json::object()};
        QProcessEnvironment ours;
        QVERIFY(
            environmentOf(profile, ours).message().contains("environment variable MY_KEY, which is not set"));
        ours.insert("MY_KEY", "sk-1");
        QCOMPARE(environmentOf(profile, ours).value(),
                 (QMap<QString, QString>{{"KEY", "sk-1"}, {"B", "$ 5"}}));
    }

    void triesOneOut_data() {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("words");
        const QString agent = sourceFolder("/tests/tools/acp_agent/acp_agent.py");
        QTest::newRow("works") << QStringList{"/usr/bin/python3", agent} << 0
                               << "Rules 1.2 answers and opens a session.";
        QTest::newRow("wants a sign-in")
            << QStringList{"/usr/bin/python3", agent, "--sign-in"} << 1
            << "Rules 1.2 answers, and wants you to sign in first (With a browser).";
        QTest::newRow("dies") << QStringList{"/usr/bin/python3", agent, "--die", "session/new"} << 1
                              << "mine ended with exit code 7; it said: about to die";
        QTest::newRow("is not there")
            << QStringList{"/opt/nowhere"} << 1 << "There is no command \"/opt/nowhere\"";
    }

    void triesOneOut() {
        QFETCH(QStringList, command);
        QFETCH(int, exitCode);
        QFETCH(QString, words);
        const Scratch scratch;
        QCOMPARE(run(scratch, QStringList{"add", "mine", "--"} + command).exitCode, 0);
        const Said said = run(scratch, {"try", "mine"});
        QVERIFY2(said.exitCode == exitCode && said.output.contains(words),
                 qPrintable(said.output + said.errors));
        const Said json = run(scratch, {"--json", "try", "mine"});
        COMPARE_JSON(parseJson(json.output.toUtf8()).value()["works"], Json(exitCode == 0));
        QCOMPARE(run(scratch, {"try", "nobody"}).exitCode, 2);
    }

    void refuses_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("words");
        QTest::newRow("a bad name") << QStringList{"add", "a b", "--", "x"} << "is not made of letters";
        QTest::newRow("no command") << QStringList{"add", "a"} << "COMMAND";
        QTest::newRow("a relative command")
            << QStringList{"add", "a", "--", "bin/x"} << "nor an absolute path";
        QTest::newRow("no variable") << QStringList{"add", "a", "--env", "X", "--", "x"}
                                     << "is not NAME=VALUE";
    }

    void refuses() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, words);
        const Scratch scratch;
        const Said said = run(scratch, arguments);
        QCOMPARE(said.exitCode, 2);
        QVERIFY2(said.errors.contains(words), qPrintable(said.errors));
        QVERIFY(!QFileInfo::exists(scratch.path("config/warpwright/agents.json")));
    }
};

QObject *makeTestAgentsCommand() {
    return new TestAgentsCommand;
}

#include "tst_agents_command.moc"
