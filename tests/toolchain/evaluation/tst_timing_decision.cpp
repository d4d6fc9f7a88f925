// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/places.h"
#include "toolchain/base/text_file.h"
#include "toolchain/evaluation/timing_decision.h"

#include <QTest>

using namespace warpwright;

namespace {

MeasuredFigures figuresOf(Verdict verdict, double value, double low, double high) {
    MeasuredFigures figures;
    figures.verdict = verdict;
    figures.tier = Tier::Quick;
    figures.times = timeScaleOf(3800, 2500, 7100);
    ArmFigures compile;
    compile.name = QStringLiteral("compile");
    compile.label = QStringLiteral("compile");
    compile.medianMicroseconds = 43300;
    compile.lowMicroseconds = 35300;
    compile.highMicroseconds = 55200;
    figures.arms.push_back(compile);
    figures.sameClass = SpeedUp{value, low, high, QStringLiteral("compile")};
    return figures;
}

/// With plain spaces, as a test writes them.
QString plain(QString text) {
    return text.replace(QChar(0x00a0), QLatin1Char(' '));
}

} // namespace

class TestTimingDecision : public QObject {
    Q_OBJECT

private slots:
    void saysWhatDecided_data() {
        QTest::addColumn<MeasuredFigures>("figures");
        QTest::addColumn<QString>("begins");
        QTest::addColumn<QString>("holds");
        QTest::newRow("wide, and on one side of 1")
            << figuresOf(Verdict::Pass, 11.6, 7.0, 17.8)
            << "The times are decided: the speed-up over compile ("
            << "lies on one side of 1× and is known to ±47 %, within ±50 %";
        QTest::newRow("narrow, and holds 1")
            << figuresOf(Verdict::Pass, 1.02, 0.95, 1.09) << "The times are decided: "
            << "is known to ±7 %, within ±15 %";
        QTest::newRow("too wide") << figuresOf(Verdict::Inconclusive, 4.0, 1.5, 7.5) << "Inconclusive: "
                                  << "is known to ±75 %, and wider than ±50 % nothing is decided";
        QTest::newRow("wide, and holds 1")
            << figuresOf(Verdict::Inconclusive, 1.1, 0.8, 1.4) << "Inconclusive: "
            << "is known to ±27 % and holds 1×";
    }
    void saysWhatDecided() {
        QFETCH(MeasuredFigures, figures);
        QFETCH(QString, begins);
        QFETCH(QString, holds);
        const QString said = plain(whatDecided(figures));
        QVERIFY2(said.startsWith(begins) && said.contains(holds), qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("43")), qPrintable(said)); // the baseline it is over
        QCOMPARE(said.contains(QStringLiteral("The ± of one time decides nothing")),
                 figures.verdict == Verdict::Pass);
    }

    void isSilentWhereSomethingElseDecided_data() {
        QTest::addColumn<MeasuredFigures>("figures");
        MeasuredFigures certified = figuresOf(Verdict::Pass, 2, 1.99, 2.01);
        certified.tier = Tier::Certify;
        QTest::newRow("a certificate") << certified;
        MeasuredFigures noBaseline = figuresOf(Verdict::Inconclusive, 2, 1, 3);
        noBaseline.sameClass.reset();
        QTest::newRow("no baseline") << noBaseline;
        QTest::newRow("inconclusive by another rule") << figuresOf(Verdict::Inconclusive, 2, 1.9, 2.1);
        QTest::newRow("wrong") << figuresOf(Verdict::Wrong, 2, 1.9, 2.1);
    }
    void isSilentWhereSomethingElseDecided() {
        QFETCH(MeasuredFigures, figures);
        QCOMPARE(whatDecided(figures), QString());
    }

    // The judge is built apart from us: what is said is what it goes by.
    void isTheRuleOfTheJudge() {
        const Result<QByteArray> judge =
            readTextFile(sourceFolder("/toolchain/referee/timing/profiling_outcome.cpp"));
        QVERIFY(judge.hasValue());
        const auto has = [&judge](const char *name, double value) {
            return judge.value().contains(QByteArray("constexpr double ") + name + " = " +
                                          QByteArray::number(value) + ';');
        };
        QVERIFY(has("wideHalfWidth", wideTimingShare));
        QVERIFY(has("uselessHalfWidth", uselessTimingShare));
        QVERIFY(judge.value().contains(
            "half > uselessHalfWidth || (half > wideHalfWidth && isUndecided && !isKnownAsGraph)"));
    }
};

QObject *makeTestTimingDecision() {
    return new TestTimingDecision;
}

#include "tst_timing_decision.moc"
