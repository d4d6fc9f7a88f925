// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/base/statistics.h"
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

    void tellsWhatMayBeOthersTime() {
        const std::vector<double> steady{10.0, 10.1, 9.9, 10.0, 10.0, 9.9};
        // Each waited: nobody knows whose time that was.
        QVERIFY(std::abs(shareOfOthers(steady, {0.4, 0.4, 0.4, 0.4, 0.4, 0.4}) - 0.4) < 0.01);
        // Two that did not wait took as long: waiting cost the others nothing.
        QVERIFY(shareOfOthers(steady, {0.4, 0.0, 0.5, 0.4, 0.0, 0.6}) < 0.011);
        QCOMPARE(shareOfOthers(steady, {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}), 0.0);
        // They did not: it cost all that it says.
        const std::vector<double> slowed{10.0, 20.0, 20.0, 20.0, 10.0, 20.0};
        QVERIFY(std::abs(shareOfOthers(slowed, {0.0, 0.5, 0.5, 0.5, 0.0, 0.5}) - 0.5) < 0.01);
        // One that was slow for another reason clears nobody.
        const std::vector<double> once{30.0, 10.0, 10.0, 10.0, 10.0, 10.0};
        QVERIFY(std::abs(shareOfOthers(once, {0.0, 0.3, 0.3, 0.3, 0.3, 0.3}) - 0.3) < 0.01);
        QCOMPARE(shareOfOthers({5.0}, {0.2}), 0.2);
        // Among many, two or three of them do not either.
        std::vector<double> many(24, 10.0);
        std::vector<double> waited(24, 0.4);
        many[3] = many[11] = many[20] = 30.0;
        waited[3] = waited[11] = waited[20] = 0.0;
        QVERIFY(std::abs(shareOfOthers(many, waited) - 0.4) < 0.01);
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

    void oneProcessIsWidenedByWhatIsExpected() {
        const std::vector<double> slow{2.0, 2.1, 1.9, 2.0, 2.05};
        const std::vector<double> quick{1.0, 1.0, 1.0, 1.0, 1.0};
        const Interval wanted = widened(ratioWithInterval(slow, quick), 0.03);
        const Interval found = ratioOverProcesses(slow, quick, {0, 0, 0, 0, 0}, 0.03);
        QCOMPARE(found.low, wanted.low);
        QCOMPARE(found.high, wanted.high);
    }

    // The same promise over fresh processes that differ by more than their blocks tell, also where they
    // differ by less or somewhat more than was expected.
    void coversTheTruthOverProcesses_data() {
        QTest::addColumn<double>("between");
        QTest::addColumn<int>("processes");
        QTest::newRow("as expected, 3") << 0.003 << 3;
        QTest::newRow("less, 3") << 0.0005 << 3;
        QTest::newRow("as expected, 8") << 0.003 << 8;
        QTest::newRow("more, 8") << 0.006 << 8;
    }
    void coversTheTruthOverProcesses() {
        QFETCH(double, between);
        QFETCH(int, processes);
        std::mt19937_64 random(11);
        std::normal_distribution<double> normal(0.0, 1.0);
        int covered = 0;
        for (int trial = 0; trial < 40; ++trial) {
            std::vector<double> base;
            std::vector<double> candidate;
            std::vector<int> process;
            for (int number = 0; number < processes; ++number) {
                const double shift = std::exp(between * normal(random));
                for (int block = 0; block < 8; ++block) {
                    base.push_back(200.0 * shift * std::exp(0.004 * normal(random)));
                    candidate.push_back(100.0 * std::exp(0.004 * normal(random)));
                    process.push_back(number);
                }
            }
            const Interval ratio = ratioOverProcesses(base, candidate, process, 0.006);
            covered += ratio.low <= 2.0 && 2.0 <= ratio.high;
        }
        QVERIFY2(covered >= 34, qPrintable(QString::number(covered)));
    }

    void moreProcessesGiveANarrowerInterval() {
        std::vector<double> base;
        std::vector<double> candidate;
        std::vector<int> process;
        double before = 1.0;
        for (int number = 0; number < 6; ++number) {
            for (const double value : {1.0, 1.001, 0.999, 1.0002}) {
                base.push_back(2.0 * value);
                candidate.push_back(1.0);
                process.push_back(number);
            }
            const double half = ratioOverProcesses(base, candidate, process, 0.01).relativeHalfWidth();
            QVERIFY(half < before);
            before = half;
        }
        QVERIFY(before < 0.005);
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
