// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/parts_in_place.h"
#include "agent/playbook/ir/kernel_plan.h"

#include <QTest>

using namespace warpwright;

/// A plan by hand: a kernel that writes a temporary and a part of a join, and one that reads the temporary.
class TestPartsInPlace : public QObject {
    Q_OBJECT

    static constexpr auto type = ElementType::Float32;

    static KernelPlan madeAndRead() {
        KernelPlan plan;
        const auto buffer = [&plan](PlanBuffer::Kind kind, const Shape &shape) {
            plan.buffers.push_back({kind, static_cast<int>(plan.buffers.size()), layoutByRows(shape)});
        };
        buffer(PlanBuffer::Kind::Leaf, {6, 8, 10});
        buffer(PlanBuffer::Kind::Temporary, {6, 8, 10});
        buffer(PlanBuffer::Kind::Output, {6, 16, 10});
        FusedKernel maker;
        maker.loops = {6, 80};
        maker.outer = 1;
        const int twice = maker.add(KernelOp::Multiply, type,
                                    {maker.load({0, type, {0, {80, 1}}, {}, 0}), maker.number(2, type)});
        maker.stores.push_back({twice, 1, type, {0, {80, 1}}});
        maker.stores.push_back({twice, 2, type, {80, {160, 1}}});
        plan.kernels.push_back(maker);
        // Sums over windows of three along the last dimension.
        FusedKernel reader;
        reader.loops = {6, 8, 10, 3};
        reader.outer = 3;
        const int place = reader.index({-1, {0, 0, 1, 1}});
        const int isThere = reader.add(
            KernelOp::And, ElementType::Bool,
            {reader.add(KernelOp::LessOrEqual, ElementType::Bool,
                        {reader.number(0, ElementType::Int64), place}),
             reader.add(KernelOp::Less, ElementType::Bool, {place, reader.number(10, ElementType::Int64)})});
        const int x = reader.load({1, type, {-1, {80, 10, 1, 1}}, {}, 0}, {}, isThere);
        reader.stores.push_back({reader.add(KernelOp::RowSum, type, {x}), 2, type, {0, {160, 10, 1, 0}}});
        plan.kernels.push_back(reader);
        plan.outputs = {2};
        return plan;
    }

private slots:
    void whoReadsATemporaryReadsThePartInstead() {
        KernelPlan plan = madeAndRead();
        readPartsInPlace(plan);
        QCOMPARE(plan.kernels[0].stores.size(), 1U);
        QCOMPARE(plan.kernels[0].stores[0].buffer, 2);
        const KernelLeaf &leaf = plan.kernels[1].leaves[0];
        QCOMPARE(plan.memoryOf(leaf.buffer), 2);
        QCOMPARE(plan.buffers[static_cast<std::size_t>(leaf.buffer)].window.offset, std::int64_t(80));
        QCOMPARE(leaf.address, (AffineIndex{-1, {160, 10, 1, 1}}));
    }

    void aPartThatLiesAsItDoesNeedsNoLoop() {
        KernelPlan plan = madeAndRead();
        plan.kernels[0].stores[1].address = {480, {80, 1}};
        plan.kernels[1].leaves[0].address = {0, {1, 2, 3, 4}};
        readPartsInPlace(plan);
        QCOMPARE(plan.memoryOf(plan.kernels[1].leaves[0].buffer), 2);
        QCOMPARE(plan.kernels[1].leaves[0].address, (AffineIndex{0, {1, 2, 3, 4}}));
    }

    void whatIsOtherwiseStaysAsItIs_data() {
        QTest::addColumn<int>("change");
        QTest::newRow("the part is another value") << 0;
        QTest::newRow("the part is of another type") << 1;
        QTest::newRow("packs begin elsewhere") << 2;
        QTest::newRow("the temporary is a result") << 3;
        QTest::newRow("the reader's loop goes over all of it") << 4;
        QTest::newRow("what is there depends on the block") << 5;
        QTest::newRow("a library reads it") << 6;
        QTest::newRow("another kernel adds to the join") << 7;
        QTest::newRow("another kernel writes the temporary as well") << 8;
        QTest::newRow("a loop over time") << 9;
        QTest::newRow("some blocks are left out") << 10;
    }

    void whatIsOtherwiseStaysAsItIs() {
        QFETCH(int, change);
        KernelPlan plan = madeAndRead();
        FusedKernel &maker = plan.kernels[0];
        FusedKernel &reader = plan.kernels[1];
        switch (change) {
        case 0:
            maker.stores[1].step = maker.load({0, type, {0, {80, 1}}, {}, 0});
            break;
        case 1:
            maker.stores[1].type = ElementType::Float16;
            break;
        case 2:
            maker.stores[1].address.offset = 81;
            break;
        case 3:
            plan.buffers[1].kind = PlanBuffer::Kind::Output;
            break;
        case 4:
            reader.loops = {6, 480, 1, 3};
            reader.leaves[0].address = {-1, {0, 1, 0, 1}};
            break;
        case 5:
            for (KernelStep &step : reader.steps)
                if (step.op == KernelOp::Index)
                    step.index = {-1, {80, 10, 1, 1}};
            break;
        case 6:
            reader.anchor = Anchor::Product;
            break;
        case 7:
            plan.kernels.push_back(reader);
            plan.kernels.back().leaves[0].buffer = 0;
            plan.kernels.back().scatter.count = 3;
            break;
        case 8:
            plan.kernels.push_back(reader);
            plan.kernels.back().leaves[0].buffer = 0;
            plan.kernels.back().stores[0].buffer = 1;
            break;
        case 9:
            plan.repeats.push_back({0, 2, 4});
            break;
        case 10:
            reader.loops[0] = 5;
            break;
        default:
            QFAIL("no such change");
        }
        const KernelPlan before = plan;
        readPartsInPlace(plan);
        QVERIFY(plan == before);
    }
};

QObject *makeTestPartsInPlace() {
    return new TestPartsInPlace;
}

#include "tst_parts_in_place.moc"
