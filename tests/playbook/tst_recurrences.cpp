// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/torch/candidate_text.h"
#include "agent/playbook/ir/kernel_plan.h"
#include "agent/playbook/ir/product_terms.h"
#include "agent/playbook/lowering/plan_of_graph.h"
#include "agent/playbook/recurrence/plan_branches.h"
#include "agent/playbook/recurrence/recurrence_sharing.h"
#include "agent/playbook/recurrence/turn_product.h"
#include "agent/playbook/schedule/matmul/cell_matmul.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

using namespace warpwright;

namespace {

constexpr int turns = 40;

QByteArray number(int value) {
    return QByteArray::number(value);
}

QByteArray stacked(const QByteArray &name, const QByteArray &states, const Shape &shape) {
    QByteArray names;
    for (int turn = 0; turn < turns; ++turn)
        names += (turn == 0 ? "%" : ", %") + states + number(turn);
    Shape joined(shape.begin() + 1, shape.end());
    joined[0] *= turns;
    return node(name + "Joined", "cat", "[" + names + "], 0", joined) +
           node(name, "view", "%" + name + "Joined, " + listOf(shape), shape);
}

// state = state * rate + x[t], of [4, 6, 16], and what leaves the loop is its sum over the last dimension.
// `mixed`: the next turn goes on from all of a row's sum, which its elements need.
QByteArray selected(bool isMixed = false) {
    QByteArray nodes = leaf("x", {turns, 4, 6, 1}) + parameter("rate", {6, 16}) +
                       node("zeros", "full", "[4, 6, 16], 0", {4, 6, 16});
    for (int turn = 0; turn < turns; ++turn) {
        const QByteArray t = number(turn);
        const QByteArray before = turn == 0 ? QByteArray("zeros") : "state" + number(turn - 1);
        nodes += node("given" + t, "select.int", "%x, 0, " + t, {4, 6, 1});
        if (isMixed)
            nodes += node("all" + t, "sum.dim_IntList", "%" + before + ", [1], true", {4, 1, 16}) +
                     node("kept" + t, "mul.Tensor", "%all" + t + ", %rate", {4, 6, 16});
        else
            nodes += node("kept" + t, "mul.Tensor", "%" + before + ", %rate", {4, 6, 16});
        nodes += node("waved" + t, "sin", "%kept" + t, {4, 6, 16}) +
                 node("less" + t, "sub.Tensor", "%waved" + t + ", 0.5", {4, 6, 16}) +
                 node("half" + t, "mul.Tensor", "%less" + t + ", 0.5", {4, 6, 16}) +
                 node("state" + t, "add.Tensor", "%half" + t + ", %given" + t, {4, 6, 16}) +
                 node("out" + t, "sum.dim_IntList", "%state" + t + ", [2], false", {4, 6});
    }
    return nodes + stacked("y", "out", {turns, 4, 6});
}

// Two cells that know nothing of each other: state = tanh(x[t] + state @ weight), with 5 rows of 48 units.
QByteArray cells(const std::vector<QByteArray> &names) {
    QByteArray nodes = leaf("x", {turns, 5, 48}) + node("zeros", "full", "[5, 48], 0", {5, 48});
    for (const QByteArray &name : names)
        nodes += parameter(name + "Weight", {48, 48});
    for (const QByteArray &name : names) {
        for (int turn = 0; turn < turns; ++turn) {
            const QByteArray t = number(turn);
            const QByteArray before = turn == 0 ? QByteArray("zeros") : name + number(turn - 1);
            nodes += node(name + "Given" + t, "select.int", "%x, 0, " + t, {5, 48}) +
                     node(name + "Product" + t, "mm", "%" + before + ", %" + name + "Weight", {5, 48}) +
                     node(name + "Sum" + t, "add.Tensor",
                          "%" + name + "Given" + t + ", %" + name + "Product" + t, {5, 48}) +
                     node(name + "Half" + t, "mul.Tensor", "%" + name + "Sum" + t + ", 0.5", {5, 48}) +
                     node(name + "Less" + t, "sub.Tensor", "%" + name + "Half" + t + ", 0.1", {5, 48}) +
                     node(name + "Twice" + t, "mul.Tensor", "%" + name + "Less" + t + ", 2", {5, 48}) +
                     node(name + t, "tanh", "%" + name + "Twice" + t, {5, 48});
        }
        nodes += stacked(name + "All", name, {turns, 5, 48});
    }
    return nodes;
}

QString textOf(const KernelPlan &plan, const QString &end) {
    QString all;
    for (const auto &[path, text] : candidateFiles(plan, plainTunings(plan)))
        if (path.endsWith(end))
            all += QString::fromUtf8(text);
    return all;
}

} // namespace

