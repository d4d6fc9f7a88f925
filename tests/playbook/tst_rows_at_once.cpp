// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/cuda_head.h"
#include "agent/playbook/schedule/cuda_choices.h"
#include "agent/playbook/schedule/packs_of_rows.h"
#include "agent/playbook/schedule/ragged_rows.h"
#include "agent/playbook/schedule/sliding_windows.h"
#include "agent/playbook/schedule/thread_mapping.h"
#include "agent/playbook/schedule/vector_width.h"

#include <QTest>

#include <limits>

using namespace warpwright;

/// How much of a row or of its windows a thread takes at once, so that loads are on their way together.
class TestRowsAtOnce : public QObject {
    Q_OBJECT

    static KernelTuning wide() {
        KernelTuning tuning;
        tuning.hasWideLoads = true;
        tuning.isOnePass = true;
        return tuning;
    }

    // Two halves of each byte, side by side; of a float instead of a byte for comparison.
    static FusedKernel unpacked(ElementType type) {
        FusedKernel kernel;
        kernel.loops = {1024, 2048};
        const int x = kernel.load({0, type, AffineIndex{0, {2048, 1}}, {}, 0});
        for (int part = 0; part < 2; ++part) {
            const int value =
                kernel.add(part == 0 ? KernelOp::Negate : KernelOp::Absolute, ElementType::Float32, {x});
            kernel.stores.push_back({value, 1, ElementType::Float16, {part, {4096, 2}}});
        }
        kernel.finish();
        return kernel;
    }

