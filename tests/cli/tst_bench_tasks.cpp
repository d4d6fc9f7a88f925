// SPDX-License-Identifier: GPL-3.0-or-later
// `wright bench tasks` on a task set of its own: rows, rates with their denominators, going on, joining. The
// reader and the compilers are the real ones; the judge is the fake one.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"

#include <QDir>
#include <QFile>
#include <QLockFile>
#include <QTest>

#include <csignal>

using namespace warpwright;

class TestBenchTasks : public QObject {
    Q_OBJECT

    CliWorld m_world;

    static QByteArray task(const QByteArray &forward) {
        return "import torch\nfrom torch import nn\n\nROWS = 4096\nSMALL = {\"ROWS\": 5}\n\n\nclass "
               "Model(nn.Module):\n"
               "    def forward(self, x):\n        return " +
               forward +
               "\n\n\ndef get_inputs():\n    return [torch.randn(ROWS, 8)]\n\n\n"
               "def get_init_inputs():\n    return []\n";
    }
    [[nodiscard]] QStringList arguments(const QString &out, const QStringList &more = {}) const {
        return QStringList{"bench",  "tasks",   "--device", "cpu",
                           "--json", "--small", "--out",    m_world.path(out)} +
               more;
    }
    [[nodiscard]] QStringList lines(const QString &file) const {
        QFile rows(m_world.path(file));
        return rows.open(QIODevice::ReadOnly)
                   ? QString::fromUtf8(rows.readAll()).split('\n', Qt::SkipEmptyParts)
                   : QStringList();
    }
    static QString verdictOf(const OrderedJson &document, const char *name) {
        for (const OrderedJson &row : document["tasks"])
            if (row["name"] == name)
                return stringIn(row, "verdict");
        return {};
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        m_world.environment.insert("WARPWRIGHT_JUDGE", sourceFolder("/tests/tools/fake_judge/fake_judge.py"));
        // All resources but the tasks, which are two of our own.
        const QString resources = m_world.path("resources");
        QDir().mkpath(resources);
        for (const QString &name :
             QDir(sourceFolder("/resources")).entryList(QDir::AllEntries | QDir::NoDotAndDotDot))
            if (name != "tasks")
                QFile::link(sourceFolder("/resources/") + name, resources + '/' + name);
        m_world.write("resources/tasks/pointwise/doubled.py", task("x * 2.0"));
        m_world.write("resources/tasks/reduction/frequent_values.py", task("torch.mode(x, 1)[0]"));
        m_world.environment.insert("WARPWRIGHT_RESOURCES", resources);
    }
    void init() { m_world.environment.insert("FAKE_JUDGE", "times=100,220,150"); }

    void givesEachTaskARowAndSaysWhatRatesAreOf() {
        const CliOutcome outcome = m_world.run(arguments("both"), 240000);
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        QCOMPARE(outcome.document["tasks"].size(), std::size_t(2));
        QCOMPARE(verdictOf(outcome.document, "doubled"), QString("pass"));
        QCOMPARE(verdictOf(outcome.document, "frequent_values"), QString("cannot"));
        const OrderedJson &row = outcome.document["tasks"][0];
        QCOMPARE(row["speedup"]["compile"]["value"].get<double>(), 1.5);
        QCOMPARE(row["speedOfLightFraction"].get<double>(), 0.8);
        QVERIFY(!row["moves"].empty() && row["seconds"].get<double>() > 0);
        const OrderedJson &summary = outcome.document["summary"];
        QCOMPARE(summary["passed"]["count"].get<int>(), 1);
        QCOMPARE(summary["passed"]["of"].get<int>(), 2);
        QCOMPARE(summary["passedOfPlanned"]["of"].get<int>(), 1);
        QCOMPARE(summary["faster"]["compile"]["of"].get<int>(), 2);
        QCOMPARE(summary["geometricMean"]["compile"]["of"].get<int>(), 1);
        QCOMPARE(lines("both/results.jsonl").size(), 2);
        // At small size, and the workspace can be looked at.
        QFile model(m_world.path("both/workspaces/doubled/model.py"));
        QVERIFY(model.open(QIODevice::ReadOnly) && model.readAll().contains("\nROWS = 5\n"));

        const CliOutcome again = m_world.run(arguments("both"));
        QCOMPARE(again.exitCode, 2);
        QVERIFY2(again.errors.contains("--resume"), again.words());
        const CliOutcome more = m_world.run(arguments("both", {"--resume"}));
        QVERIFY2(more.exitCode == 0 && more.errors.contains("2 tasks had a row already"), more.words());
        QCOMPARE(lines("both/results.jsonl").size(), 2);
    }

