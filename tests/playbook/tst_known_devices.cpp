// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/schedule/loop_space.h"
#include "agent/playbook/target/device_rows.h"
#include "agent/playbook/target/known_devices.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "tests/playbook/recorded_graph.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"

#include <QTest>

#include <limits>

using namespace warpwright;

class TestKnownDevices : public QObject {
    Q_OBJECT

    static std::vector<SharedDevice> rows() {
        const auto read = readDeviceRows(deviceRowsFolder(sourceFolder("/resources")));
        return read.hasValue() ? read.value() : std::vector<SharedDevice>();
    }
    static QByteArray rowOf(const char *name) {
        return textOf(deviceRowsFolder(sourceFolder("/resources")) + '/' + name + ".json");
    }

private slots:
    void initTestCase() { QCOMPARE(rows().size(), 2U); }

    void aMeasuredChipIsItsRow() {
        const std::vector<SharedDevice> known = rows();
        const ChosenDevice chosen = deviceFor({"NVIDIA H200", 9, 0, 132, 4.2e12}, known);
        QVERIFY(chosen.doubt.isEmpty());
        QCOMPARE(chosen.device->name, QString("NVIDIA H200"));
        QCOMPARE(chosen.device->sharedBytesOfBlock, 227 * 1024);
        QVERIFY(chosen.device == known[1]); // today's measurements are no part of it
    }

    void whereNoCudaDeviceIsUsedTextIsForAnH200() {
        const std::vector<SharedDevice> known = rows();
        QVERIFY(defaultDevice(known) == known[1]);
        QVERIFY(defaultDevice({known[0]}) == known[0]);
    }

    void clustersAndWarpGroupsFollowFromTheComputeCapability() {
        Device device = *h200();
        QVERIFY(hasClusters(device) && hasWarpGroups(device));
        device.computeMajor = 10;
        QVERIFY(hasClusters(device) && !hasWarpGroups(device));
        QVERIFY(!hasClusters(*withoutClusters()) && !hasWarpGroups(*withoutClusters()));
    }

    void whatWasMeasuredComesBeforeTheRow() {
        QCOMPARE(Target().bandwidth(*h200()), h200()->memoryBytesASecond);
        QCOMPARE(Target{CpuTarget()}.bandwidth(*h200()), CpuTarget().memoryBytesASecond);
        QCOMPARE((Target{CpuTarget(), 3e10}.bandwidth(*h200())), 3e10);
    }

    void anUnknownChipHasItsOwnFactsAndTheNearestRatios() {
        const std::vector<SharedDevice> known = rows();
        const ChosenDevice chosen = deviceFor({"NVIDIA A100", 8, 0, 108, 1.5e12}, known);
        QCOMPARE(
            chosen.doubt,
            QString("NVIDIA A100 was not measured by us: its rates are taken from NVIDIA H100 80GB HBM3, the "
                    "nearest that was, so its predictions are guesses."));
        QCOMPARE(chosen.device->processors, 108);
        QCOMPARE(chosen.device->sharedBytesOfBlock, 163 * 1024);
        QCOMPARE(chosen.device->memoryBytesASecond, 1.5e12);
        QCOMPARE(chosen.device->passBytesASecond, known[0]->passBytesASecond / 2);
        QCOMPARE(chosen.device->tf32ASecond, known[0]->tf32ASecond * 108 / 132);
        QCOMPARE(chosen.device->launchSeconds, known[0]->launchSeconds);
    }

    void whatNobodyKnowsIsSaid() {
        const ChosenDevice chosen = deviceFor({"a slice of NVIDIA H200", 9, 0, {}, {}}, rows());
        QVERIFY2(chosen.doubt.contains("its number of multiprocessors, its rates are taken from"),
                 qPrintable(chosen.doubt));
        QCOMPARE(chosen.device->processors, 132);
        // As many SMs as the row says, or it is another chip of that name.
        QVERIFY(!deviceFor({"NVIDIA H200", 9, 0, 16, {}}, rows()).doubt.isEmpty());
        QVERIFY2(deviceFor({"Future", 99, 0, {}, {}}, rows()).doubt.contains("registers and shared memory"),
                 "no table has its limits");
    }