    // A softmax's means over so many tables, which rows of an odd length shift against its packs.
    static FusedKernel meansByTables(int tables) {
        FusedKernel kernel;
        kernel.loops = {6144, 11'881};
        kernel.outer = 1;
        const auto type = ElementType::Float32;
        const int x = kernel.load({0, type, AffineIndex{0, {11'881, 1}}, {}, 0});
        const int largest = kernel.add(KernelOp::RowMaximum, type, {x});
        const int power =
            kernel.add(KernelOp::Exponential, type, {kernel.add(KernelOp::Subtract, type, {x, largest})});
        const int sum = kernel.add(KernelOp::RowSum, type, {power});
        for (int i = 0; i < tables; ++i) {
            const int table = kernel.load({1 + i, type, AffineIndex{0, {0, 1}}, {}, 0});
            const int mean =
                kernel.add(KernelOp::RowSum, type,
                           {kernel.add(KernelOp::Multiply, type,
                                       {kernel.add(KernelOp::Divide, type, {power, sum}), table})});
            kernel.stores.push_back({mean, 1 + tables + i, type, {0, {1, 0}}});
        }
        kernel.finish();
        return kernel;
    }

    // Of images of halves, or floats: the largest of windows, in so many dimensions.
    static FusedKernel largestOfWindows(ElementType type, std::size_t dimensions, std::int64_t wanted = 5) {
        FusedKernel kernel;
        kernel.loops = {8, 512};
        kernel.loops.insert(kernel.loops.end(), dimensions, 32);
        kernel.outer = kernel.loops.size();
        const std::int64_t size = dimensions == 3 ? 3 : wanted;
        kernel.loops.insert(kernel.loops.end(), dimensions, size);
        AffineIndex address{0, std::vector<std::int64_t>(kernel.loops.size(), 0)};
        AffineIndex result = address;
        std::int64_t step = 1;
        int isThere = -1;
        for (std::size_t k = kernel.outer; k-- > 0;) {
            result.steps[k] = step;
            address.steps[k] = step;
            if (k >= 2) {
                address.steps[k + dimensions] = step;
                address.offset -= size / 2 * step;
                AffineIndex place{-(size / 2), std::vector<std::int64_t>(kernel.loops.size(), 0)};
                place.steps[k] = place.steps[k + dimensions] = 1;
                const int counter = kernel.index(place);
                const int isInside =
                    kernel.add(KernelOp::And, ElementType::Bool,
                               {kernel.add(KernelOp::LessOrEqual, ElementType::Bool,
                                           {kernel.number(0, ElementType::Int64), counter}),
                                kernel.add(KernelOp::Less, ElementType::Bool,
                                           {counter, kernel.number(32, ElementType::Int64)})});
                isThere = isThere < 0 ? isInside
                                      : kernel.add(KernelOp::And, ElementType::Bool, {isThere, isInside});
            }
            step *= kernel.loops[k];
        }
        const int x = kernel.load({0, type, address, {}, 0}, {}, isThere);
        for (KernelStep &some : kernel.steps)
            if (some.op == KernelOp::Load)
                some.number = -std::numeric_limits<double>::infinity();
        const int largest = kernel.add(KernelOp::RowMaximum, ElementType::Float32, {x});
        kernel.stores.push_back({largest, 1, type, result});
        kernel.finish();
        return kernel;
    }

private slots:
    void whatIsUnpackedFillsOneStore() {
        const FusedKernel bytes = unpacked(ElementType::UInt8);
        QCOMPARE(storesOfRun(bytes), 2);
        QCOMPARE(widthOf(bytes), 4); // of bytes; twice as many halves are 16 bytes
        QCOMPARE(storesOfRun(unpacked(ElementType::Float32)), 1);
        FusedKernel apart = unpacked(ElementType::UInt8);
        apart.stores[1].address.offset = 3; // not side by side
        QCOMPARE(storesOfRun(apart), 1);
        apart = unpacked(ElementType::UInt8);
        apart.stores[1].buffer = 2;
        QCOMPARE(storesOfRun(apart), 1);
    }
    void tablesDecideWhetherOddRowsGoByPacks() {
        QVERIFY(raggedRowsOf(meansByTables(1)).has_value());
        QVERIFY(!cudaSharingOf(meansByTables(1), wide()).risesAtOnce);
        QVERIFY(!raggedRowsOf(meansByTables(2)).has_value());
        const CudaSharing sharing = cudaSharingOf(meansByTables(2), wide());
        QVERIFY(sharing.risesAtOnce);
        QCOMPARE(configChoices(meansByTables(2), wide()), (std::vector<int>{128, 64, 256, 512}));
        QVERIFY(cudaBounds(sharing).contains("THREADS, THREADS < 512 ? 512 / THREADS : 1"));
    }

    void twoResultsOfLargeWindowsGoSideBySide() {
        for (const std::int64_t size : {3, 5}) {
            FusedKernel kernel = largestOfWindows(ElementType::Float32, 2, size);
            kernel.stores.push_back(kernel.stores.front());
            kernel.stores.back().buffer = 2;
            kernel.finish();
            QCOMPARE(windowsBeside(kernel).has_value(), size == 5);
        }
    }

    void shortsGoByPairsAndVolumesByMoreRegisters() {
        const auto floats = windowsBeside(largestOfWindows(ElementType::Float32, 2));
        QVERIFY(floats && !floats->pairs && !floats->hasManyRegisters);
        QCOMPARE(floats->beside, 4);
        QCOMPARE(floats->atOnce, std::int64_t(8));
        for (const ElementType type : {ElementType::Float16, ElementType::BFloat16}) {
            const auto shorts = windowsBeside(largestOfWindows(type, 2));
            QVERIFY(shorts);
            QVERIFY(shorts->pairs == type);
            QCOMPARE(shorts->atOnce, std::int64_t(4));
        }
        const auto volumes = windowsBeside(largestOfWindows(ElementType::Float16, 3));
        QVERIFY(volumes && !volumes->pairs && volumes->hasManyRegisters);
        QCOMPARE(volumes->beside, 2);
        // What is computed with before is computed in floats.
        FusedKernel doubled = largestOfWindows(ElementType::Float16, 2);
        for (KernelStep &step : doubled.steps)
            if (step.op == KernelOp::Load)
                step.number = 0;
        const auto other = windowsBeside(doubled);
        QVERIFY(other && !other->pairs);
    }
};

QObject *makeTestRowsAtOnce() {
    return new TestRowsAtOnce;
}

#include "tst_rows_at_once.moc"
