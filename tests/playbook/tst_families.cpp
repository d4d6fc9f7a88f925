// SPDX-License-Identifier: GPL-3.0-or-later
// Concat, padding, gather, argmax, pooling and scans: what program each gets, and the lines of its
// text that make it that.
#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/lowering/program_builder.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

#include <algorithm>

using namespace warpwright;

class TestFamilies : public QObject {
    Q_OBJECT

    // x [4, 6] and integer indices [5], «places», are inputs of each.
    static ReferenceGraph graphOn(const QByteArray &nodes, const QByteArray &output) {
        return graphOf(input("x", {4, 6}) + input("places", {5}, {}, ElementType::Int64) + nodes, output);
    }
    static QByteArray file(const ReferenceGraph &graph, const QByteArray &end) {
        const Program program = programOf(graph);
        for (const auto &[path, bytes] :
             candidateFiles(program, std::vector<Knobs>(program.kernels.size(), Knobs())))
            if (path.endsWith(QLatin1String(end)))
                return bytes;
        return "cannot: " + program.unsupported.toUtf8();
    }
    static int guardedLoads(const Kernel &kernel) {
        return static_cast<int>(std::count_if(kernel.steps.begin(), kernel.steps.end(),
                                              [](const KernelStep &step) { return step.isGuarded; }));
    }

private slots:
    void concatenatedTensorsAreReadWhereTheyAre() {
        const ReferenceGraph graph = graphOn(
            node("e", "exp.default", "%x", {4, 6}) + node("c", "cat.default", "[%x, %e], 1", {4, 12}), "c");
        const Program program = programOf(graph);
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        QCOMPARE(guardedLoads(program.kernels[0]), 2);
        QCOMPARE(program.bytes(), 4.0 * (24 + 24 + 48));
    }

    void aMarginIsNotReadFromMemory() {
        const ReferenceGraph graph =
            graphOn(node("c", "constant_pad_nd.default", "%x, [2, 1], 3.0", {4, 9}), "c");
        const QByteArray text = file(graph, ".cpp");
        QVERIFY2(text.contains("? xRow[c] : 3.0f"), text.constData());
        QVERIFY2(text.contains("h1 = c - 2;") && text.contains("h1 < 6"), text.constData());
    }

    void aGatherComputesOnlyTheRowsItReads() {
        // Of the exponentials only the five gathered rows are computed.
        const ReferenceGraph graph = graphOn(node("e", "exp.default", "%x", {4, 6}) +
                                                 node("c", "embedding.default", "%e, %places", {5, 6}),
                                             "c");
        const Program program = programOf(graph);
        QCOMPARE(program.kernels.size(), 1U);
        const QByteArray text = file(graph, ".cpp");
        QVERIFY2(text.contains("places[row]") && text.contains("* 6]"), text.constData());
    }

    void negativeIndicesCountFromTheEnd() {
        const QByteArray index = node("c", "index.Tensor", "%x, [null, %places]", {4, 5});
        const QByteArray text = file(graphOn(index, "c"), ".cpp");
        QVERIFY2(text.contains("< 0 ? "), text.constData());
        QVERIFY2(text.contains("+ 6"), text.constData());
    }

