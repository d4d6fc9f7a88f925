// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/acp/acp_world.h"
#include "tests/toolchain/compare_json.h"
#include "tests/toolchain/places.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

class TestAcpRun : public QObject {
    Q_OBJECT

private:
    static Feedback applied(const QString &proposal) {
        Feedback feedback;
        feedback.proposal = proposal;
        feedback.outcome = Feedback::Outcome::Applied;
        return feedback;
    }

private slots:
    void proposesWhatItsAgentWrote_data() {
        QTest::addColumn<QString>("how");
        QTest::newRow("by the protocol") << "protocol";
        QTest::newRow("by its own hands") << "folder";
    }

    void proposesWhatItsAgentWrote() {
        QFETCH(QString, how);
        AcpWorld world({"--edit", how, "--think", "--plan"});
        const QByteArray before = world.request.texts.at("kernels/a.cu");
        const AcpWorld::End first = world.ask({}, {"begin at the top"});
        QVERIFY2(first.proposal, qPrintable(first.failed + first.done));
        QCOMPARE(first.proposal->id, QString("p1"));
        QCOMPARE(first.proposal->title, QString("Step 1 of my rules"));
        QCOMPARE(first.proposal->reason, QString("**Step 1 of my rules.**\n\nThe line 3 was slow."));
        QCOMPARE(first.proposal->author, (Author{AuthorKind::Acp, "rules"}));
        QCOMPARE(first.proposal->base, world.request.texts);
        QCOMPARE(first.proposal->proposed.at("kernels/a.cu"),
                 QByteArray(before).replace("line 2\n", "// time -10\n"));
        QCOMPARE(first.proposal->proposed.size(), world.request.texts.size());
        QCOMPARE(textOf(world.scratch.path("work/kernels/a.cu")), before);
        QCOMPARE(world.agent->identity(), (AgentIdentity{AuthorKind::Acp, "rules", "1.2"}));
        // All of what it said, thought, planned and did.
        QCOMPARE(world.deltas, first.proposal->reason);
        QCOMPARE(world.thoughts, QString("which line is slow?"));
        QCOMPARE(world.messages.front().thinking, world.thoughts);
        QCOMPARE(world.messages.back().text, first.proposal->reason);
        QVERIFY(!world.messages.back().isPartial);
        QCOMPARE(world.plan, (std::vector<PlanItem>{{"edit", "working"}, {"measure", "waiting"}}));
        QCOMPARE(world.began.size(), std::size_t(1));
        QCOMPARE(world.began.front().name, QString("Edit kernels/a.cu"));
        QCOMPARE(world.ended.size(), std::size_t(1));
        QCOMPARE(world.ended.front().outcome, QString("ok"));
        QVERIFY(world.ended.front().result.startsWith("changes "));
        AgentUsage all;
        for (const AgentUsage &more : world.usage) {
            all.tokensIn += more.tokensIn;
            all.tokensOut += more.tokensOut;
            all.cost += more.cost;
        }
        QCOMPARE(all.tokensIn, 100);
        QCOMPARE(all.tokensOut, 50);
        QCOMPARE(all.cost, 0.01);
        QCOMPARE(world.usage.front().contextLimit.value_or(0), 8000);
        const QString prompt = stringIn(world.noted("prompt").at(0), "prompt");
        QVERIFY2(prompt.contains("model.py") && prompt.contains("The person writes: begin at the top"),
                 qPrintable(prompt));

        // The next one is told what became of it, in the same session.
        world.apply(*first.proposal);
        const AcpWorld::End second = world.ask({applied("p1")});
        QVERIFY2(second.proposal, qPrintable(second.failed + second.done));
        QCOMPARE(second.proposal->proposed.at("kernels/a.cu"),
                 QByteArray(before).replace("line 2\nline 3\n", "// time -10\n// time -20\n"));
        const QString again = stringIn(world.noted("prompt").at(1), "prompt");
        QVERIFY2(again.contains("What became of your proposal p1: Applied"), qPrintable(again));
        world.apply(*second.proposal);
        const AcpWorld::End third = world.ask({applied("p2")});
        QCOMPARE(third.done, QString("rules is done: DONE: there is nothing more in my rules."));
        QCOMPARE(world.noted("method").size(), std::size_t(1));
        AgentUsage sum;
        for (const AgentUsage &more : world.usage)
            sum.tokensIn += more.tokensIn;
        QCOMPARE(sum.tokensIn, 300);
    }

