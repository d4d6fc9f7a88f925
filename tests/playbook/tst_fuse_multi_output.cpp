// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that read the same memory become one, and a concat is written part by part by its producers.
#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/ir/kernel_rewriter.h"
#include "agent/playbook/lowering/program_builder.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

#include <algorithm>

using namespace warpwright;

class TestFuseMultiOutput : public QObject {
    Q_OBJECT

    // These are inputs of each.
    static Program planned(const QByteArray &nodes, const QByteArray &outputs) {
        const QByteArray inputs = input("x", {64, 300}) + input("z", {64, 300}) + input("w", {300}) +
                                  input("images", {8, 5, 400}) + input("colours", {64, 300, 3}) +
                                  input("places", {64, 300});
        return programOf(graphOf(inputs + nodes, outputs));
    }
    static QByteArray sumOf(const QByteArray &name, const QByteArray &of, const Shape &shape = {64, 1},
                            const QByteArray &dimension = "1", const QByteArray &keeps = "true") {
        return node(name, "sum.dim_IntList", "%" + of + ", [" + dimension + "], " + keeps, shape);
    }
    static QByteArray matmul(const QByteArray &name, const QByteArray &one, const QByteArray &other,
                             const Shape &shape = {64, 300}) {
        return node(name, "mul.Tensor", "%" + one + ", %" + other, shape);
    }
    static QByteArray join(const QByteArray &parts, const Shape &shape) {
        return node("c", "cat.default", "[" + parts + "], 1", shape);
    }
    static Kernel withLoops(const Shape &loops, std::size_t outer) {
        Kernel kernel;
        kernel.device = h200();
        kernel.loops = loops;
        kernel.outer = outer;
        const int sum =
            kernel.add(Opcode::RowSum, ElementType::Float32,
                       {kernel.load({0, ElementType::Float32, {0, Shape(loops.size(), 1)}, {}, 0})});
        kernel.stores.push_back({sum, 1, ElementType::Float32, {0, Shape(loops.size(), 0)}});
        return kernel;
    }

    static bool stores(const Program &program, Opcode op) {
        return std::any_of(program.kernels.begin(), program.kernels.end(), [op](const Kernel &kernel) {
            return std::any_of(kernel.stores.begin(), kernel.stores.end(),
                               [&](const KernelStore &store) { return kernel.step(store.step).op == op; });
        });
    }

private slots:
    void whatEveryConsumerComputesOfASumIsHoisted() {
        const auto program = [](const QByteArray &last) {
            return planned(sumOf("s", "x", {1, 300}, "0") + node("l", "log.default", "%s", {1, 300}) +
                               node("d", "sub.Tensor", "%z, %l", {64, 300}) +
                               node("m", "amax.default", "%d, [1]", {64}) + last,
                           last.isEmpty() ? "m" : "m, v");
        };
        QCOMPARE(program({}).kernels.size(), 2U);
        QVERIFY(stores(program({}), Opcode::Log));
        QVERIFY(!stores(program({}), Opcode::RowSum));
        const Kernel reader = program({}).kernels[1];
        QVERIFY(std::none_of(reader.steps.begin(), reader.steps.end(),
                             [](const KernelStep &step) { return step.op == Opcode::Log; }));
        // Another consumer needs the sum itself.
        const Program other = program(node("w", "mul.Tensor", "%places, %s", {64, 300}) +
                                      node("v", "amin.default", "%w, [1]", {64}));
        QVERIFY(!stores(other, Opcode::Log));
    }

