// SPDX-License-Identifier: GPL-3.0-or-later
// When what of a call runs: the numbers as text, the chart offscreen.
#include "profiler_views/csv_text.h"
#include "profiler_views/timeline/timeline_view.h"
#include "profiler_views/value_role.h"
#include "tests/profiler_views/model_text.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/timeline/made_timeline.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <limits>

using namespace warpwright;

extern QString picturesFolder;

namespace {

using Kind = TimelineEvent::Kind;

Timeline ofACpu() {
    QFile file(testData("/timeline/cpu-trace.json"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no %s", qPrintable(file.fileName()));
    return timelineFromTrace(parseJson(file.readAll()).value()).value();
}

/// Kernels of two streams, one after the other, with copies between them.
Timeline many(int kernels) {
    MadeArm arm(QStringLiteral("candidate"), kernels * 11 + 40);
    for (int i = 0; i < kernels; ++i) {
        arm.kernel(QStringLiteral("void step<%1>(float*)").arg(i % 5), i * 10, 4, i * 11 + 20, 6 + i % 3,
                   7 + i % 2);
        if (i % 4 == 0) {
            TimelineEvent &copy = arm.add(Kind::Memcpy, QStringLiteral("Memcpy DtoD"), i * 11 + 28, 2);
            copy.stream = 9;
            copy.bytes = 1 << 20;
        }
    }
    Timeline timeline = madeTimeline();
    timeline.arms = {arm.arm()};
    return timeline;
}

/// One kernel of 1,000 times the others, a name of 300 letters, numbers that are none.
Timeline odd() {
    Timeline timeline = madeTimeline();
    MadeArm arm(QStringLiteral("candidate"), 60100);
    arm.kernel(QString(300, QLatin1Char('n')), 2, 4, 9, 60000).kernel("b", 20, 4, 60015, 60);
    timeline.arms[0] = arm.arm();
    timeline.arms[0].events[0].bytes = std::numeric_limits<double>::quiet_NaN();
    return timeline;
}

Timeline named(const QByteArray &kind) {
    return kind == "cpu"     ? ofACpu()
           : kind == "many"  ? many(40)
           : kind == "10000" ? many(4500)
           : kind == "odd"   ? odd()
                             : madeTimeline();
}

} // namespace

class TestTimelineView : public QObject {
    Q_OBJECT

private slots:
    // A page in sight is drawn as soon as it has something, before it is laid out.
    void takesATimelineWhileItIsSeen() {
        const Look look;
        TimelineView view(look);
        view.resize(700, 400);
        static_cast<QWidget &>(view).show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.show(madeTimeline());
        QTest::qWait(50);
        Timeline more = madeTimeline();
        const std::vector<TimelineArm> arms = more.arms;
        more.arms.insert(more.arms.end(), arms.begin(), arms.end());
        view.show(more);
        QTest::qWait(50);
        view.show(std::nullopt);
        QVERIFY(view.isEmpty());
    }

    void isARowAnEvent() {
        TimelineModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTimeline(madeTimeline());
        QString text = modelText(model);
        const QStringList lines = text.split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 1 + 4 + 9);
        QCOMPARE(lines[0],
                 QStringLiteral(
                     "arm | what | name | start | duration | shortest | longest | stream | grid | block | "
                     "registers | shared | bytes | threads | waited for"));
        QCOMPARE(
            lines[3],
            QStringLiteral("candidate | kernel | rowSums<4> | 14.00 µs | 20.00 µs |  |  | 7 | 132 × 1 × 1 | "
                           "256 × 1 × 1 | 32 | 2.00 KiB |  |  | yes"));
        const QByteArray csv = csvText(model);
        QVERIFY(csv.startsWith("arm,what,name,start_us,duration_us,"));
        model.setTimeline({});
        QCOMPARE(model.rowCount(), 0);
    }

    void givesEachArmItsLanes() {
        TimelineModel model;
        model.setTimeline(madeTimeline());
        QStringList lanes;
        for (const TimelineLane &lane : model.lanes())
            lanes << QStringLiteral("%1 %2 %3").arg(lane.arm).arg(lane.label).arg(lane.events.size());
        QCOMPARE(lanes, (QStringList{"0 CUDA calls 2", "0 stream 7 2", "1 operators 2", "1 CUDA calls 4",
                                     "1 stream 7 3"}));
        QCOMPARE(model.endUs(), 150.0);
        QVERIFY(model.titleOf(0).startsWith(QStringLiteral("70.00 µs traced, 56.00 µs untraced, 64.3")));
        QCOMPARE(model.titleOf(2), QStringLiteral("not traced: RuntimeError: no compiler"));
    }

    void takesTogetherWhatIsShorterThanAPixel() {
        const Timeline timeline = many(1000);
        TimelineModel model;
        model.setTimeline(timeline);
        const TimelineLane &launches = model.lanes().front();
        const double end = model.endUs();
        std::size_t events = 0;
        const auto spans = spansOf(timeline.arms[0], launches, 0, end, end / 500);
        for (const TimelineSpan &span : spans)
            events += span.count;
        QCOMPARE(events, std::size_t{1000}); // none is lost
        QVERIFY(spans.size() <= 501);
        const auto near = spansOf(timeline.arms[0], launches, 100, 200, 0.2);
        QCOMPARE(near.size(), std::size_t{11});
        QVERIFY(near.front().count == 1);
        QVERIFY(model.toolTipOf(launches, spans.front()).contains("zoom in"));
    }

    void tellsExactValues() {
        TimelineModel model;
        model.setTimeline(madeTimeline());
        const TimelineLane &lane = model.lanes()[1];
        const QString text = model.toolTipOf(lane, {14, 34, lane.events[0], 1});
        for (const char *word :
             {"rowSums<4>(float const*, float*, int)", "20.00 µs from 14.00 µs on", "132 × 1 × 1 blocks",
              "32 registers", "2.00 KiB shared memory", "graph's replay", "waits for it"})
            QVERIFY2(text.contains(QString::fromUtf8(word)), word);
        TimelineModel cpu;
        cpu.setTimeline(ofACpu());
        const auto regions =
            std::find_if(cpu.lanes().begin(), cpu.lanes().end(),
                         [](const TimelineLane &each) { return each.kind == TimelineLane::Kind::Regions; });
        QVERIFY(regions != cpu.lanes().end());
        const QString region = cpu.toolTipOf(*regions, {0, 1, regions->events[0], 1});
        QVERIFY2(region.contains("2 threads") && region.contains("at work"), qPrintable(region));
    }

    void saysFewWordsFirst() {
        TimelineModel model;
        model.setTimeline(madeTimeline());
        const QString words = model.shortWords();
        QVERIFY2(words.startsWith(QLatin1String("candidate: ")) &&
                     words.contains(QLatin1String("The end of the call waits for")) &&
                     !words.contains(QLatin1String("eager")) && words.size() < model.words().size() / 2,
                 qPrintable(words));
        QVERIFY2(words.contains(QLatin1String("a check measures a third time")), qPrintable(words));
        model.setTimeline(madeTimeline(), 45.0);
        for (const QString &with : {model.shortWords(), model.words()})
            QCOMPARE(with.count(QStringLiteral("45.00 µs in the check (median)")), 1);
        QVERIFY(!model.analysis(0).gaps.empty());
        const QString gap = model.gapText(0, model.analysis(0).gaps.front());
        QVERIFY2(gap.startsWith(QLatin1String("the device is idle for ")), qPrintable(gap));
    }

    void saysWhyThereIsNothing() {
        Look look;
        TimelineView view(look);
        QVERIFY(view.isEmpty());
        QVERIFY(view.summary().contains("appears here"));
        Timeline none;
        none.problems =
            QStringList{QStringLiteral("No call can be traced on cuda:0: torch finds no CUDA device")};
        view.show(none);
        QVERIFY(view.isEmpty());
        QVERIFY(view.summary().contains("finds no CUDA device"));
        view.show(madeTimeline());
        QVERIFY(!view.isEmpty());
        QVERIFY(view.summary().contains("1 replay of a graph"));
        QCOMPARE(view.accessibleDescription(), view.summary());
        view.show(std::nullopt);
        QVERIFY(view.isEmpty());
    }

    void leadsToAKernel() {
        Look look;
        TimelineView view(look);
        view.resize(900, 500);
        view.show(madeTimeline());
        view.grab();
        const QSignalSpy spy(&view, &TimelineView::kernelActivated);
        // The keys go from the first one on: two calls of CUDA, then the graph's kernels.
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(&view.plot(), Qt::Key_Right);
        QTest::keyClick(&view.plot(), Qt::Key_Return);
        QCOMPARE(spy.size(), 1);
        QCOMPARE(spy[0][0].toString(), QStringLiteral("void rowSums<4>(float const*, float*, int)"));
        QCOMPARE(spy[0][1].toString(), QStringLiteral("candidate"));
        QTest::keyClick(&view.plot(), Qt::Key_Left);
        QTest::keyClick(&view.plot(), Qt::Key_Return);
        QCOMPARE(spy.size(), 1); // a call of CUDA leads nowhere
        view.show(ofACpu());
        view.grab();
        for (int i = 0; i < 2; ++i)
            QTest::keyClick(&view.plot(), Qt::Key_Right);
        QTest::keyClick(&view.plot(), Qt::Key_Return);
        QCOMPARE(spy.size(), 2);
        QCOMPARE(spy[1][0].toString(),
                 QStringLiteral("kernels::scaleRows(float const*, float const*, float*, long, long)"));
    }

    void zoomsByKeysAndGoesBack() {
        Look look;
        TimelineView view(look);
        view.resize(900, 500);
        view.show(many(1000));
        view.grab();
        const QCPRange whole = view.plot().xAxis->range();
        for (int i = 0; i < 12; ++i)
            QTest::keyClick(&view.plot(), Qt::Key_Plus);
        QVERIFY(view.plot().xAxis->range().size() < whole.size() / 10);
        QVERIFY(view.plot().xAxis->range().lower > 0);
        QTest::keyClick(&view.plot(), Qt::Key_0);
        QCOMPARE(view.plot().xAxis->range(), whole);
    }

    void drawsTenThousandEventsQuickly() {
        Look look;
        TimelineView view(look);
        view.resize(1200, 600);
        QElapsedTimer timer;
        timer.start();
        view.show(named("10000"));
        const qint64 shown = timer.restart();
        view.grab();
        const qint64 first = timer.restart();
        view.plot().zoom(1.25);
        view.plot().replot();
        const qint64 again = timer.elapsed();
        qInfo("show %lld ms, first drawing %lld ms, zoomed %lld ms", static_cast<long long>(shown),
              static_cast<long long>(first), static_cast<long long>(again));
        QVERIFY(view.model().rowCount() > 10000);
        QVERIFY2(again < 200, qPrintable(QString::number(again))); // a debug build on a busy machine
    }

    void drawsAtManySizes_data() {
        QTest::addColumn<bool>("isDark");
        QTest::addColumn<double>("scale");
        QTest::newRow("light") << false << 1.0;
        QTest::newRow("dark") << true << 1.0;
        QTest::newRow("dark, large") << true << 2.0;
    }

    void drawsAtManySizes() {
        QFETCH(bool, isDark);
        QFETCH(double, scale);
        Look look;
        look.set(isDark ? Theme::dark() : Theme::light(), scale);
        TimelineView view(look);
        for (const QSize size : {QSize(280, 220), QSize(620, 420), QSize(1000, 560)}) {
            for (const char *kind : {"three", "cpu", "many", "10000", "odd", "stale"}) {
                view.setStale(QByteArray(kind) == "stale");
                view.resize(size * scale);
                view.show(named(kind));
                QVERIFY(!view.isEmpty());
                const QPixmap picture = view.grab();
                if (picturesFolder.isEmpty())
                    continue;
                QDir().mkpath(picturesFolder);
                QVERIFY(picture.save(QStringLiteral("%1/timeline-%2-%3-%4-%5.png")
                                         .arg(picturesFolder)
                                         .arg(size.width())
                                         .arg(isDark ? QStringLiteral("dark") : QStringLiteral("light"))
                                         .arg(scale)
                                         .arg(kind)));
            }
        }
    }

    void exportsWhatItShows() {
        Look look;
        TimelineView view(look);
        const QTemporaryDir folder;
        QVERIFY(!view.exportCsv(folder.filePath(QStringLiteral("a.csv"))).hasValue());
        view.resize(900, 500);
        view.show(madeTimeline());
        QVERIFY(view.exportCsv(folder.filePath(QStringLiteral("a.csv"))).hasValue());
        QVERIFY(view.exportPng(folder.filePath(QStringLiteral("a.png"))).hasValue());
        QVERIFY(view.exportSvg(folder.filePath(QStringLiteral("a.svg"))).hasValue());
        QFile drawing(folder.filePath(QStringLiteral("a.svg")));
        QVERIFY(drawing.open(QIODevice::ReadOnly));
        const QByteArray svg = drawing.readAll();
        for (const char *word :
             {"rowSums", "stream 7", "what the end waits for", "idle", "no measure of speed"})
            QVERIFY2(svg.contains(word), word);
    }
};

QObject *makeTestTimelineView() {
    return new TestTimelineView;
}

#include "tst_timeline_view.moc"
