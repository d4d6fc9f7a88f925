// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/integer_ranges.h"
#include "agent/playbook/codegen/cuda/kernel_templates.h"
#include "agent/playbook/codegen/cuda/trig_range_reduction.h"
#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/schedule/loop_space.h"
#include "agent/playbook/schedule/shared_memory_gather.h"
#include "agent/playbook/schedule/thread_mapping.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

using namespace warpwright;

/// Gathers through shared memory, and what else hides latency in pointwise kernels.
class TestSharedMemoryGather : public QObject {
    Q_OBJECT

    // Columns of a matrix in another order.
    static Kernel reordered(std::int64_t rows, std::int64_t columns, std::int64_t taken) {
        const Shape result = {rows, taken};
        const Program program =
            programOf(graphOf(input("x", {rows, columns}) + input("order", {taken}, {}, ElementType::Int64) +
                                  node("p", "index_select.default", "%x, 1, %order", result) +
                                  node("y", "mul.Tensor", "%p, 2.0", result),
                              "y"));
        return program.kernels.size() == 1 ? program.kernels[0] : Kernel();
    }
    static QStringList movesOf(const Kernel &kernel, bool hasClusters) {
        Program program;
        program.kernels = {kernel};
        program.device = hasClusters ? h200() : withoutClusters();
        QStringList found;
        for (const PlaybookMove &move : movesFrom(program, plainKnobs(program), Target()))
            found << move.move;
        return found;
    }
    static Knobs staged() {
        Knobs knobs;
        knobs.gathersThroughShared = knobs.hasWideLoads = true;
        return knobs;
    }

private slots:
    void aRowsSegmentIsBroughtFirst() {
        const Kernel kernel = reordered(5000, 4096, 4096);
        const auto found = sharedMemoryGatherOf(kernel);
        QVERIFY(found.has_value());
        QCOMPARE(found->elements, std::int64_t(4096));
        QVERIFY(!found->isLarge());
        QVERIFY(threadMappingOf(kernel, staged()).usesSharedGather);
        QVERIFY(threadMappingOf(kernel, staged()).mode == MappingMode::BlockPerRow);
        QVERIFY(threadMappingOf(kernel, {}).mode == MappingMode::Flat); // it is a move
        QVERIFY(movesOf(kernel, false).contains("stage-rows"));
    }
    void multiplesOfFarColumnsNeedMoreThanAnInt() {
        const auto sumsOf = [](std::int64_t rows, std::int64_t columns) {
            return programOf(graphOf(input("x", {1, rows, columns}) +
                                         node("y", "sum.dim_IntList", "%x, [1], false", {1, columns}),
                                     "y"))
                .kernels[0];
        };
        const QString loop = QStringLiteral("for (int c = 0; c < kColumns; ++c)");
        QCOMPARE(withInt32Indexing(sumsOf(9000, 30000), loop), loop);
        QCOMPARE(withInt32Indexing(sumsOf(90000, 30000), loop),
                 QStringLiteral("for (std::int64_t c = 0; c < kColumns; ++c)"));
    }
    // Rows that a block gathers together share their indices; their number divides that of all rows.
    void rowsOfOneOrderAreTakenTogether() {
        QCOMPARE(sharedMemoryGatherOf(reordered(5000, 2048, 2048))->rows, 4);
        QCOMPARE(sharedMemoryGatherOf(reordered(5000, 4096, 4096))->rows, 2); // more than that do not fit
        QCOMPARE(sharedMemoryGatherOf(reordered(4001, 4096, 4096))->rows, 1);
        QCOMPARE(sharedMemoryGatherOf(reordered(4005, 4096, 4096))->rows, 3);
        QCOMPARE(sharedMemoryGatherOf(reordered(4005, 2048, 2048))->rows, 5);
        QCOMPARE(sharedMemoryGatherOf(reordered(5000, 4096, 4099))->rows, 1); // rows of no full vectors
        QCOMPARE(sharedMemoryGatherOf(reordered(500, 4096, 4096))->rows, 1);  // SMs would be idle
    }
    void aLargeSegmentIsForDevicesThatHaveRoom() {
        const Kernel kernel = reordered(5000, 20'000, 20'000);
        QVERIFY(sharedMemoryGatherOf(kernel) && sharedMemoryGatherOf(kernel)->isLarge());
        QVERIFY(movesOf(kernel, true).contains("stage-rows"));
        QVERIFY(!movesOf(kernel, false).contains("stage-rows"));
    }
    // Compute capability 12.0 has clusters, and 99 KiB for a block.
    void aSegmentFitsItsDevice() {
        Device small = *h200();
        small.computeMajor = 12;
        small.sharedBytesOfBlock = 101376;
        Kernel kernel = reordered(5000, 30'000, 30'000);
        QVERIFY(sharedMemoryGatherOf(kernel));
        kernel.device = std::make_shared<const Device>(small);
        QVERIFY(!sharedMemoryGatherOf(kernel));
        kernel = reordered(5000, 20'000, 20'000);
        kernel.device = std::make_shared<const Device>(small);
        QVERIFY(sharedMemoryGatherOf(kernel));
    }
    void whatWouldNotPayStaysWhereItIs() {
        QVERIFY(!sharedMemoryGatherOf(reordered(5000, 60'000, 60'000))); // more than a block's shared memory
        QVERIFY(!sharedMemoryGatherOf(reordered(5000, 4096, 1024)));     // most of a row is never read
        QVERIFY(!sharedMemoryGatherOf(reordered(100, 4096, 4096)));      // too few rows for a device
        QVERIFY(!sharedMemoryGatherOf(reordered(5000, 300, 4096)));      // a few lines
        // Whole rows in another order are read along memory.
        const Shape shape = {4096, 4096};
        const Program rows =
            programOf(graphOf(input("x", shape) + input("order", {4096}, {}, ElementType::Int64) +
                                  node("p", "index_select.default", "%x, 0, %order", shape) +
                                  node("y", "mul.Tensor", "%p, 2.0", shape),
                              "y"));
        QCOMPARE(rows.kernels.size(), std::size_t(1));
        QVERIFY(!sharedMemoryGatherOf(rows.kernels[0]));
    }
    void twoVectorsAThreadHaveToComeOutEven() {
        const auto plain = [](std::int64_t elements) {
            Kernel kernel;
            kernel.device = h200();
            kernel.loops = {elements};
            const AffineExpr address{0, {1}};
            const int x = kernel.load({0, ElementType::Float32, address, {}, 0});
            kernel.stores.push_back(
                {kernel.add(Opcode::Negate, ElementType::Float32, {x}), 1, ElementType::Float32, address});
            kernel.finish();
            return kernel;
        };
        const Knobs wide = staged();
        QVERIFY(canTakeTwoVectors(plain(std::int64_t(1) << 24), wide));
        QVERIFY(!canTakeTwoVectors(plain((std::int64_t(1) << 24) + 4), wide));
        QVERIFY(!canTakeTwoVectors(plain(1 << 20), wide)); // fewer vectors than threads
        QVERIFY(!canTakeTwoVectors(plain(std::int64_t(1) << 24), {}));
        QCOMPARE(configSpace(plain(std::int64_t(1) << 24), wide)[2], twoVectorsPerThread);
        QCOMPARE(configLabels(plain(std::int64_t(1) << 24), wide,
                              configSpace(plain(std::int64_t(1) << 24), wide))[2],
                 QStringLiteral("two vectors a thread"));
    }
    void largeAnglesAreComputedAgain() {
        const QString loop =
            QStringLiteral("#pragma unroll\n    for (k) {\n        y[k] = fastSin(x[k]);\n    }\n");
        const QString text = withTrigRangeReduction(loop, 4);
        QCOMPARE(text.count("sinSmallAngle(isLargeAngle, x[k])"), 1);
        QCOMPARE(text.count("= fastSin(x[k])"), 1);
        QVERIFY(text.indexOf("if (isLargeAngle) {") > text.indexOf("sinSmallAngle"));
        QCOMPARE(withTrigRangeReduction(QStringLiteral("y = x;\n"), 4), QStringLiteral("y = x;\n"));
        QVERIFY(text.contains(withFastTrig(loop)));
    }
    void bytesFit32Bits() {
        Kernel kernel;
        kernel.device = h200();
        kernel.loops = {1024};
        const AffineExpr address{0, {1}};
        const int u = kernel.load({0, ElementType::UInt8, address, {}, 0});
        const int sum =
            kernel.add(Opcode::Add, ElementType::Int64, {u, kernel.number(-200, ElementType::Int64)});
        QCOMPARE(integerRangeOf(kernel, sum).low, -200.0);
        QCOMPARE(integerRangeOf(kernel, sum).high, 55.0);
        QVERIFY(!integerRangeOf(kernel, sum).isWithin(integerRangeOf(ElementType::UInt8)));
        const int high =
            kernel.add(Opcode::ShiftRight, ElementType::Int64, {u, kernel.number(4, ElementType::Int64)});
        QVERIFY(integerRangeOf(kernel, high).isWithin(integerRangeOf(ElementType::UInt8)));
        QVERIFY(isNeverNegative(kernel, high));
        // What does not fit into the type wraps: a byte's upper half is negative in int8.
        const auto shifted = [&kernel](Opcode op, int what) {
            return kernel.add(op, ElementType::Int64, {what, kernel.number(56, ElementType::Int64)});
        };
        const int cut = shifted(Opcode::ShiftRight, shifted(Opcode::ShiftLeft, u));
        QCOMPARE(integerRangeOf(kernel, cut).low, -128.0);
        QCOMPARE(integerRangeOf(kernel, cut).high, 127.0);
    }
    void whatMayGoPastASegmentStaysInMemory() {
        Kernel kernel = reordered(5000, 4096, 4096);
        QVERIFY(sharedMemoryGatherOf(kernel));
        // A condition on the flat index does not keep it within its row.
        const int always = kernel.number(1, ElementType::Bool);
        for (KernelStep &step : kernel.steps)
            if (step.op == Opcode::Load && !step.operands.empty()) {
                step.isGuarded = true;
                step.operands.push_back(always);
            }
        QVERIFY(!sharedMemoryGatherOf(kernel));
    }
    void numbersAloneAreComputedAtOnce() {
        Kernel kernel;
        kernel.device = h200();
        const auto number = [&kernel](double value) {
            return kernel.number(value, ElementType::Float32);
        };
        const int isHalf =
            kernel.add(Opcode::LessOrEqual, ElementType::Bool,
                       {number(0.5), kernel.add(Opcode::Abs, ElementType::Float32, {number(-0.9)})});
        QVERIFY(kernel.step(isHalf).op == Opcode::Number && kernel.step(isHalf).number == 1);
        const int chosen = kernel.add(Opcode::Select, ElementType::Float32, {isHalf, number(3), number(4)});
        QCOMPARE(kernel.step(chosen).number, 3.0);
        // As floats are added.
        const int sum = kernel.add(Opcode::Add, ElementType::Float32, {number(0.9), number(-1)});
        QCOMPARE(kernel.step(sum).number, static_cast<double>(0.9F - 1.0F));
        // As floats are compared.
        const int isThree = kernel.add(
            Opcode::Equal, ElementType::Bool,
            {kernel.add(Opcode::Multiply, ElementType::Float32, {number(0.1), number(3)}), number(0.3)});
        QCOMPARE(kernel.step(isThree).number, 0.1F * 3 == 0.3F ? 1.0 : 0.0);
        // Beyond 53 bits a double does not say it.
        const auto whole = [&kernel](double value) {
            return kernel.number(value, ElementType::Int64);
        };
        const int hash =
            kernel.add(Opcode::Multiply, ElementType::Int64, {whole(2654435761), whole(805459861)});
        QVERIFY(kernel.step(hash).op == Opcode::Multiply);
    }
};

QObject *makeTestSharedMemoryGather() {
    return new TestSharedMemoryGather;
}
#include "tst_shared_memory_gather.moc"
