// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/ir/graph_json.h"
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/playbook_agent.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/tuning/program_moves.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"
#include "tests/toolchain/scratch.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

/// Convolutions with channels last, the passes around them, and the move to them.
class TestChannelsLast : public QObject {
    Q_OBJECT

    // Of 3x3 taps. `operands`: the image, the filters, and the bias or null.
    static QByteArray convolution(const QByteArray &name, const QByteArray &operands, const Shape &shape) {
        return node(name, "convolution.default", operands + ", [1, 1], [1, 1], [1, 1], false, [0, 0], 1",
                    shape);
    }
    // Two of them, with bias and ReLU between.
    static QByteArray pair(const QByteArray &more = {}, const QByteArray &outputs = "y") {
        return graphText(input("x", {32, 64, 56, 56}) + input("w", {128, 64, 3, 3}) +
                             input("v", {64, 128, 3, 3}) + input("b", {128}) +
                             convolution("c", "%x, %w, %b", {32, 128, 56, 56}) +
                             node("r", "relu.default", "%c", {32, 128, 56, 56}) +
                             convolution("y", "%r, %v, null", {32, 64, 56, 56}) + more,
                         outputs);
    }
    static ReferenceGraph pairGraph() { return readReferenceGraph(pair()).value(); }
    static std::vector<Knobs> tf32(const Program &program) {
        std::vector<Knobs> knobSets = plainKnobs(program);
        for (std::size_t i = 0; i < knobSets.size(); ++i)
            knobSets[i].usesTf32 = !program.kernels[i].isLoops();
        return knobSets;
    }

private slots:
    void threeChannelsGetAFourthOfZeros() {
        const auto planned = [](std::int64_t channels) {
            return programOf(graphOf(input("x", {8, channels, 56, 56}) + input("w", {64, channels, 3, 3}) +
                                         convolution("c", "%x, %w, null", {8, 64, 56, 56}),
                                     "c"),
                             {true});
        };
        const Program program = planned(3);
        const auto found = std::find_if(program.kernels.begin(), program.kernels.end(),
                                        [](const Kernel &kernel) { return kernel.isConvolution(); });
        QVERIFY(found != program.kernels.end() && found->convolution()->sizes.isChannelsLast);
        QCOMPARE(found->convolution()->sizes.input[1], std::int64_t(4));
        QCOMPARE(found->convolution()->sizes.weight[1], std::int64_t(4));
        QCOMPARE(found->convolution()->sizes.inputStrides, (Shape{12544, 1, 224, 4}));
        // Of one channel three quarters would be zeros.
        const Program one = planned(1);
        QVERIFY(std::none_of(one.kernels.begin(), one.kernels.end(), [](const Kernel &kernel) {
            return kernel.isConvolution() && kernel.convolution()->sizes.isChannelsLast;
        }));
    }

    void betweenConvolutionsChannelsStayLast() {
        const Program program = programOf(pairGraph(), {true});
        QCOMPARE(program.unsupported, QString());
        // Copies of the image and of both filters, two calls with bias and ReLU in the first, and back to
        // torch's order.
        QCOMPARE(program.kernels.size(), 6U);
        const Kernel &image = program.kernels[0];
        QCOMPARE(image.stores[0].address.steps.back(), std::int64_t(1));
        QCOMPARE(image.inputs[0].address.steps.back(), std::int64_t(3136));
        const Kernel &first = program.kernels[2];
        QVERIFY(first.isConvolution());
        QVERIFY(first.convolution()->sizes.isChannelsLast);
        QCOMPARE(first.convolution()->sizes.inputStrides, (Shape{200704, 1, 3584, 64}));
        QCOMPARE(first.stores[0].address.steps, (std::vector<std::int64_t>{401408, 1, 7168, 128}));
        QVERIFY(first.epilogue()->bias >= 0);
        QCOMPARE(first.epilogue()->activation, EpilogueActivation::Relu);
        const Kernel &second = program.kernels[4];
        QCOMPARE(second.inputs[0].buffer, first.stores[0].buffer);
        const Kernel &back = program.kernels[5];
        QCOMPARE(back.inputs[0].buffer, second.stores[0].buffer);
        QCOMPARE(back.stores[0].buffer, program.outputs[0]);
        QCOMPARE(back.inputs[0].address.steps, (std::vector<std::int64_t>{200704, 1, 64}));
        QCOMPARE(back.stores[0].address.steps, (std::vector<std::int64_t>{200704, 3136, 1}));
        // Without the choice: two calls.
        QCOMPARE(programOf(pairGraph()).kernels.size(), 2U);
    }

