// SPDX-License-Identifier: GPL-3.0-or-later
// How the playbook begins where a text is there already.
#include "agent/playbook/playbook_agent.h"
#include "tests/playbook/test_devices.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/judge/evaluation_facts.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

/// The agent with a shell in the place of Python, which prints a recorded graph.
class TestPlaybookStart : public QObject {
    Q_OBJECT

    struct Heard {
        std::optional<Proposal> proposal;
        QString done;
        QString failed;
    };

    static PlaybookSetup setup(const Scratch &scratch, const QByteArray &script) {
        scratch.write("playbook/read_reference.py", script);
        PlaybookSetup made;
        made.interpreter = QStringLiteral("/bin/sh");
        made.resources = scratch.path();
        made.deviceRows = {withoutClusters()};
        return made;
    }
    static QByteArray printing(const QString &name) {
        return "cat " + testData("/playbook/").toUtf8() + name.toUtf8() + "-torch-2.11.json\n";
    }

    static AgentRequest request(const CandidateTexts &texts, const std::vector<Feedback> &feedback = {}) {
        AgentRequest request;
        request.device = "cpu";
        request.proposal = "p1";
        request.texts = texts;
        request.feedback = feedback;
        return request;
    }

    static Heard ask(PlaybookAgent &agent, const AgentRequest &request) {
        Heard heard;
        int endings = 0;
        QObject context;
        QObject::connect(&agent, &Agent::proposed, &context, [&](const Proposal &made) {
            heard.proposal = made;
            ++endings;
        });
        QObject::connect(&agent, &Agent::done, &context, [&](const QString &why) {
            heard.done = why;
            ++endings;
        });
        QObject::connect(&agent, &Agent::failed, &context, [&](const QString &why) {
            heard.failed = why;
            ++endings;
        });
        agent.propose(request);
        if (endings != 0)
            qFatal("it answers before propose() is back");
        const bool hasEnded = QTest::qWaitFor([&] { return endings > 0; }, 10000);
        QTest::qWait(1);
        if (!hasEnded || endings != 1)
            qFatal("%d endings", endings);
        return heard;
    }

    static const CandidateTexts &start() {
        static const CandidateTexts texts = {
            {"model.py", "m\n"}, {"model_new.py", "n\n"}, {"kernels/example.cu", "e\n"}};
        return texts;
    }
    static Evaluation passed(double microseconds) {
        Evaluation measured = emptyEvaluation({});
        measured.verdict = Verdict::Pass;
        measured.device = OrderedJson{{"kind", "cpu"}, {"name", "A machine"}};
        measured.profile = OrderedJson{{"status", "passed"},
                                       {"arms",
                                        {{"candidate",
                                          {{"medianMicroseconds", microseconds},
                                           {"lowMicroseconds", microseconds * 0.99},
                                           {"highMicroseconds", microseconds * 1.01}}}}}};
        return measured;
    }

    static Feedback taken() { return {QStringLiteral("p1"), Feedback::Outcome::Applied, {}, {}, {}}; }

private slots:
    // Its remaining texts replace the whole forward as well: they come only if the person asks for it.
    void anIdeaThatAPersonRejectedComesOnlyIfAskedFor() {
        const Scratch scratch;
        Feedback rejected{QStringLiteral("p1"), Feedback::Outcome::Rejected, {}, {}, {}};
        rejected.hunks = {AnsweredHunk{"a", 1, HunkState::Rejected, {}, {}, {}, {}},
                          AnsweredHunk{"a", 2, HunkState::Rejected, "Too much at once", {}, {}, {}}};
        for (const bool isWanted : {true, false}) {
            PlaybookSetup followed = setup(scratch, printing("softmax-rows"));
            followed.asksPerson = true;
            PlaybookAgent agent(followed);
            QStringList questions;
            connect(&agent, &Agent::prompted, this, [&](const AgentPrompt &prompt) {
                questions << prompt.question;
                agent.answerPrompt(prompt.id, prompt.options.at(isWanted ? 0 : 1));
            });
            const Heard first = ask(agent, request(start()));
            QVERIFY2(first.proposal, qPrintable(first.failed + first.done));
            QVERIFY(questions.isEmpty());
            const Heard next = ask(agent, request(start(), {rejected}));
            QCOMPARE(questions.size(), 1);
            QVERIFY2(questions[0].contains(first.proposal->title) &&
                         questions[0].contains("Too much at once."),
                     qPrintable(questions[0]));
            QCOMPARE(next.proposal.has_value(), isWanted);
            if (isWanted)
                QVERIFY(next.proposal->title != first.proposal->title);
            else
                QVERIFY2(next.done.contains("nothing was changed"), qPrintable(next.done));
        }
        PlaybookAgent alone(setup(scratch, printing("softmax-rows")));
        QVERIFY(ask(alone, request(start())).proposal);
        const Heard ended = ask(alone, request(start(), {rejected}));
        QVERIFY2(!ended.proposal && ended.done.contains("nothing more in this run"), qPrintable(ended.done));
        // Rejected without a reason: it may have been a detail of the first text, so the next one is tried.
        PlaybookAgent unasked(setup(scratch, printing("softmax-rows")));
        QVERIFY(ask(unasked, request(start())).proposal);
        rejected.hunks[1].reason.clear();
        QVERIFY(ask(unasked, request(start(), {rejected})).proposal);
    }

