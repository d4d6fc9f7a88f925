// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/programmatic_launch.h"
#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/ir/graph_json.h"
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/schedule/block_order.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "tests/playbook/recorded_graph.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

using namespace warpwright;

Q_DECLARE_METATYPE(warpwright::Knobs)

class TestCandidateText : public QObject {
    Q_OBJECT

    static CandidateTexts files(const QString &name, const Knobs &knobs = {}) {
        const ReferenceGraph graph = recordedGraph(name);
        const Program program = programOf(graph);
        return candidateFiles(program, std::vector<Knobs>(program.kernels.size(), knobs));
    }

private slots:
    void aRegistryOfPybindGetsItsTensorsBesideTheBinding() {
        const Program program = programOf(recordedGraph("softmax-rows"));
        const auto filesFor = [&program](const QByteArray &registry) {
            return candidateFiles(program, {Knobs()}, registryKindOf(registry));
        };
        QVERIFY(!filesFor("").contains("kernels/tensors.h"));
        QVERIFY(!filesFor("#define REGISTER_FUNCTION(a, b, c)").contains("kernels/tensors.h"));
        const CandidateTexts texts = filesFor("#define REGISTER_BINDING(a, b)");
        QVERIFY(filesFor("// no REGISTER_FUNCTION\n#define REGISTER_BINDING(a, b)")
                    .contains("kernels/tensors.h"));
        QVERIFY(isCandidatePath("kernels/tensors.h"));
        QVERIFY(texts.at("kernels/tensors.h").contains("#include <torch/types.h>"));
        QVERIFY(texts.at("kernels/fused_rows_binding.cpp").contains("#include \"tensors.h\""));
        QVERIFY(!texts.at("kernels/fused_rows_binding.cpp").contains("binding_registry.h"));
    }

    // One block for a row of billions would be slow, and in float off by two in a hundred.
    void aNormOfAllIsSummedInDoubleByAll() {
        const Shape all = {2048, 8192};
        const Program program = programOf(graphOf(input("x", all) + node("q", "mul.Tensor", "%x, %x", all) +
                                                      node("s", "sum.dim_IntList", "%q, [0, 1]", {}) +
                                                      node("r", "sqrt.default", "%s", {}) +
                                                      node("y", "div.Tensor", "%x, %r", all),
                                                  "y, r"));
        QCOMPARE(program.unsupported, QString());
        QVERIFY(program.kernels[0].rows() > 1);
        QVERIFY(!program.kernels.back().hasReductions());
        const Program rows = programOf(
            graphOf(input("x", {600, 1 << 19}) + node("y", "sum.dim_IntList", "%x, [1]", {600}), "y"));
        QVERIFY(candidateFiles(rows, {Knobs()}).at("kernels/fused_rows.cu").contains("double sum = 0.0;"));
    }

    void aResultThatIsOneNumberIsWrittenByTheTwin() {
        const Program program = programOf(graphOf(input("x", {}) + node("y", "exp.default", "%x", {}), "y"));
        const QByteArray twin = candidateFiles(program, {Knobs()}).at("kernels/fused_pointwise.cpp");
        QVERIFY2(twin.contains("y[0] = std::exp(x[0]);"), twin.constData());
    }

    void complexNumbersAreViewsAsRealAndTablesAreMade() {
        QByteArray text = graphText(parameter("turn", {5, 2}) + input("x", {3, 5, 2}) +
                                        node("y", "mul.Tensor", "%x, %turn", {3, 5, 2}),
                                    "y");
        text.replace("\"kind\":\"parameter\"", "\"isComplex\":true,\"isStored\":false,\"kind\":\"buffer\","
                                               "\"made\":[\"step1 = torch.ops.aten.ones.default([5])\","
                                               "\"made = torch.ops.aten.polar.default(step1, step1)\"]");
        text.replace("\"structure\":0", "\"structure\":{\"kind\":\"complex\",\"output\":0}");
        const Result<ReferenceGraph> graph = readReferenceGraph(text);
        QVERIFY(graph.hasValue());
        const Program program = programOf(graph.value());
        QCOMPARE(whyNotCallable(program), QString());
        const QByteArray model = candidateFiles(program, {Knobs()}).at("model_new.py");
        for (const char *line : {"made = torch.ops.aten.polar.default(step1, step1)\n",
                                 "self.register_buffer(\"turn\", made, persistent=False)\n",
                                 "torch.view_as_real(self.turn)", "return torch.view_as_complex("})
            QVERIFY2(model.contains(line), model.constData());
    }

