// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/graph_passes/fold_batch_norm.h"
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/schedule/index_sharing.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

#include <algorithm>

using namespace warpwright;

/// What a library's convolution takes into its epilogue, and kernels whose threads share an index that is the
/// same for many results.
class TestConvolutionEpilogues : public QObject {
    Q_OBJECT

    static constexpr std::int64_t channels = 32;

    static QByteArray convolution(const QByteArray &name, const QByteArray &operands,
                                  std::int64_t out = channels) {
        return node(name, "convolution.default", operands + ", [1, 1], [1, 1], [1, 1], false, [0, 0], 1",
                    {8, out, 28, 28});
    }
    static QByteArray each(const QByteArray &name, const QByteArray &op, const QByteArray &arguments) {
        return node(name, op, arguments, {8, channels, 28, 28});
    }
    static QByteArray inputs() {
        return input("x", {8, channels, 28, 28}) + input("w", {channels, channels, 3, 3}) +
               input("v", {channels, channels, 3, 3}) + input("b", {channels}) + input("c", {channels}) +
               input("s", {channels, 1, 1}) + input("t", {1, channels, 1, 1});
    }
    static std::vector<Kernel> convolutionsOf(const Program &program) {
        std::vector<Kernel> found;
        std::copy_if(program.kernels.begin(), program.kernels.end(), std::back_inserter(found),
                     [](const Kernel &kernel) { return kernel.isConvolution(); });
        return found;
    }

private slots:
    void factorsAndOffsetsOfChannelsAreFolded() {
        const ReferenceGraph graph =
            graphOf(inputs() + convolution("y", "%x, %w, null") + each("m", "sub.Tensor", "%y, %s") +
                        each("n", "mul.Tensor", "%m, %t") + each("o", "add.Tensor", "%n, %s") +
                        each("r", "relu.default", "%o") + convolution("z", "%r, %v, %b"),
                    "z");
        const Program program = programOf(graph, {true});
        QCOMPARE(program.unsupported, QString());
        const auto found = convolutionsOf(program);
        QCOMPARE(found.size(), 2U);
        QVERIFY(found[0].epilogue()->bias >= 0);
        QCOMPARE(found[0].epilogue()->activation, EpilogueActivation::Relu);
        // Copies of the image, of both filters and of the first's offset, two calls, and back.
        QCOMPARE(program.kernels.size(), 6U);
        const QByteArray text = candidateFiles(program, plainKnobs(program)).at("kernels/convolution_1.cu");
        QVERIFY(text.contains("CUDNN_POINTWISE_ADD, sums, bias, withBias"));
        QVERIFY(text.contains("CUDNN_POINTWISE_RELU_FWD, withBias, nullptr, result"));
        // With NCHW nothing is folded.
        QCOMPARE(convolutionsOf(programOf(graph))[0].epilogue()->bias, -1);
    }

    void whatIsNoFactorOfChannelsStays_data() {
        QTest::addColumn<QByteArray>("after");
        QTest::newRow("an offset alone") << each("z", "add.Tensor", "%y, %s");
        QTest::newRow("a factor for each image")
            << input("f", {8, channels, 1, 1}) + each("z", "mul.Tensor", "%y, %f");
        QTest::newRow("a factor for each column") << input("f", {28}) + each("z", "mul.Tensor", "%y, %f");
        QTest::newRow("a divisor") << each("z", "div.Tensor", "%s, %y");
        QTest::newRow("one that others read")
            << each("m", "mul.Tensor", "%y, %s") + each("z", "add.Tensor", "%m, %y");
        QTest::newRow("a function") << each("m", "tanh.default", "%y") + each("z", "mul.Tensor", "%m, %s");
    }
    void whatIsNoFactorOfChannelsStays() {
        QFETCH(QByteArray, after);
        const ReferenceGraph graph = graphOf(inputs() + convolution("y", "%x, %w, %b") + after, "z");
        QCOMPARE(withFoldedBatchNorms(graph), graph);
    }

