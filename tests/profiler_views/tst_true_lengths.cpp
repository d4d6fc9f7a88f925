// SPDX-License-Identifier: GPL-3.0-or-later
// What a drawing must not exaggerate, nor press flat, nor lay over what else it says.
#include "profiler_views/history_view.h"
#include "profiler_views/series_paint.h"
#include "profiler_views/speedup_view.h"
#include "tests/profiler_views/recorded.h"
#include "widgets/look/look.h"
#include "widgets/plot/log_ticker.h"
#include "widgets/plot/plot.h"

#include <QImage>
#include <QPainter>
#include <QTest>

using namespace warpwright;

namespace {

/// The first and the last column (or row) with ink.
QPair<int, int> inkAlong(const QImage &image, bool isVertical) {
    QPair<int, int> ends(-1, -1);
    const int length = isVertical ? image.height() : image.width();
    const int across = isVertical ? image.width() : image.height();
    for (int i = 0; i < length; ++i)
        for (int j = 0; j < across; ++j)
            if (qGray(isVertical ? image.pixel(j, i) : image.pixel(i, j)) < 160) {
                ends.first = ends.first < 0 ? i : ends.first;
                ends.second = i;
            }
    return ends;
}

} // namespace

class TestTrueLengths : public QObject {
    Q_OBJECT

private slots:
    // The word that a bar is of an earlier measurement, beside an interval that ends at the edge.
    void noWordLiesOverTheColumns() {
        Look look;
        look.set(Theme::light(), 1.25);
        MeasuredFigures figures = measuredFigures(recorded("h200-softmax-rows"));
        const double candidate = figures.candidate()->medianMicroseconds;
        ArmFigures &arm = figures.arms.front();
        QVERIFY(!arm.isCandidate());
        arm.medianMicroseconds = 2 * candidate;
        arm.lowMicroseconds = 0.2 * candidate;
        arm.highMicroseconds = 6 * candidate;
        for (const int width : {280, 540}) {
            QList<QImage> columns;
            for (const bool isLive : {true, false}) {
                arm.isLive = isLive;
                SpeedupView view(look);
                view.show(figures);
                view.resize(width, 300);
                (void)view.grab(); // lays out what is not on a screen
                const auto *plot = view.findChild<Plot *>();
                const int from = plot->mapTo(&view, QPoint(plot->axisRect()->rect().right(), 0)).x();
                const QImage image = view.grab().toImage();
                const int left = from + look.px(9);
                columns << image.copy(left, 0, image.width() - left, plot->axisRect()->rect().bottom());
            }
            QCOMPARE(columns[0], columns[1]);
        }
    }

    void aLowChartHasNoTitleThatWouldBeCut() {
        Look look;
        look.set(Theme::light(), 1.25);
        SpeedupView view(look);
        view.show(measuredFigures(recorded("h200-softmax-rows")));
        for (const int height : {150, 400}) {
            view.resize(280, height);
            (void)view.grab(); // lays out what is not on a screen
            QCOMPARE(view.findChild<Plot *>()->xAxis->label().isEmpty(), height == 150);
        }
    }

    void anIntervalIsAsWideAsItIs_data() {
        QTest::addColumn<double>("width");
        QTest::addColumn<bool>("isVertical");
        for (const double width : {0.0, 0.2, 1.0, 3.0, 5.0, 20.0, 60.0})
            for (const bool isVertical : {false, true})
                QTest::addRow("%g px%s", width, isVertical ? ", upright" : "") << width << isVertical;
    }
    void anIntervalIsAsWideAsItIs() {
        QFETCH(const double, width);
        QFETCH(const bool, isVertical);
        const Look look;
        QImage image(200, 200, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        const QPointF reach = isVertical ? QPointF(0, width / 2) : QPointF(width / 2, 0);
        drawErrorBar(painter, look, QPointF(100, 100) - reach, QPointF(100, 100) + reach, Qt::black,
                     isVertical ? Qt::Vertical : Qt::Horizontal);
        painter.end();
        const auto [first, last] = inkAlong(image, isVertical);
        QVERIFY(first >= 0);
        // A tick has its own thickness; antialiasing may touch one pixel more at either end.
        const double drawn = last - first + 1;
        QVERIFY2(drawn <= std::max(width, 1.25) + 2 && drawn >= width - 2,
                 qPrintable(QString::number(drawn)));
    }

    void ticksOfALogarithmicAxisAreRoundAndFew() {
        QCOMPARE(LogTicker::ticksIn({20, 650}, 6), (QVector<double>{20, 50, 100, 200, 500}));
        QCOMPARE(LogTicker::ticksIn({9, 3000}, 6), (QVector<double>{10, 30, 100, 300, 1000, 3000}));
        QCOMPARE(LogTicker::ticksIn({0.5, 200000}, 6), (QVector<double>{1, 10, 100, 1000, 10000, 100000}));
        QVERIFY(LogTicker::ticksIn({0, 10}, 6).isEmpty());
        QVERIFY(needsLogAxis(12, 2871) && !needsLogAxis(203, 403) && !needsLogAxis(0, 5));
    }

    // One slow first iteration, and then the small steps that the work was about.
    void aHistoryWhoseTimesAreFarApartIsReadable() {
        Look look;
        HistoryView view(look);
        view.resize(700, 320);
        const auto point = [](int number, double time) {
            return HistoryPoint{number, "model", Verdict::Pass, time, 0.99 * time, 1.01 * time, {}};
        };
        view.show({point(1, 2871), point(2, 18.2), point(3, 16.0), point(4, 12.2)}, {});
        const QCPAxis *axis = view.plot().yAxis;
        QVERIFY(axis->scaleType() == QCPAxis::stLogarithmic);
        QVERIFY(axis->range().lower > 5 && axis->range().lower < 12.1 && axis->range().upper > 2899);
        QVERIFY(!view.grab().isNull());
        QVERIFY(axis->coordToPixel(12.2) - axis->coordToPixel(18.2) > 8); // else they were one line
        view.show({point(1, 403), point(2, 203)}, {});
        QVERIFY(view.plot().yAxis->scaleType() == QCPAxis::stLinear);
    }
};

QObject *makeTestTrueLengths() {
    return new TestTrueLengths;
}

#include "tst_true_lengths.moc"
