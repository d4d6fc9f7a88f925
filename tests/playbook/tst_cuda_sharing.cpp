// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/row_moments.h"
#include "agent/playbook/analysis/whole_numbers.h"
#include "agent/playbook/codegen/cuda/cuda_sharing.h"
#include "agent/playbook/codegen/cuda/loops/online_argmax.h"
#include "agent/playbook/codegen/cuda/loops/unaligned_rows.h"
#include "agent/playbook/codegen/ranked_text.h"
#include "agent/playbook/schedule/cluster_shapes.h"
#include "agent/playbook/schedule/cuda_choices.h"
#include "agent/playbook/schedule/kernel_schedule.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/ragged_rows.h"
#include "agent/playbook/schedule/running_places.h"
#include "agent/playbook/schedule/running_softmax.h"
#include "agent/playbook/schedule/thread_mapping.h"
#include "agent/playbook/schedule/vector_width.h"
#include "agent/playbook/schedule/vectorized_pooling.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "tests/playbook/kernel_tunings.h"

#include <QTest>

using namespace warpwright;

class TestCudaSharing : public QObject {
    Q_OBJECT

    // Each row divided by its sum.
    static FusedKernel rowsByTheirSums(std::int64_t rows, std::int64_t columns) {
        FusedKernel kernel;
        kernel.loops = {rows, columns};
        kernel.outer = 1;
        const AffineIndex address{0, {columns, 1}};
        const int x = kernel.load({0, ElementType::Float32, address, {}, 0});
        const int sum = kernel.add(KernelOp::RowSum, ElementType::Float32, {x});
        const int share = kernel.add(KernelOp::Divide, ElementType::Float32, {x, sum});
        kernel.stores.push_back({share, 1, ElementType::Float32, address});
        kernel.finish();
        return kernel;
    }

    // A row's log-probabilities, or its logsumexp.
    static FusedKernel lossOfRows(std::int64_t rows, std::int64_t columns, bool isStored = false) {
        FusedKernel kernel;
        kernel.loops = {rows, columns};
        kernel.outer = 1;
        const AffineIndex address{0, {columns, 1}};
        const auto add = [&kernel](KernelOp op, std::vector<int> operands) {
            return kernel.add(op, ElementType::Float32, std::move(operands));
        };
        const int x = kernel.load({0, ElementType::Float32, address, {}, 0});
        const int largest = add(KernelOp::RowMaximum, {x});
        const int apart = add(KernelOp::Subtract, {x, largest});
        const int sum = add(KernelOp::RowSum, {add(KernelOp::Exponential, {apart})});
        const int loss = add(KernelOp::Subtract, {apart, add(KernelOp::Logarithm, {sum})});
        if (isStored)
            kernel.stores.push_back({loss, 1, ElementType::Float32, address});
        else
            kernel.stores.push_back({add(KernelOp::Add, {add(KernelOp::Logarithm, {sum}), largest}),
                                     1,
                                     ElementType::Float32,
                                     {0, {1, 0}}});
        kernel.finish();
        return kernel;
    }

    // The larger half of each row: its smallest element, and the mean of all of it.
    static FusedKernel halfOfRows(std::int64_t rows, std::int64_t columns) {
        FusedKernel kernel;
        kernel.loops = {rows, columns};
        kernel.outer = 1;
        const auto add = [&kernel](KernelOp op, std::vector<int> operands,
                                   ElementType type = ElementType::Float32) {
            return kernel.add(op, type, std::move(operands));
        };
        const int x = kernel.load({0, ElementType::Float32, {0, {columns, 1}}, {}, 0});
        const int rank = kernel.number(static_cast<double>(columns / 2), ElementType::Int64);
        const int least = add(KernelOp::RowRanked, {x, rank});
        const int isLess = add(KernelOp::Less, {x, least}, ElementType::Bool);
        const int sum = add(KernelOp::RowSum,
                            {add(KernelOp::Select, {isLess, kernel.number(0, ElementType::Float32), x})});
        kernel.stores.push_back({least, 1, ElementType::Float32, {0, {1, 0}}});
        kernel.stores.push_back({sum, 2, ElementType::Float32, {0, {1, 0}}});
        kernel.finish();
        return kernel;
    }

