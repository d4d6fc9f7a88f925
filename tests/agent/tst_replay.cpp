// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/replay.h"
#include "agent/record/replay_steps.h"
#include "tests/agent/recorded_run.h"
#include "tests/toolchain/scratch.h"

#include <QTest>

#include <map>
#include <rapidcheck.h>

using namespace warpwright;

namespace {

TrajectoryReplay replayOf(const QString &folder, TrajectoryReplay::History history = {}) {
    Result<TrajectoryReplay> replay = TrajectoryReplay::open(trajectoryFile(folder), std::move(history));
    if (!replay.hasValue())
        qFatal("%s", qPrintable(replay.message()));
    return std::move(replay).value();
}

/// To the end; gives what was carried out.
std::vector<ReplayedEvent> all(TrajectoryReplay &replay) {
    std::vector<ReplayedEvent> events;
    for (;;) {
        auto next = replay.next();
        if (!next.hasValue())
            qFatal("%s", qPrintable(next.message()));
        if (!next.value())
            return events;
        events.push_back(*std::move(next).value());
    }
}

QString firstProblem(const TrajectoryReplay &replay) {
    return replay.problems().empty() ? QString() : replay.problems().front().message;
}

} // namespace

class TestReplay : public QObject {
    Q_OBJECT

private slots:
    void tellsTheTextAtEachEvent() {
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        std::map<qint64, CandidateTexts> there;
        const auto look = [&] {
            there[run.writer().lastNumber()] = run.texts();
        };
        run.begin(textSaying("0"));
        look();
        for (int i = 1; i <= 100; ++i) {
            const QByteArray words = QByteArray::number(i);
            if (i % 7 == 0)
                run.editByHand(textSaying("by hand\r\n\xff" + words));
            else if (i == 30)
                run.restore(5, textSaying("5"));
            else
                run.accept(textSaying(words), 1);
            look();
        }
        TrajectoryReplay replay = replayOf(run.folder());
        for (const ReplayedEvent &one : all(replay))
            QVERIFY2(one.problem.isEmpty(), qPrintable(one.problem));
        QVERIFY(replay.problems().empty());
        // In any order, and from anew.
        TrajectoryReplay fresh = replayOf(run.folder());
        for (TrajectoryReplay *one : {&replay, &fresh}) {
            for (auto place = there.rbegin(); place != there.rend(); ++place) {
                QVERIFY(one->seek(place->first).hasValue());
                QVERIFY(one->texts() == place->second && one->textHash() == textHashOf(place->second));
            }
            for (const auto &[number, texts] : there) {
                QVERIFY(one->seek(number).hasValue());
                QCOMPARE(one->number(), number);
                QVERIFY(one->texts() == texts);
            }
        }
        QVERIFY(replay.seek(0).hasValue() && replay.texts().empty());
        QVERIFY(replay.seekIteration(50).hasValue());
        QVERIFY(replay.iterationTexts(50).value() == replay.texts());
        QVERIFY2(replay.seek(9999).message().contains("its last one is"),
                 qPrintable(replay.seek(9999).message()));
        QVERIFY(replay.seekIteration(9999).message().contains("made none with this number"));
        QVERIFY(replay.iterationTexts(9999).message().contains("There is no iteration 9999"));
    }

    void goesBackToATextByItsHash() {
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        run.begin(textSaying("0"));
        run.accept(textSaying("1"), 1);
        run.accept(textSaying("2"), 1);
        run.append("step", {{"answer", "undo"}});
        // The next change is made from iteration 1: nothing but its base's hash says so.
        Json applied = changeToJson(textChange(textSaying("1"), textSaying("3")));
        applied["proposal"] = "p3";
        run.append("applied", applied);
        TrajectoryReplay replay = replayOf(run.folder());
        all(replay);
        QCOMPARE(firstProblem(replay), QString());
        QVERIFY(replay.texts() == textSaying("3"));
    }

