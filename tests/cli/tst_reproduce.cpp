// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a stored evaluation is found, measured again and compared. The judge is the fake one.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace warpwright;

class TestReproduce : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;
    QString m_workspace;
    QString m_document;

    CliOutcome again(const char *judge) {
        m_world.environment.insert("FAKE_JUDGE", judge);
        return m_world.run({"reproduce", m_document, "--json"});
    }

private slots:
    void init() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        m_world.environment.insert("WARPWRIGHT_JUDGE", sourceFolder("/tests/tools/fake_judge/fake_judge.py"));
        m_world.environment.insert("FAKE_JUDGE", "times=100,220,150");
        m_workspace = m_world.workspace("base", "again");
        QDir(m_workspace + "/.warpwright").removeRecursively();
        const CliOutcome checked = m_world.run({"check", m_workspace, "--device", "cpu", "--json"});
        QVERIFY2(checked.exitCode == 0, checked.words());
        m_document = m_workspace + "/.warpwright/evaluations/" + stringIn(checked.document, "id") + ".json";
    }

    void agrees() {
        const CliOutcome outcome = again("times=100,220,150");
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        QVERIFY2(outcome.document["agrees"] == true, outcome.words());
        QCOMPARE(stringIn(outcome.document, "foundIn"), QString("iteration 1"));
        QVERIFY(outcome.document["rows"].size() >= 2);
        QVERIFY2(outcome.document["otherConditions"].empty(), outcome.words());
        QCOMPARE(CliWorld::schemaComplaints(outcome.document["evaluation"]), QString());
    }

    void saysWhichTimesDiffer() {
        const CliOutcome outcome = again("times=100,440,300");
        QVERIFY2(outcome.exitCode == 1, outcome.words());
        QVERIFY2(outcome.document["agrees"] == false, outcome.words());
        for (const OrderedJson &row : outcome.document["rows"]) {
            QVERIFY(row["agrees"] == false);
            QVERIFY(row["difference"].get<double>() > 0.9 && row["difference"].get<double>() < 1.1);
        }
    }

    void anotherVerdictIsNoReproduction() {
        const CliOutcome outcome = again("verdict=wrong");
        QVERIFY2(outcome.exitCode == 1, outcome.words());
        QVERIFY2(outcome.document["agrees"] == false, outcome.words());
    }

    void whatCouldNotBeMeasuredDecidesNothing() {
        const CliOutcome outcome = again("die=verify:9");
        QVERIFY2(outcome.exitCode == 4, outcome.words());
        QVERIFY(outcome.document["agrees"].is_null());
    }

    void findsTheTextThatWasChangedSince() {
        m_world.write(m_workspace + "/model_new.py", "raise SystemExit\n");
        const CliOutcome outcome = again("times=100,220,150");
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        QCOMPARE(stringIn(outcome.document, "foundIn"), QString("iteration 1"));
        // The workspace itself is left alone.
        QFile now(m_workspace + "/model_new.py");
        QVERIFY(now.open(QIODevice::ReadOnly));
        QCOMPARE(now.readAll(), QByteArray("raise SystemExit\n"));
    }

    void withoutAHistoryTheWorkspaceWillDo() {
        QVERIFY(QDir(m_workspace + "/.warpwright/history.git").removeRecursively());
        const CliOutcome outcome = again("times=100,220,150");
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        QCOMPARE(stringIn(outcome.document, "foundIn"), QString("the workspace"));
    }

    void aTextThatIsGoneIsSaid() {
        QVERIFY(QDir(m_workspace + "/.warpwright/history.git").removeRecursively());
        m_world.write(m_workspace + "/model_new.py", "raise SystemExit\n");
        const CliOutcome outcome = again("times=100,220,150");
        QVERIFY2(outcome.exitCode == 2, outcome.words());
        QVERIFY2(outcome.errors.contains("neither in the history"), outcome.words());
    }

    void noEvaluation_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("words");
        QTest::newRow("garbage") << QByteArray("{ no") << "again.json";
        QTest::newRow("another document") << QByteArray("{\"schema\": \"x/1\"}") << "again.json";
        QTest::newRow("none") << QByteArray() << "No such file";
    }

    void noEvaluation() {
        QFETCH(QByteArray, text);
        QFETCH(QString, words);
        m_document = m_world.path("again.json");
        QFile::remove(m_document);
        if (!text.isEmpty())
            m_world.write("again.json", text);
        const CliOutcome outcome = again("");
        QVERIFY2(outcome.exitCode == 2, outcome.words());
        QVERIFY2(outcome.errors.contains(words), outcome.words());
    }
};

QObject *makeTestReproduce() {
    return new TestReproduce;
}

#include "tst_reproduce.moc"
