// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/inspect/occupancy_reference.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/inspect/occupancy.h"

#include <QTest>

#include <algorithm>

using namespace warpwright;

class TestOccupancy : public QObject {
    Q_OBJECT

private slots:
    void tellsWhatLimits_data() {
        QTest::addColumn<QString>("arch");
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("registers");
        QTest::addColumn<int>("shared");
        QTest::addColumn<int>("blocks");
        QTest::addColumn<QStringList>("limiters");
        const auto row = [](const char *name, const char *arch, int threads, int registers, int shared,
                            int blocks, const QStringList &limiters) {
            QTest::newRow(name) << QString(arch) << threads << registers << shared << blocks << limiters;
        };
        row("full", "sm_90a", 256, 32, 0, 8, {"warps", "registers"});
        row("few registers", "sm_90a", 256, 16, 0, 8, {"warps"});
        row("registers", "sm_90", 256, 128, 0, 2, {"registers"});
        row("registers of an odd number of warps", "sm_90", 96, 168, 0, 4, {"registers"});
        row("small blocks", "sm_90", 32, 16, 0, 32, {"blocks"});
        row("shared memory, with the system's KiB", "sm_90", 128, 32, 64 * 1024, 3, {"shared memory"});
        row("all of the shared memory", "sm_90", 128, 32, 227 * 1024, 1, {"shared memory"});
        row("more than a block may have", "sm_90", 128, 32, 227 * 1024 + 1, 0, {"shared memory"});
        row("too many registers for a block", "sm_90", 1024, 128, 0, 0, {"registers"});
        row("more registers than a thread has", "sm_90", 32, 256, 0, 0, {"registers"});
        row("too many threads", "sm_90", 1025, 16, 0, 0, {"warps"});
        row("Turing", "sm_75", 256, 32, 0, 4, {"warps"});
        row("Ada", "sm_89", 64, 32, 0, 24, {"warps", "blocks"});
        row("Blackwell for desktops", "sm_120", 1024, 40, 0, 1, {"warps", "registers"});
    }

    void tellsWhatLimits() {
        QFETCH(QString, arch);
        QFETCH(int, threads);
        QFETCH(int, registers);
        QFETCH(int, shared);
        const auto limits = multiprocessorLimits(arch);
        QVERIFY(limits.has_value());
        const Occupancy found = occupancyOf(*limits, {threads, registers, shared, 0});
        QTEST(found.blocks, "blocks");
        QTEST(limiterNames(found), "limiters");
        QCOMPARE(found.warps, found.blocks * ((threads + 31) / 32));
        QCOMPARE(found.maxWarps, limits->warps);
    }

    void hasNoNumbersOfWhatItDoesNotKnow() {
        for (const char *arch : {"sm_99", "sm_200", "sm_", "", "90a", "compute_90"})
            QVERIFY2(!multiprocessorLimits(arch).has_value(), arch);
    }

    void namesSensibleSizes() {
        QCOMPARE(usualBlockSizes(0), (std::vector<int>{128, 256, 512, 1024}));
        QCOMPARE(usualBlockSizes(256), (std::vector<int>{128, 256}));
        QCOMPARE(usualBlockSizes(96), (std::vector<int>{96}));
        QCOMPARE(usualBlockSizes(1024), (std::vector<int>{128, 256, 512, 1024}));
    }

    void barriersLimitWhereThereAreFew() {
        const auto limits = multiprocessorLimits("sm_90");
        QCOMPARE(occupancyOf(*limits, {64, 16, 0, 16}).blocks, 4);
        QCOMPARE(limiterNames(occupancyOf(*limits, {64, 16, 0, 16})), QStringList("barriers"));
        QCOMPARE(occupancyOf(*limits, {64, 16, 0, 1}).blocks, 32);
    }

