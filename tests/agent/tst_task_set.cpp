// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tasks/task_set.h"
#include "agent/tasks/task_summary.h"
#include "tests/toolchain/places.h"

#include <QFile>
#include <QTest>

#include <set>

using namespace warpwright;

class TestTaskSet : public QObject {
    Q_OBJECT

    static std::vector<TuningTask> tasks() { return listTuningTasks(sourceFolder("/resources")).value(); }

    static TaskResult row(const char *name, TaskVerdict verdict, double overCompile = 0, double low = 0) {
        TaskResult result;
        result.name = name;
        result.kind = "scan";
        result.verdict = verdict;
        result.seconds = 10;
        if (overCompile > 0)
            result.compile = SpeedUp{overCompile, low, overCompile, "compile"};
        return result;
    }

private slots:
    void aHalfHangsOnTheNameAlone() {
        // As tests/tasks/task_file.py says.
        QCOMPARE(splitOf("row_entropy"), QString("train"));
        QCOMPARE(splitOf("column_moments"), QString("held-out"));
        const auto train = selected(tasks(), {"train", {}, 0, 1, 1}).value();
        const auto rest = selected(tasks(), {"held-out", {}, 0, 1, 1}).value();
        QCOMPARE(train.size() + rest.size(), tasks().size());
        QCOMPARE(train.size(), 119U);
    }

    void namedTasksComeInTheOrderOfTheirNames() {
        const std::vector<TuningTask> all = tasks();
        QStringList names = {all[5].name, all[1].name, all[3].name};
        QStringList found;
        for (const TuningTask &task : selected(all, {{}, names, 0, 1, 1}).value())
            found << task.name;
        QCOMPARE(found, names);
    }

    void shardsTakeEachTaskOnce() {
        std::set<QString> seen;
        for (int shard = 1; shard <= 3; ++shard)
            for (const TuningTask &task : selected(tasks(), {{}, {}, 0, shard, 3}).value())
                QVERIFY(seen.insert(task.name).second);
        QCOMPARE(seen.size(), tasks().size());
    }

    void everyTaskHasASmallSize() {
        for (const TuningTask &task : tasks()) {
            QFile file(task.file);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray text = file.readAll();
            const Result<QByteArray> small = atSmallSize(text);
            QVERIFY2(small.hasValue() && small.value() != text,
                     qPrintable(task.name + ": " + small.message()));
        }
    }

    void smallValuesTakeThePlaceOfConstants() {
        const QByteArray text =
            "ROWS = 4096\nSHAPE = (3, 4)\nSMALL = {\"ROWS\": 5, \"SHAPE\": (1, 2)}\nWIDTH = ROWS\n";
        QCOMPARE(
            atSmallSize(text).value(),
            QByteArray("ROWS = 5\nSHAPE = (1, 2)\nSMALL = {\"ROWS\": 5, \"SHAPE\": (1, 2)}\nWIDTH = ROWS\n"));
        QVERIFY(!atSmallSize("SMALL = {\"ROWS\": 5}\n").hasValue());
        QVERIFY(!atSmallSize("ROWS = 5\n").hasValue());
    }

    void onlyAPassCountsAndRatesAreOfAll() {
        const TaskSummary summary =
            summaryOf({row("a", TaskVerdict::Pass, 4, 3), row("b", TaskVerdict::Pass, 1, 0.9),
                       row("c", TaskVerdict::Failed, 9, 9), row("d", TaskVerdict::Cannot),
                       row("e", TaskVerdict::NotRun), row("f", TaskVerdict::Inconclusive, 9, 9)});
        QCOMPARE(summary.passed, (TaskShare{2, 6}));
        QCOMPARE(summary.passedOfPlanned, (TaskShare{2, 4}));
        QCOMPARE(summary.fasterThanCompile, (TaskShare{1, 6}));
        QCOMPARE(summary.compile.of, 2);
        QVERIFY(qFuzzyCompare(summary.compile.value, 2.0));
        QCOMPARE(summary.eager.of, 0);
        QCOMPARE(summary.seconds.of, 5); // what was not run has taken no time
    }

    void aRowComesBackFromItsJson() {
        TaskResult result = row("a", TaskVerdict::Pass, 4, 3);
        result.shareOfLight = 0.5;
        result.moves = {{"fuse", "One kernel", "accepted", std::nullopt}, {"config", "Two", "branch", 0.9}};
        result.settings = {"playbook", "cuda", "NVIDIA H200", "quick", true, "1.0"};
        QCOMPARE(taskResultFromJson(taskResultToJson(result)).value(), result);
    }
};

QObject *makeTestTaskSet() {
    return new TestTaskSet;
}
#include "tst_task_set.moc"
