// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/across_product.h"
#include "agent/playbook/kernel_plan.h"
#include "agent/playbook/own_convolution.h"
#include "agent/playbook/own_product.h"
#include "agent/playbook/parted_joins.h"
#include "agent/playbook/plan_moves.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

#include <algorithm>

using namespace warpwright;

/// What is made simpler before, on the way to, and after a plan.
class TestPlanPasses : public QObject {
    Q_OBJECT

    static QByteArray name(const char *stem, int number) { return stem + QByteArray::number(number); }

private slots:
    void aSharedRunningSumIsComputedOnce() {
        // Each column of a table would run along the lengths again.
        const KernelPlan plan = planOf(graphOf(leaf("x", {64, 5000}) + leaf("l", {64}) +
                                                   node("s", "cumsum.default", "%l, 0", {64}) +
                                                   node("v", "view.default", "%s, [64, 1]", {64, 1}) +
                                                   node("y", "mul.Tensor", "%x, %v", {64, 5000}),
                                               "y"));
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.kernels.size(), 2U);
        QVERIFY(plan.kernels[0].hasScans());
        QVERIFY(!plan.kernels[1].hasScans());
        // Of rows of its own it stays with what follows.
        const KernelPlan own =
            planOf(graphOf(leaf("x", {64, 50}) + node("s", "cumsum.default", "%x, 1", {64, 50}) +
                               node("y", "exp.default", "%s", {64, 50}),
                           "y"));
        QCOMPARE(own.kernels.size(), 1U);
    }

    void aProductOfFewIsNoLibrarysCall_data() {
        QTest::addColumn<qint64>("inner");
        QTest::addColumn<qint64>("columns");
        QTest::addColumn<bool>("isComputed"); // what is multiplied
        QTest::addColumn<int>("kernels");
        QTest::addColumn<bool>("isLibrarys");
        QTest::newRow("colours") << qint64(3) << qint64(3) << true << 1 << false;
        QTest::newRow("coordinates") << qint64(2) << qint64(256) << false << 1 << false;
        QTest::newRow("what would be computed for each") << qint64(3) << qint64(256) << true << 2 << false;
        QTest::newRow("a product") << qint64(5) << qint64(64) << false << 1 << true;
    }
    void aProductOfFewIsNoLibrarysCall() {
        QFETCH(qint64, inner);
        QFETCH(qint64, columns);
        QFETCH(bool, isComputed);
        QFETCH(int, kernels);
        QFETCH(bool, isLibrarys);
        const Shape result = {100, columns};
        QByteArray nodes = leaf("x", {100, inner}) + leaf("w", {inner, columns});
        if (isComputed)
            nodes += node("e", "exp.default", "%x", {100, inner});
        nodes += node("p", "mm.default", isComputed ? "%e, %w" : "%x, %w", result) +
                 node("y", "relu.default", "%p", result);
        const KernelPlan plan = planOf(graphOf(nodes, "y"));
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(static_cast<int>(plan.kernels.size()), kernels);
        QCOMPARE(std::any_of(plan.kernels.begin(), plan.kernels.end(),
                             [](const FusedKernel &kernel) { return kernel.anchor == Anchor::Product; }),
                 isLibrarys);
    }

    void aCellsStateIsComputedOnce_data() {
        QTest::addColumn<qint64>("rows");
        QTest::addColumn<int>("mostRead"); // by one kernel
        QTest::newRow("a large one") << qint64(4096) << 4;
        QTest::newRow("one that a cache holds") << qint64(16) << 10;
    }
    void aCellsStateIsComputedOnce() {
        // Three gates of a product a turn: what the last state is made of is all that was ever multiplied.
        QFETCH(qint64, rows);
        QFETCH(int, mostRead);
        const Shape state = {rows, 1024};
        QByteArray nodes = leaf("h0", state) + leaf("c0", state) + parameter("w", {1024, 3072});
        for (int turn = 1; turn <= 3; ++turn) {
            const QByteArray before = QByteArray::number(turn - 1);
            nodes += node(name("p", turn), "mm.default", "%h" + before + ", %w", {rows, 3072});
            for (int gate = 0; gate < 3; ++gate)
                nodes += node(QByteArray(1, "abc"[gate]) + QByteArray::number(turn) + "s", "slice.Tensor",
                              "%" + name("p", turn) + ", 1, " + QByteArray::number(1024 * gate) + ", " +
                                  QByteArray::number(1024 * (gate + 1)),
                              state);
            const QByteArray now = QByteArray::number(turn);
            nodes += node(name("f", turn), "mul.Tensor", "%a" + now + "s, %c" + before, state) +
                     node(name("i", turn), "mul.Tensor", "%b" + now + "s, %c" + now + "s", state) +
                     node(name("c", turn), "add.Tensor", "%f" + now + ", %i" + now, state) +
                     node(name("h", turn), "tanh.default", "%c" + now, state);
        }
        const KernelPlan plan = planOf(graphOf(nodes, "h3"));
        QCOMPARE(plan.cannot, QString());
        std::size_t most = 0;
        for (const FusedKernel &kernel : plan.kernels)
            most = std::max(most, kernel.leaves.size());
        QCOMPARE(static_cast<int>(most), mostRead);
    }

    void aLoopOfFewRoundsIsWrittenOut() {
        // Each coordinate of a point that is turned needs all three: a thread makes them together.
        const Shape points = {200'000, 3};
        const KernelPlan plan = planOf(
            graphOf(leaf("x", points) + leaf("w", {3, 3}) + node("e", "tanh.default", "%x", points) +
                        node("p", "mm.default", "%e, %w", points) + node("y", "tanh.default", "%p", points),
                    "y"));
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.kernels.size(), 1U);
        QCOMPARE(plan.kernels[0].stores.size(), 3U);
        QCOMPARE(plan.kernels[0].loops, Shape{200'000});
    }

    void aProductIsFinishedByOurKernel_data() {
        QTest::addColumn<QByteArray>("after"); // of the product %p, as %y
        QTest::addColumn<bool>("isOurs");
        const Shape result = {16384, 1024};
        const QByteArray square =
            node("s", "relu.default", "%p", result) + node("y", "mul.Tensor", "%s, %s", result);
        QTest::newRow("what no library does") << square << true;
        QTest::newRow("another tensor is read")
            << node("s", "sigmoid.default", "%p", result) + node("y", "mul.Tensor", "%s, %o", result) << true;
        QTest::newRow("an epilogue that the library has") << node("y", "relu.default", "%p", result) << false;
        QTest::newRow("a function that is ours, without a branch")
            << node("s", "sin.default", "%p", result) + node("y", "mul.Tensor", "%s, %o", result) << true;
        QTest::newRow("a function of branches") << node("y", "lgamma.default", "%p", result) << false;
        QTest::newRow("rows that are told apart as batches")
            << node("v", "view.default", "%p, [64, 256, 1024]", {64, 256, 1024}) +
                   node("s", "tanh.default", "%v", {64, 256, 1024}) +
                   node("y", "mul.Tensor", "%s, %q", {64, 256, 1024})
            << true;
        QTest::newRow("batches of which tiles are mostly empty")
            << node("v", "view.default", "%p, [1024, 16, 1024]", {1024, 16, 1024}) +
                   node("s", "tanh.default", "%v", {1024, 16, 1024}) +
                   node("y", "mul.Tensor", "%s, %r", {1024, 16, 1024})
            << false;
        QTest::newRow("sums of its rows")
            << node("s", "exp.default", "%p", result) + node("y", "sum.dim_IntList", "%s, [1]", {16384})
            << false;
        QTest::newRow("turned") << node("s", "exp.default", "%p", result) +
                                       node("v", "permute.default", "%s, [1, 0]", {1024, 16384}) +
                                       node("y", "clone.default", "%v", {1024, 16384})
                                << false;
    }
    void aProductIsFinishedByOurKernel() {
        QFETCH(QByteArray, after);
        QFETCH(bool, isOurs);
        const ReferenceGraph graph =
            graphOf(leaf("x", {16384, 512}) + leaf("o", {16384, 1024}) + parameter("w", {1024, 512}) +
                        leaf("q", {256, 1024}) + leaf("r", {16, 1024}) +
                        node("t", "permute.default", "%w, [1, 0]", {512, 1024}) +
                        node("p", "mm.default", "%x, %t", {16384, 1024}) + QByteArray(after),
                    "y");
        const KernelPlan plan = planOf(graph, {.hasOwnProducts = true});
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(std::any_of(plan.kernels.begin(), plan.kernels.end(), isOwnProduct), isOurs);
        const KernelPlan usual = planOf(graph);
        QVERIFY(std::none_of(usual.kernels.begin(), usual.kernels.end(), isOwnProduct));
        // It is a move of its own, for GPUs that have such units, once floats may be rounded.
        PlaybookDevice device{true, 2, 4e12, true, true};
        const auto isProposed = [&](bool usesTf32) {
            std::vector<KernelTuning> tunings = plainTunings(usual);
            for (KernelTuning &tuning : tunings)
                tuning.usesTf32 = usesTf32;
            const std::vector<PlaybookMove> moves = planMovesFrom(graph, usual, tunings, device);
            return std::any_of(moves.begin(), moves.end(), [](const PlaybookMove &move) {
                return move.move == QLatin1String("own-products");
            });
        };
        QCOMPARE(isProposed(true), isOurs);
        QVERIFY(!isProposed(false));
        device.hasWarpGroups = false;
        QVERIFY(!isProposed(true));
    }

    void productsOfBatchesAreFinishedByOurKernel_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<bool>("isTurned"); // the second matrix lies along its columns
        QTest::addColumn<bool>("isOurs");
        QTest::addColumn<bool>("isAcross");
        QTest::addColumn<int>("wide"); // neighbours that a thread finishes; 0: as it has them
        QTest::newRow("scores") << 256 << 512 << false << true << false << 0;
        QTest::newRow("rows that begin within sectors") << 250 << 500 << false << true << false << 4;
        QTest::newRow("rows that begin anywhere") << 250 << 501 << false << true << false << 1;
        QTest::newRow("tiles that are mostly empty") << 140 << 512 << false << false << false << 0;
        QTest::newRow("experts") << 256 << 512 << true << true << true << 0;
        QTest::newRow("the copy engine wants packs") << 256 << 510 << true << false << false << 0;
    }
    void productsOfBatchesAreFinishedByOurKernel() {
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(bool, isTurned);
        QFETCH(bool, isOurs);
        QFETCH(bool, isAcross);
        QFETCH(int, wide);
        const Shape result = {64, rows, columns};
        const QByteArray second = isTurned
                                      ? leaf("w", {64, 96, columns})
                                      : leaf("u", {64, columns, 96}) +
                                            node("w", "permute.default", "%u, [0, 2, 1]", {64, 96, columns});
        const KernelPlan plan =
            planOf(graphOf(leaf("x", {64, rows, 96}) + second + node("p", "bmm.default", "%x, %w", result) +
                               node("y", "tanh.default", "%p", result),
                           "y"),
                   {.hasOwnProducts = true});
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(std::any_of(plan.kernels.begin(), plan.kernels.end(), isOwnProduct), isOurs);
        QCOMPARE(std::any_of(plan.kernels.begin(), plan.kernels.end(), isAcrossProduct), isAcross);
        if (!isOurs || isAcross)
            return;
        QCOMPARE(isInPacks(plan.kernels[0]), wide == 0);
        QCOMPARE(wideOf(plan.kernels[0]), wide == 0 ? 4 : wide);
    }

    void halvesAreMultipliedAsTheyLie() {
        // No copy, whichever way the matrices lie.
        const auto half = [](const QByteArray &text) {
            return QByteArray(text).replace("float32", "float16");
        };
        const KernelPlan plan = planOf(graphOf(half(leaf("x", {512, 16384}) + parameter("w", {512, 1024}) +
                                                    node("t", "permute.default", "%x, [1, 0]", {16384, 512}) +
                                                    node("p", "mm.default", "%t, %w", {16384, 1024}) +
                                                    node("y", "tanh.default", "%p", {16384, 1024})),
                                               "y"),
                                       {.hasOwnProducts = true});
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.kernels.size(), 1U);
        QVERIFY(isOwnProduct(plan.kernels[0]));
        QVERIFY(isTurned(plan.kernels[0], plan.kernels[0].leaves[0], 0));
        QVERIFY(isTurned(plan.kernels[0], plan.kernels[0].leaves[1], 1));
    }

    void matricesWhoseRowsBeginAnywhereGetACopy() {
        const auto kernelsOf = [](int columns) {
            const Shape result = {columns, 1024};
            return planOf(graphOf(leaf("x", {1024, columns}) + parameter("w", {1024, 1024}) +
                                      node("t", "permute.default", "%x, [1, 0]", {columns, 1024}) +
                                      node("y", "mm.default", "%t, %w", result),
                                  "y"))
                .kernels.size();
        };
        QCOMPARE(kernelsOf(8192), 1U);
        QCOMPARE(kernelsOf(8193), 2U);
    }

    void matricesOfTwoProductsAreCopiedByLines() {
        // Where our kernel takes both; what sums a row of them does not.
        const Shape result = {16000, 1100};
        const auto planWith = [&](const QByteArray &last) {
            return planOf(graphOf(leaf("x", result) + parameter("w", {1100, 1100}) +
                                      parameter("v", {1100, 1100}) +
                                      node("t", "permute.default", "%w, [1, 0]", {1100, 1100}) +
                                      node("u", "permute.default", "%v, [1, 0]", {1100, 1100}) +
                                      node("p", "mm.default", "%x, %t", result) +
                                      node("q", "mm.default", "%x, %u", result) +
                                      node("s", "sigmoid.default", "%p", result) +
                                      node("m", "mul.Tensor", "%s, %q", result) + QByteArray(last),
                                  "y"),
                          {.hasOwnProducts = true});
        };
        const KernelPlan plan = planWith(node("y", "mul.Tensor", "%m, %x", result));
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.kernels.size(), 4U);
        QVERIFY(isOwnProduct(plan.kernels[3]));
        QCOMPARE(plan.kernels[3].loops, (Shape{16000, 1100, 1120}));
        QCOMPARE(plan.kernels[3].leaves[0].address.steps, (std::vector<std::int64_t>{1120, 0, 1}));
        QCOMPARE(planWith(node("y", "sum.dim_IntList", "%m, [1]", {16000})).kernels.size(), 3U);
    }

    void productsOfImagesAreFinishedByOurKernel_data() {
        QTest::addColumn<int>("images");
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("pixels");
        QTest::addColumn<QByteArray>("second"); // of the last product, beside the result
        QTest::addColumn<bool>("isOurs");
        const QByteArray whole = "%o";
        QTest::newRow("images by rows") << 16 << 64 << 3136 << whole << true;
        QTest::newRow("few tiles") << 2 << 64 << 3136 << whole << false;
        QTest::newRow("few channels") << 16 << 24 << 3136 << whole << false;
        QTest::newRow("an odd image, which packs do not fill") << 16 << 64 << 3135 << whole << false;
        QTest::newRow("one for a channel of an image") << 16 << 64 << 3136 << QByteArray("%b") << true;
    }
    void productsOfImagesAreFinishedByOurKernel() {
        QFETCH(int, images);
        QFETCH(int, channels);
        QFETCH(int, pixels);
        QFETCH(QByteArray, second);
        QFETCH(bool, isOurs);
        const Shape result = {images, channels, pixels};
        const KernelPlan plan =
            planOf(graphOf(leaf("x", {images, 128, pixels}) + leaf("o", result) +
                               leaf("b", {images, channels, 1}) + parameter("w", {channels, 128, 1}) +
                               node("c", "convolution.default", "%x, %w, null, [1], [0], [1], false, [0], 1",
                                    result) +
                               node("s", "sigmoid.default", "%c", result) +
                               node("y", "mul.Tensor", "%s, " + second, result),
                           "y"),
                   {.hasOwnProducts = true});
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(std::any_of(plan.kernels.begin(), plan.kernels.end(), isAcrossProduct), isOurs);
        if (!isOurs)
            return;
        QCOMPARE(plan.kernels.size(), 1U);
        QCOMPARE(acrossTileRows(plan.kernels[0]), 64);
    }

    void aConvolutionIsFinishedByOurKernel_data() {
        QTest::addColumn<QByteArray>("after"); // of the convolution %c, as %y
        QTest::addColumn<int>("kernels");
        QTest::addColumn<bool>("isOurs");
        const Shape result = {16, 128, 56, 56};
        const Shape half = {16, 64, 56, 56};
        // The image and the filters come with channels last, the result by rows.
        QTest::newRow("another order") << node("y", "relu.default", "%c", result) << 3 << true;
        QTest::newRow("another tensor is read")
            << node("s", "sigmoid.default", "%c", result) + node("y", "mul.Tensor", "%s, %o", result) << 3
            << true;
        QTest::newRow("a gate") << node("a", "slice.Tensor", "%c, 1, 0, 64", half) +
                                       node("b", "slice.Tensor", "%c, 1, 64, 128", half) +
                                       node("s", "sigmoid.default", "%b", half) +
                                       node("y", "mul.Tensor", "%a, %s", half)
                                << 3 << true;
        QTest::newRow("what eight warps do not hide")
            << node("y", "lgamma.default", "%c", result) << 4 << false;
        QTest::newRow("sums of its rows")
            << node("s", "exp.default", "%c", result) + node("y", "sum.dim_IntList", "%s, [1, 2, 3]", {16})
            << 0 << false;
    }
    void aConvolutionIsFinishedByOurKernel() {
        QFETCH(QByteArray, after);
        QFETCH(int, kernels);
        QFETCH(bool, isOurs);
        const Shape result = {16, 128, 56, 56};
        const ReferenceGraph graph =
            graphOf(leaf("x", {16, 96, 56, 56}) + leaf("o", result) + parameter("w", {128, 96, 3, 3}) +
                        node("c", "convolution.default",
                             "%x, %w, null, [1, 1], [2, 2], [2, 2], false, [0, 0], 1", result) +
                        after,
                    "y");
        const KernelPlan plan = planOf(graph, {.isChannelsLast = true, .hasOwnProducts = true});
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(std::any_of(plan.kernels.begin(), plan.kernels.end(), isOwnConvolution), isOurs);
        if (kernels > 0)
            QCOMPARE(plan.kernels.size(), std::size_t(kernels));
        // With images by rows it has channels last for its own sake.
        const KernelPlan byRows = planOf(graph, {.hasOwnProducts = true});
        QCOMPARE(std::any_of(byRows.kernels.begin(), byRows.kernels.end(), isOwnConvolution), isOurs);
        const KernelPlan last = planOf(graph, {.isChannelsLast = true});
        QVERIFY(std::none_of(last.kernels.begin(), last.kernels.end(), isOwnConvolution));
        const KernelPlan usual = planOf(graph);
        std::vector<KernelTuning> tunings = plainTunings(usual);
        const auto isProposed = [&] {
            const std::vector<PlaybookMove> moves =
                planMovesFrom(graph, usual, tunings, {true, 2, 4e12, true, true});
            return std::any_of(moves.begin(), moves.end(), [](const PlaybookMove &move) {
                return move.move == QLatin1String("own-products");
            });
        };
        QVERIFY(!isProposed());
        for (KernelTuning &tuning : tunings)
            tuning.usesTf32 = true;
        QCOMPARE(isProposed(), isOurs);
    }

    void tilesOfConvolutionsFillTheDevice_data() {
        QTest::addColumn<Shape>("sizes"); // images, filters, height, width
        QTest::addColumn<int>("groupsDown");
        QTest::addColumn<int>("places");
        // As an H100 liked best.
        QTest::newRow("56x56") << Shape{16, 128, 56, 56} << 2 << 192;
        QTest::newRow("64 filters") << Shape{32, 64, 112, 112} << 1 << 160;
        QTest::newRow("five times 64 filters") << Shape{8, 320, 64, 64} << 1 << 160;
        QTest::newRow("7x7") << Shape{32, 512, 7, 7} << 2 << 64;
        QTest::newRow("32x32") << Shape{8, 256, 32, 32} << 2 << 128;
        QTest::newRow("28x28") << Shape{16, 256, 28, 28} << 2 << 192;
    }
    void tilesOfConvolutionsFillTheDevice() {
        QFETCH(Shape, sizes);
        QFETCH(int, groupsDown);
        QFETCH(int, places);
        const KernelPlan plan = planOf(
            graphOf(leaf("x", {sizes[0], 64, sizes[2], sizes[3]}) + parameter("w", {sizes[1], 64, 3, 3}) +
                        node("c", "convolution.default",
                             "%x, %w, null, [1, 1], [1, 1], [1, 1], false, [0, 0], 1", sizes) +
                        node("y", "relu.default", "%c", sizes),
                    "y"),
            {.isChannelsLast = true, .hasOwnProducts = true});
        QCOMPARE(plan.cannot, QString());
        const auto found = std::find_if(plan.kernels.begin(), plan.kernels.end(), isOwnConvolution);
        QVERIFY(found != plan.kernels.end());
        QCOMPARE(convolutionTile(*found), (ConvolutionTile{groupsDown, places}));
    }

    void filtersComeInTheOrderOfTheirPixels() {
        // Read with channels last, every fourth of them would be another channel's.
        const KernelPlan plan = planOf(
            graphOf(leaf("x", {2, 16, 32, 32}) + parameter("w", {64, 16, 3, 3}) +
                        node("c", "convolution.default",
                             "%x, %w, null, [1, 1], [1, 1], [1, 1], false, [0, 0], 1", {2, 64, 32, 32}) +
                        node("v", "view.default", "%c, [2, 16, 2, 2, 32, 32]", {2, 16, 2, 2, 32, 32}) +
                        node("p", "permute.default", "%v, [0, 1, 4, 2, 5, 3]", {2, 16, 32, 2, 32, 2}) +
                        node("y", "exp.default", "%p", {2, 16, 32, 2, 32, 2}),
                    "y"),
            {.isChannelsLast = true});
        QCOMPARE(plan.cannot, QString());
        const FusedKernel &last = plan.kernels.back();
        QVERIFY(std::any_of(last.leaves.begin(), last.leaves.end(), [&](const KernelLeaf &leaf) {
            return std::count(leaf.address.steps.begin(), leaf.address.steps.end(), 1) == 1 &&
                   std::count(leaf.address.steps.begin(), leaf.address.steps.end(), 4) == 0;
        }));
    }

    void dozensOfPartsAreJoinedInSteps() {
        const auto joined = [](int parts) {
            QByteArray nodes = leaf("x", {parts, 8});
            QByteArray items;
            for (int i = 0; i < parts; ++i) {
                nodes += node(name("p", i), "slice.Tensor",
                              "%x, 0, " + QByteArray::number(i) + ", " + QByteArray::number(i + 1), {1, 8});
                items += (i > 0 ? ", %" : "%") + name("p", i);
            }
            return graphOf(nodes + node("y", "cat.default", "[" + items + "], 0", {parts, 8}), "y");
        };
        const ReferenceGraph few = joined(24);
        QCOMPARE(withPartedJoins(few), few);
        const ReferenceGraph many = joined(30);
        const ReferenceGraph apart = withPartedJoins(many);
        QCOMPARE(apart.nodes.size(), many.nodes.size() + 3);
        QCOMPARE(apart.nodes.back().arguments[0].items.size(), 3U);
        QCOMPARE(apart.nodes.back().shape, (Shape{30, 8}));
        QCOMPARE(apart.nodes[apart.nodes.size() - 2].shape, (Shape{6, 8}));
        QCOMPARE(planOf(many).cannot, QString());
    }

    void turnsLeaveTheirStatesInTheResult() {
        constexpr int turns = 120;
        QByteArray nodes = leaf("x", {16, turns, 32}) + parameter("k", {32}) +
                           node("zeros", "full", "[16, 32], 0", {16, 32});
        QByteArray items;
        for (int t = 0; t < turns; ++t) {
            const QByteArray number = QByteArray::number(t);
            const QByteArray before = t == 0 ? QByteArray("zeros") : name("state", t - 1);
            nodes += node("given" + number, "select.int", "%x, 1, " + number, {16, 32}) +
                     node("kept" + number, "mul.Tensor", "%" + before + ", %k", {16, 32}) +
                     node("state" + number, "add.Tensor", "%kept" + number + ", %given" + number, {16, 32}) +
                     node("wide" + number, "unsqueeze", "%state" + number + ", 1", {16, 1, 32});
            items += (t > 0 ? ", %" : "%") + name("wide", t);
        }
        const KernelPlan plan =
            planOf(graphOf(nodes + node("y", "cat.default", "[" + items + "], 1", {16, turns, 32}), "y"));
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.repeats.size(), 1U);
        QCOMPARE(plan.repeats[0].turns, std::int64_t(turns));
        // The first state, and a turn; no pass over all states.
        QCOMPARE(plan.kernels.size(), 2U);
        const FusedKernel &turn = plan.kernels[plan.repeats[0].first];
        QCOMPARE(turn.stores.size(), 2U);
        const auto windowOf = [&plan](int buffer) {
            return plan.buffers[static_cast<std::size_t>(buffer)].window;
        };
        QCOMPARE(windowOf(turn.stores[0].buffer).ring, 2);
        QCOMPARE(windowOf(turn.stores[1].buffer).ring, 0);
        QCOMPARE(windowOf(turn.stores[1].buffer).buffer, plan.outputs[0]);
        QCOMPARE(windowOf(turn.stores[1].buffer).step, std::int64_t(32));
    }

    void smallKernelsOverTheSameLoopsAreOneLaunch() {
        const auto planned = [](std::int64_t size) {
            const Shape shape = {size};
            return planOf(graphOf(leaf("a", shape) + leaf("b", shape) +
                                      node("y", "exp.default", "%a", shape) +
                                      node("z", "sin.default", "%b", shape),
                                  "y, z"));
        };
        QCOMPARE(planned(1000).kernels.size(), 1U);
    }

    void zerosAreWrittenBehindRowsThatHaveRoom() {
        const KernelPlan plan = planOf(graphOf(leaf("x", {2048, 511}) + leaf("w", {511, 520}) +
                                                   node("t", "tanh.default", "%x", {2048, 511}) +
                                                   node("y", "mm.default", "%t, %w", {2048, 520}),
                                               "y"));
        QCOMPARE(plan.cannot, QString());
        const auto product =
            std::find_if(plan.kernels.begin(), plan.kernels.end(),
                         [](const FusedKernel &kernel) { return kernel.anchor == Anchor::Product; });
        QVERIFY(product != plan.kernels.end());
        QCOMPARE(product->loops.back(), 512);
        const int first = product->leaves[0].buffer;
        std::vector<std::int64_t> written; // elements, by kernel
        for (const FusedKernel &kernel : plan.kernels)
            if (kernel.stores[0].buffer == first)
                written.push_back(kernel.rows() * kernel.columns());
        QCOMPARE(written, (std::vector<std::int64_t>{2048 * 511, 2048}));
    }
};

QObject *makeTestPlanPasses() {
    return new TestPlanPasses;
}

#include "tst_plan_passes.moc"
