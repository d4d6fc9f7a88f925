// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/program.h"
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/schedule/register_cache.h"
#include "agent/playbook/schedule/row_scan.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

#include <algorithm>

using namespace warpwright;

/// Reductions over rows with one read, or one pass, less than the reference has.
class TestRowPasses : public QObject {
    Q_OBJECT

    /// log_softmax(x) over the last dimension as "l", as torch decomposes it.
    static QByteArray logSoftmax(const Shape &shape) {
        const Shape row = {shape[0], 1};
        return input("x", shape) + node("m", "amax.default", "%x, [-1], true", row) +
               node("d", "sub.Tensor", "%x, %m", shape) + node("e", "exp.default", "%d", shape) +
               node("s", "sum.dim_IntList", "%e, [-1], true", row) + node("g", "log.default", "%s", row) +
               node("l", "sub.Tensor", "%d, %g", shape);
    }

    static Program plannedRays(qint64 rays, const QByteArray &begin, bool isForCpu = false) {
        const Shape all = {rays, 192};
        ProgramChoices choices;
        choices.isForCpu = isForCpu;
        return programOf(
            graphOf(
                input("x", all) + input("w", all) + node("e", "sigmoid.default", "%x", all) +
                    node("p", "cumprod.default", "%e, -1", all) +
                    node("f", "slice.Tensor", "%p, 1, 0, 1", {rays, 1}, ElementType::Float32, {192, 1}) +
                    node("o", "full_like.default", "%f, " + begin, {rays, 1}) +
                    node("b", "slice.Tensor", "%p, 1, 0, -1", {rays, 191}, ElementType::Float32, {192, 1}) +
                    node("c", "cat.default", "[%o, %b], -1", all) + node("q", "mul.Tensor", "%c, %w", all) +
                    node("y", "sum.dim_IntList", "%q, [1]", {rays}),
                "y"),
            choices);
    }

    static int count(const Kernel &kernel, Opcode op) {
        return static_cast<int>(std::count_if(kernel.steps.begin(), kernel.steps.end(),
                                              [op](const KernelStep &step) { return step.op == op; }));
    }

private slots:
    void aLogSoftmaxsSumKnowsNoLogarithm() {
        const Shape shape = {300, 501};
        const Program entropy = programOf(graphOf(logSoftmax(shape) + node("p", "exp.default", "%l", shape) +
                                                      node("t", "mul.Tensor", "%p, %l", shape) +
                                                      node("y", "sum.dim_IntList", "%t, [-1]", {300}) +
                                                      node("z", "amax.default", "%p, [-1]", {300}),
                                                  "y, z"));
        QCOMPARE(entropy.unsupported, QString());
        QCOMPARE(entropy.kernels.size(), 1U);
        QCOMPARE(entropy.kernels[0].passCount(), 2); // the largest, and both sums
        QCOMPARE(count(entropy.kernels[0], Opcode::RowMaximum), 1);
        QCOMPARE(count(entropy.kernels[0], Opcode::RowSum), 2);
        const Program labels = programOf(graphOf(input("t", shape) + logSoftmax(shape) +
                                                     node("q", "mul.Tensor", "%t, %l", shape) +
                                                     node("y", "sum.dim_IntList", "%q, [-1]", {300}),
                                                 "y"));
        QCOMPARE(labels.kernels[0].passCount(), 2);
        QCOMPARE(count(labels.kernels[0], Opcode::RowSum), 3);
        // What depends on the probabilities needs another pass anyway.
        const Program focus = programOf(graphOf(logSoftmax(shape) + node("p", "exp.default", "%l", shape) +
                                                    node("f", "sin.default", "%p", shape) +
                                                    node("t", "mul.Tensor", "%f, %l", shape) +
                                                    node("y", "sum.dim_IntList", "%t, [-1]", {300}),
                                                "y"));
        QCOMPARE(focus.kernels[0].passCount(), 3);
        QCOMPARE(count(focus.kernels[0], Opcode::RowSum), 2);
    }

    void aDifferenceFromAnyRowsValueStays() {
        // Far from 0 hardly more than rounding would be left.
        const Shape shape = {300, 501};
        const Program program = programOf(graphOf(
            input("x", shape) + input("t", shape) + node("m", "mean.dim", "%x, [-1], true", {300, 1}) +
                node("d", "sub.Tensor", "%x, %m", shape) + node("q", "mul.Tensor", "%t, %d", shape) +
                node("y", "sum.dim_IntList", "%q, [-1]", {300}),
            "y"));
        QCOMPARE(program.kernels[0].passCount(), 2);
    }

