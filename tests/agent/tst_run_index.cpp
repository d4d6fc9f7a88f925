// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/run_index.h"
#include "agent/record/trajectory_reader.h"
#include "tests/agent/recorded_run.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTest>

#include <atomic>
#include <mutex>
#include <thread>

using namespace warpwright;

namespace {

RunIndex opened(const Scratch &scratch) {
    Result<RunIndex> index = RunIndex::open(scratch.path("state"));
    if (!index.hasValue())
        qFatal("%s", qPrintable(index.message()));
    return std::move(index).value();
}

} // namespace

class TestRunIndex : public QObject {
    Q_OBJECT

private slots:
    void tellsOfNothing() {
        const Scratch scratch;
        RunIndex index = opened(scratch);
        QVERIFY(index.runs().value().empty() && index.iterations({}, 0, 10).value().empty());
        QVERIFY(index.notice().isEmpty());
        QVERIFY(!QFileInfo::exists(scratch.path("state"))); // a look makes no files
    }

    // A program that ended before it wrote a line.
    void passesOverARunThatSaysNothing() {
        const Scratch scratch;
        writeTwoRuns(scratch.path("state"));
        const std::size_t before = opened(scratch).runs().value().size();
        scratch.write("state/runs/20261129T195956.029Z-d83d31/trajectory.jsonl", "");
        QCOMPARE(opened(scratch).runs().value().size(), before);
    }

    void tellsOfTheBestAndOfMarks() {
        const Scratch scratch;
        writeTwoRuns(scratch.path("state"));
        RunIndex index = opened(scratch);
        const auto runs = index.runs().value();
        QVERIFY(runs[0].best.has_value() && runs[0].best->eager.has_value());
        QCOMPARE(runs[0].best->eager->value, 1.5);
        QCOMPARE(runs[0].bestIteration, 2);
        QVERIFY(!runs[1].best.has_value());
        QCOMPARE(runs[1].bestIteration, 0);
        const auto marks = index.marks(runs[0].run).value();
        QCOMPARE(marks.size(), std::size_t(7)); // three proposals, three texts, and the stop
        QVERIFY(marks[0].isProposal && !marks[1].isProposal && !marks[6].isProposal);
        QVERIFY(index.marks("none").value().empty());
    }

    // Where the verdict of an iteration is known, and where a proposal was made.
    void tellsWhereSomethingIsKnown() {
        const Scratch scratch;
        RecordedRun recorded(scratch.path("state"));
        recorded.begin(textSaying("0"), 4);
        recorded.measure(4, 1.3); // event 2
        recorded.accept(textSaying("1"), 1.2);
        recorded.accept(textSaying("2"), 1.5);
        RunIndex index = opened(scratch);
        const IndexedRun run = index.runs().value().front();
        QCOMPARE(run.startMeasured, 2);
        const auto made = index.iterations(run.run, 0, 10).value();
        QCOMPARE(made.size(), std::size_t(2));
        for (const IndexedIteration &one : made)
            QCOMPARE(one.measured, one.event + 1);
        const qint64 second = index.proposalEvent(run.run, "p2").value();
        QVERIFY(second > made[0].measured && second < made[1].event);
        QCOMPARE(index.proposalEvent(run.run, "p3").value(), 0);
        recorded.measure(6, 1.4); // the tree tells of the last
        QVERIFY(index.refresh().hasValue());
        QCOMPARE(index.iterations(run.run, 0, 10).value()[1].measured, made[1].measured + 1);
    }

    // What was there before is not the run's merit, however fast it is.
    void doesNotCreditARunWithItsStart() {
        const Scratch scratch;
        RecordedRun recorded(scratch.path("state"));
        recorded.begin(textSaying("0"), 4);
        recorded.measure(4, 1.31);
        recorded.accept(textSaying("1"), 1.02);
        recorded.accept(textSaying("2"), 1.06);
        const IndexedRun run = opened(scratch).runs().value().front();
        QCOMPARE(run.bestIteration, 6);
        QCOMPARE(run.best->eager->value, 1.06);
        QCOMPARE(run.startIteration, 4);
        QCOMPARE(run.start->eager->value, 1.31);
        // What comes later is taken up by another look.
        recorded.measure(4, 1.29);
        recorded.accept(textSaying("3"), 1.10);
        const IndexedRun later = opened(scratch).runs().value().front();
        QCOMPARE(later.start->eager->value, 1.29);
        QCOMPARE(later.bestIteration, 7);
    }

