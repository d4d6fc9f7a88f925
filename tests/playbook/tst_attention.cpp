// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/softmax_pattern.h"
#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/schedule/attention_space.h"
#include "agent/playbook/tuning/program_moves.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

using namespace warpwright;

/// Two matmuls around a softmax as one kernel: when, in which loops, and the move that makes it.
class TestAttention : public QObject {
    Q_OBJECT

    // The scores "s" of queries and keys, 6 heads of 64 elements; `then`: what computes "e" from them.
    static QByteArray scores(int rows = 512, int keys = 512) {
        return input("q", {6, rows, 64}) + input("k", {6, keys, 64}) + input("v", {6, keys, 64}) +
               node("t", "permute.default", "%k, [0, 2, 1]", {6, 64, keys}, ElementType::Float32,
                    {std::int64_t(64) * keys, 1, 64}) +
               node("s", "bmm.default", "%q, %t", {6, rows, keys});
    }
    // The softmax of "e", and its matmul with the values.
    static QByteArray weighted(int rows = 512, int keys = 512) {
        return node("m", "amax.default", "%e, [-1], true", {6, rows, 1}) +
               node("d", "sub.Tensor", "%e, %m", {6, rows, keys}) +
               node("x", "exp.default", "%d", {6, rows, keys}) +
               node("l", "sum.dim_IntList", "%x, [-1], true", {6, rows, 1}) +
               node("p", "div.Tensor", "%x, %l", {6, rows, keys}) +
               node("y", "bmm.default", "%p, %v", {6, rows, 64});
    }
    static QByteArray scaled() { return node("e", "mul.Tensor", "%s, 0.125", {6, 512, 512}); }
    // Causal: only keys up to the query's own index are seen.
    static QByteArray causal() {
        return node("i", "arange.start_step", "0, 512, 1", {512}, ElementType::Int64) +
               node("j", "view.default", "%i, [512, 1]", {512, 1}, ElementType::Int64) +
               node("g", "le.Tensor", "%i, %j", {512, 512}, ElementType::Bool) +
               node("n", "full.default", R"([], {"float": "-inf"})", {}) +
               node("f", "mul.Tensor", "%s, 0.125", {6, 512, 512}) +
               node("e", "where.self", "%g, %f, %n", {6, 512, 512});
    }
    static Program planned(const QByteArray &nodes, const QByteArray &outputs = "y") {
        return programOf(graphOf(nodes, outputs), {false, true});
    }

private slots:
    void isOneKernel() {
        const Program program = planned(scores() + scaled() + weighted());
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        const Kernel &kernel = program.kernels[0];
        QVERIFY(kernel.isAttention());
        QCOMPARE(kernel.loops, (Shape{6, 512, 512, 64, 64}));
        QCOMPARE(kernel.outer, 2U);
        QCOMPARE(kernel.inputs.size(), 3U);
        QCOMPARE(kernel.inputs[1].address.steps, (std::vector<std::int64_t>{32768, 0, 64, 1, 0}));
        QCOMPARE(kernel.operations(), 2.0 * 6 * 512 * 512 * (64 + 64));
        QCOMPARE(kernel.bytes(), 4.0 * 6 * 512 * 64 * 4);
        QCOMPARE(scaledScore(kernel)->factor, 0.125);
        QVERIFY(maskConditions(kernel).empty());
        QVERIFY(!kernel.attention()->isSafe);
    }

    void knowsWhatAMaskHides() {
        const Program program = planned(scores() + causal() + weighted());
        QCOMPARE(program.kernels.size(), 1U);
        const std::vector<MaskCondition> where = maskConditions(program.kernels[0]);
        QCOMPARE(where.size(), 1U);
        // The query's index is at least the key's.
        QCOMPARE(where[0].form.steps, (std::vector<std::int64_t>{0, 1, -1, 0, 0}));
        QCOMPARE(where[0].form.offset, std::int64_t(0));
        const CandidateTexts files = candidateFiles(program, plainKnobs(program));
        const QByteArray text = files.at("kernels/attention.cu");
        QVERIFY(text.contains("if (lastRow - firstKey >= 0)"));
        QVERIFY(text.contains("-> float {\n                return score;\n"));
    }

    void isNoneWhere_data() {
        QTest::addColumn<QByteArray>("nodes");
        QTest::addColumn<QByteArray>("outputs");
        QTest::newRow("the weights are wanted") << scores() + scaled() + weighted() << QByteArray("y, p");
        QTest::newRow("another reads the scores")
            << scores() + scaled() + weighted() + node("z", "amax.default", "%s, [-1], true", {6, 512, 1})
            << QByteArray("y, z");
        QTest::newRow("there is one query")
            << scores(1) + node("e", "mul.Tensor", "%s, 0.125", {6, 1, 512}) + weighted(1) << QByteArray("y");
        QTest::newRow("it is no softmax") << scores() + node("p", "relu.default", "%s", {6, 512, 512}) +
                                                 node("y", "bmm.default", "%p, %v", {6, 512, 64})
                                          << QByteArray("y");
    }

    void isNoneWhere() {
        QFETCH(QByteArray, nodes);
        QFETCH(QByteArray, outputs);
        const Program program = planned(nodes, outputs);
        QCOMPARE(program.unsupported, QString());
        for (const Kernel &kernel : program.kernels)
            QVERIFY(!kernel.isAttention());
    }

