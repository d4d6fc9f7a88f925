// SPDX-License-Identifier: GPL-3.0-or-later
// What other values of a candidate's configs take: the numbers as text, the chart offscreen.
#include "profiler_views/csv_text.h"
#include "profiler_views/sweep_view.h"
#include "tests/profiler_views/model_text.h"
#include "tests/profiler_views/recorded.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>

using namespace warpwright;

extern QString picturesFolder;

namespace {

MeasuredFigures swept() {
    MeasuredFigures figures = measuredFigures(recorded(QStringLiteral("h200-arg-reduction")));
    figures.sweep.status = StageStatus::Passed;
    figures.sweep.tried = {{QStringLiteral("CONFIG_10"), {51.0, 52.5}},
                           {QStringLiteral("CONFIG_1"), {70.5, 61.25, 96.0, 400.0}},
                           {QStringLiteral("CONFIG_2"), {61.5, 61.0, std::nullopt, 60.9}}};
    figures.sweep.best = {{QStringLiteral("CONFIG_1"), 1}, {QStringLiteral("CONFIG_10"), 0}};
    figures.sweep.ratio = 0.723;
    figures.times = timeScaleOf(70.5);
    return figures;
}

StatedConfigs stated() {
    StatedConfigs configs;
    configs.namesChoices = true;
    configs.values = {
        {QStringLiteral("CONFIG_1"), 0}, {QStringLiteral("CONFIG_2"), 3}, {QStringLiteral("CONFIG_10"), 1}};
    configs.kernels = {{QStringLiteral("CONFIG_1"), QStringLiteral("launchRowSums")},
                       {QStringLiteral("CONFIG_2"), QStringLiteral("launchMatrixProduct")}};
    return configs;
}

/// It ran out of its seconds.
MeasuredFigures endedEarly() {
    MeasuredFigures figures = swept();
    figures.sweep.status = StageStatus::NotRun;
    figures.sweep.reason = QStringLiteral("its seconds were over before all were tried");
    figures.sweep.tried.erase(QStringLiteral("CONFIG_10"));
    figures.sweep.best.clear();
    figures.sweep.ratio.reset();
    return figures;
}

} // namespace

