// SPDX-License-Identifier: GPL-3.0-or-later
// Which iterations a page shows, and the places on its drawings.
#include "tests/report_page/made_input.h"
#include "toolchain/report_page/shown_iterations.h"
#include "toolchain/report_page/svg_axis.h"

#include <QSet>
#include <QTest>

#include <cmath>

using namespace warpwright;

class TestShownIterations : public QObject {
    Q_OBJECT

private slots:
    void showsAllOfFew() {
        const ShownIterations shown = shownIterations(madeIterations(40), 7, 40);
        QCOMPARE(shown.places.size(), std::size_t(40));
        QCOMPARE(shown.remark, QString());
        QCOMPARE(shownIterations({}, 0, 40).best(), -1);
    }

    void knowsTheBestSoFar() {
        const std::vector<IterationRecord> records = madeIterations(200);
        const ShownIterations shown = shownIterations(records, 0, 1000);
        std::optional<double> least;
        for (std::size_t i = 0; i < records.size(); ++i) {
            if (records[i].latest && records[i].latest->verdict == Verdict::Pass) {
                const double median = records[i].latest->candidate->medianMicroseconds;
                least = least ? std::min(*least, median) : median;
            }
            QVERIFY(shown.bestUpTo[i] >= 0);
            const auto best = static_cast<std::size_t>(shown.bestUpTo[i]);
            QCOMPARE(records[best].latest->candidate->medianMicroseconds, *least);
        }
    }

    void thinsManyAndSaysHow_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<bool>("isFasterEachTime");
        QTest::newRow("1,001") << 1'001 << false;
        QTest::newRow("10,000") << 10'000 << false;
        QTest::newRow("10,000, each the fastest") << 10'000 << true;
    }
    void thinsManyAndSaysHow() {
        QFETCH(int, count);
        QFETCH(bool, isFasterEachTime);
        std::vector<IterationRecord> records = madeIterations(count);
        if (isFasterEachTime)
            for (int i = 0; i < count; ++i) {
                IterationRecord &record = records[static_cast<std::size_t>(i)];
                EvaluationSummary summary;
                summary.verdict = Verdict::Pass;
                const double median = 1e6 - 50.0 * i;
                summary.candidate = ArmTiming{median, median, median, 8, true};
                summary.eager = SpeedUp{2e6 / median, 2e6 / median, 2e6 / median, QStringLiteral("eager")};
                record.latest = summary;
            }
        const ShownIterations shown = shownIterations(records, 777, 1000);
        QVERIFY2(shown.places.size() <= 1010 && shown.places.size() > 500, qPrintable(shown.remark));
        QVERIFY(std::is_sorted(shown.places.begin(), shown.places.end()));
        const QSet<std::size_t> places(shown.places.begin(), shown.places.end());
        QCOMPARE(static_cast<std::size_t>(places.size()), shown.places.size());
        for (const std::size_t place :
             {std::size_t(0), records.size() - 1, std::size_t(776), static_cast<std::size_t>(shown.best())})
            QVERIFY(places.contains(place));
        QVERIFY2(
            shown.remark.contains(
                QStringLiteral("of %1 iterations are shown").arg(QLocale(QLocale::English).toString(count))),
            qPrintable(shown.remark));
    }

    void placesRoundTicks_data() {
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::addColumn<bool>("isLogarithmic");
        QTest::newRow("microseconds") << 0.0 << 217.3 << false;
        QTest::newRow("tiny") << 0.0 << 3e-7 << false;
        QTest::newRow("huge") << 0.0 << 1e300 << false;
        QTest::newRow("one iteration") << 1.0 << 1.0 << false;
        QTest::newRow("rates") << 1e9 << 1e15 << true;
        QTest::newRow("30 powers") << 1e-10 << 1e20 << true;
    }
    void placesRoundTicks() {
        QFETCH(double, from);
        QFETCH(double, to);
        QFETCH(bool, isLogarithmic);
        const SvgAxis axis(from, to, 100, 500, isLogarithmic);
        const std::vector<double> ticks = axis.ticks(8);
        QVERIFY(!ticks.empty() && ticks.size() <= 12);
        for (const double tick : ticks)
            QVERIFY2(axis.at(tick) > 99.9 && axis.at(tick) < 500.1, qPrintable(QString::number(tick)));
        for (std::size_t i = 1; i < ticks.size(); ++i) {
            // Steps of 1, 2 or 5, or whole powers.
            const double step = isLogarithmic ? ticks[i] / ticks[i - 1] : ticks[i] - ticks[i - 1];
            const double digit = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
            const bool isRound =
                std::abs(digit - 1) < 1e-6 ||
                (!isLogarithmic && (std::abs(digit - 2) < 1e-6 || std::abs(digit - 5) < 1e-6));
            QVERIFY2(isRound, qPrintable(QString::number(step, 'g', 17)));
        }
        QCOMPARE(axis.clampedAt(to * 10 + 10), 500.0);
    }
};

QObject *makeTestShownIterations() {
    return new TestShownIterations;
}

#include "tst_shown_iterations.moc"
