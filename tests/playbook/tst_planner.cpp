// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/analysis/unfused_cost.h"
#include "agent/playbook/ir/graph_json.h"
#include "agent/playbook/lowering/program_builder.h"
#include "tests/playbook/recorded_graph.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

using namespace warpwright;

class TestPlanner : public QObject {
    Q_OBJECT

    // x [4, 6] and a weight w [6] are inputs of each.
    static Program planned(const QByteArray &nodes, const QByteArray &output) {
        return programOf(graphOf(input("x", {4, 6}) + parameter("w", {6}) + nodes, output));
    }

private slots:
    void aResidualStreamIsComputedByItsMatmuls() {
        const QByteArray layer = input("x", {256, 64}) + input("w", {64, 64}) +
                                 node("p", "mm.default", "%x, %w", {256, 64}) +
                                 node("h", "add.Tensor", "%p, %x", {256, 64});
        const QByteArray consumers = node("m", "amax.default", "%h, [-1], true", {256, 1}) +
                                     node("y", "sub.Tensor", "%h, %m", {256, 64});
        const Program program = programOf(graphOf(layer + consumers, "y"));
        QCOMPARE(program.kernels.size(), 2U);
        QVERIFY(program.kernels[0].epilogue()->added >= 0);
        QCOMPARE(program.kernels[1].inputs.size(), 1U);
        // A value with one consumer is computed there, and so is one of which each consumer reads a part.
        const Program once =
            programOf(graphOf(layer + node("y", "amax.default", "%h, [-1], true", {256, 1}), "y"));
        QCOMPARE(once.kernels.size(), 2U);
        QVERIFY(once.kernels[0].epilogue()->added < 0);
        const QByteArray parts = node("a", "slice.Tensor", "%h, 1, 0, 32", {256, 32}) +
                                 node("b", "slice.Tensor", "%h, 1, 32, 64", {256, 32}) +
                                 node("y", "mul.Tensor", "%a, %b", {256, 32});
        QVERIFY(programOf(graphOf(layer + parts, "y")).kernels[0].epilogue()->added < 0);
    }

