// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/tuning/measurement_table.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "tests/playbook/recorded_graph.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"
#include "tests/toolchain/scratch.h"

#include <QTest>

#include <cmath>

using namespace warpwright;

class TestMeasurementTable : public QObject {
    Q_OBJECT

private slots:
    void whatIsAppendedIsLoaded() {
        const Scratch scratch;
        const QString file = scratch.path() + "/new/folder/measurements.jsonl";
        QVERIFY(!MeasurementTable::load(file).of("H200", "rows", "wide-loads"));
        for (const double ratio : {0.5, 0.8, 1.0, -1.0})
            QVERIFY(appendMeasurement(file, {"H200", "rows", "wide-loads", ratio}).hasValue());
        QVERIFY(appendMeasurement(file, {"H100", "rows", "wide-loads", 2}).hasValue());
        const auto known = MeasurementTable::load(file).of("H200", "rows", "wide-loads");
        QVERIFY(known);
        QCOMPARE(known->count, 3); // a ratio below zero is not counted
        QVERIFY(qAbs(known->ratio - std::cbrt(0.5 * 0.8)) < 1e-12);
    }

    // A resumed run asks for what was known when it began.
    void isAsItWasThen() {
        const Scratch scratch;
        const QString file =
            scratch.write("measurements.jsonl",
                          "{\"device\": \"H200\", \"kernels\": \"rows\", \"move\": \"m\", \"ratio\": 0.5}\n");
        QTest::qWait(5);
        const QDateTime then = QDateTime::currentDateTimeUtc();
        QTest::qWait(5);
        QVERIFY(appendMeasurement(file, {"H200", "rows", "m", 0.7}).hasValue());
        QCOMPARE(MeasurementTable::load(file).of("H200", "rows", "m")->count, 2);
        // A line without a time, as older versions wrote it, is of no known time.
        QCOMPARE(MeasurementTable::load(file, then).of("H200", "rows", "m")->count, 1);
        QVERIFY(MeasurementTable::load(file).isLast({"H200", "rows", "m", 0.7}));
        QVERIFY(!MeasurementTable::load(file).isLast({"H200", "rows", "m", 0.5}));
        QVERIFY(!MeasurementTable::load(file).isLast({"H200", "rows", "n", 0.7}));
    }

    void damagedLinesSayNothing() {
        const Scratch scratch;
        scratch.write("measurements.jsonl",
                      "{\"device\": \"H200\", \"kernels\": \"rows\", \"move\": \"m\", "
                      "\"ratio\": 0.5}\n[1]\n{\"ratio\": \"x\"}\n\xff\xfe\n{\"device\": \"H2");
        const MeasurementTable table = MeasurementTable::load(scratch.path() + "/measurements.jsonl");
        QCOMPARE(table.of("H200", "rows", "m")->count, 1);
    }

    void aFolderThatCannotBeMadeIsSaid() {
        const Scratch scratch;
        scratch.write("file", "");
        const auto kept = appendMeasurement(scratch.path() + "/file/measurements.jsonl", {"a", "b", "c", 1});
        QVERIFY(!kept.hasValue() && kept.message().contains("/file"));
    }

    void aClassIsOfTheKernelsThatChange() {
        const Program program = programOf(recordedGraph("generalised-mean"));
        const std::vector<Knobs> before = plainKnobs(program);
        QVERIFY(kernelClass(program, before, before).isEmpty());
        std::vector<Knobs> after = before;
        after[0].hasWideLoads = true;
        const QString one = kernelClass(program, before, after);
        QVERIFY2(one.contains("float32 4^"), qPrintable(one));
        for (Knobs &knobs : after)
            knobs.hasWideLoads = true;
        QVERIFY(kernelClass(program, before, after).contains(one));
    }

    // A loop's first state is often zeros: such a kernel reads nothing.
    void whatOnlyWritesHasAClassAsWell() {
        const Program program =
            programOf(graphOf(node("z", "full.default", "[64, 256], 0.5", {64, 256}), "z"));
        QCOMPARE(program.kernels.size(), 1U);
        QVERIFY(program.kernels[0].inputs.empty());
        std::vector<Knobs> after = plainKnobs(program);
        after[0].hasWideLoads = true;
        QVERIFY(kernelClass(program, plainKnobs(program), after).contains("float32"));
    }
};

QObject *makeTestMeasurementTable() {
    return new TestMeasurementTable;
}
#include "tst_measurement_table.moc"