    // The place of the largest along loops that lie so far apart.
    static FusedKernel placesOf(std::int64_t rows, std::int64_t columns) {
        FusedKernel kernel;
        kernel.loops = {rows, columns};
        kernel.outer = 1;
        const int x = kernel.load({0, ElementType::Float32, {0, {1, rows}}, {}, 0});
        const int largest = kernel.add(KernelOp::RowMaximum, ElementType::Float32, {x});
        const int isHere = kernel.add(KernelOp::Or, ElementType::Bool,
                                      {kernel.add(KernelOp::Equal, ElementType::Bool, {x, largest}),
                                       kernel.add(KernelOp::NotEqual, ElementType::Bool, {x, x})});
        const int number = kernel.index({0, {0, 1}});
        const int nowhere = kernel.number(static_cast<double>(columns), ElementType::Int64);
        const int place =
            kernel.add(KernelOp::RowMinimum, ElementType::Int64,
                       {kernel.add(KernelOp::Select, ElementType::Int64, {isHere, number, nowhere})});
        kernel.stores.push_back({place, 1, ElementType::Int64, {0, {1, 0}}});
        kernel.finish();
        return kernel;
    }

private slots:
    void aRankIsSearchedForInWhatWasReadBefore() {
        const FusedKernel half = halfOfRows(4000, 4096);
        QCOMPARE(half.passCount(), 3); // to keep the row, to search in it, to sum it up
        QVERIFY(cudaSharingOf(half, allTunings()).isOnePass);
        const KernelSchedule kept = scheduleOf(half, Keeping::All);
        QCOMPARE(kept.kept.size(), 1U);
        QCOMPARE(kept.passes[1].ranked.size(), 1U);
        QCOMPARE(kept.passes[1].ranked[0].taken, kept.kept);
        QVERIFY(kept.passes[1].reductions.empty() && kept.passes[1].ranked[0].computed.empty());
        QCOMPARE(mostKeptAtOnce(kept), 1);
        // Where nothing is kept each search reads the row.
        const KernelSchedule read = scheduleOf(half, Keeping::Nothing);
        QVERIFY(read.passes[0].computed.empty());
        QCOMPARE(read.passes[1].ranked[0].computed.size(), 1U);
        QVERIFY(!rowMomentsOf(half) && rowsOfThread(half) == 1);
    }

    void aPlaceGoesAlongWithItsExtreme() {
        const FusedKernel places = placesOf(1024, 4000);
        QCOMPARE(places.passCount(), 2);
        const FusedKernel together = withRunningPlaces(places);
        QCOMPARE(together.passCount(), 1);
        const LoopText loops(together);
        const RunningPlaces running(places, together, loops);
        const int place = places.stores[0].step;
        QVERIFY(running.isPlace(place) && !running.isExtreme(place));
        QCOMPARE(running.beforeMeeting(place).size(), 1);
        // Nobody asked for it: nothing runs along.
        QVERIFY(!RunningPlaces(places, places, loops).isPlace(place));
    }