    void knowsTheTextOfABranch() {
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        run.begin(textSaying("0"));
        Json proposal = changeToJson(textChange(textSaying("0"), textSaying("slower")));
        proposal["proposal"] = "p1";
        run.append("proposal", proposal);
        run.append("policy", {{"proposal", "p1"}, {"answer", "keep-as-branch"}, {"why", "slower"}});
        run.append("iteration",
                   {{"number", 1}, {"parent", 0}, {"textHash", toJson(textHashOf(textSaying("slower")))}});
        run.accept(textSaying("faster"), 1);
        TrajectoryReplay replay = replayOf(run.folder());
        all(replay);
        QCOMPARE(firstProblem(replay), QString());
        QVERIFY(replay.seek(4).hasValue());
        QVERIFY(replay.texts() == textSaying("0"));
        QVERIFY(replay.iterationTexts(1).value() != textSaying("0")); // the latest of that number
        Json other = changeToJson(textChange(textSaying("faster"), textSaying("kept")));
        other["proposal"] = "p9";
        run.append("proposal", other);
        run.append("iteration", {{"number", 7}, {"parent", 1}, {"textHash", other["resultHash"]}});
        QVERIFY(replay.seekIteration(7).hasValue());
        QVERIFY(replay.texts() == textSaying("faster"));
        QVERIFY(replay.iterationTexts(7).value() == textSaying("kept"));
    }

