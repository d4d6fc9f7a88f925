// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/affine_map.h"

#include <QTest>

using namespace warpwright;

class TestAffineMap : public QObject {
    Q_OBJECT

private slots:
    void digitsFollowLoopsThatFit() {
        // Loops 4, 6 over a flat index of 24, seen as [2, 2, 6].
        std::optional<LoopSplit> split;
        const auto map = delinearize({0, {6, 1}}, {4, 6}, {4, 6}, split);
        QVERIFY(map);
        QCOMPARE((*map)[0].steps, (std::vector<std::int64_t>{1, 0}));
        QCOMPARE((*map)[1].steps, (std::vector<std::int64_t>{0, 1}));
    }

    void asksForASplitWhereALoopCarries() {
        std::optional<LoopSplit> split;
        QVERIFY(!delinearize({0, {1}}, {4, 6}, {24}, split));
        QVERIFY(split);
        QCOMPARE(split->loop, 0);
        QCOMPARE(split->inner, std::int64_t(6));
    }

    void refusesWhatNoSplitMends() {
        std::optional<LoopSplit> split;
        QVERIFY(!delinearize({1, {1}}, {4, 6}, {7}, split)); // starts inside a row and runs into the next
        QVERIFY(!split);
    }

    void takesOffsetsIntoTheirDigits() {
        std::optional<LoopSplit> split;
        const auto map = delinearize({8, {1}}, {4, 6}, {4}, split); // row 1, from column 2 on
        QVERIFY(map);
        QCOMPARE((*map)[0].offset, std::int64_t(1));
        QCOMPARE((*map)[1].offset, std::int64_t(2));
    }

    void borrowsBelowZero() {
        std::optional<LoopSplit> split;
        const auto map = delinearize({-4, {6, 1}}, {4, 6}, {4, 3}, split); // the row before, from column 2 on
        QVERIFY(map);
        QCOMPARE((*map)[0].offset, std::int64_t(-1));
        QCOMPARE((*map)[1].offset, std::int64_t(2));
        QVERIFY(!delinearize({-4, {6, 1}}, {4, 6}, {4, 6},
                             split)); // spans columns of this row and of the one before
    }

    void combinesWithStrides() {
        const AffineExpr index = linearize(identityMap(2, 2), {10, 1}, 5);
        QCOMPARE(index.offset, std::int64_t(5));
        QCOMPARE(index.steps, (std::vector<std::int64_t>{10, 1}));
    }
};

QObject *makeTestAffineMap() {
    return new TestAffineMap;
}
#include "tst_affine_map.moc"