    // What was rejected is gone from its folder: the next proposal does not carry it along.
    void laysItsFolderOutAnew() {
        AcpWorld world({"--edit", "folder"});
        const AcpWorld::End first = world.ask();
        QVERIFY2(first.proposal, qPrintable(first.failed));
        Feedback rejected;
        rejected.proposal = "p1";
        const AcpWorld::End second = world.ask({rejected});
        QVERIFY2(second.proposal, qPrintable(second.failed));
        QCOMPARE(second.proposal->proposed, first.proposal->proposed);
        QVERIFY(stringIn(world.noted("prompt").at(1), "prompt").contains("Not taken"));
    }

    void endsWithOneThatChangesNothing() {
        AcpWorld world({"--edit", "none"});
        const AcpWorld::End end = world.ask();
        QCOMPARE(end.done,
                 QString("rules changed nothing more; its last words: I looked, and I like it as it is."));
        QCOMPARE(world.noted("prompt").size(), std::size_t(2));
    }

    void asksItsPerson_data() {
        QTest::addColumn<QStringList>("switches");
        QTest::addColumn<QString>("answer");
        QTest::addColumn<QString>("outcome");
        const QString yes = R"({"optionId":"yes","outcome":"selected"})";
        const QString no = R"({"optionId":"no","outcome":"selected"})";
        QTest::newRow("allowed") << QStringList{"--ask"} << "Allow" << yes;
        QTest::newRow("rejected") << QStringList{"--ask"} << "Reject" << no;
        QTest::newRow("of a call named by its id") << QStringList{"--ask", "--by-id"} << "Allow" << yes;
    }

    void asksItsPerson() {
        QFETCH(QString, answer);
        QFETCH(QString, outcome);
        QFETCH(QStringList, switches);
        AcpWorld world(switches);
        world.answers = [&answer](const AgentPrompt &prompt) {
            return prompt.options.contains(answer) ? answer : prompt.options.value(0);
        };
        const AcpWorld::End end = world.ask();
        QVERIFY(!world.prompts.empty());
        const AgentPrompt &prompt = world.prompts.back();
        QCOMPARE(prompt.question, QStringLiteral("rules asks to do this: Edit kernels/a.cu") +
                                      (switches.contains("--by-id") ? "\nsed -i '1d'" : ""));
        QCOMPARE(prompt.options, QStringList({"Allow", "Reject"}));
        QCOMPARE(fromJson(world.noted("permission").at(0)["permission"].dump()), outcome);
        QCOMPARE(end.proposal.has_value(), answer == "Allow");
        QCOMPARE(world.ended.front().outcome, answer == "Allow" ? QString("ok") : QString("failed"));
    }

