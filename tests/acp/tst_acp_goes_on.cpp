// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/unfinished_work.h"
#include "tests/acp/acp_world.h"

#include <QTest>

using namespace warpwright;

class TestAcpGoesOn : public QObject {
    Q_OBJECT

private:
    static AnsweredProposal applied(const AcpWorld &world) {
        AnsweredProposal answered;
        answered.request = world.request;
        answered.feedback.proposal = world.end.proposal->id;
        answered.feedback.outcome = Feedback::Outcome::Applied;
        return answered;
    }

private slots:
    void takesItsSessionUpAgain_data() {
        QTest::addColumn<bool>("loads");
        QTest::newRow("it can") << true;
        QTest::newRow("it cannot, and begins anew") << false;
    }

    void takesItsSessionUpAgain() {
        QFETCH(bool, loads);
        AcpWorld world(loads ? QStringList{"--load"} : QStringList{});
        const AcpWorld::End first = world.ask();
        QVERIFY2(first.proposal, qPrintable(first.failed));
        const AnsweredProposal answered = applied(world);
        world.goOn({answered});
        world.apply(*first.proposal);
        world.deltas.clear();
        const AcpWorld::End second = world.ask();
        QVERIFY2(second.proposal, qPrintable(second.failed + second.done));
        QCOMPARE(second.proposal->title, QString("Step 2 of my rules"));
        QVERIFY(!world.deltas.contains("what was said before"));
        const std::vector<Json> sessions = world.noted("method");
        QCOMPARE(sessions.size(), std::size_t(2));
        QCOMPARE(stringIn(sessions[1], "method"), loads ? QString("session/load") : QString("session/new"));
        const QString prompt = stringIn(world.noted("prompt").at(1), "prompt");
        QVERIFY2(prompt.contains("What became of your proposal p1: Applied"), qPrintable(prompt));
        QCOMPARE(prompt.contains("Make the kernels of this workspace faster"), !loads);
    }

    void proposesAgainWhatNobodyAnswered() {
        AcpWorld world;
        const AcpWorld::End first = world.ask();
        QVERIFY2(first.proposal, qPrintable(first.failed));
        world.goOn();
        const AcpWorld::End again = world.ask();
        QVERIFY2(again.proposal, qPrintable(again.failed));
        Proposal expected = *first.proposal;
        expected.id = "p2";
        QCOMPARE(*again.proposal, expected);
        QCOMPARE(world.noted("prompt").size(), std::size_t(1)); // nobody was asked
    }

    void proposesWhatABrokenTurnHadChanged_data() {
        QTest::addColumn<QString>("how");
        QTest::addColumn<QString>("why");
        QTest::newRow("it dies") << "die"
                                 << "rules ended with exit code 7; it said: about to die";
        QTest::newRow("it refuses") << "refusal"
                                    << "rules would not go on. It said:";
        QTest::newRow("for a reason of a later protocol")
            << "napping"
            << "rules ended its turn for a reason that is not known here: \"napping\".";
        QTest::newRow("as if it had been stopped") << "cancelled"
                                                   << "rules stopped by itself";
    }

    void proposesWhatABrokenTurnHadChanged() {
        QFETCH(QString, how);
        QFETCH(QString, why);
        AcpWorld world({"--steps", "9", "--then", how});
        const AcpWorld::End end = world.ask();
        QVERIFY2(end.proposal, qPrintable(end.failed));
        QVERIFY(end.proposal->proposed.at("kernels/a.cu").contains("// time -10\n"));
        const QString said = world.messages.back().text;
        QVERIFY2(said.startsWith(why) && said.endsWith("What it had changed by then is proposed: "
                                                       "kernels/a.cu (1 line added, 1 taken away)."),
                 qPrintable(said));
        // It is asked again, as after any proposal; and not for ever.
        for (int turn = 2; turn <= 4; ++turn) {
            world.apply(*world.end.proposal);
            const AcpWorld::End next = world.ask({applied(world).feedback});
            QCOMPARE(next.proposal.has_value(), turn < 4);
        }
        QVERIFY2(world.end.failed.startsWith(why), qPrintable(world.end.failed));
    }

