// SPDX-License-Identifier: GPL-3.0-or-later
// The charts as they are drawn, offscreen.
#include "profiler_views/csv_text.h"
#include "profiler_views/distribution_view.h"
#include "profiler_views/history_view.h"
#include "profiler_views/speedup_view.h"
#include "profiler_views/trust_row.h"
#include "tests/profiler_views/recorded.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QPainter>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <QXmlStreamReader>

using namespace warpwright;

extern QString picturesFolder;

namespace {

std::vector<HistoryPoint> eightIterations() {
    return {{1, "playbook", Verdict::Pass, 403.2, 396.1, 410.0, "A block a row, two passes"},
            {2, "playbook", Verdict::Pass, 331.5, 318.0, 344.0, "16-byte loads"},
            {3, "playbook", Verdict::Pass, 268.9, 267.0, 271.0, "Row kept in registers"},
            {4, "playbook", Verdict::Wrong, {}, {}, {}, "Two rows a block: race on part[]"},
            {5, "you", Verdict::BuildFailed, {}, {}, {}, "Unroll by 8: typo in pragma"},
            {6, "you", Verdict::Pass, 217.8, 217.2, 218.4, "float4 stores, launch bounds"},
            {7, "playbook", Verdict::Pass, 203.4, 202.9, 203.9, "Streaming loads, warp shuffle"},
            {8, "model", Verdict::Pass, 221.3, 220.0, 222.6, "From 6: cp.async staging"}};
}

void keep(QWidget &widget, const QString &name) {
    if (picturesFolder.isEmpty())
        return;
    QDir().mkpath(picturesFolder);
    widget.grab().save(picturesFolder + QLatin1Char('/') + name + QStringLiteral(".png"));
}

/// How many pixels have exactly this colour.
int countPixels(QWidget &widget, const QColor &color) {
    const QImage image = widget.grab().toImage().convertToFormat(QImage::Format_RGB32);
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            count += image.pixel(x, y) == color.rgb() ? 1 : 0;
    }
    return count;
}

} // namespace