    void whatFailsIsARowAndNoPass() {
        m_world.environment.insert("FAKE_JUDGE", "verdict=wrong");
        const CliOutcome outcome = m_world.run(arguments("wrong", {"doubled"}), 240000);
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        QCOMPARE(verdictOf(outcome.document, "doubled"), QString("failed"));
        QVERIFY(stringIn(outcome.document["tasks"][0], "why").contains("wrong"));
        QCOMPARE(outcome.document["summary"]["passed"]["count"].get<int>(), 0);
        QVERIFY(outcome.document["summary"]["geometricMean"]["eager"]["value"].is_null());
    }

    void whatCannotBeTriedIsNotRunAndTriedAgain() {
        m_world.environment.insert("FAKE_JUDGE", "refuse=open:task-failed");
        const CliOutcome outcome = m_world.run(arguments("again", {"doubled"}), 240000);
        QCOMPARE(verdictOf(outcome.document, "doubled"), QString("not-run"));
        m_world.environment.insert("FAKE_JUDGE", "times=100,220,150");
        const CliOutcome more = m_world.run(arguments("again", {"doubled", "--resume"}), 240000);
        QVERIFY2(verdictOf(more.document, "doubled") == "pass", more.words());
        QCOMPARE(lines("again/results.jsonl").size(), 2);
        QCOMPARE(more.document["tasks"].size(), std::size_t(1));
    }

    void aStoppedRunWritesNoRowAndGoesOn() {
        m_world.environment.insert("FAKE_JUDGE", "slow=verify:60");
        const CliOutcome stopped = m_world.interrupt(arguments("stopped", {"doubled"}), "verify", SIGINT);
        QVERIFY2(stopped.exitCode == 130, stopped.words());
        QVERIFY(lines("stopped/results.jsonl").isEmpty());
    }

    void aTaskEndsAfterItsMinutes() {
        m_world.environment.insert("FAKE_JUDGE", "slow=profile:120");
        const CliOutcome outcome = m_world.run(
            arguments("slow", {"doubled", "--minutes-per-task", "0.2", "--minutes-for-first", "0.4"}),
            100000);
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        QVERIFY2(verdictOf(outcome.document, "doubled") != "pass", outcome.words());
        QVERIFY(outcome.document["tasks"][0]["seconds"].get<double>() < 60);
    }

    void joinsTheFilesOfSeveralRuns() {
        const QByteArray row =
            R"("agent": "playbook", "tier": "quick", "split": "train", "kind": "scan", "seconds": 4)";
        const auto line = [&row](const QByteArray &rest) {
            return "{" + row + ", " + rest + "}\n";
        };
        const QString one = m_world.write(
            "one.jsonl",
            line(
                R"("name": "a", "verdict": "pass", "device": "cuda", "speedup": {"compile": {"value": 4}})") +
                line(R"("name": "b", "verdict": "not-run", "device": "cuda")"));
        const QString two = m_world.write(
            "two.jsonl",
            line(
                R"("name": "b", "verdict": "pass", "device": "cuda", "speedup": {"compile": {"value": 1}})") +
                "{\"name\": \"cut in the mid");
        const CliOutcome joined = m_world.run({"bench", "tasks", "--json", "--join", one, two});
        QVERIFY2(joined.exitCode == 0, joined.words());
        QCOMPARE(joined.document["tasks"].size(), std::size_t(2));
        QCOMPARE(joined.document["summary"]["geometricMean"]["compile"]["value"].get<double>(), 2.0);
        QCOMPARE(joined.document["summary"]["kinds"]["scan"]["tasks"].get<int>(), 2);
        const QString other =
            m_world.write("other.jsonl", line(R"("name": "c", "verdict": "pass", "device": "cpu")"));
        const CliOutcome mixed = m_world.run({"bench", "tasks", "--join", one, other});
        QCOMPARE(mixed.exitCode, 2);
        QVERIFY2(mixed.errors.contains("another measurement"), mixed.words());
    }

