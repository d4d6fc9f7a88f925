// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/figures.h"

#include <QTest>

#include <limits>

using namespace warpwright;

class TestFigures : public QObject {
    Q_OBJECT

private slots:
    void givesEachTimeItsUnit_data() {
        QTest::addColumn<double>("microseconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("small") << 0.51234 << "0.5123 µs";
        QTest::newRow("microseconds") << 41.234 << "41.23 µs";
        QTest::newRow("hundreds") << 412.34 << "412.3 µs";
        QTest::newRow("milliseconds") << 4123.4 << "4.123 ms";
        QTest::newRow("seconds") << 4.1234e6 << "4.123 s";
        QTest::newRow("many seconds") << 1.234567e8 << "123.5 s";
        QTest::newRow("nothing") << 0.0 << "0 µs";
    }

    void givesEachTimeItsUnit() {
        QFETCH(double, microseconds);
        QFETCH(QString, text);
        QCOMPARE(timeText(microseconds), text);
    }

    void writesATimeWithItsSpread_data() {
        QTest::addColumn<double>("median");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("interval");
        QTest::newRow("steady") << 203.4 << 202.9 << 203.9 << "203.4 ± 0.5 µs"
                                << "202.9–203.9";
        QTest::newRow("the farther side counts") << 60.35 << 60.28 << 60.45 << "60.35 ± 0.10 µs"
                                                 << "60.28–60.45";
        QTest::newRow("no more digits than the spread allows")
            << 5556.4 << 5296.2 << 5879.3 << "5.56 ± 0.32 ms"
            << "5.30–5.88";
        QTest::newRow("lopsided by less than is worth a word") << 79.4 << 79.27 << 79.62 << "79.40 ± 0.22 µs"
                                                               << "79.27–79.62";
        // «±» would say that it may have been 0.7 ms, where the interval begins at 2.9.
        QTest::newRow("lopsided: the interval itself") << 3400.0 << 2900.0 << 6000.0 << "3.4 (2.9–6.0) ms"
                                                       << "2.9–6.0";
        QTest::newRow("no time is below zero") << 6500.0 << 4400.0 << 14100.0 << "6.5 (4.4–14.1) ms"
                                               << "4.4–14.1";
        QTest::newRow("sides that differ by the last digit") << 60.35 << 60.32 << 60.37 << "60.35 ± 0.03 µs"
                                                             << "60.32–60.37";
        QTest::newRow("wide") << 203.4 << 190.0 << 220.0 << "203 ± 17 µs"
                              << "190–220";
        QTest::newRow("never rounded to nothing") << 203.4 << 203.39 << 203.41 << "203.4 ± 0.1 µs"
                                                  << "203.4–203.4";
        QTest::newRow("no spread at all") << 100.0 << 100.0 << 100.0 << "100.0 ± 0.0 µs"
                                          << "100.0–100.0";
    }

    void writesATimeWithItsSpread() {
        QFETCH(double, median);
        QFETCH(double, low);
        QFETCH(double, high);
        const TimeScale scale = timeScaleOf(median, low, high);
        QTEST(scale.withSpread(median, low, high), "text");
        QTEST(scale.interval(low, high), "interval");
    }

    // The speed of light of a task beside a candidate that takes a hundred times as long.
    void writesASmallTimeWithThreeDigits() {
        const TimeScale scale = timeScaleOf(113000, 100000, 126000);
        QCOMPARE(scale.text(740.4), QString("1 ms"));
        QCOMPARE(scale.fineText(740.4), QString("0.740 ms"));
        QCOMPARE(timeScaleOf(60.35, 60.32, 60.37).fineText(60.95), QString("60.95 µs"));
    }

    void writesDifferencesWithTheirSign() {
        const TimeScale scale = timeScaleOf(203.4, 202.9, 203.9);
        QCOMPARE(scale.difference(-14.4, -15.0, -13.8), QString("−14.4 ± 0.6 µs"));
        QCOMPARE(scale.difference(1.3, 0.7, 1.9), QString("+1.3 ± 0.6 µs"));
        QCOMPARE(scale.difference(-0.9, -1.9, 0.1), QString("≈ −0.9 ± 1.0 µs"));
        QVERIFY(isNoise(-1.9, 0.1) && isNoise(0, 1) && !isNoise(0.1, 1) && !isNoise(-2, -1));
        QCOMPARE(signedText(24) + ' ' + signedText(-3) + ' ' + signedText(0) + ' ' + signedText(-0.04, 1),
                 QString("+24 −3 0 0.0"));
    }

    void writesFactorsAsTheirIntervalDeserves() {
        QCOMPARE(factorText(3.503, 3.488, 3.521).both(), QString("3.50× 3.49–3.52"));
        QCOMPARE(factorText(1.195, 1.190, 1.200).both(), QString("1.195× 1.190–1.200"));
        QCOMPARE(factorText(1.6165, 1.3725, 1.9067).both(), QString("1.62× 1.37–1.91"));
        QCOMPARE(factorText(73.31, 70.0, 75.0).both(), QString("73.3× 70.0–75.0"));
        QCOMPARE(factorText(1.9312), QString("1.93×"));
        QCOMPARE(factorText(73.31), QString("73.3×"));
        QCOMPARE(factorText(0.971), QString("0.97×"));
    }

    void groupsThousands() {
        QCOMPARE(numberText(16384), QString("16,384"));
        QCOMPARE(numberText(1234567.8, 1), QString("1,234,567.8"));
        QCOMPARE(numberText(999), QString("999"));
        QCOMPARE(numberText(-1980), QString("−1,980"));
        QCOMPARE(numberText(-0.004, 2), QString("0.00"));
        QCOMPARE(numberText(std::numeric_limits<double>::quiet_NaN(), 2), QString("NaN"));
        QCOMPARE(numberText(-std::numeric_limits<double>::infinity()), QString("−∞"));
        QCOMPARE(countText(1600, "sample"), QString("1,600 samples"));
        QCOMPARE(countText(1, "error") + ", " + countText(0, "warning"), QString("1 error, 0 warnings"));
    }

    void writesSharesAndSizes() {
        QCOMPARE(percentText(0.927), QString("92.7\u00a0%"));
        QCOMPARE(percentText(1.0099), QString("101.0\u00a0%"));
        QCOMPARE(bytesText(1023), QString("1023 B"));
        QCOMPARE(bytesText(1536), QString("1.50 KiB"));
        QCOMPARE(scaledText(268435456, "B"), QString("268 MB"));
        QCOMPARE(scaledText(4.193e12, "B/s"), QString("4.19 TB/s"));
        QCOMPARE(scaledText(335.6e6, ""), QString("336 M"));
        QCOMPARE(scaledText(999.7e6, "B"), QString("1.00 GB"));
        QCOMPARE(scaledText(0.4167, "FLOP/B"), QString("0.417 FLOP/B"));
        QCOMPARE(scaledText(512, "B"), QString("512 B"));
        QCOMPARE(durationText(0.42), QString("0.42 s"));
        QCOMPARE(durationText(192), QString("3 min 12 s"));
    }
};

QObject *makeTestFigures() {
    return new TestFigures;
}

#include "tst_figures.moc"