    // Whatever another program does to its folder meanwhile.
    void beginsWithWhatItHadNotProposed() {
        AcpWorld world({"--then", "linger"});
        const auto isEdited = [&world] {
            return !world.ended.empty();
        };
        world.begin();
        QVERIFY(QTest::qWaitFor(isEdited, 10'000));
        world.agent->cancel();
        QVERIFY(world.waitForEnd());
        QCOMPARE(world.end.failed, QString("rules was stopped."));
        QCOMPARE(
            world.messages.back().text,
            QString("rules had changed this, and not proposed it yet: kernels/a.cu (1 line added, 1 taken "
                    "away). It is kept in the record of the run, and its copy begins with it when the "
                    "run is continued."));
        QCOMPARE(unfinishedIn(world.memories.back()), std::optional(true));
        const QString folder = stringIn(world.noted("cwd").at(0), "cwd");
        QFile file(folder + "/kernels/a.cu");
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("of another run\n") > 0);
        file.close();
        world.setup.profile.arguments.removeAll("--then");
        world.setup.profile.arguments.removeAll("linger");
        world.goOn();
        const AcpWorld::End end = world.ask();
        QVERIFY2(end.proposal, qPrintable(end.failed));
        QVERIFY2(end.proposal->proposed.at("kernels/a.cu").contains("// time -10\n// time -20\n"),
                 end.proposal->proposed.at("kernels/a.cu"));
        QVERIFY(std::any_of(world.messages.begin(), world.messages.end(), [](const AgentMessage &message) {
            return message.text == "rules goes on with what it had changed and not proposed: kernels/a.cu "
                                   "(1 line added, 1 taken away).";
        }));
        QVERIFY(
            stringIn(world.noted("prompt").back(), "prompt")
                .contains("Your folder holds what you had changed before and not proposed: kernels/a.cu"));
    }

    void saysWhatDoesNotFitAnyMore() {
        AcpWorld world({"--then", "linger"});
        world.begin();
        QVERIFY(QTest::qWaitFor([&world] { return !world.ended.empty(); }, 10'000));
        world.agent->cancel();
        QVERIFY(world.waitForEnd());
        world.setup.profile.arguments.removeAll("linger");
        world.setup.profile.arguments.removeAll("--then");
        world.goOn();
        world.request.texts["kernels/a.cu"] = "line 0\nof a person\nline 2\n"; // since then
        const AcpWorld::End end = world.ask();
        QVERIFY2(end.proposal, qPrintable(end.failed));
        QVERIFY(!end.proposal->proposed.at("kernels/a.cu").contains("line 5"));
        QVERIFY(std::any_of(world.messages.begin(), world.messages.end(), [](const AgentMessage &message) {
            return message.text ==
                   "rules begins anew: the text has changed since, and what it had changed and "
                   "not proposed does not fit it any more: kernels/a.cu (1 line added, 1 taken "
                   "away).";
        }));
    }

    // Edited, and stopped before its turn was over: the edit is there when it goes on.
    void keepsWhatItHadNotProposed() {
        AcpWorld world({"--linger"});
        world.answers = [](const AgentPrompt &prompt) {
            return prompt.options.front();
        };
        world.begin();
        QVERIFY(QTest::qWaitFor([&world] { return !world.deltas.isEmpty(); }, 10'000));
        const QString folder = stringIn(world.noted("cwd").at(0), "cwd");
        QFile file(folder + "/kernels/b.cu");
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("half done\n") > 0);
        file.close();
        world.agent->cancel();
        world.setup.profile.arguments.removeAll("--linger");
        world.goOn();
        const AcpWorld::End end = world.ask();
        QVERIFY2(end.proposal, qPrintable(end.failed));
        QCOMPARE(end.proposal->proposed.at("kernels/b.cu"), QByteArray("half done\n"));
    }
};

QObject *makeTestAcpGoesOn() {
    return new TestAcpGoesOn;
}

#include "tst_acp_goes_on.moc"
