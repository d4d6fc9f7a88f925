// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/graph_passes/convolution_to_matmul.h"
#include "agent/playbook/lowering/program_builder.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

using namespace warpwright;

/// Convolutions that become matmuls, and those that are better left as they are.
class TestConvolutionToMatmul : public QObject {
    Q_OBJECT

    struct Sizes {
        Shape image;
        Shape weight;
        Shape result;
        Shape stride = {1, 1};
        std::int64_t padding = 0, groups = 1;
        bool hasBias = false, isTransposed = false;
    };
    /// x, w and b as inputs, and the convolution as c.
    static QByteArray convolution(const Sizes &sizes) {
        const std::int64_t channels = sizes.result[1];
        const QByteArray padding = listOf(Shape(sizes.stride.size(), sizes.padding));
        const Shape zeros(sizes.stride.size(), 0);
        const Shape ones(sizes.stride.size(), 1);
        return input("x", sizes.image) + input("w", sizes.weight) + input("b", {channels}) +
               node("c", "convolution.default",
                    "%x, %w, " + (sizes.hasBias ? "%b" : QByteArray("null")) + ", " + listOf(sizes.stride) +
                        ", " + padding + ", " + listOf(ones) + ", " +
                        (sizes.isTransposed ? "true" : "false") + ", " + listOf(zeros) + ", " +
                        QByteArray::number(sizes.groups),
                    sizes.result);
    }
    static Sizes oneTap(bool hasBias = false) {
        return {{6, 16, 8, 10}, {20, 16, 1, 1}, {6, 20, 8, 10}, {1, 1}, 0, 1, hasBias, false};
    }
    static QByteArray exp(const QByteArray &of, const Shape &shape) {
        return node("y", "exp.default", "%" + of, shape);
    }
    /// "P": a matmul, "C": a convolution, ".": a kernel of ours.
    static QByteArray kindsOf(const Program &program) {
        QByteArray kinds = program.unsupported.toLatin1();
        for (const Kernel &kernel : program.kernels)
            kinds += kernel.isMatmul() ? 'P' : kernel.isConvolution() ? 'C' : '.';
        return kinds;
    }

private slots:
    void oneTapIsABatchedMatmulWithTheSameWeights() {
        const Program program = programOf(graphOf(convolution(oneTap()), "c"));
        QCOMPARE(kindsOf(program), "P");
        const Kernel &kernel = program.kernels[0];
        QCOMPARE(kernel.loops, (Shape{6, 20, 80, 16}));
        QCOMPARE(kernel.inputs[0].address.steps, (Shape{0, 16, 0, 1}));
        QCOMPARE(kernel.inputs[1].address.steps, (Shape{16 * 80, 0, 1, 80}));
        // In torch's order, since it is returned.
        QCOMPARE(kernel.stores[0].address.steps, (Shape{20 * 80, 80, 1, 0}));
        const CandidateTexts files =
            candidateFiles(program, std::vector<Knobs>(program.kernels.size(), Knobs()));
        QVERIFY(files.at("kernels/matrix_product.cu")
                    .contains("makeLayout(&plan.layoutA, kInner, kRows, 16, 0)"));
        QVERIFY(files.at("model_new.py").contains("return result1"));
    }

    void aConvolutionThatIsNoBetterAsAMatmulStays_data() {
        QTest::addColumn<QByteArray>("nodes");
        QTest::addColumn<QByteArray>("kinds");
        const auto after = [](const Sizes &sizes) {
            return convolution(sizes) + exp("c", sizes.result);
        };
        const auto alone = [](const Sizes &sizes) {
            return convolution(sizes) + node("y", "relu.default", "%c", sizes.result);
        };
        QTest::newRow("a bias for whoever reads it") << after(oneTap(true)) << QByteArray("P.");
        // cuDNN has both in one kernel; a matmul's epilogue has no bias along the channels here.
        QTest::newRow("a bias for nobody") << alone(oneTap(true)) << QByteArray("C");
        QTest::newRow("padded") << after({{6, 16, 8, 10}, {20, 16, 1, 1}, {6, 20, 10, 12}, {1, 1}, 1})
                                << QByteArray("C.");
        QTest::newRow("of every other position")
            << after({{6, 16, 8, 10}, {20, 16, 1, 1}, {6, 20, 4, 5}, {2, 2}}) << QByteArray("C.");
        QTest::newRow("in groups") << after({{6, 16, 8, 10}, {20, 8, 1, 1}, {6, 20, 8, 10}, {1, 1}, 0, 2})
                                   << QByteArray("C.");
        QTest::newRow("depthwise") << after({{6, 16, 8, 10}, {16, 1, 1, 1}, {6, 16, 8, 10}, {1, 1}, 0, 16})
                                   << QByteArray("C");
        QTest::newRow("taps that overlap")
            << after({{6, 16, 8, 10}, {20, 16, 3, 3}, {6, 20, 6, 8}, {1, 1}}) << QByteArray("C.");
        QTest::newRow("rows of odd length")
            << after({{6, 16, 7, 7}, {20, 16, 1, 1}, {6, 20, 7, 7}, {1, 1}}) << QByteArray("C.");
        QTest::newRow("few positions")
            << after({{6, 16, 4, 4}, {20, 16, 1, 1}, {6, 20, 4, 4}, {1, 1}}) << QByteArray("C.");
        QTest::newRow("to one channel")
            << after({{6, 16, 7, 7}, {1, 16, 1, 1}, {6, 1, 7, 7}, {1, 1}}) << QByteArray(".");
        QTest::newRow("a line") << after({{6, 16, 80}, {20, 16, 1}, {6, 20, 80}, {1}}) << QByteArray("P.");
        QTest::newRow("a volume") << after({{6, 16, 4, 4, 5}, {20, 16, 1, 1, 1}, {6, 20, 4, 4, 5}, {1, 1, 1}})
                                  << QByteArray("P.");
        QTest::newRow("patches in torch's order")
            << after({{6, 3, 16, 24}, {64, 3, 4, 4}, {6, 64, 4, 6}, {4, 4}}) << QByteArray("C.");
        QTest::newRow("patches that lie so")
            << after({{6, 1, 256}, {64, 1, 16}, {6, 64, 16}, {16}}) << QByteArray("P.");
        QTest::newRow("patches put side by side")
            << after({{6, 16, 8, 10}, {16, 4, 2, 2}, {6, 4, 16, 20}, {2, 2}, 0, 1, true, true})
            << QByteArray("P.");
        QTest::newRow("patches put side by side for nobody")
            << alone({{6, 16, 8, 10}, {16, 4, 2, 2}, {6, 4, 16, 20}, {2, 2}, 0, 1, false, true})
            << QByteArray("C.");
    }
    void aConvolutionThatIsNoBetterAsAMatmulStays() {
        QFETCH(QByteArray, nodes);
        QTEST(kindsOf(programOf(graphOf(nodes, "y"))), "kinds");
    }

