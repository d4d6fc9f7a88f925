// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/boundary_modes.h"
#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/graph_passes/fold_padding.h"
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

#include <cmath>

using namespace warpwright;

/// Depthwise convolutions with boundary modes other than zeros, and such with several consumers.
class TestBoundaryModes : public QObject {
    Q_OBJECT

    static QByteArray numbers(const QByteArray &name, const QByteArray &op, const QByteArray &arguments,
                              std::int64_t count) {
        return node(name, op, arguments, {count}, ElementType::Int64);
    }
    /// «p»: rows of 12 with two reflected elements before and one behind, as torch writes it.
    static QByteArray mirrored(std::int64_t margin = 2) {
        const std::int64_t size = 12 + margin + 1;
        return numbers("a", "arange.start_step", QByteArray::number(static_cast<qlonglong>(-margin)) + ", 13",
                       size) +
               numbers("b", "abs.default", "%a", size) + numbers("c", "sub.Tensor", "11, %b", size) +
               numbers("d", "abs.default", "%c", size) + numbers("e", "sub.Tensor", "11, %d", size) +
               node("p", "index.Tensor", "%x, [null, null, null, %e]", {2, 4, 9, size});
    }
    static QByteArray image() {
        return input("x", {2, 4, 9, 12}) + input("w", {4, 1, 3, 4}) + input("v", {4, 4, 3, 4});
    }
    static QByteArray filtered(const QByteArray &name, const QByteArray &from,
                               const QByteArray &padding = "[1, 0]", const QByteArray &filters = "%w",
                               int groups = 4) {
        return node(name, "convolution.default",
                    from + ", " + filters + ", null, [1, 1], " + padding + ", [1, 1], false, [0, 0], " +
                        QByteArray::number(groups),
                    {2, 4, 9, 12});
    }
    static QByteArray textOf(const Program &program, const char *file) {
        return candidateFiles(program, plainKnobs(program)).at(file);
    }

private slots:
    void boundaryModesAreFoundHoweverTheyAreWritten_data() {
        QTest::addColumn<QByteArray>("words");
        QTest::addColumn<int>("edge");
        QTest::addColumn<int>("before");
        const Shape wide = {2, 4, 9, 15};
        QTest::newRow("mirrored") << mirrored() << int(BoundaryMode::Reflect) << 2;
        QTest::newRow("repeated") << numbers("a", "arange.start_step", "-2, 13", 15) +
                                         numbers("b", "clamp.default", "%a, 0, 11", 15) +
                                         node("p", "index.Tensor", "%x, [null, null, null, %b]", wide)
                                  << int(BoundaryMode::Replicate) << 2;
        QTest::newRow("around") << numbers("a", "arange.default", "15", 15) +
                                       numbers("b", "add.Tensor", "%a, 11", 15) +
                                       numbers("c", "remainder.Scalar", "%b, 12", 15) +
                                       node("p", "index_select", "%x, 3, %c", wide)
                                << int(BoundaryMode::Circular) << 1;
        QTest::newRow("its own ends") << node("l", "slice.Tensor", "%x, 3, 9, 12", {2, 4, 9, 3}) +
                                             node("p", "cat", "[%l, %x], -1", wide)
                                      << int(BoundaryMode::Circular) << 3;
        // An empty tensor into which all of it is written by slices.
        QTest::newRow("written") << node("n", "empty.memory_format", "[2, 4, 9, 15]", wide) +
                                        node("m", "slice_scatter", "%n, %x, 3, 2, 14", wide) +
                                        node("l", "slice.Tensor", "%m, 3, 12, 14", {2, 4, 9, 2}) +
                                        node("o", "slice_scatter", "%m, %l, 3, 0, 2", wide) +
                                        node("r", "slice.Tensor", "%m, 3, 2, 3", {2, 4, 9, 1}) +
                                        node("p", "slice_scatter", "%o, %r, 3, 14, 15", wide)
                                 << int(BoundaryMode::Circular) << 2;
        QTest::newRow("zeros are no boundary mode")
            << node("p", "constant_pad_nd", "%x, [2, 1], 0", wide) << -1 << 0;
        QTest::newRow("further than a mirror reaches") << mirrored(12) << -1 << 0;
        QTest::newRow("unknown indices")
            << numbers("p0", "arange.default", "15", 15) + numbers("b", "mul.Tensor", "%p0, 0", 15) +
                   node("p", "index.Tensor", "%x, [null, null, null, %b]", wide)
            << -1 << 0;
        QTest::newRow("a slice is missing") << node("n", "empty.memory_format", "[2, 4, 9, 15]", wide) +
                                                   node("m", "slice_scatter", "%n, %x, 3, 2, 14", wide) +
                                                   node("l", "slice.Tensor", "%m, 3, 12, 14", {2, 4, 9, 2}) +
                                                   node("p", "slice_scatter", "%m, %l, 3, 0, 2", wide)
                                            << -1 << 0;
    }

    void boundaryModesAreFoundHoweverTheyAreWritten() {
        QFETCH(QByteArray, words);
        QFETCH(int, edge);
        QFETCH(int, before);
        const ReferenceGraph graph = graphOf(image() + words, "p");
        const auto found = paddedInputOf(graph, static_cast<int>(graph.nodes.size()) - 1);
        QCOMPARE(found.has_value(), edge >= 0);
        if (!found)
            return;
        QCOMPARE(found->image, 0);
        QCOMPARE(found->before, (Shape{0, before}));
        QCOMPARE(found->boundaryModes,
                 (std::vector<BoundaryMode>{BoundaryMode::Zeros, static_cast<BoundaryMode>(edge)}));
    }

