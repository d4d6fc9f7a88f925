// SPDX-License-Identifier: GPL-3.0-or-later
// A judge that stays warm between two checks of one task, and what must make it a new one. The judge is the
// fake one.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/base/scratch_folders.h"
#include "toolchain/base/text_file.h"
#include "toolchain/check/evaluation_run.h"
#include "toolchain/process/processes_below.h"

#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include <csignal>
#include <memory>

using namespace warpwright;

class TestKeeper : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;
    QString m_workspace;
    std::unique_ptr<JudgeKeeper> m_keeper;
    mutable QStringList m_ids; // of this test's evaluations: others may be at work beside it

    [[nodiscard]] EvaluationRequest request() const {
        EvaluationRequest request;
        request.path = m_workspace;
        request.device = "cpu";
        request.folders = DataFolders::find(m_world.environment, QCoreApplication::applicationDirPath());
        request.python = CliWorld::python();
        request.judgeProgram = sourceFolder("/tests/tools/fake_judge/fake_judge.py");
        request.environment = m_world.environment;
        return request;
    }

    [[nodiscard]] Verdict check(const EvaluationRequest &request) const {
        EvaluationRun run(request);
        run.setKeeper(m_keeper.get());
        const QSignalSpy finished(&run, &EvaluationRun::finished);
        run.start();
        if (!QTest::qWaitFor([&finished] { return finished.size() > 0; }, 120000))
            return Verdict::NotRun;
        const auto evaluation = finished[0][0].value<Evaluation>();
        m_ids << evaluation.id;
        return evaluation.verdict;
    }

    /// Of the judges that are alive.
    static std::vector<qint64> judges() {
        std::vector<qint64> pids;
        for (const ProcessFact &fact : processesBelow())
            pids.push_back(fact.pid);
        return pids;
    }

    [[nodiscard]] QStringList scratchLeft() const {
        QStringList left;
        for (const QString &id : m_ids)
            if (QFile::exists(scratchFolder(request().folders.cache, id)))
                left << id;
        return left;
    }

    void append(const QString &name, const QByteArray &text) const {
        QFile file(m_workspace + '/' + name);
        QVERIFY(file.open(QIODevice::Append));
        QVERIFY(file.write(text) == text.size());
    }

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void init() {
        qputenv("FAKE_JUDGE", "");
        m_workspace = m_world.workspace("base", "kept");
        m_keeper = std::make_unique<JudgeKeeper>();
        m_ids.clear();
    }

    void cleanup() {
        m_keeper.reset();
        QTRY_COMPARE(judges().size(), 0U);
        QTRY_COMPARE(scratchLeft(), QStringList());
    }

    void goesOnForTheSameTask() {
        QCOMPARE(check(request()), Verdict::Pass);
        const std::vector<qint64> first = judges();
        QCOMPARE(first.size(), 1U);
        append("kernels/gate.cpp", "\nstatic_assert(true);\n");
        append("model_new.py", "\n# another text\n");
        QCOMPARE(check(request()), Verdict::Pass);
        QCOMPARE(judges(), first);
        EvaluationRequest shorter = request();
        shorter.lastStage = LastStage::Verify;
        QCOMPARE(check(shorter), Verdict::Pass);
        QCOMPARE(judges(), first);
    }

    void goesOnAfterAWrongOne() {
        qputenv("FAKE_JUDGE", "verdict=wrong");
        QCOMPARE(check(request()), Verdict::Wrong);
        const std::vector<qint64> first = judges();
        QCOMPARE(first.size(), 1U);
        QCOMPARE(check(request()), Verdict::Wrong);
        QCOMPARE(judges(), first);
    }

    void isNewFor_data() {
        QTest::addColumn<QString>("what");
        for (const char *what : {"another reference", "a helper beside the reference", "other precisions",
                                 "another judge", "another sandbox"})
            QTest::newRow(what) << what;
    }

    void isNewFor() {
        QFETCH(QString, what);
        QCOMPARE(check(request()), Verdict::Pass);
        const std::vector<qint64> first = judges();
        QCOMPARE(first.size(), 1U);
        EvaluationRequest asked = request();
        if (what == "another reference")
            append("model.py", "\n# another text\n");
        else if (what == "a helper beside the reference")
            append("blocks.py", "# the reference may import it\n");
        else if (what == "other precisions")
            asked.settings.allow = QStringList{"FP32", "BF16"};
        else if (what == "another judge")
            asked.judgeProgram =
                m_world.write("judge.py", "#!/bin/sh\nexec " + request().judgeProgram.toUtf8() + "\n", true);
        else
            qputenv("WARPWRIGHT_WALL", "none");
        const Verdict verdict = check(asked);
        qunsetenv("WARPWRIGHT_WALL");
        QCOMPARE(verdict, Verdict::Pass);
        QTRY_COMPARE(judges().size(), 1U);
        QVERIFY(judges() != first);
    }

    void certifyTakesNoneThatIsWarm() {
        QCOMPARE(check(request()), Verdict::Pass);
        QCOMPARE(judges().size(), 1U);
        EvaluationRequest asked = request();
        asked.tier = Tier::Certify;
        QCOMPARE(check(asked), Verdict::Pass);
        QTRY_COMPARE(judges().size(), 0U);
    }

    void oneThatDiedWhileItWaitedIsReplaced() {
        QCOMPARE(check(request()), Verdict::Pass);
        const std::vector<qint64> first = judges();
        QCOMPARE(first.size(), 1U);
        ::kill(static_cast<pid_t>(first[0]), SIGKILL);
        QTRY_COMPARE(judges().size(), 0U);
        QTest::qWait(50);
        QCOMPARE(check(request()), Verdict::Pass);
        QCOMPARE(judges().size(), 1U);
    }

    // A worker is started for the text while compilers work, and whatever comes of them, once is enough.
    void expectsWhatIsBeingCompiled() {
        QCOMPARE(check(request()), Verdict::Pass);
        const std::vector<qint64> first = judges();
        qputenv("FAKE_JUDGE", "slow=expect:3");
        m_keeper->clear();
        QTRY_COMPARE(judges().size(), 0U);
        QCOMPARE(check(request()), Verdict::Pass);
        const std::vector<qint64> slow = judges();
        QVERIFY(slow != first);
        append("kernels/gate.cpp", "\nthis does not compile\n");
        QCOMPARE(check(request()), Verdict::BuildFailed); // long before the worker stands
        QCOMPARE(judges(), slow);
        const QByteArray text = readTextFile(m_workspace + "/kernels/gate.cpp").value();
        m_world.write(m_workspace + "/kernels/gate.cpp", QByteArray(text).replace("this does", "// it does"));
        QCOMPARE(check(request()), Verdict::Pass); // it is verified after that
        QCOMPARE(judges(), slow);
    }

    void saysThatAJudgeDiedWhileItExpected() {
        qputenv("FAKE_JUDGE", "die=expect:9");
        append("kernels/gate.cpp", "\nstatic_assert(sizeof(double) == 8);\n");
        Verdict verdict = check(request());
        // On a busy machine the compilers may end before the judge has begun: nothing is expected then. The
        // next time it is there already.
        if (verdict == Verdict::Pass) {
            append("kernels/gate.cpp", "\nstatic_assert(sizeof(float) == 4);\n");
            verdict = check(request());
        }
        QCOMPARE(verdict, Verdict::Environment);
        QTRY_COMPARE(judges().size(), 0U);
    }

    void isKeptWhereItIsAskedNothing_data() {
        QTest::addColumn<QString>("step");
        QTest::addColumn<std::size_t>("left");
        QTest::newRow("stopped just before it is asked") << "load the candidate" << std::size_t(1);
        QTest::newRow("stopped while it works") << "step 1" << std::size_t(0);
    }

    void isKeptWhereItIsAskedNothing() {
        QFETCH(QString, step);
        QFETCH(std::size_t, left);
        qputenv("FAKE_JUDGE", "slow=verify:60");
        EvaluationRun run(request());
        run.setKeeper(m_keeper.get());
        const QSignalSpy finished(&run, &EvaluationRun::finished);
        connect(&run, &EvaluationRun::progress, &run, [&run, step](const StageProgress &now) {
            if (now.stage == "verify" && now.step == step)
                run.cancel();
        });
        run.start();
        QVERIFY(QTest::qWaitFor([&finished] { return finished.size() > 0; }, 120000));
        QCOMPARE(finished[0][0].value<Evaluation>().verdict, Verdict::Cancelled);
        QCOMPARE(judges().size(), left);
    }
};

QObject *makeTestKeeper() {
    return new TestKeeper;
}

#include "tst_keeper.moc"
