// SPDX-License-Identifier: GPL-3.0-or-later
// Sorted rows: what is fused into the kernel, what has to lie in memory before, and its text.
#include "agent/playbook/codegen/cuda/kernel_templates.h"
#include "agent/playbook/codegen/torch/candidate_files.h"
#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/schedule/sort_space.h"
#include "tests/playbook/test_devices.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

#include <algorithm>

using namespace warpwright;

class TestSort : public QObject {
    Q_OBJECT

    static QByteArray file(const Program &program, const QByteArray &end) {
        for (const auto &[path, bytes] :
             candidateFiles(program, std::vector<Knobs>(program.kernels.size(), Knobs())))
            if (path.endsWith(QLatin1String(end)))
                return bytes;
        return "cannot: " + program.unsupported.toUtf8();
    }
    /// `item`: 0 the values of x [50, 100] in order, 1 where they were.
    static QByteArray item(const QByteArray &name, int item, const Shape &shape = {50, 100},
                           ElementType type = ElementType::Float32) {
        return node(name, "getitem", "%order, " + QByteArray::number(item), shape,
                    item == 0 ? type : ElementType::Int64)
            .replace("aten.getitem", "getitem");
    }
    static QByteArray sorted(const QByteArray &what, const Shape &shape = {50, 100}) {
        return node("order", "sort.stable", what, shape);
    }
    static Program planned(const QByteArray &nodes, const QByteArray &outputs) {
        return programOf(graphOf(input("x", {50, 100}) + parameter("bias", {100}) + nodes, outputs));
    }

private slots:
    void elementsAreComputedAsTheyAreRead() {
        const Program program = planned(
            node("sum", "add.Tensor", "%x, %bias", {50, 100}) + sorted("%sum") + item("values", 0), "values");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        const Kernel &kernel = program.kernels[0];
        QVERIFY(kernel.isSortedRows());
        QCOMPARE(kernel.bytes(), 4.0 * (5000 + 100 + 5000));
        QCOMPARE(kernel.operations(), 50.0 * 64 * 28); // pairs in each of 1 + 2 + ... + 7 steps
        QVERIFY(!kernel.sortedRows()->isStable);
        const QByteArray text = file(program, ".cu");
        QVERIFY2(text.contains("const float value = x[row * 100 + c] + bias[c];") ||
                     text.contains("const float value = bias[c] + x[row * 100 + c];"),
                 text.constData());
        QVERIFY(text.contains("using Entry = std::int32_t;"));
        QVERIFY(text.contains("constexpr int kPaddedColumns = 128;"));
        QVERIFY(file(program, "sorted_rows.cpp").contains("std::sort(entries.begin(), entries.end()"));
    }

    void bothResultsAreOfOneKernel() {
        const Program program =
            planned(sorted("%x") + item("values", 0) + item("places", 1), "values, places");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        const Kernel &kernel = program.kernels[0];
        QCOMPARE(kernel.stores.size(), 2U);
        QCOMPARE(kernel.bytes(), 5000.0 * (4 + 4 + 8));
        QVERIFY(kernel.sortedRows()->isStable);
        QVERIFY(program.outputs[0] != program.outputs[1]);
        const QByteArray text = file(program, ".cu");
        // Zeros of both signs are equal when sorted, and come out as they were.
        QVERIFY2(text.contains("entries[k] = makeEntry(keyOf(value), 2 * c + isMinusZero);"),
                 text.constData());
        QVERIFY2(text.contains("std::int32_t(entry) / 2;"), text.constData());
    }

    void onlyWhatIsReadIsStored() {
        const Program program = planned(sorted("%x") + item("values", 0) + item("places", 1), "places");
        QCOMPARE(program.kernels.size(), 1U);
        QCOMPARE(program.kernels[0].stores.size(), 1U);
        QCOMPARE(program.kernels[0].sortedRows()->values, -1);
        QCOMPARE(program.kernels[0].bytes(), 5000.0 * (4 + 8));
        QVERIFY(file(program, ".cu").contains("entries[k] = makeEntry(keyOf(x[row * 100 + c]), c);"));
    }