    void aDepthwiseConvolutionReadsBeyondTheBordersItself() {
        const Program program = programOf(graphOf(image() + mirrored() + filtered("y", "%p"), "y"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        const ConvolutionSizes &sizes = program.kernels[0].convolution()->sizes;
        QCOMPARE(sizes.input, (Shape{2, 4, 9, 12}));
        QCOMPARE(sizes.padding, (Shape{1, 2}));
        QCOMPARE(sizes.boundaryModes,
                 (std::vector<BoundaryMode>{BoundaryMode::Zeros, BoundaryMode::Reflect}));
        QVERIFY(
            textOf(program, "kernels/convolution.cu").contains("const int inside = mirrored(w, kWidth);"));
        QVERIFY(textOf(program, "kernels/convolution.cpp")
                    .contains("mirrored(column * kStrideW + left, kWidth)"));
        // Another boundary mode is another kernel.
        Program other = program;
        other.kernels[0].convolution()->sizes.boundaryModes[1] = BoundaryMode::Replicate;
        QVERIFY(other.signature() != program.signature());
    }

    void aPassStaysWhereTheConvolutionCannot_data() {
        QTest::addColumn<QByteArray>("reader");
        QTest::addColumn<QByteArray>("outputs");
        QTest::addColumn<bool>("isFolded");
        const QByteArray matmuls = filtered("y", "%p", "[1, 0]", "%v", 1);
        QTest::newRow("a library's") << matmuls << QByteArray("y") << false;
        QTest::newRow("padded with zeros") << filtered("y", "%p", "[1, 1]") << QByteArray("y") << false;
        QTest::newRow("a result as well, of an input") << filtered("y", "%p") << QByteArray("y, p") << true;
    }

    void aPassStaysWhereTheConvolutionCannot() {
        QFETCH(QByteArray, reader);
        QFETCH(QByteArray, outputs);
        QFETCH(bool, isFolded);
        const ReferenceGraph graph = graphOf(image() + mirrored() + reader, outputs);
        QCOMPARE(withFoldedPadding(graph) != graph, isFolded);
    }

    void whatConsumersComputeIsStoredBesideTheResult() {
        const QByteArray nodes = image() + mirrored() + filtered("s", "%p") +
                                 node("d", "sub.Tensor", "%x, %s", {2, 4, 9, 12}) +
                                 node("r", "slice.Tensor", "%s, 2, 0, 9, 2", {2, 4, 5, 12},
                                      ElementType::Float32, {432, 108, 24, 1}) +
                                 node("h", "slice.Tensor", "%r, 3, 0, 12, 2", {2, 4, 5, 6},
                                      ElementType::Float32, {432, 108, 24, 2}) +
                                 node("c", "clone.default", "%h", {2, 4, 5, 6});
        const Program program = programOf(graphOf(nodes, "c, d"));
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        const Kernel &kernel = program.kernels[0];
        QCOMPARE(kernel.stores.size(), 2U); // the result itself has no consumer left
        QVERIFY(kernel.stores[0].every.empty());
        QCOMPARE(kernel.stores[1].every, (std::vector<std::int64_t>{1, 1, 2, 2}));
        QCOMPARE(kernel.stores[1].address.steps, (std::vector<std::int64_t>{120, 30, 6, 1}));
        // The image and the filters, the difference, every fourth result.
        constexpr double elements = 2 * 4 * 9 * 12 + 4 * 12 + 2 * 4 * 9 * 12 + 2 * 4 * 5 * 6;
        QVERIFY(std::abs(kernel.bytes() - 4 * elements) <= 16);
        QCOMPARE(kernel.rereadInputBytes(), 4.0 * 2 * 4 * 9 * 12);
        const QByteArray text = textOf(program, "kernels/convolution.cu");
        QVERIFY(text.contains("= sum, at every second row and column"));
        QVERIFY(text.contains("if (outRow % 2 == 0)\n"));
        QVERIFY(text.contains("{{vec2.at[0], vec2.at[2]}}"));
        QVERIFY(
            textOf(program, "kernels/convolution.cpp").contains("if (row % 2 == 0 && column % 2 == 0)\n"));
        // Where the result is an output as well, all its consumers' results are stored too.
        const Program all = programOf(graphOf(nodes, "c, d, s"));
        QCOMPARE(all.kernels.size(), 1U);
        QCOMPARE(all.kernels[0].stores.size(), 3U);
        QVERIFY(all.kernels[0].bytes() > kernel.bytes());
        // A consumer that reads it transposed, or from the second element on, keeps its kernel.
        const Program transposed = programOf(graphOf(
            image() + mirrored() + filtered("s", "%p") + node("d", "sub.Tensor", "%x, %s", {2, 4, 9, 12}) +
                node("r", "slice.Tensor", "%s, 3, 1, 12", {2, 4, 9, 11}, ElementType::Float32,
                     {432, 108, 12, 1}) +
                node("e", "exp.default", "%r", {2, 4, 9, 11}),
            "d, e"));
        QCOMPARE(transposed.kernels.size(), 2U);
        QCOMPARE(transposed.kernels[0].stores.size(), 2U);
    }
};

QObject *makeTestBoundaryModes() {
    return new TestBoundaryModes;
}

#include "tst_boundary_modes.moc"