    void aSumOfAFewIsWorkedOutWhereItIsRead() {
        const auto program = [](std::int64_t count) {
            const Shape all{200'000, count}, one{200'000, 1}, three{200'000, 3};
            return programOf(graphOf(input("q", all) + input("t", three) +
                                         node("p", "mul.Tensor", "%q, %q", all) + sumOf("s", "p", one) +
                                         node("r", "sqrt.default", "%s", one) +
                                         node("y", "div.Tensor", "%t, %r", three),
                                     "y"));
        };
        QCOMPARE(program(4).kernels.size(), 1U);
        QVERIFY(!program(4).kernels[0].hasReductions());
        QCOMPARE(program(4).bytes(), 4.0 * 200'000 * 10);
        QCOMPARE(program(40).kernels.size(), 2U);
    }

    void concatenatedSumsAreOneKernel() {
        const Program program =
            planned(matmul("p", "x", "w") + sumOf("s", "p") + sumOf("t", "x") + join("%s, %t", {64, 2}), "c");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        const Kernel &kernel = program.kernels[0];
        QCOMPARE(kernel.passCount(), 1);
        QCOMPARE(kernel.stores.size(), 2U);
        QCOMPARE(kernel.stores[0].buffer, kernel.stores[1].buffer);
        QCOMPARE(kernel.stores[0].address, (AffineExpr{0, {2, 0}}));
        QCOMPARE(kernel.stores[1].address, (AffineExpr{1, {2, 0}}));
        // Read once, and nothing goes through memory.
        QCOMPARE(program.bytes(), 4.0 * (64 * 300 + 300 + 64 * 2));
        // The buffer is one argument of the launcher.
        const auto files = candidateFiles(program, {Knobs()});
        const QByteArray text = files.at(QStringLiteral("kernels/fused_rows.cu"));
        QCOMPARE(text.count("float *y,"), 1);
        QVERIFY2(text.contains("y[row * 2 + 1] = "), text.constData());
    }

    void sumsOfOtherThingsAreOneLaunchWhereTheyAreLittleMore() {
        const auto kernelsOf = [](std::int64_t columns) {
            const Shape shape = {64, columns};
            const Program program =
                programOf(graphOf(input("x", shape) + input("z", shape) +
                                      node("s", "sum.dim_IntList", "%x, [1], true", {64, 1}) +
                                      node("t", "sum.dim_IntList", "%z, [1], true", {64, 1}) +
                                      node("c", "cat.default", "[%s, %t], 1", {64, 2}),
                                  "c"));
            std::vector<std::size_t> stores;
            for (const Kernel &kernel : program.kernels)
                stores.push_back(kernel.stores.size());
            return program.unsupported.isEmpty() ? stores : std::vector<std::size_t>();
        };
        QCOMPARE(kernelsOf(300), (std::vector<std::size_t>{2}));
        QCOMPARE(kernelsOf(30000), (std::vector<std::size_t>{1, 1})); // each writes its part
    }

    void whatIsOnlyReadIsTheOneKernelThatStays() {
        // [x, the sum of a row]: the sum is stored into the concat, and x is copied there.
        const Program program = planned(sumOf("s", "x") + join("%x, %s", {64, 301}), "c");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 2U);
        QCOMPARE(program.kernels[0].stores[0].address, (AffineExpr{300, {301, 0}}));
        QVERIFY(!program.kernels[1].hasReductions());
        QVERIFY(std::none_of(program.kernels[1].steps.begin(), program.kernels[1].steps.end(),
                             [](const KernelStep &step) { return step.isGuarded; }));
        QCOMPARE(program.bytes(), 4.0 * (64 * 300 * 3 + 64));
    }

    void aSumLessALargestOneReadsOnce() {
        // Softmax over the second of three dimensions, of which sums over the third are taken.
        const Program program = planned(
            node("m", "amax.default", "%images, [1], true", {8, 1, 400}) +
                node("d", "sub.Tensor", "%images, %m", {8, 5, 400}) +
                node("e", "exp.default", "%d", {8, 5, 400}) + sumOf("s", "e", {8, 1, 400}) +
                node("q", "div.Tensor", "%e, %s", {8, 5, 400}) + sumOf("t", "q", {8, 5}, "2", "false"),
            "t");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 2U);
        QCOMPARE(program.kernels[0].stores.size(), 2U);
        QCOMPARE(program.kernels[0].inputs.size(), 1U);
        QCOMPARE(program.kernels[0].passCount(), 2);
        QCOMPARE(program.bytes(), 4.0 * (2 * 8 * 5 * 400 + 4 * 8 * 400 + 8 * 5));
    }

    void aShortLoopIsWrittenOutWhereTheRowIsShared() {
        // Weights times each of three colours, and times depths: four sums over the same row of weights.
        const Program program =
            planned(node("u", "unsqueeze.default", "%x, 2", {64, 300, 1}) +
                        matmul("p", "u", "colours", {64, 300, 3}) + sumOf("s", "p", {64, 3}, "1", "false") +
                        matmul("q", "x", "x") + sumOf("t", "q", {64}, "1", "false"),
                    "s, t");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        const Kernel &sums = program.kernels[0];
        QCOMPARE(sums.loops, (Shape{64, 300}));
        QCOMPARE(sums.stores.size(), 4U);
        QCOMPARE(sums.inputs.size(), 4U); // x, and a colour each
        QCOMPARE(sums.stores[2].address, (AffineExpr{2, {3, 0}}));
        QCOMPARE(program.bytes(), 4.0 * (64 * 300 * 4 + 64 * 4));
    }

