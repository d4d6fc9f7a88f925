// SPDX-License-Identifier: GPL-3.0-or-later
// `wright tune --agent playbook` as people type it: the real reader and the real compilers; the judge is the
// fake one, which gives every text the same times. And that it says what it does not do.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace warpwright;

class TestTunePlaybook : public QObject {
    Q_OBJECT

    CliWorld m_world;

    static std::vector<Json> eventsOf(const QString &kind, const QString &lines) {
        std::vector<Json> found;
        for (const QString &line : lines.split('\n')) {
            const Result<Json> event = parseJson(line.toUtf8());
            if (event.hasValue() && stringIn(event.value(), "kind") == kind)
                found.push_back(event.value());
        }
        return found;
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        m_world.environment.insert("WARPWRIGHT_JUDGE", sourceFolder("/tests/tools/fake_judge/fake_judge.py"));
        // Slower than its kernels are expected to be: else it would propose nothing.
        m_world.environment.insert("FAKE_JUDGE", "intext times=5000,9000,8000");
    }

    void proposesKernelsAndMovesUntilNoneIsLeft() {
        const QString workspace = m_world.workspace("base", "playbook");
        const CliOutcome outcome = m_world.run(
            {"tune", workspace, "--agent", "playbook", "--mode", "auto", "--device", "cpu", "--json"},
            240000);
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        const std::vector<Json> proposals = eventsOf("proposal", outcome.output);
        QVERIFY2(!proposals.empty(), outcome.words());
        QCOMPARE(stringIn(proposals[0], "move"), QString("fuse"));
        // Nobody follows it idea by idea, so it begins with all that promise something.
        QVERIFY2(stringIn(proposals[0], "reason").contains("Write exp and its like as arithmetic"),
                 outcome.words());
        // The workspace's registry is of CUDA-Agent's kind: its bindings are others.
        QVERIFY2(!outcome.output.contains("build-failed"), outcome.words());
        QCOMPARE(eventsOf("run-ended", outcome.output).size(), 1U);
        QVERIFY(outcome.output.contains("read_reference"));
        // What was recorded is told again, byte for byte.
        const QStringList runs =
            QDir(workspace + "/.warpwright/runs").entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QCOMPARE(runs.size(), 1);
        const CliOutcome replayed = m_world.run({"replay", workspace + "/.warpwright/runs/" + runs[0]});
        QVERIFY2(replayed.exitCode == 0, replayed.words());
    }

    void saysWhyItHasNoKernel() {
        const QString workspace = m_world.workspace("base", "most-frequent");
        QFile model(workspace + "/model.py");
        QVERIFY(model.open(QIODevice::ReadWrite));
        const QByteArray text =
            model.readAll().replace("torch.sigmoid(x) * self.scale", "torch.mode(x, 1)[0] * self.scale");
        model.resize(0);
        model.seek(0);
        model.write(text);
        model.close();
        const CliOutcome outcome = m_world.run(
            {"tune", workspace, "--agent", "playbook", "--mode", "auto", "--device", "cpu"}, 120000);
        QVERIFY2(outcome.exitCode == 1, outcome.words());
        for (const char *words : {"cannot, because", "torch.mode, line", "Nothing was changed."})
            QVERIFY2(outcome.output.contains(words), outcome.words());
    }

    void saysWhatItDoesNotTake_data() {
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<QString>("said");
        QTest::newRow("a script") << QStringList{"--script", "x"} << "--agent playbook takes no --script";
        QTest::newRow("going on") << QStringList{"--continue"}
                                  << "in its place another model:NAME or acp:NAME can be named";
    }
    void saysWhereTheExpertIsNotFirst_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("said");
        const QString place = "--expert-first is for --agent model:NAME and --agent acp:NAME";
        QTest::newRow("the expert alone") << QStringList{} << place;
        QTest::newRow("a script") << QStringList{"--script", "x"} << place;
        QTest::newRow("going on") << QStringList{"--continue"}
                                  << "--continue goes on with what the run began with: leave "
                                     "--expert-first out";
        QTest::newRow("no such model")
            << QStringList{"--agent", "model:nobody"} << "There is no model \"nobody\"";
        QTest::newRow("no such agent")
            << QStringList{"--agent", "acp:nobody"} << "There is no agent \"nobody\"";
    }
    void saysWhereTheExpertIsNotFirst() {
        QFETCH(const QStringList, arguments);
        QFETCH(const QString, said);
        const QString workspace = m_world.workspace("base", "playbook");
        const CliOutcome outcome = m_world.run(QStringList{"tune", workspace, "--expert-first"} + arguments);
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY2(outcome.errors.contains(said), outcome.words());
    }

    void saysWhatItDoesNotTake() {
        QFETCH(const QStringList, more);
        QFETCH(const QString, said);
        const CliOutcome outcome = m_world.run(QStringList{"tune", ".", "--agent", "playbook"} + more);
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY2(outcome.errors.contains(said), outcome.words());
    }

    void aPythonThatIsNotThereIsSaid() {
        const QString workspace = m_world.workspace("base", "nopython");
        const CliOutcome outcome = m_world.run({"tune", workspace, "--agent", "playbook", "--mode", "auto",
                                                "--device", "cpu", "--python", "/nowhere/python"});
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY2(outcome.errors.contains("/nowhere/python"), outcome.words());
    }
};

QObject *makeTestTunePlaybook() {
    return new TestTunePlaybook;
}
#include "tst_tune_playbook.moc"
