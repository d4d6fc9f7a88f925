// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/torch/candidate_text.h"
#include "agent/playbook/ir/graph_json.h"
#include "agent/playbook/lowering/plan_of_graph.h"
#include "agent/playbook/playbook_agent.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/tuning/plan_moves.h"
#include "tests/playbook/written_graph.h"
#include "tests/toolchain/scratch.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

/// Convolutions whose images lie with channels last, the passes around them, and the move that leads there.
class TestChannelsLast : public QObject {
    Q_OBJECT

    // Of 3x3 taps. `operands`: the image, the filters, and the bias or null.
    static QByteArray convolution(const QByteArray &name, const QByteArray &operands, const Shape &shape) {
        return node(name, "convolution.default", operands + ", [1, 1], [1, 1], [1, 1], false, [0, 0], 1",
                    shape);
    }
    // Two of them, with bias and ReLU between.
    static QByteArray pair(const QByteArray &more = {}, const QByteArray &outputs = "y") {
        return graphText(leaf("x", {32, 64, 56, 56}) + leaf("w", {128, 64, 3, 3}) +
                             leaf("v", {64, 128, 3, 3}) + leaf("b", {128}) +
                             convolution("c", "%x, %w, %b", {32, 128, 56, 56}) +
                             node("r", "relu.default", "%c", {32, 128, 56, 56}) +
                             convolution("y", "%r, %v, null", {32, 64, 56, 56}) + more,
                         outputs);
    }
    static ReferenceGraph pairGraph() { return readReferenceGraph(pair()).value(); }
    static std::vector<KernelTuning> tf32(const KernelPlan &plan) {
        std::vector<KernelTuning> tunings = plainTunings(plan);
        for (std::size_t i = 0; i < tunings.size(); ++i)
            tunings[i].usesTf32 = plan.kernels[i].anchor != Anchor::None;
        return tunings;
    }

private slots:
    void threeChannelsGetAFourthOfZeros() {
        const auto planned = [](std::int64_t channels) {
            return planOf(graphOf(leaf("x", {8, channels, 56, 56}) + leaf("w", {64, channels, 3, 3}) +
                                      convolution("c", "%x, %w, null", {8, 64, 56, 56}),
                                  "c"),
                          {true});
        };
        const KernelPlan plan = planned(3);
        const auto found =
            std::find_if(plan.kernels.begin(), plan.kernels.end(),
                         [](const FusedKernel &kernel) { return kernel.anchor == Anchor::Convolution; });
        QVERIFY(found != plan.kernels.end() && found->convolution.isChannelsLast);
        QCOMPARE(found->convolution.input[1], std::int64_t(4));
        QCOMPARE(found->convolution.weight[1], std::int64_t(4));
        QCOMPARE(found->convolution.inputStrides, (Shape{12544, 1, 224, 4}));
        // One channel would be three times as many zeros.
        const KernelPlan one = planned(1);
        QVERIFY(std::none_of(one.kernels.begin(), one.kernels.end(), [](const FusedKernel &kernel) {
            return kernel.anchor == Anchor::Convolution && kernel.convolution.isChannelsLast;
        }));
    }

    void betweenConvolutionsChannelsStayLast() {
        const KernelPlan plan = planOf(pairGraph(), {true});
        QCOMPARE(plan.cannot, QString());
        // The image, two sets of filters, two calls with bias and ReLU in the first, and back to torch's
        // order.
        QCOMPARE(plan.kernels.size(), 6U);
        const FusedKernel &image = plan.kernels[0];
        QCOMPARE(image.stores[0].address.steps.back(), std::int64_t(1));
        QCOMPARE(image.leaves[0].address.steps.back(), std::int64_t(3136));
        const FusedKernel &first = plan.kernels[2];
        QCOMPARE(first.anchor, Anchor::Convolution);
        QVERIFY(first.convolution.isChannelsLast);
        QCOMPARE(first.convolution.inputStrides, (Shape{200704, 1, 3584, 64}));
        QCOMPARE(first.stores[0].address.steps, (std::vector<std::int64_t>{401408, 1, 7168, 128}));
        QVERIFY(first.epilogue.bias >= 0);
        QCOMPARE(first.epilogue.activation, EpilogueActivation::Relu);
        const FusedKernel &second = plan.kernels[4];
        QCOMPARE(second.leaves[0].buffer, first.stores[0].buffer);
        const FusedKernel &back = plan.kernels[5];
        QCOMPARE(back.leaves[0].buffer, second.stores[0].buffer);
        QCOMPARE(back.stores[0].buffer, plan.outputs[0]);
        QCOMPARE(back.leaves[0].address.steps, (std::vector<std::int64_t>{200704, 1, 64}));
        QCOMPARE(back.stores[0].address.steps, (std::vector<std::int64_t>{200704, 3136, 1}));
        // Without the choice: two calls.
        QCOMPARE(planOf(pairGraph()).kernels.size(), 2U);
    }

