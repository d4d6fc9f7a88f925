// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/integer_ranges.h"
#include "agent/playbook/analysis/moment_pattern.h"
#include "agent/playbook/codegen/cuda/kernel_templates.h"
#include "agent/playbook/codegen/cuda/loops/online_argmax.h"
#include "agent/playbook/codegen/cuda/loops/unaligned_rows.h"
#include "agent/playbook/codegen/cuda/thread_mapping_text.h"
#include "agent/playbook/codegen/radix_select.h"
#include "agent/playbook/schedule/cluster_shapes.h"
#include "agent/playbook/schedule/loop_space.h"
#include "agent/playbook/schedule/online_argmax.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/online_softmax.h"
#include "agent/playbook/schedule/reduction_schedule.h"
#include "agent/playbook/schedule/thread_mapping.h"
#include "agent/playbook/schedule/unaligned_rows.h"
#include "agent/playbook/schedule/vector_width.h"
#include "agent/playbook/schedule/vectorized_pooling.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "tests/playbook/all_knobs.h"
#include "tests/playbook/test_devices.h"

#include <QTest>

using namespace warpwright;

class TestThreadMapping : public QObject {
    Q_OBJECT

    // Each row divided by its sum.
    static Kernel rowsByTheirSums(std::int64_t rows, std::int64_t columns) {
        Kernel kernel;
        kernel.device = h200();
        kernel.loops = {rows, columns};
        kernel.outer = 1;
        const AffineExpr address{0, {columns, 1}};
        const int x = kernel.load({0, ElementType::Float32, address, {}, 0});
        const int sum = kernel.add(Opcode::RowSum, ElementType::Float32, {x});
        const int share = kernel.add(Opcode::Divide, ElementType::Float32, {x, sum});
        kernel.stores.push_back({share, 1, ElementType::Float32, address});
        kernel.finish();
        return kernel;
    }

    // A row's log-probabilities, or its logsumexp.
    static Kernel lossOfRows(std::int64_t rows, std::int64_t columns, bool isStored = false) {
        Kernel kernel;
        kernel.device = h200();
        kernel.loops = {rows, columns};
        kernel.outer = 1;
        const AffineExpr address{0, {columns, 1}};
        const auto add = [&kernel](Opcode op, std::vector<int> operands) {
            return kernel.add(op, ElementType::Float32, std::move(operands));
        };
        const int x = kernel.load({0, ElementType::Float32, address, {}, 0});
        const int largest = add(Opcode::RowMaximum, {x});
        const int apart = add(Opcode::Subtract, {x, largest});
        const int sum = add(Opcode::RowSum, {add(Opcode::Exp, {apart})});
        const int loss = add(Opcode::Subtract, {apart, add(Opcode::Log, {sum})});
        if (isStored)
            kernel.stores.push_back({loss, 1, ElementType::Float32, address});
        else
            kernel.stores.push_back(
                {add(Opcode::Add, {add(Opcode::Log, {sum}), largest}), 1, ElementType::Float32, {0, {1, 0}}});
        kernel.finish();
        return kernel;
    }

    // The larger half of each row: its smallest element, and the mean of all of it.
    static Kernel halfOfRows(std::int64_t rows, std::int64_t columns) {
        Kernel kernel;
        kernel.device = h200();
        kernel.loops = {rows, columns};
        kernel.outer = 1;
        const auto add = [&kernel](Opcode op, std::vector<int> operands,
                                   ElementType type = ElementType::Float32) {
            return kernel.add(op, type, std::move(operands));
        };
        const int x = kernel.load({0, ElementType::Float32, {0, {columns, 1}}, {}, 0});
        const int rank = kernel.number(static_cast<double>(columns / 2), ElementType::Int64);
        const int least = add(Opcode::RowKthValue, {x, rank});
        const int isLess = add(Opcode::Less, {x, least}, ElementType::Bool);
        const int sum =
            add(Opcode::RowSum, {add(Opcode::Select, {isLess, kernel.number(0, ElementType::Float32), x})});
        kernel.stores.push_back({least, 1, ElementType::Float32, {0, {1, 0}}});
        kernel.stores.push_back({sum, 2, ElementType::Float32, {0, {1, 0}}});
        kernel.finish();
        return kernel;
    }