    void aVariantOfAMeasuredChipIsNearestToIt_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("nearest");
        QTest::newRow("a slice") << "a slice of NVIDIA H200"
                                 << "NVIDIA H200";
        QTest::newRow("a variant") << "NVIDIA H200 NVL"
                                   << "NVIDIA H200";
        QTest::newRow("a slice of the other") << "a slice of NVIDIA H100 80GB HBM3"
                                              << "NVIDIA H100 80GB HBM3";
    }

    void aVariantOfAMeasuredChipIsNearestToIt() {
        QFETCH(const QString, name);
        QFETCH(const QString, nearest);
        const ChosenDevice chosen = deviceFor({name, 9, 0, 60, {}}, rows());
        QVERIFY2(chosen.doubt.contains("taken from " + nearest + ','), qPrintable(chosen.doubt));
    }

    void factsThatNoChipHasAreUnknown_data() {
        QTest::addColumn<int>("processors");
        QTest::addColumn<double>("rate");
        QTest::newRow("zero") << 0 << 0.0;
        QTest::newRow("below zero") << -4 << -1e12;
        QTest::newRow("no number") << 0 << std::numeric_limits<double>::quiet_NaN();
        QTest::newRow("endless") << 0 << std::numeric_limits<double>::infinity();
    }

    void factsThatNoChipHasAreUnknown() {
        QFETCH(const int, processors);
        QFETCH(const double, rate);
        const ChosenDevice odd = deviceFor({"NVIDIA A100", 8, 0, processors, rate}, rows());
        const ChosenDevice unknown = deviceFor({"NVIDIA A100", 8, 0, {}, {}}, rows());
        QVERIFY(*odd.device == *unknown.device);
        QCOMPARE(odd.doubt, unknown.doubt);
    }

    void aBrokenRowSaysWhichFileAndWhatToDo_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("what");
        const QByteArray row = rowOf("h200");
        QTest::newRow("no JSON") << row.left(100) << "parse error";
        QTest::newRow("no name") << QByteArray(row).replace("\"name\"", "\"title\"")
                                 << "there is no \"name\"";
        QTest::newRow("a list") << QByteArray("[]") << "there is no \"name\"";
        QTest::newRow("no figure") << QByteArray(row).replace("\"processors\"", "\"cores\"")
                                   << "\"processors\" is missing";
        QTest::newRow("half a processor") << QByteArray(row).replace("\"value\": 132", "\"value\": 131.5")
                                          << "\"processors\" is missing, or is no such figure";
        QTest::newRow("no rate") << QByteArray(row).replace("\"value\": 4e+12", "\"value\": 0")
                                 << "\"memoryBytesASecond\" is missing, or is no such figure";
        QTest::newRow("from nowhere")
            << QByteArray(row).replace("\"from\": \"NVIDIA's data sheet of the SXM module\"",
                                       "\"from\": \"\"")
            << "\"processors\" is missing, or is no such figure";
        QTest::newRow("one more") << QByteArray(row).replace("\"figures\": {",
                                                             "\"figures\": {\"colour\": {},")
                                  << "unknown figure \"colour\"";
    }

    void aBrokenRowSaysWhichFileAndWhatToDo() {
        QFETCH(const QByteArray, text);
        QFETCH(const QString, what);
        const Scratch scratch;
        const QString file = scratch.write("playbook/devices/b.json", text);
        scratch.write("playbook/devices/a.json", rowOf("h100"));
        const auto read = readDeviceRows(deviceRowsFolder(scratch.path()));
        QVERIFY(!read.hasValue());
        QVERIFY2(read.message().contains(file) && read.message().contains(what) &&
                     read.message().contains("mend the file, or install Warpwright again"),
                 qPrintable(read.message()));
    }

    void aFolderWithoutRowsIsSaid() {
        const Scratch scratch;
        const auto read = readDeviceRows(deviceRowsFolder(scratch.path()));
        QVERIFY(!read.hasValue() && read.message().contains("WARPWRIGHT_RESOURCES"));
    }

    // Each kernel points to it, also those that passes and loops over time make.
    void aPlanIsForItsDevice() {
        const SharedDevice h100 = rows()[0];
        for (const char *graph : {"softmax-rows", "gemm-bias-gelu", "generalised-mean"}) {
            const Program program = programOf(recordedGraph(graph), h100);
            QVERIFY(program.unsupported.isEmpty() && program.device == h100);
            for (const Kernel &kernel : program.kernels)
                QVERIFY(kernel.device == h100);
            // Where the chips differ in their memory alone, the program is the same.
            QCOMPARE(program.signature(), programOf(recordedGraph(graph)).signature());
        }
        const Program program = programOf(recordedGraph("softmax-rows"), h100);
        const Target unmeasured;
        QVERIFY(predictedSeconds(program, plainKnobs(program), unmeasured) >
                predictedSeconds(programOf(recordedGraph("softmax-rows")), plainKnobs(program), unmeasured));
    }

    // Fewer SMs need fewer parts of a sum.
    void aSmallChipIsPlannedForAnew() {
        const ReferenceGraph graph =
            graphOf(input("x", {8, 1 << 22}) + node("y", "sum.dim_IntList", "%x, [1]", {8}), "y");
        Device small = *h200();
        small.processors = 16;
        const Program few = programOf(graph, std::make_shared<const Device>(small));
        const Program many = programOf(graph);
        QVERIFY(!many.kernels.empty() && !few.kernels.empty());
        QVERIFY(few.kernels[0].rows() < many.kernels[0].rows());
    }
};

QObject *makeTestKnownDevices() {
    return new TestKnownDevices;
}

#include "tst_known_devices.moc"
