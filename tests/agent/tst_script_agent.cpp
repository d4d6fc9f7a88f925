// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/proposal_review.h"
#include "agent/script/script_agent.h"
#include "tests/toolchain/scratch.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

class TestScriptAgent : public QObject {
    Q_OBJECT

private:
    static CandidateTexts base() {
        return {{"model.py", "m\n"}, {"kernels/a.cu", "1\n2\n3\n4\n5\n6\n7\n8\n"}};
    }

    /// The next proposal, or empty with `said`.
    static std::optional<Proposal> ask(ScriptAgent &agent, const CandidateTexts &texts, QString &said) {
        std::optional<Proposal> proposal;
        int endings = 0;
        QObject context;
        QObject::connect(&agent, &Agent::proposed, &context, [&](const Proposal &made) {
            proposal = made;
            ++endings;
        });
        const auto end = [&](const QString &why) {
            said = why;
            ++endings;
        };
        QObject::connect(&agent, &Agent::done, &context, end);
        QObject::connect(&agent, &Agent::failed, &context, end);
        AgentRequest request;
        request.proposal = "p1";
        request.iteration = 3;
        request.texts = texts;
        agent.propose(request);
        if (endings != 0)
            qFatal("it answers before propose() is back");
        const bool hasEnded = QTest::qWaitFor([&] { return endings > 0; }, 1000);
        QTest::qWait(1);
        if (!hasEnded || endings != 1)
            qFatal("%d endings", endings);
        return proposal;
    }

    static QByteArray patch(const QByteArray &line, const QByteArray &becomes, int at) {
        return "Subject: [PATCH 1/2] a title\n\nthe reason\n---\n--- a/kernels/a.cu\n+++ b/kernels/a.cu\n@@ "
               "-" +
               QByteArray::number(at) + " +" + QByteArray::number(at) + " @@\n-" + line + "\n+" + becomes +
               "\n";
    }

private slots:
    void proposesOneStepAfterTheOther() {
        const Scratch scratch;
        scratch.write("01-first.patch", patch("2", "two", 2));
        scratch.write("02-second/kernels/b.cu", "b\n");
        scratch.write(
            "02-second.json",
            R"({"title": "whole files", "move": "split", "prediction": {"timeRatio": 0.5, "words": "half"}})");
        scratch.write("notes.txt", "not a step\n");
        auto agent = ScriptAgent::open(scratch.path());
        QVERIFY2(agent.hasValue(), qPrintable(agent.message()));
        QString said;
        const auto first = ask(*agent.value(), base(), said);
        QVERIFY(first);
        QCOMPARE(first->title, QString("a title"));
        QCOMPARE(first->reason, QString("the reason"));
        QCOMPARE(first->baseIteration, 3);
        QCOMPARE(first->proposed.at("kernels/a.cu"), QByteArray("1\ntwo\n3\n4\n5\n6\n7\n8\n"));
        // Rejected, and the person typed elsewhere: carried over, onto exactly what is there.
        CandidateTexts now = base();
        now["kernels/a.cu"] = "1\n2\n3\n4\n5\n6\nmine\n8\n";
        const auto second = ask(*agent.value(), now, said);
        QVERIFY(second && second->base == now);
        QCOMPARE(second->prediction.timeRatio.value_or(0), 0.5);
        QCOMPARE(second->proposed.at("kernels/a.cu"), now["kernels/a.cu"]);
        QCOMPARE(second->proposed.at("kernels/b.cu"), QByteArray("b\n"));
        QVERIFY(!ask(*agent.value(), now, said));
        QVERIFY(said.contains("All 2 steps"));
    }

