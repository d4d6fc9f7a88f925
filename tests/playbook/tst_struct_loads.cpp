// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/loop_space.h"
#include "agent/playbook/schedule/struct_loads.h"
#include "tests/playbook/all_knobs.h"
#include "tests/playbook/test_devices.h"

#include <QTest>

using namespace warpwright;

class TestStructLoads : public QObject {
    Q_OBJECT

    static constexpr std::int64_t rows = 50;

    // Sums over rows of structs of so many elements, so far apart from row to row: of their first and last
    // one.
    static Kernel sumsOfGroups(std::int64_t count, std::int64_t size, ElementType type,
                               std::int64_t apart = 0) {
        Kernel kernel;
        kernel.device = h200();
        kernel.loops = {rows, count};
        kernel.outer = 1;
        const std::int64_t ofRow = apart > 0 ? apart : count * size;
        const std::int64_t elements = (rows - 1) * ofRow + count * size;
        const int first = kernel.load({0, type, {0, {ofRow, size}}, {}, elements});
        const int last = kernel.load({0, type, {size - 1, {ofRow, size}}, {}, elements});
        const int sum = kernel.add(Opcode::RowSum, ElementType::Float32,
                                   {kernel.add(Opcode::Multiply, ElementType::Float32, {first, last})});
        kernel.stores.push_back({sum, 1, ElementType::Float32, {0, {1, 0}}});
        kernel.finish();
        return kernel;
    }

private slots:
    void oneLoadTakesAStruct_data() {
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
    void oneLoadTakesAStruct() {
        QFETCH(std::int64_t, count);
        QFETCH(std::int64_t, size);
        QFETCH(ElementType, type);
        QFETCH(int, width);
        const Kernel kernel = sumsOfGroups(count, size, type);
        QCOMPARE(structsPerLoad(kernel), width > 0 ? std::optional(width) : std::nullopt);
        if (width > 0) {
            QCOMPARE(elementsPerAccess(kernel, allKnobs()), width);
            QVERIFY(canBeVectorized(kernel));
            QCOMPARE(elementsPerAccess(kernel, {}), 1);
        }
    }

    void notWhereSomethingElseIsReadForEach() {
        for (const bool isOfAllRows : {false, true}) {
            Kernel kernel = sumsOfGroups(30'000, 4, ElementType::Float32);
            const int some =
                kernel.load({2, ElementType::Float32, {0, {isOfAllRows ? 0 : 30'000, 1}}, {}, 0});
            kernel.stores.push_back({kernel.add(Opcode::RowSum, ElementType::Float32, {some}),
                                     3,
                                     ElementType::Float32,
                                     {0, {1, 0}}});
            kernel.finish();
            QCOMPARE(structsPerLoad(kernel), isOfAllRows ? std::optional(1) : std::nullopt);
        }
    }

    void notWhereRowsBeginWithinAGroup() {
        QVERIFY(!structsPerLoad(sumsOfGroups(1000, 4, ElementType::Float32, 4002)));
        QCOMPARE(structsPerLoad(sumsOfGroups(1000, 4, ElementType::Float32, 4004)), std::optional(1));
    }

    void notBeyondTheMemory() {
        Kernel kernel = sumsOfGroups(30'000, 4, ElementType::Float32);
        for (KernelInput &input : kernel.inputs)
            input.elements -= 1;
        QVERIFY(!structsPerLoad(kernel));
    }
};

QObject *makeTestStructLoads() {
    return new TestStructLoads;
}

#include "tst_struct_loads.moc"