    void hasTheProjectsRulesInItsCopy() {
        AcpWorld world;
        world.scratch.write("work/SKILL.md", "# Mine\nalways-float4\n");
        world.scratch.write("work/AGENTS.md", "use tabs\n");
        world.scratch.write("work/CLAUDE.md", "");
        world.setup.request.folders.resources = sourceFolder("/resources");
        world.goOn();
        const AcpWorld::End first = world.ask();
        QVERIFY2(first.proposal, qPrintable(first.failed + first.done));
        const QString prompt = stringIn(world.noted("prompt").at(0), "prompt");
        QVERIFY2(prompt.contains("hold for the candidate: AGENTS.md.\n"), qPrintable(prompt));
        QVERIFY2(prompt.contains("by the workspace's own SKILL.md\n\n# Mine\nalways-float4"),
                 qPrintable(prompt));
        QVERIFY(prompt.contains("Not allowed in the candidate"));
        const QString folder = stringIn(world.noted("cwd").at(0), "cwd");
        QCOMPARE(textOf(folder + "/AGENTS.md"), QByteArray("use tabs\n"));
        QStringList said;
        for (const AgentMessage &message : world.messages)
            said << message.text;
        const QString workspace = world.scratch.path("work");
        for (const QString &words :
             {QStringLiteral("The workspace's own SKILL.md is the skill of this run."),
              "The rules of \"" + workspace + "/AGENTS.md\" are followed.",
              '"' + workspace + "/CLAUDE.md\" is empty, and is not read: the run goes on without its rules."})
            QVERIFY2(said.contains(words), qPrintable(said.join('\n')));
        // What it does to them counts for nothing.
        world.scratch.write(folder.mid(world.scratch.path().size() + 1) + "/AGENTS.md", "mine\n");
        world.apply(*first.proposal);
        const AcpWorld::End second = world.ask({applied("p1")});
        QVERIFY2(second.proposal, qPrintable(second.failed + second.done));
        QCOMPARE(second.proposal->proposed.count("AGENTS.md"), std::size_t(0));
        QCOMPARE(textOf(folder + "/AGENTS.md"), QByteArray("use tabs\n"));
    }

    void signsIn_data() {
        QTest::addColumn<QString>("when");
        QTest::addColumn<std::size_t>("prompts");
        QTest::newRow("before a session") << "session" << std::size_t(1);
        QTest::newRow("before a prompt") << "prompt" << std::size_t(2);
    }

    void signsIn() {
        QFETCH(QString, when);
        QFETCH(std::size_t, prompts);
        AcpWorld world({"--sign-in", when});
        world.answers = [](const AgentPrompt &prompt) {
            return prompt.options.front();
        };
        const AcpWorld::End end = world.ask();
        QVERIFY2(end.proposal, qPrintable(end.failed));
        QCOMPARE(world.prompts.back().options, QStringList({"With a browser", "Do not run it"}));
        QCOMPARE(stringIn(world.noted("authenticate").at(0), "authenticate"), QString("browser"));
        const std::vector<Json> prompted = world.noted("prompt");
        QCOMPARE(prompted.size(), prompts);
        COMPARE_JSON(prompted.back(), prompted.front());
        QCOMPARE(world.noted("method").size(), std::size_t(1));
    }

    void isAskedForASignInOnce_data() {
        QTest::addColumn<QString>("how");
        QTest::addColumn<QString>("way");
        QTest::newRow("its sign-in is not enough") << "never"
                                                   << "\"With a browser\"";
        QTest::newRow("it knows of no request for it") << "elsewhere"
                                                       << "\"With a browser\" (Run `rules login`)";
    }

    void isAskedForASignInOnce() {
        QFETCH(QString, how);
        QFETCH(QString, way);
        AcpWorld world({"--sign-in", how});
        world.answers = [](const AgentPrompt &prompt) {
            return prompt.options.front();
        };
        QCOMPARE(world.ask().failed,
                 QStringLiteral("rules asks for a sign-in once more, right after %1: that was not enough. "
                                "Sign in with its own program, and go on with the run.")
                     .arg(way));
        QCOMPARE(world.noted("authenticate").size(), std::size_t(1));
    }

    // As some do that have no other way: they look for it when they start.
    void signsInByACommand() {
        AcpWorld world;
        const QString file = world.scratch.write("signed-in", "");
        world.setup.writable << file; // seen from inside its sandbox
        world.setup.profile.arguments += QStringList{"--sign-in", "prompt", "--signed-in", file};
        world.goOn();
        world.answers = [&world](const AgentPrompt &prompt) {
            if (prompt.about == AgentPrompt::About::SignIn)
                world.scratch.write("signed-in", "yes");
            return prompt.options.front();
        };
        const AcpWorld::End end = world.ask();
        QVERIFY2(end.proposal, qPrintable(end.failed));
        const QString question = world.prompts.back().question;
        QVERIFY2(question.contains("\nBy a command: run this in another terminal, then choose it here: A=1 "
                                   "python3 /") &&
                     question.endsWith(" --sign-in prompt --signed-in " + file + " --login 'a b'"),
                 qPrintable(question));
        QCOMPARE(world.noted("authenticate").size(), std::size_t(0));
        QCOMPARE(world.noted("greeting").size(), std::size_t(2));
        COMPARE_JSON(world.noted("greeting").at(0)["greeting"]["clientCapabilities"]["auth"],
                     (Json{{"terminal", true}}));
    }

