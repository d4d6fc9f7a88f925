// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/torch/candidate_text.h"
#include "agent/playbook/ir/kernel_plan.h"
#include "agent/playbook/lowering/plan_of_graph.h"
#include "agent/playbook/recurrence/graph_repetition.h"
#include "agent/playbook/recurrence/lifted_products.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

#include <algorithm>

using namespace warpwright;

namespace {

QByteArray number(int value) {
    return QByteArray::number(value);
}

// A cell by hand: state = tanh(input(x[t]) + weight(state)), `turns` of it. `otherTurn`: another operator
// takes the place of tanh there; `second`: from this turn on another weight.
QByteArray cell(int turns, const QByteArray &last, int otherTurn = -1, int second = -1) {
    QByteArray nodes = leaf("x", {turns, 4, 6}) + parameter("input", {6, 8}) + parameter("weight", {8, 8}) +
                       (second < 0 ? QByteArray() : parameter("other", {8, 8})) +
                       node("zeros", "full", "[4, 8], 0", {4, 8});
    for (int turn = 0; turn < turns; ++turn) {
        const QByteArray t = number(turn);
        const QByteArray before = turn == 0 ? QByteArray("zeros") : "state" + number(turn - 1);
        nodes += node("given" + t, "select.int", "%x, 0, " + t, {4, 6}) +
                 node("fed" + t, "mm", "%given" + t + ", %input", {4, 8}) +
                 node("kept" + t, "mm",
                      "%" + before + (second >= 0 && turn >= second ? ", %other" : ", %weight"), {4, 8}) +
                 node("sum" + t, "add.Tensor", "%fed" + t + ", %kept" + t, {4, 8}) +
                 node("twice" + t, "mul.Tensor", "%sum" + t + ", 2", {4, 8}) +
                 node("less" + t, "sub.Tensor", "%twice" + t + ", 1", {4, 8}) +
                 node("state" + t, turn == otherTurn ? "sigmoid" : "tanh", "%less" + t, {4, 8});
    }
    return nodes + last;
}

QByteArray joinedStates(int turns) {
    QByteArray names;
    for (int turn = 0; turn < turns; ++turn)
        names += (turn == 0 ? "%state" : ", %state") + number(turn);
    return node("joined", "cat", "[" + names + "], 0", {turns * 4, 8}) +
           node("y", "view", "%joined, " + listOf({turns, 4, 8}), {turns, 4, 8});
}

// The same as one operator, whose turn is a graph's text: what all turns have left, and what the last one
// has.
QByteArray writtenCell(int turns, const QByteArray &last) {
    const QByteArray turn = graphText(leaf("state", {4, 8}) + leaf("given", {4, 8}) + leaf("weight", {8, 8}) +
                                          node("kept", "mm", "%state, %weight", {4, 8}) +
                                          node("sum", "add.Tensor", "%given, %kept", {4, 8}) +
                                          node("next", "tanh", "%sum", {4, 8}),
                                      "next");
    const QByteArray text = QByteArray::fromStdString(Json(turn.toStdString()).dump());
    QByteArray loop =
        node("loop", "loop", "[%zeros], [%fed], [%weight], " + number(turns) + ", \"turn\"", {});
    loop.replace("\"turn\"", text)
        .replace("aten.loop", "warpwright.loop.default")
        .replace("\"shape\":[]", "\"none\":[]");
    return leaf("x", {turns * 4, 6}) + parameter("input", {6, 8}) + parameter("weight", {8, 8}) +
           node("zeros", "full", "[4, 8], 0", {4, 8}) + node("product", "mm", "%x, %input", {turns * 4, 8}) +
           node("fed", "view", "%product, " + listOf({turns, 4, 8}), {turns, 4, 8}) + loop + last;
}

QString bindingOf(const KernelPlan &plan) {
    for (const auto &[path, text] : candidateFiles(plan, plainTunings(plan)))
        if (path.endsWith(QLatin1String("_binding.cpp")))
            return QString::fromUtf8(text);
    return {};
}

} // namespace

class TestGraphRepetition : public QObject {
    Q_OBJECT

private slots:
    void findsTurnsAndWhatGoesFromOneToTheNext() {
        const auto found = findRepetition(graphOf(cell(40, joinedStates(40)), "y"));
        QVERIFY(found);
        QCOMPARE(found->turns, 40);
        QCOMPARE(found->period, 7);
        QCOMPARE(found->positions, std::vector<int>{6});
        QVERIFY(found->areCarried[0]);
        std::vector<TurnLeaf::Kind> kinds;
        for (const TurnLeaf &leaf : found->leaves)
            kinds.push_back(leaf.kind);
        QCOMPARE(std::count(kinds.begin(), kinds.end(), TurnLeaf::Kind::Part), 1);
        QCOMPARE(std::count(kinds.begin(), kinds.end(), TurnLeaf::Kind::Whole), 2);
        QCOMPARE(std::count(kinds.begin(), kinds.end(), TurnLeaf::Kind::Carried), 1);
    }

    void fewTurnsStayAsTheyAre() { QVERIFY(!findRepetition(graphOf(cell(7, joinedStates(7)), "y"))); }

    // A turn that does something else ends the loop: 20 turns of the others are too few nodes.
    void anotherOperatorInOneTurnIsNoTurn() {
        QVERIFY(!findRepetition(graphOf(cell(40, joinedStates(40), 20), "y")));
        const auto found = findRepetition(graphOf(cell(60, joinedStates(60), 10), "y"));
        QVERIFY(found);
        QVERIFY(found->turns >= 48 && found->turns <= 49);
    }

