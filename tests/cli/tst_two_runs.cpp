// SPDX-License-Identifier: GPL-3.0-or-later
// What a window needs of evaluations: one after the other in one process, stopped in any stage, and nothing
// of them left behind. The judge is the fake one; the compilers are real.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/base/scratch_folders.h"
#include "toolchain/check/evaluation_run.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/process/processes_below.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

class TestTwoRuns : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;
    QString m_workspace;

    [[nodiscard]] EvaluationRequest request(const char *words) const {
        // The judge inherits the environment of the process that it serves.
        qputenv("FAKE_JUDGE", words);
        EvaluationRequest request;
        request.path = m_workspace;
        request.device = "cpu";
        request.folders = DataFolders::find(m_world.environment, QCoreApplication::applicationDirPath());
        request.python = CliWorld::python();
        request.judgeProgram = sourceFolder("/tests/tools/fake_judge/fake_judge.py");
        request.environment = m_world.environment;
        return request;
    }

    static Evaluation evaluate(const EvaluationRequest &request) {
        EvaluationRun run(request);
        const QSignalSpy finished(&run, &EvaluationRun::finished);
        run.start();
        if (!QTest::qWaitFor([&finished] { return finished.size() > 0; }, 120000))
            return {};
        QTest::qWait(50); // a second finished() would come now
        return finished.size() == 1 ? finished[0][0].value<Evaluation>() : Evaluation{};
    }

    static qsizetype openFiles() {
        return QDir("/proc/self/fd").entryList(QDir::AllEntries | QDir::System).size();
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        m_workspace = m_world.workspace("base", "runs");
    }

    void oneAfterTheOther() {
        QStringList ids;
        QCOMPARE(evaluate(request("verdict=wrong")).verdict,
                 Verdict::Wrong); // what is opened once is open now
        const qsizetype files = openFiles();
        for (const auto &[words, verdict] :
             {std::pair{"", Verdict::Pass}, std::pair{"die=verify:9", Verdict::Environment},
              std::pair{"verdict=rejected", Verdict::Rejected}, std::pair{"", Verdict::Pass}}) {
            const Evaluation evaluation = evaluate(request(words));
            QVERIFY2(evaluation.verdict == verdict, qPrintable(plainText(evaluation.message)));
            ids << evaluation.id;
        }
        QTRY_COMPARE(processesBelow().size(), 0U);
        QVERIFY2(openFiles() <= files, qPrintable(QString("%1, %2 before").arg(openFiles()).arg(files)));
        for (const QString &id : ids) // other tests may be at work beside this one
            QVERIFY2(!QFile::exists(scratchFolder(request("").folders.cache, id)), qPrintable(id));
    }

    void anIterationShowsWhatWasFound() {
        const EvaluationRequest asked = request("");
        const Workspace workspace = Workspace::open(m_workspace, asked.folders).value();
        const IterationStore history(workspace.state);
        const auto done = history.commit(readCandidateTexts(workspace).value(), history.current(), {});
        QVERIFY2(done.hasValue(), qPrintable(done.message()));
        const Evaluation evaluation = evaluate(asked);
        const int number = done.value().iteration.number;
        const auto linked = history.link(number, evaluation.id);
        QVERIFY2(linked.hasValue(), qPrintable(linked.message()));
        const auto record = history.list().value().back();
        QCOMPARE(record.iteration.number, number);
        QCOMPARE(record.iteration.textHash, stringIn(evaluation.workspace, "textHash"));
        QVERIFY(record.latest.has_value());
        QCOMPARE(*record.latest, summaryOf(evaluation));
        QCOMPARE(record.latest->verdict, Verdict::Pass);
        QCOMPARE(record.latest->reward, std::optional(3));
        QVERIFY(record.latest->sameClass->value > 1 && record.latest->candidate->medianMicroseconds > 0);
    }

    void takesThePersonsDefaults() {
        EvaluationRequest asked = request("verdict=wrong");
        asked.settings.allow = QStringList{"FP32", "BF16"};
        asked.settings.cxxFlags = QStringList{"-DOF_THE_SETTINGS"};
        const Evaluation evaluation = evaluate(asked);
        QCOMPARE(evaluation.precisionAllowed, (QStringList{"FP32", "BF16"}));
        QCOMPARE(evaluation.workspace["flags"]["cxx"][0].get<std::string>(),
                 std::string("-DOF_THE_SETTINGS"));
    }

    void measureOneAfterTheOther() {
        EvaluationRun first(request("slow=verify:1 slow=profile:1")), second(request("slow=verify:1"));
        QStringList story;
        for (auto [run, name] : {std::pair{&first, "first"}, std::pair{&second, "second"}}) {
            connect(run, &EvaluationRun::progress, run, [&story, name = name](const StageProgress &now) {
                if (now.stage == "verify" || now.stage == "profile" || now.stage == "wait")
                    if (const QString line = now.stage == "wait" ? QString(name) + " waits" : QString(name);
                        story.isEmpty() || story.last() != line)
                        story << line;
            });
        }
        const QSignalSpy firstEnded(&first, &EvaluationRun::finished),
            secondEnded(&second, &EvaluationRun::finished);
        first.start();
        second.start();
        QVERIFY(QTest::qWaitFor([&] { return firstEnded.size() == 1 && secondEnded.size() == 1; }, 120000));
        for (const QSignalSpy *ended : {&firstEnded, &secondEnded})
            QCOMPARE((*ended)[0][0].value<Evaluation>().verdict, Verdict::Pass);
        // One waits (for the other; both may have to for a third program's check), and then each verifies and
        // profiles in one piece.
        QVERIFY2(!story.filter("waits").isEmpty(), qPrintable(story.join(", ")));
        story.removeAll("second waits");
        story.removeAll("first waits");
        for (qsizetype i = story.size() - 1; i > 0; --i)
            if (story[i] == story[i - 1])
                story.removeAt(i);
        QVERIFY2(story.size() == 2, qPrintable(story.join(", ")));
        QTRY_COMPARE(processesBelow().size(), 0U);
    }

    void stopsInEachStage_data() {
        QTest::addColumn<QByteArray>("words");
        QTest::addColumn<QString>("stage");
        QTest::newRow("prepare") << QByteArray() << "prepare";
        QTest::newRow("compile") << QByteArray() << "compile";
        QTest::newRow("open") << QByteArray("slow=open:60") << "open";
        QTest::newRow("verify") << QByteArray("slow=verify:60") << "verify";
        QTest::newRow("profile") << QByteArray("slow=profile:60") << "profile";
        QTest::newRow("before it starts") << QByteArray() << "";
    }

    void stopsInEachStage() {
        QFETCH(QByteArray, words);
        QFETCH(QString, stage);
        {
            EvaluationRun run(request(words.constData()));
            const QSignalSpy finished(&run, &EvaluationRun::finished);
            connect(&run, &EvaluationRun::progress, &run, [&run, stage](const StageProgress &now) {
                if (now.stage == stage)
                    run.cancel();
            });
            if (stage.isEmpty())
                run.cancel();
            run.start();
            QVERIFY(QTest::qWaitFor([&finished] { return finished.size() > 0; }, 60000));
            QTest::qWait(50);
            QCOMPARE(finished.size(), 1);
            QCOMPARE(finished[0][0].value<Evaluation>().verdict, Verdict::Cancelled);
        }
        QTRY_COMPARE(processesBelow().size(), 0U);
        QCOMPARE(evaluate(request("")).verdict, Verdict::Pass); // the next one is not disturbed
    }

    void leavesNothingWhenItIsDestroyed_data() {
        QTest::addColumn<QByteArray>("words");
        QTest::addColumn<QString>("stage");
        QTest::newRow("compile") << QByteArray() << "compile";
        QTest::newRow("open") << QByteArray("slow=open:60") << "open";
        QTest::newRow("verify") << QByteArray("slow=verify:60") << "verify";
    }

    void leavesNothingWhenItIsDestroyed() {
        QFETCH(QByteArray, words);
        QFETCH(QString, stage);
        {
            EvaluationRun run(request(words.constData()));
            bool isThere = false;
            connect(&run, &EvaluationRun::progress, &run,
                    [&isThere, stage](const StageProgress &now) { isThere = isThere || now.stage == stage; });
            run.start();
            QVERIFY(QTest::qWaitFor([&isThere] { return isThere; }, 120000));
        }
        QTRY_COMPARE(processesBelow().size(), 0U);
    }
};

QObject *makeTestTwoRuns() {
    return new TestTwoRuns;
}

#include "tst_two_runs.moc"