class TestChartViews : public QObject {
    Q_OBJECT

private slots:
    // The platform without a screen complains of what it cannot do to windows.
    void init() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support)")); }

    void drawsInBothThemesAtManySizes_data() {
        QTest::addColumn<QString>("theme");
        QTest::addColumn<double>("scale");
        QTest::newRow("light") << "light" << 1.0;
        QTest::newRow("dark") << "dark" << 1.0;
        QTest::newRow("dark, twice") << "dark" << 2.0;
    }

    void drawsInBothThemesAtManySizes() {
        QFETCH(QString, theme);
        QFETCH(double, scale);
        Look look;
        look.set(theme == "dark" ? Theme::dark() : Theme::light(), scale);
        const QString tail = QStringLiteral("-%1-%2").arg(theme).arg(scale);
        SpeedupView speedup(look);
        DistributionView distribution(look);
        HistoryView history(look);
        history.show(eightIterations(), {712.6, 243.1, 188.6});
        history.setCurrent(7);
        for (const QSize size : {QSize(280, 240), QSize(360, 200), QSize(600, 340), QSize(900, 420)}) {
            const QSize scaled = size * scale;
            const QString at = QStringLiteral("-%1%2").arg(size.width()).arg(tail);
            for (const char *name : {"h200-gemm-bias-gelu", "h200-depthwise-certified", "h200-arg-reduction",
                                     "cpu-softmax-rows"}) {
                const MeasuredFigures figures = measuredFigures(recorded(name));
                speedup.show(figures);
                speedup.resize(scaled);
                keep(speedup, QStringLiteral("speedup-") + name + at);
                QVERIFY(!speedup.isEmpty() && speedup.shownColumns().contains("median"));
                QVERIFY(countPixels(speedup, look.color("series.candidate")) > 30);
                distribution.show(figures);
                distribution.resize(scaled);
                keep(distribution, QStringLiteral("distribution-") + name + at);
                QVERIFY(!distribution.isEmpty());
            }
            history.resize(scaled);
            keep(history, QStringLiteral("history") + at);
            QVERIFY(countPixels(history, look.color("series.candidate")) > 30);
        }
    }

    void anEmptyPlaceSaysWhatBringsTheChart_data() {
        QTest::addColumn<QString>("document");
        QTest::addColumn<QString>("words");
        QTest::newRow("never checked") << ""
                                       << "Speed-up appears here: after the first check that passes";
        QTest::newRow("does not compile")
            << "cpu-build-failed"
            << "Not profiled: it does not compile: times are measured once it compiles "
               "and verify passes";
        QTest::newRow("wrong") << "cpu-wrong"
                               << "Not profiled: the result is wrong: times are measured once verify passes";
        QTest::newRow("hangs") << "cpu-run-failed"
                               << "Not profiled: it did not run: times are measured once verify passes";
    }

    void anEmptyPlaceSaysWhatBringsTheChart() {
        QFETCH(QString, document);
        QFETCH(QString, words);
        Look look;
        SpeedupView speedup(look);
        DistributionView distribution(look);
        const MeasuredFigures figures =
            document.isEmpty() ? MeasuredFigures() : measuredFigures(recorded(document));
        speedup.show(measuredFigures(recorded("h200-softmax-rows")));
        speedup.show(figures);
        distribution.show(figures);
        QVERIFY(speedup.isEmpty() && distribution.isEmpty());
        QCOMPARE(speedup.summary(), words);
        QCOMPARE(speedup.accessibleDescription(), words);
        speedup.resize(400, 240);
        keep(speedup, QStringLiteral("empty-") + (document.isEmpty() ? QStringLiteral("never") : document));
        QTemporaryDir folder;
        const Result<void> written = speedup.exportPng(folder.filePath("a.png"));
        QVERIFY(!written.hasValue());
        QCOMPARE(written.message(),
                 QString("Cannot export \"Speed-up\": nothing was measured yet. Check first."));
        QVERIFY(!QFile::exists(folder.filePath("a.png")));
    }

    void saysWhyNothingWasRun() {
        Look look;
        SpeedupView view(look);
        MeasuredFigures figures;
        figures.reason = "no CUDA device: not run";
        view.show(figures);
        QCOMPARE(view.summary(), QString("No CUDA device: not run: it compiles; running needs a GPU"));
        figures.verdict = Verdict::Cancelled;
        view.show(figures);
        QCOMPARE(view.summary(), QString("Not profiled: stopped: check again to measure"));
        figures.verdict = Verdict::Pass;
        view.show(figures);
        QVERIFY(view.summary().endsWith("only compile and verify were asked for"));
        // Medians without samples: the chart of medians stands, the one of samples says what is missing.
        figures = measuredFigures(recorded("h200-softmax-rows"));
        figures.blocks.clear();
        DistributionView distribution(look);
        distribution.show(figures);
        QVERIFY(distribution.isEmpty());
        QCOMPARE(distribution.summary(),
                 QString("No samples in this evaluation: its document keeps medians and intervals only"));
    }

    void whatIsStaleLooksStale_data() {
        QTest::addColumn<QString>("theme");
        QTest::newRow("light") << "light";
        QTest::newRow("dark") << "dark";
    }

    void whatIsStaleLooksStale() {
        QFETCH(QString, theme);
        Look look;
        look.set(theme == "dark" ? Theme::dark() : Theme::light(), 1);
        const MeasuredFigures figures = measuredFigures(recorded("h200-gemm-bias-gelu"));
        SpeedupView speedup(look);
        speedup.show(figures);
        speedup.resize(600, 260);
        const int fresh = countPixels(speedup, look.color("series.candidate"));
        speedup.setStale(true);
        keep(speedup, QStringLiteral("stale-speedup-") + theme);
        QVERIFY(countPixels(speedup, look.color("series.candidate")) * 3 < fresh);
        QCOMPARE(countPixels(speedup, look.color("verdict.inconclusive")), 0);
        DistributionView distribution(look);
        distribution.show(figures);
        distribution.setStale(true);
        distribution.resize(600, 260);
        keep(distribution, QStringLiteral("stale-distribution-") + theme);
        speedup.setStale(false);
        QCOMPARE(countPixels(speedup, look.color("series.candidate")), fresh);
    }

    void narrowPanesLoseColumnsNotTheMedian() {
        Look look;
        SpeedupView view(look);
        view.show(measuredFigures(recorded("h200-gemm-bias-gelu")));
        QStringList seen;
        for (const int width : {280, 360, 480, 600}) {
            view.resize(width, 300);
            QVERIFY(!view.grab().isNull()); // lays out what is not on a screen
            seen << view.shownColumns().join(' ');
        }
        QCOMPARE(seen, QStringList({"median", "median speed-up", "median 95 % interval speed-up",
                                    "median 95 % interval speed-up class"}));
        // One precision class: no column for it.
        view.show(measuredFigures(recorded("h200-softmax-rows")));
        QVERIFY(!view.shownColumns().contains("class"));
    }

    void exportsWhatItShows_data() {
        QTest::addColumn<QString>("chart");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("speed-up") << "speedup" << QStringList{"eager TF32",
                                                              "36.49",
                                                              "186.19",
                                                              "5.10×",
                                                              "speed of light 20.94 µs",
                                                              "throttled 15 of 15 rounds",
                                                              "NVIDIA H200"};
        QTest::newRow("distribution")
            << "distribution"
            << QStringList{"candidate 36.49", "eager TF32 35.76", "MHz, throttled", "1,905"};
        QTest::newRow("history") << "history"
                                 << QStringList{"compile 243.1", "speed of light 188.6", "playbook"};
    }

    void exportsWhatItShows() {
        QFETCH(QString, chart);
        QFETCH(QStringList, words);
        Look look;
        SpeedupView speedup(look);
        DistributionView distribution(look);
        HistoryView history(look);
        speedup.show(measuredFigures(recorded("h200-gemm-bias-gelu")));
        distribution.show(measuredFigures(recorded("h200-gemm-bias-gelu")));
        history.show(eightIterations(), {712.6, 243.1, 188.6});
        ChartView &view = chart == "speedup"        ? static_cast<ChartView &>(speedup)
                          : chart == "distribution" ? static_cast<ChartView &>(distribution)
                                                    : history;
        view.resize(700, 320);
        QVERIFY(!view.grab().isNull());
        QTemporaryDir folder;

        const Result<void> png = view.exportPng(folder.filePath("chart.png"));
        QVERIFY2(png.hasValue(), qPrintable(png.message()));
        const QImage image(folder.filePath("chart.png"));
        QCOMPARE(image.width(), 2 * view.plot().width());
        QVERIFY(image.height() >= 2 * view.plot().height());

        const Result<void> svg = view.exportSvg(folder.filePath("chart.svg"));
        QVERIFY2(svg.hasValue(), qPrintable(svg.message()));
        QFile file(folder.filePath("chart.svg"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        QXmlStreamReader reader(bytes);
        QString text;
        while (!reader.atEnd()) {
            if (reader.readNext() == QXmlStreamReader::Characters)
                text += reader.text();
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        for (const QString &word : words)
            QVERIFY2(text.contains(word), qPrintable(word + " is not in: " + text.simplified()));
        QSvgRenderer renderer(bytes);
        QVERIFY(renderer.isValid());
        QCOMPARE(renderer.viewBox().width(), view.plot().width());
        if (!picturesFolder.isEmpty()) {
            QImage drawn(renderer.defaultSize() * 2, QImage::Format_RGB32);
            QPainter painter(&drawn);
            renderer.render(&painter);
            painter.end();
            drawn.save(picturesFolder + "/export-" + chart + "-svg.png");
            image.save(picturesFolder + "/export-" + chart + "-png.png");
        }

        const Result<void> csv = view.exportCsv(folder.filePath("chart.csv"));
        QVERIFY2(csv.hasValue(), qPrintable(csv.message()));
        QFile table(folder.filePath("chart.csv"));
        QVERIFY(table.open(QIODevice::ReadOnly));
        QCOMPARE(table.readAll(), csvText(view.model()));

        for (const Result<void> &failed : {view.exportPng("/nowhere/a.png"), view.exportSvg("/nowhere/a.svg"),
                                           view.exportCsv("/nowhere/a.csv")}) {
            QVERIFY(!failed.hasValue());
            QVERIFY2(failed.message().startsWith("Cannot write \"/nowhere/a.") &&
                         failed.message().endsWith("Choose another folder."),
                     qPrintable(failed.message()));
        }
    }

    void aPointOfTheHistoryIsPickedByMouseAndKeys() {
        Look look;
        HistoryView view(look);
        view.show(eightIterations(), {712.6, 243.1, 188.6});
        view.resize(600, 320);
        static_cast<QWidget &>(view).show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QSignalSpy picked(&view, &HistoryView::iterationPicked);
        Plot &plot = view.plot();
        const QPoint third(static_cast<int>(plot.xAxis->coordToPixel(3)),
                           static_cast<int>(plot.yAxis->coordToPixel(268.9)));
        QTest::mouseMove(&plot, third);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, third);
        QCOMPARE(picked.count(), 1);
        QCOMPARE(picked.takeFirst().at(0).toInt(), 3);
        // Failures too, on their rail.
        const QPoint fourth(static_cast<int>(plot.xAxis->coordToPixel(4)),
                            plot.axisRect()->top() - look.px(12));
        QTest::mouseClick(&plot, Qt::LeftButton, {}, fourth);
        QCOMPARE(picked.takeFirst().at(0).toInt(), 4);
        // Beside a point nothing is picked.
        QTest::mouseClick(&plot, Qt::LeftButton, {}, third + QPoint(30, -40));
        QCOMPARE(picked.count(), 0);
        plot.setFocus(Qt::TabFocusReason);
        QTest::keyClick(&plot, Qt::Key_Escape);
        QTest::keyClick(&plot, Qt::Key_Left); // from nowhere: the last
        QTest::keyClick(&plot, Qt::Key_Left);
        QCOMPARE(plot.currentStop(), 6);
        QVERIFY2(plot.accessibleDescription().startsWith(
                     "iteration 7, Pass, by playbook\nmedian 203.4 µs, 95 % interval "
                     "202.9–203.9 µs"),
                 qPrintable(plot.accessibleDescription()));
        keep(view, "history-pointed");
        QTest::keyClick(&plot, Qt::Key_Return);
        QCOMPARE(picked.takeFirst().at(0).toInt(), 7);
    }

    void zoomsAndComesBack() {
        Look look;
        SpeedupView view(look);
        view.show(measuredFigures(recorded("h200-gemm-bias-gelu")));
        view.resize(600, 320);
        static_cast<QWidget &>(view).show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        Plot &plot = view.plot();
        const QCPRange home = plot.xAxis->range();
        plot.setFocus(Qt::TabFocusReason);
        for (int i = 0; i < 4; ++i)
            QTest::keyClick(&plot, Qt::Key_Plus);
        QVERIFY(plot.isZoomed() && plot.xAxis->range().upper < home.upper);
        QCOMPARE(plot.xAxis->range().lower, 0.0); // a bar chart is never cut above zero
        keep(view, "speedup-zoomed");
        QTest::keyClick(&plot, Qt::Key_Home);
        QVERIFY(!plot.isZoomed());
        const QPointF centre = plot.rect().center();
        QWheelEvent wheel(centre, plot.mapToGlobal(centre), {}, QPoint(0, 120), Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&plot, &wheel);
        QVERIFY(plot.isZoomed());
        QCOMPARE(plot.xAxis->range().lower, 0.0);
        QTest::mouseDClick(&plot, Qt::LeftButton, {}, plot.rect().center());
        QCOMPARE(plot.xAxis->range(), home);
        // However often it is turned back: the bars stay to be seen.
        QWheelEvent back(centre, plot.mapToGlobal(centre), {}, QPoint(0, -120), Qt::NoButton, Qt::NoModifier,
                         Qt::NoScrollPhase, false);
        for (int i = 0; i < 40; ++i)
            QApplication::sendEvent(&plot, &back);
        QVERIFY(plot.xAxis->range().upper <= 1.6 * home.upper);
        QCOMPARE(plot.xAxis->range().lower, 0.0);
    }

    void drawsWhatItWasNotMadeFor_data() {
        QTest::addColumn<double>("candidate");
        QTest::addColumn<double>("eager");
        QTest::addColumn<double>("light");
        QTest::newRow("eager a thousand times as slow") << 50.0 << 50000.0 << 40.0;
        QTest::newRow("nanoseconds") << 0.003 << 0.2 << 0.001;
        QTest::newRow("hours") << 9e9 << 1e10 << 1e3;
        QTest::newRow("beyond all measure") << 1e300 << 1e-300 << 1e308;
        QTest::newRow("slower than eager") << 500.0 << 20.0 << 700.0;
    }

    void drawsWhatItWasNotMadeFor() {
        QFETCH(double, candidate);
        QFETCH(double, eager);
        QFETCH(double, light);
        Look look;
        MeasuredFigures figures = measuredFigures(recorded("h200-softmax-rows"));
        const auto set = [](ArmFigures &arm, double time) {
            arm.medianMicroseconds = time;
            arm.lowMicroseconds = 1.2 * time; // the wrong way round
            arm.highMicroseconds = 0.8 * time;
        };
        set(figures.arms.front(), eager);
        set(figures.arms.back(), candidate);
        figures.arms.back().samples.reset();
        figures.times = timeScaleOf(candidate);
        figures.speedOfLightMicroseconds = light;
        figures.blocks.resize(1);
        figures.blocks.front().arm = "candidate";
        SpeedupView speedup(look);
        DistributionView distribution(look);
        HistoryView history(look);
        speedup.show(figures);
        distribution.show(figures);
        history.show({{1, "you", Verdict::Pass, candidate, {}, {}, {}},
                      {900, "you", Verdict::Pass, eager, {}, {}, {}}},
                     {eager, candidate, light});
        for (ChartView *view : std::initializer_list<ChartView *>{&speedup, &distribution, &history}) {
            for (const QSize size : {QSize(600, 300), QSize(280, 88), QSize(20, 20)}) {
                view->resize(size);
                QVERIFY(!view->grab().isNull());
            }
            view->resize(600, 300);
            keep(*view, QStringLiteral("odd-%1-%2").arg(view->accessibleName(), QTest::currentDataTag()));
        }
    }

    void aLongHistoryStaysReadable() {
        Look look;
        std::vector<HistoryPoint> points;
        for (int number = 1; number <= 400; ++number) {
            const double time = 200 + 300.0 / number;
            const bool isBad = number % 7 == 0;
            points.push_back({number,
                              number % 3 == 0 ? "you" : "playbook",
                              isBad ? Verdict::Wrong : Verdict::Pass,
                              isBad ? std::nullopt : std::optional(time),
                              time - 1,
                              time + 1,
                              {}});
        }
        HistoryView view(look);
        view.show(points, {900.0, 300.0, 150.0});
        view.resize(600, 300);
        keep(view, "history-long");
        QElapsedTimer clock;
        clock.start();
        view.plot().replot();
        QVERIFY2(clock.elapsed() < 500, qPrintable(QString::number(clock.elapsed())));
    }

    void theDoubtLeadsTheTrustRow() {
        Look look;
        TrustRow row(look);
        row.setBadge(wholeTrustBadge(measuredFigures(recorded("h200-gemm-bias-gelu"))));
        QVERIFY(row.accessibleDescription().startsWith("throttled 15 of 15 rounds, physically possible, "));
        const int one = row.heightForWidth(2000);
        QVERIFY(row.heightForWidth(200) > one);
        row.setMostRows(1);
        QCOMPARE(row.heightForWidth(200), one);
        row.resize(200, one);
        static_cast<QWidget &>(row).show();
        QVERIFY(QTest::qWaitForWindowExposed(&row));
        QTest::keyClick(&row, Qt::Key_Return);
        QVERIFY(row.accessibleDescription().contains("lowered its clock while measuring"));
        QTest::keyClick(&row, Qt::Key_Right);
        QVERIFY2(row.accessibleDescription().startsWith("+6: physically possible"),
                 qPrintable(row.accessibleDescription()));
        row.setBadge({});
        QVERIFY(row.isHidden());
    }

    void followsTheLookLive() {
        Look look;
        SpeedupView view(look);
        view.show(measuredFigures(recorded("h200-softmax-rows")));
        view.resize(600, 320);
        QVERIFY(countPixels(view, look.color("series.candidate")) > 500);
        look.set(Theme::dark(), 1.5);
        QVERIFY(countPixels(view, Theme::light().color("series.candidate")) == 0);
        QVERIFY(countPixels(view, look.color("series.candidate")) > 500);
    }
};

QObject *makeTestChartViews() {
    return new TestChartViews;
}

#include "tst_chart_views.moc"
