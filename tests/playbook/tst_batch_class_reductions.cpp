// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/program.h"
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/schedule/thread_mapping.h"
#include "tests/playbook/all_knobs.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

#include <algorithm>

using namespace warpwright;

/// Sums for each of a few classes: when a thread accumulates them together, and how a block reduces them.
class TestBatchClassReductions : public QObject {
    Q_OBJECT

private slots:
    void sumsOfFewClassesAreFormedSideBySide_data() {
        QTest::addColumn<qint64>("classes");
        QTest::addColumn<qint64>("elements");
        QTest::addColumn<bool>("isBeside");
        QTest::newRow("few") << qint64(5) << qint64(200'000) << true;
        QTest::newRow("many") << qint64(20) << qint64(200'000) << false;
        QTest::newRow("in the caches") << qint64(5) << qint64(20'000) << false;
    }
    void sumsOfFewClassesAreFormedSideBySide() {
        // A softmax over the classes, and for each class sums of it, and of it under a mask.
        QFETCH(qint64, classes);
        QFETCH(qint64, elements);
        QFETCH(bool, isBeside);
        const Shape whole = {8, classes, elements};
        const Shape one = {8, 1, elements};
        const Program program = programOf(
            graphOf(input("x", whole) + input("m", one) + node("a", "amax.default", "%x, [1], true", one) +
                        node("d", "sub.Tensor", "%x, %a", whole) + node("e", "exp.default", "%d", whole) +
                        node("s", "sum.dim_IntList", "%e, [1], true", one) +
                        node("p", "div.Tensor", "%e, %s", whole) + node("w", "mul.Tensor", "%p, %m", whole) +
                        node("y", "sum.dim_IntList", "%w, [2], false", {8, classes}) +
                        node("t", "sum.dim_IntList", "%p, [2], false", {8, classes}),
                    "y, t"));
        QCOMPARE(program.unsupported, QString());
        const Kernel &first = program.kernels.front();
        const auto sums = std::count_if(first.steps.begin(), first.steps.end(),
                                        [](const KernelStep &step) { return isReduction(step.op); });
        QCOMPARE(sums == 2 * classes && first.columns() > classes, isBeside);
        if (!isBeside)
            return;
        // Partial sums, which lie in one buffer, and their sums.
        QCOMPARE(program.kernels.size(), 2U);
        QVERIFY(first.rows() >= 264);
        QCOMPARE(first.rows() * first.columns(), 8 * elements);
        for (const KernelStore &store : first.stores)
            QCOMPARE(store.buffer, first.stores.front().buffer);
        QCOMPARE(program.kernels[1].rows(), std::int64_t(8));
        QCOMPARE(program.kernels[1].columns(), first.rows() / 8);
    }

    void blocksReduceOnceForManySums_data() {
        QTest::addColumn<int>("sums");
        QTest::addColumn<std::int64_t>("rows");
        QTest::addColumn<std::int64_t>("columns");
        QTest::addColumn<bool>("isOnce");
        QTest::newRow("many") << 9 << std::int64_t(4000) << std::int64_t(9000) << true;
        QTest::newRow("of few rows") << 9 << std::int64_t(8) << std::int64_t(60) << true;
        QTest::newRow("few") << 8 << std::int64_t(4000) << std::int64_t(9000) << false;
        QTest::newRow("of rows of a warp") << 9 << std::int64_t(100'000) << std::int64_t(64) << false;
    }
    void blocksReduceOnceForManySums() {
        QFETCH(int, sums);
        QFETCH(std::int64_t, rows);
        QFETCH(std::int64_t, columns);
        QFETCH(bool, isOnce);
        Kernel kernel;
        kernel.device = h200();
        kernel.loops = {rows, columns};
        kernel.outer = 1;
        const int x = kernel.load({0, ElementType::Float32, {0, {columns, 1}}, {}, 0});
        for (int some = 0; some < sums; ++some) {
            const int power = kernel.add(Opcode::Multiply, ElementType::Float32,
                                         {x, kernel.number(some + 2, ElementType::Float32)});
            const int sum = kernel.add(Opcode::RowSum, ElementType::Float32,
                                       {kernel.add(Opcode::Exp, ElementType::Float32, {power})});
            kernel.stores.push_back({sum, 1, ElementType::Float32, {some, {sums, 0}}});
        }
        kernel.finish();
        QCOMPARE(threadMappingOf(kernel, allKnobs()).fusesBlockReductions, isOnce);
    }
};

QObject *makeTestBatchClassReductions() {
    return new TestBatchClassReductions;
}

#include "tst_batch_class_reductions.moc"