    void theTextsSayTheOrder() {
        const ReferenceGraph graph = pairGraph();
        const Program program = programOf(graph, {true});
        const CandidateTexts files = candidateFiles(program, tf32(program));
        const QByteArray call = files.at("kernels/convolution_1.cu");
        QVERIFY(call.contains("kFilterStrides[] = {576, 1, 192, 64}"));
        QVERIFY(call.contains("kInputStrides[] = {200704, 1, 3584, 64}"));
        QVERIFY(call.contains("kResultStrides[] = {401408, 1, 7168, 128}"));
        QVERIFY(files.at("kernels/forward_binding.cpp").contains("{32, 56, 56, 64}, ScalarType::Float)"));
        const QByteArray transposed = files.at("kernels/fused_pointwise_1.cu");
        QVERIFY(transposed.contains("xTile[k][threadIdx.x % TILE_ROWS] = x[i0 * 200704 + i1 + c * 3136];"));
        QVERIFY(transposed.contains("xTile[threadIdx.x % TILE_COLUMNS][k]"));
        QVERIFY(transposed.contains("kTiles = 32 * kRowTiles<TILE_ROWS> * kColumnTiles<TILE_COLUMNS>"));
        QVERIFY(files.at("kernels/convolution_1.cpp").contains("cblas_sgemm"));
        // A copy is memory that the forward allocates, and no argument.
        QVERIFY(files.at("model_new.py").contains("cuda_extension.forward(x, w, v, b, self.CONFIG_1,"));
    }

    void aKernelWithStridedReadsIsTransposedThroughTiles() {
        const Program program = programOf(pairGraph(), {true});
        const auto tiled = transposeTileOf(program.kernels[0]);
        QVERIFY(tiled);
        QCOMPARE(tiled->across, std::size_t(1));
        QCOMPARE(tiled->inputs, (std::set<int>{0}));
        QVERIFY(!transposeTileOf(program.kernels[2])); // a library's kernel
        // Nine taps are fewer than a tile has.
        QVERIFY(!transposeTileOf(program.kernels[1]));
    }