    void filtersOfHalvesAreNotScaled() {
        // 0.1 times 1e-5 is no normal half.
        const auto graph = [](ElementType type) {
            const Shape shape = {8, channels, 28, 28};
            return graphOf(input("x", shape, {}, type) + input("w", {channels, channels, 3, 3}, {}, type) +
                               node("y", "convolution.default",
                                    "%x, %w, null, [1, 1], [1, 1], [1, 1], false, [0, 0], 1", shape, type) +
                               node("z", "mul.Tensor", "%y, 1e-5", shape, type),
                           "z");
        };
        QCOMPARE(withFoldedBatchNorms(graph(ElementType::Float16)), graph(ElementType::Float16));
        QVERIFY(withFoldedBatchNorms(graph(ElementType::BFloat16)) != graph(ElementType::BFloat16));
    }

    void twoThatAreAddedShareABias() {
        const ReferenceGraph graph =
            graphOf(inputs() + convolution("y", "%x, %w, %b") + convolution("u", "%x, %v, %c") +
                        each("a", "add.Tensor", "%y, %u") + each("r", "relu.default", "%a") +
                        convolution("z", "%r, %v, null"),
                    "z");
        const auto found = convolutionsOf(programOf(graph, {true}));
        QCOMPARE(found.size(), 3U);
        QVERIFY(!found[0].hasEpilogue());
        QVERIFY(found[1].epilogue()->bias >= 0);
        QVERIFY(found[1].epilogue()->added >= 0);
        QCOMPARE(found[1].epilogue()->activation, EpilogueActivation::Relu);
    }

    void activationsAreTheLibrarys_data() {
        using Kind = EpilogueActivation;
        QTest::addColumn<QByteArray>("after");
        QTest::addColumn<Kind>("activation");
        QTest::addColumn<double>("number");
        const QByteArray isPositive =
            node("p", "gt.Scalar", "%y, 0", {8, channels, 28, 28}, ElementType::Bool);
        QTest::newRow("ReLU") << each("r", "relu.default", "%y") << Kind::Relu << 0.0;
        QTest::newRow("leaky ReLU") << isPositive + each("m", "mul.Tensor", "%y, 0.25") +
                                           each("r", "where.self", "%p, %y, %m")
                                    << Kind::LeakyRelu << 0.25;
        QTest::newRow("ELU") << isPositive + each("m", "expm1.default", "%y") +
                                    each("r", "where.self", "%p, %y, %m")
                             << Kind::Elu << 0.0;
        QTest::newRow("clipped ReLU") << each("r", "clamp.default", "%y, 0, 4") << Kind::ClippedRelu << 4.0;
        QTest::newRow("hard swish") << each("m", "add.Tensor", "%y, 3") +
                                           each("n", "clamp.default", "%m, 0, 6") +
                                           each("o", "mul.Tensor", "%y, %n") +
                                           each("r", "div.Tensor", "%o, 6")
                                    << Kind::HardSwish << 0.0;
        QTest::newRow("SiLU") << each("m", "sigmoid.default", "%y") + each("r", "mul.Tensor", "%y, %m")
                              << Kind::Silu << 0.0;
        QTest::newRow("sigmoid") << each("r", "sigmoid.default", "%y") << Kind::Sigmoid << 0.0;
        QTest::newRow("tanh") << each("r", "tanh.default", "%y") << Kind::Tanh << 0.0;
        // A kernel of ours comes after it.
        QTest::newRow("cosine") << each("r", "cos.default", "%y") << Kind::None << 0.0;
    }
    void activationsAreTheLibrarys() {
        QFETCH(QByteArray, after);
        QFETCH(EpilogueActivation, activation);
        QFETCH(double, number);
        const ReferenceGraph graph = graphOf(
            inputs() + convolution("y", "%x, %w, %b") + after + convolution("z", "%r, %v, null"), "z");
        const Kernel first = convolutionsOf(programOf(graph, {true}))[0];
        QCOMPARE(first.epilogue()->activation, activation);
        QCOMPARE(first.epilogue()->number, number);
        // The library generates kernels for the tensor cores' layout alone.
        const bool isReady = activation == EpilogueActivation::None || activation == EpilogueActivation::Relu;
        QCOMPARE(convolutionsOf(programOf(graph))[0].epilogue()->activation,
                 isReady ? activation : EpilogueActivation::None);
    }

