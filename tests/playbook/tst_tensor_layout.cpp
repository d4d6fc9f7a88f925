// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/output_layout.h"
#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/lowering/program_builder.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

#include <set>

using namespace warpwright;

/// Temporaries have the layout that suits their kernels, and consumers know it.
class TestTensorLayout : public QObject {
    Q_OBJECT

    static CandidateTexts files(const Program &program) {
        return candidateFiles(program, std::vector<Knobs>(program.kernels.size()));
    }

private slots:
    void anOrderIsStridesAndMemory() {
        const TensorLayout layout = layoutInOrder({2, 3, 5}, {1, 0, 2}, 1, 8);
        QCOMPARE(layout.strides, (Shape{8, 16, 1}));
        QCOMPARE(layout.memory, (Shape{3, 2, 8}));
        QVERIFY(!layout.isDense());
        QCOMPARE(layoutInOrder({2, 3, 5}, {0, 1, 2}, 1, 5), contiguousLayout({2, 3, 5}));
        // Two dimensions form a row, which is padded as one.
        QCOMPARE(layoutInOrder({7, 3, 5}, {0, 1, 2}, 2, 16).strides, (Shape{16, 5, 1}));
    }

    void aRowIsAlignedWhereThatCostsLittle() {
        QCOMPARE(alignedRow(5005, ElementType::Float32), std::int64_t(5008));
        QCOMPARE(alignedRow(5005, ElementType::BFloat16), std::int64_t(5008));
        QCOMPARE(alignedRow(5005, ElementType::Float64), std::int64_t(5006));
        QCOMPARE(alignedRow(5008, ElementType::Float32), std::int64_t(5008));
        QCOMPARE(alignedRow(5, ElementType::Float32), std::int64_t(5));
    }

    void aMatmulForAnotherKernelHasAlignedRows() {
        const QByteArray matmul =
            input("a", {40, 60}) + input("b", {60, 33}) + node("p", "mm.default", "%a, %b", {40, 33});
        const ReferenceGraph graph = graphOf(matmul + node("y", "exp.default", "%p", {40, 33}), "y");
        const Program program = programOf(graph);
        QCOMPARE(program.kernels.size(), 2U);
        QCOMPARE(program.kernels[0].stores[0].address.steps, (std::vector<std::int64_t>{36, 1, 0}));
        QCOMPARE(program.kernels[1].inputs[0].address.steps, (std::vector<std::int64_t>{36, 1}));
        QCOMPARE(program.kernels[1].stores[0].address.steps, (std::vector<std::int64_t>{33, 1}));
        const CandidateTexts texts = files(program);
        QVERIFY(texts.at("kernels/forward_binding.cpp").contains(", {40, 36}, ScalarType::Float)"));
        // A result, also one that a library's epilogue writes, is in torch's layout.
        const Program whole = programOf(graphOf(matmul, "p"));
        QCOMPARE(whole.kernels[0].stores[0].address.steps, (std::vector<std::int64_t>{33, 1, 0}));
        const Program folded = programOf(graphOf(matmul + node("y", "relu.default", "%p", {40, 33}), "y"));
        QCOMPARE(folded.kernels.size(), 1U);
        QCOMPARE(folded.kernels[0].stores[0].address.steps, (std::vector<std::int64_t>{33, 1, 0}));
    }

    void anOperandOfOursHasAlignedRows() {
        const Program program = programOf(graphOf(input("a", {40, 61}) + input("b", {61, 32}) +
                                                      node("e", "exp.default", "%a", {40, 61}) +
                                                      node("y", "mm.default", "%e, %b", {40, 32}),
                                                  "y"));
        QCOMPARE(program.kernels.size(), 2U);
        QCOMPARE(program.kernels[0].stores[0].address.steps, (std::vector<std::int64_t>{64, 1}));
        QCOMPARE(program.kernels[1].inputs[0].address.steps, (std::vector<std::int64_t>{64, 0, 1}));
        // Not where the operand joins rows: two heads of 17 would be no row of 34.
        const Program heads = programOf(graphOf(input("a", {40, 2, 17}) + input("b", {34, 32}) +
                                                    node("e", "exp.default", "%a", {40, 2, 17}) +
                                                    node("v", "view.default", "%e, [40, 34]", {40, 34}) +
                                                    node("y", "mm.default", "%v, %b", {40, 32}),
                                                "y"));
        QCOMPARE(heads.kernels.size(), 2U);
        QCOMPARE(heads.kernels[1].inputs[0].address.steps, (std::vector<std::int64_t>{34, 0, 1}));
    }

