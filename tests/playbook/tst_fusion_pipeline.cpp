// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/split_concat.h"
#include "agent/playbook/ir/program.h"
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/schedule/matmul/sm90_batched_matmul.h"
#include "agent/playbook/schedule/sm90_convolution.h"
#include "agent/playbook/tuning/program_moves.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace warpwright;

/// Simplifications before planning, while planning, and after it.
class TestFusionPipeline : public QObject {
    Q_OBJECT

    static QByteArray name(const char *stem, int number) { return stem + QByteArray::number(number); }

private slots:
    void aSharedScanIsComputedOnce() {
        // Each column of the table would repeat the scan of the lengths.
        const Program program = programOf(graphOf(input("x", {64, 5000}) + input("l", {64}) +
                                                      node("s", "cumsum.default", "%l, 0", {64}) +
                                                      node("v", "view.default", "%s, [64, 1]", {64, 1}) +
                                                      node("y", "mul.Tensor", "%x, %v", {64, 5000}),
                                                  "y"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 2U);
        QVERIFY(program.kernels[0].hasScans());
        QVERIFY(!program.kernels[1].hasScans());
        // A scan along its own rows stays with its consumer.
        const Program own =
            programOf(graphOf(input("x", {64, 50}) + node("s", "cumsum.default", "%x, 1", {64, 50}) +
                                  node("y", "exp.default", "%s", {64, 50}),
                              "y"));
        QCOMPARE(own.kernels.size(), 1U);
    }

    void aTriangleIsMultipliedInParts() {
        // The decomposition of torch.tril.
        const auto planned = [](qint64 size, const char *comparison, ElementType type = ElementType::Int64) {
            const Shape square = {size, size};
            return programOf(graphOf(
                input("a", square) + input("b", square) +
                    node("i", "arange.start_step", "0, " + QByteArray::number(size), {size},
                         ElementType::Int64) +
                    node("r", "view.default", "%i, [-1, 1]", {size, 1}, ElementType::Int64) +
                    node("s", "_to_copy.default", "%r", {size, 1}, type) +
                    node("m", comparison, "%i, %s", square, ElementType::Bool) +
                    node("z", "full.default", "[], 0.0", {}) + node("t", "where.self", "%m, %a, %z", square) +
                    node("y", "mm.default", "%t, %b", square),
                "y"));
        };
        const Program program = planned(4096, "le.Tensor");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 5U); // the triangle, and four blocks of rows
        double work = 0;
        for (std::size_t i = 1; i < program.kernels.size(); ++i) {
            const Kernel &part = program.kernels[i];
            QVERIFY(part.isMatmul());
            QCOMPARE(part.loops, (Shape{1024, 4096, std::int64_t(i) * 1024}));
            QCOMPARE(part.stores[0].address.offset, std::int64_t(i - 1) * 1024 * 4096);
            QCOMPARE(part.inputs[0].address.offset, std::int64_t(i - 1) * 1024 * 4096);
            QCOMPARE(part.inputs[1].address.offset, std::int64_t(0));
            work += part.operations();
        }
        QCOMPARE(work, 0.625 * 2 * std::pow(4096.0, 3));
        const Program upper = planned(4096, "gt.Tensor"); // above the diagonal: its last row is empty
        QCOMPARE(upper.kernels.back().loops, (Shape{1024, 4096, 1024}));
        QCOMPARE(upper.kernels.back().inputs[1].address.offset, std::int64_t(3072) * 4096);
        QCOMPARE(planned(1024, "le.Tensor").kernels.size(), 2U); // one part would leave the device half empty
        QCOMPARE(planned(4096, "ne.Tensor").kernels.size(), 2U); // no triangle
        // As a boolean all indices but the first are one.
        QCOMPARE(planned(4096, "le.Tensor", ElementType::Float32).kernels.size(), 5U);
        QCOMPARE(planned(4096, "le.Tensor", ElementType::Bool).kernels.size(), 2U);
    }