    // The approximate root of a square need not be the integer, and the fast quotient of equals need not
    // be 1.
    void rootsAndQuotientsThatAreComparedAreExact() {
        const auto text = [](const QByteArray &nodes) {
            const Shape shape = {64, 300};
            const Program program =
                programOf(graphOf(input("x", shape) + node("s", "mul.Tensor", "%x, %x", shape) +
                                      node("r", "sqrt.default", "%s", shape) + nodes,
                                  "y"));
            return candidateFiles(program, {Knobs()}).at("kernels/fused_pointwise.cu");
        };
        const QByteArray inside = node("m", "le.Scalar", "%r, 5", {64, 300}, ElementType::Bool);
        const QByteArray compared = text(inside + node("y", "mul.Tensor", "%m, %x", {64, 300}));
        QVERIFY2(compared.contains("sqrtf(") && !compared.contains("fastSqrt("), compared.constData());
        const QByteArray plain = text(node("y", "mul.Tensor", "%r, %x", {64, 300}));
        QVERIFY2(plain.contains("fastSqrt("), plain.constData());
        const QByteArray part = node("q", "div.Tensor", "%x, %r", {64, 300});
        const QByteArray below = node("m", "lt.Scalar", "%q, 1", {64, 300}, ElementType::Bool);
        QVERIFY(text(part + node("y", "exp.default", "%q", {64, 300})).contains("fastDivide("));
        QVERIFY(!text(part + below + node("y", "mul.Tensor", "%m, %x", {64, 300})).contains("fastDivide("));
    }

    void aKernelHasItsTwinItsBindingAndAModel() {
        const CandidateTexts texts = files("softmax-rows");
        QStringList paths;
        for (const auto &[path, bytes] : texts)
            paths << path;
        QCOMPARE(paths, (QStringList{"kernels/fused_rows.cpp", "kernels/fused_rows.cu",
                                     "kernels/fused_rows_binding.cpp", "model_new.py"}));
        for (const auto &[path, bytes] : texts)
            QVERIFY2(isCandidatePath(path), qPrintable(path));
        QVERIFY(
            texts.at("model_new.py").contains("cuda_extension.fused_rows(scores, self.bias, self.CONFIG)"));
    }

    void whatComesAfterAKernelIsLaunchedWhileThatEnds() {
        const CandidateTexts texts = files("generalised-mean");
        int early = 0;
        int first = 0;
        for (const auto &[path, bytes] : texts) {
            if (!path.endsWith(".cu"))
                continue;
            const bool isFirst = bytes.contains("<<<");
            const qsizetype body = bytes.indexOf("{\n", bytes.indexOf("__global__")) + 2;
            QCOMPARE(bytes.contains("launchEarly("), !isFirst);
            QCOMPARE(bytes.contains("#include \"early_launch.h\""), !isFirst);
            // Nothing is read before the wait.
            QCOMPARE(bytes.mid(body).startsWith("    waitForPreviousKernel();\n"), !isFirst);
            (isFirst ? first : early) += 1;
        }
        QCOMPARE(first, 1);
        QVERIFY(early > 0);
        QVERIFY(texts.at("kernels/early_launch.h").contains("griddepcontrol.wait"));
        // What the kernel before may still write is not read as constant memory.
        const QString kernel =
            QStringLiteral("#include <cmath>\n"
                           "__global__ void f(const float *__restrict__ x, float *__restrict__ xs) {\n"
                           "}\n"
                           "void launch(const float *x, float *xs) {\n"
                           "    f<<<1, 2, 0, stream>>>(x, xs);\n"
                           "}\n");
        QCOMPARE(withProgrammaticLaunch(kernel, {QStringLiteral("x")}),
                 QStringLiteral("#include \"early_launch.h\"\n\n#include <cmath>\n"
                                "__global__ void f(const float *x, float *__restrict__ xs) {\n"
                                "    waitForPreviousKernel();\n"
                                "}\n"
                                "void launch(const float *x, float *xs) {\n"
                                "    launchEarly(f, 1, 2, 0, stream, x, xs);\n"
                                "}\n"));
        QVERIFY(!files("softmax-rows").contains("kernels/early_launch.h"));
    }

    /// A norm by a row's own sums and by those of all rows, so that the image is read twice.
    static Program programOfTwoReads(std::int64_t rows) {
        const Shape shape{rows, 4096};
        return programOf(graphOf(input("x", shape) +
                                     node("s", "sum.dim_IntList", "%x, [1], true", {rows, 1}) +
                                     node("t", "sum.dim_IntList", "%s, [0], true", {1, 1}) +
                                     node("y", "mul.Tensor", "%x, %t", shape),
                                 "y"));
    }