    void rowsComeInTheOrderOfTheFirstOperand() {
        // [batch 4, tokens 10] is needed as [tokens, batch]: torch copies, and then has 40 rows.
        const QByteArray nodes = input("x", {4, 10, 8}) + input("w", {8, 16}) +
                                 node("t", "transpose.int", "%x, 0, 1", {10, 4, 8}) +
                                 node("c", "clone.default", "%t", {10, 4, 8}) +
                                 node("v", "view.default", "%c, [40, 8]", {40, 8}) +
                                 node("p", "mm.default", "%v, %w", {40, 16});
        const ReferenceGraph graph = graphOf(nodes + node("y", "exp.default", "%p", {40, 16}), "y");
        const Program program = programOf(graph);
        QCOMPARE(program.kernels.size(), 2U);
        QCOMPARE(program.kernels[0].loops, (Shape{40, 16, 8}));
        const TensorLayout &layout =
            program.buffers[static_cast<std::size_t>(program.kernels[0].stores[0].buffer)].layout;
        QCOMPARE(layout.shape, (Shape{10, 4, 16}));
        QCOMPARE(layout.strides, (Shape{16, 160, 1}));
        QCOMPARE(layout.memory, (Shape{4, 10, 16}));
        // Its consumer can walk them: torch's order is written.
        QCOMPARE(program.kernels[1].stores[0].address.steps.back(), std::int64_t(1));
        // A result of forward is in torch's order, and takes a matmul for each token.
        QCOMPARE(programOf(graphOf(nodes, "p")).kernels[0].loops, (Shape{10, 4, 16, 8}));
    }

    void aBatchThatSharesItsSecondMatrixIsRows() {
        const Program program =
            programOf(graphOf(input("x", {4, 10, 8}) + input("w", {8, 16}) +
                                  node("e", "expand.default", "%w, [4, 8, 16]", {4, 8, 16}) +
                                  node("y", "bmm.default", "%x, %e", {4, 10, 16}),
                              "y"));
        QCOMPARE(program.kernels.size(), 1U);
        QCOMPARE(program.kernels[0].loops, (Shape{40, 16, 8}));
    }

    void aResultLiesAsTheReferenceLeavesIt() {
        // Channels last, through a pointwise operator.
        const Shape last{480, 1, 48, 8}; // of [2, 8, 10, 6]
        const QByteArray image = input("x", {2, 8, 10, 6}, last);
        const auto relu = [&](const QByteArray &of) {
            return node("y", "relu.default", "%" + of, {2, 8, 10, 6}, ElementType::Float32, last);
        };
        const Program program = programOf(graphOf(image + relu("x"), "y"));
        QCOMPARE(program.kernels.size(), 1U);
        QCOMPARE(program.kernels[0].loops, (Shape{960})); // one loop over the memory of both
        QCOMPARE(program.buffers[static_cast<std::size_t>(program.outputs[0])].layout.memory,
                 (Shape{2, 10, 6, 8}));
        const CandidateTexts texts = files(program);
        QVERIFY(
            texts.at("kernels/fused_pointwise_binding.cpp").contains(", {2, 10, 6, 8}, ScalarType::Float)"));
        QVERIFY(texts.at("model_new.py").contains("return result1.permute(0, 3, 1, 2)"));
        // Where another device's library may leave another layout, it is taken as contiguous.
        const QByteArray matmul =
            input("a", {8, 5}) + input("b", {5, 6}) + node("p", "mm.default", "%a, %b", {8, 6});
        const Program other = programOf(
            graphOf(matmul + node("y", "exp.default", "%p", {8, 6}, ElementType::Float32, {1, 8}), "y"));
        QVERIFY(!files(other).at("model_new.py").contains("permute"));
        // The stride of a dimension of one means nothing.
        const Program flat = programOf(
            graphOf(input("x", {1, 8, 1, 19}) + node("y", "relu.default", "%x", {1, 8, 1, 19}), "y"));
        QVERIFY(!files(flat).at("model_new.py").contains("permute"));
        QVERIFY(memoryOrder(contiguousLayout({1, 8, 1, 19})).empty());
        QCOMPARE(memoryOrder(layoutInOrder({1, 8, 1, 19}, {0, 2, 3, 1}, 1, 8)),
                 (std::vector<std::size_t>{0, 3, 1, 2}));
        // So is a layout with gaps.
        const Program spread = programOf(graphOf(
            input("x", {4, 6}) + node("y", "relu.default", "%x", {4, 6}, ElementType::Float32, {1, 8}), "y"));
        QVERIFY(!files(spread).at("model_new.py").contains("permute"));
    }