    // A check that comes later may take the name away again, whether or not the index was read between them.
    void namesNoBestThatIsOutdone_data() {
        QTest::addColumn<bool>("isReadBetween");
        QTest::newRow("at once") << false;
        QTest::newRow("in two looks") << true;
    }
    void namesNoBestThatIsOutdone() {
        QFETCH(bool, isReadBetween);
        const Scratch scratch;
        RecordedRun recorded(scratch.path("state"));
        recorded.begin(textSaying("0"));
        const int slow = recorded.accept(textSaying("1"), 1.02);
        const int fast = recorded.accept(textSaying("2"), 1.01);
        if (isReadBetween)
            QCOMPARE(opened(scratch).runs().value().front().bestIteration, slow);
        EvaluationSummary undecided;
        undecided.id = QStringLiteral("20261121T201500.900Z-abcdef");
        undecided.verdict = Verdict::Inconclusive;
        undecided.candidate = ArmTiming{50, 45, 55, 1600, true};
        recorded.append("evaluation", {{"of", "iteration"},
                                       {"iteration", fast},
                                       {"evaluation", toJson(undecided.id)},
                                       {"summary", summaryToJson(undecided)}});
        const IndexedRun run = opened(scratch).runs().value().front();
        QCOMPARE(run.bestIteration, 0);
        QVERIFY(!run.best.has_value());
    }

    // It is taken up in several transactions, and no check is in the last of them.
    void namesTheBestOfALongRun() {
        const Scratch scratch;
        RecordedRun recorded(scratch.path("state"));
        recorded.writer().syncLater({});
        recorded.begin(textSaying("0"));
        const int fast = recorded.accept(textSaying("1"), 1.02);
        for (int i = 0; i < 9000; ++i)
            recorded.append("message", {{"role", "agent"}, {"text", "words"}});
        const IndexedRun run = opened(scratch).runs().value().front();
        QCOMPARE(run.events, recorded.writer().lastNumber());
        QCOMPARE(run.bestIteration, fast);
        QVERIFY(run.best.has_value());
    }

    // Comments alone were taken of a proposal; a run that goes on may measure them once more.
    void commentsAloneAreNeverTheBest() {
        const Scratch scratch;
        RecordedRun recorded(scratch.path("state"));
        recorded.begin(textSaying("0"));
        const int code = recorded.accept(textSaying("1"), 1.02);
        const int comments = recorded.accept(textSaying("2"), 1.01);
        EvaluationSummary fast;
        fast.id = QStringLiteral("20261121T201500.900Z-abcdef");
        fast.verdict = Verdict::Pass;
        fast.candidate = ArmTiming{50, 49, 51, 1600, true};
        fast.eager = SpeedUp{2, 1.9, 2.1, QStringLiteral("eager")};
        Json told{{"of", "iteration"},
                  {"iteration", comments},
                  {"evaluation", toJson(fast.id)},
                  {"summary", summaryToJson(fast)},
                  {"besideCode", true}};
        recorded.append("evaluation", told);
        QCOMPARE(opened(scratch).runs().value().front().bestIteration, code);
        told.erase("besideCode");
        recorded.append("evaluation", told);
        RunIndex index = opened(scratch);
        QCOMPARE(index.runs().value().front().bestIteration, code);
        QVERIFY(index.iteration(comments).value()->isBesideCode);
        QVERIFY(!index.iteration(code).value()->isBesideCode);
    }

    void tellsOfAllRuns() {
        const Scratch scratch;
        writeTwoRuns(scratch.path("state"));
        RunIndex index = opened(scratch);
        const auto runs = index.runs().value();
        QCOMPARE(runs.size(), 2U);
        QCOMPARE(runs[0].agent, QString("series"));
        QCOMPARE(runs[0].ending, QString("stopped: the person asked for it"));
        QCOMPARE(runs[0].iterations, 3);
        QCOMPARE(runs[0].proposals, 3);
        QCOMPARE(runs[0].events, 20);
        QCOMPARE(runs[1].mode, QString("auto"));
        QVERIFY(runs[1].ending.isEmpty() && runs[1].beganAt >= runs[0].latestAt);
        QCOMPARE(index.iterationCount({}).value(), 3);
        QCOMPARE(index.iterationCount(runs[1].run).value(), 0);
        const auto page = index.iterations(runs[0].run, 1, 1).value();
        QCOMPARE(page.size(), 1U);
        QCOMPARE(page[0].iteration.number, 2);
        QCOMPARE(page[0].iteration.parent, 1);
        QVERIFY(page[0].iteration.author == (Author{AuthorKind::Playbook, "series"}));
        QCOMPARE(page[0].iteration.textHash, textHashOf(textSaying("2")));
        QCOMPARE(page[0].latest->eager->value, 1.5);
        QVERIFY(index.iteration(3).value()->latest->verdict == Verdict::Pass);
        QVERIFY(!index.iteration(9).value().has_value());
    }