class TestSweep : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support)")); }

    void theNumbersAreThere() {
        SweepModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        model.setSweep(swept(), stated());
        QCOMPARE(modelText(model),
                 QString("attribute | kernel | value | time, µs | of the text's | mark\n"
                         "CONFIG_1 | launchRowSums | 0 | 70.50 | 100.0 % | in the text\n"
                         "CONFIG_1 | launchRowSums | 1 | 61.25 | 86.9 % | quickest\n"
                         "CONFIG_1 | launchRowSums | 2 | 96.00 | 136.2 % | \n"
                         "CONFIG_1 | launchRowSums | 3 | 400.00 | 567.4 % | \n"
                         "CONFIG_2 | launchMatrixProduct | 0 | 61.50 | 101.0 % | \n"
                         "CONFIG_2 | launchMatrixProduct | 1 | 61.00 | 100.2 % | \n"
                         "CONFIG_2 | launchMatrixProduct | 2 |  |  | failed\n"
                         "CONFIG_2 | launchMatrixProduct | 3 | 60.90 | 100.0 % | in the text\n"
                         "CONFIG_10 |  | 0 | 51.00 | 97.1 % | quickest\n"
                         "CONFIG_10 |  | 1 | 52.50 | 100.0 % | in the text")
                     .replace(QStringLiteral(" %"), QStringLiteral("\u00a0%")));
        QVERIFY(csvText(model).startsWith("attribute,kernel,value,time_us,of_texts_time,mark\r\n"
                                          "CONFIG_1,launchRowSums,0,70.5,1,in the text\r\n"));
        const QString summary = model.summary();
        for (const char *word :
             {"CONFIG_1 of launchRowSums: 0 takes 70.50 µs (in the text), 1 takes 61.25 µs (quickest)",
              "2 (failed)", "CONFIG_1 = 1, CONFIG_10 = 0: together", "72.3\u00a0% of its time", "no verdict"})
            QVERIFY2(summary.contains(QString::fromUtf8(word)), qPrintable(summary));
    }

    void saysWhatBecameOfIt_data() {
        QTest::addColumn<MeasuredFigures>("figures");
        QTest::addColumn<QStringList>("heads");
        const auto row = [](const char *name, const MeasuredFigures &figures, const QStringList &heads) {
            QTest::newRow(name) << figures << heads;
        };
        row("nothing", MeasuredFigures(), {});
        row("two are quicker", swept(), {QStringLiteral("CONFIG_1 = 1, CONFIG_10 = 0")});
        MeasuredFigures none = swept();
        none.sweep.best.clear();
        row("none is quicker", none, {QStringLiteral("The text's own stays")});
        row("it ended early", endedEarly(), {QStringLiteral("Ended early")});
        MeasuredFigures both = endedEarly();
        both.sweep.best = {{QStringLiteral("CONFIG_1"), 1}};
        row("it ended early, and one is quicker", both,
            {QStringLiteral("CONFIG_1 = 1"), QStringLiteral("Ended early")});
    }

    void saysWhatBecameOfIt() {
        QFETCH(MeasuredFigures, figures);
        SweepModel model;
        model.setSweep(figures, stated());
        QStringList heads;
        for (const SweepSentence &sentence : model.sentences())
            heads << sentence.head;
        QTEST(heads, "heads");
    }

    // The judge of a sweep that ended early has not looked at what is missing.
    void whatHasNoTimeIsNotTriedOrFailed() {
        SweepModel model;
        model.setSweep(endedEarly(), stated());
        QCOMPARE(model.markOf(model.rows()[6]), QStringLiteral("not tried"));
        model.setSweep(swept(), stated());
        QCOMPARE(model.markOf(model.rows()[6]), QStringLiteral("failed"));
    }

    void withoutTheTextNothingIsSaidOfIt() {
        SweepModel model;
        model.setSweep(swept(), {});
        for (const SweptValue &row : model.rows())
            QVERIFY(!row.isStated && !row.ofStated && row.kernel.isEmpty());
        QVERIFY(model.rows()[1].isBest);
        StatedConfigs beyond;
        beyond.values = {{QStringLiteral("CONFIG_1"), 9}};
        model.setSweep(swept(), beyond);
        QVERIFY(!model.rows()[0].ofStated);
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
        SweepView view(look);
        MeasuredFigures one = endedEarly();
        one.sweep.tried = {{QStringLiteral("CONFIG"), {70.5, 61.25, 96.0, std::nullopt}}};
        for (const QSize size : {QSize(280, 220), QSize(400, 300), QSize(614, 300), QSize(1000, 520)}) {
            for (const char *kind : {"three", "one", "unknown", "stale"}) {
                const bool isOne = QByteArray(kind) == "one";
                view.show(isOne ? one : swept(), isOne ? StatedConfigs{true, {{"CONFIG", 0}}, {}}
                                                 : QByteArray(kind) == "unknown" ? StatedConfigs()
                                                                                 : stated());
                view.setStale(QByteArray(kind) == "stale");
                view.resize(size * scale);
                QVERIFY(!view.isEmpty());
                const QPixmap picture = view.grab();
                if (picturesFolder.isEmpty())
                    continue;
                QDir().mkpath(picturesFolder);
                QVERIFY(picture.save(QStringLiteral("%1/sweep-%2-%3-%4-%5.png")
                                         .arg(picturesFolder)
                                         .arg(size.width())
                                         .arg(isDark ? QStringLiteral("dark") : QStringLiteral("light"))
                                         .arg(scale)
                                         .arg(kind)));
            }
        }
    }

    void whatIsTallerThanThePaneScrolls() {
        Look look;
        SweepView view(look);
        view.show(swept(), stated());
        view.resize(620, 700);
        static_cast<QWidget &>(view).show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        auto *bar = view.findChild<QScrollArea *>()->verticalScrollBar();
        QCOMPARE(bar->maximum(), 0);
        view.resize(620, 200);
        QTRY_VERIFY(bar->maximum() > 0);
        // Its words say how it was measured, and those of what follows stay in sight.
        QVERIFY(view.findChild<QLabel *>("sweepMethod")->text().contains("no verdict"));
        const auto *sentences = view.findChild<QWidget *>("sweepSentences");
        QVERIFY(sentences->height() > 0);
        QCOMPARE(sentences->geometry().bottom(), view.height() - 1);
        // What comes while another page is open needs no bar any more.
        static_cast<QWidget &>(view).hide();
        MeasuredFigures one = swept();
        one.sweep.tried = {{QStringLiteral("CONFIG"), {70.5, 61.25}}};
        view.resize(620, 300);
        QVERIFY(bar->isVisibleTo(&view));
        view.show(one, {});
        QVERIFY(!bar->isVisibleTo(&view));
        QCOMPARE(view.findChild<QScrollArea *>()->viewport()->width(), 620);
    }

    void drawsNoMoreThanAPictureHolds() {
        Look look;
        SweepView view(look);
        MeasuredFigures many = swept();
        for (int i = 1; i <= 64; ++i)
            many.sweep.tried[QStringLiteral("CONFIG_%1").arg(i)] =
                std::vector<std::optional<double>>(16, 70.0);
        view.show(many, stated());
        view.resize(620, 300);
        QVERIFY(!view.grab().isNull());
        QVERIFY(view.plot().height() < 10000);
        QVERIFY(view.findChild<QLabel *>("sweepMethod")->text().contains("736 values more are in the CSV"));
        QCOMPARE(view.model().rowCount(), 1024);
    }

    void exportsWhatItShows() {
        Look look;
        SweepView view(look);
        const QTemporaryDir folder;
        QVERIFY(!view.exportCsv(folder.filePath(QStringLiteral("a.csv"))).hasValue());
        QVERIFY(view.summary().contains("appears here"));
        view.show(swept(), stated());
        view.resize(620, 420);
        QVERIFY(view.exportCsv(folder.filePath(QStringLiteral("a.csv"))).hasValue());
        QVERIFY(view.exportPng(folder.filePath(QStringLiteral("a.png"))).hasValue());
        QVERIFY(view.exportSvg(folder.filePath(QStringLiteral("a.svg"))).hasValue());
        const QImage picture(folder.filePath(QStringLiteral("a.png")));
        QVERIFY(!picture.isNull());
        QFile drawing(folder.filePath(QStringLiteral("a.svg")));
        QVERIFY(drawing.open(QIODevice::ReadOnly));
        const QByteArray svg = drawing.readAll();
        for (const char *word : {"CONFIG_10", "quickest", "in the text", "failed", "no verdict"})
            QVERIFY2(svg.contains(word), word);
        if (!picturesFolder.isEmpty())
            QVERIFY(picture.save(picturesFolder + QStringLiteral("/sweep-export.png")));
    }
};

QObject *makeTestSweep() {
    return new TestSweep;
}

#include "tst_sweep.moc"
