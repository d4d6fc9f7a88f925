// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/tool_output/ptxas_report.h"

#include <QTest>

using namespace warpwright;

class TestPtxasReport : public QObject {
    Q_OBJECT

private slots:
    void readsEveryKernelOfAFile() {
        const auto kernels = parsePtxasReport(recorded("ptxas/resources-13.0.88.txt"));
        QCOMPARE(kernels.size(), std::size_t(3)); // the device function between them is none
        QCOMPARE(kernels[0].name,
                 QStringLiteral("void (anonymous namespace)::rows<float, 256>(float const*, float*)"));
        QCOMPARE(kernels[0].arch, QStringLiteral("sm_90a"));
        QCOMPARE(kernels[0].registers, 14);
        QCOMPARE(kernels[0].staticSharedBytes, 1024);
        QCOMPARE(kernels[0].barriers, 1);
        QCOMPARE(kernels[0].maxThreads, 1024);
        QCOMPARE(kernels[1].name, QStringLiteral("plain"));
        QCOMPARE(kernels[1].stackBytes, 64);
        QCOMPARE(kernels[1].registers, 24);
        QCOMPARE(kernels[2].name, QStringLiteral("heavy(float const*, float*, int)"));
        QCOMPARE(kernels[2].mangled, QStringLiteral("_Z5heavyPKfPfi"));
        QCOMPARE(kernels[2].spillStoreBytes, 1024);
        QCOMPARE(kernels[2].spillLoadBytes, 1268);
        QCOMPARE(kernels[2].stackBytes, 616);
        QCOMPARE(kernels[2].registers, 32);
    }

    void tellsHowManyThreadsTheRegistersAllow_data() {
        QTest::addColumn<int>("registers");
        QTest::addColumn<int>("threads");
        QTest::newRow("few") << 32 << 1024;
        QTest::newRow("the most for 1024") << 64 << 1024;
        QTest::newRow("one more") << 65 << 896;
        QTest::newRow("128") << 128 << 512;
        QTest::newRow("168") << 168 << 384;
        QTest::newRow("all") << 255 << 256;
        QTest::newRow("more than there are") << 999999946 << 32;
    }

    void tellsHowManyThreadsTheRegistersAllow() {
        QFETCH(int, registers);
        const QByteArray text =
            "ptxas info    : Compiling entry function 'k' for 'sm_90a'\nptxas info    : Used " +
            QByteArray::number(registers) + " registers, used 0 barriers\n";
        QTEST(parsePtxasReport(text).at(0).maxThreads, "threads");
    }

    void givesWhatCameOfHalfAReport() {
        const auto kernels =
            parsePtxasReport("ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90a'\n");
        QCOMPARE(kernels.size(), std::size_t(1));
        QCOMPARE(kernels[0].name, QStringLiteral("k(float*)"));
        QCOMPARE(kernels[0].registers, 0);
    }

    void readsNothingFromOtherText() {
        QVERIFY(parsePtxasReport({}).empty());
        QVERIFY(parsePtxasReport(recorded("gcc/flood-12.2.0.txt")).empty());
        QVERIFY(parsePtxasReport("    0 bytes stack frame, 0 bytes spill stores\n").empty());
    }

    void leavesNamesThatAreNotMangled() {
        QCOMPARE(demangled("launch"), QStringLiteral("launch"));
        QCOMPARE(demangled("_Znonsense"), QStringLiteral("_Znonsense"));
        QCOMPARE(demangled({}), QString());
    }
};

QObject *makeTestPtxasReport() {
    return new TestPtxasReport;
}

#include "tst_ptxas_report.moc"
