// SPDX-License-Identifier: GPL-3.0-or-later
// A resumed run of the playbook: its record brings it to the state it was in, wherever it was cut.
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/playbook_agent.h"
#include "agent/review/proposal_review.h"
#include "tests/playbook/recorded_graph.h"
#include "tests/playbook/test_devices.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/judge/evaluation_facts.h"

#include <QSignalSpy>
#include <QTest>
#include <QThreadPool>

#include <functional>

using namespace warpwright;

namespace {

struct Heard {
    std::optional<Proposal> proposal;
    QString why; ///< it ended
    QStringList said;
    QStringList program;
};

/// The answer of a check, or of a person, to a proposal, by its number and its content.
using Answering = std::function<Feedback(std::size_t, const Proposal &)>;

/// One run: its requests, its proposals, and the answers to them.
struct Run {
    std::vector<AnsweredProposal> answered;
    std::vector<Proposal> proposals;
    std::vector<QByteArray> tablesBefore, tablesAfter; ///< the measurements when the next was asked for
    QString end;
};

} // namespace

class TestPlaybookRecall : public QObject {
    Q_OBJECT

    /// A shell in the place of Python, which prints a recorded graph; a table of measurements of its own.
    static PlaybookSetup setup(const Scratch &scratch, const QString &graph, PlaybookPace pace) {
        scratch.write("playbook/read_reference.py",
                      "cat " + testData("/playbook/").toUtf8() + graph.toUtf8() + "-torch-2.11.json\n");
        PlaybookSetup made;
        made.interpreter = QStringLiteral("/bin/sh");
        made.resources = scratch.path();
        made.deviceRows = {withoutClusters()};
        made.pace = pace;
        made.measurementsFile = scratch.path() + "/measurements.jsonl";
        return made;
    }

    static Heard ask(PlaybookAgent &agent, const AgentRequest &request) {
        Heard heard;
        bool hasEnded = false;
        QObject context;
        QObject::connect(&agent, &Agent::proposed, &context, [&](const Proposal &made) {
            heard.proposal = made;
            hasEnded = true;
        });
        const auto end = [&](const QString &why) {
            heard.why = why;
            hasEnded = true;
        };
        QObject::connect(&agent, &Agent::done, &context, end);
        QObject::connect(&agent, &Agent::failed, &context, end);
        QObject::connect(&agent, &Agent::message, &context,
                         [&](const AgentMessage &message) { heard.said << message.text; });
        QObject::connect(&agent, &Agent::planChanged, &context, [&](const std::vector<PlanItem> &items) {
            heard.program.clear();
            for (const PlanItem &item : items)
                heard.program << item.text + ": " + item.state;
        });
        agent.propose(request);
        if (!QTest::qWaitFor([&] { return hasEnded; }, 20000))
            qFatal("it does not answer");
        return heard;
    }

    static AgentRequest request(const CandidateTexts &texts, const std::vector<Feedback> &feedback = {}) {
        AgentRequest made;
        made.device = "cpu";
        made.proposal = "p1";
        made.texts = texts;
        made.feedback = feedback;
        made.lastEvaluation = emptyEvaluation({});
        made.lastEvaluation->device = OrderedJson{{"kind", "cpu"}, {"name", "A machine"}};
        return made;
    }

    static const CandidateTexts &start() {
        static const CandidateTexts texts = {
            {"model.py", "m\n"}, {"model_new.py", "n\n"}, {"kernels/example.cu", "e\n"}};
        return texts;
    }

    static AnsweredProposal recorded(const AgentRequest &asked, const Proposal &made, const Feedback &told,
                                     const QDateTime &since) {
        AnsweredProposal one;
        one.request = asked;
        one.request.feedback.clear();
        one.since = since;
        one.title = made.title;
        one.resultHash = textHashOf(ProposalReview(made, made.base).textsAccepted());
        one.feedback = told;
        return one;
    }

    static QByteArray tableOf(const PlaybookSetup &setup) {
        QThreadPool::globalInstance()->waitForDone();
        return QFile::exists(setup.measurementsFile) ? textOf(setup.measurementsFile) : QByteArray();
    }

    static Run run(const PlaybookSetup &setup, const Answering &answer) {
        Run done;
        PlaybookAgent agent(setup);
        const QDateTime since = QDateTime::currentDateTimeUtc();
        QTest::qWait(2); // what it measures is later than that
        AgentRequest asked = request(start());
        while (done.proposals.size() < 10) {
            done.tablesBefore.push_back(tableOf(setup));
            const Heard heard = ask(agent, asked);
            done.tablesAfter.push_back(tableOf(setup));
            done.end = heard.why;
            if (!heard.proposal)
                break;
            const Feedback told = answer(done.proposals.size(), *heard.proposal);
            done.answered.push_back(recorded(asked, *heard.proposal, told, since));
            done.proposals.push_back(*heard.proposal);
            asked = request(
                told.outcome == Feedback::Outcome::Applied ? heard.proposal->proposed : asked.texts, {told});
        }
        return done;
    }

