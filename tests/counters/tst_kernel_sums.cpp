// SPDX-License-Identifier: GPL-3.0-or-later
// Many launches: what is said of each kernel, and the text that begins with it.
#include "toolchain/counters/kernel_sums.h"
#include "toolchain/report/counters_report.h"

#include <QTest>

using namespace warpwright;

namespace {

KernelCounters launchOf(const QString &name, int number, double microseconds, bool isBrief = true) {
    KernelCounters launch;
    launch.arm = QStringLiteral("imported");
    launch.name = name + QStringLiteral("(float *)");
    launch.function = name;
    launch.launch = number;
    launch.grid = {64, 1, 1};
    launch.block = {128, 1, 1};
    launch.isBrief = isBrief;
    launch.metrics[QStringLiteral("gpu__time_duration.sum")].number = microseconds * 1000;
    return launch;
}

/// 20 launches: 16 of "small", 1 to 16 us, of which the 10th is in full; 4 of "large", 100 us each.
Counters manyLaunches() {
    Counters counters;
    for (int i = 0; i < 16; ++i)
        counters.kernels.push_back(launchOf(QStringLiteral("small"), i, i + 1, i != 9));
    for (int i = 16; i < 20; ++i)
        counters.kernels.push_back(launchOf(QStringLiteral("large"), i, 100, i != 18));
    counters.hasSelectedMetrics = true;
    return counters;
}

} // namespace

class TestKernelSums : public QObject {
    Q_OBJECT

private slots:
    void sumsUpByKernel() {
        const Counters counters = manyLaunches();
        const std::vector<KernelSum> sums = kernelSums(counters, QStringLiteral("imported"));
        QCOMPARE(sums.size(), std::size_t(2));
        QCOMPARE(sums[0].function, QStringLiteral("large"));
        QCOMPARE(sums[0].total, 400.0);
        QCOMPARE(sums[0].shown->launch, 18);
        QCOMPARE(sums[1].launches, 16);
        QCOMPARE(sums[1].total, 136.0);
        QCOMPARE(sums[1].median, 8.5);
        QCOMPARE(sums[1].least, 1.0);
        QCOMPARE(sums[1].most, 16.0);
        QCOMPARE(sums[1].share, 136.0 / 536.0);
        QCOMPARE(sums[1].shown->launch, 9); // shorter than others, but in full
    }

    void countsThoseThatAreLeftOut() {
        Counters counters = manyLaunches();
        counters.launchesLeftOut = 3;
        counters.leftOut = {{QStringLiteral("small(float *)"), QStringLiteral("small"), {0.5, 20}},
                            {QStringLiteral("other(int)"), QStringLiteral("other"), {7}}};
        const std::vector<KernelSum> sums = kernelSums(counters, QStringLiteral("imported"));
        QCOMPARE(sums.size(), std::size_t(3));
        QCOMPARE(sums[1].launches, 18);
        QCOMPARE(sums[1].least, 0.5);
        QCOMPARE(sums[1].most, 20.0);
        QCOMPARE(sums[2].function, QStringLiteral("other"));
        QVERIFY(sums[2].shown == nullptr);
        QCOMPARE(countersFromJson(parseJson(dumpJson(toJson(counters))).value()).value(), counters);
    }

    void aTextOfManyBeginsWithItsKernels() {
        Counters counters = manyLaunches();
        counters.problems << QStringLiteral("The report has 20 launches. In full: 2.");
        const QString text =
            countersText(counters, {}, Terminal{}, QStringLiteral("One in full: --launch N."));
        const qsizetype missing = text.indexOf(QStringLiteral("The report has 20 launches"));
        const qsizetype advice = text.indexOf(QStringLiteral("One in full: --launch N."));
        const qsizetype table = text.indexOf(QStringLiteral("median"));
        const qsizetype first = text.indexOf(QStringLiteral("large, launch 19:"));
        QVERIFY2(missing > 0 && missing < advice && advice < table && table < first, qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("small, launch 10:")), qPrintable(text));
        QCOMPARE(text.count(QStringLiteral(", launch ")), 2);
        QVERIFY2(text.contains(QStringLiteral("8.50")) && text.contains(QStringLiteral("20 launches, 536")),
                 qPrintable(text));
        QVERIFY(text.count(QLatin1Char('\n')) < 60);
        const QString raw = rawCountersText(counters);
        QVERIFY2(raw.startsWith(QStringLiteral("The report has 20 launches")), qPrintable(raw));
        QVERIFY(raw.contains(QStringLiteral("(1 metrics, not all)")));
    }

    void aTextOfFewTellsOfEach() {
        Counters counters = manyLaunches();
        counters.kernels.resize(3);
        counters.hasSelectedMetrics = false;
        const QString text = countersText(counters, {}, Terminal{});
        QCOMPARE(text.count(QStringLiteral(", launch ")), 3);
        QVERIFY2(!text.contains(QStringLiteral("median")), qPrintable(text));
    }
};

QObject *makeTestKernelSums() {
    return new TestKernelSums;
}

#include "tst_kernel_sums.moc"