    void whatRunsAlongIsSummedByItsKernel() {
        const Program program = plannedRays(5000, "1.0");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        const Kernel &kernel = program.kernels[0];
        QVERIFY(rowScanOf(kernel).has_value());
        QCOMPARE(count(kernel, Opcode::ScanExclusive), 1);
        QCOMPARE(count(kernel, Opcode::Select), 0); // a product begins with 1
        QCOMPARE(kernel.bytes(), 5000.0 * (2 * 192 + 1) * 4);
        QCOMPARE(count(plannedRays(5000, "2.0").kernels[0], Opcode::Select), 1);
        QCOMPARE(plannedRays(5000, "1.0", true).kernels.size(), 2U);
    }

    void aProductScanBehindAOneIsExclusive() {
        const auto planned = [](const QByteArray &number, qint64 cut) {
            const Shape all = {5000, 192};
            return programOf(graphOf(input("x", all) + node("e", "sigmoid.default", "%x", all) +
                                         node("o", "full.default", "[5000, 1], " + number, {5000, 1}) +
                                         node("c", "cat.default", "[%o, %e], -1", {5000, 193}) +
                                         node("p", "cumprod.default", "%c, -1", {5000, 193}) +
                                         node("b", "slice.Tensor", "%p, 1, 0, " + QByteArray::number(cut),
                                              {5000, 193 + cut}, ElementType::Float32, {193, 1}) +
                                         node("y", "sum.dim_IntList", "%b, [1]", {5000}),
                                     "y"));
        };
        QCOMPARE(planned("1.0", -1).kernels.size(), 1U);
        QCOMPARE(count(planned("1.0", -1).kernels[0], Opcode::ScanExclusive), 1);
        for (const Program &other : {planned("2.0", -1), planned("1.0", -2)})
            for (const Kernel &kernel : other.kernels)
                QCOMPARE(count(kernel, Opcode::ScanExclusive), 0);
    }

    void aLongSumIsFormedByTheKernelOfItsPartialSums_data() {
        QTest::addColumn<qint64>("rows");
        QTest::addColumn<int>("kernels");
        QTest::newRow("larger than registers and caches") << qint64(2000) << 3;
        QTest::newRow("little to read") << qint64(1000) << 2;
    }
    void aLongSumIsFormedByTheKernelOfItsPartialSums() {
        QFETCH(qint64, rows);
        QFETCH(int, kernels);
        const Shape all = {3, rows, 1000};
        const Program program = programOf(graphOf(
            input("x", all) + node("q", "mul.Tensor", "%x, %x", all) +
                node("s", "sum.dim_IntList", "%q, [1, 2], true", {3, 1, 1}) +
                node("r", "sqrt.default", "%s", {3, 1, 1}) + node("y", "div.Tensor", "%x, %r", all) +
                node("a", "abs.default", "%x", all) + node("z", "sum.dim_IntList", "%a, [2]", {3, rows}),
            "y, z"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(static_cast<int>(program.kernels.size()), kernels);
        const auto reads = std::count_if(program.kernels.begin(), program.kernels.end(),
                                         [](const Kernel &kernel) { return kernel.passCount() > 1; });
        QCOMPARE(static_cast<int>(reads), kernels == 2 ? 1 : 0);
    }

    void cachedHalvesStayHalves_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<bool>("isAround"); // a softmax's exponential, which is cached instead
        QTest::addColumn<int>("halves");
        QTest::newRow("halves") << int(ElementType::Float16) << false << 1;
        QTest::newRow("floats") << int(ElementType::Float32) << false << 2;
        QTest::newRow("halves that something is made of") << int(ElementType::Float16) << true << 2;
    }
    void cachedHalvesStayHalves() {
        QFETCH(int, type);
        QFETCH(bool, isAround);
        QFETCH(int, halves);
        const Shape shape = {600, 1024};
        const QByteArray begin =
            input("h", shape, {}, ElementType(type)) + node("x", "_to_copy.default", "%h", shape);
        const QByteArray norm = node("q", "mul.Tensor", "%x, %x", shape) +
                                node("s", "sum.dim_IntList", "%q, [-1], true", {600, 1}) +
                                node("y", "mul.Tensor", "%x, %s", shape);
        const QByteArray softmax =
            node("m", "amax.default", "%x, [-1], true", {600, 1}) + node("d", "sub.Tensor", "%x, %m", shape) +
            node("e", "exp.default", "%d", shape) + node("s", "sum.dim_IntList", "%e, [-1], true", {600, 1}) +
            node("y", "div.Tensor", "%e, %s", shape);
        const Program program = programOf(graphOf(begin + (isAround ? softmax : norm), "y"));
        QCOMPARE(program.unsupported, QString());
        Knobs knobs;
        knobs.hasWideLoads = knobs.isPersistent = true;
        const ThreadMapping mapping = threadMappingOf(program.kernels[0], knobs);
        QCOMPARE(cachedHalves(program.kernels[0], mapping, 8), halves);
        QCOMPARE(cachedAsLoaded(program.kernels[0], mapping, 8).empty(), halves == 2);
    }
};

QObject *makeTestRowPasses() {
    return new TestRowPasses;
}

#include "tst_row_passes.moc"
