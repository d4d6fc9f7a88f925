// SPDX-License-Identifier: GPL-3.0-or-later
// Which hunk carries the gain: the numbers as text, the chart offscreen.
#include "profiler_views/csv_text.h"
#include "profiler_views/hunk_contributions_view.h"
#include "tests/profiler_views/model_text.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace warpwright;

extern QString picturesFolder;

namespace {

TimeDifference around(double value, double spread) {
    return {value, value - spread, value + spread};
}

HunkContributions threeHunks() {
    HunkContributions shown;
    shown.base = QStringLiteral("iteration 6");
    shown.proposal = QStringLiteral("proposal 7");
    shown.baseSpread = 0.7;
    shown.hunks = {{11, 1, QStringLiteral("512 threads"), around(-0.9, 1.0), around(-11.2, 0.7)},
                   {12, 2, QStringLiteral("streaming loads"), around(-4.1, 0.6), around(-10.1, 0.6)},
                   {13, 3, QStringLiteral("shuffle reduction"), around(-8.6, 0.7), around(-5.2, 0.8)}};
    shown.all = around(-14.4, 0.6);
    return shown;
}

} // namespace

class TestHunkContributions : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support)")); }

    void theNumbersAreThere() {
        HunkContributionsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        model.setContributions(threeHunks());
        QCOMPARE(modelText(model), QString("hunk | change | only this hunk, µs | low, µs | high, µs | "
                                           "without this hunk, µs | low, µs | high, µs\n"
                                           "1 | 512 threads | −0.9 | −1.9 | +0.1 | −11.2 | −11.9 | −10.5\n"
                                           "2 | streaming loads | −4.1 | −4.7 | −3.5 | −10.1 | −10.7 | −9.5\n"
                                           "3 | shuffle reduction | −8.6 | −9.3 | −7.9 | −5.2 | −6.0 | −4.4\n"
                                           "all | all of them | −14.4 | −15.0 | −13.8 |  |  | "));
        QVERIFY2(model.summary().startsWith(
                     QStringLiteral("All hunks together: −14.4 ± 0.6 µs against iteration 6. "
                                    "Hunk 1, 512 threads: only this hunk ≈ −0.9 ± 1.0 µs")),
                 qPrintable(model.summary()));
        QVERIFY(csvText(model).startsWith("hunk,title,alone_us,alone_low_us,alone_high_us,all_but_it_us"));
    }

    void saysWhatFollows_data() {
        QTest::addColumn<HunkContributions>("shown");
        QTest::addColumn<QStringList>("heads");
        QTest::newRow("nothing") << HunkContributions() << QStringList();
        QTest::newRow("one carries, one pays with the others")
            << threeHunks()
            << QStringList({QStringLiteral("Hunk 3 carries the gain"),
                            QStringLiteral("Hunk 1 pays with the others")});
        HunkContributions slower = threeHunks();
        slower.hunks[1].alone = around(3.0, 0.5);
        QTest::newRow("one slows down") << slower
                                        << QStringList({QStringLiteral("Hunk 3 carries the gain"),
                                                        QStringLiteral("Hunk 1 pays with the others"),
                                                        QStringLiteral("Hunk 2 slows down")});
        slower.hunks[1].isBesideCode = true; // one interval in twenty misses: a comment is not slow for it
        QTest::newRow("comments alone") << slower
                                        << QStringList({QStringLiteral("Hunk 3 carries the gain"),
                                                        QStringLiteral("Hunk 1 pays with the others"),
                                                        QStringLiteral("Hunk 2 changes no code")});
        HunkContributions idle = threeHunks();
        idle.hunks[0].allBut = around(-14.2, 0.7);
        QTest::newRow("one does nothing") << idle
                                          << QStringList({QStringLiteral("Hunk 3 carries the gain"),
                                                          QStringLiteral("Hunk 1 shows no effect")});
        HunkContributions harm = threeHunks();
        harm.hunks[0].allBut = around(-19, 0.5);
        QTest::newRow("one takes from the others")
            << harm
            << QStringList({QStringLiteral("Hunk 3 carries the gain"),
                            QStringLiteral("Hunk 1 takes from the others")});
        HunkContributions noise = threeHunks();
        for (HunkContribution &hunk : noise.hunks)
            hunk.alone = around(-0.1, 1);
        noise.all = around(-0.3, 1);
        for (HunkContribution &hunk : noise.hunks)
            hunk.allBut = around(-0.2, 1);
        QTest::newRow("all noise") << noise
                                   << QStringList({QStringLiteral("Hunk 1 shows no effect"),
                                                   QStringLiteral("Hunk 2 shows no effect"),
                                                   QStringLiteral("Hunk 3 shows no effect")});
        HunkContributions early = threeHunks();
        early.all.reset();
        for (HunkContribution &hunk : early.hunks)
            hunk.allBut.reset();
        QTest::newRow("only alone yet") << early << QStringList({QStringLiteral("Hunk 3 gains most")});
    }

    void saysWhatFollows() {
        QFETCH(HunkContributions, shown);
        QStringList heads;
        for (const ContributionSentence &sentence : contributionSentences(shown))
            heads << sentence.head;
        QTEST(heads, "heads");
    }

    void saysHowMuch() {
        const auto sentences = contributionSentences(threeHunks());
        QCOMPARE(sentences[0].words, QStringLiteral("shuffle reduction: 60 % of it, by itself")
                                         .replace(QStringLiteral("60 %"), percentText(0.597, 0)));
        QCOMPARE(sentences[0].value, QStringLiteral("−8.6 µs"));
        QCOMPARE(sentences[1].words,
                 QStringLiteral("no difference measured by itself; without it 3.2 µs are lost"));
        QCOMPARE(sentences[1].value, QStringLiteral("−3.2 µs"));
        QCOMPARE(sentences[1].hunk, 11);
    }

    void drawsAtManySizes_data() {
        QTest::addColumn<bool>("isDark");
        QTest::addColumn<double>("scale");
        QTest::newRow("light") << false << 1.0;
        QTest::newRow("dark") << true << 1.0;
        QTest::newRow("dark, large") << true << 1.5;
    }

    void drawsAtManySizes() {
        QFETCH(bool, isDark);
        QFETCH(double, scale);
        Look look;
        look.set(isDark ? Theme::dark() : Theme::light(), scale);
        HunkContributionsView view(look);
        HunkContributions part = threeHunks();
        part.hunks[1].allBut.reset();
        part.hunks[2].alone.reset();
        part.hunks[2].allBut.reset();
        part.all.reset();
        for (const QSize size : {QSize(280, 220), QSize(400, 300), QSize(614, 250), QSize(1000, 420)}) {
            for (const bool isWhole : {true, false}) {
                view.show(isWhole ? threeHunks() : part);
                view.resize(size * scale);
                QVERIFY(!view.isEmpty());
                const QPixmap picture = view.grab();
                if (picturesFolder.isEmpty())
                    continue;
                QDir().mkpath(picturesFolder);
                QVERIFY(picture.save(QStringLiteral("%1/contributions-%2-%3-%4-%5.png")
                                         .arg(picturesFolder)
                                         .arg(size.width())
                                         .arg(isDark ? QStringLiteral("dark") : QStringLiteral("light"))
                                         .arg(scale)
                                         .arg(isWhole ? QStringLiteral("whole") : QStringLiteral("part"))));
            }
        }
    }

    void pointsAndSentencesLeadToTheirHunk() {
        Look look;
        HunkContributionsView view(look);
        view.show(threeHunks());
        view.resize(620, 320);
        static_cast<QWidget &>(view).show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QSignalSpy picked(&view, &HunkContributionsView::hunkPicked);
        Plot &plot = view.plot();
        const QPoint third(static_cast<int>(plot.xAxis->coordToPixel(-8.6)),
                           static_cast<int>(plot.yAxis->coordToPixel(2.5)));
        QTest::mouseMove(&plot, third);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, third);
        QCOMPARE(picked.takeFirst().at(0).toInt(), 13);
        auto *list = view.findChild<QWidget *>(QStringLiteral("contributionSentences"));
        QTest::mouseClick(list, Qt::LeftButton, {}, {60, 10});
        QCOMPARE(picked.takeFirst().at(0).toInt(), 13);
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Down);
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(picked.takeFirst().at(0).toInt(), 11);
    }

    void exportsWhatItShows() {
        Look look;
        HunkContributionsView view(look);
        const QTemporaryDir folder;
        QVERIFY(!view.exportCsv(folder.filePath(QStringLiteral("a.csv"))).hasValue());
        view.show(threeHunks());
        view.resize(620, 320);
        QVERIFY(view.exportCsv(folder.filePath(QStringLiteral("a.csv"))).hasValue());
        QVERIFY(view.exportPng(folder.filePath(QStringLiteral("a.png"))).hasValue());
        QVERIFY(view.exportSvg(folder.filePath(QStringLiteral("a.svg"))).hasValue());
        QVERIFY(!QImage(folder.filePath(QStringLiteral("a.png"))).isNull());
    }
};

QObject *makeTestHunkContributions() {
    return new TestHunkContributions;
}

#include "tst_hunk_contributions.moc"
