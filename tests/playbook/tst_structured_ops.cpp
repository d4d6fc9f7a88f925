// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/codegen/cuda/kernel_templates.h"
#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "tests/playbook/recorded_graph.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

using namespace warpwright;

/// Matmuls and convolutions: what is left to a library, and what is fused with it.
class TestStructuredOps : public QObject {
    Q_OBJECT

    static Program planned(const QByteArray &nodes, const QByteArray &output) {
        return programOf(graphOf(nodes, output));
    }
    static QByteArray matrices() { return input("a", {40, 60}) + input("b", {60, 50}); }
    static CandidateTexts files(const ReferenceGraph &graph, const Knobs &knobs = {}) {
        const Program program = programOf(graph);
        return candidateFiles(program, std::vector<Knobs>(program.kernels.size(), knobs));
    }

private slots:
    void aLinearLayerWithGeluIsOneCall() {
        const ReferenceGraph graph = recordedGraph("gemm-bias-gelu");
        const Program program = programOf(graph);
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        const Kernel &kernel = program.kernels[0];
        QVERIFY(kernel.isMatmul());
        QCOMPARE(kernel.loops, (Shape{2048, 2048, 1024}));
        QCOMPARE(kernel.epilogue()->activation, EpilogueActivation::GeluTanh);
        QVERIFY(kernel.epilogue()->bias >= 0);
        QVERIFY(kernel.operations() >= 2.0 * 2048 * 2048 * 1024);
        // Two matrices and a bias are read, one matrix is written.
        QCOMPARE(kernel.bytes(), 4.0 * (2048 * 1024 + 2048 * 1024 + 2048 + 2048 * 2048));
        const CandidateTexts texts = files(graph);
        QVERIFY(texts.at("kernels/matrix_product.cu").contains("CUBLASLT_EPILOGUE_GELU_BIAS"));
        QVERIFY(texts.at("kernels/matrix_product.cpp").contains("cblas_sgemm"));
    }

    void tf32IsAMoveWithAName() {
        const ReferenceGraph graph = recordedGraph("gemm-bias-gelu");
        QVERIFY(!files(graph).at("kernels/matrix_product.cu").contains("FAST_TF32"));
        Knobs knobs;
        knobs.usesTf32 = true;
        QVERIFY(files(graph, knobs).at("kernels/matrix_product.cu").contains("COMPUTE_32F_FAST_TF32"));
        const Program program = programOf(graph);
        const auto moves = movesFrom(program, plainKnobs(program), {.memoryBytesASecond = 4e12});
        QCOMPARE(moves.size(), 1U);
        QCOMPARE(moves[0].move, QString("tf32"));
        QVERIFY(*moves[0].prediction.timeRatio < 0.5);
        // After it the variants of an algorithm.
        QVERIFY(movesFrom(program, moves[0].knobSets, {.memoryBytesASecond = 4e12}).empty());
        QCOMPARE(variantsFrom(program, moves[0].knobSets, {.memoryBytesASecond = 4e12}).size(), 3U);
    }

    void anAddedTensorIsTheLibrarysEpilogue_data() {
        QTest::addColumn<QByteArray>("nodes");
        QTest::addColumn<int>("kernels");
        QTest::addColumn<bool>("isAdded");
        const QByteArray matmul =
            matrices() + input("x", {40, 50}) + input("v", {50}) + node("m", "mm", "%a, %b", {40, 50});
        const auto sum = [](const char *name, const char *one, const char *other) {
            return node(name, "add.Tensor", QByteArray("%") + one + ", %" + other, {40, 50});
        };
        QTest::newRow("a residual") << matmul + sum("y", "x", "m") << 1 << true;
        QTest::newRow("after a bias") << matmul + sum("h", "m", "v") + sum("y", "x", "h") << 1 << true;
        QTest::newRow("the other way round") << matmul + sum("h", "v", "m") + sum("y", "h", "x") << 1 << true;
        QTest::newRow("a bias only") << matmul + sum("y", "m", "v") << 1 << false;
        // An activation would come after both, and cuBLASLt adds it before.
        QTest::newRow("with ReLU") << matmul + sum("h", "x", "m") + node("y", "relu", "%h", {40, 50}) << 2
                                   << false;
    }
    void anAddedTensorIsTheLibrarysEpilogue() {
        QFETCH(QByteArray, nodes);
        QFETCH(int, kernels);
        QFETCH(bool, isAdded);
        const ReferenceGraph graph = graphOf(nodes, "y");
        const Program program = programOf(graph);
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(static_cast<int>(program.kernels.size()), kernels);
        QCOMPARE(program.kernels[0].epilogue()->added >= 0, isAdded);
        const QByteArray text = files(graph).at("kernels/matrix_product.cu");
        QVERIFY2(text.contains("beta = 1;") == isAdded, text.constData());
        QVERIFY(!text.contains('@'));
        QCOMPARE(text.contains("beta = 0"), !isAdded);
        // Which of the two has one value a column is not decided by a name.
        const Kernel &made = program.kernels[0];
        if (made.epilogue()->bias >= 0)
            QCOMPARE(made.inputs[static_cast<std::size_t>(made.epilogue()->bias)].address.steps,
                     (Shape{0, 1, 0}));
        if (made.epilogue()->added >= 0)
            QCOMPARE(made.inputs[static_cast<std::size_t>(made.epilogue()->added)].address.steps,
                     (Shape{50, 1, 0}));
    }