    void findsEventsAndTheirLines() {
        const Scratch scratch;
        writeTwoRuns(scratch.path("state"));
        RunIndex index = opened(scratch);
        const QString run = index.runs().value()[0].run;
        const auto page = index.events(run, 2, 3).value();
        QCOMPARE(page.size(), 3U);
        QCOMPARE(page[1].number, 3);
        QCOMPARE(page[1].summary, QString("p1: read four floats (1 hunk, expects 50.0 % of the time)"));
        const TrajectoryReader reader(trajectoryFile(scratch.path("state/runs/") + run));
        QCOMPARE(reader.eventAt(page[1].offset).value().text("title"), QString("read four floats"));
    }

    void searches_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<int>("found");
        QTest::addColumn<bool>("hasWordSearch");
        for (const bool has : {true, false}) {
            const auto row = [has](const char *name, const char *words, int found) {
                QTest::addRow("%s, %s", name, has ? "FTS5" : "LIKE") << QString(words) << found << has;
            };
            row("a word", "floats", 2); // of the proposal and the iteration's note
            row("its beginning", "flo", 2);
            row("words in any order", "floats read", 2);
            row("capitals", "FLOATS", 2);
            row("none", "nothing-of-it", 0);
            row("empty", " ", 0);
            row("an operator of the search", "floats AND", 0);
            row("a quotation mark", "\"kind\"", 1);
            row("a kind of the future", "new_words", 1);
            row("half a query", "floats (* \" !", has ? 2 : 0);
            row("a wildcard", "re%oats", 0);
        }
    }
    void searches() {
        QFETCH(const QString, words);
        QFETCH(const int, found);
        QFETCH(const bool, hasWordSearch);
        const Scratch scratch;
        writeTwoRuns(scratch.path("state"));
        const QString second = opened(scratch).runs().value()[1].run;
        const QString file = RunIndex::fileIn(scratch.path("state"));
        const bool isThere = SqliteDatabase::open(file).value().run("SELECT * FROM search").hasValue();
        QVERIFY2(isThere, "SQLite has no FTS5 here");
        if (!hasWordSearch)
            QVERIFY(SqliteDatabase::open(file).value().run("DROP TABLE search").hasValue());
        RunIndex index = opened(scratch);
        const auto events = index.search(words, {}, 100);
        QVERIFY2(events.hasValue(), qPrintable(events.message()));
        QCOMPARE(static_cast<int>(events.value().size()), found);
        for (const IndexedEvent &event : index.search(words, second, 100).value())
            QCOMPARE(event.run, second);
    }

    void takesUpWhatIsAppended() {
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        run.begin(textSaying("0"));
        RunIndex one = opened(scratch);
        RunIndex other = opened(scratch);
        for (int i = 1; i <= 20; ++i) {
            run.accept(textSaying(QByteArray::number(i)), 1);
            RunIndex &index = i % 2 == 0 ? one : other; // both write, both read
            QVERIFY(index.refresh().hasValue());
            QCOMPARE(index.iterationCount({}).value(), i);
        }
        QVERIFY(one.notice().isEmpty() && other.notice().isEmpty());
        QCOMPARE(one.events(run.writer().run(), 1, 1000).value().size(), 121U);
    }

    void isReadByManyWhileARunGoesOn() {
        const Scratch scratch;
        QProcess writer;
        writer.start(programBeside("endless_run"), {"begin", scratch.path("state")});
        QVERIFY(writer.waitForStarted() && writer.waitForReadyRead(20000));
        // Each with a connection of its own, which takes up what is new and asks: as processes would.
        std::atomic<int> taken = 0;
        QStringList problems;
        std::mutex guard;
        QElapsedTimer patience;
        patience.start();
        const auto read = [&] {
            qint64 before = 0;
            // By time, not by rounds: the writer may be faster than its readers.
            while (patience.elapsed() < 1000 || (before < 5 && patience.elapsed() < 20000)) {
                Result<RunIndex> opened = RunIndex::open(scratch.path("state"));
                QString problem = opened.message();
                if (opened.hasValue()) {
                    RunIndex index = std::move(opened).value();
                    const auto runs = index.runs();
                    problem = runs.message() + index.notice();
                    const qint64 now = runs.hasValue() && !runs.value().empty() ? runs.value()[0].events : 0;
                    if (problem.isEmpty() && now < before)
                        problem = "an event was forgotten";
                    before = now;
                }
                const std::lock_guard lock(guard);
                if (!problem.isEmpty())
                    problems << problem;
            }
            taken += before > 0 ? 1 : 0;
        };
        std::vector<std::thread> readers;
        for (int i = 0; i < 3; ++i)
            readers.emplace_back(read);
        for (std::thread &reader : readers)
            reader.join();
        writer.kill();
        QVERIFY(writer.waitForFinished());
        QVERIFY2(problems.isEmpty(), qPrintable(problems.join(QLatin1Char('\n'))));
        QCOMPARE(taken.load(), 3);
        RunIndex index = opened(scratch);
        const QString run = index.runs().value()[0].run;
        const auto events = index.events(run, 1, 1000000).value();
        QCOMPARE(static_cast<qint64>(events.size()), index.runs().value()[0].events); // each one once
    }

    void isMadeAnew_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("words");
        QTest::newRow("missing") << "missing"
                                 << "";
        QTest::newRow("no database") << "no database"
                                     << "its file was damaged";
        QTest::newRow("cut off") << "cut off"
                                 << "its file was damaged";
        QTest::newRow("of another version") << "version"
                                            << "";
        QTest::newRow("a shorter trajectory") << "shorter"
                                              << "no longer there";
        QTest::newRow("another trajectory") << "another"
                                            << "no longer there";
        QTest::newRow("a run is gone") << "gone"
                                       << "no longer there";
    }
    void isMadeAnew() {
        QFETCH(const QString, what);
        QFETCH(const QString, words);
        const Scratch scratch;
        writeTwoRuns(scratch.path("state"));
        const QString file = RunIndex::fileIn(scratch.path("state"));
        const QString run = opened(scratch).runs().value()[0].run;
        const QString trajectory = trajectoryFile(scratch.path("state/runs/") + run);
        const QByteArrayList lines = textOf(trajectory).split('\n');
        std::size_t iterations = 3;
        if (what == "missing") {
            QFile::remove(file);
        } else if (what == "no database") {
            scratch.write("state/runs/index.sqlite", QByteArray(10000, 'x'));
        } else if (what == "cut off") {
            QVERIFY(QFile::resize(file, 5000));
        } else if (what == "version") {
            auto database = SqliteDatabase::open(file);
            QVERIFY(std::move(database).value().run("PRAGMA user_version=77; DROP TABLE runs").hasValue());
        } else if (what == "shorter") {
            scratch.write(trajectory.mid(scratch.path().size() + 1), lines.mid(0, 11).join('\n') + '\n');
            iterations = 1;
        } else if (what == "another") {
            QByteArray other = lines.join('\n');
            other.replace("\"n\":20", "\"n\":19");
            scratch.write(trajectory.mid(scratch.path().size() + 1), other + other);
        } else {
            QVERIFY(QDir(scratch.path("state/runs/") + run).removeRecursively());
            iterations = 0;
        }
        RunIndex index = opened(scratch);
        QVERIFY2(words.isEmpty() ? index.notice().isEmpty() : index.notice().contains(words),
                 qPrintable(index.notice()));
        QCOMPARE(index.iterations({}, 0, 10).value().size(), iterations);
        RunIndex again = opened(scratch);
        QVERIFY(again.notice().isEmpty());
        QCOMPARE(again.iterations({}, 0, 10).value().size(), iterations);
    }

    void livesInMemoryWhereItCannotBeWritten() {
        const Scratch scratch;
        writeTwoRuns(scratch.path("state"));
        QDir().mkdir(
            RunIndex::fileIn(scratch.path("state"))); // a folder is in its place: root is refused, too
        RunIndex index = opened(scratch);
        QVERIFY2(index.notice().contains("is made in memory"), qPrintable(index.notice()));
        QCOMPARE(index.iterationCount({}).value(), 3);
    }

    void passesOverTornLines() {
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        run.begin(textSaying("0"));
        QFile file(run.writer().file());
        QVERIFY(file.open(QIODevice::Append) && file.write("{\"n\":2,\"at\n") > 0);
        file.close();
        run.accept(textSaying("1"), 1);
        RunIndex index = opened(scratch);
        QCOMPARE(index.runs().value()[0].passedOver, 1);
        QCOMPARE(index.iterationCount({}).value(), 1);
    }
};

QObject *makeTestRunIndex() {
    return new TestRunIndex;
}

#include "tst_run_index.moc"
