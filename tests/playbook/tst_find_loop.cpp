// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/ir/program.h"
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/recurrence/find_loop.h"
#include "agent/playbook/recurrence/hoist_matmuls.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

#include <algorithm>

using namespace warpwright;

namespace {

QByteArray number(int value) {
    return QByteArray::number(value);
}

// A cell by hand: state = tanh(input(x[t]) + weight(state)), `timeSteps` of them. `otherStep`: another
// operator takes the place of tanh there; `second`: from this time step on another weight.
QByteArray cell(int timeSteps, const QByteArray &last, int otherStep = -1, int second = -1) {
    QByteArray nodes =
        input("x", {timeSteps, 4, 6}) + parameter("input", {6, 8}) + parameter("weight", {8, 8}) +
        (second < 0 ? QByteArray() : parameter("other", {8, 8})) + node("zeros", "full", "[4, 8], 0", {4, 8});
    for (int timeStep = 0; timeStep < timeSteps; ++timeStep) {
        const QByteArray t = number(timeStep);
        const QByteArray before = timeStep == 0 ? QByteArray("zeros") : "state" + number(timeStep - 1);
        nodes += node("given" + t, "select.int", "%x, 0, " + t, {4, 6}) +
                 node("fed" + t, "mm", "%given" + t + ", %input", {4, 8}) +
                 node("kept" + t, "mm",
                      "%" + before + (second >= 0 && timeStep >= second ? ", %other" : ", %weight"), {4, 8}) +
                 node("sum" + t, "add.Tensor", "%fed" + t + ", %kept" + t, {4, 8}) +
                 node("twice" + t, "mul.Tensor", "%sum" + t + ", 2", {4, 8}) +
                 node("less" + t, "sub.Tensor", "%twice" + t + ", 1", {4, 8}) +
                 node("state" + t, timeStep == otherStep ? "sigmoid" : "tanh", "%less" + t, {4, 8});
    }
    return nodes + last;
}

QByteArray concatenatedStates(int timeSteps) {
    QByteArray names;
    for (int timeStep = 0; timeStep < timeSteps; ++timeStep)
        names += (timeStep == 0 ? "%state" : ", %state") + number(timeStep);
    return node("joined", "cat", "[" + names + "], 0", {timeSteps * 4, 8}) +
           node("y", "view", "%joined, " + listOf({timeSteps, 4, 8}), {timeSteps, 4, 8});
}

// The same as one operator, whose time step is a graph's text: what all time steps have left, and what the
// last one has.
QByteArray writtenCell(int timeSteps, const QByteArray &last) {
    const QByteArray timeStep = graphText(
        input("state", {4, 8}) + input("given", {4, 8}) + input("weight", {8, 8}) +
            node("kept", "mm", "%state, %weight", {4, 8}) +
            node("sum", "add.Tensor", "%given, %kept", {4, 8}) + node("next", "tanh", "%sum", {4, 8}),
        "next");
    const QByteArray text = QByteArray::fromStdString(Json(timeStep.toStdString()).dump());
    QByteArray loop =
        node("loop", "loop", "[%zeros], [%fed], [%weight], " + number(timeSteps) + ", \"turn\"", {});
    loop.replace("\"turn\"", text)
        .replace("aten.loop", "warpwright.loop.default")
        .replace("\"shape\":[]", "\"none\":[]");
    return input("x", {timeSteps * 4, 6}) + parameter("input", {6, 8}) + parameter("weight", {8, 8}) +
           node("zeros", "full", "[4, 8], 0", {4, 8}) +
           node("product", "mm", "%x, %input", {timeSteps * 4, 8}) +
           node("fed", "view", "%product, " + listOf({timeSteps, 4, 8}), {timeSteps, 4, 8}) + loop + last;
}

QString bindingOf(const Program &program) {
    for (const auto &[path, text] : candidateFiles(program, plainKnobs(program)))
        if (path.endsWith(QLatin1String("_binding.cpp")))
            return QString::fromUtf8(text);
    return {};
}

} // namespace

class TestFindLoop : public QObject {
    Q_OBJECT

private slots:
    void findsTimeStepsAndTheirStates() {
        const auto found = findRecurrentLoop(graphOf(cell(40, concatenatedStates(40)), "y"));
        QVERIFY(found);
        QCOMPARE(found->timeSteps, 40);
        QCOMPARE(found->period, 7);
        QCOMPARE(found->positions, std::vector<int>{6});
        QVERIFY(found->areCarried[0]);
        std::vector<TimeStepInput::Kind> kinds;
        for (const TimeStepInput &input : found->inputs)
            kinds.push_back(input.kind);
        QCOMPARE(std::count(kinds.begin(), kinds.end(), TimeStepInput::Kind::Slice), 1);
        QCOMPARE(std::count(kinds.begin(), kinds.end(), TimeStepInput::Kind::Invariant), 2);
        QCOMPARE(std::count(kinds.begin(), kinds.end(), TimeStepInput::Kind::Carried), 1);
    }

    void fewTimeStepsStayUnrolled() {
        QVERIFY(!findRecurrentLoop(graphOf(cell(7, concatenatedStates(7)), "y")));
    }

    // A time step that does something else ends the loop: 20 of the others are too few nodes.
    void aTimeStepWithAnotherOperatorEndsTheLoop() {
        QVERIFY(!findRecurrentLoop(graphOf(cell(40, concatenatedStates(40), 20), "y")));
        const auto found = findRecurrentLoop(graphOf(cell(60, concatenatedStates(60), 10), "y"));
        QVERIFY(found);
        QVERIFY(found->timeSteps >= 48 && found->timeSteps <= 49);
    }

