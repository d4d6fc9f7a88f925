// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/kernel_templates.h"
#include "agent/playbook/schedule/cluster_shapes.h"
#include "agent/playbook/schedule/loop_space.h"
#include "agent/playbook/schedule/vector_width.h"
#include "tests/playbook/all_knobs.h"
#include "tests/playbook/test_devices.h"

#include <QTest>

using namespace warpwright;

class TestClusterShapes : public QObject {
    Q_OBJECT

    // A row's sum, or each row divided by it.
    static Kernel sumsOfRows(std::int64_t rows, std::int64_t columns, bool areKept = false) {
        Kernel kernel;
        kernel.device = h200();
        kernel.loops = {rows, columns};
        kernel.outer = 1;
        const AffineExpr address{0, {columns, 1}};
        const int x = kernel.load({0, ElementType::Float32, address, {}, 0});
        const int sum = kernel.add(Opcode::RowSum, ElementType::Float32, {x});
        if (areKept)
            kernel.stores.push_back({kernel.add(Opcode::Divide, ElementType::Float32, {x, sum}), 1,
                                     ElementType::Float32, address});
        else
            kernel.stores.push_back({sum, 1, ElementType::Float32, {0, {1, 0}}});
        kernel.finish();
        return kernel;
    }

    static Knobs ofElements() {
        Knobs knobs = allKnobs();
        knobs.hasWideLoads = false;
        return knobs;
    }

private slots:
    void theFirstLeavesNobodyForASecondRound_data() {
        QTest::addColumn<std::int64_t>("rows");
        QTest::addColumn<std::int64_t>("columns");
        QTest::addColumn<bool>("isWide");
        QTest::addColumn<int>("blocks");
        QTest::addColumn<int>("threads");
        const auto row = [](const char *name, std::int64_t rows, std::int64_t columns, bool isWide,
                            int blocks, int threads) {
            QTest::newRow(name) << rows << columns << isWide << blocks << threads;
        };
        row("a block a multiprocessor", 128, 120'000, true, 1, 1024);
        row("two", 64, 500'000, true, 2, 1024);
        row("they would leave a quarter idle", 100, 300'000, true, 8, 256);
        row("more rows than multiprocessors", 200, 150'000, true, 4, 256);
        row("few rows", 8, 400'000, true, 8, 256);
        row("no thread without a load", 128, 2048, true, 4, 256);
        row("element by element", 128, 430'441, false, 2, 1024);
        row("element by element, long", 96, 297'352, false, 8, 512);
        row("element by element, not so long", 96, 20'001, false, 8, 256);
    }
    void theFirstLeavesNobodyForASecondRound() {
        QFETCH(std::int64_t, rows);
        QFETCH(std::int64_t, columns);
        QFETCH(bool, isWide);
        QFETCH(int, blocks);
        QFETCH(int, threads);
        const Kernel kernel = sumsOfRows(rows, columns);
        QVERIFY(canBeClustered(kernel));
        const Knobs knobs = isWide ? allKnobs() : ofElements();
        const std::vector<ClusterShape> shapes = clusterShapes(kernel, knobs);
        QCOMPARE(shapes.front(), (ClusterShape{blocks, threads}));
        QVERIFY(shapes.size() <= 4);
        for (std::size_t i = 0; i < shapes.size(); ++i)
            QCOMPARE(std::count(shapes.begin(), shapes.end(), shapes[i]), 1);
        QCOMPARE(configSpace(kernel, knobs).front(), blocks * threads);
        QCOMPARE(configLabels(kernel, knobs, configSpace(kernel, knobs)).front(), shapes.front().word());
    }

    void aCachedRowFitsIntoRegisters() {
        for (const std::int64_t columns : {80'000, 140'000}) {
            const Kernel kernel = sumsOfRows(384, columns, true);
            QVERIFY(canBePersistent(kernel, true));
            const std::vector<ClusterShape> shapes = clusterShapes(kernel, allKnobs());
            for (const ClusterShape &shape : shapes)
                QVERIFY(registersHold(kernel, shape.threads, shape.blocks));
            // Eight blocks of 256 leave an SM 512 threads, once each thread holds 68 elements.
            QCOMPARE(shapes.front(), (columns == 80'000 ? ClusterShape{8, 256} : ClusterShape{4, 1024}));
        }
    }

    void wordsNameBlocksAndThreads() {
        QCOMPARE((ClusterShape{1, 512}.word()), QStringLiteral("a block of 512"));
        QCOMPARE((ClusterShape{2, 1024}.word()), QStringLiteral("2 blocks of 1024"));
    }
};

QObject *makeTestClusterShapes() {
    return new TestClusterShapes;
}

#include "tst_cluster_shapes.moc"
