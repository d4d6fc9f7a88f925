// SPDX-License-Identifier: GPL-3.0-or-later
// Where points and names of a roofline stand, and how many things a list of names keeps off.
#include "profiler_views/roofline/roofline_places.h"
#include "profiler_views/roofline/roofline_view.h"
#include "tests/profiler_views/recorded.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace warpwright;

namespace {

/// Each with a time of its own, in no order, beside the shown one.
RooflineInput iterations(int count) {
    RooflineInput input;
    input.figures = measuredFigures(recorded(QStringLiteral("h200-gemm-bias-gelu")));
    input.iteration = 7;
    for (int i = 100; i < 100 + count; ++i)
        input.iterations.push_back({i, 4.0 + 0.09 * ((i * 7919) % 10007)});
    return input;
}

} // namespace

class TestRooflinePlaces : public QObject {
    Q_OBJECT

private slots:
    void manyIterationsAreKeptOffAsFew() {
        const Look look;
        RooflineView view(look);
        RooflineModel model;
        model.setInput(iterations(10000));
        const std::vector<RooflinePoint> &points = model.points();
        QVERIFY(points.size() > 10000);
        view.show(iterations(10000));
        view.resize(1100, 560);
        const auto others = std::count_if(points.begin(), points.end(), [](const RooflinePoint &point) {
            return point.kind != RooflinePoint::Kind::Iteration;
        });
        const auto most = static_cast<std::size_t>(others + view.height() / look.px(4) + 3);
        const RooflinePlaces places(points);
        for (int turn = 0; turn < 4; ++turn) {
            QVERIFY(!view.grab().isNull()); // laid out
            const std::size_t count = view.obstacles().marks.size();
            QVERIFY2(count > 20 && count <= most, qPrintable(QString::number(count)));
            // None is forgotten: where one stands for many, it covers all of them.
            const RooflineFrame frame = view.frame();
            const std::vector<QPointF> all = places.all(frame);
            const std::vector<QRectF> marks =
                obstaclesOf(places.inSight(frame, look.px(4)), {}, {}, look).marks;
            for (std::size_t i = 0; i < points.size(); ++i) {
                const QPointF at = frame.at(points[i].intensity(), points[i].flopsPerSecond());
                QVERIFY(QLineF(at, all[i]).length() < 1e-6);
                QVERIFY(!QRectF(frame.area).contains(at) ||
                        std::any_of(marks.begin(), marks.end(),
                                    [&at](const QRectF &mark) { return mark.contains(at); }));
            }
            view.plot().zoom(1.25);
        }
    }

    void theWayOfIterationsEndsAtTheArea() {
        RooflineModel model;
        model.setInput(iterations(6));
        const RooflinePlaces places(model.points());
        double slowest = 1e300;
        double fastest = 0;
        double intensity = 0;
        for (const RooflinePoint &point : model.points())
            if (point.iteration > 0) {
                slowest = std::min(slowest, point.flopsPerSecond());
                fastest = std::max(fastest, point.flopsPerSecond());
                intensity = point.intensity();
            }
        QVERIFY(slowest < fastest);
        RooflineFrame frame{QRect(60, 30, 500, 300), QCPRange(intensity / 10, intensity * 10),
                            QCPRange(slowest / 10, fastest * 10), 1};
        const std::optional<QLineF> seen = places.trail(frame);
        QVERIFY(seen);
        QVERIFY(QLineF(seen->p1(), frame.at(intensity, slowest)).length() < 1e-6);
        QVERIFY(QLineF(seen->p2(), frame.at(intensity, fastest)).length() < 1e-6);
        // Neither end is in sight.
        const double ratio = fastest / slowest;
        frame.y = QCPRange(slowest * std::pow(ratio, 0.25), slowest * std::pow(ratio, 0.75));
        const std::optional<QLineF> middle = places.trail(frame);
        QVERIFY(middle);
        QCOMPARE(middle->y1(), 330.0);
        QCOMPARE(middle->y2(), 30.0);
        frame.y = QCPRange(fastest * 2, fastest * 20);
        QVERIFY(!places.trail(frame));
        frame.y = QCPRange(slowest, fastest);
        frame.x = QCPRange(intensity * 2, intensity * 20);
        QVERIFY(!places.trail(frame));
    }

    void aSlopesNameKeepsOffThePoints() {
        const Look look;
        const RooflineFrame frame{QRect(0, 0, 1000, 500), QCPRange(0.01, 1000), QCPRange(0.01, 1000), 1e12};
        const std::vector<RooflineCeiling> memory{{QStringLiteral("DRAM"), 4e12, true, true}};
        const std::vector<RoofWord> alone = roofWords(memory, {}, frame, look);
        QCOMPARE(alone.size(), 1U);
        // A column of points through the middle of it.
        const double x = alone[0].outline.boundingRect().center().x();
        std::vector<PlacedPoint> column;
        for (int y = 0; y < 500; ++y)
            column.push_back({0, true, QPointF(x, y), QPointF(x, y)});
        const auto covers = [&column](const RoofWord &word) {
            return std::any_of(column.begin(), column.end(), [&word](const PlacedPoint &point) {
                return word.outline.containsPoint(point.at, Qt::OddEvenFill);
            });
        };
        QVERIFY(covers(alone[0]));
        const std::vector<RoofWord> beside = roofWords(memory, column, frame, look);
        QCOMPARE(beside.size(), 1U);
        QVERIFY(!covers(beside[0]));
        QCOMPARE(beside[0].degrees, alone[0].degrees);
    }
};

QObject *makeTestRooflinePlaces() {
    return new TestRooflinePlaces;
}

#include "tst_roofline_places.moc"
