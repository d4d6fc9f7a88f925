// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/ir/program.h"
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/recurrence/cell_matmul.h"
#include "agent/playbook/recurrence/recurrence_mapping.h"
#include "agent/playbook/recurrence/stream_partition.h"
#include "agent/playbook/schedule/matmul/cell_matmul.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

using namespace warpwright;

namespace {

constexpr int timeSteps = 40;

QByteArray number(int value) {
    return QByteArray::number(value);
}

QByteArray stacked(const QByteArray &name, const QByteArray &states, const Shape &shape) {
    QByteArray names;
    for (int timeStep = 0; timeStep < timeSteps; ++timeStep)
        names += (timeStep == 0 ? "%" : ", %") + states + number(timeStep);
    Shape joined(shape.begin() + 1, shape.end());
    joined[0] *= timeSteps;
    return node(name + "Joined", "cat", "[" + names + "], 0", joined) +
           node(name, "view", "%" + name + "Joined, " + listOf(shape), shape);
}

// state = state * rate + x[t], of [4, 6, 16], and what leaves the loop is its sum over the last dimension.
// `mixed`: the next time step goes on from that sum, so each element needs its row's others.
QByteArray selected(bool isMixed = false) {
    QByteArray nodes = input("x", {timeSteps, 4, 6, 1}) + parameter("rate", {6, 16}) +
                       node("zeros", "full", "[4, 6, 16], 0", {4, 6, 16});
    for (int timeStep = 0; timeStep < timeSteps; ++timeStep) {
        const QByteArray t = number(timeStep);
        const QByteArray before = timeStep == 0 ? QByteArray("zeros") : "state" + number(timeStep - 1);
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
    return nodes + stacked("y", "out", {timeSteps, 4, 6});
}

// Two independent cells: state = tanh(x[t] + state @ weight), with 5 rows of 48 units.
QByteArray cells(const std::vector<QByteArray> &names) {
    QByteArray nodes = input("x", {timeSteps, 5, 48}) + node("zeros", "full", "[5, 48], 0", {5, 48});
    for (const QByteArray &name : names)
        nodes += parameter(name + "Weight", {48, 48});
    for (const QByteArray &name : names) {
        for (int timeStep = 0; timeStep < timeSteps; ++timeStep) {
            const QByteArray t = number(timeStep);
            const QByteArray before = timeStep == 0 ? QByteArray("zeros") : name + number(timeStep - 1);
            nodes += node(name + "Given" + t, "select.int", "%x, 0, " + t, {5, 48}) +
                     node(name + "Product" + t, "mm", "%" + before + ", %" + name + "Weight", {5, 48}) +
                     node(name + "Sum" + t, "add.Tensor",
                          "%" + name + "Given" + t + ", %" + name + "Product" + t, {5, 48}) +
                     node(name + "Half" + t, "mul.Tensor", "%" + name + "Sum" + t + ", 0.5", {5, 48}) +
                     node(name + "Less" + t, "sub.Tensor", "%" + name + "Half" + t + ", 0.1", {5, 48}) +
                     node(name + "Twice" + t, "mul.Tensor", "%" + name + "Less" + t + ", 2", {5, 48}) +
                     node(name + t, "tanh", "%" + name + "Twice" + t, {5, 48});
        }
        nodes += stacked(name + "All", name, {timeSteps, 5, 48});
    }
    return nodes;
}

QString textOf(const Program &program, const QString &end) {
    QString all;
    for (const auto &[path, text] : candidateFiles(program, plainKnobs(program)))
        if (path.endsWith(end))
            all += QString::fromUtf8(text);
    return all;
}

} // namespace

class TestRecurrences : public QObject {
    Q_OBJECT

private slots:
    void anUpdateAndItsRowSumsAreOnePersistentKernel() {
        const Program program = programOf(graphOf(selected(), "y"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.timeLoops.size(), 1U);
        QCOMPARE(program.timeLoops[0].count, 1U);
        const std::size_t position = program.timeLoops[0].first;
        QCOMPARE(persistentTimeSteps(program, position), timeSteps);
        const auto mapping = recurrenceMappingOf(program, position);
        QVERIFY(mapping);
        QCOMPARE(mapping->width * mapping->threadsPerRow * mapping->vecs, 16);
        const QString text = textOf(program, QStringLiteral(".cu"));
        QVERIFY2(text.contains(QLatin1String("stateNow = stateNext;")), qPrintable(text));
        QVERIFY(text.contains(QLatin1String("reduceRow(sum")));
    }

    // A sum over other rows needs their states: a launch for each time step.
    void rowsThatNeedOthersAreLaunchedForEachTimeStep() {
        const Program program = programOf(graphOf(selected(true), "y"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.timeLoops.size(), 1U);
        for (std::size_t i = 0; i < program.timeLoops[0].count; ++i)
            QCOMPARE(persistentTimeSteps(program, program.timeLoops[0].first + i), 1);
    }

    void whatDoesNotNeedEachOtherIsInBranches() {
        const Program program = programOf(graphOf(cells({"one", "two"}), "oneAll, twoAll"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.timeLoops.size(), 2U);
        const std::vector<ProgramSegment> segments = streamBranchesOf(program);
        QCOMPARE(streamBranchCount(segments), 2);
        std::vector<int> ofLoops;
        for (const ProgramSegment &segment : segments)
            for (const TimeLoop &timeLoop : program.timeLoops)
                if (segment.first == timeLoop.first)
                    ofLoops.push_back(segment.branch);
        QCOMPARE(ofLoops, (std::vector<int>{0, 1}));
        QVERIFY(textOf(program, QStringLiteral("_binding.cpp")).contains(QLatin1String("branches.fork();")));
        const Program alone = programOf(graphOf(cells({"one"}), "oneAll"));
        QCOMPARE(streamBranchCount(streamBranchesOf(alone)), 1);
        QVERIFY(!textOf(alone, QStringLiteral("_binding.cpp")).contains(QLatin1String("Branches")));
    }

    void aCellMatmulHasAnEpilogue() {
        const ReferenceGraph graph = graphOf(cells({"one"}), "oneAll");
        const Program usual = programOf(graph);
        QCOMPARE(usual.timeLoops[0].count, 2U);
        ProgramChoices choices;
        choices.hasSm90Matmuls = true;
        const Program program = programOf(graph, choices);
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.timeLoops[0].count, 1U);
        const Kernel &kernel = program.kernels[program.timeLoops[0].first];
        QVERIFY(isCellMatmul(kernel));
        QVERIFY(isSm90Matmul(kernel));
        QVERIFY(canBeCellMatmul(program, kernel));
        QCOMPARE(sumsOf(kernel).size(), 1U);
        QVERIFY(textOf(program, QStringLiteral(".cu")).contains(QLatin1String("mma.sync")));
        // Each block takes full tiles of rows, and as many accumulators as its warps have registers for.
        const CellTile tile = cellTile(kernel);
        QCOMPARE(tile.rows, 16);
        QVERIFY(tile.units % 4 == 0 && tile.units > 0);
    }

    void gatesAreSumsOfOneElement() {
        // The 192 columns are four gates of 48, from which a state of 48 is computed.
        QByteArray nodes = input("x", {timeSteps, 5, 192}) + parameter("weight", {48, 192}) +
                           node("zeros", "full", "[5, 48], 0", {5, 48});
        for (int timeStep = 0; timeStep < timeSteps; ++timeStep) {
            const QByteArray t = number(timeStep);
            const QByteArray before = timeStep == 0 ? QByteArray("zeros") : "state" + number(timeStep - 1);
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
        ProgramChoices choices;
        choices.hasSm90Matmuls = true;
        const Program program =
            programOf(graphOf(nodes + stacked("y", "state", {timeSteps, 5, 48}), "y"), choices);
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.timeLoops[0].count, 1U);
        const Kernel &kernel = program.kernels[program.timeLoops[0].first];
        QVERIFY(isCellMatmul(kernel));
        QCOMPARE(sumsOf(kernel).size(), 4U);
        QCOMPARE(kernel.loops, (Shape{5, 48, 48}));
        QCOMPARE(kernel.inputs[2].address.offset - kernel.inputs[1].address.offset, 48);
    }
};

QObject *makeTestRecurrences() {
    return new TestRecurrences;
}

#include "tst_recurrences.moc"