    // The current text is faster than every first text by prediction: alone it says so, with a person it
    // asks.
    void proposesNothingSlowerUnasked() {
        const Scratch scratch;
        PlaybookSetup alone = setup(scratch, printing("softmax-rows"));
        alone.pace = PlaybookPace::AllAtOnce;
        AgentRequest asked = request(start());
        asked.iteration = 3;
        asked.lastEvaluation = passed(1);
        PlaybookAgent unseen(alone);
        QSignalSpy said(&unseen, &Agent::message);
        const Heard heard = ask(unseen, asked);
        QVERIFY(!heard.proposal);
        QVERIFY2(heard.done.contains("slower than your text (1.000 µs)") &&
                     heard.done.contains("nothing was changed"),
                 qPrintable(heard.done + heard.failed));
        QVERIFY(said.count() > 0);
        QVERIFY2(said[0][0].value<AgentMessage>().text.contains("stays iteration 3"),
                 qPrintable(said[0][0].value<AgentMessage>().text));

        for (const bool isWanted : {true, false}) {
            PlaybookSetup followed = setup(scratch, printing("softmax-rows"));
            followed.asksPerson = true;
            PlaybookAgent agent(followed);
            connect(&agent, &Agent::prompted, this, [&agent, isWanted](const AgentPrompt &prompt) {
                QVERIFY(prompt.question.contains("slower than your text"));
                QCOMPARE(prompt.options.size(), 2);
                agent.answerPrompt(prompt.id, prompt.options.at(isWanted ? 0 : 1));
            });
            const Heard answered = ask(agent, asked);
            QCOMPARE(answered.proposal.has_value(), isWanted);
            if (isWanted)
                QCOMPARE(answered.proposal->move, QString("fuse"));
            else
                QVERIFY2(answered.done.contains("You left your text as it is"), qPrintable(answered.done));
        }
        // Where the current text is slow enough it begins with the plain text, one move at a time.
        asked.lastEvaluation = passed(1e9);
        PlaybookAgent agent(setup(scratch, printing("softmax-rows")));
        QVERIFY(ask(agent, asked).proposal->reason.contains("plain"));
    }

    // The announced prediction is the one that the card and the ledger compare with the measurement, or none.
    void whatItExpectsIsAPromise() {
        const Scratch scratch;
        AgentRequest asked = request(start());
        PlaybookAgent untimed(setup(scratch, printing("softmax-rows")));
        const Prediction none = ask(untimed, asked).proposal->prediction;
        QVERIFY(!none.timeRatio && none.words.isEmpty());
        asked.iteration = 3;
        asked.lastEvaluation = passed(1e9);
        asked.lastEvaluation->verdict = Verdict::Inconclusive;
        PlaybookAgent undecided(setup(scratch, printing("softmax-rows")));
        const Prediction promised = ask(undecided, asked).proposal->prediction;
        QVERIFY2(promised.words.startsWith("about "), qPrintable(promised.words));
        QVERIFY(promised.timeRatio && *promised.timeRatio < 1);
    }

    void goesOnFromItsOwnText() {
        const Scratch scratch;
        PlaybookAgent first(setup(scratch, printing("softmax-rows")));
        const Proposal begun = *ask(first, request(start())).proposal;
        const Proposal moved = *ask(first, request(begun.proposed, {taken()})).proposal;
        AgentRequest asked = request(moved.proposed);
        asked.iteration = 3;
        const auto record = [](int number, const Author &author, const QString &note) {
            IterationRecord made;
            made.iteration.number = number;
            made.iteration.parent = number - 1;
            made.iteration.author = author;
            made.iteration.note = note;
            return made;
        };
        asked.history = {record(1, {}, {}), record(2, begun.author, begun.title),
                         record(3, moved.author, moved.title)};
        PlaybookAgent later(setup(scratch, printing("softmax-rows")));
        QSignalSpy said(&later, &Agent::message);
        const Heard heard = ask(later, asked);
        QVERIFY2(heard.proposal, qPrintable(heard.done + heard.failed));
        QVERIFY(heard.proposal->move != QLatin1String("fuse") && heard.proposal->title != moved.title);
        QVERIFY(said[0][0].value<AgentMessage>().text.contains("is mine"));
        // Edited by a person since, the text is theirs.
        asked.texts["model_new.py"] += "# mine\n";
        PlaybookAgent another(setup(scratch, printing("softmax-rows")));
        QCOMPARE(ask(another, asked).proposal->move, QString("fuse"));
    }

    // The new kernel was accepted and its call was not: nothing is built on it.
    void buildsNothingOnAKernelThatIsNotCalled() {
        const Scratch scratch;
        PlaybookAgent agent(setup(scratch, printing("softmax-rows")));
        ask(agent, request(start()));
        QSignalSpy planned(&agent, &Agent::planChanged);
        Feedback part = taken();
        part.uncalled = {QStringLiteral("fused_rows")};
        const Heard next = ask(agent, request(start(), {part}));
        QVERIFY(planned.count() > 0);
        const auto items = planned.last()[0].value<std::vector<PlanItem>>();
        QCOMPARE(items.front().state, QString("dropped"));
        QVERIFY2(items.front().text.contains("the new kernel is not called (fused_rows)"),
                 qPrintable(items.front().text));
        // Whatever it proposes next calls its kernels itself.
        QVERIFY(!next.proposal || next.proposal->proposed.at("model_new.py").contains("fused_rows"));
    }
};

QObject *makeTestPlaybookStart() {
    return new TestPlaybookStart;
}

#include "tst_playbook_start.moc"
