// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/kernel_text.h"
#include "tests/playbook/recorded_graph.h"

#include <QTest>

using namespace warpwright;

class TestKernelPlan : public QObject {
    Q_OBJECT

    // JSON with ' for ", which the meta-object compiler reads, too.
    static QByteArray quoted(QByteArray text) { return text.replace('\'', '"'); }

    // A graph of leaves x [4, 6] and w [6] and these nodes; one of them is the output.
    static KernelPlan planned(const QByteArray &nodes, const QByteArray &output) {
        const auto graph = readReferenceGraph(quoted(
            "{'format': 'warpwright.graph/1', 'argumentNames': ['x'], 'inputCount': 1, 'structure': 0, "
            "'nodes': ["
            "{'name': 'x', 'op': 'leaf', 'kind': 'input', 'position': 0, 'shape': [4, 6], 'strides': [6, 1],"
            " 'dtype': 'float32'}, "
            "{'name': 'w', 'op': 'leaf', 'kind': 'parameter', 'path': 'w', 'shape': [6], 'strides': [1],"
            " 'dtype': 'float32'}, " +
            nodes + "], 'outputs': [{'node': '" + output + "'}]}"));
        return planOf(graph.value());
    }
    static QByteArray node(const QByteArray &name, const QByteArray &op, const QByteArray &arguments,
                           const QByteArray &shape = "[4, 6]") {
        return "{'name': '" + name + "', 'op': 'aten." + op + "', 'args': " + arguments +
               ", 'shape': " + shape + ", 'strides': [6, 1], 'dtype': 'float32'}";
    }

private slots:
    void aSoftmaxIsOneKernelOfThreeLoops() {
        const KernelPlan plan = planOf(recordedGraph("softmax-rows"));
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.kernels.size(), 1U);
        const FusedKernel &kernel = plan.kernels[0];
        QCOMPARE(familyOf(kernel), KernelFamily::Rows);
        QCOMPARE(kernel.rows(), std::int64_t(2560));
        QCOMPARE(kernel.columns(), std::int64_t(4096));
        QCOMPARE(kernel.passCount(), 3);
        // Scores are read once, the result is written once; the bias is small.
        QCOMPARE(plan.bytes(), 2.0 * 4 * 2560 * 4096 + 4 * 4096);
        QVERIFY(unfusedBytes(recordedGraph("softmax-rows")) > 3 * plan.bytes());
    }

    void aPointwiseChainIsOneLoop() {
        const KernelPlan plan = planOf(recordedGraph("pointwise-chain"));
        QCOMPARE(plan.kernels.size(), 1U);
        QCOMPARE(familyOf(plan.kernels[0]), KernelFamily::Pointwise);
        QCOMPARE(plan.kernels[0].passCount(), 1);
    }

    void whatDoesNotFitTheRowsIsAKernelBefore() {
        // A mean over results of a reduction, by which those are divided: sums of sums share their rows.
        const KernelPlan plan = planOf(recordedGraph("generalised-mean"));
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.kernels.size(), 2U);
        QCOMPARE(plan.buffers.back().kind, PlanBuffer::Kind::Output);
        QCOMPARE(plan.kernels.back().rows(), std::int64_t(48));
        QCOMPARE(plan.kernels.back().columns(), std::int64_t(512));
        QCOMPARE(plan.kernels.back().passCount(), 2);
    }

    void saysWhatItHasNoFamilyFor() {
        const KernelPlan plan = planned(node("a", "erfinv.default", "[{'node': 'x'}]"), "a");
        QVERIFY(plan.kernels.empty());
        QVERIFY2(plan.cannot.contains("erfinv"), qPrintable(plan.cannot));
    }

    void theOrderOfOperandsMakesNoOtherPlan() {
        const KernelPlan one = planned(node("a", "mul.Tensor", "[{'node': 'x'}, {'node': 'w'}]"), "a");
        const KernelPlan other = planned(node("a", "mul.Tensor", "[{'node': 'w'}, {'node': 'x'}]"), "a");
        QCOMPARE(one.signature(), other.signature());
        const KernelPlan another = planned(node("a", "add.Tensor", "[{'node': 'w'}, {'node': 'x'}]"), "a");
        QVERIFY(one.signature() != another.signature());
    }

    void aSquareIsAProduct() {
        const KernelPlan one = planned(node("a", "pow.Tensor_Scalar", "[{'node': 'x'}, 2]"), "a");
        const KernelPlan other = planned(node("a", "mul.Tensor", "[{'node': 'x'}, {'node': 'x'}]"), "a");
        QCOMPARE(one.signature(), other.signature());
    }

    void aTransposeBecomesAnAddress() {
        const KernelPlan plan = planned(node("t", "permute.default", "[{'node': 'x'}, [1, 0]]", "[6, 4]") +
                                            "," + node("a", "exp.default", "[{'node': 't'}]", "[6, 4]"),
                                        "a");
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.kernels.size(), 1U);
        QCOMPARE(plan.kernels[0].leaves[0].address.steps, (std::vector<std::int64_t>{1, 6}));
    }

    void aReductionOverColumnsIsOfAnotherFamily() {
        const KernelPlan plan = planned(node("a", "sum.dim_IntList", "[{'node': 'x'}, [0]]", "[6]"), "a");
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.kernels[0].rows(), std::int64_t(6));
        QCOMPARE(plan.kernels[0].columns(), std::int64_t(4));
    }
};

QObject *makeTestKernelPlan() {
    return new TestKernelPlan;
}
#include "tst_kernel_plan.moc"