    // Two loops that say the same, one right after the other.
    void anotherWeightIsAnotherLoop() {
        const QByteArray nodes = cell(100, joinedStates(100), -1, 50);
        const auto found = findRepetition(graphOf(nodes, "y"));
        QVERIFY(found);
        QCOMPARE(found->turns, 50);
        const KernelPlan plan = planOf(graphOf(nodes, "y"));
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.repeats.size(), 2U);
    }

    // The last part is shorter, and its mean is of the same shape: no window of that size moves on.
    void partsOfOtherSizesAreNoTurn() {
        QByteArray nodes = leaf("x", {16 * 70 + 10, 8}) + node("zeros", "full", "[1, 8], 0", {1, 8});
        for (int turn = 0; turn <= 70; ++turn) {
            const QByteArray t = number(turn);
            const int rows = turn < 70 ? 16 : 10;
            nodes += node("part" + t, "slice.Tensor",
                          "%x, 0, " + number(16 * turn) + ", " + number(16 * turn + rows), {rows, 8}) +
                     node("mean" + t, "mean.dim", "%part" + t + ", [0], true", {1, 8}) +
                     node("half" + t, "mul.Tensor",
                          (turn == 0 ? "%zeros" : "%state" + number(turn - 1)) + ", 0.5", {1, 8}) +
                     node("sum" + t, "add.Tensor", "%half" + t + ", %mean" + t, {1, 8}) +
                     node("state" + t, "tanh", "%sum" + t, {1, 8});
        }
        const auto found = findRepetition(graphOf(nodes, "state70"));
        QVERIFY(found);
        QCOMPARE(found->turns, 70);
    }

    // What stands before the first turn's state in a join does not make parts of all the others.
    void aJoinHoldsMoreThanTurns() {
        QByteArray names = "%zeros";
        for (int turn = 0; turn < 90; ++turn)
            names += ", %state" + number(turn);
        const KernelPlan plan =
            planOf(graphOf(cell(90, node("y", "cat", "[" + names + "], 0", {91 * 4, 8})), "y"));
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.repeats.size(), 1U);
        QVERIFY(plan.kernels.back().steps.size() < 20);
    }

    void oneProductOfAllInputsComesBeforeTheTurns() {
        const ReferenceGraph graph = graphOf(cell(40, joinedStates(40)), "y");
        const auto found = findRepetition(graph);
        QVERIFY(found);
        const ReferenceGraph lifted = withProductsBeforeTurns(graph, *found);
        const auto isLarge = [](const GraphNode &node) {
            return node.op == QLatin1String("mm") && node.shape == Shape{160, 8};
        };
        QCOMPARE(std::count_if(lifted.nodes.begin(), lifted.nodes.end(), isLarge), 1);
        const auto again = findRepetition(lifted);
        QVERIFY(again);
        QCOMPARE(withProductsBeforeTurns(lifted, *again), lifted);
    }

    void turnsAreLaunchedInALoop() {
        const KernelPlan plan = planOf(graphOf(cell(40, joinedStates(40)), "y"));
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.repeats.size(), 1U);
        QCOMPARE(plan.repeats[0].turns, 40);
        QCOMPARE(plan.repeats[0].count, 2U); // a product and what is done to it
        const QString text = bindingOf(plan);
        QVERIFY2(text.contains("for (std::int64_t turn = 0; turn < 40; ++turn) {"), qPrintable(text));
        QVERIFY(text.contains("turn * 32")); // a state of 4 x 8 is 32 elements further on each turn
        double once = 0;
        for (const FusedKernel &kernel : plan.kernels)
            once += kernel.bytes();
        QVERIFY(plan.bytes() > 2 * once);
    }

    // As the reader leaves a loop of a thousand turns: one operator.
    void aLoopThatIsWrittenAsSuchIsPlannedAsItsTurn() {
        const QByteArray all = node("y", "getitem", "%loop, 1", {1024, 4, 8});
        const QByteArray last = node("y", "getitem", "%loop, 0", {4, 8});
        const KernelPlan plan = planOf(graphOf(writtenCell(1024, all), "y"));
        QCOMPARE(plan.cannot, QString());
        QCOMPARE(plan.repeats.size(), 1U);
        QCOMPARE(plan.repeats[0].turns, 1024);
        QCOMPARE(plan.repeats[0].count, 2U);
        QVERIFY(bindingOf(plan).contains("for (std::int64_t turn = 0; turn < 1024; ++turn) {"));
        const KernelPlan once = planOf(graphOf(writtenCell(1024, last), "y"));
        QCOMPARE(once.cannot, QString());
        QVERIFY(bindingOf(once).contains("{2, 32}")); // two places of memory for the states
    }

    // A turn that no family takes is the reason why there is no plan, not a crash.
    void aWrittenTurnThatIsNoGraphIsRefused() {
        QByteArray nodes = writtenCell(64, node("y", "getitem", "%loop, 0", {4, 8}));
        nodes.replace("aten.tanh", "aten.unheard_of");
        const KernelPlan plan = planOf(graphOf(nodes, "y"));
        QVERIFY2(plan.cannot.contains("unheard_of"), qPrintable(plan.cannot));
    }

    // Nothing else reads the states in between: two places of memory do.
    void onlyTheLastStateNeedsNoHistory() {
        const KernelPlan plan = planOf(graphOf(cell(41, node("y", "neg", "%state40", {4, 8})), "y"));
        QCOMPARE(plan.cannot, QString());
        const QString text = bindingOf(plan);
        QVERIFY2(text.contains("{2, 32}"), qPrintable(text));
        QVERIFY(text.contains("turn % 2 * 32"));
        QVERIFY(text.contains("(turn + 1) % 2 * 32"));
    }
};

QObject *makeTestGraphRepetition() {
    return new TestGraphRepetition;
}

#include "tst_graph_repetition.moc"
