// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/ir/program.h"
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/schedule/matmul/sm90_matmul.h"
#include "agent/playbook/tuning/program_moves.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

using namespace warpwright;

namespace {

constexpr int rows = 16000;
constexpr int columns = 1024;
const Shape result = {rows, columns};

/// x times the transposed matrix of another name: "p" = "x" w^T.
QByteArray matmulOf(const char *name, const char *first, const char *second, int inner) {
    const QByteArray transposed = QByteArray(name) + "Turned";
    return node(transposed, "permute.default", QByteArray("%") + second + ", [1, 0]", {inner, columns}) +
           node(name, "mm.default", QByteArray("%") + first + ", %" + transposed, result);
}

QByteArray matrices(int inner, int other) {
    return input("x", {rows, inner}) + input("h", {rows, other}) + parameter("w", {columns, inner}) +
           parameter("v", {columns, other}) + parameter("b", {columns});
}

/// p = x w^T and q = h v^T, and what is computed from them: y.
Program programWith(const QByteArray &made, int inner = 768, int other = 512) {
    return programOf(graphOf(matrices(inner, other) + matmulOf("p", "x", "w", inner) +
                                 matmulOf("q", "h", "v", other) + made,
                             "y"),
                     {.hasSm90Matmuls = true});
}

QByteArray made(const char *name, const char *op, const char *arguments) {
    return node(name, op, arguments, result);
}

} // namespace