    // An elementwise consumer is fused: it works on each result before that is written.
    void fusesItsConsumer() {
        const Program program = planned(scores() + scaled() + weighted() + input("b", {64}) +
                                            node("o", "permute.default", "%y, [1, 0, 2]", {512, 6, 64},
                                                 ElementType::Float32, {64, 32768, 1}) +
                                            node("z", "add.Tensor", "%o, %b", {512, 6, 64}),
                                        "z");
        QCOMPARE(program.kernels.size(), 1U);
        QVERIFY(program.kernels[0].isAttention());
        QCOMPARE(program.kernels[0].stores[0].address.steps, (std::vector<std::int64_t>{64, 384, 0, 0, 1}));
        QCOMPARE(program.kernels[0].stores[0].buffer, program.outputs[0]);
    }

    // A consumer that broadcasts the results has loops that attention does not have.
    void leavesAConsumerThatBroadcastsThem() {
        const Program program = planned(scores() + scaled() + weighted() + input("b", {2, 6, 512, 64}) +
                                            node("z", "add.Tensor", "%y, %b", {2, 6, 512, 64}),
                                        "z");
        QCOMPARE(program.kernels.size(), 2U);
        QVERIFY(program.kernels[0].isAttention());
        QCOMPARE(program.kernels[0].stores[0].address.steps[2], std::int64_t(0));
        QVERIFY(program.kernels[1].isLoops());
    }

    void isAMoveOnAGpu() {
        const ReferenceGraph graph = graphOf(scores() + causal() + weighted(), "y");
        const Program program = programOf(graph, withoutClusters());
        QCOMPARE(program.kernels.size(), 3U);
        const Target gpu;
        const std::vector<PlaybookMove> moves = programMovesFrom(graph, program, plainKnobs(program), gpu);
        QCOMPARE(moves.size(), 1U);
        QCOMPARE(moves[0].move, QString("attention"));
        QVERIFY(*moves[0].prediction.timeRatio < 1);
        QCOMPARE(moves[0].program->kernels.size(), 1U);
        QVERIFY(kernelClassOf(program, plainKnobs(program), moves[0]).contains("attention"));
        QVERIFY(programMovesFrom(graph, *moves[0].program, moves[0].knobSets, gpu).empty());
        QVERIFY(programMovesFrom(graph, program, plainKnobs(program), {CpuTarget()}).empty());
    }

    // Their instruction of the tensor cores is there from compute capability 8.0 on.
    void isNoMoveWhereItWouldNotCompile() {
        const ReferenceGraph graph = graphOf(scores() + causal() + weighted(), "y");
        Device turing = *withoutClusters();
        turing.computeMajor = 7;
        turing.computeMinor = 5;
        const Program program = programOf(graph, std::make_shared<const Device>(turing));
        QVERIFY(programMovesFrom(graph, program, plainKnobs(program), Target()).empty());
    }

    void fourWarpsMultiplyHalvesTogether() {
        Program program = planned(scores() + scaled() + weighted());
        Kernel &kernel = program.kernels[0];
        QVERIFY(!canTakeWarpGroups(kernel)); // floats
        for (KernelInput &input : kernel.inputs)
            input.type = ElementType::Float16;
        QVERIFY(canTakeWarpGroups(kernel));
        QCOMPARE(attentionTilings(kernel, true).size(), 4U);
        for (const AttentionTiling &tiling : attentionTilings(kernel, true))
            QCOMPARE(tiling.tiles, 1); // of 64 queries for four warps
        const auto isProposed = [&](const std::vector<Knobs> &knobSets) {
            const std::vector<PlaybookMove> moves = movesFrom(program, knobSets, Target());
            return std::any_of(moves.begin(), moves.end(), [](const PlaybookMove &move) {
                return move.move == QLatin1String("warp-groups");
            });
        };
        program.device = withoutClusters();
        QVERIFY(!isProposed(plainKnobs(program)));
        program.device = h200();
        QVERIFY(isProposed(plainKnobs(program)));
        std::vector<Knobs> knobSets = plainKnobs(program);
        knobSets[0].usesWarpGroups = true;
        QVERIFY(!isProposed(knobSets));
        QVERIFY(takesWarpGroups(kernel, knobSets[0]));
        KernelInput &keys = kernel.inputs[1];
        keys.address.offset = 4; // not a multiple of 16 bytes, as TMA needs it
        QVERIFY(!canTakeWarpGroups(kernel));
        keys.address.offset = 0;
        Kernel wide = kernel;
        wide.loops.back() = wide.loops[wide.loops.size() - 2] = 128;
        for (std::size_t k = 0; k + 2 < wide.loops.size(); ++k)
            for (KernelInput &input : wide.inputs)
                input.address.steps[k] *= 2;
        QVERIFY(canTakeWarpGroups(wide));
        QCOMPARE(attentionTilings(wide, true).front().stages, 1); // then shared memory holds more blocks
        kernel.loops.back() = kernel.loops[kernel.loops.size() - 2] = 24; // 64 would be mostly padding
        QVERIFY(!canTakeWarpGroups(kernel));
    }

    void tf32IsAKnob() {
        const Program program = planned(scores() + scaled() + weighted());
        std::vector<Knobs> knobSets = plainKnobs(program);
        const auto text = [&] {
            const CandidateTexts files = candidateFiles(program, knobSets);
            return files.at("kernels/attention.cu");
        };
        QVERIFY(text().contains("splitTf32(") && !text().contains("roundToTf32("));
        knobSets[0].usesTf32 = true;
        QVERIFY(text().contains("roundToTf32(") && !text().contains("splitTf32("));
    }
};

QObject *makeTestAttention() {
    return new TestAttention;
}

#include "tst_attention.moc"