    void argmaxIsTheFirstOfEqualElements() {
        const Program program =
            programOf(graphOn(node("c", "argmax.default", "%x, 1", {4}, ElementType::Int64), "c"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        QCOMPARE(program.kernels[0].passCount(), 2);
        const std::vector<KernelStep> &steps = program.kernels[0].steps;
        QVERIFY(std::any_of(steps.begin(), steps.end(), [](const KernelStep &step) {
            return step.op == Opcode::RowMinimum && step.type == ElementType::Int64;
        }));
    }

    void windowsThatHangOverTheEdgeReadNothingThere() {
        const ReferenceGraph graph = graphOn(
            node("v", "view.default", "%x, [1, 1, 4, 6]", {1, 1, 4, 6}) +
                node("c", "max_pool2d_with_indices.default", "%v, [3, 3], [2, 2], [1, 1]", {1, 1, 2, 3}) +
                node("g", "getitem", "%c, 0", {1, 1, 2, 3}),
            "g");
        const Program program = programOf(graph);
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(familyOf(program.kernels[0]), KernelFamily::Windows);
        QCOMPARE(program.kernels[0].columns(), std::int64_t(9));
        QCOMPARE(program.kernels[0].rows(), std::int64_t(6));
        // Overlapping elements are counted once.
        QCOMPARE(program.bytes(), 4.0 * (24 + 6));
        QVERIFY(file(graph, ".cu").contains("One thread takes one row"));
        QVERIFY2(file(graph, ".cpp").contains(": -INFINITY"), file(graph, ".cpp").constData());
    }

    void aMeanOverAWindowIsDividedByWhatIsThere() {
        const QByteArray view = node("v", "view.default", "%x, [1, 4, 6]", {1, 4, 6});
        const auto pooled = [&view](const QByteArray &more) {
            return file(
                graphOn(view + node("c", "avg_pool1d.default", "%v, [3], [2], [1]" + more, {1, 4, 3}), "c"),
                ".cpp");
        };
        QVERIFY2(pooled("").contains("/ 3.0f"), pooled("").constData());
        QVERIFY2(!pooled(", false, false").contains("/ 3.0f"), pooled(", false, false").constData());
    }

    void aScanTakesPointwiseWorkAlong() {
        const ReferenceGraph graph =
            graphOn(node("e", "exp.default", "%x", {4, 6}) + node("s", "cumsum.default", "%e, 1", {4, 6}) +
                        node("c", "mul.Tensor", "%s, %x", {4, 6}),
                    "c");
        const Program program = programOf(graph);
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        QVERIFY(program.kernels[0].hasScans());
        QCOMPARE(program.kernels[0].rows(), std::int64_t(4));
        QCOMPARE(program.kernels[0].passCount(), 1);
        QVERIFY(file(graph, ".cu").contains("scanBlock<THREADS>("));
        QVERIFY2(file(graph, ".cpp").contains("running += std::exp(h1);"), file(graph, ".cpp").constData());
        QVERIFY(!file(graph, ".cpp").contains("omp simd"));
    }

    void aScanOverFarElementsHasNeighboursSideBySide() {
        const Program program = programOf(graphOn(node("s", "cumsum.default", "%x, 0", {4, 6}), "s"));
        QCOMPARE(familyOf(program.kernels[0]), KernelFamily::Windows);
        QCOMPARE(program.kernels[0].rows(), std::int64_t(6));
    }

    void aScanFromTheEndRunsBackwards() {
        const Program program = programOf(graphOn(node("f", "flip.default", "%x, [1]", {4, 6}) +
                                                      node("s", "cumsum.default", "%f, 1", {4, 6}) +
                                                      node("c", "flip.default", "%s, [1]", {4, 6}),
                                                  "c"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        QCOMPARE(program.kernels[0].stores[0].address.steps.back(), std::int64_t(-1));
    }

    void whatIsScannedAndThenSummedIsOneKernel() {
        const Program program = programOf(graphOn(node("s", "cumsum.default", "%x, 1", {4, 6}) +
                                                      node("c", "sum.dim_IntList", "%s, [1]", {4}),
                                                  "c"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
    }

    void aChoiceByMaskIsRefusedWithItsOperator() {
        const Program program = programOf(graphOn(node("m", "gt.Scalar", "%x, 0", {4, 6}, ElementType::Bool) +
                                                      node("c", "index.Tensor", "%x, [%m]", {7}),
                                                  "c"));
        QVERIFY2(program.unsupported.contains("index.Tensor") && program.unsupported.contains("mask"),
                 qPrintable(program.unsupported));
    }

    void anUnrolledLoopIsPlannedOrRefusedSoon() {
        QByteArray nodes = node("h0", "mul.Tensor", "%x, 2.0", {4, 6});
        QByteArray items = "%h0";
        for (int i = 1; i < 400; ++i) {
            const QByteArray name = "h" + QByteArray::number(i);
            nodes += node(name, "sin.default", "%h" + QByteArray::number(i - 1), {4, 6});
            items += ", %" + name;
        }
        nodes += node("c", "cat.default", "[" + items + "], 0", {1600, 6});
        QElapsedTimer clock;
        clock.start();
        const Program program = programOf(graphOn(nodes, "c"));
        QVERIFY2(program.unsupported.isEmpty() || program.unsupported.contains("unrolled"),
                 qPrintable(program.unsupported));
        QVERIFY(clock.elapsed() < 30000);
    }
};

QObject *makeTestFamilies() {
    return new TestFamilies;
}
#include "tst_families.moc"
