// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/acp/acp_world.h"
#include "tests/toolchain/compare_json.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTest>

using namespace warpwright;

class TestAcpBadLuck : public QObject {
    Q_OBJECT

private:
    /// The program itself: a python3 in PATH may be a script that looks for it in PATH.
    static QString interpreter() {
        QProcess process;
        process.start("python3", {"-c", "import sys; print(sys.executable)"});
        process.waitForFinished(20'000);
        return QString::fromLocal8Bit(process.readAllStandardOutput()).trimmed();
    }

private slots:
    void saysWhatWentWrong_data() {
        QTest::addColumn<QStringList>("switches");
        QTest::addColumn<QString>("words");
        QTest::newRow("dies when greeted")
            << QStringList{"--die", "initialize"} << "rules ended with exit code 7; it said: about to die";
        QTest::newRow("dies when a session is opened")
            << QStringList{"--die", "session/new"} << "rules ended with exit code 7; it said: about to die";
        QTest::newRow("dies in its turn") << QStringList{"--die", "session/prompt"}
                                          << "rules ended with exit code 7; it said: about to die";
        QTest::newRow("is killed") << QStringList{"--die", "session/prompt", "--signal", "11"} << "(SIGSEGV)";
        QTest::newRow("version 0") << QStringList{"--version", "0"}
                                   << "rules speaks version 0 of the Agent Client Protocol, and this program "
                                      "version 1. Update the older of the two.";
        QTest::newRow("does not like what it is sent")
            << QStringList{"--no-session",
                           R"([{"path":["mcpServers",0,"env"],"message":"expected array"},"and more"])"}
            << "rules opened no session: Invalid params (mcpServers.0.env: expected array; and more).";
        QTest::newRow("another version") << QStringList{"--version", "2"}
                                         << "rules speaks version 2 of the Agent Client Protocol, and this "
                                            "program version 1. Update the older of "
                                            "the two.";
        QTest::newRow("no JSON") << QStringList{"--no-json"}
                                 << "rules does not speak the Agent Client Protocol: it prints \"Welcome! "
                                    "Type a message to begin.\". Its "
                                    "command may lack a word that turns the protocol on (--acp, acp).";
        QTest::newRow("refuses")
            << QStringList{"--refuse"}
            << "rules would not go on. It said: I would rather not. Say it otherwise in a "
               "message, or take another agent.";
        QTest::newRow("cut off twice")
            << QStringList{"--cut", "9"}
            << "rules came to its limit of tokens twice, and changed nothing. Give it more "
               "in its own settings, or take another agent.";
    }

    void saysWhatWentWrong() {
        QFETCH(QStringList, switches);
        QFETCH(QString, words);
        AcpWorld world(switches);
        const QString failed = world.ask().failed;
        QVERIFY2(words.startsWith('(') ? failed.contains(words) : failed == words, qPrintable(failed));
    }

    void putsRightWhatIsNoCandidate_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("words");
        QTest::newRow("too many files") << "many"
                                        << "kernels/ holds 2003 files, and a candidate has at most 2000.";
        QTest::newRow("a name with a line end") << "odd"
                                                << "The name \"kernels/od d.cu\" would not count";
    }

    void putsRightWhatIsNoCandidate() {
        QFETCH(QString, what);
        QFETCH(QString, words);
        AcpWorld world({"--clutter", what});
        const AcpWorld::End end = world.ask();
        QVERIFY2(end.proposal, qPrintable(end.failed));
        QCOMPARE(end.proposal->proposed.size(), world.request.texts.size());
        const QString prompt = stringIn(world.noted("prompt").at(1), "prompt");
        QVERIFY2(prompt.contains(words), qPrintable(prompt));
        const auto isTold = [&words](const AgentMessage &message) {
            return message.text.contains(words);
        };
        QVERIFY(std::any_of(world.messages.begin(), world.messages.end(), isTold));
    }

    void isToldWhatWasPutBack() {
        AcpWorld world({"--protected", "--edit", "none"});
        QVERIFY(!world.ask().done.isEmpty());
        const QString prompt = stringIn(world.noted("prompt").at(1), "prompt");
        QVERIFY2(prompt.contains("What you changed besides was undone:\n- model.py was changed: it is the "
                                 "task's own, and was put back\nOnly what"),
                 qPrintable(prompt));
    }