    // The argmax along loops with such strides.
    static Kernel placesOf(std::int64_t rows, std::int64_t columns) {
        Kernel kernel;
        kernel.device = h200();
        kernel.loops = {rows, columns};
        kernel.outer = 1;
        const int x = kernel.load({0, ElementType::Float32, {0, {1, rows}}, {}, 0});
        const int largest = kernel.add(Opcode::RowMaximum, ElementType::Float32, {x});
        const int isHere = kernel.add(Opcode::Or, ElementType::Bool,
                                      {kernel.add(Opcode::Equal, ElementType::Bool, {x, largest}),
                                       kernel.add(Opcode::NotEqual, ElementType::Bool, {x, x})});
        const int number = kernel.index({0, {0, 1}});
        const int nowhere = kernel.number(static_cast<double>(columns), ElementType::Int64);
        const int position =
            kernel.add(Opcode::RowMinimum, ElementType::Int64,
                       {kernel.add(Opcode::Select, ElementType::Int64, {isHere, number, nowhere})});
        kernel.stores.push_back({position, 1, ElementType::Int64, {0, {1, 0}}});
        kernel.finish();
        return kernel;
    }

private slots:
    void aRankIsSearchedForInWhatWasReadBefore() {
        const Kernel half = halfOfRows(4000, 4096);
        QCOMPARE(half.passCount(), 3); // to cache the row, to search it, to sum it up
        QVERIFY(threadMappingOf(half, allKnobs()).isPersistent);
        const ReductionSchedule cached = scheduleOf(half, RowCaching::All);
        QCOMPARE(cached.cached.size(), 1U);
        QCOMPARE(cached.passes[1].selects.size(), 1U);
        QCOMPARE(cached.passes[1].selects[0].reused, cached.cached);
        QVERIFY(cached.passes[1].reductions.empty() && cached.passes[1].selects[0].computed.empty());
        QCOMPARE(maxCachedAtOnce(cached), 1);
        // Where the row is not cached each search reads it.
        const ReductionSchedule read = scheduleOf(half, RowCaching::Nothing);
        QVERIFY(read.passes[0].computed.empty());
        QCOMPARE(read.passes[1].selects[0].computed.size(), 1U);
        QVERIFY(!rowMomentsOf(half) && rowsPerThread(half) == 1);
    }

    void argmaxIsOnline() {
        const Kernel positions = placesOf(1024, 4000);
        QCOMPARE(positions.passCount(), 2);
        const Kernel elementsPerThread = withOnlineArgmax(positions);
        QCOMPARE(elementsPerThread.passCount(), 1);
        const LoopNames loops(elementsPerThread);
        const OnlineArgmax running(positions, elementsPerThread, loops);
        const int position = positions.stores[0].step;
        QVERIFY(running.isArgmax(position) && !running.isExtreme(position));
        QCOMPARE(running.linesBeforeReduction(position).size(), 1);
        // In these loops it is not asked for, so it is not online.
        QVERIFY(!OnlineArgmax(positions, positions, loops).isArgmax(position));
    }