class TestRecurrences : public QObject {
    Q_OBJECT

private slots:
    void anUpdateAndItsRowsSumsAreOneKernelWithAllTurns() {
        const KernelPlan plan = planOf(graphOf(selected(), "y"));
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.repeats.size(), 1U);
        QCOMPARE(plan.repeats[0].count, 1U);
        const std::size_t place = plan.repeats[0].first;
        QCOMPARE(turnsInside(plan, place), turns);
        const auto sharing = recurrenceSharingOf(plan, place);
        QVERIFY(sharing);
        QCOMPARE(sharing->width * sharing->lanes * sharing->packs, 16);
        const QString text = textOf(plan, QStringLiteral(".cu"));
        QVERIFY2(text.contains(QLatin1String("stateNow = stateThen;")), qPrintable(text));
        QVERIFY(text.contains(QLatin1String("meet(sum")));
    }

    // A row's sum over other rows needs them: a launch for each turn.
    void rowsThatNeedOthersAreLaunchedTurnByTurn() {
        const KernelPlan plan = planOf(graphOf(selected(true), "y"));
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.repeats.size(), 1U);
        for (std::size_t i = 0; i < plan.repeats[0].count; ++i)
            QCOMPARE(turnsInside(plan, plan.repeats[0].first + i), 1);
    }

    void whatDoesNotNeedEachOtherIsInBranches() {
        const KernelPlan plan = planOf(graphOf(cells({"one", "two"}), "oneAll, twoAll"));
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.repeats.size(), 2U);
        const std::vector<PlanStretch> stretches = branchesOf(plan);
        QCOMPARE(branchCount(stretches), 2);
        std::vector<int> ofLoops;
        for (const PlanStretch &stretch : stretches)
            for (const PlanRepeat &repeat : plan.repeats)
                if (stretch.first == repeat.first)
                    ofLoops.push_back(stretch.branch);
        QCOMPARE(ofLoops, (std::vector<int>{0, 1}));
        QVERIFY(textOf(plan, QStringLiteral("_binding.cpp")).contains(QLatin1String("branches.fork();")));
        const KernelPlan alone = planOf(graphOf(cells({"one"}), "oneAll"));
        QCOMPARE(branchCount(branchesOf(alone)), 1);
        QVERIFY(!textOf(alone, QStringLiteral("_binding.cpp")).contains(QLatin1String("Branches")));
    }

    void aTurnsProductGoesOnWithItsSums() {
        const ReferenceGraph graph = graphOf(cells({"one"}), "oneAll");
        const KernelPlan usual = planOf(graph);
        QCOMPARE(usual.repeats[0].count, 2U);
        PlanChoices choices;
        choices.hasOwnProducts = true;
        const KernelPlan plan = planOf(graph, choices);
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.repeats[0].count, 1U);
        const FusedKernel &kernel = plan.kernels[plan.repeats[0].first];
        QVERIFY(isTurnProduct(kernel));
        QVERIFY(isOwnProduct(kernel));
        QVERIFY(canBeTurnProduct(plan, kernel));
        QCOMPARE(sumsOf(kernel).size(), 1U);
        QVERIFY(textOf(plan, QStringLiteral(".cu")).contains(QLatin1String("mma.sync")));
        // Each block takes whole tiles of rows, and sums enough for its warps' registers.
        const TurnTile tile = turnTile(kernel);
        QCOMPARE(tile.rows, 16);
        QVERIFY(tile.units % 4 == 0 && tile.units > 0);
    }

    void gatesAreSumsOfOneElement() {
        // Four parts of 192 columns, of which a state of 48 is made.
        QByteArray nodes = leaf("x", {turns, 5, 192}) + parameter("weight", {48, 192}) +
                           node("zeros", "full", "[5, 48], 0", {5, 48});
        for (int turn = 0; turn < turns; ++turn) {
            const QByteArray t = number(turn);
            const QByteArray before = turn == 0 ? QByteArray("zeros") : "state" + number(turn - 1);
            nodes += node("given" + t, "select.int", "%x, 0, " + t, {5, 192}) +
                     node("product" + t, "mm", "%" + before + ", %weight", {5, 192}) +
                     node("sum" + t, "add.Tensor", "%given" + t + ", %product" + t, {5, 192});
            for (const char *gate : {"a", "b", "c", "d"}) {
                const int begin = 48 * (*gate - 'a');
                nodes += node(gate + t, "slice.Tensor",
                              "%sum" + t + ", 1, " + number(begin) + ", " + number(begin + 48), {5, 48},
                              ElementType::Float32, {192, 1});
            }
            nodes += node("ab" + t, "mul.Tensor", "%a" + t + ", %b" + t, {5, 48}) +
                     node("cd" + t, "mul.Tensor", "%c" + t + ", %d" + t, {5, 48}) +
                     node("state" + t, "add.Tensor", "%ab" + t + ", %cd" + t, {5, 48});
        }
        PlanChoices choices;
        choices.hasOwnProducts = true;
        const KernelPlan plan = planOf(graphOf(nodes + stacked("y", "state", {turns, 5, 48}), "y"), choices);
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.repeats[0].count, 1U);
        const FusedKernel &kernel = plan.kernels[plan.repeats[0].first];
        QVERIFY(isTurnProduct(kernel));
        QCOMPARE(sumsOf(kernel).size(), 4U);
        QCOMPARE(kernel.loops, (Shape{5, 48, 48}));
        QCOMPARE(kernel.leaves[2].address.offset - kernel.leaves[1].address.offset, 48);
    }
};

QObject *makeTestRecurrences() {
    return new TestRecurrences;
}

#include "tst_recurrences.moc"
