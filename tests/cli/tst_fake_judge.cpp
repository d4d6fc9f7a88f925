// SPDX-License-Identifier: GPL-3.0-or-later
// Every verdict of the table once, and a judge that dies, lies or does not listen. The judge is a small
// program that does what it is told; the compilers and the rest of `wright` are real.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"

#include <QDir>
#include <QTest>

using namespace warpwright;

class TestFakeJudge : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;
    QString m_workspace;

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        m_world.environment.insert("WARPWRIGHT_JUDGE", sourceFolder("/tests/tools/fake_judge/fake_judge.py"));
        m_workspace = m_world.workspace("base");
    }

    void goesOnToTheSanitizersWithoutACertificate() {
        m_world.environment.insert("FAKE_JUDGE", "verdict=inconclusive");
        const CliOutcome outcome =
            m_world.run({"check", m_workspace, "--device", "cpu", "--tier", "certify", "--json"});
        QCOMPARE(outcome.verdict(), QString("inconclusive"));
        QCOMPARE(stringIn(outcome.document["profile"], "status"), QString("undecided"));
        // The stage was reached: it says why it cannot run here.
        QCOMPARE(stringIn(outcome.document["sanitizers"], "reason"), QString("not a CUDA device"));
    }

    // A first check's baselines are compiled beside it: until they are, the device is somebody else's.
    void leavesTheDeviceToOthersWhileBaselinesAreCompiled() {
        const QString other = m_world.workspace("base", "other");
        CliOutcome second;
        m_world.environment.insert("FAKE_JUDGE", "ahead slow=baselines:6");
        const CliOutcome first =
            m_world.runAnd({"check", m_workspace, "--device", "cpu", "--json"}, ": step 2", [&](qint64) {
                m_world.environment.insert("FAKE_JUDGE", "");
                second = m_world.run({"check", other, "--device", "cpu", "--json"});
            });
        QCOMPARE(first.verdict(), QString("pass"));
        QVERIFY2(second.verdict() == "pass", second.words());
        QVERIFY2(!second.errors.contains("wait for the device"), second.words());
    }

    void givesEveryVerdict_data() {
        QTest::addColumn<QString>("words"); // what the fake judge is told
        QTest::addColumn<QString>("verdict");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<int>("reward"); // 0: null
        QTest::addColumn<QString>("said");
        const auto row = [](const char *words, const char *verdict, int exitCode, int reward,
                            const char *said) {
            QTest::newRow(words[0] == 0 ? "pass" : words) << words << verdict << exitCode << reward << said;
        };
        row("", "pass", 0, 3, "");
        row("times=100,220,104", "pass", 0, 2, "");
        row("times=100,104,300", "pass", 0, 1, "");
        row("without=compile", "pass", 0, 2, "");
        row("verdict=wrong", "wrong", 1, -1, "Wrong result from");
        row("verdict=wrong@profile", "wrong", 1, -1, "Wrong result from");
        row("verdict=rejected", "rejected", 1, -1, "Rejected");
        row("verdict=run-failed", "run-failed", 1, -1, "Cannot run");
        row("verdict=run-failed@profile", "run-failed", 1, -1, "Cannot run");
        row("verdict=impossible", "impossible", 1, -1, "Cannot believe");
        row("verdict=inconclusive", "inconclusive", 4, 0, "Cannot decide");
        row("nonumbers", "inconclusive", 4, 0, "Cannot decide");
        row("times=0,220,150", "inconclusive", 4, 0, "Cannot decide");
        row("verdict=unverifiable", "unverifiable", 4, 0, "Cannot verify");
        row("degenerate", "pass", 0, 0, "");
        row("degenerate verdict=wrong", "wrong", 1, -1, "Wrong result from");
        row("ahead", "pass", 0, 3, "");
        row("ahead refuse=baselines:environment", "environment", 2, 0, "Cannot use the reference");
        row("refuse=open:task-failed", "task-failed", 2, 0, "Cannot use the reference");
        row("refuse=verify:environment", "environment", 2, 0, "Cannot use the reference");
        row("refuse=verify:run-failed", "run-failed", 1, -1, "Cannot use the reference");
        row("refuse=profile:run-failed", "run-failed", 1, -1, "Cannot use the reference");
        row("protocol=2", "environment", 2, 0, "Cannot speak with the judge");
        row("verdict=nonsense", "environment", 2, 0, "Cannot understand the judge");
        for (const char *place : {"hello", "open", "verify", "profile"}) {
            for (const auto &[what, said] :
                 {std::pair{"die=%1:9", "Lost the judge"}, std::pair{"garbage=%1", "Lost the judge"}}) {
                const QByteArray words = QString(what).arg(place).toUtf8();
                row(words.constData(), "environment", 2, 0, said);
            }
        }
    }

    void givesEveryVerdict() {
        QFETCH(QString, words);
        QFETCH(QString, verdict);
        QFETCH(int, exitCode);
        QFETCH(int, reward);
        QFETCH(QString, said);
        m_world.environment.insert("FAKE_JUDGE", words);
        const CliOutcome outcome = m_world.run({"check", m_workspace, "--device", "cpu", "--json"});
        QVERIFY2(outcome.exitCode == exitCode, outcome.words());
        QVERIFY2(outcome.verdict() == verdict, outcome.words());
        const OrderedJson given = outcome.document["reward"];
        QVERIFY2(reward == 0 ? given.is_null() : given == reward, outcome.words());
        const QString what = stringIn(outcome.document["message"], "what");
        QVERIFY2(said.isEmpty() ? what.isEmpty() : what.startsWith(said), outcome.words());
        if (exitCode == 2)
            QVERIFY2(outcome.errors.contains(what), outcome.words());
        // Whatever happened to the judge, what the compilers said is kept.
        QVERIFY2(stringIn(outcome.document["compile"], "status") == "passed", outcome.words());
        const QString complaints = CliWorld::schemaComplaints(outcome.document);
        QVERIFY2(complaints.isEmpty(), qPrintable(complaints));
        const QString stored =
            m_workspace + "/.warpwright/evaluations/" + stringIn(outcome.document, "id") + ".json";
        QFile file(stored);
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(stored));
        QCOMPARE(QString::fromUtf8(file.readAll()), outcome.output);
    }

    void saysWhatItKnowsOfAKilledJudge() {
        m_world.environment.insert("FAKE_JUDGE", "die=verify:9");
        const CliOutcome outcome = m_world.run({"check", m_workspace, "--device", "cpu"});
        QVERIFY2(outcome.errors.contains("killed by signal 9 (Killed)"), outcome.words());
        QVERIFY2(outcome.errors.contains("about to die"), outcome.words());
        QVERIFY2(outcome.output.contains("not-run"), outcome.words());
    }

    void aMissingBaselineIsADoubt() {
        m_world.environment.insert("FAKE_JUDGE", "without=compile");
        const CliOutcome outcome = m_world.run({"check", m_workspace, "--device", "cpu"});
        QVERIFY2(outcome.output.contains("The arm compile was not measured"), outcome.words());
        QVERIFY2(outcome.output.contains("reward 2"), outcome.words());
    }

    void aDegenerateTaskGivesNoReward() {
        m_world.environment.insert("FAKE_JUDGE", "degenerate");
        const CliOutcome outcome = m_world.run({"check", m_workspace, "--device", "cpu"});
        QVERIFY2(outcome.output.contains("pass, no reward: right as far as it can be told"), outcome.words());
        QVERIFY2(outcome.output.contains("The same whatever comes in."), outcome.words());
        const CliOutcome listed = m_world.run({"log", m_workspace});
        QVERIFY2(listed.output.contains("none: degenerate"), listed.words());
    }

    void theReportSaysWhatEachNumberIs() {
        m_world.environment.insert("FAKE_JUDGE", "");
        const CliOutcome outcome = m_world.run({"check", m_workspace, "--device", "cpu"});
        for (const char *word :
             {"100.0 µs", "99.0–101.0", "median of 12 interleaved blocks, 95 % bootstrap interval",
              "over compile", "1.50×", "1.47–1.53", "stored earlier", "speed of light", "80.0\u00a0% of it",
              "pass, reward 3", "Doubts", "gateKernel"})
            QVERIFY2(outcome.output.contains(word), outcome.words() + "\nlacks: " + word);
        QVERIFY2(!outcome.output.contains('\x1b') && !outcome.errors.contains('\x1b'),
                 "no colours in a pipe");
        QVERIFY2(outcome.errors.contains("verify 1 of 5: round 1 of 5"), outcome.words());
    }

    void verifyWithoutProfileIsAPassOfRewardOne() {
        m_world.environment.insert("FAKE_JUDGE", "");
        const CliOutcome outcome =
            m_world.run({"check", m_workspace, "--device", "cpu", "--stages", "compile,verify", "--json"});
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        QCOMPARE(outcome.document["reward"].get<int>(), 1);
        QCOMPARE(stringIn(outcome.document["profile"], "status"), QString("not-run"));
        const QString complaints = CliWorld::schemaComplaints(outcome.document);
        QVERIFY2(complaints.isEmpty(), qPrintable(complaints));
    }

    void aTaskWithoutACandidateIsNotRun() {
        m_world.environment.insert("FAKE_JUDGE", "");
        const QString lone = m_world.workspace("lone", "lone") + "/problem.py";
        const CliOutcome outcome = m_world.run({"check", lone, "--device", "cpu", "--json"});
        QVERIFY2(outcome.exitCode == 4 && outcome.verdict() == "not-run", outcome.words());
        QVERIFY2(stringIn(outcome.document["message"], "advice").contains("wright new"), outcome.words());
        QVERIFY(outcome.document["task"]["flops"].is_number());
        const QString complaints = CliWorld::schemaComplaints(outcome.document);
        QVERIFY2(complaints.isEmpty(), qPrintable(complaints));
        QVERIFY2(!QDir(QFileInfo(lone).path() + "/.warpwright").exists(),
                 "a lone file's folder stays as it is");
    }

    void theHashFollowsTheTextAndNotTheFolder() {
        m_world.environment.insert("FAKE_JUDGE", "verdict=wrong");
        const auto hash = [this](const QString &folder) {
            return stringIn(m_world.run({"check", folder, "--device", "cpu", "--json"}).document,
                            "inputsHash");
        };
        const QString first = hash(m_workspace);
        QCOMPARE(first.size(), 64);
        QCOMPARE(hash(m_world.workspace("base", "elsewhere")), first);
        const QString elsewhere = m_world.workspace("base", "elsewhere");
        QFile text(elsewhere + "/model_new.py");
        QVERIFY(text.open(QIODevice::Append));
        text.write("# a remark\n");
        text.close();
        QVERIFY(hash(elsewhere) != first);
    }
};

QObject *makeTestFakeJudge() {
    return new TestFakeJudge;
}

#include "tst_fake_judge.moc"
