// SPDX-License-Identifier: GPL-3.0-or-later
// The charts as they are drawn, offscreen.
#include "profiler_views/csv_text.h"
#include "profiler_views/distribution_view.h"
#include "profiler_views/history_view.h"
#include "profiler_views/speedup_view.h"
#include "profiler_views/trust_row.h"
#include "tests/profiler_views/recorded.h"
#include "widgets/look.h"
#include "widgets/plot.h"

#include <QDir>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
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
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }

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
};

QObject *makeTestChartViews() {
    return new TestChartViews;
}

#include "tst_chart_views.moc"