    void imagesOfOnePixelAreRows() {
        const Program program = programOf(
            graphOf(convolution({{6, 16, 1, 1}, {20, 16, 1, 1}, {6, 20, 1, 1}, {1, 1}, 0, 1, true}) +
                        node("y", "relu.default", "%c", {6, 20, 1, 1}),
                    "y"));
        QCOMPARE(kindsOf(program), "P");
        QCOMPARE(program.kernels[0].loops, (Shape{6, 20, 16}));
        QCOMPARE(program.kernels[0].epilogue()->activation, EpilogueActivation::Relu);
        QVERIFY(program.kernels[0].epilogue()->bias >= 0);
    }

    void patchesThatAreReadAsTokensAreMadeSo() {
        const QByteArray patches =
            convolution({{6, 3, 16, 24}, {64, 3, 4, 4}, {6, 64, 4, 6}, {4, 4}, 0, 1, true}) +
            node("v", "view.default", "%c, [6, 64, 24]", {6, 64, 24}) +
            node("t", "permute.default", "%v, [0, 2, 1]", {6, 24, 64});
        const Program program = programOf(graphOf(patches, "t"));
        QCOMPARE(kindsOf(program), ".P");
        const Kernel &matmul = program.kernels[1];
        QCOMPARE(matmul.loops, (Shape{6 * 24, 64, 48}));
        QCOMPARE(matmul.inputs[0].address.steps, (Shape{48, 0, 1}));
        QCOMPARE(matmul.inputs[1].address.steps, (Shape{0, 48, 1}));
        QVERIFY(matmul.epilogue()->bias >= 0);
        // Behind a first token no index begins at zero: it needs no division all the same.
        const Program joined = programOf(graphOf(patches + input("first", {6, 1, 64}) +
                                                     node("y", "cat.default", "[%first, %t], 1", {6, 25, 64}),
                                                 "y"));
        QCOMPARE(kindsOf(joined), ".P.");
        for (const KernelStep &step : joined.kernels[2].steps)
            QVERIFY(step.op != Opcode::Remainder);
        // With more input channels than output channels the copies would be larger than the result.
        const QByteArray many = convolution({{6, 32, 16, 24}, {64, 32, 4, 4}, {6, 64, 4, 6}, {4, 4}}) +
                                node("v", "view.default", "%c, [6, 64, 24]", {6, 64, 24}) +
                                node("t", "permute.default", "%v, [0, 2, 1]", {6, 24, 64});
        QCOMPARE(kindsOf(programOf(graphOf(many, "t"))), "C.");
    }

    void tokensInAndOutAreOneMatrix() {
        const QByteArray nodes =
            input("x0", {6, 80, 16}) + input("w", {20, 16, 1}) +
            node("x", "permute.default", "%x0, [0, 2, 1]", {6, 16, 80}) +
            node("c", "convolution.default", "%x, %w, null, [1], [0], [1], false, [0], 1", {6, 20, 80}) +
            node("y", "permute.default", "%c, [0, 2, 1]", {6, 80, 20});
        const Program program = programOf(graphOf(nodes, "y"));
        QCOMPARE(kindsOf(program), "P");
        QCOMPARE(program.kernels[0].loops, (Shape{6 * 80, 20, 16}));
    }

    void whatIsReturnedAndReadIsNotCopied() {
        const Program program = programOf(graphOf(convolution(oneTap()) + exp("c", {6, 20, 8, 10}), "c, y"));
        QCOMPARE(kindsOf(program), "P.");
        QCOMPARE(program.kernels[0].stores[0].buffer, program.outputs[0]);
        QCOMPARE(program.kernels[1].inputs[0].buffer, program.outputs[0]);
    }

    void withChannelsLastAConvolutionStays() {
        const ReferenceGraph graph = graphOf(convolution(oneTap()) + exp("c", {6, 20, 8, 10}), "y");
        QVERIFY(withConvolutionsAsMatmuls(graph) != graph);
        QCOMPARE(withConvolutionsAsMatmuls(graph, true), graph);
        const Program program = programOf(graph, {true});
        QCOMPARE(kindsOf(program).count('C'), 1);
        QCOMPARE(program.graph, graph);
    }
};

QObject *makeTestConvolutionToMatmul() {
    return new TestConvolutionToMatmul;
}
#include "tst_convolution_to_matmul.moc"