    void sumsOfExponentialsGoAlongWithTheLargest() {
        const FusedKernel loss = lossOfRows(4000, 24'000);
        QCOMPARE(loss.passCount(), 2);
        const std::vector<RunningSoftmax> running = runningSoftmaxOf(loss);
        QCOMPARE(running.size(), 1U);
        QCOMPARE(running[0].sums.size(), 1U);
        const FusedKernel merged = withRunningSums(loss, running);
        QCOMPARE(merged.passCount(), 1);
        QCOMPARE(runningSoftmaxOf(merged), running);
        QVERIFY(runsAlong(loss) && !canBeOnePass(loss, false) && !canBeClustered(loss));
        QVERIFY(!cudaSharingOf(loss, allTunings()).isOnePass);
        // What is written element by element keeps its row, where registers hold two of them.
        QVERIFY(!runsAlong(lossOfRows(4000, 2000, true)) &&
                canBeOnePass(lossOfRows(4000, 2000, true), false));
        QVERIFY(runsAlong(lossOfRows(4000, 50'000, true)));
        QCOMPARE(withRunningSums(lossOfRows(4000, 50'000, true), running).passCount(), 2);
        // Few rows are shared by the blocks of a cluster.
        QVERIFY(!runsAlong(lossOfRows(16, 24'000)));
    }

    void whatElseIsSummedKeepsItsLoop() {
        FusedKernel kernel = lossOfRows(4000, 2000);
        const int x = 0;
        const int apart = kernel.add(KernelOp::Subtract, ElementType::Float32, {x, 1});
        const int squares =
            kernel.add(KernelOp::RowSum, ElementType::Float32,
                       {kernel.add(KernelOp::Multiply, ElementType::Float32, {apart, apart})});
        kernel.stores.push_back({squares, 2, ElementType::Float32, {0, {1}}});
        QVERIFY(kernel.step(1).op == KernelOp::RowMaximum);
        kernel.finish();
        QVERIFY(runningSoftmaxOf(kernel).empty());
    }

    void columnsAreKeptWhereTheyAreFew() {
        const auto down = [](std::int64_t length, std::int64_t near = 900) {
            FusedKernel kernel;
            kernel.loops = {50, near, length};
            kernel.outer = 2;
            const AffineIndex address{0, {length * near, 1, near}};
            const int x = kernel.load({0, ElementType::Float32, address, {}, 0});
            const int sum = kernel.add(KernelOp::RowSum, ElementType::Float32, {x});
            kernel.stores.push_back({kernel.add(KernelOp::Subtract, ElementType::Float32, {x, sum}), 1,
                                     ElementType::Float32, address});
            kernel.finish();
            return kernel;
        };
        QCOMPARE(cudaSharingOf(down(180), allTunings()).mode, CudaMode::LanesOfRows);
        QVERIFY(cudaSharingOf(down(180), allTunings()).isOnePass);
        for (const int groups : configChoices(down(180), allTunings()))
            QVERIFY((180 + groups - 1) / groups <= 16 || groups == 32);
        QVERIFY(!cudaSharingOf(down(800), allTunings()).isOnePass);
        // Two a thread, where the rows of neighbours begin within a sector of 32 bytes and are whole pairs.
        QCOMPARE(cudaSharingOf(down(180, 900), allTunings()).sums, 2);
        QCOMPARE(cudaSharingOf(down(180, 904), allTunings()).sums, 1);
        QCOMPARE(cudaSharingOf(down(180, 901), allTunings()).sums, 1);
        QCOMPARE(cudaSharingOf(down(180, 330), allTunings()).sums, 1); // too few blocks
        QCOMPARE(cudaSharingOf(down(400, 900), allTunings()).sums, 1); // too much to keep
        QCOMPARE(cudaSharingOf(down(180, 900), KernelTuning()).sums, 1);
    }

    void theEndsOfARowFitIntoSharedMemory() {
        const auto areNear = [](int searches) {
            FusedKernel kernel;
            kernel.loops = {300, 8192};
            kernel.outer = 1;
            const int x = kernel.load({0, ElementType::Float32, {0, {8192, 1}}, {}, 0});
            for (int i = 0; i < searches; ++i) {
                const int rank = kernel.number(3 + i, ElementType::Int64);
                kernel.stores.push_back({kernel.add(KernelOp::RowRanked, ElementType::Float32, {x, rank}),
                                         1 + i,
                                         ElementType::Float32,
                                         {0, {1, 0}}});
            }
            kernel.finish();
            CudaSharing sharing;
            sharing.mode = CudaMode::BlockOfRow;
            const int first = kernel.stores[0].step;
            return RankedText(kernel, first, QStringLiteral("ranked"), true).isNearEnd(sharing);
        };
        QVERIFY(areNear(1));
        QVERIFY(areNear(8));
        QVERIFY(!areNear(12)); // of 1024 threads: more than 48 KiB
    }

    void singleElementsComeTogetherAlongMemory() {
        const auto copied = [](std::int64_t rows, std::int64_t step) {
            FusedKernel kernel;
            kernel.loops = {rows, 1021};
            kernel.outer = 2;
            const int x = kernel.load({0, ElementType::Float32, {0, {1024 * step, step}}, {}, 0});
            kernel.stores.push_back({kernel.add(KernelOp::Exponential, ElementType::Float32, {x}),
                                     1,
                                     ElementType::Float32,
                                     {0, {1021, 1}}});
            kernel.finish();
            return kernel;
        };
        // Rows of 1024 floats are read and rows of 1021 are written: no packs of both.
        QCOMPARE(cudaSharingOf(copied(4000, 1), allTunings()).together, 4);
        QCOMPARE(cudaSharingOf(copied(40, 1), allTunings()).together, 1);
        QCOMPARE(cudaSharingOf(copied(4000, 5), allTunings()).together, 1);
        // A value is there before anybody asks whether it is stored.
        QCOMPARE(cudaAskedStore("float", "h2", "y[c]", "x[c] + h1"),
                 (QStringList{"const float h2 = x[c] + h1;", "if (mine + some * kThreads < kPacks)",
                              "    y[c] = h2;"}));
        QCOMPARE(cudaAskedStore("float", "h2", "y[c]", "h1"),
                 (QStringList{"if (mine + some * kThreads < kPacks)", "    y[c] = h1;"}));
    }

    void oddRowsAreTakenInThePacksOfTheirMemory() {
        // `pitch`: from one row of x to the next, of 1021 floats each.
        const auto added = [](std::int64_t rows, std::int64_t pitch) {
            FusedKernel kernel;
            kernel.loops = {rows, 1021};
            kernel.outer = 1;
            const int x = kernel.load({0, ElementType::Float32, {0, {pitch, 1}}, {}, 0});
            const int offset = kernel.load({1, ElementType::Float32, {0, {0, 1}}, {}, 0});
            kernel.stores.push_back({kernel.add(KernelOp::Add, ElementType::Float32, {x, offset}),
                                     2,
                                     ElementType::Float32,
                                     {0, {1021, 1}}});
            kernel.finish();
            return kernel;
        };
        const std::optional<RaggedRows> rows = raggedRowsOf(added(4000, 1021));
        QVERIFY(rows);
        QCOMPARE(rows->width, 4);
        QCOMPARE(rows->lead.steps, (std::vector<std::int64_t>{1, 0}));
        QCOMPARE(leadLines(rows, {"row", "c"}).size(), 1);
        QVERIFY(!raggedRowsOf(added(4001, 1021))); // the last pack would end behind the tensor
        QVERIFY(!raggedRowsOf(added(4000, 1024))); // x and y begin in different places of theirs
    }

    void shortRowsShareABlock_data() {
        QTest::addColumn<std::int64_t>("columns");
        QTest::addColumn<int>("threads"); // a row, of the first choice
        QTest::newRow("64: a load of 16 bytes for each") << std::int64_t(64) << 16;
        QTest::newRow("a warp") << std::int64_t(400) << 32;
        QTest::newRow("4096") << std::int64_t(4096) << 256;
    }
    void shortRowsShareABlock() {
        QFETCH(std::int64_t, columns);
        QFETCH(int, threads);
        const FusedKernel kernel = rowsByTheirSums(1'000'000, columns);
        QCOMPARE(configChoices(kernel, allTunings()).front(), threads);
        QCOMPARE(cudaSharingOf(kernel, allTunings()).hasShortRows, threads <= 32);
        QVERIFY(!cudaSharingOf(kernel, allTunings()).isClustered);
    }

    void fewRowsGetMoreThreads() {
        QVERIFY(configChoices(rowsByTheirSums(300, 4096), allTunings()).front() >
                configChoices(rowsByTheirSums(300'000, 4096), allTunings()).front());
    }

    void aClusterTakesWhatIsTooLongForABlock() {
        // 40 floats are all that 1024 threads have registers for.
        const FusedKernel fitting = rowsByTheirSums(4000, 40'000);
        QVERIFY(canBeOnePass(fitting, false));
        QVERIFY(!canBeClustered(fitting));
        const FusedKernel longer = rowsByTheirSums(4000, 100'000);
        QVERIFY(!canBeOnePass(longer, false));
        QVERIFY(cudaSharingOf(longer, allTunings()).isClustered &&
                cudaSharingOf(longer, allTunings()).isOnePass);
        const FusedKernel tooLong = rowsByTheirSums(4000, 1'000'000);
        QVERIFY(cudaSharingOf(tooLong, allTunings()).isClustered &&
                !cudaSharingOf(tooLong, allTunings()).isOnePass);
        // Few ones, for more of the device to be at work.
        QVERIFY(cudaSharingOf(rowsByTheirSums(16, 40'000), allTunings()).isClustered);
        QVERIFY(!cudaSharingOf(rowsByTheirSums(16, 1000), allTunings()).isClustered);
    }

    void aSumAndTheSquaresAroundItsMeanAreMoments() {
        FusedKernel kernel;
        kernel.loops = {64, 90'000};
        kernel.outer = 1;
        const AffineIndex address{0, {90'000, 1}};
        const auto type = ElementType::Float32;
        const int x = kernel.load({0, type, address, {}, 0});
        const int sum = kernel.add(KernelOp::RowSum, type, {x});
        const int mean = kernel.add(KernelOp::Divide, type, {sum, kernel.number(90'000, type)});
        const int apart = kernel.add(KernelOp::Subtract, type, {x, mean});
        const int squares =
            kernel.add(KernelOp::RowSum, type, {kernel.add(KernelOp::Multiply, type, {apart, apart})});
        const int scaled = kernel.add(KernelOp::Divide, type, {apart, squares});
        kernel.stores.push_back({scaled, 1, type, address});
        FusedKernel stored = kernel;
        kernel.finish();
        const auto moments = rowMomentsOf(kernel);
        QVERIFY(moments && kernel.step(moments->sum).pass + 1 == kernel.step(moments->squares).pass);
        // What is kept between is the element, not its distance to a mean that is only a part's.
        const KernelSchedule schedule = scheduleOf(kernel, Keeping::All, moments->centred);
        QCOMPARE(schedule.kept.size(), std::size_t(1));
        QCOMPARE(kernel.step(schedule.kept[0]).op, KernelOp::Load);
        // The distance itself is wanted in the second loop: then that loop has to know the row's mean.
        stored.stores.push_back({apart, 2, type, address});
        stored.finish();
        QVERIFY(!rowMomentsOf(stored));
    }

    void isAMoveWhereTheDeviceHasClusters() {
        KernelPlan plan;
        plan.kernels = {rowsByTheirSums(4000, 100'000)};
        const auto words = [&plan](bool hasClusters) {
            QStringList moves;
            for (const PlaybookMove &move : movesFrom(plan, plainTunings(plan), {true, 2, 4e12, hasClusters}))
                moves << move.move;
            return moves;
        };
        QVERIFY(!words(false).contains("cluster"));
        QVERIFY(words(true).contains("cluster"));
    }

    // Sums over windows of seven, along another dimension than the one that lies side by side.
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
        FusedKernel kernel;
        kernel.loops = {90, neighbours, 7};
        kernel.outer = 2;
        const int x = kernel.load({0, ElementType::Float32, {0, {neighbours, 1, neighbours}}, {}, 0});
        const int sum = kernel.add(KernelOp::RowSum, ElementType::Float32, {x});
        kernel.stores.push_back({sum, 1, ElementType::Float32, {0, {neighbours, 1, 0}}});
        kernel.finish();
        QCOMPARE(rowsOfThread(kernel), rows);
        QCOMPARE(canBeWide(kernel), rows > 1);
        QCOMPARE(cudaSharingOf(kernel, allTunings()).mode,
                 rows > 1 ? CudaMode::PackOfRows : CudaMode::ThreadOfRow);
        QCOMPARE(cudaSharingOf(kernel, {}).mode, CudaMode::ThreadOfRow);
    }

    // Windows of two by two that step by one along memory: where no load of several is aligned.
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
        FusedKernel kernel;
        kernel.loops = {20'000, results, 2, 2};
        kernel.outer = 2;
        const int x = kernel.load({0, ElementType::Float32, {0, {113, step, 113, 1}}, {}, 0});
        const int largest = kernel.add(KernelOp::RowMaximum, ElementType::Float32, {x});
        kernel.stores.push_back({largest, 1, ElementType::Float32, {0, {results, 1, 0, 0}}});
        kernel.finish();
        QCOMPARE(rowsOfThread(kernel), rows);
        QCOMPARE(readsRowsSingly(kernel), rows > 1);
        kernel.loops[0] = 200; // too few for threads that make two
        QCOMPARE(rowsOfThread(kernel), 1);
    }

    // A softmax's sum is known a loop later than what it divides.
    void aRowsFactorIsOneOfItsSums() {
        FusedKernel kernel;
        kernel.loops = {100, 64};
        kernel.outer = 1;
        const int x = kernel.load({0, ElementType::Float32, {0, {64, 1}}, {}, 0});
        const int weight = kernel.load({1, ElementType::Float32, {0, {0, 1}}, {}, 0});
        const int sum = kernel.add(KernelOp::RowSum, ElementType::Float32, {x});
        const int share = kernel.add(KernelOp::Divide, ElementType::Float32, {x, sum});
        const int part = kernel.add(KernelOp::Multiply, ElementType::Float32, {share, weight});
        const int mean = kernel.add(KernelOp::RowSum, ElementType::Float32, {part});
        QVERIFY(!isReduction(kernel.step(mean).op));
        kernel.stores.push_back({mean, 2, ElementType::Float32, {0, {1, 0}}});
        kernel.finish();
        QCOMPARE(kernel.passCount(), 1);
        // A number is none: it may be what keeps a sum from overflowing.
        const int small = kernel.add(KernelOp::Multiply, ElementType::Float32,
                                     {kernel.load({0, ElementType::Float32, {0, {64, 1}}, {}, 0}),
                                      kernel.number(1e-30, ElementType::Float32)});
        QVERIFY(isReduction(kernel.step(kernel.add(KernelOp::RowSum, ElementType::Float32, {small})).op));
    }

    void placesOfExtremesAreNarrow() {
        FusedKernel kernel;
        kernel.loops = {100, 9000};
        kernel.outer = 1;
        const int place = kernel.index({0, {0, 1}});
        const int least = kernel.add(KernelOp::RowMinimum, ElementType::Int64, {place});
        kernel.stores.push_back({least, 1, ElementType::Int64, {0, {1, 0}}});
        QVERIFY(hasNarrowNumbers(kernel));
        const QString text = withNarrowNumbers(
            kernel,
            QStringLiteral("std::int64_t a = INT64_MAX; Pack<std::int64_t> yPack; a = std::int64_t(9001);"));
        QCOMPARE(text, QStringLiteral("int a = INT32_MAX; Pack<std::int64_t> yPack; a = 9001;"));
        // A sum of so many places is not.
        const int sum = kernel.add(KernelOp::RowSum, ElementType::Int64,
                                   {kernel.add(KernelOp::Multiply, ElementType::Int64,
                                               {place, kernel.number(1000, ElementType::Int64)})});
        QVERIFY(sum >= 0);
        QVERIFY(!hasNarrowNumbers(kernel));
    }

    void onlyTheLastOfAKeptRowIsAskedFor() {
        const auto question = [](std::int64_t columns, int width) {
            const FusedKernel kernel = rowsByTheirSums(5000, columns);
            const CudaSharing sharing = cudaSharingOf(kernel, allTunings());
            return sharing.isOnePass ? cudaLoopLines(kernel, sharing, width, false).back() : QString();
        };
        QVERIFY(question(3001, 1).contains("p + 1 < kPacks || c < kColumns"));
        QVERIFY(question(3000, 4).contains("(p + 1) * THREADS * kWidth <= kColumns || c < kColumns"));
        // Many packs would not fit into the registers together.
        QCOMPARE(question(30'000, 4).trimmed(), QStringLiteral("if (c < kColumns) {"));
    }

    void narrowNumbersAreThoseThatFit() {
        QVERIFY(hasNarrowNumbers(rowsByTheirSums(30'000, 30'000)));
        QVERIFY(!hasNarrowNumbers(rowsByTheirSums(50'000, 50'000)));
        // A number from memory may be any.
        FusedKernel kernel = rowsByTheirSums(8, 8);
        const int place = kernel.load({2, ElementType::Int64, AffineIndex{0, {0, 1}}, {}, 0});
        QVERIFY(!hasNarrowNumbers(kernel));
        QVERIFY(!isNeverNegative(kernel, place));
        const int clamped =
            kernel.add(KernelOp::Maximum, ElementType::Int64, {place, kernel.number(0, ElementType::Int64)});
        QVERIFY(isNeverNegative(kernel, clamped));
    }
};

QObject *makeTestCudaSharing() {
    return new TestCudaSharing;
}
#include "tests/playbook/kernel_tunings.h"
#include "tst_cuda_sharing.moc"