    void ofTheFirstFewNoMoreAreStored() {
        const Program program = planned(
            node("order", "topk.default", "%x, 20", {50, 20}) + item("values", 0, {50, 20}), "values");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 1U);
        QCOMPARE(program.kernels[0].bytes(), 4.0 * (5000 + 50 * 20));
        QVERIFY(program.kernels[0].sortedRows()->isDescending);
        const QByteArray text = file(program, ".cu");
        QVERIFY2(text.contains("constexpr int kTopK = 20;") && text.contains("if (c < kTopK"),
                 text.constData());
        QVERIFY2(text.contains("return ~(value != value ? INT32_MAX : key);"), text.constData());
        QVERIFY(file(program, "sorted_rows.cpp").contains("std::partial_sort("));
    }

    void rowsThatLieAcrossAreCopiedBefore() {
        const Program program = planned(
            node("turned", "permute.default", "%x, [1, 0]", {100, 50}, ElementType::Float32, {1, 100}) +
                sorted("%turned", {100, 50}) + item("values", 0, {100, 50}),
            "values");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 2U);
        QVERIFY(program.kernels[0].isLoops());
        QVERIFY(program.kernels[1].isSortedRows());
    }

    void whatIsRoundedBeforeLiesInMemory() {
        const Program program =
            planned(node("half", "_to_copy.default", "%x", {50, 100}, ElementType::Float16) +
                        node("order", "sort.stable", "%half", {50, 100}, ElementType::Float16) +
                        item("values", 0, {50, 100}, ElementType::Float16),
                    "values");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 2U);
        QCOMPARE(program.kernels[1].inputs[0].type, ElementType::Float16);
        QVERIFY(file(program, ".cu").contains("#include <cuda_fp16.h>"));
    }

    void consumersReadItFromMemory() {
        const Program program = planned(sorted("%x") + item("values", 0) +
                                            node("sums", "cumsum.default", "%values, 1", {50, 100}) +
                                            node("y", "mul.Tensor", "%sums, %bias", {50, 100}),
                                        "y");
        QCOMPARE(program.unsupported, QString());
        QCOMPARE(program.kernels.size(), 2U);
        QVERIFY(program.kernels[1].hasScans());
    }

    void longRowsAreRefused() {
        const Program program = programOf(graphOf(
            input("x", {2, 9000}) + sorted("%x", {2, 9000}) + item("values", 0, {2, 9000}), "values"));
        QVERIFY2(program.unsupported.contains(QLatin1String("sort.stable")), qPrintable(program.unsupported));
    }

    void threadsShareARowAsRowsAllow() {
        Kernel kernel;
        kernel.device = h200();
        kernel.loops = {12000, 900};
        kernel.outer = 1;
        KernelInput input;
        input.address.steps = {900, 1};
        kernel.stores.push_back({kernel.load(input), 0, ElementType::Float32, input.address});
        auto &sort = kernel.structuredOp.emplace<SortedRows>();
        sort.kept = 900;
        sort.values = 0;
        QCOMPARE(sortedPerThread(kernel), std::vector<int>({32, 16, 8, 4}));
        sort.isStable = true; // an entry has 64 bits
        QCOMPARE(sortedPerThread(kernel), std::vector<int>({16, 8, 4, 2}));
        kernel.loops = {10, 8192}; // few rows, but a block has 1024 threads
        QCOMPARE(sortedPerThread(kernel), std::vector<int>({8, 16}));
        kernel.loops = {1 << 20, 64}; // eight adjacent threads read a sector
        QCOMPARE(sortedPerThread(kernel), std::vector<int>({8, 4, 2, 16}));
        QCOMPARE(configSpace(kernel, Knobs()), sortedPerThread(kernel));
    }
};

QObject *makeTestSort() {
    return new TestSort;
}

#include "tst_sort.moc"