    void isNotRunUnlessItSignsIn() {
        AcpWorld world({"--sign-in"});
        world.answers = [](const AgentPrompt &prompt) {
            return prompt.options.back();
        };
        const AcpWorld::End end = world.ask();
        QVERIFY2(end.failed.contains("not signed in") || !AcpWorld::hasSandbox(), qPrintable(end.failed));
    }

    void runsCommandsForIt() {
        if (!AcpWorld::hasSandbox())
            QSKIP("No sandbox can be built here: commands are not run.");
        AcpWorld world({"--terminal"});
        const AcpWorld::End end = world.ask();
        QVERIFY2(end.proposal, qPrintable(end.failed));
        const Json noted = world.noted("terminal").at(0);
        QCOMPARE(stringIn(noted["terminal"], "output").trimmed(),
                 "from " + stringIn(world.noted("cwd").at(0), "cwd"));
        COMPARE_JSON(noted["end"]["exitCode"], Json(3));
        COMPARE_JSON(noted["terminal"]["exitStatus"]["exitCode"], Json(3));
        QVERIFY(noted["gone"].contains("error"));
    }

    // Through the socket out of its sandbox, by the server that the agent starts itself.
    void measuresWithOurTools() {
        AcpWorld world({"--tools", R"([["verify", {}], ["read", {"path": "kernels/a.cu"}],
            ["submit", {"title": "By a tool", "reason": "It *said* so.", "predicted_time_ratio": 0.8}]])"});
        world.measure();
        const AcpWorld::End end = world.ask();
        QVERIFY2(end.proposal, qPrintable(end.failed + end.done));
        QVERIFY(stringIn(world.noted("prompt").at(0), "prompt").contains("The MCP server \"warpwright\""));
        QVERIFY(world.noted("tools").at(0)["tools"].size() > 10);
        const std::vector<Json> called = world.noted("tool");
        QCOMPARE(called.size(), std::size_t(3));
        for (const Json &one : called)
            QVERIFY2(one["answer"].contains("result") && one["answer"]["result"]["isError"] == Json(false),
                     one.dump().c_str());
        // What was measured is what its own hands had written.
        QCOMPARE(world.measurer.asked.size(), std::size_t(1));
        QCOMPARE(world.measurer.asked.front().texts, end.proposal->proposed);
        QVERIFY(world.notes.filter("verify").size() > 0);
        QCOMPARE(end.proposal->title, QString("By a tool"));
        QCOMPARE(end.proposal->reason, QString("It *said* so."));
        QCOMPARE(end.proposal->prediction.timeRatio.value_or(0), 0.8);
        QVERIFY(end.proposal->proposed.at("kernels/a.cu").contains("// time -10"));
        // The next turn's proposal has its own name.
        world.apply(*end.proposal);
        const AcpWorld::End second = world.ask({applied("p1")});
        QVERIFY2(second.proposal, qPrintable(second.failed + second.done));
        QCOMPARE(world.measurer.asked.size(), std::size_t(2));
    }

    void goesOnAfterACutTurn() {
        AcpWorld world({"--cut", "1"});
        const AcpWorld::End end = world.ask();
        QVERIFY2(end.proposal, qPrintable(end.failed));
        QVERIFY(stringIn(world.noted("prompt").at(1), "prompt").contains("cut off"));
        QCOMPARE(world.messages.front().text,
                 QString("rules came to its own limit of tokens in this turn. It is asked to go on."));
    }
};

QObject *makeTestAcpRun() {
    return new TestAcpRun;
}

#include "tst_acp_run.moc"
