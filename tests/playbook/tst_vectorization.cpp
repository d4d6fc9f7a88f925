// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/kernel_header.h"
#include "agent/playbook/codegen/cuda/kernel_templates.h"
#include "agent/playbook/schedule/sliding_window.h"
#include "agent/playbook/schedule/thread_mapping.h"
#include "agent/playbook/schedule/unaligned_rows.h"
#include "agent/playbook/schedule/vector_width.h"
#include "agent/playbook/schedule/vectorization.h"
#include "tests/playbook/test_devices.h"

#include <QTest>

#include <limits>

using namespace warpwright;

/// How many elements of a row or its windows a thread takes at once, so that loads are in flight together.
class TestVectorization : public QObject {
    Q_OBJECT

    static Knobs wide() {
        Knobs knobs;
        knobs.hasWideLoads = true;
        knobs.isPersistent = true;
        return knobs;
    }

    // Both nibbles of each byte, adjacent; of a float instead of a byte for comparison.
    static Kernel unpacked(ElementType type) {
        Kernel kernel;
        kernel.device = h200();
        kernel.loops = {1024, 2048};
        const int x = kernel.load({0, type, AffineExpr{0, {2048, 1}}, {}, 0});
        for (int part = 0; part < 2; ++part) {
            const int value = kernel.add(part == 0 ? Opcode::Negate : Opcode::Abs, ElementType::Float32, {x});
            kernel.stores.push_back({value, 1, ElementType::Float16, {part, {4096, 2}}});
        }
        kernel.finish();
        return kernel;
    }

