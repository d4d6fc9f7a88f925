// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/cuda_choices.h"
#include "agent/playbook/schedule/grouped_elements.h"
#include "tests/playbook/kernel_tunings.h"

#include <QTest>

using namespace warpwright;

class TestGroupedElements : public QObject {
    Q_OBJECT

    static constexpr std::int64_t rows = 50;

    // Sums over rows of groups of so many, which are so far apart from row to row: of their first and last
    // one.
    static FusedKernel sumsOfGroups(std::int64_t count, std::int64_t size, ElementType type,
                                    std::int64_t apart = 0) {
        FusedKernel kernel;
        kernel.loops = {rows, count};
        kernel.outer = 1;
        const std::int64_t ofRow = apart > 0 ? apart : count * size;
        const std::int64_t elements = (rows - 1) * ofRow + count * size;
        const int first = kernel.load({0, type, {0, {ofRow, size}}, {}, elements});
        const int last = kernel.load({0, type, {size - 1, {ofRow, size}}, {}, elements});
        const int sum = kernel.add(KernelOp::RowSum, ElementType::Float32,
                                   {kernel.add(KernelOp::Multiply, ElementType::Float32, {first, last})});
        kernel.stores.push_back({sum, 1, ElementType::Float32, {0, {1, 0}}});
        kernel.finish();
        return kernel;
    }

private slots:
    void aLoadBringsWholeGroups_data() {
        QTest::addColumn<std::int64_t>("count");
        QTest::addColumn<std::int64_t>("size");
        QTest::addColumn<ElementType>("type");
        QTest::addColumn<int>("width"); // 0: none
        const auto row = [](const char *name, std::int64_t count, std::int64_t size, ElementType type,
                            int width) {
            QTest::newRow(name) << count << size << type << width;
        };
        row("boxes", 30'001, 4, ElementType::Float32, 1);
        row("points", 30'000, 2, ElementType::Float32, 2);
        row("points of rows that begin within a load", 30'001, 2, ElementType::Float32, 1);
        row("boxes of halves", 30'000, 4, ElementType::Float16, 2);
        row("eight halves: more than a few are columns", 30'001, 8, ElementType::BFloat16, 0);
        row("points in space", 30'000, 3, ElementType::Float32, 0);
        row("eight floats", 30'000, 8, ElementType::Float32, 0);
    }
    void aLoadBringsWholeGroups() {
        QFETCH(std::int64_t, count);
        QFETCH(std::int64_t, size);
        QFETCH(ElementType, type);
        QFETCH(int, width);
        const FusedKernel kernel = sumsOfGroups(count, size, type);
        QCOMPARE(widthOfGroups(kernel), width > 0 ? std::optional(width) : std::nullopt);
        if (width > 0) {
            QCOMPARE(takenAtOnce(kernel, allTunings()), width);
            QVERIFY(canBeWide(kernel));
            QCOMPARE(takenAtOnce(kernel, {}), 1);
        }
    }

    void notWhereSomethingElseIsReadForEach() {
        for (const bool isOfAllRows : {false, true}) {
            FusedKernel kernel = sumsOfGroups(30'000, 4, ElementType::Float32);
            const int some =
                kernel.load({2, ElementType::Float32, {0, {isOfAllRows ? 0 : 30'000, 1}}, {}, 0});
            kernel.stores.push_back({kernel.add(KernelOp::RowSum, ElementType::Float32, {some}),
                                     3,
                                     ElementType::Float32,
                                     {0, {1, 0}}});
            kernel.finish();
            QCOMPARE(widthOfGroups(kernel), isOfAllRows ? std::optional(1) : std::nullopt);
        }
    }

    void notWhereRowsBeginWithinAGroup() {
        QVERIFY(!widthOfGroups(sumsOfGroups(1000, 4, ElementType::Float32, 4002)));
        QCOMPARE(widthOfGroups(sumsOfGroups(1000, 4, ElementType::Float32, 4004)), std::optional(1));
    }

    void notBeyondTheMemory() {
        FusedKernel kernel = sumsOfGroups(30'000, 4, ElementType::Float32);
        for (KernelLeaf &leaf : kernel.leaves)
            leaf.elements -= 1;
        QVERIFY(!widthOfGroups(kernel));
    }
};

QObject *makeTestGroupedElements() {
    return new TestGroupedElements;
}

#include "tst_grouped_elements.moc"