    void whereLittleIsSharedTwoKernelsStay() {
        // Both read one row of seven in common.
        const Program program =
            planned(node("u", "unsqueeze.default", "%x, 2", {64, 300, 1}) +
                        node("v", "unsqueeze.default", "%z, 2", {64, 300, 1}) +
                        matmul("p", "u", "colours", {64, 300, 3}) + matmul("o", "p", "v", {64, 300, 3}) +
                        sumOf("s", "o", {64, 3}, "1", "false") + matmul("q", "x", "places") +
                        sumOf("t", "q", {64}, "1", "false"),
                    "s, t");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 2U);
    }

    void aLoopBecomesTwoWhereTheOtherKernelHasTwo() {
        const Kernel whole = withLoops({12, 10}, 1);
        const Kernel parts = withLoops({3, 4, 10}, 2);
        const auto aligned = alignedLoops(whole, {0, {10, 1}}, parts, {0, {40, 10, 1}});
        QVERIFY(aligned);
        QCOMPARE(aligned->loops, (Shape{3, 4, 10}));
        QCOMPARE(aligned->outer, 2U);
        QCOMPARE(overParts({7, {10, 1}}, aligned->first, 3), (AffineExpr{7, {40, 10, 1}}));
        QCOMPARE(overParts({7, {1, 2, 3}}, aligned->second, 3), (AffineExpr{7, {1, 2, 3}}));
    }

    void aRowIsNotAnotherKernelsColumn() {
        const Kernel rows = withLoops({12, 10}, 1);
        const Kernel columns = withLoops({10, 12}, 1);
        QVERIFY(!alignedLoops(rows, {0, {10, 1}}, columns, {0, {1, 10}}));
        QVERIFY(!alignedLoops(rows, {0, {10, 1}}, rows, {1, {10, 1}})); // elsewhere
        QVERIFY(!alignedLoops(rows, {0, {10, 1}}, withLoops({12}, 0), {0, {10}}));
    }

    void sumsOverSlicesReadTheirMemoryOnce() {
        const auto slice = [](const QByteArray &name, const QByteArray &where, const Shape &shape) {
            return node(name, "slice.Tensor", "%image, " + where, shape);
        };
        const Shape along = {2, 3, 20, 31};
        const Shape down = {2, 3, 19, 32};
        const QByteArray nodes =
            input("image", {2, 3, 20, 32}) + slice("a", "3, 1, 32", along) + slice("b", "3, 0, 31", along) +
            node("dx", "sub.Tensor", "%a, %b", along) + node("ax", "abs.default", "%dx", along) +
            node("sx", "sum.default", "%ax", {}) + slice("c", "2, 1, 20", down) +
            slice("d", "2, 0, 19", down) + node("dy", "sub.Tensor", "%c, %d", down) +
            node("ay", "abs.default", "%dy", down) + node("sy", "sum.default", "%ay", {}) +
            node("all", "add.Tensor", "%sx, %sy", {});
        const Program program = programOf(graphOf(nodes, "all"));
        QCOMPARE(program.unsupported, QString());
        QVERIFY2(program.kernels.size() == 1, qPrintable(program.signature()));
        QCOMPARE(program.kernels[0].loops, (Shape{6, 20, 32}));
        QCOMPARE(program.kernels[0].passCount(), 1);
        // The image, and guarded: a row and an element beyond it.
        QCOMPARE(program.bytes(), 4.0 * (2 * 3 * 20 * 32 + 32 + 1 + 1));
        Knobs wide;
        wide.hasWideLoads = true;
        const QByteArray text = candidateFiles(program, {wide}).at(QStringLiteral("kernels/fused_rows.cu"));
        QVERIFY2(text.contains("Shifted[k]"), text.constData());
        QCOMPARE(text.count("reinterpret_cast<const Vec<float>"), 2);
    }

    void ofAPartOfALoopConditionsAreDecided() {
        Kernel kernel;
        kernel.device = h200();
        kernel.loops = {6};
        const int isFirst = kernel.add(Opcode::Less, ElementType::Bool,
                                       {kernel.index({0, {1}}), kernel.number(2, ElementType::Int64)});
        const int one = kernel.load({0, ElementType::Float32, {0, {1}}, {}, 0}, {}, isFirst);
        const int other = kernel.load({1, ElementType::Float32, {-2, {1}}, {}, 0});
        kernel.stores.push_back({kernel.add(Opcode::Select, ElementType::Float32, {isFirst, one, other}),
                                 2,
                                 ElementType::Float32,
                                 {0, {1}}});
        for (const bool isBegin : {true, false}) {
            Kernel part = loopSlice(kernel, 0, isBegin ? 0 : 2, isBegin ? 2 : 6);
            part.finish();
            QCOMPARE(part.steps.size(), 1U);
            QVERIFY(!part.steps[0].isGuarded);
            QCOMPARE(part.inputs[0].buffer, isBegin ? 0 : 1);
            QCOMPARE(part.inputs[0].address.offset, std::int64_t(0));
            QCOMPARE(part.stores[0].address.offset, std::int64_t(isBegin ? 0 : 2));
            QCOMPARE(part.loops, (Shape{isBegin ? 2 : 4}));
        }
    }

    // As indices are hashed.
    void aCounterThatNoDoubleHoldsStaysOne() {
        const auto value = [](std::int64_t begin) {
            Kernel kernel;
            kernel.device = h200();
            kernel.loops = {6};
            kernel.stores.push_back({kernel.index({begin, {805'459'861}}), 0, ElementType::Int64, {0, {1}}});
            return loopSlice(kernel, 0, 1, 2).steps.at(0);
        };
        QCOMPARE(value(7).op, Opcode::Number);
        QCOMPARE(value(7).number, 805'459'868.0);
        const std::int64_t large = (std::int64_t(1) << 54) + 1;
        QCOMPARE(value(large - 805'459'861).op, Opcode::Index);
        QCOMPARE(value(large - 805'459'861).index.offset, large);
    }
};

QObject *makeTestFuseMultiOutput() {
    return new TestFuseMultiOutput;
}

#include "tst_fuse_multi_output.moc"