/// Several matmuls in one kernel of ours: which share an accumulator, and in which order they are added.
class TestMatmulTerms : public QObject {
    Q_OBJECT

private slots:
    void sumsOfMatmulsAreOneSum_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<double>("factor"); // of the second matmul
        const auto row = [](const char *name, const QByteArray &text, double factor) {
            QTest::newRow(name) << text << factor;
        };
        row("a sum alone", made("y", "add.Tensor", "%p, %q"), 1);
        row("less", made("s", "sub.Tensor", "%p, %q") + made("y", "tanh.default", "%s"), -1);
        row("with a bias between",
            made("s", "add.Tensor", "%p, %b") + made("t", "add.Tensor", "%s, %q") +
                made("y", "sigmoid.default", "%t"),
            1);
        row("with a factor",
            made("s", "mul.Tensor", "%q, 0.25") + made("t", "sub.Tensor", "%p, %s") +
                made("y", "tanh.default", "%t"),
            -0.25);
    }
    void sumsOfMatmulsAreOneSum() {
        QFETCH(QByteArray, text);
        QFETCH(double, factor);
        const Program program = programWith(text);
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        const Kernel &kernel = program.kernels[0];
        QVERIFY(isSm90Matmul(kernel));
        QCOMPARE(sumsOf(kernel).size(), 1U);
        const std::vector<MatmulTerm> terms = termsOf(kernel, sumsOf(kernel)[0]);
        QCOMPARE(terms.size(), 2U);
        QCOMPARE(terms[0].inner, 768);
        QCOMPARE(terms[1].inner, 512);
        QCOMPARE(terms[0].factor, 1.0);
        QCOMPARE(terms[1].factor, factor);
        QCOMPARE(firstEpilogueInput(kernel), 4U);
        // The term with a factor comes first, and the accumulator is scaled after it.
        const std::vector<MatmulPhase> phases = phasesOf(kernel);
        QCOMPARE(phases.size(), 2U);
        QCOMPARE(phases[0].inner, factor == 1 ? 768 : 512);
        QCOMPARE(phases[1].before, std::vector<double>{factor});
        QCOMPARE(lastFactors(kernel), std::vector<double>{1});
    }

    void epilogueValuesComeAfterTheSum() {
        // Only the epilogue's values have names in the text: 14 nested squares would be a text of
        // millions of lines.
        QByteArray text = input("o", result);
        QByteArray last = "o";
        for (int i = 0; i < 14; ++i) {
            const QByteArray next = "o" + QByteArray::number(i);
            text += made(next.constData(), "mul.Tensor", ("%" + last + ", %" + last).constData());
            last = next;
        }
        const Program program = programWith(text + made("s", "add.Tensor", "%p, %q") +
                                            made("y", "add.Tensor", ("%s, %" + last).constData()));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        const Kernel &kernel = program.kernels[0];
        QCOMPARE(sumsOf(kernel).size(), 1U);
        for (int i = 0; i < kernel.resultStep(); ++i)
            QVERIFY(kernel.step(i).input < static_cast<int>(firstEpilogueInput(kernel)));
    }

    void whatIsNotThereIsNotCounted() {
        const Kernel kernel = programWith(made("y", "add.Tensor", "%p, %q")).kernels[0];
        const double inner = 768 + 512;
        QCOMPARE(kernel.operations(), 2.0 * rows * columns * inner);
        QCOMPARE(kernel.bytes(), 4.0 * ((rows + columns) * inner + double(rows) * columns));
    }

    void aComplexMatmulIsTwoSumsOfTwo() {
        const Program program = programOf(
            graphOf(input("x", {rows, 768}) + input("h", {rows, 768}) + parameter("w", {columns, 768}) +
                        parameter("v", {columns, 768}) + matmulOf("p", "x", "w", 768) +
                        matmulOf("q", "h", "v", 768) + matmulOf("r", "x", "v", 768) +
                        matmulOf("s", "h", "w", 768) + made("re", "sub.Tensor", "%p, %q") +
                        made("im", "add.Tensor", "%r, %s") + made("reSquare", "mul.Tensor", "%re, %re") +
                        made("imSquare", "mul.Tensor", "%im, %im") +
                        made("y", "add.Tensor", "%reSquare, %imSquare"),
                    "y"),
            {.hasSm90Matmuls = true});
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        const Kernel &kernel = program.kernels[0];
        QCOMPARE(sumsOf(kernel).size(), 2U);
        const std::vector<MatmulPhase> phases = phasesOf(kernel);
        QCOMPARE(phases.size(), 2U);
        QCOMPARE(phases[0].seconds, (std::vector<int>{phases[1].seconds[1], phases[1].seconds[0]}));
        QCOMPARE(phases[1].before, (std::vector<double>{-1, 1}));
        QCOMPARE(lastFactors(kernel), (std::vector<double>{1, 1}));
    }

    void aSumOfTwoMatmulsWithTwoConsumersIsComputedOnce() {
        // A multiplication and an addition after it both need it: neither reads both matmuls.
        const Program program =
            programOf(graphOf(matrices(768, 512) + parameter("k", {columns, columns}) +
                                  matmulOf("p", "x", "w", 768) + matmulOf("q", "h", "v", 512) +
                                  made("s", "add.Tensor", "%p, %q") + made("r", "mm.default", "%s, %k") +
                                  made("t", "tanh.default", "%r") + made("y", "add.Tensor", "%t, %s"),
                              "y"),
                      {.hasSm90Matmuls = true});
        QCOMPARE(program.unsupported, QString());
        const auto isOne = [](const Kernel &kernel) {
            return hasTerms(kernel) && kernel.stores[0].step == kernel.resultStep();
        };
        QVERIFY(std::any_of(program.kernels.begin(), program.kernels.end(), isOne));
    }

    void aComplexMatmulWithTwoResultsIsCopiedByLines() {
        // Rows of 1100 floats begin within sectors: four copies, and one kernel that stores both results.
        const Shape all = {5000, 1300};
        const auto matmul = [&](const char *name, const char *first, const char *second) {
            const QByteArray transposed = QByteArray(name) + "Turned";
            return node(transposed, "permute.default", QByteArray("%") + second + ", [1, 0]", {1100, 1300}) +
                   node(name, "mm.default", QByteArray("%") + first + ", %" + transposed, all);
        };
        const Program program = programOf(
            graphOf(input("x", {5000, 1100}) + input("h", {5000, 1100}) + parameter("w", {1300, 1100}) +
                        parameter("v", {1300, 1100}) + matmul("p", "x", "w") + matmul("q", "h", "v") +
                        matmul("r", "x", "v") + matmul("s", "h", "w") +
                        node("re", "sub.Tensor", "%p, %q", all) + node("im", "add.Tensor", "%r, %s", all) +
                        node("m", "mul.Tensor", "%re, %im", all) + node("y", "mul.Tensor", "%re, %m", all) +
                        node("z", "mul.Tensor", "%im, %m", all),
                    "y, z"),
            {.hasSm90Matmuls = true});
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 5U);
        const Kernel &kernel = program.kernels[4];
        QVERIFY(isSm90Matmul(kernel));
        QCOMPARE(kernel.loops, (Shape{5000, 1300, 1120}));
        QCOMPARE(kernel.stores.size(), 2U);
        QCOMPARE(phasesOf(kernel).size(), 2U);
    }

    void partsOfOneTensorAreCopiedByLinesApart() {
        // Two operands lie in one tensor, and two in another; each has a copy of its own.
        const Shape all = {5000, 1300};
        const auto half = [](const char *name, const char *of, int position, const Shape &shape) {
            return node(name, "select.int", QByteArray("%") + of + ", 0, " + QByteArray::number(position),
                        shape);
        };
        const auto matmul = [&](const char *name, const char *first, const char *second) {
            const QByteArray transposed = QByteArray(name) + "Turned";
            return node(transposed, "permute.default", QByteArray("%") + second + ", [1, 0]", {1100, 1300}) +
                   node(name, "mm.default", QByteArray("%") + first + ", %" + transposed, all);
        };
        const QByteArray matrices = input("z", {2, 5000, 1100}) + parameter("u", {2, 1300, 1100}) +
                                    half("x", "z", 0, {5000, 1100}) + half("h", "z", 1, {5000, 1100}) +
                                    half("w", "u", 0, {1300, 1100}) + half("v", "u", 1, {1300, 1100});
        const Program program = programOf(
            graphOf(matrices + matmul("p", "x", "w") + matmul("q", "h", "v") + matmul("r", "x", "v") +
                        matmul("s", "h", "w") + node("re", "sub.Tensor", "%p, %q", all) +
                        node("im", "add.Tensor", "%r, %s", all) + node("y", "mul.Tensor", "%re, %im", all),
                    "y"),
            {.hasSm90Matmuls = true});
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 5U);
        QCOMPARE(program.kernels[4].loops, (Shape{5000, 1300, 1120}));
        QCOMPARE(phasesOf(program.kernels[4]).size(), 2U);
        // Two sums over the same pair of operands need no second pair.
        Kernel twice = programWith(made("y", "mul.Tensor", "%p, %p")).kernels[0];
        const int sum = sumsOf(twice)[0];
        twice.steps.insert(twice.steps.begin() + sum, twice.step(sum));
        for (std::size_t i = static_cast<std::size_t>(sum) + 1; i < twice.steps.size(); ++i)
            for (int &operand : twice.steps[i].operands)
                operand += operand >= sum ? 1 : 0;
        for (KernelStore &store : twice.stores)
            ++store.step;
        QCOMPARE(sumsOf(twice).size(), 2U);
        QVERIFY(!canBeSm90Matmul(twice));
    }

    void sumsThatAreNeededApartAreApart_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("multiplied") << made("y", "mul.Tensor", "%p, %q");
        QTest::newRow("one is read again")
            << made("s", "add.Tensor", "%p, %q") + made("y", "mul.Tensor", "%s, %p");
        QTest::newRow("one hardly counts: divided by the factor, the other would overflow")
            << made("s", "mul.Tensor", "%q, 1e-20") + made("y", "add.Tensor", "%p, %s");
    }
    void sumsThatAreNeededApartAreApart() {
        QFETCH(QByteArray, text);
        const Program program = programWith(text);
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        const Kernel &kernel = program.kernels[0];
        QVERIFY(hasTerms(kernel));
        QCOMPARE(sumsOf(kernel).size(), 2U);
        const std::vector<MatmulPhase> phases = phasesOf(kernel);
        QCOMPARE(phases.size(), 2U);
        QCOMPARE(phases[0].seconds[1], -1);
        QCOMPARE(phases[1].seconds[0], -1);
    }

    void partsOfOneMatrixAreMatricesOfTheirOwn() {
        // Both matmuls have the same operands, of which the second one takes fewer columns.
        const auto part = [](const char *name, const char *of, const Shape &shape) {
            return node(name, "slice.Tensor", QByteArray("%") + of + ", 1, 0, 512", shape,
                        ElementType::Float32, {768, 1});
        };
        const QByteArray text = input("x", {rows, 768}) + parameter("w", {columns, 768}) +
                                part("h", "x", {rows, 512}) + part("v", "w", {columns, 512}) +
                                matmulOf("p", "x", "w", 768) + matmulOf("q", "h", "v", 512);
        for (const char *op : {"add.Tensor", "mul.Tensor"}) {
            const Program program =
                programOf(graphOf(text + made("y", op, "%p, %q"), "y"), {.hasSm90Matmuls = true});
            QCOMPARE(program.unsupported, QString());
            QCOMPARE(program.kernels.size(), 1U);
            const std::vector<MatmulPhase> phases = phasesOf(program.kernels[0]);
            QCOMPARE(phases.size(), 2U);
            QCOMPARE(phases[0].inner, 768);
            QCOMPARE(phases[1].inner, 512);
            QCOMPARE(program.kernels[0].inputs.size(), 4U);
            QVERIFY(phases[0].first != phases[1].first);
        }
    }

    void whatSeveralReadIsMadeOnce() {
        // A row's norm and a later matmul both read the sum: one kernel of ours stores it.
        const Program program = programWith(
            parameter("u", {columns, columns}) + made("s", "add.Tensor", "%p, %q") +
            node("m", "mean.dim", "%s, [1], true", {rows, 1}) + made("d", "sub.Tensor", "%s, %m") +
            matmulOf("r", "d", "u", columns) + made("y", "add.Tensor", "%s, %r"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 3U);
        QVERIFY(hasTerms(program.kernels[0]));
        QCOMPARE(sumsOf(program.kernels[0]).size(), 1U);
    }

    void whatARowReductionReadsIsComputedByTheMatmuls_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<std::size_t>("sums");
        const QByteArray means = node("y", "mean.dim", "%t, [1]", {rows});
        QTest::newRow("a sum") << made("s", "add.Tensor", "%p, %q") + made("t", "tanh.default", "%s") + means
                               << std::size_t(1);
        QTest::newRow("a product") << made("s", "mul.Tensor", "%p, %q") + made("t", "mul.Tensor", "%s, %s") +
                                          means
                                   << std::size_t(2);
        // p is read by itself as well: it has an accumulator of its own.
        QTest::newRow("read again") << made("s", "add.Tensor", "%p, %q") + made("t", "mul.Tensor", "%s, %p") +
                                           means
                                    << std::size_t(2);
    }
    void whatARowReductionReadsIsComputedByTheMatmuls() {
        QFETCH(QByteArray, text);
        QFETCH(std::size_t, sums);
        const Program program = programWith(text);
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 2U);
        QVERIFY(isSm90Matmul(program.kernels[0]));
        QCOMPARE(sumsOf(program.kernels[0]).size(), sums);
        QCOMPARE(program.kernels[1].inputs.size(), 1U);
        QCOMPARE(program.kernels[1].inputs[0].buffer, program.kernels[0].stores[0].buffer);
        // Two reductions over rows of both are no pointwise consumer.
        const Program apart =
            programWith(node("s", "mean.dim", "%p, [1]", {rows}) + node("t", "mean.dim", "%q, [1]", {rows}) +
                        node("y", "add.Tensor", "%s, %t", {rows}));
        QVERIFY(std::none_of(apart.kernels.begin(), apart.kernels.end(), hasTerms));
    }

    void partsOfAConcatAreMultipliedWhereTheyLie() {
        const QByteArray joined = input("x", {rows, 768}) + input("h", {rows, 512}) +
                                  parameter("w", {columns, 1280}) +
                                  node("z", "cat.default", "[%x, %h], 1", {rows, 1280});
        const QByteArray made = matmulOf("p", "z", "w", 1280) + node("y", "relu.default", "%p", result);
        const Program program = programOf(graphOf(joined + made, "y"), {.hasSm90Matmuls = true});
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        const std::vector<MatmulTerm> terms = termsOf(program.kernels[0], sumsOf(program.kernels[0])[0]);
        QCOMPARE(terms.size(), 2U);
        QCOMPARE(terms[0].inner, 768);
        QCOMPARE(terms[1].inner, 512);
        const auto offsetOf = [&program](std::size_t input) {
            return program.kernels[0].inputs[input].address.offset;
        };
        QCOMPARE(offsetOf(terms[0].second), 0);
        QCOMPARE(offsetOf(terms[1].second), 768);
        // Not where it is an output as well, nor where a part is not aligned to 16 bytes.
        QVERIFY(programOf(graphOf(joined + made, "y, z"), {.hasSm90Matmuls = true}).kernels.size() > 1);
        const QByteArray odd = input("x", {rows, 767}) + input("h", {rows, 513}) +
                               parameter("w", {columns, 1280}) +
                               node("z", "cat.default", "[%x, %h], 1", {rows, 1280});
        QVERIFY(programOf(graphOf(odd + made, "y"), {.hasSm90Matmuls = true}).kernels.size() > 1);
    }

    void aLibrarysMatmulsStay() {
        // Not without SM90 matmuls, not in double, and not where another kernel reads one of both.
        const QByteArray text = matrices(768, 512) + matmulOf("p", "x", "w", 768) +
                                matmulOf("q", "h", "v", 512) + made("y", "add.Tensor", "%p, %q");
        const auto hasAny = [](const Program &program) {
            return std::any_of(program.kernels.begin(), program.kernels.end(), hasTerms);
        };
        QVERIFY(hasAny(programOf(graphOf(text, "y"), {.hasSm90Matmuls = true})));
        QVERIFY(!hasAny(programOf(graphOf(text, "y"))));
        QVERIFY(!hasAny(programOf(graphOf(QByteArray(text).replace("float32", "float64"), "y"),
                                  {.hasSm90Matmuls = true})));
        QVERIFY(!hasAny(programOf(graphOf(text, "y, p"), {.hasSm90Matmuls = true})));
    }
};

QObject *makeTestMatmulTerms() {
    return new TestMatmulTerms;
}

#include "tst_matmul_terms.moc"