    void whatIsBeforeAndAfterGoesIntoKernelsOfOurs() {
        const Program program =
            planned(matrices() + node("r", "relu", "%a", {40, 60}) + node("m", "mm", "%r, %b", {40, 50}) +
                        node("t", "tanh", "%m", {40, 50}) + node("s", "sum.dim_IntList", "%t, [1]", {40}),
                    "s");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 3U);
        QVERIFY(program.kernels[0].isLoops());
        QVERIFY(program.kernels[1].isMatmul());
        QVERIFY(program.kernels[2].hasReductions());
    }

    void viewsAreWalkedWhereTheyLie() {
        // Heads of a projection: [2, 30, 4 heads, 8] as batches of [30, 8].
        const QByteArray heads = input("a", {2, 30, 32});
        const Program program = planned(heads + node("v", "view", "%a, [2, 30, 4, 8]", {2, 30, 4, 8}) +
                                            node("p", "permute", "%v, [0, 2, 1, 3]", {2, 4, 30, 8}) +
                                            node("q", "view", "%p, [8, 30, 8]", {8, 30, 8}) +
                                            node("k", "permute", "%q, [0, 2, 1]", {8, 8, 30}) +
                                            node("m", "bmm", "%q, %k", {8, 30, 30}),
                                        "m");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        QCOMPARE(program.kernels[0].loops, (Shape{2, 4, 30, 30, 8}));
        QCOMPARE(program.kernels[0].inputs[0].address.steps, (Shape{960, 8, 32, 0, 1}));
        QCOMPARE(program.kernels[0].inputs[1].address.steps, (Shape{960, 8, 0, 32, 1}));
    }

    void whatBlasCannotWalkIsCopiedBefore() {
        const Program program =
            planned(input("a", {40, 60, 2}) + input("b", {60, 50}) +
                        node("o", "select.int", "%a, 2, 1", {40, 60}) + node("m", "mm", "%o, %b", {40, 50}),
                    "m");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 2U);
        QCOMPARE(program.kernels[1].inputs[0].address.steps, (Shape{60, 0, 1}));
    }

    void aMatrixTimesAVectorIsRowsOfSums() {
        const Program program =
            planned(input("a", {40, 60}) + input("b", {60, 1}) + node("m", "mm", "%a, %b", {40, 1}) +
                        node("e", "exp", "%m", {40, 1}),
                    "e");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        QCOMPARE(familyOf(program.kernels[0]), KernelFamily::Rows);
        QCOMPARE(program.kernels[0].rows(), std::int64_t(40));
    }

    void aSkinnyMatmulIsAKernelOfOursOnAGpu_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::addColumn<bool>("isOurs");
        QTest::newRow("small") << 5000 << 12 << true;
        QTest::newRow("few rows") << 500 << 12 << false;
        QTest::newRow("many columns") << 5000 << 120 << false;
    }
    void aSkinnyMatmulIsAKernelOfOursOnAGpu() {
        QFETCH(int, rows);
        QFETCH(int, columns);
        QFETCH(bool, isOurs);
        const ReferenceGraph graph = graphOf(input("a", {rows, 12}) + input("b", {12, columns}) +
                                                 node("y", "mm", "%a, %b", {rows, columns}),
                                             "y");
        const Program program = programOf(graph);
        QCOMPARE(program.kernels.size(), 1U);
        const CandidateTexts texts = files(graph);
        const QByteArray text = texts.at("kernels/matrix_product.cu");
        QCOMPARE(text.contains("cublas"), !isOurs);
        QCOMPARE(text.contains("float tallRows[ROWS][kInner];"), isOurs);
        QVERIFY(!text.contains('@'));
        QVERIFY(texts.at("kernels/matrix_product.cpp").contains("cblas"));
        // No change of precision is left to choose, but how many rows a thread computes is.
        const Target gpu;
        const std::vector<PlaybookMove> moves = movesFrom(program, plainKnobs(program), gpu);
        QCOMPARE(moves.empty(), isOurs);
        QVERIFY(isOurs || moves.front().move == QLatin1String("tf32"));
        QVERIFY(!variantsFrom(program, plainKnobs(program), gpu).empty());
    }

    void aDepthwiseConvolutionIsAKernelOfOurs() {
        const ReferenceGraph graph = recordedGraph("depthwise-conv");
        const Program program = programOf(graph);
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        QCOMPARE(familyOf(program.kernels[0]), KernelFamily::Convolution);
        QVERIFY(program.kernels[0].epilogue()->bias >= 0);
        const CandidateTexts texts = files(graph);
        QVERIFY(texts.at("kernels/convolution.cu").contains("__global__"));
        QVERIFY(!texts.at("kernels/convolution.cu").contains("cudnn"));
        QVERIFY(!texts.at("kernels/convolution.cpp").contains("cblas"));
    }

    void aDepthwiseConvolutionIsCutForTheOrderOfItsMemory_data() {
        QTest::addColumn<Shape>("strides");
        QTest::addColumn<int>("dilation");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("rows") << Shape{5184, 1296, 36, 1} << 1 << QByteArray("__shared__ Vec<float> tile");
        QTest::newRow("channels last")
            << Shape{5184, 1, 144, 4} << 1 << QByteArray("constexpr int kChannelsPerBlock = 4;");
        QTest::newRow("wider than shared memory")
            << Shape{5184, 1296, 36, 1} << 40 << QByteArray("constexpr int kChannelsPerBlock = 1;");
    }
    void aDepthwiseConvolutionIsCutForTheOrderOfItsMemory() {
        QFETCH(Shape, strides);
        QFETCH(int, dilation);
        QFETCH(QByteArray, words);
        const ReferenceGraph graph =
            graphOf(input("x", {2, 4, 36, 36}, strides) + input("w", {4, 1, 7, 7}) +
                        node("y", "convolution",
                             "%x, %w, null, [1, 1], " + listOf({3 * dilation, 3 * dilation}) + ", " +
                                 listOf({dilation, dilation}) + ", false, [0, 0], 4",
                             {2, 4, 36, 36}),
                    "y");
        const Program program = programOf(graph);
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        const QByteArray text = files(graph).at("kernels/convolution.cu");
        QVERIFY2(text.contains(words), text.constData());
        QVERIFY(!text.contains('@'));
        const std::vector<int> choices = configSpace(program.kernels[0], {});
        QCOMPARE(text.count("        return launch<"), static_cast<int>(choices.size()));
    }

    void whatIsDoneToADepthwiseResultIsDoneBeforeItIsWritten_data() {
        QTest::addColumn<QByteArray>("slice"); // its arguments; empty: all elements are read
        QTest::addColumn<int>("kernels");
        QTest::newRow("each element") << QByteArray() << 1;
        QTest::newRow("the first columns") << QByteArray("2, 0, 9") << 1;
        QTest::newRow("the last columns") << QByteArray("2, 3, 12") << 2;
    }
    void whatIsDoneToADepthwiseResultIsDoneBeforeItIsWritten() {
        QFETCH(QByteArray, slice);
        QFETCH(int, kernels);
        QByteArray nodes = input("x", {2, 6, 12}, {72, 1, 6}) + input("w", {6, 1, 3}) +
                           node("c", "convolution", "%x, %w, null, [1], [1], [1], false, [0], 6", {2, 6, 12});
        const bool isSlice = !slice.isEmpty();
        const Shape shape = {2, 6, isSlice ? 9 : 12};
        if (isSlice)
            nodes += node("s", "slice.Tensor", "%c, " + slice, shape);
        nodes += node("t", "tanh", isSlice ? "%s" : "%c", shape) + node("y", "mul.Tensor", "%t, %t", shape);
        const ReferenceGraph graph = graphOf(nodes, "y");
        const Program program = programOf(graph);
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(static_cast<int>(program.kernels.size()), kernels);
        const QByteArray text = files(graph).at("kernels/convolution.cu");
        QCOMPARE(text.contains("const float h1 = fastTanh(sum[j][i"), kernels == 1);
        QCOMPARE(program.kernels[0].convolution()->sizes.output.back(),
                 std::int64_t(kernels == 1 && isSlice ? 9 : 12));
    }

    // A filter for each sample: the samples become groups of one image.
    void aReshapedImageIsReadWhereItLies() {
        const Program program = programOf(
            graphOf(input("x", {4, 8, 6, 6}) + input("w", {32, 8, 3, 3}) +
                        node("v", "view", "%x, [1, 32, 6, 6]", {1, 32, 6, 6}) +
                        node("c", "convolution", "%v, %w, null, [1, 1], [1, 1], [1, 1], false, [0, 0], 4",
                             {1, 32, 6, 6}) +
                        node("y", "exp", "%c", {1, 32, 6, 6}),
                    "y"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), std::size_t(2));
        QCOMPARE(program.kernels[0].convolution()->sizes.inputStrides, (Shape{1152, 36, 6, 1}));
    }

    // As a network that runs with torch.channels_last leaves images.
    void whatLiesInAnotherOrderIsCopied() {
        const ReferenceGraph graph =
            graphOf(input("x", {2, 6, 8, 8}, {384, 1, 48, 6}) + input("w", {5, 6, 3, 3}, {54, 1, 18, 6}) +
                        node("y", "convolution", "%x, %w, null, [1, 1], [1, 1], [1, 1], false, [0, 0], 1",
                             {2, 5, 8, 8}),
                    "y");
        const Program program = programOf(graph);
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), std::size_t(3));
        QCOMPARE(program.kernels[2].convolution()->sizes.inputStrides, (Shape{384, 64, 8, 1}));
    }

    void biasAndReluAreTheLibrarysWhereItHasThem_data() {
        QTest::addColumn<bool>("isTransposed");
        QTest::addColumn<QByteArray>("after");
        QTest::addColumn<int>("kernels");
        QTest::addColumn<QByteArray>("call");
        QTest::newRow("bias") << false << QByteArray() << 1
                              << QByteArray("CUDNN_POINTWISE_ADD, sums, bias, result");
        QTest::newRow("bias and ReLU")
            << false << QByteArray("relu") << 1 << QByteArray("CUDNN_POINTWISE_RELU_FWD");
        QTest::newRow("tanh is ours")
            << false << QByteArray("tanh") << 2 << QByteArray("OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR");
        QTest::newRow("transposed") << true << QByteArray("relu") << 2
                                    << QByteArray("OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR");
    }
    void biasAndReluAreTheLibrarysWhereItHasThem() {
        QFETCH(bool, isTransposed);
        QFETCH(QByteArray, after);
        QFETCH(int, kernels);
        QFETCH(QByteArray, call);
        QByteArray nodes =
            input("x", {2, 8, 9}) + input("w", {8, 8, 3}) + input("b", {8}) +
            node("c", "convolution",
                 "%x, %w, %b, [1], [1], [1], " + QByteArray(isTransposed ? "true" : "false") + ", [0], 1",
                 {2, 8, 9});
        if (!after.isEmpty())
            nodes += node("y", after, "%c", {2, 8, 9});
        const ReferenceGraph graph = graphOf(nodes, after.isEmpty() ? "c" : "y");
        const Program program = programOf(graph);
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(static_cast<int>(program.kernels.size()), kernels);
        QVERIFY2(files(graph).at("kernels/convolution.cu").contains(call),
                 files(graph).at("kernels/convolution.cu").constData());
    }
};

QObject *makeTestStructuredOps() {
    return new TestStructuredOps;
}
#include "tst_structured_ops.moc"
