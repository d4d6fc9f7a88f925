// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/integer_ranges.h"
#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/schedule/sampled_tensors.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/schedule/transposed_gather.h"
#include "agent/playbook/schedule/vector_width.h"
#include "agent/playbook/schedule/vectorized_pooling.h"
#include "agent/playbook/tuning/program_moves.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

#include <algorithm>

using namespace warpwright;

/// Images that are read at indices from other tensors: their copies with channels last, and the kernels
/// that read these.
class TestSampledTensors : public QObject {
    Q_OBJECT

    static constexpr std::int64_t points = 40'000;

    static QByteArray positions(const Shape &shape) {
        return input("p", shape, {}, ElementType::Int64) + input("q", shape, {}, ElementType::Int64);
    }
    /// Of an image at points, for all of its channels.
    static QByteArray seen(std::int64_t channels, std::int64_t count = points) {
        return input("x", {3, channels, 48, 64}) + positions({count}) +
               node("s", "index.Tensor", "%x, [null, null, %p, %q]", {3, channels, count});
    }
    static Program programWithCopies(const QByteArray &nodes, const QByteArray &output) {
        return programOf(graphOf(nodes, output), {.copiesSampled = true});
    }
    static Target target(bool isCuda) { return isCuda ? Target() : Target{CpuTarget()}; }

private slots:
    void areCopiedWithChannelsLast() {
        const QByteArray nodes = seen(16) + node("y", "tanh.default", "%s", {3, 16, points});
        QCOMPARE(programOf(graphOf(nodes, "y")).kernels.size(), 1U);
        const Program program = programWithCopies(nodes, "y");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 2U);
        QCOMPARE(program.kernels[0].stores[0].address.steps, (std::vector<std::int64_t>{49152, 16, 1}));
        // The samples are transposed, and stored along the points.
        const Kernel &kernel = program.kernels[1];
        QCOMPARE(kernel.stores[0].address.steps, (std::vector<std::int64_t>{16 * points, points, 1}));
        const auto tiled = transposeTileOf(kernel);
        QVERIFY(tiled);
        QCOMPARE(tiled->across, std::size_t(1));
        QCOMPARE(tiled->values, (std::vector<int>{kernel.stores[0].step}));
        QVERIFY(tiled->inputs.empty());
        QCOMPARE(widthAcross(kernel, *tiled), 4);
        QCOMPARE(tileSizes(kernel, *tiled), (std::vector<TileSize>{{128, 16}, {64, 16}, {256, 16}}));
        QVERIFY(scatteredBytes(kernel) == 0);
        QVERIFY(scatteredBytes(programOf(graphOf(nodes, "y")).kernels[0]) > 0);
        const CandidateTexts files = candidateFiles(program, plainKnobs(program));
        const QByteArray text = files.at("kernels/fused_pointwise_2.cu");
        QVERIFY(text.contains("__shared__ float yTile[TILE_ROWS][kPitch];"));
        QVERIFY(text.contains("yTile[tileRow + k][tileColumn] = "));
        QVERIFY(text.contains("= yTile[k][threadIdx.x % TILE_COLUMNS];"));
    }

    void oddChannelsShareAnIndexByFours() {
        const Program program = programWithCopies(seen(19), "s");
        QCOMPARE(program.kernels.size(), 2U);
        const auto tiled = transposeTileOf(program.kernels[1]);
        QVERIFY(tiled);
        QCOMPARE(widthAcross(program.kernels[1], *tiled), 1);
        QCOMPARE(vectorsAcross(1), 4);
        QCOMPARE(tileSizes(program.kernels[1], *tiled).front(), (TileSize{64, 32}));
    }

    void areNotCopiedWhere_data() {
        QTest::addColumn<QByteArray>("nodes");
        QTest::newRow("channels are few") << seen(3);
        QTest::newRow("points are few") << seen(16, 4000);
        QTest::newRow("the indices are loop counters")
            << input("x", {3, 16, 48, 64}) +
                   node("p", "arange.start_step", "0, 40000, 1", {points}, ElementType::Int64) +
                   node("m", "remainder.Scalar", "%p, 48", {points}, ElementType::Int64) +
                   node("s", "index.Tensor", "%x, [null, null, %m, %m]", {3, 16, points});
        QTest::newRow("channels lie last")
            << input("x", {3, 16, 48, 64}, {49152, 1, 1024, 16}) + positions({points}) +
                   node("s", "index.Tensor", "%x, [null, null, %p, %q]", {3, 16, points});
    }
    void areNotCopiedWhere() {
        QFETCH(const QByteArray, nodes);
        const Program program = programWithCopies(nodes, "s");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
    }

    void resultsWithChannelsInnermostAreReadInVectors() {
        const Program program =
            programWithCopies(seen(12) + node("t", "permute.default", "%s, [0, 2, 1]", {3, points, 12}) +
                                  node("y", "exp.default", "%t", {3, points, 12}),
                              "y");
        QCOMPARE(program.kernels.size(), 2U);
        QVERIFY(!transposeTileOf(program.kernels[1]));
        QCOMPARE(widthOf(program.kernels[1]), 4);
    }

    void sumsOverIndicesTakeVectorsOfRows() {
        const QByteArray nodes = input("x", {3, 8, 48, 64}) + positions({10'000, 4}) +
                                 node("s", "index.Tensor", "%x, [null, null, %p, %q]", {3, 8, 10'000, 4}) +
                                 node("m", "sum.dim_IntList", "%s, [3]", {3, 8, 10'000});
        const Program transposed =
            programWithCopies(nodes + node("y", "permute.default", "%m, [0, 2, 1]", {3, 10'000, 8}) +
                                  node("z", "tanh.default", "%y", {3, 10'000, 8}),
                              "z");
        QCOMPARE(transposed.kernels.size(), 2U);
        QCOMPARE(rowsPerThread(transposed.kernels[1]), 4);
        // NCHW: they are computed so, and copied into order.
        const Program program = programWithCopies(nodes, "m");
        QCOMPARE(program.kernels.size(), 3U);
        QCOMPARE(rowsPerThread(program.kernels[1]), 4);
        QVERIFY(transposeTileOf(program.kernels[2]) || program.kernels[2].loops.back() == 10'000);
    }

    void whatLiesAlongIsReadWhereResultsGo() {
        const Program program = programWithCopies(seen(16) + input("o", {3, 16, points}) +
                                                      node("q", "mul.Tensor", "%s, %s", {3, 16, points}) +
                                                      node("e", "exp.default", "%q", {3, 16, points}) +
                                                      node("y", "mul.Tensor", "%e, %o", {3, 16, points}),
                                                  "y");
        QCOMPARE(program.kernels.size(), 2U);
        const auto tiled = transposeTileOf(program.kernels[1]);
        QVERIFY(tiled);
        QCOMPARE(tiled->values.size(), 1U);
        QCOMPARE(program.kernels[1].step(tiled->values[0]).op, Opcode::Exp);
    }

    void whatIsMadeOfAValueNeedsNoTile() {
        const Program program = programWithCopies(seen(16) + input("o", {3, 16, points}) +
                                                      node("e", "exp.default", "%s", {3, 16, points}) +
                                                      node("m", "mul.Tensor", "%e, %o", {3, 16, points}) +
                                                      node("y", "add.Tensor", "%m, %s", {3, 16, points}),
                                                  "y");
        QCOMPARE(program.kernels.size(), 2U);
        const auto tiled = transposeTileOf(program.kernels[1]);
        QVERIFY(tiled);
        QCOMPARE(tiled->values.size(), 1U);
        QCOMPARE(program.kernels[1].step(tiled->values[0]).op, Opcode::Load);
    }

    void aSmallTableIsLeftToTheCaches() {
        // A relative position bias, twelve of each row of a table, added to scores that are read in vectors.
        const Program program = programOf(graphOf(
            input("b", {64, 12}) + input("p", {256, 256}, {}, ElementType::Int64) +
                input("x", {8, 12, 256, 256}) + node("e", "index.Tensor", "%b, [%p]", {256, 256, 12}) +
                node("t", "permute.default", "%e, [2, 0, 1]", {12, 256, 256}) +
                node("y", "add.Tensor", "%x, %t", {8, 12, 256, 256}),
            "y"));
        QCOMPARE(program.kernels.size(), 1U);
        QVERIFY(!transposeTileOf(program.kernels[0]));
        QCOMPARE(widthOf(program.kernels[0]), 4);
    }

    void areAMoveOnAGpu() {
        const ReferenceGraph graph = graphOf(seen(16, 10 * points), "s");
        const Program program = programOf(graph);
        const auto find = [&](bool isCuda) {
            const auto moves = programMovesFrom(graph, program, plainKnobs(program), target(isCuda));
            const auto found = std::find_if(moves.begin(), moves.end(), [](const PlaybookMove &move) {
                return move.move == QLatin1String("sampled-images");
            });
            return found == moves.end() ? std::nullopt : std::optional(*found);
        };
        const auto move = find(true);
        QVERIFY(move && move->program->choices.copiesSampled);
        QVERIFY(move->prediction.timeRatio < 1);
        QVERIFY(!kernelClassOf(program, plainKnobs(program), *move).isEmpty());
        QVERIFY(!find(false));
    }

    void aConditionBoundsAnIndex() {
        const auto kernelWith = [](double first, double end) {
            Kernel kernel;
            kernel.device = h200();
            kernel.loops = {1000};
            const int x = kernel.load({0, ElementType::Float32, {0, {1}}, {}, 0});
            const auto number = [&](double value, ElementType type) {
                return kernel.number(value, type);
            };
            const int above =
                kernel.add(Opcode::LessOrEqual, ElementType::Bool, {number(first, ElementType::Float32), x});
            const int below =
                kernel.add(Opcode::Less, ElementType::Bool, {x, number(end, ElementType::Float32)});
            const int inside = kernel.add(Opcode::And, ElementType::Bool, {above, below});
            const int position =
                kernel.add(Opcode::Select, ElementType::Int64,
                           {inside, kernel.converted(x, ElementType::Int64), number(0, ElementType::Int64)});
            const int y = kernel.load({1, ElementType::Float32, {0, {0}}, {1}, 62}, {position});
            kernel.stores.push_back({y, 2, ElementType::Float32, {0, {1}}});
            kernel.finish();
            return kernel;
        };
        QVERIFY(hasInt32Values(kernelWith(0, 62)));
        QVERIFY(!hasInt32Values(kernelWith(0, 1e12)));
        const auto placeIn = [](const Kernel &kernel) {
            for (std::size_t i = 0; i < kernel.steps.size(); ++i)
                if (kernel.steps[i].op == Opcode::Select)
                    return static_cast<int>(i);
            return -1;
        };
        const Kernel inside = kernelWith(0, 62);
        const Kernel before = kernelWith(-3, 62);
        QVERIFY(isNeverNegative(inside, placeIn(inside)));
        QVERIFY(!isNeverNegative(before, placeIn(before)));
    }
};

QObject *makeTestSampledTensors() {
    return new TestSampledTensors;
}

#include "tst_sampled_tensors.moc"
