// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/comparison/plain_values.h"
#include "tests/referee/tests.h"

#include <QTest>

namespace warpwright {

namespace {

Json number(const char *hex) {
    return {{"kind", "float"}, {"value", hex}};
}

const Json none{{"kind", "none"}};

} // namespace

class PlainValuesTest : public QObject {
    Q_OBJECT

private slots:
    void takesAWordForItself() {
        const Json rows{{"kind", "value"}, {"value", "rows"}};
        const Json three{{"kind", "value"}, {"value", 3}};
        QVERIFY(arePlainEqual(rows, rows, none));
        QVERIFY(arePlainEqual(none, none, none));
        QVERIFY(!arePlainEqual(three, rows, rows));
        QVERIFY(!arePlainEqual(none, rows, rows));
        QVERIFY(!arePlainEqual(three, number("0x1.8p+1"), none)); // 3 is not 3.0
    }

    void holdsANumberAgainstTheExactOne() {
        const Json forty = number("0x1.4p+5");
        QVERIFY(arePlainEqual(forty, forty, none));
        QVERIFY(!arePlainEqual(number("0x1.48p+5"), forty, forty)); // 41
        QVERIFY(arePlainEqual(number("0x1.400002p+5"), forty, forty));
        // The reference's own error is the measure.
        QVERIFY(!arePlainEqual(number("0x1.41p+5"), forty, forty));
        QVERIFY(arePlainEqual(number("0x1.41p+5"), forty, number("0x1.408p+5")));
    }

    void knowsWhatIsNoNumber() {
        QVERIFY(arePlainEqual(number("nan"), number("nan"), number("nan")));
        QVERIFY(arePlainEqual(number("-inf"), number("-inf"), number("-inf")));
        QVERIFY(!arePlainEqual(number("inf"), number("-inf"), number("-inf")));
        QVERIFY(!arePlainEqual(number("nan"), number("0x1p+0"), number("0x1p+0")));
        QVERIFY(!arePlainEqual(number("0x1p+0"), number("nan"), number("nan")));
    }

    void saysThem() {
        QCOMPARE(describePlain(number("0x1.48p+5")), std::string("41.0"));
        QCOMPARE(describePlain(number("nan")), std::string("nan"));
        QCOMPARE(describePlain({{"kind", "value"}, {"value", "rows"}}), std::string("\"rows\""));
        QCOMPARE(describePlain(none), std::string("None"));
        QCOMPARE(describePlain({{"kind", "other"}, {"type", "m.Thing"}}), std::string("of type m.Thing"));
    }
};

QObject *plainValuesTest() {
    return new PlainValuesTest;
}

} // namespace warpwright

#include "tst_plain_values.moc"