    void sumsOfExponentialsGoAlongWithTheLargest() {
        const Kernel loss = lossOfRows(4000, 24'000);
        QCOMPARE(loss.passCount(), 2);
        const std::vector<OnlineSoftmax> running = onlineSoftmaxOf(loss);
        QCOMPARE(running.size(), 1U);
        QCOMPARE(running[0].sums.size(), 1U);
        const Kernel merged = withOnlineSums(loss, running);
        QCOMPARE(merged.passCount(), 1);
        QCOMPARE(onlineSoftmaxOf(merged), running);
        QVERIFY(hasOnlineSoftmax(loss) && !canBePersistent(loss, false) && !canBeClustered(loss));
        QVERIFY(!threadMappingOf(loss, allKnobs()).isPersistent);
        // With scalar stores the row is cached too, where registers hold two of them.
        QVERIFY(!hasOnlineSoftmax(lossOfRows(4000, 2000, true)) &&
                canBePersistent(lossOfRows(4000, 2000, true), false));
        QVERIFY(hasOnlineSoftmax(lossOfRows(4000, 50'000, true)));
        QCOMPARE(withOnlineSums(lossOfRows(4000, 50'000, true), running).passCount(), 2);
        // Few rows are shared by the blocks of a cluster.
        QVERIFY(!hasOnlineSoftmax(lossOfRows(16, 24'000)));
    }

    void whatElseIsSummedKeepsItsLoop() {
        Kernel kernel = lossOfRows(4000, 2000);
        const int x = 0;
        const int apart = kernel.add(Opcode::Subtract, ElementType::Float32, {x, 1});
        const int squares = kernel.add(Opcode::RowSum, ElementType::Float32,
                                       {kernel.add(Opcode::Multiply, ElementType::Float32, {apart, apart})});
        kernel.stores.push_back({squares, 2, ElementType::Float32, {0, {1}}});
        QVERIFY(kernel.step(1).op == Opcode::RowMaximum);
        kernel.finish();
        QVERIFY(onlineSoftmaxOf(kernel).empty());
    }

    void shortColumnsStayInRegisters() {
        const auto down = [](std::int64_t length, std::int64_t near = 900) {
            Kernel kernel;
            kernel.device = h200();
            kernel.loops = {50, near, length};
            kernel.outer = 2;
            const AffineExpr address{0, {length * near, 1, near}};
            const int x = kernel.load({0, ElementType::Float32, address, {}, 0});
            const int sum = kernel.add(Opcode::RowSum, ElementType::Float32, {x});
            kernel.stores.push_back({kernel.add(Opcode::Subtract, ElementType::Float32, {x, sum}), 1,
                                     ElementType::Float32, address});
            kernel.finish();
            return kernel;
        };
        QCOMPARE(threadMappingOf(down(180), allKnobs()).mode, MappingMode::ColumnReduction);
        QVERIFY(threadMappingOf(down(180), allKnobs()).isPersistent);
        for (const int groups : configSpace(down(180), allKnobs()))
            QVERIFY((180 + groups - 1) / groups <= 16 || groups == 32);
        QVERIFY(!threadMappingOf(down(800), allKnobs()).isPersistent);
        // Two columns a thread, where adjacent ones are in one sector of 32 bytes and there are full pairs.
        QCOMPARE(threadMappingOf(down(180, 900), allKnobs()).sums, 2);
        QCOMPARE(threadMappingOf(down(180, 904), allKnobs()).sums, 1);
        QCOMPARE(threadMappingOf(down(180, 901), allKnobs()).sums, 1);
        QCOMPARE(threadMappingOf(down(180, 330), allKnobs()).sums, 1); // too few blocks
        QCOMPARE(threadMappingOf(down(400, 900), allKnobs()).sums, 1); // too much for the registers
        QCOMPARE(threadMappingOf(down(180, 900), Knobs()).sums, 1);
    }

    void theEndsOfARowFitIntoSharedMemory() {
        const auto areNear = [](int searches) {
            Kernel kernel;
            kernel.device = h200();
            kernel.loops = {300, 8192};
            kernel.outer = 1;
            const int x = kernel.load({0, ElementType::Float32, {0, {8192, 1}}, {}, 0});
            for (int i = 0; i < searches; ++i) {
                const int rank = kernel.number(3 + i, ElementType::Int64);
                kernel.stores.push_back({kernel.add(Opcode::RowKthValue, ElementType::Float32, {x, rank}),
                                         1 + i,
                                         ElementType::Float32,
                                         {0, {1, 0}}});
            }
            kernel.finish();
            ThreadMapping mapping;
            mapping.mode = MappingMode::BlockPerRow;
            const int first = kernel.stores[0].step;
            return RadixSelect(kernel, first, QStringLiteral("ranked"), true).isNearEnd(mapping);
        };
        QVERIFY(areNear(1));
        QVERIFY(areNear(8));
        QVERIFY(!areNear(12)); // of 1024 threads: more than 48 KiB
    }

    void scalarLoadsAreCoalesced() {
        const auto copied = [](std::int64_t rows, std::int64_t step) {
            Kernel kernel;
            kernel.device = h200();
            kernel.loops = {rows, 1021};
            kernel.outer = 2;
            const int x = kernel.load({0, ElementType::Float32, {0, {1024 * step, step}}, {}, 0});
            kernel.stores.push_back({kernel.add(Opcode::Exp, ElementType::Float32, {x}),
                                     1,
                                     ElementType::Float32,
                                     {0, {1021, 1}}});
            kernel.finish();
            return kernel;
        };
        // Rows of 1024 floats are read and rows of 1021 are written: no vectors fit both.
        QCOMPARE(threadMappingOf(copied(4000, 1), allKnobs()).elementsPerThread, 4);
        QCOMPARE(threadMappingOf(copied(40, 1), allKnobs()).elementsPerThread, 1);
        QCOMPARE(threadMappingOf(copied(4000, 5), allKnobs()).elementsPerThread, 1);
        // A value is computed before the branch around its store.
        QCOMPARE(cudaPredicatedStore("float", "h2", "y[c]", "x[c] + h1"),
                 (QStringList{"const float h2 = x[c] + h1;", "if (firstVector + i * kThreads < kVectors)",
                              "    y[c] = h2;"}));
        QCOMPARE(cudaPredicatedStore("float", "h2", "y[c]", "h1"),
                 (QStringList{"if (firstVector + i * kThreads < kVectors)", "    y[c] = h1;"}));
    }

    void unalignedRowsAreReadInAlignedVectors() {
        // `pitch`: from one row of x to the next, of 1021 floats each.
        const auto added = [](std::int64_t rows, std::int64_t pitch) {
            Kernel kernel;
            kernel.device = h200();
            kernel.loops = {rows, 1021};
            kernel.outer = 1;
            const int x = kernel.load({0, ElementType::Float32, {0, {pitch, 1}}, {}, 0});
            const int offset = kernel.load({1, ElementType::Float32, {0, {0, 1}}, {}, 0});
            kernel.stores.push_back({kernel.add(Opcode::Add, ElementType::Float32, {x, offset}),
                                     2,
                                     ElementType::Float32,
                                     {0, {1021, 1}}});
            kernel.finish();
            return kernel;
        };
        const std::optional<UnalignedRows> rows = unalignedRowsOf(added(4000, 1021));
        QVERIFY(rows);
        QCOMPARE(rows->width, 4);
        QCOMPARE(rows->lead.steps, (std::vector<std::int64_t>{1, 0}));
        QCOMPARE(leadLines(rows, {"row", "c"}).size(), 1);
        QVERIFY(!unalignedRowsOf(added(4001, 1021))); // the last vector would end behind the tensor
        QVERIFY(!unalignedRowsOf(added(4000, 1024))); // x and y have different alignments
    }

    void shortRowsShareABlock_data() {
        QTest::addColumn<std::int64_t>("columns");
        QTest::addColumn<int>("threads"); // a row, of the first config
        QTest::newRow("64: a load of 16 bytes for each") << std::int64_t(64) << 16;
        QTest::newRow("a warp") << std::int64_t(400) << 32;
        QTest::newRow("4096") << std::int64_t(4096) << 256;
    }
    void shortRowsShareABlock() {
        QFETCH(std::int64_t, columns);
        QFETCH(int, threads);
        const Kernel kernel = rowsByTheirSums(1'000'000, columns);
        QCOMPARE(configSpace(kernel, allKnobs()).front(), threads);
        QCOMPARE(threadMappingOf(kernel, allKnobs()).hasShortRows, threads <= 32);
        QVERIFY(!threadMappingOf(kernel, allKnobs()).isClustered);
    }

    void fewRowsGetMoreThreads() {
        QVERIFY(configSpace(rowsByTheirSums(300, 4096), allKnobs()).front() >
                configSpace(rowsByTheirSums(300'000, 4096), allKnobs()).front());
    }

    void aClusterTakesWhatIsTooLongForABlock() {
        // 40 floats are all that 1024 threads have registers for.
        const Kernel fitting = rowsByTheirSums(4000, 40'000);
        QVERIFY(canBePersistent(fitting, false));
        QVERIFY(!canBeClustered(fitting));
        const Kernel longer = rowsByTheirSums(4000, 100'000);
        QVERIFY(!canBePersistent(longer, false));
        QVERIFY(threadMappingOf(longer, allKnobs()).isClustered &&
                threadMappingOf(longer, allKnobs()).isPersistent);
        const Kernel tooLong = rowsByTheirSums(4000, 1'000'000);
        QVERIFY(threadMappingOf(tooLong, allKnobs()).isClustered &&
                !threadMappingOf(tooLong, allKnobs()).isPersistent);
        // Few rows, so that more of the device is busy.
        QVERIFY(threadMappingOf(rowsByTheirSums(16, 40'000), allKnobs()).isClustered);
        QVERIFY(!threadMappingOf(rowsByTheirSums(16, 1000), allKnobs()).isClustered);
    }

    void aSumAndTheSquaresAroundItsMeanAreMoments() {
        Kernel kernel;
        kernel.device = h200();
        kernel.loops = {64, 90'000};
        kernel.outer = 1;
        const AffineExpr address{0, {90'000, 1}};
        const auto type = ElementType::Float32;
        const int x = kernel.load({0, type, address, {}, 0});
        const int sum = kernel.add(Opcode::RowSum, type, {x});
        const int mean = kernel.add(Opcode::Divide, type, {sum, kernel.number(90'000, type)});
        const int apart = kernel.add(Opcode::Subtract, type, {x, mean});
        const int squares =
            kernel.add(Opcode::RowSum, type, {kernel.add(Opcode::Multiply, type, {apart, apart})});
        const int scaled = kernel.add(Opcode::Divide, type, {apart, squares});
        kernel.stores.push_back({scaled, 1, type, address});
        Kernel stored = kernel;
        kernel.finish();
        const auto moments = rowMomentsOf(kernel);
        QVERIFY(moments && kernel.step(moments->sum).pass + 1 == kernel.step(moments->squares).pass);
        // The element is cached between passes, not its distance to a partial mean.
        const ReductionSchedule schedule = scheduleOf(kernel, RowCaching::All, moments->centred);
        QCOMPARE(schedule.cached.size(), std::size_t(1));
        QCOMPARE(kernel.step(schedule.cached[0]).op, Opcode::Load);
        // The second pass needs the distance itself: then it has to know the row's mean.
        stored.stores.push_back({apart, 2, type, address});
        stored.finish();
        QVERIFY(!rowMomentsOf(stored));
    }

    void isAMoveWhereTheDeviceHasClusters() {
        Program program;
        program.kernels = {rowsByTheirSums(4000, 100'000)};
        const auto words = [&program](bool hasClusters) {
            program.device = hasClusters ? h200() : withoutClusters();
            QStringList moves;
            for (const PlaybookMove &move :
                 movesFrom(program, plainKnobs(program), {.memoryBytesASecond = 4e12}))
                moves << move.move;
            return moves;
        };
        QVERIFY(!words(false).contains("cluster"));
        QVERIFY(words(true).contains("cluster"));
    }

    // Pooling with windows of seven, along another dimension than the contiguous one.
    void shortRowsSideBySideAreTakenTogether_data() {
        QTest::addColumn<std::int64_t>("neighbours");
        QTest::addColumn<int>("rows"); // of a thread
        QTest::newRow("four floats") << std::int64_t(1200) << 4;
        QTest::newRow("two") << std::int64_t(1202) << 2;
        QTest::newRow("an odd number") << std::int64_t(1201) << 1;
    }
    void shortRowsSideBySideAreTakenTogether() {
        QFETCH(std::int64_t, neighbours);
        QFETCH(int, rows);
        Kernel kernel;
        kernel.device = h200();
        kernel.loops = {90, neighbours, 7};
        kernel.outer = 2;
        const int x = kernel.load({0, ElementType::Float32, {0, {neighbours, 1, neighbours}}, {}, 0});
        const int sum = kernel.add(Opcode::RowSum, ElementType::Float32, {x});
        kernel.stores.push_back({sum, 1, ElementType::Float32, {0, {neighbours, 1, 0}}});
        kernel.finish();
        QCOMPARE(rowsPerThread(kernel), rows);
        QCOMPARE(canBeVectorized(kernel), rows > 1);
        QCOMPARE(threadMappingOf(kernel, allKnobs()).mode,
                 rows > 1 ? MappingMode::ThreadPerRowVector : MappingMode::ThreadPerRow);
        QCOMPARE(threadMappingOf(kernel, {}).mode, MappingMode::ThreadPerRow);
    }

    // Windows of two by two with stride one along memory: no vector load is aligned.
    void windowsThatOverlapAreTakenTogether_data() {
        QTest::addColumn<std::int64_t>("step");
        QTest::addColumn<std::int64_t>("results"); // of an image's row
        QTest::addColumn<int>("rows");             // of a thread
        QTest::newRow("one by one") << std::int64_t(1) << std::int64_t(112) << 2;
        QTest::newRow("side by side") << std::int64_t(2) << std::int64_t(56) << 1;
        QTest::newRow("an odd number") << std::int64_t(1) << std::int64_t(111) << 1;
    }
    void windowsThatOverlapAreTakenTogether() {
        QFETCH(std::int64_t, step);
        QFETCH(std::int64_t, results);
        QFETCH(int, rows);
        Kernel kernel;
        kernel.device = h200();
        kernel.loops = {20'000, results, 2, 2};
        kernel.outer = 2;
        const int x = kernel.load({0, ElementType::Float32, {0, {113, step, 113, 1}}, {}, 0});
        const int largest = kernel.add(Opcode::RowMaximum, ElementType::Float32, {x});
        kernel.stores.push_back({largest, 1, ElementType::Float32, {0, {results, 1, 0, 0}}});
        kernel.finish();
        QCOMPARE(rowsPerThread(kernel), rows);
        QCOMPARE(loadsRowsAsScalars(kernel), rows > 1);
        kernel.loops[0] = 200; // too few for threads with two results
        QCOMPARE(rowsPerThread(kernel), 1);
    }

    // A softmax's sum is known a pass later than what it divides.
    void aRowsFactorIsOneOfItsSums() {
        Kernel kernel;
        kernel.device = h200();
        kernel.loops = {100, 64};
        kernel.outer = 1;
        const int x = kernel.load({0, ElementType::Float32, {0, {64, 1}}, {}, 0});
        const int weight = kernel.load({1, ElementType::Float32, {0, {0, 1}}, {}, 0});
        const int sum = kernel.add(Opcode::RowSum, ElementType::Float32, {x});
        const int share = kernel.add(Opcode::Divide, ElementType::Float32, {x, sum});
        const int part = kernel.add(Opcode::Multiply, ElementType::Float32, {share, weight});
        const int mean = kernel.add(Opcode::RowSum, ElementType::Float32, {part});
        QVERIFY(!isReduction(kernel.step(mean).op));
        kernel.stores.push_back({mean, 2, ElementType::Float32, {0, {1, 0}}});
        kernel.finish();
        QCOMPARE(kernel.passCount(), 1);
        // A constant factor stays: it may keep a sum from overflowing.
        const int small = kernel.add(Opcode::Multiply, ElementType::Float32,
                                     {kernel.load({0, ElementType::Float32, {0, {64, 1}}, {}, 0}),
                                      kernel.number(1e-30, ElementType::Float32)});
        QVERIFY(isReduction(kernel.step(kernel.add(Opcode::RowSum, ElementType::Float32, {small})).op));
    }

    void argmaxFits32Bits() {
        Kernel kernel;
        kernel.device = h200();
        kernel.loops = {100, 9000};
        kernel.outer = 1;
        const int position = kernel.index({0, {0, 1}});
        const int least = kernel.add(Opcode::RowMinimum, ElementType::Int64, {position});
        kernel.stores.push_back({least, 1, ElementType::Int64, {0, {1, 0}}});
        QVERIFY(hasInt32Values(kernel));
        const QString text = withInt32Indexing(
            kernel,
            QStringLiteral("std::int64_t a = INT64_MAX; Vec<std::int64_t> yVec; a = std::int64_t(9001);"));
        QCOMPARE(text, QStringLiteral("int a = INT32_MAX; Vec<std::int64_t> yVec; a = 9001;"));
        // A sum of so many indices does not fit.
        const int sum = kernel.add(Opcode::RowSum, ElementType::Int64,
                                   {kernel.add(Opcode::Multiply, ElementType::Int64,
                                               {position, kernel.number(1000, ElementType::Int64)})});
        QVERIFY(sum >= 0);
        QVERIFY(!hasInt32Values(kernel));
    }

    void onlyTheLastVectorOfACachedRowIsPredicated() {
        const auto question = [](std::int64_t columns, int width) {
            const Kernel kernel = rowsByTheirSums(5000, columns);
            const ThreadMapping mapping = threadMappingOf(kernel, allKnobs());
            return mapping.isPersistent ? cudaLoopLines(kernel, mapping, width, false).back() : QString();
        };
        QVERIFY(question(3001, 1).contains("p + 1 < kVectors || c < kColumns"));
        QVERIFY(question(3000, 4).contains("(p + 1) * THREADS * kWidth <= kColumns || c < kColumns"));
        // Many vectors would not fit into the registers together.
        QCOMPARE(question(30'000, 4).trimmed(), QStringLiteral("if (c < kColumns) {"));
    }

    void int32ValuesAreThoseThatFit() {
        QVERIFY(hasInt32Values(rowsByTheirSums(30'000, 30'000)));
        QVERIFY(!hasInt32Values(rowsByTheirSums(50'000, 50'000)));
        // An integer from memory may have any value.
        Kernel kernel = rowsByTheirSums(8, 8);
        const int position = kernel.load({2, ElementType::Int64, AffineExpr{0, {0, 1}}, {}, 0});
        QVERIFY(!hasInt32Values(kernel));
        QVERIFY(!isNeverNegative(kernel, position));
        const int clamped =
            kernel.add(Opcode::Maximum, ElementType::Int64, {position, kernel.number(0, ElementType::Int64)});
        QVERIFY(isNeverNegative(kernel, clamped));
    }
};

QObject *makeTestThreadMapping() {
    return new TestThreadMapping;
}
#include "tst_thread_mapping.moc"