    // Two loops that say the same, one right after the other.
    void anotherWeightIsAnotherLoop() {
        const QByteArray nodes = cell(100, concatenatedStates(100), -1, 50);
        const auto found = findRecurrentLoop(graphOf(nodes, "y"));
        QVERIFY(found);
        QCOMPARE(found->timeSteps, 50);
        const Program program = programOf(graphOf(nodes, "y"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.timeLoops.size(), 2U);
    }

    // The last slice is shorter, though its mean has the same shape: the slices are no window that moves.
    void slicesOfOtherSizesAreNoTimeStep() {
        QByteArray nodes = input("x", {16 * 70 + 10, 8}) + node("zeros", "full", "[1, 8], 0", {1, 8});
        for (int timeStep = 0; timeStep <= 70; ++timeStep) {
            const QByteArray t = number(timeStep);
            const int rows = timeStep < 70 ? 16 : 10;
            nodes +=
                node("part" + t, "slice.Tensor",
                     "%x, 0, " + number(16 * timeStep) + ", " + number(16 * timeStep + rows), {rows, 8}) +
                node("mean" + t, "mean.dim", "%part" + t + ", [0], true", {1, 8}) +
                node("half" + t, "mul.Tensor",
                     (timeStep == 0 ? "%zeros" : "%state" + number(timeStep - 1)) + ", 0.5", {1, 8}) +
                node("sum" + t, "add.Tensor", "%half" + t + ", %mean" + t, {1, 8}) +
                node("state" + t, "tanh", "%sum" + t, {1, 8});
        }
        const auto found = findRecurrentLoop(graphOf(nodes, "state70"));
        QVERIFY(found);
        QCOMPARE(found->timeSteps, 70);
    }

    // A tensor before the first time step's state in a concat does not become a time step itself.
    void aConcatHoldsMoreThanTimeSteps() {
        QByteArray names = "%zeros";
        for (int timeStep = 0; timeStep < 90; ++timeStep)
            names += ", %state" + number(timeStep);
        const Program program =
            programOf(graphOf(cell(90, node("y", "cat", "[" + names + "], 0", {91 * 4, 8})), "y"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.timeLoops.size(), 1U);
        QVERIFY(program.kernels.back().steps.size() < 20);
    }

    void oneMatmulOfAllInputsComesBeforeTheLoop() {
        const ReferenceGraph graph = graphOf(cell(40, concatenatedStates(40)), "y");
        const auto found = findRecurrentLoop(graph);
        QVERIFY(found);
        const ReferenceGraph lifted = hoistMatmuls(graph, *found);
        const auto isLarge = [](const GraphNode &node) {
            return node.op == QLatin1String("mm") && node.shape == Shape{160, 8};
        };
        QCOMPARE(std::count_if(lifted.nodes.begin(), lifted.nodes.end(), isLarge), 1);
        const auto again = findRecurrentLoop(lifted);
        QVERIFY(again);
        QCOMPARE(hoistMatmuls(lifted, *again), lifted);
    }

    void timeStepsAreLaunchedInALoop() {
        const Program program = programOf(graphOf(cell(40, concatenatedStates(40)), "y"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.timeLoops.size(), 1U);
        QCOMPARE(program.timeLoops[0].timeSteps, 40);
        QCOMPARE(program.timeLoops[0].count, 2U); // a matmul and its pointwise consumer
        const QString text = bindingOf(program);
        QVERIFY2(text.contains("for (std::int64_t timeStep = 0; timeStep < 40; ++timeStep) {"),
                 qPrintable(text));
        QVERIFY(text.contains("timeStep * 32")); // a state of 4 x 8: 32 elements further at each time step
        double once = 0;
        for (const Kernel &kernel : program.kernels)
            once += kernel.bytes();
        QVERIFY(program.bytes() > 2 * once);
    }

    // As the reader leaves a loop of a thousand time steps: one operator.
    void aLoopOperatorIsPlannedAsItsTimeStep() {
        const QByteArray all = node("y", "getitem", "%loop, 1", {1024, 4, 8});
        const QByteArray last = node("y", "getitem", "%loop, 0", {4, 8});
        const Program program = programOf(graphOf(writtenCell(1024, all), "y"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.timeLoops.size(), 1U);
        QCOMPARE(program.timeLoops[0].timeSteps, 1024);
        QCOMPARE(program.timeLoops[0].count, 2U);
        QVERIFY(
            bindingOf(program).contains("for (std::int64_t timeStep = 0; timeStep < 1024; ++timeStep) {"));
        const Program once = programOf(graphOf(writtenCell(1024, last), "y"));
        QCOMPARE(once.unsupported, QString());
        QVERIFY(bindingOf(once).contains("{2, 32}")); // the states lie in a ring of two
    }

    // A time step that no family takes is the reason why there is no program, not a crash.
    void aLoopOperatorWithAnUnknownOperatorIsRefused() {
        QByteArray nodes = writtenCell(64, node("y", "getitem", "%loop, 0", {4, 8}));
        nodes.replace("aten.tanh", "aten.unheard_of");
        const Program program = programOf(graphOf(nodes, "y"));
        QVERIFY2(program.unsupported.contains("unheard_of"), qPrintable(program.unsupported));
    }

    // Nothing else reads the states in between: a ring of two is enough.
    void onlyTheLastStateNeedsNoHistory() {
        const Program program = programOf(graphOf(cell(41, node("y", "neg", "%state40", {4, 8})), "y"));
        QCOMPARE(program.unsupported, QString());
        const QString text = bindingOf(program);
        QVERIFY2(text.contains("{2, 32}"), qPrintable(text));
        QVERIFY(text.contains("timeStep % 2 * 32"));
        QVERIFY(text.contains("(timeStep + 1) % 2 * 32"));
    }
};

QObject *makeTestFindLoop() {
    return new TestFindLoop;
}

#include "tst_find_loop.moc"