    void aSmallMatmulIsNoLibraryCall_data() {
        QTest::addColumn<qint64>("inner");
        QTest::addColumn<qint64>("columns");
        QTest::addColumn<bool>("isComputed"); // the operand
        QTest::addColumn<int>("kernels");
        QTest::addColumn<bool>("isLibrarys");
        QTest::newRow("colours") << qint64(3) << qint64(3) << true << 1 << false;
        QTest::newRow("coordinates") << qint64(2) << qint64(256) << false << 1 << false;
        QTest::newRow("what would be computed for each") << qint64(3) << qint64(256) << true << 2 << false;
        QTest::newRow("a library's") << qint64(5) << qint64(64) << false << 1 << true;
    }
    void aSmallMatmulIsNoLibraryCall() {
        QFETCH(qint64, inner);
        QFETCH(qint64, columns);
        QFETCH(bool, isComputed);
        QFETCH(int, kernels);
        QFETCH(bool, isLibrarys);
        const Shape result = {100, columns};
        QByteArray nodes = input("x", {100, inner}) + input("w", {inner, columns});
        if (isComputed)
            nodes += node("e", "exp.default", "%x", {100, inner});
        nodes += node("p", "mm.default", isComputed ? "%e, %w" : "%x, %w", result) +
                 node("y", "relu.default", "%p", result);
        const Program program = programOf(graphOf(nodes, "y"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(static_cast<int>(program.kernels.size()), kernels);
        QCOMPARE(std::any_of(program.kernels.begin(), program.kernels.end(),
                             [](const Kernel &kernel) { return kernel.isMatmul(); }),
                 isLibrarys);
    }

    void aCellsStateIsComputedOnce_data() {
        QTest::addColumn<qint64>("rows");
        QTest::addColumn<int>("mostRead"); // by one kernel
        QTest::newRow("a large one") << qint64(4096) << 4;
        QTest::newRow("one that a cache holds") << qint64(16) << 10;
    }
    void aCellsStateIsComputedOnce() {
        // Three gates of one matmul a time step: the last state depends on all of them.
        QFETCH(qint64, rows);
        QFETCH(int, mostRead);
        const Shape state = {rows, 1024};
        QByteArray nodes = input("h0", state) + input("c0", state) + parameter("w", {1024, 3072});
        for (int timeStep = 1; timeStep <= 3; ++timeStep) {
            const QByteArray before = QByteArray::number(timeStep - 1);
            nodes += node(name("p", timeStep), "mm.default", "%h" + before + ", %w", {rows, 3072});
            for (int gate = 0; gate < 3; ++gate)
                nodes += node(QByteArray(1, "abc"[gate]) + QByteArray::number(timeStep) + "s", "slice.Tensor",
                              "%" + name("p", timeStep) + ", 1, " + QByteArray::number(1024 * gate) + ", " +
                                  QByteArray::number(1024 * (gate + 1)),
                              state);
            const QByteArray now = QByteArray::number(timeStep);
            nodes += node(name("f", timeStep), "mul.Tensor", "%a" + now + "s, %c" + before, state) +
                     node(name("i", timeStep), "mul.Tensor", "%b" + now + "s, %c" + now + "s", state) +
                     node(name("c", timeStep), "add.Tensor", "%f" + now + ", %i" + now, state) +
                     node(name("h", timeStep), "tanh.default", "%c" + now, state);
        }
        const Program program = programOf(graphOf(nodes, "h3"));
        QCOMPARE(program.unsupported, QString());
        std::size_t most = 0;
        for (const Kernel &kernel : program.kernels)
            most = std::max(most, kernel.inputs.size());
        QCOMPARE(static_cast<int>(most), mostRead);
    }

    void aLoopOfFewRoundsIsWrittenOut() {
        // Each coordinate of a point that is rotated needs all three: a thread computes them together.
        const Shape points = {200'000, 3};
        const Program program = programOf(
            graphOf(input("x", points) + input("w", {3, 3}) + node("e", "tanh.default", "%x", points) +
                        node("p", "mm.default", "%e, %w", points) + node("y", "tanh.default", "%p", points),
                    "y"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        QCOMPARE(program.kernels[0].stores.size(), 3U);
        QCOMPARE(program.kernels[0].loops, Shape{200'000});
    }

    void dozensOfPartsAreConcatenatedInSteps() {
        const auto joined = [](int parts) {
            QByteArray nodes = input("x", {parts, 8});
            QByteArray items;
            for (int i = 0; i < parts; ++i) {
                nodes += node(name("p", i), "slice.Tensor",
                              "%x, 0, " + QByteArray::number(i) + ", " + QByteArray::number(i + 1), {1, 8});
                items += (i > 0 ? ", %" : "%") + name("p", i);
            }
            return graphOf(nodes + node("y", "cat.default", "[" + items + "], 0", {parts, 8}), "y");
        };
        const ReferenceGraph few = joined(24);
        QCOMPARE(withSplitConcats(few), few);
        const ReferenceGraph many = joined(30);
        const ReferenceGraph apart = withSplitConcats(many);
        QCOMPARE(apart.nodes.size(), many.nodes.size() + 3);
        QCOMPARE(apart.nodes.back().arguments[0].items.size(), 3U);
        QCOMPARE(apart.nodes.back().shape, (Shape{30, 8}));
        QCOMPARE(apart.nodes[apart.nodes.size() - 2].shape, (Shape{6, 8}));
        QCOMPARE(programOf(many).unsupported, QString());
    }

    void timeStepsStoreTheirStatesInTheResult() {
        constexpr int timeSteps = 120;
        QByteArray nodes = input("x", {16, timeSteps, 32}) + parameter("k", {32}) +
                           node("zeros", "full", "[16, 32], 0", {16, 32});
        QByteArray items;
        for (int t = 0; t < timeSteps; ++t) {
            const QByteArray number = QByteArray::number(t);
            const QByteArray before = t == 0 ? QByteArray("zeros") : name("state", t - 1);
            nodes += node("given" + number, "select.int", "%x, 1, " + number, {16, 32}) +
                     node("kept" + number, "mul.Tensor", "%" + before + ", %k", {16, 32}) +
                     node("state" + number, "add.Tensor", "%kept" + number + ", %given" + number, {16, 32}) +
                     node("wide" + number, "unsqueeze", "%state" + number + ", 1", {16, 1, 32});
            items += (t > 0 ? ", %" : "%") + name("wide", t);
        }
        const Program program = programOf(
            graphOf(nodes + node("y", "cat.default", "[" + items + "], 1", {16, timeSteps, 32}), "y"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.timeLoops.size(), 1U);
        QCOMPARE(program.timeLoops[0].timeSteps, std::int64_t(timeSteps));
        // The first state, and a time step; no pass over all states.
        QCOMPARE(program.kernels.size(), 2U);
        const Kernel &timeStep = program.kernels[program.timeLoops[0].first];
        QCOMPARE(timeStep.stores.size(), 2U);
        const auto windowOf = [&program](int buffer) {
            return program.buffers[static_cast<std::size_t>(buffer)].window;
        };
        QCOMPARE(windowOf(timeStep.stores[0].buffer).ring, 2);
        QCOMPARE(windowOf(timeStep.stores[1].buffer).ring, 0);
        QCOMPARE(windowOf(timeStep.stores[1].buffer).buffer, program.outputs[0]);
        QCOMPARE(windowOf(timeStep.stores[1].buffer).step, std::int64_t(32));
    }

    void smallKernelsOverTheSameLoopsAreOneLaunch() {
        const auto planned = [](std::int64_t size) {
            const Shape shape = {size};
            return programOf(graphOf(input("a", shape) + input("b", shape) +
                                         node("y", "exp.default", "%a", shape) +
                                         node("z", "sin.default", "%b", shape),
                                     "y, z"));
        };
        QCOMPARE(planned(1000).kernels.size(), 1U);
    }

    void zerosAreWrittenBehindRowsThatHaveRoom() {
        const Program program = programOf(graphOf(input("x", {2048, 511}) + input("w", {511, 520}) +
                                                      node("t", "tanh.default", "%x", {2048, 511}) +
                                                      node("y", "mm.default", "%t, %w", {2048, 520}),
                                                  "y"));
        QCOMPARE(program.unsupported, QString());
        const auto matmul = std::find_if(program.kernels.begin(), program.kernels.end(),
                                         [](const Kernel &kernel) { return kernel.isMatmul(); });
        QVERIFY(matmul != program.kernels.end());
        QCOMPARE(matmul->loops.back(), 512);
        const int first = matmul->inputs[0].buffer;
        std::vector<std::int64_t> written; // elements, by kernel
        for (const Kernel &kernel : program.kernels)
            if (kernel.stores[0].buffer == first)
                written.push_back(kernel.rows() * kernel.columns());
        QCOMPARE(written, (std::vector<std::int64_t>{2048 * 511, 2048}));
    }
};

QObject *makeTestFusionPipeline() {
    return new TestFusionPipeline;
}

#include "tst_fusion_pipeline.moc"
