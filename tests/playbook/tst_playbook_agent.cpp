// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/playbook_agent.h"
#include "tests/playbook/recorded_graph.h"
#include "tests/playbook/test_devices.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/judge/evaluation_facts.h"

#include <QSignalSpy>
#include <QTest>
#include <QThreadPool>

using namespace warpwright;

/// The agent with a shell in the place of Python, which prints a recorded graph.
class TestPlaybookAgent : public QObject {
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

    static Heard ask(PlaybookAgent &agent, const AgentRequest &request, bool cancels = false) {
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
        if (cancels)
            QTimer::singleShot(20, &agent, [&agent] { agent.cancel(); });
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
    static Feedback taken() { return {QStringLiteral("p1"), Feedback::Outcome::Applied, {}, {}, {}}; }
    static Feedback refused() { return {QStringLiteral("p1"), Feedback::Outcome::Rejected, {}, {}, {}}; }

private slots:
    // One check has swept all variants: the best ones are one proposal, and none is tried by itself after it.
    void proposesTheBestOfASweep() {
        const Scratch scratch;
        PlaybookSetup made = setup(scratch, printing("softmax-rows"));
        made.hasCudaDevice = true;
        PlaybookAgent agent(made);
        AgentRequest asked = request(start());
        asked.device = "cuda:0";
        const Heard first = ask(agent, asked);
        QVERIFY2(first.proposal, qPrintable(first.failed + first.done));
        QVERIFY(first.proposal->proposed.at("model_new.py").contains("CHOICES = {\"CONFIG\": "));
        AgentRequest next = request(first.proposal->proposed, {taken()});
        next.device = "cuda:0";
        Evaluation measured = emptyEvaluation({});
        measured.verdict = Verdict::Pass;
        measured.profile = OrderedJson{{"status", "passed"},
                                       {"sweep",
                                        {{"status", "passed"},
                                         {"reason", ""},
                                         {"tried", OrderedJson::array()},
                                         {"best", {{"CONFIG", 2}, {"ANOTHER", 1}}},
                                         {"ratio", 0.7}}}};
        next.lastEvaluation = measured;
        const Heard second = ask(agent, next);
        QVERIFY2(second.proposal, qPrintable(second.failed + second.done));
        QCOMPARE(second.proposal->title, QString("Kernel 1 with config 2"));
        QVERIFY(second.proposal->proposed.at("model_new.py").contains("CONFIG = 2"));
        QCOMPARE(second.proposal->prediction.timeRatio, std::optional(0.7));
        // The current variants were in the sweep, and the best of it: only moves are left.
        AgentRequest last = request(second.proposal->proposed, {taken()});
        last.device = "cuda:0";
        measured.profile["sweep"]["best"] = OrderedJson::object();
        last.lastEvaluation = measured;
        const Heard third = ask(agent, last);
        QVERIFY(!third.proposal || third.proposal->move != QLatin1String("config"));
    }

    void beginsWithKernelsForTheWholeForward() {
        const Scratch scratch;
        PlaybookAgent agent(setup(scratch, printing("softmax-rows")));
        const Heard heard = ask(agent, request(start()));
        QVERIFY2(heard.proposal, qPrintable(heard.failed + heard.done));
        QCOMPARE(heard.proposal->move, QString("fuse"));
        QCOMPARE(heard.proposal->base, start());
        QCOMPARE(heard.proposal->author.kind, AuthorKind::Playbook);
        QVERIFY(heard.proposal->proposed.contains("kernels/fused_rows.cu"));
        QVERIFY(!heard.proposal->proposed.contains("kernels/example.cu"));
        QCOMPARE(heard.proposal->proposed.at("model.py"), QByteArray("m\n"));
        QVERIFY(heard.proposal->reason.contains("MB"));
        QVERIFY(heard.proposal->prediction.words.isEmpty()); // there is no measured time to compare one with
    }

    void keepsWhatHelpsAndEndsWhenNoMoveIsLeft() {
        const Scratch scratch;
        PlaybookAgent agent(setup(scratch, printing("softmax-rows")));
        CandidateTexts texts = start();
        QStringList moves;
        std::vector<Feedback> feedback;
        for (int i = 0; i < 20; ++i) {
            const Heard heard = ask(agent, request(texts, feedback));
            if (!heard.proposal) {
                QVERIFY2(heard.done.contains("No move is left"), qPrintable(heard.done + heard.failed));
                break;
            }
            QCOMPARE(heard.proposal->base, texts);
            moves << heard.proposal->move;
            // Streaming stores are refused, the rest is accepted.
            const bool isTaken = heard.proposal->move != QLatin1String("stream-results");
            feedback = {isTaken ? taken() : refused()};
            if (isTaken)
                texts = heard.proposal->proposed;
        }
        QCOMPARE(moves.first(), QString("fuse"));
        QVERIFY(moves.contains("vector-math"));
        QVERIFY(moves.contains("keep-row"));
        QVERIFY(!texts.at("kernels/fused_rows.cpp").contains("_mm_stream_ps"));
        QVERIFY(texts.at("kernels/fused_rows.cpp").contains("fastExp"));
    }

    void allAtOnceDaresLessWhenItIsRefused() {
        const Scratch scratch;
        PlaybookSetup leaps = setup(scratch, printing("softmax-rows"));
        leaps.pace = PlaybookPace::AllAtOnce;
        PlaybookAgent agent(leaps);
        const Heard first = ask(agent, request(start()));
        QCOMPARE(first.proposal->move, QString("fuse"));
        const QByteArray all = first.proposal->proposed.at("kernels/fused_rows.cpp");
        QVERIFY(all.contains("fastExp") && all.contains("_mm_stream_ps"));
        QVERIFY2(first.proposal->reason.contains("at once:"), qPrintable(first.proposal->reason));
        // No move changes the precision here, so the next text is the plain one.
        const Heard second = ask(agent, request(start(), {refused()}));
        QVERIFY(!second.proposal->proposed.at("kernels/fused_rows.cpp").contains("fastExp"));
        QVERIFY(second.proposal->reason.contains("plain"));
        const Heard third = ask(agent, request(second.proposal->proposed, {taken()}));
        QCOMPARE(third.proposal->move, QString("vector-math"));
    }

    void tf32IsTheFirstThingToGo() {
        const Scratch scratch;
        PlaybookSetup leaps = setup(scratch, printing("gemm-bias-gelu"));
        leaps.pace = PlaybookPace::AllAtOnce;
        PlaybookAgent agent(leaps);
        AgentRequest asked = request(start());
        asked.device = "cuda:0";
        const auto textOf = [](const Heard &heard) {
            QByteArray text;
            for (const auto &[path, content] : heard.proposal->proposed)
                text += path.endsWith(".cu") ? content : QByteArray();
            return text;
        };
        QVERIFY(textOf(ask(agent, asked)).contains("FAST_TF32"));
        asked.feedback = {refused()};
        QVERIFY(!textOf(ask(agent, asked)).contains("FAST_TF32"));
    }

    void goesByWhatWasMeasuredBefore() {
        const Scratch scratch;
        PlaybookSetup learns = setup(scratch, printing("softmax-rows"));
        learns.measurementsFile = scratch.path() + "/data/measurements.jsonl";
        const auto asked = [&](const CandidateTexts &texts, const std::vector<Feedback> &feedback) {
            AgentRequest made = request(texts, feedback);
            made.lastEvaluation = Evaluation();
            made.lastEvaluation->device = OrderedJson{{"kind", "cpu"}, {"name", "A machine"}};
            return made;
        };
        PlaybookAgent agent(learns);
        const CandidateTexts mine = ask(agent, asked(start(), {})).proposal->proposed;
        Heard heard = ask(agent, asked(mine, {taken()}));
        QCOMPARE(heard.proposal->move, QString("vector-math"));
        Feedback slower = refused();
        slower.ratio = TimeRatio{1.2, 1.1, 1.3};
        heard = ask(agent, asked(mine, {slower}));
        QVERIFY(heard.proposal->move != QLatin1String("vector-math"));
        // It is in the file, and one loss is not enough to leave the move out.
        const auto lines = [&] {
            QFile file(learns.measurementsFile);
            return file.open(QIODevice::ReadOnly) ? file.readAll().count('\n') : 0;
        };
        QVERIFY(QTest::qWaitFor([&] { return lines() == 1; }, 5000));
        learns.measurements = MeasurementTable::load(learns.measurementsFile);
        PlaybookAgent second(learns);
        ask(second, asked(start(), {}));
        QStringList moves;
        heard = ask(second, asked(mine, {taken()}));
        while (heard.proposal) {
            moves << heard.proposal->move;
            QVERIFY(*heard.proposal->prediction.timeRatio < 1);
            heard =
                ask(second, asked(mine, {moves.last() == QLatin1String("vector-math") ? slower : refused()}));
        }
        QVERIFY(moves.contains("vector-math"));
        QVERIFY(QTest::qWaitFor([&] { return lines() == 2; }, 5000));
        learns.measurements = MeasurementTable::load(learns.measurementsFile);
        // A move that gained before is predicted to gain as much.
        const Program program = programOf(recordedGraph("softmax-rows"));
        std::vector<Knobs> keeps = plainKnobs(program);
        keeps[0].cachesRow = true;
        learns.measurements.add(
            {"A machine", kernelClass(program, plainKnobs(program), keeps), "keep-row", 0.25});
        PlaybookAgent third(learns);
        ask(third, asked(start(), {}));
        bool hasKept = false;
        for (heard = ask(third, asked(mine, {taken()})); heard.proposal;
             heard = ask(third, asked(mine, {refused()}))) {
            QVERIFY(heard.proposal->move != QLatin1String("vector-math"));
            if (heard.proposal->move != QLatin1String("keep-row"))
                continue;
            hasKept = true;
            QCOMPARE(*heard.proposal->prediction.timeRatio, 0.25);
            QVERIFY2(heard.proposal->prediction.words.contains("1 time before"),
                     qPrintable(heard.proposal->prediction.words));
        }
        QVERIFY(hasKept);
    }

    void remembersNoNoiseAndNoPartOfAMove() {
        const Scratch scratch;
        PlaybookSetup learns = setup(scratch, printing("softmax-rows"));
        learns.measurementsFile = scratch.path() + "/measurements.jsonl";
        PlaybookAgent agent(learns);
        const auto asked = [&](const CandidateTexts &texts, const std::vector<Feedback> &feedback) {
            AgentRequest made = request(texts, feedback);
            made.lastEvaluation = Evaluation();
            made.lastEvaluation->device = OrderedJson{{"kind", "cpu"}, {"name", "A machine"}};
            return made;
        };
        const CandidateTexts mine = ask(agent, asked(start(), {})).proposal->proposed;
        ask(agent, asked(mine, {taken()}));
        Feedback part = refused();
        part.ratio = TimeRatio{0.5, 0.49, 0.51};
        part.hunks = {AnsweredHunk{"a", 1, HunkState::Accepted, {}, {}, {}, {}},
                      AnsweredHunk{"a", 2, HunkState::Rejected, {}, {}, {}, {}}};
        ask(agent, asked(mine, {part}));
        Feedback noise = refused();
        noise.ratio = TimeRatio{1.1, 0.9, 1.4};
        ask(agent, asked(mine, {noise}));
        QThreadPool::globalInstance()->waitForDone();
        QVERIFY(!QFile::exists(learns.measurementsFile));
        Feedback sure = refused();
        sure.ratio = TimeRatio{1.0, 0.98, 1.02};
        PlaybookAgent other(learns);
        ask(other, asked(start(), {}));
        ask(other, asked(mine, {taken()}));
        ask(other, asked(mine, {sure}));
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(learns.measurementsFile); }, 5000));
    }

    void readsAheadForAGpuOnly() {
        const Scratch scratch;
        const QByteArray script = "echo >> " + scratch.path().toUtf8() + "/read\n" + printing("softmax-rows");
        PlaybookAgent agent(setup(scratch, script));
        const auto times = [&] {
            QFile file(scratch.path() + "/read");
            return file.open(QIODevice::ReadOnly) ? file.readAll().size() : 0;
        };
        AgentRequest soon = request(start());
        agent.prepare(soon);
        QTest::qWait(50);
        QCOMPARE(times(), 0);
        soon.device = "cuda:0";
        QSignalSpy told(&agent, &Agent::toolEnded);
        agent.prepare(soon);
        QVERIFY(QTest::qWaitFor([&] { return times() == 1; }, 10000));
        QTest::qWait(200);
        QCOMPARE(told.count(), 0);
        QVERIFY(ask(agent, soon).proposal);
        QCOMPARE(told.count(), 1);
        QCOMPARE(times(), 1);
        // Of another text it knows nothing.
        soon.texts["model.py"] = "other\n";
        QVERIFY(ask(agent, soon).proposal);
        QCOMPARE(times(), 2);
    }

    void whatWasReadAheadForAGpuIsPlannedAnewForACpu() {
        const Scratch scratch;
        const auto kernels = [](const Heard &heard) {
            const auto &texts = heard.proposal->proposed;
            return std::count_if(texts.begin(), texts.end(), [](const auto &text) {
                return text.first.startsWith("kernels/") && text.first.endsWith(".cu");
            });
        };
        AgentRequest onGpu = request(start());
        onGpu.device = "cuda:0";
        const QString read = scratch.path() + "/read";
        PlaybookAgent agent(setup(scratch, printing("wide-maximum") + "echo > " + read.toUtf8() + "\n"));
        agent.prepare(onGpu);
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(read); }, 10000));
        QTest::qWait(200); // until it has read what was printed
        const Heard first = ask(agent, request(start()));
        QVERIFY(first.proposal);
        QCOMPARE(kernels(first), 2); // along rows, then along columns
        PlaybookAgent other(setup(scratch, printing("wide-maximum")));
        const Heard second = ask(other, onGpu);
        QVERIFY(second.proposal);
        QCOMPARE(kernels(second), 1); // one kernel of sliding windows
    }

    void whatTheClockDoesNotDecideIsTriedAgain() {
        const Scratch scratch;
        PlaybookAgent agent(setup(scratch, printing("softmax-rows")));
        const Feedback undecided{QStringLiteral("p1"),
                                 Feedback::Outcome::Rejected,
                                 QStringLiteral("It is not verified: inconclusive."),
                                 {},
                                 {}};
        // No verdict is decided: all moves add up, and are proposed together at the end.
        QStringList titles, reasons;
        Heard heard = ask(agent, request(start()));
        while (heard.proposal && titles.size() < 20) {
            titles << heard.proposal->title;
            reasons << heard.proposal->reason;
            heard = ask(agent, request(start(), {undecided}));
        }
        QVERIFY2(heard.done.contains("could not decide"), qPrintable(heard.done));
        QCOMPARE(titles.filter("once more").size(), 2);
        // The first text is measured four times before others build on it, and says so once.
        for (int again = 1; again <= 3; ++again)
            QCOMPARE(titles.value(again), titles.value(0));
        QVERIFY(titles.value(4) != titles.value(0));
        QCOMPARE(reasons.value(3).count("did not decide"), 1);
        // A move with an undecided verdict on top of accepted ones is tried once more.
        PlaybookAgent other(setup(scratch, printing("softmax-rows")));
        const CandidateTexts mine = ask(other, request(start())).proposal->proposed;
        const Heard first = ask(other, request(mine, {taken()}));
        const Heard second = ask(other, request(mine, {undecided}));
        QCOMPARE(second.proposal->title, first.proposal->title);
        const Heard third = ask(other, request(mine, {undecided}));
        QVERIFY(third.proposal->title != first.proposal->title);
        QVERIFY2(third.proposal->reason.contains("along"), qPrintable(third.proposal->reason));
        QVERIFY(third.proposal->proposed.at("kernels/fused_rows.cpp").contains("fastExp"));
    }

    void whatAPersonChangedIsCarriedOver() {
        const Scratch scratch;
        PlaybookAgent agent(setup(scratch, printing("softmax-rows")));
        const Heard first = ask(agent, request(start()));
        CandidateTexts edited = first.proposal->proposed;
        edited["model_new.py"].replace("class ModelNew", "# Mine.\nclass ModelNew");
        const Heard second = ask(agent, request(edited, {taken()}));
        QVERIFY(second.proposal);
        QCOMPARE(second.proposal->base, edited);
        QVERIFY(second.proposal->proposed.at("model_new.py").contains("# Mine."));
    }

    void endsHonestlyWithoutAFamily() {
        const Scratch scratch;
        // As a later version of the reader may print it.
        PlaybookAgent agent(
            setup(scratch, "sed 's/aten.convolution.default/aten.telepathy.default/' " +
                               testData("/playbook/depthwise-conv-torch-2.11.json\n").toUtf8()));
        const Heard heard = ask(agent, request(start()));
        QVERIFY(!heard.proposal);
        QVERIFY2(heard.done.contains("cannot, because") && heard.done.contains("telepathy"),
                 qPrintable(heard.done));
    }

    void aPythonReaderThatFailsIsAFailure() {
        const Scratch scratch;
        PlaybookAgent agent(setup(scratch, "echo 'No module named torch' >&2; exit 3\n"));
        const Heard heard = ask(agent, request(start()));
        QVERIFY2(heard.failed.contains("exit code 3") && heard.failed.contains("No module named torch"),
                 qPrintable(heard.failed));
        QVERIFY(heard.failed.contains("wright doctor"));
    }

    void aMissingInterpreterIsAFailure() {
        const Scratch scratch;
        PlaybookSetup missing = setup(scratch, {});
        missing.interpreter = scratch.path() + "/none";
        PlaybookAgent agent(missing);
        QVERIFY(ask(agent, request(start())).failed.contains("Cannot start"));
    }

    void aCancelEndsTheReading() {
        const Scratch scratch;
        PlaybookAgent agent(setup(scratch, "sleep 60\n"));
        QVERIFY(ask(agent, request(start()), true).failed.contains("stopped"));
        // And it can be asked again.
        scratch.write("playbook/read_reference.py", printing("softmax-rows"));
        QVERIFY(ask(agent, request(start())).proposal);
    }
};

QObject *makeTestPlaybookAgent() {
    return new TestPlaybookAgent;
}
#include "tst_playbook_agent.moc"
