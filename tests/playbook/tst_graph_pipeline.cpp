// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/codegen/torch/cuda_graph_capture.h"
#include "agent/playbook/fusion/single_pass_variance.h"
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/schedule/sliding_window.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

using namespace warpwright;

/// Graph passes, and what is read once instead of many times.
class TestGraphPipeline : public QObject {
    Q_OBJECT

    static Program planned(const QByteArray &nodes, const QByteArray &outputs) {
        return programOf(graphOf(nodes, outputs));
    }
    /// Steps with this opcode in all kernels of a program.
    static int countOf(const Program &program, Opcode op) {
        int count = 0;
        for (const Kernel &kernel : program.kernels)
            count += static_cast<int>(std::count_if(kernel.steps.begin(), kernel.steps.end(),
                                                    [op](const KernelStep &step) { return step.op == op; }));
        return count;
    }
    static QByteArray pooled(const QByteArray &size, const QByteArray &margin) {
        const Shape image = {8, 4, 64, 66};
        return input("x", image) +
               node("p", "max_pool2d_with_indices.default",
                    "%x, [" + size + ", " + size + "], [1, 1], [" + margin + ", " + margin + "]", image) +
               node("y", "getitem", "%p, 0", image);
    }

private slots:
    void widePoolingGoesAlongRowsFirst() {
        const Program program = planned(pooled("9", "4"), "y");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), std::size_t(2));
        QCOMPARE(program.kernels[0].columns(), std::int64_t(9));
        QCOMPARE(program.kernels[1].columns(), std::int64_t(9));
        QCOMPARE(planned(pooled("3", "1"), "y").kernels.size(), std::size_t(1));
    }
    void aCpuTakesWindowsAlongRowsFirst() {
        ProgramChoices choices;
        choices.isForCpu = true;
        QCOMPARE(programOf(graphOf(pooled("7", "3"), "y"), choices).kernels.size(), std::size_t(2));
    }
    void windowsSlideDown() {
        const Program program = planned(pooled("7", "3"), "y");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), std::size_t(1));
        const Kernel &kernel = program.kernels[0];
        QCOMPARE(kernel.columns(), std::int64_t(49));
        const auto sliding = slidingWindowOf(kernel);
        QVERIFY(sliding.has_value());
        QCOMPARE(kernel.loops[sliding->down], std::int64_t(64));
        QCOMPARE(kernel.loops[sliding->slice], std::int64_t(7));
        QCOMPARE(sliding->step, std::int64_t(1));
        QCOMPARE(sliding->slices(kernel), sliding->atOnce + 6);
        // Strides as long as windows: nothing overlaps.
        const Shape few = {8, 4, 9, 66};
        const Program apart =
            planned(input("x", {8, 4, 63, 66}) +
                        node("p", "max_pool2d_with_indices.default", "%x, [7, 1], [7, 1], [0, 0]", few) +
                        node("y", "getitem", "%p, 0", few),
                    "y");
        QCOMPARE(apart.unsupported, QString());
        QVERIFY(!slidingWindowOf(apart.kernels[0]));
    }
    void largeFiltersOfFewChannelsBecomeColumns_data() {
        QTest::addColumn<qint64>("taps");
        QTest::addColumn<qint64>("step");
        QTest::addColumn<qint64>("channels");
        QTest::newRow("11 by 11") << qint64(11) << qint64(1) << qint64(36);
        QTest::newRow("in steps") << qint64(7) << qint64(2) << qint64(24);
        QTest::newRow("too small") << qint64(3) << qint64(1) << qint64(4);
        QTest::newRow("side by side") << qint64(8) << qint64(8) << qint64(4);
    }
    void largeFiltersOfFewChannelsBecomeColumns() {
        QFETCH(qint64, taps);
        QFETCH(qint64, step);
        QFETCH(qint64, channels);
        const std::int64_t positions = (64 - taps) / step + 1;
        const QByteArray steps = QByteArray::number(step);
        ProgramChoices choices;
        choices.isChannelsLast = true;
        const Program program = programOf(
            graphOf(input("x", {2, 3, 64, 64}) + parameter("w", {32, 3, taps, taps}) +
                        node("y", "convolution.default",
                             "%x, %w, null, [" + steps + ", " + steps + "], [0, 0], [1, 1], false, [0, 0], 1",
                             {2, 32, positions, positions}),
                    "y"),
            choices);
        QCOMPARE(program.unsupported, QString());
        for (const Kernel &kernel : program.kernels)
            if (kernel.isConvolution())
                QCOMPARE(kernel.convolution()->sizes.weight[1], std::int64_t(channels));
        const bool isColumn = channels > 4;
        QCOMPARE(std::any_of(program.kernels.begin(), program.kernels.end(),
                             [taps](const Kernel &kernel) {
                                 return kernel.isConvolution() &&
                                        kernel.convolution()->sizes.weight[2] == taps &&
                                        kernel.convolution()->sizes.weight[3] == 1;
                             }),
                 isColumn);
    }
    void poolingWithIndicesStaysOneKernel() {
        const QByteArray nodes =
            pooled("7", "3") + node("i", "getitem", "%p, 1", {8, 4, 64, 66}, ElementType::Int64);
        for (const Kernel &kernel : planned(nodes, "y, i").kernels)
            QCOMPARE(kernel.columns(), std::int64_t(49));
    }

    void aThinConvolutionIsAMatmulOfItsWindows_data() {
        QTest::addColumn<qint64>("filters");
        QTest::addColumn<bool>("isThin");
        QTest::newRow("many results a window") << qint64(64) << true;
        QTest::newRow("hardly more than the window has elements") << qint64(16) << false;
    }
    void aThinConvolutionIsAMatmulOfItsWindows() {
        QFETCH(qint64, filters);
        QFETCH(bool, isThin);
        const Shape sums = {4, filters, 5000};
        const Program program =
            planned(input("x", {4, 1, 25'005}) + parameter("w", {filters, 1, 10}) +
                        node("c", "convolution.default", "%x, %w, null, [5], [0], [1], false, [0], 1", sums) +
                        node("y", "tanh.default", "%c", sums),
                    "y");
        QCOMPARE(program.unsupported, QString());
        const Kernel &last = program.kernels.back();
        QCOMPARE(last.isMatmul() && hasFusedEpilogue(last), isThin);
        if (!isThin)
            return;
        QVERIFY(isSkinnyMatmul(last));
        QCOMPARE(countOf(program, Opcode::Tanh), 1);
    }

    void rowsOfAMatmulShareTheComputedOperand_data() {
        QTest::addColumn<qint64>("rows");
        QTest::addColumn<ElementType>("stored");
        QTest::addColumn<bool>("isOurs");
        QTest::newRow("weights of a byte") << qint64(5) << ElementType::Int8 << true;
        QTest::newRow("too many rows") << qint64(9) << ElementType::Int8 << false;
        QTest::newRow("as large as what it makes") << qint64(5) << ElementType::Float32 << false;
    }
    void rowsOfAMatmulShareTheComputedOperand() {
        QFETCH(qint64, rows);
        QFETCH(ElementType, stored);
        QFETCH(bool, isOurs);
        const Shape matrix = {2048, 1024};
        const Program program = planned(
            input("x", {rows, 1024}) + input("q", matrix, {}, stored) + input("s", {2048, 1}) +
                node("f", "_to_copy.default", "%q", matrix) + node("m", "mul.Tensor", "%f, %s", matrix) +
                node("t", "permute.default", "%m, [1, 0]", {1024, 2048}) +
                node("y", "mm.default", "%x, %t", {rows, 2048}),
            "y");
        QCOMPARE(program.unsupported, QString());
        const bool hasMatmul = std::any_of(program.kernels.begin(), program.kernels.end(),
                                           [](const Kernel &kernel) { return kernel.isMatmul(); });
        QCOMPARE(hasMatmul, !isOurs);
        if (isOurs) {
            QCOMPARE(program.kernels.size(), std::size_t(1));
            QCOMPARE(countOf(program, Opcode::RowSum), 5);
        }
    }

    void aSmallTableIsGatheredOnceForManyParts_data() {
        QTest::addColumn<qint64>("parts");
        QTest::addColumn<int>("kernels");
        QTest::newRow("many") << qint64(20'000) << 2;
        QTest::newRow("a launch would be dearer") << qint64(200) << 1;
    }
    void aSmallTableIsGatheredOnceForManyParts() {
        QFETCH(qint64, parts);
        QFETCH(int, kernels);
        const Shape scores = {parts, 81, 81};
        const Program program = planned(
            input("x", scores) + parameter("t", {289}) + input("i", {81, 81}, {}, ElementType::Int64) +
                node("b", "index.Tensor", "%t, [%i]", {81, 81}) + node("y", "add.Tensor", "%x, %b", scores),
            "y");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(static_cast<int>(program.kernels.size()), kernels);
    }

    void aTableOfIndicesIsReadFromMemory() {
        const Shape words = {64, 512, 768};
        const Program program =
            planned(input("x", words) + parameter("t", {512, 768}) +
                        node("i", "arange.start_step", "0, 512", {512}, ElementType::Int64) +
                        node("e", "embedding.default", "%t, %i", {512, 768}) +
                        node("y", "add.Tensor", "%x, %e", words),
                    "y");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), std::size_t(1));
    }

    void momentsOfLongColumnsAreSummedAtOnce() {
        const Shape rows = {200'000, 64};
        const Program program =
            planned(input("x", rows) + node("m", "var_mean.correction", "%x, [0]", {64}) +
                        node("v", "getitem", "%m, 0", {64}) + node("a", "getitem", "%m, 1", {64}),
                    "v, a");
        QCOMPARE(program.unsupported, QString());
        for (const Kernel &kernel : program.kernels) {
            QCOMPARE(kernel.passCount(), 1);
            for (const KernelStep &step : kernel.steps)
                if (step.op == Opcode::RowSum)
                    QCOMPARE(step.type, ElementType::Float64);
        }
    }

    void whatAScatterBeginsWithIsWrittenIntoTheResult() {
        const Shape rows = {3000, 64};
        const Program program = planned(
            input("x", rows) + input("e", {9000, 64}) + input("i", {9000}, {}, ElementType::Int64) +
                node("h", "mul.Tensor", "%x, 1.5", rows) + node("r", "relu.default", "%e", {9000, 64}) +
                node("y", "index_put.default", "%h, [%i], %r, true", rows),
            "y");
        QCOMPARE(program.unsupported, QString());
        const Kernel &last = program.kernels.back();
        QVERIFY(last.scatter()->isInitialized);
        QCOMPARE(last.scatter()->base, -1);
        QVERIFY(std::any_of(program.kernels.begin(), program.kernels.end() - 1, [&](const Kernel &kernel) {
            return kernel.stores[0].buffer == last.stores[0].buffer;
        }));
    }

    void loopsOverTimeAreLaunchedAsOneGraph_data() {
        QTest::addColumn<int>("timeSteps");
        QTest::addColumn<bool>("isKept");
        QTest::newRow("a long one") << 40 << true;
        QTest::newRow("a short one") << 6 << false;
    }
    void loopsOverTimeAreLaunchedAsOneGraph() {
        QFETCH(int, timeSteps);
        QFETCH(bool, isKept);
        const Shape state = {64, 128};
        QByteArray nodes =
            input("x", {timeSteps, 64, 128}) + input("memory", state) + parameter("w", {128, 128});
        for (int timeStep = 1; timeStep <= timeSteps; ++timeStep) {
            const QByteArray now = QByteArray::number(timeStep);
            const QByteArray before = QByteArray::number(timeStep - 1);
            nodes +=
                node("s" + now, "select.int", "%x, 0, " + before, state) +
                node("p" + now, "mm.default", (timeStep == 1 ? "%memory" : "%h" + before) + ", %w", state) +
                node("a" + now, "add.Tensor", "%p" + now + ", %s" + now, state) +
                node("h" + now, "tanh.default", "%a" + now, state);
        }
        const Program program = planned(nodes, "h" + QByteArray::number(timeSteps));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(usesCudaGraph(program), isKept);
        const CandidateTexts files =
            candidateFiles(program, std::vector<Knobs>(program.kernels.size()), RegistryKind::Template);
        const QByteArray binding = files.at(QStringLiteral("kernels/forward_binding.cpp"));
        QCOMPARE(binding.contains("cudaGraphLaunch"), isKept);
        if (!isKept)
            return;
        // Weights are read where they were at capture; inputs are copied to where the graph reads them.
        QVERIFY(binding.contains("reinterpret_cast<std::uintptr_t>(w"));
        QVERIFY(binding.contains("copy(x, captured.memory.x, "));
        QVERIFY(!binding.contains("copy(w"));
        QVERIFY(!binding.contains("const Tensor &memory,")); // the text uses that name itself
        QVERIFY(binding.contains("const Memory memory{"));
    }

    void allPartsOfAScattersBaseAreInTheResult() {
        const Shape parts = {1024, 128};
        const Program program = planned(input("a", {1024, 16, 128}) + input("e", {3000, 256}) +
                                            input("i", {3000}, {}, ElementType::Int64) +
                                            node("s", "sum.dim_IntList", "%a, [1]", parts) +
                                            node("m", "amax.default", "%a, [1]", parts) +
                                            node("c", "cat.default", "[%s, %m], 1", {1024, 256}) +
                                            node("y", "index_put.default", "%c, [%i], %e, true", {1024, 256}),
                                        "y");
        QCOMPARE(program.unsupported, QString());
        for (const Kernel &kernel : program.kernels)
            for (const KernelStore &store : kernel.stores)
                QCOMPARE(store.buffer, program.kernels.back().stores[0].buffer);
        QVERIFY(program.kernels.back().scatter()->isInitialized);
    }

    void smallMatricesOfDoublesFitIntoABlock() {
        QVERIFY(isSkinnyMatmul(Shape{8192, 16, 512}, 4));
        QVERIFY(!isSkinnyMatmul(Shape{8192, 16, 512}, 8));
        QVERIFY(isSkinnyMatmul(Shape{8192, 10, 32}, 8));
    }

    void aSoftplusAndItsMirrorHaveALogarithmInCommon() {
        const Shape rows = {64, 1024};
        const auto softplus = [&rows](const QByteArray &name, const QByteArray &of) {
            return node(name + "e", "exp.default", '%' + of, rows) +
                   node(name + "l", "log1p.default", '%' + name + 'e', rows) +
                   node(name + "q", "gt.Scalar", '%' + of + ", 20.0", rows, ElementType::Bool) +
                   node(name, "where.self", '%' + name + "q, %" + of + ", %" + name + 'l', rows);
        };
        const Program program =
            planned(input("x", rows) + node("n", "neg.default", "%x", rows) + softplus("a", "x") +
                        softplus("b", "n") + node("y", "mul.Tensor", "%a, %b", rows),
                    "y");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(countOf(program, Opcode::Log1p), 1);
    }

    // The larger and the smaller of h and 0 need no branch around the exponential.
    void anExponentialUnitHasNoCondition_data() {
        QTest::addColumn<QByteArray>("positive");
        QTest::addColumn<QByteArray>("inside");
        QTest::addColumn<QByteArray>("asked");
        QTest::addColumn<bool>("isUnit");
        QTest::newRow("as torch has it") << QByteArray("%x") << QByteArray("%x") << QByteArray("%x") << true;
        QTest::newRow("each times a number")
            << QByteArray("%b") << QByteArray("%k") << QByteArray("%x") << true;
        QTest::newRow("of another tensor")
            << QByteArray("%o") << QByteArray("%x") << QByteArray("%x") << false;
        QTest::newRow("asked of another")
            << QByteArray("%x") << QByteArray("%x") << QByteArray("%o") << false;
        QTest::newRow("swapped") << QByteArray("%x") << QByteArray("%n") << QByteArray("%x") << false;
    }
    void anExponentialUnitHasNoCondition() {
        QFETCH(QByteArray, positive);
        QFETCH(QByteArray, inside);
        QFETCH(QByteArray, asked);
        QFETCH(bool, isUnit);
        const Shape rows = {64, 1024};
        const Program program =
            planned(input("x", rows) + input("o", rows) + node("b", "mul.Tensor", "%x, 1.05", rows) +
                        node("k", "mul.Tensor", "%x, 0.5", rows) + node("n", "mul.Tensor", "%x, -2.0", rows) +
                        node("e", "expm1.default", inside, rows) + node("f", "mul.Tensor", "%e, 1.75", rows) +
                        node("q", "gt.Scalar", asked + ", 0", rows, ElementType::Bool) +
                        node("y", "where.self", "%q, " + positive + ", %f", rows),
                    "y");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(countOf(program, Opcode::Select), isUnit ? 0 : 1);
        QCOMPARE(countOf(program, Opcode::Expm1), 1);
    }

    void aViewKeepsWhatItsLastDimensionsAre() {
        // A part of a concat that lies as rows of channels: no loop of 24 is split for its 8.
        const Program program = planned(input("a", {4, 16, 10, 10}) + input("r", {400, 8}) +
                                            node("v", "view.default", "%r, [4, 10, 10, 8]", {4, 10, 10, 8}) +
                                            node("p", "permute.default", "%v, [0, 3, 1, 2]", {4, 8, 10, 10}) +
                                            node("c", "cat.default", "[%a, %p], 1", {4, 24, 10, 10}) +
                                            node("y", "exp.default", "%c", {4, 24, 10, 10}),
                                        "y");
        QCOMPARE(program.unsupported, QString());
        for (const Kernel &kernel : program.kernels)
            for (const std::int64_t loop : kernel.loops)
                QVERIFY(loop != 3);
    }
};

QObject *makeTestGraphPipeline() {
    return new TestGraphPipeline;
}

#include "tst_graph_pipeline.moc"
