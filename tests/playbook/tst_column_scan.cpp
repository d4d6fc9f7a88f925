// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/kernel_templates.h"
#include "agent/playbook/schedule/column_scan.h"
#include "agent/playbook/schedule/thread_mapping.h"
#include "tests/playbook/all_knobs.h"
#include "tests/playbook/test_devices.h"

#include <QTest>

using namespace warpwright;

/// Scans down columns: how many adjacent ones a block takes, and how many threads share their length.
class TestColumnScan : public QObject {
    Q_OBJECT

private slots:
    void scansDownColumnsAreShared() {
        const auto down = [](std::int64_t rows, std::int64_t columns, bool isGuarded = false,
                             ElementType type = ElementType::Float32) {
            Kernel kernel;
            kernel.device = h200();
            kernel.loops = {rows, columns};
            kernel.outer = 1;
            const AffineExpr address{0, {1, rows}};
            const int limit = kernel.number(7, ElementType::Int64);
            const int isThere =
                kernel.add(Opcode::Less, ElementType::Bool, {limit, kernel.index({0, {0, 1}})});
            const int x = kernel.load({0, type, address, {}, 0}, {}, isGuarded ? isThere : -1);
            const int sum = kernel.add(Opcode::ScanSum, ElementType::Float32, {x});
            kernel.stores.push_back({sum, 1, ElementType::Float32, address});
            kernel.finish();
            return kernel;
        };
        QCOMPARE(threadMappingOf(down(12'000, 3000), allKnobs()).mode, MappingMode::ColumnScan);
        QCOMPARE(threadMappingOf(down(12'000, 30), allKnobs()).mode, MappingMode::ThreadPerRow);
        // As many threads as fill a device, and as many of them along adjacent columns as leave enough
        // blocks.
        QCOMPARE(configSpace(down(12'000, 3000), allKnobs()), (std::vector<int>{8, 4, 2}));
        QCOMPARE(scanBlockWidth(down(12'000, 3000)), 96);
        QCOMPARE(configSpace(down(60'000, 3000), allKnobs()), (std::vector<int>{2, 4}));
        QCOMPARE(scanBlockWidth(down(60'000, 3000)), 256);
        QCOMPARE(configSpace(down(2000, 3000), allKnobs()).front(), 32);
        QCOMPARE(scanBlockWidth(down(2000, 3000)), 32);
        QCOMPARE(scanBlockWidth(down(60'000, 3000, false, ElementType::Float16)), 128);
        // A guarded load is not prefetched.
        QCOMPARE(configSpace(down(12'000, 3000, true), allKnobs()).front(), 16);
        QCOMPARE(scanBlockWidth(down(12'000, 3000, true)), 32);
    }
};

QObject *makeTestColumnScan() {
    return new TestColumnScan;
}

#include "tst_column_scan.moc"
