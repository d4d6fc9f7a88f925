// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/statistics.h"
#include "tests/referee/tests.h"

#include <QTest>

#include <cmath>
#include <random>

namespace warpwright {

class StatisticsTest : public QObject {
    Q_OBJECT

private slots:
    void findsTheMiddle() {
        QCOMPARE(median({3.0, 1.0, 2.0}), 2.0);
        QCOMPARE(median({4.0, 1.0, 3.0, 2.0}), 2.5);
        QCOMPARE(median({5.0}), 5.0);
    }

    void givesTheRangeForTwoSamples() {
        const Interval interval = medianWithInterval({1.0, 3.0});
        QCOMPARE(interval.low, 1.0);
        QCOMPARE(interval.high, 3.0);
    }

    void isTheSameForTheSameSamples() {
        const std::vector<double> samples{1.0, 1.1, 0.9, 1.05, 0.95, 1.2, 1.0, 1.0};
        QCOMPARE(medianWithInterval(samples).low, medianWithInterval(samples).low);
    }

    // The promise of the interval: about 95 of 100 contain the truth. Fewer than 88 of 100 would be a broken
    // promise.
    void coversTheTruth() {
        std::mt19937_64 random(7);
        std::normal_distribution<double> noise(0.0, 0.02);
        int covered = 0;
        for (int trial = 0; trial < 200; ++trial) {
            std::vector<double> base;
            std::vector<double> candidate;
            for (int block = 0; block < 16; ++block) {
                const double clock = std::exp(5.0 * noise(random)); // shared by the pair: must cancel
                base.push_back(200.0 * clock * std::exp(noise(random)));
                candidate.push_back(100.0 * clock * std::exp(noise(random)));
            }
            const Interval ratio = ratioWithInterval(base, candidate);
            QVERIFY(ratio.low <= ratio.value && ratio.value <= ratio.high);
            covered += ratio.low <= 2.0 && 2.0 <= ratio.high;
        }
        QVERIFY2(covered >= 176, qPrintable(QString::number(covered)));
    }

    void wideningKeepsTheValueAndAddsInQuadrature() {
        const Interval wide = widened({2.0, 2.0 * std::exp(-0.03), 2.0 * std::exp(0.03)}, 0.04);
        QCOMPARE(wide.value, 2.0);
        QVERIFY(std::abs(std::log(wide.high / 2.0) - 0.05) < 1e-12);
        QVERIFY(std::abs(std::log(wide.low / 2.0) + 0.05) < 1e-12);
    }
};

QObject *statisticsTest() {
    return new StatisticsTest;
}

} // namespace warpwright

#include "tst_statistics.moc"
