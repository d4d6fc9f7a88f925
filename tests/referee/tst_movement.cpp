// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/comparison/movement.h"
#include "tests/referee/tests.h"

#include <QTest>

namespace warpwright {
namespace {

Movement movement(double by, double allowed, double own = 1e-7) {
    Movement made;
    made.by = by;
    made.error = {allowed, own};
    made.isSame = made.isRounding();
    return made;
}

} // namespace

class TestMovement : public QObject {
    Q_OBJECT

private slots:
    void isHeldAgainstWhatTheComparisonAllows_data() {
        QTest::addColumn<double>("by");
        QTest::addColumn<double>("allowed");
        QTest::addColumn<double>("own");
        QTest::addColumn<bool>("isTold");
        QTest::addColumn<bool>("isFaint");
        QTest::newRow("as usual") << 1.4 << 2e-6 << 1e-7 << true << false;
        QTest::newRow("as usual, nothing asked") << 1.4 << 0.0 << 0.0 << true << false;
        QTest::newRow("little, but far more than allowed") << 1e-4 << 2e-6 << 1e-7 << true << false;
        QTest::newRow("just enough: more may be shown") << 1e-5 << 2e-6 << 1e-7 << true << true;
        QTest::newRow("as little as allowed") << 2e-6 << 2e-6 << 1e-7 << false << true;
        QTest::newRow("much, where bfloat16 is allowed") << 0.04 << 0.02 << 1e-7 << false << true;
        QTest::newRow("more than half of it, in bfloat16") << 1.0 << 0.4 << 0.05 << true << false;
        QTest::newRow("rounding around zero") << 1.4 << 4e9 << 1e9 << false << false;
        QTest::newRow("rounding of fp64") << 3e-16 << 2e-6 << 1e-7 << false << false;
    }

    void isHeldAgainstWhatTheComparisonAllows() {
        QFETCH(double, by);
        QFETCH(double, allowed);
        QFETCH(double, own);
        const Movement made = movement(by, allowed, own);
        QTEST(made.isTold(), "isTold");
        QTEST(made.isFaint(), "isFaint");
    }

    void keepsWhatShowsMost() {
        Movement most;
        QVERIFY(!most.isCompared() && !most.isTold() && !most.isFaint());
        most.add(movement(3e-16, 2e-6));
        QVERIFY(most.isSame);
        most.add(movement(1e-4, 2e-6));
        QVERIFY(!most.isSame && most.isTold());
        most.add(movement(1e-2, 4e-3)); // moves more, and tells less
        QCOMPARE(most.by, 1e-4);
        most.add(movement(0.0, 2e-6));
        QVERIFY(!most.isSame);
        most.add(Movement());
        QCOMPARE(most.by, 1e-4);
    }
};

QObject *movementTest() {
    return new TestMovement;
}

} // namespace warpwright

#include "tst_movement.moc"