    void aSoftmaxIsOneKernelOfThreeLoops() {
        const Program program = programOf(recordedGraph("softmax-rows"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        const Kernel &kernel = program.kernels[0];
        QCOMPARE(familyOf(kernel), KernelFamily::Rows);
        QCOMPARE(kernel.rows(), std::int64_t(2560));
        QCOMPARE(kernel.columns(), std::int64_t(4096));
        QCOMPARE(kernel.passCount(), 3);
        // Scores are read once, the result is written once; the bias is small.
        QCOMPARE(program.bytes(), 2.0 * 4 * 2560 * 4096 + 4 * 4096);
        QVERIFY(unfusedBytes(recordedGraph("softmax-rows")) > 3 * program.bytes());
    }

    void aPointwiseChainIsOneLoop() {
        const Program program = programOf(recordedGraph("pointwise-chain"));
        QCOMPARE(program.kernels.size(), 1U);
        QCOMPARE(familyOf(program.kernels[0]), KernelFamily::Pointwise);
        QCOMPARE(program.kernels[0].passCount(), 1);
    }

    void whatDoesNotFitTheRowsIsAKernelBefore() {
        // A mean over a reduction's results, which are divided by it: a reduction of a reduction shares its
        // rows.
        const Program program = programOf(recordedGraph("generalised-mean"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 2U);
        QCOMPARE(program.buffers.back().kind, ProgramBuffer::Kind::Output);
        QCOMPARE(program.kernels.back().rows(), std::int64_t(48));
        QCOMPARE(program.kernels.back().columns(), std::int64_t(512));
        QCOMPARE(program.kernels.back().passCount(), 2);
    }

    void saysWhatItHasNoFamilyFor() {
        const Program program = planned(node("a", "i0.default", "%x", {4, 6}), "a");
        QVERIFY(program.kernels.empty());
        QVERIFY2(program.unsupported.contains("i0"), qPrintable(program.unsupported));
    }

    void theOrderOfOperandsMakesNoOtherPlan() {
        const Program one = planned(node("a", "mul.Tensor", "%x, %w", {4, 6}), "a");
        const Program other = planned(node("a", "mul.Tensor", "%w, %x", {4, 6}), "a");
        QCOMPARE(one.signature(), other.signature());
        const Program another = planned(node("a", "add.Tensor", "%w, %x", {4, 6}), "a");
        QVERIFY(one.signature() != another.signature());
    }

    void aSquareIsAProduct() {
        const Program one = planned(node("a", "pow.Tensor_Scalar", "%x, 2", {4, 6}), "a");
        const Program other = planned(node("a", "mul.Tensor", "%x, %x", {4, 6}), "a");
        QCOMPARE(one.signature(), other.signature());
    }

    void aTransposeBecomesAnAddress() {
        const Program program = planned(
            node("t", "permute.default", "%x, [1, 0]", {6, 4}) + node("a", "exp.default", "%t", {6, 4}), "a");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        QCOMPARE(program.kernels[0].inputs[0].address.steps, (std::vector<std::int64_t>{1, 6}));
    }

    void aReductionOverColumnsIsOfAnotherFamily() {
        const Program program = planned(node("a", "sum.dim_IntList", "%x, [0]", {6}), "a");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels[0].rows(), std::int64_t(6));
        QCOMPARE(program.kernels[0].columns(), std::int64_t(4));
    }

    // A block's threads are neighbours in one direction.
    void sumsAlongAndAcrossAreKernelsOfTheirOwn() {
        const auto nodes = [](std::int64_t size) {
            return input("x", {size, size}) + node("r", "sum.dim_IntList", "%x, [1]", {size}) +
                   node("c", "sum.dim_IntList", "%x, [0]", {size}) +
                   node("y", "add.Tensor", "%r, %c", {size});
        };
        const Program large = programOf(readReferenceGraph(graphText(nodes(9000), "y")).value());
        QCOMPARE(large.unsupported, QString());
        QCOMPARE(large.kernels.size(), 2U);
        QVERIFY(familyOf(large.kernels[0]) != familyOf(large.kernels[1]));
        // For a small one a second launch does not pay.
        QCOMPARE(programOf(readReferenceGraph(graphText(nodes(300), "y")).value()).kernels.size(), 1U);
    }

    // 22 blocks would read 500 MB.
    void longSumsWithFewResultsAreSumsOfParts() {
        const auto down = [](std::int64_t rows, std::int64_t columns) {
            return programOf(readReferenceGraph(graphText(input("x", {rows, columns}) +
                                                              node("m", "mean.dim", "%x, [0]", {columns}) +
                                                              node("y", "exp.default", "%m", {columns}),
                                                          "y"))
                                 .value());
        };
        const Program program = down(180000, 700);
        QCOMPARE(program.kernels.size(), 2U);
        // 22 blocks of 32 columns, and 528 are enough.
        QCOMPARE(program.kernels[0].loops, (Shape{24, 700, 7500}));
        QCOMPARE(program.kernels[0].outer, 2U);
        QCOMPARE(program.kernels[0].inputs[0].address.steps, (Shape{7500 * 700, 1, 700}));
        QCOMPARE(program.kernels[0].stores.size(), 1U);
        QCOMPARE(program.kernels[0].stores[0].address.steps, (Shape{700, 1, 0}));
        QCOMPARE(program.kernels[1].loops, (Shape{700, 24}));
        QCOMPARE(program.kernels[1].inputs[0].buffer, program.kernels[0].stores[0].buffer);
        QCOMPARE(program.kernels[1].inputs[0].address.steps, (Shape{1, 700}));
        QCOMPARE(program.buffers[static_cast<std::size_t>(program.kernels[0].stores[0].buffer)].layout.memory,
                 (Shape{24, 700}));
        QCOMPARE(down(700, 180000).kernels.size(), 1U); // enough threads
        QCOMPARE(down(300, 700).kernels.size(), 1U);    // little to do
    }

    void whatNoNumberOfPartsDividesHasARest() {
        const Program program =
            programOf(readReferenceGraph(graphText(input("x", {180001, 700}) +
                                                       node("m", "amax.default", "%x, [0]", {700}) +
                                                       node("y", "exp.default", "%m", {700}),
                                                   "y"))
                          .value());
        QCOMPARE(program.kernels.size(), 3U);
        const Kernel &parts = program.kernels[0];
        const Kernel &rest = program.kernels[1];
        QCOMPARE(parts.loops, (Shape{24, 700, 7500}));
        QCOMPARE(rest.loops, (Shape{700})); // one row, and no loop for it
        QCOMPARE(rest.inputs[0].address.offset, std::int64_t(24) * 7500 * 700);
        QCOMPARE(rest.stores[0].buffer, parts.stores[0].buffer);
        QCOMPARE(rest.stores[0].address.offset, std::int64_t(24) * 700);
        QCOMPARE(program.kernels[2].loops, (Shape{700, 25}));
        QCOMPARE(program.buffers[static_cast<std::size_t>(parts.stores[0].buffer)].layout.memory,
                 (Shape{25, 700}));
    }
};

QObject *makeTestPlanner() {
    return new TestPlanner;
}
#include "tst_planner.moc"