    // The same patch does another thing to another machine.
    void aPredictionMayDifferByDevice_data() {
        QTest::addColumn<QString>("asked");
        QTest::addColumn<QString>("measuredOn"); // kind; empty: the text before was not measured
        QTest::addColumn<double>("ratio");
        QTest::newRow("cpu") << "cpu" << QString() << 0.6;
        QTest::newRow("cuda") << "cuda:1" << QString() << 0.97;
        QTest::newRow("auto, measured on a GPU") << "auto"
                                                 << "cuda" << 0.97;
        QTest::newRow("auto, measured on a CPU") << "auto"
                                                 << "cpu" << 0.6;
        QTest::newRow("nobody knows") << "auto" << QString() << 0.5;
    }
    void aPredictionMayDifferByDevice() {
        QFETCH(const QString, asked);
        QFETCH(const QString, measuredOn);
        QFETCH(const double, ratio);
        const Scratch scratch;
        scratch.write("01-first.patch", patch("2", "two", 2));
        scratch.write("01-first.json", R"({"prediction": {"timeRatio": 0.5, "cpu": {"timeRatio": 0.6},
                                           "cuda": {"timeRatio": 0.97, "low": 0.85, "high": 1.02}}})");
        const auto agent = ScriptAgent::open(scratch.path());
        QVERIFY2(agent.hasValue(), qPrintable(agent.message()));
        AgentRequest request;
        request.proposal = "p1";
        request.iteration = 1;
        request.texts = base();
        request.device = asked;
        if (!measuredOn.isEmpty()) {
            request.lastEvaluation = Evaluation();
            request.lastEvaluation->device = {{"kind", measuredOn.toStdString()}};
        }
        std::optional<Proposal> made;
        connect(agent.value().get(), &Agent::proposed, this,
                [&made](const Proposal &proposal) { made = proposal; });
        agent.value()->propose(request);
        QTRY_VERIFY(made);
        QCOMPARE(made->prediction.timeRatio.value_or(0), ratio);
    }

    void aPartOfAPredictionThatIsNoneIsSaid() {
        const Scratch scratch;
        scratch.write("01-first.patch", patch("2", "two", 2));
        scratch.write("01-first.json", R"({"prediction": {"cuda": 0.9}})");
        const auto agent = ScriptAgent::open(scratch.path());
        QVERIFY(!agent.hasValue());
        QVERIFY2(agent.message().contains("\"cuda\""), qPrintable(agent.message()));
    }

    // Of a lesson: what there was to learn comes when a step is decided, and before the next one.
    void tellsWhatAStepTaughtOnceItIsDecided() {
        const Scratch scratch;
        scratch.write("01-first.patch", patch("2", "two", 2));
        scratch.write("01-first.json", R"({"taught": "two is more than one"})");
        scratch.write("02-second.patch", patch("4", "four", 4));
        auto agent = ScriptAgent::open(scratch.path());
        QVERIFY2(agent.hasValue(), qPrintable(agent.message()));
        QStringList messages;
        connect(agent.value().get(), &Agent::message, this,
                [&](const AgentMessage &message) { messages << message.text; });
        QString said;
        QVERIFY(ask(*agent.value(), base(), said));
        QVERIFY2(messages.isEmpty(), qPrintable(messages.join('\n')));
        QVERIFY(ask(*agent.value(), base(), said));
        QCOMPARE(messages.size(), 1);
        QVERIFY2(messages[0].contains("Step 1 of 2") && messages[0].contains("two is more than one"),
                 qPrintable(messages[0]));
        QVERIFY(!ask(*agent.value(), base(), said)); // the second one teaches nothing
        QCOMPARE(messages.size(), 1);
    }

    void whatCannotBeCarriedOverShowsAsAConflict() {
        const Scratch scratch;
        scratch.write("01-a.patch", patch("2", "two", 2));
        scratch.write("02-b.patch", patch("two", "TWO", 2));
        auto agent = ScriptAgent::open(scratch.path());
        QString said;
        QVERIFY(ask(*agent.value(), base(), said));
        CandidateTexts now = base();
        now["kernels/a.cu"] = "1\nmine\n3\n4\n5\n6\n7\n8\n";
        const auto second = ask(*agent.value(), now, said);
        QVERIFY(second && second->base != now);
        const ProposalReview review(*second, now);
        QCOMPARE(review.count().conflict, 1);
        QVERIFY(review.texts() == now);
    }

    void aCancelEndsTheRequestOnce() {
        const Scratch scratch;
        scratch.write("01-a.patch", patch("2", "two", 2));
        auto agent = ScriptAgent::open(scratch.path());
        QSignalSpy failed(agent.value().get(), &Agent::failed);
        QSignalSpy proposed(agent.value().get(), &Agent::proposed);
        AgentRequest request;
        request.texts = base();
        agent.value()->cancel(); // nothing to cancel
        agent.value()->propose(request);
        agent.value()->cancel();
        QTest::qWait(20);
        QCOMPARE(failed.size(), 1);
        QCOMPARE(proposed.size(), 0);
        QString said;
        QVERIFY(ask(*agent.value(), base(), said)); // the same step again
    }

    void saysWhichStepIsWrong_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("no step") << "readme.txt" << QByteArray("x") << "there is no step in it";
        QTest::newRow("no patch") << "01-x.patch" << QByteArray("x\n") << "01-x.patch\": it changes no file";
        QTest::newRow("not ours") << "01-x/model.py" << QByteArray("x\n") << "holds \"model.py\"";
        QTest::newRow("an unknown word")
            << "01-x/proposal.json" << QByteArray("{\"expect\": 0.5}") << "\"expect\" is no word of a step";
        QTest::newRow("no JSON") << "01-x/proposal.json" << QByteArray("{") << "Cannot read the step";
    }
    void saysWhichStepIsWrong() {
        QFETCH(const QString, name);
        QFETCH(const QByteArray, text);
        QFETCH(const QString, said);
        const Scratch scratch;
        scratch.write(name, text);
        const auto agent = ScriptAgent::open(scratch.path());
        QVERIFY2(agent.message().contains(said), qPrintable(agent.message()));
    }

    void aStepThatFitsNowhereFails() {
        const Scratch scratch;
        scratch.write("01-a.patch", patch("nowhere", "two", 2));
        auto agent = ScriptAgent::open(scratch.path());
        QString said;
        QVERIFY(!ask(*agent.value(), base(), said));
        QVERIFY2(said.contains("\"01-a\"") && said.contains("nowhere in that file"), qPrintable(said));
    }
};

QObject *makeTestScriptAgent() {
    return new TestScriptAgent;
}

#include "tst_script_agent.moc"