    void whatIsAddedMayComeLast() {
        const ReferenceGraph graph =
            graphOf(inputs() + convolution("h", "%x, %w, %b") + each("g", "relu.default", "%h") +
                        convolution("y", "%g, %w, %b") + each("m", "tanh.default", "%y") +
                        each("a", "add.Tensor", "%m, %g") + convolution("z", "%a, %v, null"),
                    "z");
        const Kernel second = convolutionsOf(programOf(graph, {true}))[1];
        QVERIFY(second.epilogue()->isAddedLast);
        QCOMPARE(second.epilogue()->activation, EpilogueActivation::Tanh);
    }

    void sumsReadTheCopyWithChannelsLast() {
        const Program program =
            programOf(graphOf(inputs() + convolution("y", "%x, %w, %b") + each("a", "add.Tensor", "%y, %x") +
                                  node("z", "amax.default", "%a, [2, 3]", {8, channels}),
                              "z"),
                      {true});
        QCOMPARE(program.unsupported, QString());
        const Kernel &last = program.kernels.back();
        QCOMPARE(last.inputs.size(), 3U);
        for (const KernelInput &input : last.inputs)
            QVERIFY(program.buffers[static_cast<std::size_t>(input.buffer)].kind !=
                        ProgramBuffer::Kind::Input ||
                    input.address.steps.back() == 0);
    }

    void aThreadSharesIndices() {
        // An image is read at columns that another tensor computes, for all channels alike.
        const QByteArray position =
            input("x", {4, 64, 256}) + input("p", {4, 1, 4096}) +
            node("h", "tanh.default", "%p", {4, 1, 4096}) + node("a", "sin.default", "%h", {4, 1, 4096}) +
            node("q", "mul.Tensor", "%a, 127", {4, 1, 4096}) + node("f", "abs.default", "%q", {4, 1, 4096}) +
            node("i", "_to_copy.default", "%f, null", {4, 1, 4096}, ElementType::Int64) +
            node("e", "expand.default", "%i, [4, 64, 4096]", {4, 64, 4096}, ElementType::Int64) +
            node("g", "gather.default", "%x, 2, %e", {4, 64, 4096}) +
            node("y", "mul.Tensor", "%g, %q", {4, 64, 4096});
        const Program program = programOf(graphOf(position, "y"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        const auto shared = withSharedIndices(program.kernels[0]);
        QVERIFY(shared && shared->isRowPerThread);
        QCOMPARE(shared->loops, (Shape{4, 8, 4096, 8}));
        QCOMPARE(shared->stores[0].address.steps, (std::vector<std::int64_t>{262144, 32768, 1, 4096}));
        QVERIFY(!withSharedIndices(*shared));
        const CandidateTexts files = candidateFiles(program, plainKnobs(program));
        QVERIFY(files.begin()->second.size() > 0);
        const auto kernel = std::find_if(files.begin(), files.end(), [](const auto &file) {
            return file.first.endsWith(QLatin1String(".cu"));
        });
        QVERIFY(kernel->second.contains("for (int c = 0; c < kColumns; ++c)"));
        // Few steps are not worth it.
        const Program plain = programOf(graphOf(input("x", {4, 64, 4096}) + input("p", {4, 1, 4096}) +
                                                    node("y", "mul.Tensor", "%x, %p", {4, 64, 4096}),
                                                "y"));
        QVERIFY(!withSharedIndices(plain.kernels[0]));
    }
};

QObject *makeTestConvolutionEpilogues() {
    return new TestConvolutionEpilogues;
}

#include "tst_convolution_epilogues.moc"