    static CandidateTexts textsAfter(const Run &run, std::size_t count) {
        CandidateTexts texts = start();
        for (std::size_t i = 0; i < count; ++i)
            if (run.answered[i].feedback.outcome == Feedback::Outcome::Applied)
                texts = run.proposals[i].proposed;
        return texts;
    }

    static Feedback told(Feedback::Outcome outcome, std::optional<TimeRatio> ratio = {},
                         const QString &why = {}) {
        return {QStringLiteral("p1"), outcome, why, {}, ratio};
    }
    static Feedback taken() { return told(Feedback::Outcome::Applied, TimeRatio{0.8, 0.79, 0.81}); }
    static Feedback refused() { return told(Feedback::Outcome::Rejected, TimeRatio{1.2, 1.19, 1.21}); }
    static Feedback undecided() {
        return told(Feedback::Outcome::Rejected, {}, QStringLiteral("It is not verified: inconclusive."));
    }

    /// An agent of a restarted program, which was told of the first `count`.
    static std::unique_ptr<PlaybookAgent>
    reopened(PlaybookSetup setup, const std::vector<AnsweredProposal> &of, std::size_t count) {
        setup.measurements = MeasurementTable::load(setup.measurementsFile);
        auto agent = std::make_unique<PlaybookAgent>(setup);
        for (std::size_t i = 0; i < count; ++i)
            if (const Result<void> heard = agent->wasAnswered(of[i]); !heard.hasValue())
                qFatal("%s", qPrintable(heard.message()));
        return agent;
    }

private slots:
    void comesToWhereItWas_data() {
        QTest::addColumn<QString>("graph");
        QTest::addColumn<bool>("isAllAtOnce");
        QTest::addColumn<int>("kind");
        for (const char *graph : {"softmax-rows", "gemm-bias-gelu"})
            for (const bool isAllAtOnce : {false, true})
                for (const auto &[name, kind] :
                     {std::pair("all taken", 0), std::pair("every second refused", 1),
                      std::pair("the first refused", 2), std::pair("undecided", 3),
                      std::pair("undecided on top", 4)})
                    QTest::addRow("%s, %s, %s", graph, isAllAtOnce ? "all at once" : "one idea", name)
                        << QString(graph) << isAllAtOnce << kind;
    }
    void comesToWhereItWas() {
        QFETCH(const QString, graph);
        QFETCH(const bool, isAllAtOnce);
        QFETCH(const int, kind);
        const Scratch scratch;
        const PlaybookSetup with =
            setup(scratch, graph, isAllAtOnce ? PlaybookPace::AllAtOnce : PlaybookPace::OneIdea);
        const Run whole = run(with, [kind](std::size_t number, const Proposal &) {
            switch (kind) {
            case 0:
                return taken();
            case 1:
                return number % 2 == 0 ? taken() : refused();
            case 2:
                return number == 0 ? refused() : number % 3 == 0 ? refused() : taken();
            case 3:
                return undecided();
            default:
                return number == 0 ? taken() : undecided();
            }
        });
        QVERIFY(!whole.proposals.empty());
        for (std::size_t cut = 0; cut < whole.tablesAfter.size(); ++cut)
            // The program died before or after it wrote its last measurement.
            for (const QByteArray &table : {whole.tablesBefore[cut], whole.tablesAfter[cut]}) {
                scratch.write("measurements.jsonl", table);
                const auto agent = reopened(with, whole.answered, cut);
                const Heard heard = ask(*agent, request(textsAfter(whole, cut)));
                // Nothing twice. (A move that was refused may be missing, where the program died before it.)
                QVERIFY(tableOf(with).count('\n') <= whole.tablesAfter[cut].count('\n'));
                QVERIFY(tableOf(with).count('\n') >= table.count('\n'));
                QVERIFY2(heard.said.filter("begin anew").isEmpty(), qPrintable(heard.said.join('\n')));
                if (cut == whole.proposals.size()) {
                    QCOMPARE(heard.why, whole.end);
                    continue;
                }
                QVERIFY2(heard.proposal, qPrintable(heard.why + heard.said.join('\n')));
                const Proposal &was = whole.proposals[cut];
                QCOMPARE(heard.proposal->title, was.title);
                QCOMPARE(heard.proposal->base, was.base);
                QCOMPARE(heard.proposal->proposed, was.proposed);
                QCOMPARE(heard.proposal->move, was.move);
                QCOMPARE(heard.proposal->prediction, was.prediction); // relative to the current text
                if (cut > 0) // the shown plan has the moves before it
                    QVERIFY2(heard.program.front().startsWith(whole.proposals[0].title),
                             qPrintable(heard.program.join('\n')));
            }
    }

