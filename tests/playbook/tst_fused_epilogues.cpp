// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/program.h"
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/schedule/matmul/sm90_batched_matmul.h"
#include "agent/playbook/schedule/matmul/sm90_matmul.h"
#include "agent/playbook/schedule/sm90_convolution.h"
#include "agent/playbook/tuning/program_moves.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

#include <algorithm>

using namespace warpwright;

/// Matmuls and convolutions of ours with an epilogue: which, and with what operands.
class TestFusedEpilogues : public QObject {
    Q_OBJECT

private slots:
    void ourMatmulHasAnEpilogue_data() {
        QTest::addColumn<QByteArray>("after"); // of the matmul %p, as %y
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
        QTest::newRow("transposed") << node("s", "exp.default", "%p", result) +
                                           node("v", "permute.default", "%s, [1, 0]", {1024, 16384}) +
                                           node("y", "clone.default", "%v", {1024, 16384})
                                    << false;
    }
    void ourMatmulHasAnEpilogue() {
        QFETCH(QByteArray, after);
        QFETCH(bool, isOurs);
        const ReferenceGraph graph =
            graphOf(input("x", {16384, 512}) + input("o", {16384, 1024}) + parameter("w", {1024, 512}) +
                        input("q", {256, 1024}) + input("r", {16, 1024}) +
                        node("t", "permute.default", "%w, [1, 0]", {512, 1024}) +
                        node("p", "mm.default", "%x, %t", {16384, 1024}) + QByteArray(after),
                    "y");
        const Program program = programOf(graph, {.hasSm90Matmuls = true});
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(std::any_of(program.kernels.begin(), program.kernels.end(), isSm90Matmul), isOurs);
        Program usual = programOf(graph);
        QVERIFY(std::none_of(usual.kernels.begin(), usual.kernels.end(), isSm90Matmul));
        // It is a move of its own, for GPUs with such tensor cores, once floats may be rounded.
        const Target target{.memoryBytesASecond = 4e12};
        const auto isProposed = [&](bool usesTf32) {
            std::vector<Knobs> knobSets = plainKnobs(usual);
            for (Knobs &knobs : knobSets)
                knobs.usesTf32 = usesTf32;
            const std::vector<PlaybookMove> moves = programMovesFrom(graph, usual, knobSets, target);
            return std::any_of(moves.begin(), moves.end(), [](const PlaybookMove &move) {
                return move.move == QLatin1String("own-products");
            });
        };
        QCOMPARE(isProposed(true), isOurs);
        QVERIFY(!isProposed(false));
        usual.device = withoutClusters();
        QVERIFY(!isProposed(true));
    }

    // TMA loads five sectors for four from rows that begin within a sector.
    void rowsWithinSectorsAreCopiedByLines_data() {
        QTest::addColumn<qint64>("inner");
        QTest::addColumn<std::size_t>("kernels");
        QTest::newRow("within sectors") << qint64(300) << std::size_t(3);
        QTest::newRow("of full sectors") << qint64(304) << std::size_t(1);
        QTest::newRow("too few to be summed over") << qint64(140) << std::size_t(1);
    }
    void rowsWithinSectorsAreCopiedByLines() {
        QFETCH(qint64, inner);
        QFETCH(std::size_t, kernels);
        const ReferenceGraph graph = graphOf(input("x", {9000, inner}) + parameter("w", {5000, inner}) +
                                                 node("t", "permute.default", "%w, [1, 0]", {inner, 5000}) +
                                                 node("p", "mm.default", "%x, %t", {9000, 5000}) +
                                                 node("s", "exp.default", "%p", {9000, 5000}) +
                                                 node("y", "mul.Tensor", "%s, %s", {9000, 5000}),
                                             "y");
        const Program program = programOf(graph, {.hasSm90Matmuls = true});
        QCOMPARE(program.kernels.size(), kernels);
        QVERIFY(isSm90Matmul(program.kernels.back()));
        QCOMPARE(program.kernels.back().loops.back(), kernels > 1 ? std::int64_t(320) : std::int64_t(inner));
    }