    // As a compile report has them: for its own blocks, else for all usual ones that its registers allow.
    void tellsARangeForACompiledKernel() {
        KernelResources kernel;
        kernel.arch = QStringLiteral("sm_90a");
        kernel.registers = 29;
        kernel.maxThreads = 1024;
        QCOMPARE(occupanciesOf(kernel, 0).size(), std::size_t(4));
        QCOMPARE(occupancyRange(occupanciesOf(kernel, 0)), QString("100 %"));
        kernel.registers = 120;
        kernel.maxThreads = 512;
        QCOMPARE(occupanciesOf(kernel, 0).size(), std::size_t(3));
        QCOMPARE(occupancyRange(occupanciesOf(kernel, 0)), QString("25 %"));
        QCOMPARE(occupanciesOf(kernel, 256).size(), std::size_t(1));
        kernel.arch = QStringLiteral("sm_1");
        QVERIFY(occupanciesOf(kernel, 0).empty());
    }

    /// Against NVIDIA's calculator: some 100,000 launches, of every architecture it knows.
    void agreesWithTheToolkit() {
        const auto any = multiprocessorLimits("sm_90");
        NEED_TOOL(referenceOccupancy(*any, 9, 0, {}).has_value(),
                  "cuda_occupancy.h when this test was built");
        int compared = 0;
        for (const auto &[arch, major, minor] :
             {std::tuple("sm_75", 7, 5), std::tuple("sm_80", 8, 0), std::tuple("sm_86", 8, 6),
              std::tuple("sm_87", 8, 7), std::tuple("sm_89", 8, 9), std::tuple("sm_90", 9, 0),
              std::tuple("sm_100", 10, 0), std::tuple("sm_101", 10, 1), std::tuple("sm_103", 10, 3),
              std::tuple("sm_110", 11, 0), std::tuple("sm_120", 12, 0), std::tuple("sm_121", 12, 1)}) {
            const auto limits = multiprocessorLimits(arch);
            QVERIFY2(limits.has_value(), arch);
            for (int threads = 32; threads <= 1024; threads += 32)
                for (int registers = 8; registers <= 255; registers += 13)
                    for (const int shared : {0, 1, 1023, 4096, 17000, 33000, 65536, 101376, 160000, 232448}) {
                        for (const int barriers : {0, 1, 16}) {
                            const BlockNeeds needs{threads - (registers % 3), registers, shared, barriers};
                            const Occupancy ours = occupancyOf(*limits, needs);
                            const auto theirs = referenceOccupancy(*limits, major, minor, needs);
                            const QString where =
                                QStringLiteral("%1: %2 threads, %3 registers, %4 bytes, %5 barriers: "
                                               "%6 blocks, but the toolkit says %7")
                                    .arg(arch)
                                    .arg(needs.threads)
                                    .arg(registers)
                                    .arg(shared)
                                    .arg(barriers)
                                    .arg(ours.blocks)
                                    .arg(theirs->blocks);
                            if (ours.blocks != theirs->blocks)
                                QFAIL(qPrintable(where));
                            const auto has = [&ours](Occupancy::Limiter limiter) {
                                return std::find(ours.limiters.begin(), ours.limiters.end(), limiter) !=
                                       ours.limiters.end();
                            };
                            if (has(Occupancy::Limiter::Registers) !=
                                    (theirs->byRegisters == theirs->blocks) ||
                                has(Occupancy::Limiter::Warps) != (theirs->byWarps == theirs->blocks) ||
                                has(Occupancy::Limiter::SharedMemory) !=
                                    (theirs->byShared == theirs->blocks) ||
                                has(Occupancy::Limiter::Blocks) != (theirs->byBlocks == theirs->blocks))
                                QFAIL(qPrintable(where + QStringLiteral("; limited by ") +
                                                 limiterNames(ours).join(", ")));
                            ++compared;
                        }
                    }
        }
        QVERIFY(compared > 100'000);
    }
};

QObject *makeTestOccupancy() {
    return new TestOccupancy;
}

#include "tst_occupancy.moc"
