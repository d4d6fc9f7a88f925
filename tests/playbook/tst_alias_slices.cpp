// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/alias_slices.h"
#include "agent/playbook/ir/program.h"

#include <QTest>

using namespace warpwright;

/// A program by hand: a kernel that writes a temporary and a part of a concat, and a consumer of the
/// temporary.
class TestAliasSlices : public QObject {
    Q_OBJECT

    static constexpr auto type = ElementType::Float32;

    static Program madeAndRead() {
        Program program;
        const auto buffer = [&program](ProgramBuffer::Kind kind, const Shape &shape) {
            program.buffers.push_back(
                {kind, static_cast<int>(program.buffers.size()), contiguousLayout(shape)});
        };
        buffer(ProgramBuffer::Kind::Input, {6, 8, 10});
        buffer(ProgramBuffer::Kind::Temporary, {6, 8, 10});
        buffer(ProgramBuffer::Kind::Output, {6, 16, 10});
        Kernel producer;
        producer.loops = {6, 80};
        producer.outer = 1;
        const int twice =
            producer.add(Opcode::Multiply, type,
                         {producer.load({0, type, {0, {80, 1}}, {}, 0}), producer.number(2, type)});
        producer.stores.push_back({twice, 1, type, {0, {80, 1}}});
        producer.stores.push_back({twice, 2, type, {80, {160, 1}}});
        program.kernels.push_back(producer);
        // Pooling with windows of three along the last dimension.
        Kernel reader;
        reader.loops = {6, 8, 10, 3};
        reader.outer = 3;
        const int position = reader.index({-1, {0, 0, 1, 1}});
        const int isThere = reader.add(
            Opcode::And, ElementType::Bool,
            {reader.add(Opcode::LessOrEqual, ElementType::Bool,
                        {reader.number(0, ElementType::Int64), position}),
             reader.add(Opcode::Less, ElementType::Bool, {position, reader.number(10, ElementType::Int64)})});
        const int x = reader.load({1, type, {-1, {80, 10, 1, 1}}, {}, 0}, {}, isThere);
        reader.stores.push_back({reader.add(Opcode::RowSum, type, {x}), 2, type, {0, {160, 10, 1, 0}}});
        program.kernels.push_back(reader);
        program.outputs = {2};
        return program;
    }

private slots:
    void consumersOfATemporaryReadTheSliceInstead() {
        Program program = madeAndRead();
        aliasSlices(program);
        QCOMPARE(program.kernels[0].stores.size(), 1U);
        QCOMPARE(program.kernels[0].stores[0].buffer, 2);
        const KernelInput &input = program.kernels[1].inputs[0];
        QCOMPARE(program.memoryOf(input.buffer), 2);
        QCOMPARE(program.buffers[static_cast<std::size_t>(input.buffer)].window.offset, std::int64_t(80));
        QCOMPARE(input.address, (AffineExpr{-1, {160, 10, 1, 1}}));
    }

    void aPartThatLiesAsItDoesNeedsNoLoop() {
        Program program = madeAndRead();
        program.kernels[0].stores[1].address = {480, {80, 1}};
        program.kernels[1].inputs[0].address = {0, {1, 2, 3, 4}};
        aliasSlices(program);
        QCOMPARE(program.memoryOf(program.kernels[1].inputs[0].buffer), 2);
        QCOMPARE(program.kernels[1].inputs[0].address, (AffineExpr{0, {1, 2, 3, 4}}));
    }

    void whatIsOtherwiseStaysAsItIs_data() {
        QTest::addColumn<int>("change");
        QTest::newRow("the part is another value") << 0;
        QTest::newRow("the part is of another type") << 1;
        QTest::newRow("vectors are aligned otherwise") << 2;
        QTest::newRow("the temporary is a result") << 3;
        QTest::newRow("the consumer loops over all of it") << 4;
        QTest::newRow("what is there depends on the block") << 5;
        QTest::newRow("a library reads it") << 6;
        QTest::newRow("another kernel adds to the concat") << 7;
        QTest::newRow("another kernel writes the temporary as well") << 8;
        QTest::newRow("a loop over time") << 9;
        QTest::newRow("some blocks are left out") << 10;
    }

    void whatIsOtherwiseStaysAsItIs() {
        QFETCH(int, change);
        Program program = madeAndRead();
        Kernel &producer = program.kernels[0];
        Kernel &reader = program.kernels[1];
        switch (change) {
        case 0:
            producer.stores[1].step = producer.load({0, type, {0, {80, 1}}, {}, 0});
            break;
        case 1:
            producer.stores[1].type = ElementType::Float16;
            break;
        case 2:
            producer.stores[1].address.offset = 81;
            break;
        case 3:
            program.buffers[1].kind = ProgramBuffer::Kind::Output;
            break;
        case 4:
            reader.loops = {6, 480, 1, 3};
            reader.inputs[0].address = {-1, {0, 1, 0, 1}};
            break;
        case 5:
            for (KernelStep &step : reader.steps)
                if (step.op == Opcode::Index)
                    step.index = {-1, {80, 10, 1, 1}};
            break;
        case 6:
            reader.structuredOp = Matmul{};
            break;
        case 7:
            program.kernels.push_back(reader);
            program.kernels.back().inputs[0].buffer = 0;
            program.kernels.back().scatteredStore.emplace().count = 3;
            break;
        case 8:
            program.kernels.push_back(reader);
            program.kernels.back().inputs[0].buffer = 0;
            program.kernels.back().stores[0].buffer = 1;
            break;
        case 9:
            program.timeLoops.push_back({0, 2, 4});
            break;
        case 10:
            reader.loops[0] = 5;
            break;
        default:
            QFAIL("no such change");
        }
        const Program before = program;
        aliasSlices(program);
        QVERIFY(program == before);
    }
};

QObject *makeTestAliasSlices() {
    return new TestAliasSlices;
}

#include "tst_alias_slices.moc"
