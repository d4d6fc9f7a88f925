// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/parted_joins.h"
#include "agent/playbook/ir/kernel_plan.h"
#include "agent/playbook/lowering/plan_of_graph.h"
#include "agent/playbook/schedule/matmul/across_product.h"
#include "agent/playbook/schedule/own_convolution.h"
#include "agent/playbook/tuning/plan_moves.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace warpwright;

/// What is made simpler before, on the way to, and after a plan.
class TestPlanPasses : public QObject {
    Q_OBJECT

    static QByteArray name(const char *stem, int number) { return stem + QByteArray::number(number); }

private slots:
    void aSharedRunningSumIsComputedOnce() {
        // Each column of a table would run along the lengths again.
        const KernelPlan plan = planOf(graphOf(leaf("x", {64, 5000}) + leaf("l", {64}) +
                                                   node("s", "cumsum.default", "%l, 0", {64}) +
                                                   node("v", "view.default", "%s, [64, 1]", {64, 1}) +
                                                   node("y", "mul.Tensor", "%x, %v", {64, 5000}),
                                               "y"));
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.kernels.size(), 2U);
        QVERIFY(plan.kernels[0].hasScans());
        QVERIFY(!plan.kernels[1].hasScans());
        // Of rows of its own it stays with what follows.
        const KernelPlan own =
            planOf(graphOf(leaf("x", {64, 50}) + node("s", "cumsum.default", "%x, 1", {64, 50}) +
                               node("y", "exp.default", "%s", {64, 50}),
                           "y"));
        QCOMPARE(own.kernels.size(), 1U);
    }

    void aTriangleIsMultipliedInParts() {
        // What torch.tril is taken apart into.
        const auto planned = [](qint64 size, const char *comparison, ElementType type = ElementType::Int64) {
            const Shape square = {size, size};
            return planOf(graphOf(
                leaf("a", square) + leaf("b", square) +
                    node("i", "arange.start_step", "0, " + QByteArray::number(size), {size},
                         ElementType::Int64) +
                    node("r", "view.default", "%i, [-1, 1]", {size, 1}, ElementType::Int64) +
                    node("s", "_to_copy.default", "%r", {size, 1}, type) +
                    node("m", comparison, "%i, %s", square, ElementType::Bool) +
                    node("z", "full.default", "[], 0.0", {}) + node("t", "where.self", "%m, %a, %z", square) +
                    node("y", "mm.default", "%t, %b", square),
                "y"));
        };
        const KernelPlan plan = planned(4096, "le.Tensor");
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.kernels.size(), 5U); // the triangle, and four blocks of rows
        double work = 0;
        for (std::size_t i = 1; i < plan.kernels.size(); ++i) {
            const FusedKernel &part = plan.kernels[i];
            QCOMPARE(part.anchor, Anchor::Product);
            QCOMPARE(part.loops, (Shape{1024, 4096, std::int64_t(i) * 1024}));
            QCOMPARE(part.stores[0].address.offset, std::int64_t(i - 1) * 1024 * 4096);
            QCOMPARE(part.leaves[0].address.offset, std::int64_t(i - 1) * 1024 * 4096);
            QCOMPARE(part.leaves[1].address.offset, std::int64_t(0));
            work += part.operations();
        }
        QCOMPARE(work, 0.625 * 2 * std::pow(4096.0, 3));
        const KernelPlan upper = planned(4096, "gt.Tensor"); // above the diagonal: its last row is empty
        QCOMPARE(upper.kernels.back().loops, (Shape{1024, 4096, 1024}));
        QCOMPARE(upper.kernels.back().leaves[1].address.offset, std::int64_t(3072) * 4096);
        QCOMPARE(planned(1024, "le.Tensor").kernels.size(), 2U); // one would leave the device half empty
        QCOMPARE(planned(4096, "ne.Tensor").kernels.size(), 2U); // no triangle
        // Of a truth all counters but the first are one.
        QCOMPARE(planned(4096, "le.Tensor", ElementType::Float32).kernels.size(), 5U);
        QCOMPARE(planned(4096, "le.Tensor", ElementType::Bool).kernels.size(), 2U);
    }

    void aProductOfFewIsNoLibrarysCall_data() {
        QTest::addColumn<qint64>("inner");
        QTest::addColumn<qint64>("columns");
        QTest::addColumn<bool>("isComputed"); // what is multiplied
        QTest::addColumn<int>("kernels");
        QTest::addColumn<bool>("isLibrarys");
        QTest::newRow("colours") << qint64(3) << qint64(3) << true << 1 << false;
        QTest::newRow("coordinates") << qint64(2) << qint64(256) << false << 1 << false;
        QTest::newRow("what would be computed for each") << qint64(3) << qint64(256) << true << 2 << false;
        QTest::newRow("a product") << qint64(5) << qint64(64) << false << 1 << true;
    }
    void aProductOfFewIsNoLibrarysCall() {
        QFETCH(qint64, inner);
        QFETCH(qint64, columns);
        QFETCH(bool, isComputed);
        QFETCH(int, kernels);
        QFETCH(bool, isLibrarys);
        const Shape result = {100, columns};
        QByteArray nodes = leaf("x", {100, inner}) + leaf("w", {inner, columns});
        if (isComputed)
            nodes += node("e", "exp.default", "%x", {100, inner});
        nodes += node("p", "mm.default", isComputed ? "%e, %w" : "%x, %w", result) +
                 node("y", "relu.default", "%p", result);
        const KernelPlan plan = planOf(graphOf(nodes, "y"));
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(static_cast<int>(plan.kernels.size()), kernels);
        QCOMPARE(std::any_of(plan.kernels.begin(), plan.kernels.end(),
                             [](const FusedKernel &kernel) { return kernel.anchor == Anchor::Product; }),
                 isLibrarys);
    }

    void aCellsStateIsComputedOnce_data() {
        QTest::addColumn<qint64>("rows");
        QTest::addColumn<int>("mostRead"); // by one kernel
        QTest::newRow("a large one") << qint64(4096) << 4;
        QTest::newRow("one that a cache holds") << qint64(16) << 10;
    }
    void aCellsStateIsComputedOnce() {
        // Three gates of a product a turn: what the last state is made of is all that was ever multiplied.
        QFETCH(qint64, rows);
        QFETCH(int, mostRead);
        const Shape state = {rows, 1024};
        QByteArray nodes = leaf("h0", state) + leaf("c0", state) + parameter("w", {1024, 3072});
        for (int turn = 1; turn <= 3; ++turn) {
            const QByteArray before = QByteArray::number(turn - 1);
            nodes += node(name("p", turn), "mm.default", "%h" + before + ", %w", {rows, 3072});
            for (int gate = 0; gate < 3; ++gate)
                nodes += node(QByteArray(1, "abc"[gate]) + QByteArray::number(turn) + "s", "slice.Tensor",
                              "%" + name("p", turn) + ", 1, " + QByteArray::number(1024 * gate) + ", " +
                                  QByteArray::number(1024 * (gate + 1)),
                              state);
            const QByteArray now = QByteArray::number(turn);
            nodes += node(name("f", turn), "mul.Tensor", "%a" + now + "s, %c" + before, state) +
                     node(name("i", turn), "mul.Tensor", "%b" + now + "s, %c" + now + "s", state) +
                     node(name("c", turn), "add.Tensor", "%f" + now + ", %i" + now, state) +
                     node(name("h", turn), "tanh.default", "%c" + now, state);
        }
        const KernelPlan plan = planOf(graphOf(nodes, "h3"));
        QCOMPARE(plan.cannot, QString());
        std::size_t most = 0;
        for (const FusedKernel &kernel : plan.kernels)
            most = std::max(most, kernel.leaves.size());
        QCOMPARE(static_cast<int>(most), mostRead);
    }

    void aLoopOfFewRoundsIsWrittenOut() {
        // Each coordinate of a point that is turned needs all three: a thread makes them together.
        const Shape points = {200'000, 3};
        const KernelPlan plan = planOf(
            graphOf(leaf("x", points) + leaf("w", {3, 3}) + node("e", "tanh.default", "%x", points) +
                        node("p", "mm.default", "%e, %w", points) + node("y", "tanh.default", "%p", points),
                    "y"));
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.kernels.size(), 1U);
        QCOMPARE(plan.kernels[0].stores.size(), 3U);
        QCOMPARE(plan.kernels[0].loops, Shape{200'000});
    }

    void dozensOfPartsAreJoinedInSteps() {
        const auto joined = [](int parts) {
            QByteArray nodes = leaf("x", {parts, 8});
            QByteArray items;
            for (int i = 0; i < parts; ++i) {
                nodes += node(name("p", i), "slice.Tensor",
                              "%x, 0, " + QByteArray::number(i) + ", " + QByteArray::number(i + 1), {1, 8});
                items += (i > 0 ? ", %" : "%") + name("p", i);
            }
            return graphOf(nodes + node("y", "cat.default", "[" + items + "], 0", {parts, 8}), "y");
        };
        const ReferenceGraph few = joined(24);
        QCOMPARE(withPartedJoins(few), few);
        const ReferenceGraph many = joined(30);
        const ReferenceGraph apart = withPartedJoins(many);
        QCOMPARE(apart.nodes.size(), many.nodes.size() + 3);
        QCOMPARE(apart.nodes.back().arguments[0].items.size(), 3U);
        QCOMPARE(apart.nodes.back().shape, (Shape{30, 8}));
        QCOMPARE(apart.nodes[apart.nodes.size() - 2].shape, (Shape{6, 8}));
        QCOMPARE(planOf(many).cannot, QString());
    }

    void turnsLeaveTheirStatesInTheResult() {
        constexpr int turns = 120;
        QByteArray nodes = leaf("x", {16, turns, 32}) + parameter("k", {32}) +
                           node("zeros", "full", "[16, 32], 0", {16, 32});
        QByteArray items;
        for (int t = 0; t < turns; ++t) {
            const QByteArray number = QByteArray::number(t);
            const QByteArray before = t == 0 ? QByteArray("zeros") : name("state", t - 1);
            nodes += node("given" + number, "select.int", "%x, 1, " + number, {16, 32}) +
                     node("kept" + number, "mul.Tensor", "%" + before + ", %k", {16, 32}) +
                     node("state" + number, "add.Tensor", "%kept" + number + ", %given" + number, {16, 32}) +
                     node("wide" + number, "unsqueeze", "%state" + number + ", 1", {16, 1, 32});
            items += (t > 0 ? ", %" : "%") + name("wide", t);
        }
        const KernelPlan plan =
            planOf(graphOf(nodes + node("y", "cat.default", "[" + items + "], 1", {16, turns, 32}), "y"));
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.repeats.size(), 1U);
        QCOMPARE(plan.repeats[0].turns, std::int64_t(turns));
        // The first state, and a turn; no pass over all states.
        QCOMPARE(plan.kernels.size(), 2U);
        const FusedKernel &turn = plan.kernels[plan.repeats[0].first];
        QCOMPARE(turn.stores.size(), 2U);
        const auto windowOf = [&plan](int buffer) {
            return plan.buffers[static_cast<std::size_t>(buffer)].window;
        };
        QCOMPARE(windowOf(turn.stores[0].buffer).ring, 2);
        QCOMPARE(windowOf(turn.stores[1].buffer).ring, 0);
        QCOMPARE(windowOf(turn.stores[1].buffer).buffer, plan.outputs[0]);
        QCOMPARE(windowOf(turn.stores[1].buffer).step, std::int64_t(32));
    }

    void smallKernelsOverTheSameLoopsAreOneLaunch() {
        const auto planned = [](std::int64_t size) {
            const Shape shape = {size};
            return planOf(graphOf(leaf("a", shape) + leaf("b", shape) +
                                      node("y", "exp.default", "%a", shape) +
                                      node("z", "sin.default", "%b", shape),
                                  "y, z"));
        };
        QCOMPARE(planned(1000).kernels.size(), 1U);
    }

    void zerosAreWrittenBehindRowsThatHaveRoom() {
        const KernelPlan plan = planOf(graphOf(leaf("x", {2048, 511}) + leaf("w", {511, 520}) +
                                                   node("t", "tanh.default", "%x", {2048, 511}) +
                                                   node("y", "mm.default", "%t, %w", {2048, 520}),
                                               "y"));
        QCOMPARE(plan.cannot, QString());
        const auto product =
            std::find_if(plan.kernels.begin(), plan.kernels.end(),
                         [](const FusedKernel &kernel) { return kernel.anchor == Anchor::Product; });
        QVERIFY(product != plan.kernels.end());
        QCOMPARE(product->loops.back(), 512);
        const int first = product->leaves[0].buffer;
        std::vector<std::int64_t> written; // elements, by kernel
        for (const FusedKernel &kernel : plan.kernels)
            if (kernel.stores[0].buffer == first)
                written.push_back(kernel.rows() * kernel.columns());
        QCOMPARE(written, (std::vector<std::int64_t>{2048 * 511, 2048}));
    }
};

QObject *makeTestPlanPasses() {
    return new TestPlanPasses;
}

#include "tst_plan_passes.moc"