    void doesNotStart() {
        AcpWorld world;
        world.setup.profile = {"gemini", "no-such-program-here", {"--acp"}, {}, Json::object()};
        world.goOn();
        QCOMPARE(
            world.ask().failed,
            QString(
                "Cannot start \"no-such-program-here\": it is not there, or no program. Install it, or set "
                "another command: wright agents add gemini -- COMMAND."));
    }

    void doesNotAnswer() {
        AcpWorld world;
        world.setup.profile.command = "sleep";
        world.setup.profile.arguments = QStringList{"60"};
        world.setup.patience.greetingMs = 1000;
        world.goOn();
        QCOMPARE(world.ask().failed, QString("rules has not answered for 1 s."));
    }

    void readsAFloodOfErrors() {
        AcpWorld world({"--flood", "20000000", "--die", "session/prompt"});
        const QString failed = world.ask().failed;
        QVERIFY2(failed.endsWith("about to die") && failed.size() < 600, qPrintable(failed));
    }

    void takesALongMessage() {
        AcpWorld world({"--big", "2000000"});
        const AcpWorld::End end = world.ask();
        QVERIFY2(end.proposal, qPrintable(end.failed));
        QCOMPARE(world.messages.front().text.size(), 2'000'000);
    }

    void isStoppedWhileItAsks() {
        AcpWorld world({"--ask"});
        world.answers = [](const AgentPrompt &prompt) {
            return prompt.options.contains("Allow") ? QString() : prompt.options.value(0);
        };
        // The question is there, and the person stops instead of answering.
        world.answers = {};
        world.begin();
        QVERIFY(QTest::qWaitFor([&world] { return !world.prompts.empty(); }, 10'000));
        if (!world.prompts.back().options.contains("Allow")) {
            world.agent->answerPrompt(world.prompts.back().id, world.prompts.back().options.front());
            QVERIFY(QTest::qWaitFor([&world] { return world.prompts.size() > 1; }, 10'000));
        }
        world.agent->cancel();
        QVERIFY(world.waitForEnd(1000));
        QCOMPARE(world.end.failed, QString("rules was stopped."));
        QVERIFY(QTest::qWaitFor([&world] { return !world.noted("permission").empty(); }, 5000));
        QCOMPARE(stringIn(world.noted("permission").at(0)["permission"], "outcome"), QString("cancelled"));
        QTest::qWait(50);
        QCOMPARE(world.endings, 1);
        QVERIFY(world.agent->processId() != 0);
        QCOMPARE(world.ended.front().outcome, QString("cancelled"));
        // It lives, and takes the next request.
        world.answers = [](const AgentPrompt &prompt) {
            return prompt.options.front();
        };
        QVERIFY(world.ask().proposal);
    }

    void isEndedWhereItIgnoresAStop() {
        AcpWorld world({"--linger", "--ignore-cancel"});
        world.answers = [](const AgentPrompt &prompt) {
            return prompt.options.front();
        };
        world.begin();
        QVERIFY(QTest::qWaitFor([&world] { return !world.deltas.isEmpty(); }, 10'000));
        const qint64 pid = world.agent->processId();
        QVERIFY(isAlive(pid));
        QElapsedTimer clock;
        clock.start();
        world.agent->cancel();
        QVERIFY(clock.elapsed() < 50);
        QVERIFY(world.waitForEnd(1000));
        QCOMPARE(world.end.failed, QString("rules was stopped."));
        QVERIFY(world.messages.back().isPartial);
        QVERIFY(QTest::qWaitFor([pid] { return !isAlive(pid); }, 5000));
        QCOMPARE(world.agent->processId(), 0);
        QCOMPARE(world.endings, 1);
    }

    void isKilledWithItsOwner() {
        AcpWorld world({"--linger"});
        world.answers = [](const AgentPrompt &prompt) {
            return prompt.options.front();
        };
        world.begin();
        QVERIFY(QTest::qWaitFor([&world] { return !world.deltas.isEmpty(); }, 10'000));
        const qint64 pid = world.agent->processId();
        world.agent.reset();
        QVERIFY(QTest::qWaitFor([pid] { return !isAlive(pid); }, 5000));
    }

    void writesOnlyIntoItsFolder() {
        AcpWorld world;
        const QString outside = world.scratch.path("work/kernels/a.cu"); // the person's own
        const QByteArray before = textOf(outside);
        world.setup.profile.arguments += QStringList{"--outside", outside};
        world.goOn();
        world.answers = [](const AgentPrompt &prompt) {
            return prompt.options.front();
        };
        const AcpWorld::End end = world.ask();
        QVERIFY2(end.proposal, qPrintable(end.failed));
        const Json noted = world.noted("outside").at(0);
        for (const Json &answer : noted["outside"])
            QVERIFY2(answer.contains("error"), answer.dump().c_str());
        QVERIFY(stringIn(noted["outside"][0]["error"], "message").contains("it is not in the work folder"));
        QVERIFY(stringIn(noted["outside"][2]["error"], "message").contains("\"model.py\" is the task's own"));
        QVERIFY(noted["read"].contains("error"));
        QVERIFY(
            stringIn(noted["itself"]["error"], "message").contains("it is the work folder itself, and no"));
        QCOMPARE(end.proposal->proposed.at("model.py"), world.request.texts.at("model.py"));
        if (!AcpWorld::hasSandbox())
            QSKIP("No sandbox can be built here: its own hands reach everywhere.");
        COMPARE_JSON(world.noted("wrote").at(0)["wrote"], Json(false));
        QVERIFY2(stringIn(world.noted("wrote").at(0), "why").contains("Read-only"),
                 qPrintable(stringIn(world.noted("wrote").at(0), "why")));
        QCOMPARE(textOf(outside), before);
    }

    void putsTheTasksFilesBack() {
        AcpWorld world({"--protected"});
        const AcpWorld::End end = world.ask();
        QVERIFY2(end.proposal, qPrintable(end.failed));
        QCOMPARE(end.proposal->proposed.at("model.py"), world.request.texts.at("model.py"));
        const bool isTold =
            std::any_of(world.messages.begin(), world.messages.end(), [](const AgentMessage &message) {
                return message.role == AgentMessage::Role::System &&
                       message.text.contains("model.py was changed");
            });
        QVERIFY(isTold);
    }

    void asksBeforeItRunsWithoutASandbox_data() {
        QTest::addColumn<bool>("isAllowed");
        QTest::newRow("allowed") << true;
        QTest::newRow("not allowed") << false;
    }

    void asksBeforeItRunsWithoutASandbox() {
        QFETCH(bool, isAllowed);
        // Where bubblewrap is not there.
        const Scratch empty;
        const QByteArray path = qgetenv("PATH");
        empty.write("bin/none", "");
        const QString python = interpreter(); // before PATH leads nowhere
        AcpWorld world({"--terminal"});
        world.setup.profile.command = python;
        world.goOn();
        world.answers = [isAllowed](const AgentPrompt &prompt) {
            return isAllowed ? prompt.options.front() : prompt.options.back();
        };
        qputenv("PATH", QFile::encodeName(empty.path("bin")));
        const AcpWorld::End end = world.ask();
        qputenv("PATH", path);
        QCOMPARE(world.prompts.size(), std::size_t(1));
        QCOMPARE(
            world.prompts.front().question,
            QString(
                "No sandbox can be built around rules: bubblewrap is not installed (apt install bubblewrap). "
                "Run it without one? It could then change your workspace, and what measures it, without "
                "asking."));
        QVERIFY2(end.proposal.has_value() == isAllowed, qPrintable(end.failed + end.done));
        if (!isAllowed) {
            QCOMPARE(end.failed,
                     QString("rules was not run: no sandbox can be built around it (bubblewrap is not "
                             "installed (apt install bubblewrap))."));
            return;
        }
        QVERIFY(world.messages.front().text.startsWith("rules runs without a sandbox, as you allowed"));
        QVERIFY(world.noted("terminal").at(0)["terminal"].contains("message")); // no commands by us
    }
};

QObject *makeTestAcpBadLuck() {
    return new TestAcpBadLuck;
}

#include "tst_acp_bad_luck.moc"