    void whatAKernelBeforeHasReadLastIsReadFirst() {
        const Program program = programOfTwoReads(4000);
        QCOMPARE(program.kernels.size(), 3U);
        QCOMPARE(goBackwards(program), (std::vector<bool>{false, false, true}));
        const CandidateTexts texts = candidateFiles(program, std::vector<Knobs>(3));
        const QByteArray &text = texts.at("kernels/fused_pointwise.cu");
        QVERIFY(text.contains("const unsigned reversedBlock = gridDim.x - 1 - blockIdx.x;"));
        QCOMPARE(text.count("blockIdx.x"), 1);
        // A small one stays in the cache anyway.
        QCOMPARE(goBackwards(programOfTwoReads(40)), (std::vector<bool>{false, false, false}));
    }

    void blocksOfAClusterKeepTheirRank() {
        const QString kernel = QStringLiteral("__global__ void __cluster_dims__(BLOCKS)\n"
                                              "    f(float *y) {\n"
                                              "    const int row = blockIdx.x / BLOCKS;\n"
                                              "}\n");
        QVERIFY(withBlocksFromEnd(kernel).contains(QLatin1String("const int row = reversedBlock / BLOCKS;")));
        // As the text says it, of three rows by two blocks.
        std::vector<unsigned> blocks;
        QVERIFY(withBlocksFromEnd(kernel).contains(
            QLatin1String("gridDim.x - BLOCKS - blockIdx.x + 2 * (blockIdx.x % BLOCKS)")));
        for (unsigned block = 0; block < 6; ++block)
            blocks.push_back(6 - 2 - block + 2 * (block % 2));
        QCOMPARE(blocks, (std::vector<unsigned>{4, 5, 2, 3, 0, 1}));
    }

    void everyMoveChangesTheText_data() {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QString>("file");
        QTest::addColumn<Knobs>("knobs");
        QTest::addColumn<QByteArray>("sign");
        Knobs math;
        math.hasVectorMath = true;
        QTest::newRow("vector math") << "softmax-rows"
                                     << "kernels/fused_rows.cpp" << math << QByteArray("fastExp(");
        Knobs keeps;
        keeps.cachesRow = true;
        QTest::newRow("a row in the cache")
            << "softmax-rows"
            << "kernels/fused_rows.cpp" << keeps << QByteArray("cached1[c] = h1;");
        Knobs streams;
        streams.streamsResults = true;
        QTest::newRow("past the cache") << "softmax-rows"
                                        << "kernels/fused_rows.cpp" << streams << QByteArray("_mm_stream_ps");
        Knobs wide;
        wide.hasWideLoads = true;
        QTest::newRow("16 bytes a load") << "pointwise-chain"
                                         << "kernels/fused_pointwise.cu" << wide << QByteArray("Vec<float>");
        Knobs onePass;
        onePass.isPersistent = true;
        QTest::newRow("a row in registers") << "softmax-rows"
                                            << "kernels/fused_rows.cu" << onePass << QByteArray("[kVectors]");
    }
    void everyMoveChangesTheText() {
        QFETCH(QString, sample);
        QFETCH(QString, file);
        QFETCH(Knobs, knobs);
        QFETCH(QByteArray, sign);
        QVERIFY(!files(sample).at(file).contains(sign));
        QVERIFY2(files(sample, knobs).at(file).contains(sign), files(sample, knobs).at(file).constData());
    }

    void mishIsItsShortForm() {
        // tanh(log(1 + exp(h))): no logarithm and no tanh is left of it.
        const QByteArray text = files("pointwise-chain").at("kernels/fused_pointwise.cpp");
        QVERIFY(!text.contains("log1p"));
        QVERIFY(!text.contains("tanh"));
    }

    void temporariesGoFromKernelToKernel() {
        const QByteArray model = files("generalised-mean").at("model_new.py");
        QCOMPARE(model.count("cuda_extension."), 1);
        const QByteArray binding = files("generalised-mean").at("kernels/forward_binding.cpp");
        QVERIFY2(binding.contains("Tensor partial"), binding.constData());
        QCOMPARE(binding.count(" STREAM_ARGUMENT)"), 2);
    }

    void replacesTheCandidateAndNothingElse() {
        const CandidateTexts before = {{"model.py", "m"}, {"kernels/old.cu", "o"}, {"binding.cpp", "b"}};
        const CandidateTexts after = withCandidate(before, {{"kernels/new.cu", "n"}});
        QCOMPARE(after, (CandidateTexts{{"model.py", "m"}, {"binding.cpp", "b"}, {"kernels/new.cu", "n"}}));
    }
};

QObject *makeTestCandidateText() {
    return new TestCandidateText;
}
#include "tst_candidate_text.moc"