    void saysWhereItDoesNotFit_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("words");
        const auto row = [](const char *name, const char *from, const char *to, const char *words) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QString(words);
        };
        row("another line", "\"oldLines\":[\"1\\n\"]", "\"oldLines\":[\"x\\n\"]",
            "(applied) does not fit: The change does not fit \"kernels/a.cu\": other lines stand at line 2");
        row("another result", "\"newLines\":[\"2\\n\"]", "\"newLines\":[\"x\\n\"]",
            "(applied) does not fit: The changed text is not the recorded one");
        row("no event", "{\"n\":6,", "{\"m\":6,", "it follows event 5, so something is missing between");
        row("hunks that cannot be read", "\"oldLines\":[\"1\\n\"]", "\"oldLines\":7",
            "(applied) does not fit: The change cannot be read: a hunk lacks");
        row("another first text", "class Model:", "class Other:", "Event 1 (run-began) does not fit");
    }
    void saysWhereItDoesNotFit() {
        QFETCH(const QByteArray, from);
        QFETCH(const QByteArray, to);
        QFETCH(const QString, words);
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        run.begin(textSaying("0"));
        for (int i = 1; i <= 5; ++i)
            run.accept(textSaying(QByteArray::number(i)), 1);
        run.end();
        QByteArray text = textOf(trajectoryFile(run.folder()));
        text.replace(from, to);
        scratch.write("changed/trajectory.jsonl", text);
        TrajectoryReplay replay = replayOf(scratch.path("changed"));
        all(replay);
        QStringList said;
        for (const auto &problem : replay.problems())
            said << problem.message;
        QVERIFY2(said.join('\n').contains(words), qPrintable(said.join('\n')));
        QVERIFY2(said.size() <= 3,
                 qPrintable(said.join('\n'))); // a mistake is told once, not at each event after
    }

    void asksTheHistoryWhereItDoesNotTell() {
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        run.append("run-began", {{"schema", "warpwright.trajectory/1"},
                                 {"iteration", 4},
                                 {"baseHash", toJson(textHashOf(textSaying("4")))}});
        const auto history = [](int iteration) {
            return iteration == 4   ? Result<CandidateTexts>::ok(textSaying("4"))
                   : iteration == 5 ? Result<CandidateTexts>::ok(textSaying("other"))
                                    : Result<CandidateTexts>::error("no such iteration");
        };
        run.append("run-continued", {{"iteration", 5}, {"baseHash", toJson(textHashOf(textSaying("5")))}});
        TrajectoryReplay replay = replayOf(run.folder(), history);
        QVERIFY(replay.next().value()->problem.isEmpty());
        QVERIFY(replay.texts() == textSaying("4"));
        const QString problem = replay.next().value()->problem;
        QVERIFY2(problem.contains("iteration 5 of the history has the hash"), qPrintable(problem));
        TrajectoryReplay alone = replayOf(run.folder());
        QVERIFY(alone.next().value()->problem.contains("is not recorded here"));
        QVERIFY(TrajectoryReplay::open(scratch.path("none"), {}).message().contains("No such file"));
        scratch.write("empty", "");
        QVERIFY(TrajectoryReplay::open(scratch.path("empty"), {}).message().contains("it holds no event"));
    }

    void endsWhereProposalsRestOnEachOther() {
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        run.begin(textSaying("0"));
        for (const auto &[one, other] : {std::pair("a", "b"), std::pair("b", "a")}) {
            Json proposal = changeToJson(textChange(textSaying(one), textSaying(other)));
            run.append("proposal", proposal);
        }
        run.append("applied", changeToJson(textChange(textSaying("a"), textSaying("0"))));
        TrajectoryReplay replay = replayOf(run.folder());
        all(replay);
        QCOMPARE(replay.problems().size(), 1U);
    }

    void outlivesAnyBytes() {
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        run.begin(textSaying("0"));
        run.append("usage", {{"tokensIn", 12}, {"cost", 0.5}});
        run.accept(textSaying("1 \xff"), 1.5);
        run.editByHand(textSaying("mine"));
        run.accept({{"kernels/b.cu", "int b;\n"}}, 1.6);
        run.end();
        const QByteArray whole = textOf(trajectoryFile(run.folder()));
        QVERIFY(rc::check("mangled trajectories", [&] {
            QByteArray text = whole;
            const auto changes = *rc::gen::inRange(1, 12);
            for (int i = 0; i < changes; ++i) {
                const auto at = *rc::gen::inRange<qsizetype>(0, text.size());
                const QByteArray piece =
                    *rc::gen::element<QByteArray>("7", "\"", "-1", "null", "[]", "{}", "99999999999999999999",
                                                  "\n", "\xff", "1e400", ":", ",");
                text.replace(at, *rc::gen::inRange<qsizetype>(0, 4), piece);
            }
            // A value of another kind keeps the line whole: it gets farther than a broken line does.
            const QByteArray field =
                *rc::gen::element<QByteArray>("\"hunks\":[", "\"prediction\":{", "\"summary\":{",
                                              "\"oldStart\":", "\"agent\":{", "\"number\":");
            const auto place = text.indexOf(field);
            if (place >= 0)
                text.insert(place + field.size() - 1, field.endsWith(':') ? ":[]" : "3,\"rest\":");
            scratch.write("mangled/trajectory.jsonl", text);
            Result<TrajectoryReplay> opened =
                TrajectoryReplay::open(scratch.path("mangled/trajectory.jsonl"));
            if (!opened.hasValue())
                return;
            TrajectoryReplay replay = std::move(opened).value();
            ReplaySteps steps;
            for (const ReplayedEvent &one : all(replay))
                steps.add(one.event);
            RC_ASSERT(!steps.steps().empty());
            RC_ASSERT(textHashOf(replay.texts()) == replay.textHash() || replay.textHash().isEmpty());
        }));
    }

    void gathersSteps() {
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        run.begin(textSaying("0"));
        run.accept(textSaying("1"), 1.5, "read four floats");
        run.editByHand(textSaying("mine"));
        run.append("plan", {{"items", Json::array()}});
        run.accept(textSaying("2"), 1.6, "unroll");
        ReplaySteps steps;
        TrajectoryReplay replay = replayOf(run.folder());
        for (const ReplayedEvent &one : all(replay))
            steps.add(one.event);
        QStringList said;
        for (const ReplayStep &step : steps.steps())
            said << QString("%1-%2 %3 [%4] %5")
                        .arg(step.first)
                        .arg(step.last)
                        .arg(step.title, step.proposal)
                        .arg(step.iteration);
        QCOMPARE(said,
                 (QStringList{"1-1 run of series began, mode review [] 0", "2-7 read four floats [p1] 1",
                              "8-8 edited by hand: 1 hunk in kernels/a.cu [] 0", "9-15 unroll [p2] 2"}));
        QCOMPARE(steps.steps()[1].happened.value(5),
                 QString("iteration 1: pass, 1.50× 1.48–1.52 over eager"));
    }
};

QObject *makeTestReplay() {
    return new TestReplay;
}

#include "tst_replay.moc"