    // A softmax's means over so many tables, whose odd rows are not aligned to its vectors.
    static Kernel meansByTables(int tables) {
        Kernel kernel;
        kernel.device = h200();
        kernel.loops = {6144, 11'881};
        kernel.outer = 1;
        const auto type = ElementType::Float32;
        const int x = kernel.load({0, type, AffineExpr{0, {11'881, 1}}, {}, 0});
        const int largest = kernel.add(Opcode::RowMaximum, type, {x});
        const int power = kernel.add(Opcode::Exp, type, {kernel.add(Opcode::Subtract, type, {x, largest})});
        const int sum = kernel.add(Opcode::RowSum, type, {power});
        for (int i = 0; i < tables; ++i) {
            const int table = kernel.load({1 + i, type, AffineExpr{0, {0, 1}}, {}, 0});
            const int mean =
                kernel.add(Opcode::RowSum, type,
                           {kernel.add(Opcode::Multiply, type,
                                       {kernel.add(Opcode::Divide, type, {power, sum}), table})});
            kernel.stores.push_back({mean, 1 + tables + i, type, {0, {1, 0}}});
        }
        kernel.finish();
        return kernel;
    }

    // Max pooling of halves, or floats, in so many dimensions.
    static Kernel largestOfWindows(ElementType type, std::size_t dimensions, std::int64_t wanted = 5) {
        Kernel kernel;
        kernel.device = h200();
        kernel.loops = {8, 512};
        kernel.loops.insert(kernel.loops.end(), dimensions, 32);
        kernel.outer = kernel.loops.size();
        const std::int64_t size = dimensions == 3 ? 3 : wanted;
        kernel.loops.insert(kernel.loops.end(), dimensions, size);
        AffineExpr address{0, std::vector<std::int64_t>(kernel.loops.size(), 0)};
        AffineExpr result = address;
        std::int64_t step = 1;
        int isThere = -1;
        for (std::size_t k = kernel.outer; k-- > 0;) {
            result.steps[k] = step;
            address.steps[k] = step;
            if (k >= 2) {
                address.steps[k + dimensions] = step;
                address.offset -= size / 2 * step;
                AffineExpr position{-(size / 2), std::vector<std::int64_t>(kernel.loops.size(), 0)};
                position.steps[k] = position.steps[k + dimensions] = 1;
                const int counter = kernel.index(position);
                const int isInside =
                    kernel.add(Opcode::And, ElementType::Bool,
                               {kernel.add(Opcode::LessOrEqual, ElementType::Bool,
                                           {kernel.number(0, ElementType::Int64), counter}),
                                kernel.add(Opcode::Less, ElementType::Bool,
                                           {counter, kernel.number(32, ElementType::Int64)})});
                isThere =
                    isThere < 0 ? isInside : kernel.add(Opcode::And, ElementType::Bool, {isThere, isInside});
            }
            step *= kernel.loops[k];
        }
        const int x = kernel.load({0, type, address, {}, 0}, {}, isThere);
        for (KernelStep &some : kernel.steps)
            if (some.op == Opcode::Load)
                some.number = -std::numeric_limits<double>::infinity();
        const int largest = kernel.add(Opcode::RowMaximum, ElementType::Float32, {x});
        kernel.stores.push_back({largest, 1, type, result});
        kernel.finish();
        return kernel;
    }

private slots:
    void whatIsUnpackedFillsOneStore() {
        const Kernel bytes = unpacked(ElementType::UInt8);
        QCOMPARE(interleavedStores(bytes), 2);
        QCOMPARE(widthOf(bytes), 4); // of bytes; twice as many halves are 16 bytes
        QCOMPARE(interleavedStores(unpacked(ElementType::Float32)), 1);
        Kernel apart = unpacked(ElementType::UInt8);
        apart.stores[1].address.offset = 3; // not adjacent
        QCOMPARE(interleavedStores(apart), 1);
        apart = unpacked(ElementType::UInt8);
        apart.stores[1].buffer = 2;
        QCOMPARE(interleavedStores(apart), 1);
    }
    void tablesDecideWhetherUnalignedRowsGoByVectors() {
        QVERIFY(unalignedRowsOf(meansByTables(1)).has_value());
        QVERIFY(!threadMappingOf(meansByTables(1), wide()).batchesRescaling);
        QVERIFY(!unalignedRowsOf(meansByTables(2)).has_value());
        const ThreadMapping mapping = threadMappingOf(meansByTables(2), wide());
        QVERIFY(mapping.batchesRescaling);
        QCOMPARE(configSpace(meansByTables(2), wide()), (std::vector<int>{128, 64, 256, 512}));
        QVERIFY(cudaBounds(mapping).contains("THREADS, THREADS < 512 ? 512 / THREADS : 1"));
    }

    void aThreadHasTwoAdjacentLargeWindows() {
        for (const std::int64_t size : {3, 5}) {
            Kernel kernel = largestOfWindows(ElementType::Float32, 2, size);
            kernel.stores.push_back(kernel.stores.front());
            kernel.stores.back().buffer = 2;
            kernel.finish();
            QCOMPARE(adjacentWindows(kernel).has_value(), size == 5);
        }
    }

    void shortsGoByPairsAndVolumesByMoreRegisters() {
        const auto floats = adjacentWindows(largestOfWindows(ElementType::Float32, 2));
        QVERIFY(floats && !floats->pairs && !floats->hasManyRegisters);
        QCOMPARE(floats->adjacent, 4);
        QCOMPARE(floats->atOnce, std::int64_t(8));
        for (const ElementType type : {ElementType::Float16, ElementType::BFloat16}) {
            const auto shorts = adjacentWindows(largestOfWindows(type, 2));
            QVERIFY(shorts);
            QVERIFY(shorts->pairs == type);
            QCOMPARE(shorts->atOnce, std::int64_t(4));
        }
        const auto volumes = adjacentWindows(largestOfWindows(ElementType::Float16, 3));
        QVERIFY(volumes && !volumes->pairs && volumes->hasManyRegisters);
        QCOMPARE(volumes->adjacent, 2);
        // A half that is computed with first is computed in float.
        Kernel doubled = largestOfWindows(ElementType::Float16, 2);
        for (KernelStep &step : doubled.steps)
            if (step.op == Opcode::Load)
                step.number = 0;
        const auto other = adjacentWindows(doubled);
        QVERIFY(other && !other->pairs);
    }
};

QObject *makeTestVectorization() {
    return new TestVectorization;
}

#include "tst_vectorization.moc"
