// SPDX-License-Identifier: GPL-3.0-or-later
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