    void namesWhoIsSlower() {
        const auto row = [](const char *name, double eager, double compile) {
            const auto over = [](double value) {
                return Json{{"value", value}, {"low", value * 0.9}, {"high", value * 1.1}};
            };
            const Json line{{"agent", "playbook"},
                            {"tier", "quick"},
                            {"split", "train"},
                            {"kind", "scan"},
                            {"seconds", 4},
                            {"verdict", "pass"},
                            {"device", "cpu"},
                            {"name", name},
                            {"speedup", {{"eager", over(eager)}, {"compile", over(compile)}}}};
            return QByteArray::fromStdString(line.dump()) + '\n';
        };
        // Of the noisy one it is not sure.
        const QString file =
            m_world.write("slower.jsonl", row("swift", 2, 2) + row("lame", 2, 0.5) + row("noisy", 0.8, 3));
        const CliOutcome joined = m_world.run({"bench", "tasks", "--join", file});
        QVERIFY2(joined.output.contains("by more than 20 %: lame 0.50×\n"), joined.words());
    }

    void sumsUpWhatWasUsed() {
        const auto row = [](const char *name, const Json &used) {
            const Json line{{"agent", "model:m"}, {"tier", "quick"}, {"split", "train"},
                            {"kind", "scan"},     {"seconds", 4},    {"verdict", "pass"},
                            {"device", "cpu"},    {"name", name},    {"used", used}};
            return QByteArray::fromStdString(line.dump()) + '\n';
        };
        const auto used = [](int in, int out, double cost, const char *currency, bool isEstimated) {
            return Json{{"tokensIn", in},
                        {"tokensOut", out},
                        {"cost", cost},
                        {"currency", currency},
                        {"isEstimated", isEstimated}};
        };
        const QString file =
            m_world.write("used.jsonl", row("a", used(100'000, 2000, 1.5, "USD", false)) +
                                            row("b", used(200, 30, 0.25, "USD", true)) +
                                            row("c", used(1, 1, 0, "", false)) + row("d", nullptr));
        const CliOutcome joined = m_world.run({"bench", "tasks", "--join", file});
        QVERIFY2(
            joined.output.contains("used by 3 tasks: 100,201 tokens in, 2,031 out (estimated); 1.75 USD, "
                                   "cost not known of 1 task\n"),
            joined.words());
        const OrderedJson sum =
            m_world.run({"bench", "tasks", "--json", "--join", file}).document["summary"]["used"];
        QCOMPARE(sum["tokensIn"].get<int>(), 100201);
        QCOMPARE(sum["costs"]["USD"].get<double>(), 1.75);
        QCOMPARE(sum["tasksWithoutPrices"].get<int>(), 1);
        QVERIFY(sum["isEstimated"].get<bool>());
    }

    void twoDoNotWriteIntoOneFile() {
        QDir().mkpath(m_world.path("taken"));
        QLockFile other(m_world.path("taken/results.jsonl.lock"));
        QVERIFY(other.tryLock(0));
        const CliOutcome outcome = m_world.run(arguments("taken"));
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY2(outcome.errors.contains("Another wright writes its rows to"), outcome.words());
        QVERIFY(lines("taken/results.jsonl").isEmpty());
    }

    void saysWhatItDoesNotUnderstand_data() {
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<QString>("said");
        QTest::newRow("a task that is not there")
            << QStringList{"nowhere"} << "Cannot find the task \"nowhere\"";
        QTest::newRow("a shard") << QStringList{"--shard", "3/2"} << "--shard \"3/2\" is not I/N";
        QTest::newRow("a half") << QStringList{"--split", "test"} << "--split";
        QTest::newRow("a device") << QStringList{"--device", "tpu"} << "not auto, cpu or cuda:N";
        QTest::newRow("joining and going on")
            << QStringList{"--join", "x", "--resume"} << "--join runs nothing";
        QTest::newRow("a file that is not there") << QStringList{"--join", "/nowhere/x"} << "/nowhere/x";
    }
    void saysWhatItDoesNotUnderstand() {
        QFETCH(const QStringList, more);
        QFETCH(const QString, said);
        const CliOutcome outcome = m_world.run(QStringList{"bench", "tasks"} + more);
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY2(outcome.errors.contains(said), outcome.words());
    }
};

QObject *makeTestBenchTasks() {
    return new TestBenchTasks;
}
#include "tst_bench_tasks.moc"