    // With the measurements of this run and of others since, the first text would be another one now.
    void theFirstTextIsTheOneOfThen() {
        const Scratch scratch;
        const PlaybookSetup with = setup(scratch, "softmax-rows", PlaybookPace::AllAtOnce);
        const Run whole =
            run(with, [](std::size_t number, const Proposal &) { return number == 0 ? taken() : refused(); });
        const Program program = programOf(recordedGraph("softmax-rows"), {.isForCpu = true});
        const std::vector<Knobs> plain = plainKnobs(program);
        for (const PlaybookMove &move : movesFrom(program, plain, {CpuTarget()}))
            for (int i = 0; i < 3; ++i)
                QVERIFY(appendMeasurement(
                            with.measurementsFile,
                            {"A machine", kernelClassOf(program, plain, move), move.remembered(), 1.5})
                            .hasValue());
        const auto fresh = reopened(with, {}, 0);
        const Heard other = ask(*fresh, request(start()));
        QVERIFY(other.proposal && other.proposal->proposed != whole.proposals[0].proposed);
        const auto agent = reopened(with, whole.answered, 1);
        const Heard heard = ask(*agent, request(textsAfter(whole, 1)));
        QVERIFY2(heard.said.filter("begin anew").isEmpty(), qPrintable(heard.said.join('\n')));
        QVERIFY(!heard.proposal || heard.proposal->title != whole.proposals[0].title);
    }

    // Another version emits other texts: it says so, goes on from the text in the workspace and repeats
    // nothing.
    void anotherVersionBeginsAnew_data() {
        QTest::addColumn<bool>("wasRefused");
        QTest::newRow("the first text was refused") << true;
        QTest::newRow("the first text was kept") << false;
    }
    void anotherVersionBeginsAnew() {
        QFETCH(const bool, wasRefused);
        const Scratch scratch;
        const PlaybookSetup with = setup(scratch, "softmax-rows", PlaybookPace::OneIdea);
        Run whole = run(with, [wasRefused](std::size_t number, const Proposal &) {
            return wasRefused || number > 1 ? refused() : taken();
        });
        QVERIFY(whole.answered.size() >= 3);
        const std::size_t cut = 3;
        std::vector<AnsweredProposal> record(whole.answered.begin(), whole.answered.begin() + cut);
        record[1].resultHash = textHashOf(start());
        const auto agent = reopened(with, record, cut);
        const CandidateTexts lies = textsAfter(whole, cut);
        Heard heard = ask(*agent, request(lies));
        QCOMPARE(heard.said.filter("begin anew from the text that lies there").size(), 1);
        std::set<QString> texts;
        for (const AnsweredProposal &one : record)
            texts.insert(one.resultHash);
        for (int i = 0; heard.proposal && i < 24; ++i) {
            QCOMPARE(heard.proposal->base, lies);
            QVERIFY2(texts.insert(textHashOf(heard.proposal->proposed)).second,
                     qPrintable(heard.proposal->title));
            if (wasRefused)
                QVERIFY(heard.proposal->title != record[0].title);
            heard = ask(*agent, request(lies, {refused()}));
            QVERIFY(heard.said.filter("begin anew").isEmpty());
        }
        QVERIFY(!heard.proposal);
    }

    void anotherReferenceBeginsAnew() {
        const Scratch scratch;
        const PlaybookSetup with = setup(scratch, "softmax-rows", PlaybookPace::OneIdea);
        const Run whole = run(with, [](std::size_t, const Proposal &) { return taken(); });
        const auto agent = reopened(with, whole.answered, 2);
        CandidateTexts lies = textsAfter(whole, 2);
        lies["model.py"] = "another\n";
        const Heard heard = ask(*agent, request(lies));
        QCOMPARE(heard.said.filter("The reference is not the one").size(), 1);
        QVERIFY(heard.proposal);
        QCOMPARE(heard.proposal->base, lies);
    }

    void aStopWhileItRecallsIsOne() {
        const Scratch scratch;
        const PlaybookSetup with = setup(scratch, "softmax-rows", PlaybookPace::OneIdea);
        const Run whole = run(with, [](std::size_t, const Proposal &) { return taken(); });
        const auto agent = reopened(with, whole.answered, 2);
        QSignalSpy failed(agent.get(), &Agent::failed), proposed(agent.get(), &Agent::proposed);
        QObject::connect(agent.get(), &Agent::toolEnded, agent.get(),
                         [&] { QTimer::singleShot(0, agent.get(), [&] { agent->cancel(); }); });
        agent->propose(request(textsAfter(whole, 2)));
        QTRY_COMPARE(failed.count(), 1);
        QTest::qWait(20);
        QCOMPARE(proposed.count(), 0);
        QObject::disconnect(agent.get(), &Agent::toolEnded, agent.get(), nullptr);
        // And it can be asked again.
        const Heard heard = ask(*agent, request(textsAfter(whole, 2)));
        QVERIFY(heard.proposal);
        QCOMPARE(heard.proposal->title, whole.proposals[2].title);
    }
};

QObject *makeTestPlaybookRecall() {
    return new TestPlaybookRecall;
}
#include "tst_playbook_recall.moc"