    void theTextsSayTheOrder() {
        const ReferenceGraph graph = pairGraph();
        const KernelPlan plan = planOf(graph, {true});
        const CandidateTexts files = candidateFiles(plan, tf32(plan));
        const QByteArray call = files.at("kernels/convolution_1.cu");
        QVERIFY(call.contains("kFilterSteps[] = {576, 1, 192, 64}"));
        QVERIFY(call.contains("kInputSteps[] = {200704, 1, 3584, 64}"));
        QVERIFY(call.contains("kResultSteps[] = {401408, 1, 7168, 128}"));
        QVERIFY(files.at("kernels/forward_binding.cpp").contains("{32, 56, 56, 64}, ScalarType::Float)"));
        const QByteArray turned = files.at("kernels/fused_pointwise_1.cu");
        QVERIFY(turned.contains("xTile[k][threadIdx.x % ACROSS] = x[i0 * 200704 + i1 + c * 3136];"));
        QVERIFY(turned.contains("xTile[threadIdx.x % COLUMNS][k]"));
        QVERIFY(turned.contains("kTiles = 32 * kTilesAcross<ACROSS> * kTilesAlong<COLUMNS>"));
        QVERIFY(files.at("kernels/convolution_1.cpp").contains("cblas_sgemm"));
        // What was copied is memory of the forward's own, and no argument.
        QVERIFY(files.at("model_new.py").contains("cuda_extension.forward(x, w, v, b, self.CONFIG_1,"));
    }

    void aKernelIsTiledWhereItReadsAcross() {
        const KernelPlan plan = planOf(pairGraph(), {true});
        const auto tiled = tiledLoopsOf(plan.kernels[0]);
        QVERIFY(tiled);
        QCOMPARE(tiled->across, std::size_t(1));
        QCOMPARE(tiled->leaves, (std::set<int>{0}));
        QVERIFY(!tiledLoopsOf(plan.kernels[2])); // a library's
        // Nine taps are fewer than a tile has.
        QVERIFY(!tiledLoopsOf(plan.kernels[1]));
    }

    void aTileHoldsAllOfAShortLoop() {
        // Groups side by side become planes: {columns, groups} -> {groups, columns}.
        const auto turned = [](std::int64_t groups, std::int64_t columns) {
            FusedKernel kernel;
            kernel.loops = {groups, columns};
            kernel.outer = 1;
            const int x = kernel.load({0, ElementType::Float32, {0, {1, groups}}, {}, 0});
            kernel.stores.push_back({x, 1, ElementType::Float32, {0, {columns, 1}}});
            kernel.finish();
            return kernel;
        };
        const FusedKernel twelve = turned(12, 640'000);
        const auto tiled = tiledLoopsOf(twelve);
        QVERIFY(tiled);
        QCOMPARE(tileSizes(twelve, *tiled), (std::vector<TileSize>{{128, 16}, {256, 16}}));
        QVERIFY(!tiledLoopsOf(turned(4, 640'000))); // is unrolled
        QVERIFY(!tiledLoopsOf(turned(12, 200)));    // too few columns for a tile of them
        const FusedKernel square = turned(64, 640'000);
        QCOMPARE(tileSizes(square, *tiledLoopsOf(square)).front(), (TileSize{64, 64}));
    }

    void isAMoveWhereTheLibraryWouldReorder() {
        const ReferenceGraph graph = pairGraph();
        const KernelPlan plan = planOf(graph);
        const PlaybookDevice cuda{true, 2, 4e12};
        // Plain floats are no matter of matrix units, and a CPU has none.
        QVERIFY(planMovesFrom(graph, plan, plainTunings(plan), cuda).empty());
        QVERIFY(planMovesFrom(graph, plan, tf32(plan), {false, 2, 2e10}).empty());
        const auto moves = planMovesFrom(graph, plan, tf32(plan), cuda);
        QCOMPARE(moves.size(), 1U);
        QCOMPARE(moves[0].move, QString("channels-last"));
        QVERIFY(moves[0].reason.contains("2 of 2"));
        QVERIFY(*moves[0].prediction.timeRatio < 1);
        QVERIFY(moves[0].plan);
        QCOMPARE(moves[0].tunings.size(), moves[0].plan->kernels.size());
        QVERIFY(moves[0].tunings[2].usesTf32); // carried over
        QVERIFY(!moves[0].tunings[0].usesTf32);
        QVERIFY(planMovesFrom(graph, *moves[0].plan, moves[0].tunings, cuda).empty());
        // The one that promises most comes first, of both kinds.
        QCOMPARE(allMovesFrom(graph, plan, plainTunings(plan), cuda)[0].move, QString("tf32"));
    }

    void theAgentGoesOnFromTheOtherPlan() {
        const Scratch scratch;
        const QByteArray beside =
            node("s", "tanh.default", "%x", {32, 64, 56, 56}); // whose loads can be wide
        scratch.write("graph.json", pair(beside, "y, s"));
        scratch.write("playbook/read_reference.py", "cat '" + scratch.path().toUtf8() + "/graph.json'\n");
        PlaybookAgent agent({QStringLiteral("/bin/sh"), scratch.path(), true, {}, {}, {}});
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
        QTest::addColumn<bool>("isUsualBetter"); // the usual plan, which is tried after it
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
        PlaybookAgent agent(
            {QStringLiteral("/bin/sh"), scratch.path(), true, {}, PlaybookPace::AllAtOnce, {}, {}});
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
            // With channels last an image is brought into their order first.
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