    void ourBatchedMatmulHasAnEpilogue_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<bool>("isMnMajor"); // the second operand lies along its columns
        QTest::addColumn<bool>("isOurs");
        QTest::addColumn<bool>("isAcross");
        QTest::addColumn<int>("wide"); // adjacent results of a thread; 0: as wgmma leaves them
        QTest::newRow("scores") << 256 << 512 << false << true << false << 0;
        QTest::newRow("rows that begin within sectors") << 250 << 500 << false << true << false << 4;
        QTest::newRow("rows that begin anywhere") << 250 << 501 << false << true << false << 1;
        QTest::newRow("tiles that are mostly empty") << 140 << 512 << false << false << false << 0;
        QTest::newRow("experts") << 256 << 512 << true << true << true << 0;
        QTest::newRow("TMA needs rows of 16 bytes") << 256 << 510 << true << false << false << 0;
    }
    void ourBatchedMatmulHasAnEpilogue() {
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(bool, isMnMajor);
        QFETCH(bool, isOurs);
        QFETCH(bool, isAcross);
        QFETCH(int, wide);
        const Shape result = {64, rows, columns};
        const QByteArray second = isMnMajor
                                      ? input("w", {64, 96, columns})
                                      : input("u", {64, columns, 96}) +
                                            node("w", "permute.default", "%u, [0, 2, 1]", {64, 96, columns});
        const Program program = programOf(graphOf(input("x", {64, rows, 96}) + second +
                                                      node("p", "bmm.default", "%x, %w", result) +
                                                      node("y", "tanh.default", "%p", result),
                                                  "y"),
                                          {.hasSm90Matmuls = true});
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(std::any_of(program.kernels.begin(), program.kernels.end(), isSm90Matmul), isOurs);
        QCOMPARE(std::any_of(program.kernels.begin(), program.kernels.end(), isSm90BatchedMatmul), isAcross);
        if (!isOurs || isAcross)
            return;
        QCOMPARE(isVectorAligned(program.kernels[0]), wide == 0);
        QCOMPARE(epilogueWidth(program.kernels[0]), wide == 0 ? 4 : wide);
    }

    void halvesAreMultipliedAsTheyLie() {
        // No copy, whichever way the operands lie.
        const auto half = [](const QByteArray &text) {
            return QByteArray(text).replace("float32", "float16");
        };
        const Program program =
            programOf(graphOf(half(input("x", {512, 16384}) + parameter("w", {512, 1024}) +
                                   node("t", "permute.default", "%x, [1, 0]", {16384, 512}) +
                                   node("p", "mm.default", "%t, %w", {16384, 1024}) +
                                   node("y", "tanh.default", "%p", {16384, 1024})),
                              "y"),
                      {.hasSm90Matmuls = true});
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        QVERIFY(isSm90Matmul(program.kernels[0]));
        QVERIFY(isMnMajor(program.kernels[0], program.kernels[0].inputs[0], 0));
        QVERIFY(isMnMajor(program.kernels[0], program.kernels[0].inputs[1], 1));
    }

    void matricesWhoseRowsBeginAnywhereGetACopy() {
        const auto kernelsOf = [](int columns) {
            const Shape result = {columns, 1024};
            return programOf(graphOf(input("x", {1024, columns}) + parameter("w", {1024, 1024}) +
                                         node("t", "permute.default", "%x, [1, 0]", {columns, 1024}) +
                                         node("y", "mm.default", "%t, %w", result),
                                     "y"))
                .kernels.size();
        };
        QCOMPARE(kernelsOf(8192), 1U);
        QCOMPARE(kernelsOf(8193), 2U);
    }

    void operandsOfTwoMatmulsAreCopiedByLines() {
        // Where our kernel takes both, with what is computed from them, or before a reduction of that.
        const Shape result = {16000, 1100};
        const auto programWith = [&](const QByteArray &last) {
            return programOf(graphOf(input("x", result) + parameter("w", {1100, 1100}) +
                                         parameter("v", {1100, 1100}) +
                                         node("t", "permute.default", "%w, [1, 0]", {1100, 1100}) +
                                         node("u", "permute.default", "%v, [1, 0]", {1100, 1100}) +
                                         node("p", "mm.default", "%x, %t", result) +
                                         node("q", "mm.default", "%x, %u", result) +
                                         node("s", "sigmoid.default", "%p", result) +
                                         node("m", "mul.Tensor", "%s, %q", result) + QByteArray(last),
                                     "y"),
                             {.hasSm90Matmuls = true});
        };
        const Program program = programWith(node("y", "mul.Tensor", "%m, %x", result));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 4U);
        QVERIFY(isSm90Matmul(program.kernels[3]));
        QCOMPARE(program.kernels[3].loops, (Shape{16000, 1100, 1120}));
        QCOMPARE(program.kernels[3].inputs[0].address.steps, (std::vector<std::int64_t>{1120, 0, 1}));
        const Program summed = programWith(node("y", "sum.dim_IntList", "%m, [1]", {16000}));
        QCOMPARE(summed.kernels.size(), 5U);
        QVERIFY(isSm90Matmul(summed.kernels[3]));
    }

    void ourMatmulOfImagesHasAnEpilogue_data() {
        QTest::addColumn<int>("images");
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("pixels");
        QTest::addColumn<QByteArray>("second"); // of the last matmul, a second output
        QTest::addColumn<bool>("isOurs");
        const QByteArray whole = "%o";
        QTest::newRow("NCHW images") << 16 << 64 << 3136 << whole << true;
        QTest::newRow("few tiles") << 2 << 64 << 3136 << whole << false;
        QTest::newRow("few channels") << 16 << 24 << 3136 << whole << false;
        QTest::newRow("an image of no full vectors") << 16 << 64 << 3135 << whole << false;
        QTest::newRow("one for a channel of an image") << 16 << 64 << 3136 << QByteArray("%b") << true;
    }
    void ourMatmulOfImagesHasAnEpilogue() {
        QFETCH(int, images);
        QFETCH(int, channels);
        QFETCH(int, pixels);
        QFETCH(QByteArray, second);
        QFETCH(bool, isOurs);
        const Shape result = {images, channels, pixels};
        const Program program =
            programOf(graphOf(input("x", {images, 128, pixels}) + input("o", result) +
                                  input("b", {images, channels, 1}) + parameter("w", {channels, 128, 1}) +
                                  node("c", "convolution.default",
                                       "%x, %w, null, [1], [0], [1], false, [0], 1", result) +
                                  node("s", "sigmoid.default", "%c", result) +
                                  node("y", "mul.Tensor", "%s, " + second, result),
                              "y"),
                      {.hasSm90Matmuls = true});
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(std::any_of(program.kernels.begin(), program.kernels.end(), isSm90BatchedMatmul), isOurs);
        if (!isOurs)
            return;
        QCOMPARE(program.kernels.size(), 1U);
        QCOMPARE(batchedTileRows(program.kernels[0]), 64);
    }

    void ourConvolutionHasAnEpilogue_data() {
        QTest::addColumn<QByteArray>("after"); // of the convolution %c, as %y
        QTest::addColumn<int>("kernels");
        QTest::addColumn<bool>("isOurs");
        const Shape result = {16, 128, 56, 56};
        const Shape half = {16, 64, 56, 56};
        // The image and the filters come with channels last, the result is NCHW.
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
    void ourConvolutionHasAnEpilogue() {
        QFETCH(QByteArray, after);
        QFETCH(int, kernels);
        QFETCH(bool, isOurs);
        const Shape result = {16, 128, 56, 56};
        const ReferenceGraph graph =
            graphOf(input("x", {16, 96, 56, 56}) + input("o", result) + parameter("w", {128, 96, 3, 3}) +
                        node("c", "convolution.default",
                             "%x, %w, null, [1, 1], [2, 2], [2, 2], false, [0, 0], 1", result) +
                        after,
                    "y");
        const Program program = programOf(graph, {.isChannelsLast = true, .hasSm90Matmuls = true});
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(std::any_of(program.kernels.begin(), program.kernels.end(), isSm90Convolution), isOurs);
        if (kernels > 0)
            QCOMPARE(program.kernels.size(), std::size_t(kernels));
        // In an NCHW program it is made channels last for the sake of this kernel.
        const Program byRows = programOf(graph, {.hasSm90Matmuls = true});
        QCOMPARE(std::any_of(byRows.kernels.begin(), byRows.kernels.end(), isSm90Convolution), isOurs);
        const Program last = programOf(graph, {.isChannelsLast = true});
        QVERIFY(std::none_of(last.kernels.begin(), last.kernels.end(), isSm90Convolution));
        const Program usual = programOf(graph);
        std::vector<Knobs> knobSets = plainKnobs(usual);
        const auto isProposed = [&] {
            const std::vector<PlaybookMove> moves =
                programMovesFrom(graph, usual, knobSets, {.memoryBytesASecond = 4e12});
            return std::any_of(moves.begin(), moves.end(), [](const PlaybookMove &move) {
                return move.move == QLatin1String("own-products");
            });
        };
        QVERIFY(!isProposed());
        for (Knobs &knobs : knobSets)
            knobs.usesTf32 = true;
        QCOMPARE(isProposed(), isOurs);
    }

    void tilesOfConvolutionsFillTheDevice_data() {
        QTest::addColumn<Shape>("sizes"); // images, filters, height, width
        QTest::addColumn<int>("groupsDown");
        QTest::addColumn<int>("positions");
        // As tuned on an H100.
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
        QFETCH(int, positions);
        const Program program = programOf(
            graphOf(input("x", {sizes[0], 64, sizes[2], sizes[3]}) + parameter("w", {sizes[1], 64, 3, 3}) +
                        node("c", "convolution.default",
                             "%x, %w, null, [1, 1], [1, 1], [1, 1], false, [0, 0], 1", sizes) +
                        node("y", "relu.default", "%c", sizes),
                    "y"),
            {.isChannelsLast = true, .hasSm90Matmuls = true});
        QCOMPARE(program.unsupported, QString());
        const auto found = std::find_if(program.kernels.begin(), program.kernels.end(), isSm90Convolution);
        QVERIFY(found != program.kernels.end());
        QCOMPARE(convolutionTile(*found), (ConvolutionTile{groupsDown, positions}));
    }

    void filtersComeInTheOrderOfTheirPixels() {
        // Read with channels last every fourth of them would be another channel's.
        const Program program = programOf(
            graphOf(input("x", {2, 16, 32, 32}) + parameter("w", {64, 16, 3, 3}) +
                        node("c", "convolution.default",
                             "%x, %w, null, [1, 1], [1, 1], [1, 1], false, [0, 0], 1", {2, 64, 32, 32}) +
                        node("v", "view.default", "%c, [2, 16, 2, 2, 32, 32]", {2, 16, 2, 2, 32, 32}) +
                        node("p", "permute.default", "%v, [0, 1, 4, 2, 5, 3]", {2, 16, 32, 2, 32, 2}) +
                        node("y", "exp.default", "%p", {2, 16, 32, 2, 32, 2}),
                    "y"),
            {.isChannelsLast = true});
        QCOMPARE(program.unsupported, QString());
        const Kernel &last = program.kernels.back();
        QVERIFY(std::any_of(last.inputs.begin(), last.inputs.end(), [&](const KernelInput &input) {
            return std::count(input.address.steps.begin(), input.address.steps.end(), 1) == 1 &&
                   std::count(input.address.steps.begin(), input.address.steps.end(), 4) == 0;
        }));
    }
};

QObject *makeTestFusedEpilogues() {
    return new TestFusedEpilogues;
}

#include "tst_fused_epilogues.moc"