    void theColumnsOfALargeMatmulAreFullVectors() {
        const auto planned = [](const Shape &first, const Shape &weight, ElementType type) {
            const Shape shape{first[0], weight[0]};
            return programOf(
                graphOf(input("x", first, {}, type) + parameter("w", weight, type) +
                            node("t", "t.default", "%w", {weight[1], weight[0]}, type, {1, weight[1]}) +
                            node("p", "mm.default", "%x, %t", shape, type) +
                            node("y", "exp.default", "%p", shape, type),
                        "y"));
        };
        const Program program = planned({700, 1000}, {1001, 1000}, ElementType::Float32);
        QCOMPARE(program.kernels.size(), 3U);
        // A copy with three rows of zeros, which are columns of the matmul.
        QCOMPARE(program.kernels[0].loops, (Shape{1004, 1000}));
        const auto copy = static_cast<std::size_t>(program.kernels[0].stores[0].buffer);
        QCOMPARE(program.buffers[copy].layout.memory, (Shape{1004, 1000}));
        const QByteArray copied = files(program).at("kernels/fused_pointwise_1.cu");
        QVERIFY2(copied.contains("< 1001"), copied.constData());
        QCOMPARE(program.kernels[1].loops, (Shape{700, 1004, 1000}));
        QCOMPARE(program.kernels[1].inputs[1].buffer, static_cast<int>(copy));
        QCOMPARE(program.kernels[1].inputs[1].address.steps, (Shape{0, 1000, 1}));
        QCOMPARE(program.kernels[1].stores[0].address.steps, (Shape{1004, 1, 0}));
        // The consumer does not see them.
        QCOMPARE(program.kernels[2].loops, (Shape{700, 1001}));
        QCOMPARE(program.kernels[2].inputs[0].address.steps, (Shape{1004, 1}));

        QCOMPARE(planned({700, 1000}, {1000, 1000}, ElementType::Float32).kernels.size(),
                 2U); // full vectors already
        QCOMPARE(planned({70, 1000}, {1001, 1000}, ElementType::Float32).kernels.size(), 2U); // few rows
        QCOMPARE(planned({700, 100}, {1001, 100}, ElementType::Float32).kernels.size(), 2U);  // little work
        QCOMPARE(planned({700, 1000}, {1004, 1000}, ElementType::BFloat16).kernels.size(),
                 3U); // vectors of eight

        // The reduction length is odd: both operands are copied, to rows of full sectors that end in zeros.
        const Program odd = planned({700, 1001}, {1001, 1001}, ElementType::Float32);
        QCOMPARE(odd.kernels.size(), 4U);
        QCOMPARE(odd.kernels[0].loops, (Shape{700, 1008}));
        QCOMPARE(odd.kernels[1].loops, (Shape{1004, 1008}));
        QCOMPARE(odd.kernels[2].loops, (Shape{700, 1004, 1008}));
        QCOMPARE(odd.kernels[2].inputs[0].address.steps, (Shape{1008, 0, 1}));
        QCOMPARE(odd.kernels[2].inputs[1].address.steps, (Shape{0, 1008, 1}));
        QCOMPARE(odd.buffers[static_cast<std::size_t>(odd.kernels[2].inputs[0].buffer)].layout.memory,
                 (Shape{700, 1008}));
        const QByteArray ended = files(odd).at("kernels/fused_pointwise_2.cu");
        QVERIFY2(ended.contains("< 1001"), ended.constData());
        // A copy of two batches is not one of eight.
        const ElementType half = ElementType::Float16;
        const Program batches =
            programOf(graphOf(input("x", {8, 2048, 1001}, {}, half) + input("a", {2, 1001, 2048}, {}, half) +
                                  input("b", {8, 1001, 2048}, {}, half) +
                                  node("s", "slice.Tensor", "%x, 0, 0, 2", {2, 2048, 1001}, half) +
                                  node("p", "bmm.default", "%s, %a", {2, 2048, 2048}, half) +
                                  node("q", "bmm.default", "%x, %b", {8, 2048, 2048}, half) +
                                  node("r", "slice.Tensor", "%q, 0, 0, 2", {2, 2048, 2048}, half) +
                                  node("y", "add.Tensor", "%p, %r", {2, 2048, 2048}, half),
                              "y"));
        QCOMPARE(batches.unsupported, QString());
        std::set<int> read;
        int matmuls = 0;
        for (const Kernel &kernel : batches.kernels)
            if (kernel.isMatmul()) {
                ++matmuls;
                read.insert(kernel.inputs[0].buffer);
                const Shape &memory =
                    batches.buffers[static_cast<std::size_t>(kernel.inputs[0].buffer)].layout.memory;
                QCOMPARE(elementCount(memory), kernel.loops[0] * 2048 * 1008);
            }
        QCOMPARE(matmuls, 2);
        QCOMPARE(read.size(), 2U);
        // Elements of few rows are used too rarely to pay for a copy.
        QCOMPARE(planned({200, 4001}, {4000, 4001}, ElementType::BFloat16).kernels.size(), 2U);
    }
};

QObject *makeTestTensorLayout() {
    return new TestTensorLayout;
}

#include "tst_tensor_layout.moc"