    void aTileHoldsAllOfAShortLoop() {
        // Interleaved groups become planes: {columns, groups} -> {groups, columns}.
        const auto transposed = [](std::int64_t groups, std::int64_t columns) {
            Kernel kernel;
            kernel.device = h200();
            kernel.loops = {groups, columns};
            kernel.outer = 1;
            const int x = kernel.load({0, ElementType::Float32, {0, {1, groups}}, {}, 0});
            kernel.stores.push_back({x, 1, ElementType::Float32, {0, {columns, 1}}});
            kernel.finish();
            return kernel;
        };
        const Kernel twelve = transposed(12, 640'000);
        const auto tiled = transposeTileOf(twelve);
        QVERIFY(tiled);
        QCOMPARE(tileSizes(twelve, *tiled), (std::vector<TileSize>{{128, 16}, {256, 16}}));
        QVERIFY(!transposeTileOf(transposed(4, 640'000))); // is unrolled
        QVERIFY(!transposeTileOf(transposed(12, 200)));    // too few columns for a tile of them
        const Kernel square = transposed(64, 640'000);
        QCOMPARE(tileSizes(square, *transposeTileOf(square)).front(), (TileSize{64, 64}));
    }

    void isAMoveWhereTheLibraryWouldReorder() {
        const ReferenceGraph graph = pairGraph();
        const Program program = programOf(graph, withoutClusters());
        const Target cuda{.memoryBytesASecond = 4e12};
        // Floats without TF32 do not use tensor cores, and a CPU has none.
        QVERIFY(programMovesFrom(graph, program, plainKnobs(program), cuda).empty());
        QVERIFY(programMovesFrom(graph, program, tf32(program), {CpuTarget{2}, 2e10}).empty());
        const auto moves = programMovesFrom(graph, program, tf32(program), cuda);
        QCOMPARE(moves.size(), 1U);
        QCOMPARE(moves[0].move, QString("channels-last"));
        QVERIFY(moves[0].reason.contains("2 of 2"));
        QVERIFY(*moves[0].prediction.timeRatio < 1);
        QVERIFY(moves[0].program);
        QCOMPARE(moves[0].knobSets.size(), moves[0].program->kernels.size());
        QVERIFY(moves[0].knobSets[2].usesTf32); // carried over
        QVERIFY(!moves[0].knobSets[0].usesTf32);
        QVERIFY(programMovesFrom(graph, *moves[0].program, moves[0].knobSets, cuda).empty());
        // The move with the largest expected gain comes first, of both kinds.
        QCOMPARE(allMovesFrom(graph, program, plainKnobs(program), cuda)[0].move, QString("tf32"));
    }

    void theAgentGoesOnFromTheOtherPlan() {
        const Scratch scratch;
        const QByteArray beside =
            node("s", "tanh.default", "%x", {32, 64, 56, 56}); // whose loads can be wide
        scratch.write("graph.json", pair(beside, "y, s"));
        scratch.write("playbook/read_reference.py", "cat '" + scratch.path().toUtf8() + "/graph.json'\n");
        PlaybookAgent agent({QStringLiteral("/bin/sh"), scratch.path(), true, {withoutClusters()}, {}, {}});
        AgentRequest request;
        request.device = "cuda:0";
        request.proposal = "p1";
        request.texts = {{"model.py", "m\n"}, {"model_new.py", "n\n"}};
        QStringList moves;
        for (int i = 0; i < 12; ++i) {
            QSignalSpy proposed(&agent, &Agent::proposed);
            QSignalSpy done(&agent, &Agent::done);
            agent.propose(request);
            QTRY_VERIFY(proposed.count() + done.count() > 0);
            if (proposed.isEmpty())
                break;
            const auto proposal = proposed[0][0].value<Proposal>();
            moves << proposal.move;
            const bool isLast = proposal.proposed.contains("kernels/fused_pointwise_1.cu");
            QCOMPARE(isLast, moves.contains("channels-last"));
            request.texts = proposal.proposed;
            request.feedback = {{QStringLiteral("p1"), Feedback::Outcome::Applied, {}, {}, {}}};
        }
        QCOMPARE(moves.mid(0, 3), (QStringList{"fuse", "tf32", "channels-last"}));
        QCOMPARE(moves.count("channels-last"), 1);
        QVERIFY(moves.size() > 3);
    }

    void whoWorksAloneBeginsWithTheOtherPlan_data() {
        QTest::addColumn<bool>("isTaken");       // the first text
        QTest::addColumn<bool>("isUsualBetter"); // the usual program, which is tried after it
        QTest::newRow("it stays") << true << false;
        QTest::newRow("the usual one is better") << true << true;
        QTest::newRow("it is refused") << false << true;
    }
    void whoWorksAloneBeginsWithTheOtherPlan() {
        QFETCH(bool, isTaken);
        QFETCH(bool, isUsualBetter);
        const Scratch scratch;
        scratch.write("graph.json", pair());
        scratch.write("playbook/read_reference.py", "cat '" + scratch.path().toUtf8() + "/graph.json'\n");
        PlaybookAgent agent({QStringLiteral("/bin/sh"),
                             scratch.path(),
                             true,
                             {withoutClusters()},
                             PlaybookPace::AllAtOnce,
                             {},
                             {}});
        AgentRequest request;
        request.device = "cuda:0";
        request.proposal = "p1";
        request.texts = {{"model.py", "m\n"}, {"model_new.py", "n\n"}};
        QStringList moves;
        for (int i = 0; i < 12; ++i) {
            QSignalSpy proposed(&agent, &Agent::proposed);
            QSignalSpy done(&agent, &Agent::done);
            agent.propose(request);
            QTRY_VERIFY(proposed.count() + done.count() > 0);
            if (proposed.isEmpty())
                break;
            const auto proposal = proposed[0][0].value<Proposal>();
            moves << proposal.move;
            const bool isApplied = i == 0   ? isTaken
                                   : i == 1 ? isUsualBetter
                                            : proposal.move != QLatin1String("channels-last");
            // With channels last an image is brought into that order first.
            if (i < 2)
                QCOMPARE(proposal.proposed.contains("kernels/fused_pointwise_1.cu"), i == 0);
            if (isApplied)
                request.texts = proposal.proposed;
            request.feedback = {{QStringLiteral("p1"),
                                 isApplied ? Feedback::Outcome::Applied : Feedback::Outcome::Rejected,
                                 {},
                                 {},
                                 {}}};
        }
        QCOMPARE(moves.first(), QString("fuse"));
        QCOMPARE(moves.value(1), isTaken ? QString("usual-plan") : QString("fuse"));
        QCOMPARE(moves.count("usual-plan"), isTaken ? 1 : 0);
        QCOMPARE(moves.count("channels-last"), 0); // it was part of the first text
    }
};

QObject *makeTestChannelsLast() {
    return new TestChannelsLast;
}

#include "tst_channels_last.moc"
