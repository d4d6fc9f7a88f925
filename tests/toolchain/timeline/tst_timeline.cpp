// SPDX-License-Identifier: GPL-3.0-or-later
// When what of a call runs: the document, what the end waits for, what is said of it.
#include "tests/toolchain/places.h"
#include "tests/toolchain/timeline/made_timeline.h"
#include "toolchain/evaluation/measured_figures.h"
#include "toolchain/report/timeline_report.h"
#include "toolchain/timeline/timeline_summary.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>

using namespace warpwright;

namespace {

using Kind = TimelineEvent::Kind;

/// "host 0-4, launch 4-14, rowSums 14-34": the whole path.
QString pathOf(const TimelineArm &arm) {
    QStringList parts;
    for (const PathStep &step : criticalPath(arm)) {
        QString name;
        switch (step.kind) {
        case PathStep::Kind::Host:
            name = QStringLiteral("host");
            break;
        case PathStep::Kind::Launch:
            name = QStringLiteral("launch");
            break;
        case PathStep::Kind::Between:
            name = QStringLiteral("next");
            break;
        case PathStep::Kind::Device:
            name = arm.events[*step.event].name;
            break;
        }
        parts << QStringLiteral("%1 %2-%3").arg(name).arg(step.startUs).arg(step.endUs);
    }
    return parts.join(QStringLiteral(", "));
}

Timeline ofACpu() {
    QFile file(testData("/timeline/cpu-trace.json"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no %s", qPrintable(file.fileName()));
    const auto json = parseJson(file.readAll());
    const auto timeline = timelineFromTrace(json.value());
    if (!timeline.hasValue())
        qFatal("%s", qPrintable(timeline.message()));
    return timeline.value();
}

QString said(const TimelineArm &arm) {
    return sentencesOf(arm, analysed(arm)).join(QLatin1Char('\n'));
}

} // namespace

class TestTimeline : public QObject {
    Q_OBJECT

private slots:
    void isTheSameAfterWritingAndReading() {
        Timeline timeline = madeTimeline();
        timeline.arms[0].events[0].lowUs = 1.5;
        timeline.arms[0].events[0].bytes = 4096;
        timeline.arms[0].notes = QStringList{QStringLiteral("Something is missing.")};
        const auto text = dumpJson(toJson(timeline));
        const auto again = timelineFromJson(parseJson(text).value());
        QVERIFY(again.hasValue());
        QVERIFY(again.value() == timeline);
    }

    void refusesWhatIsNone_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no object") << QByteArray("[]");
        QTest::newRow("another schema") << QByteArray(R"({"schema": "warpwright.counters/1"})");
        QTest::newRow("a schema that is none") << QByteArray(R"({"schema": 7})");
    }
    void refusesWhatIsNone() {
        QFETCH(QByteArray, text);
        const auto timeline = timelineFromJson(parseJson(text).value());
        QVERIFY(!timeline.hasValue());
        QVERIFY(timeline.message().startsWith("it is no timeline"));
        QVERIFY(!timelineFromTrace(Json::array()).hasValue());
    }

    void takesNoNumberOnTrust() {
        const auto timeline =
            timelineFromTrace(parseJson(R"({"arms": [7, {"name": 3, "shown": 9, "untracedUs": ["a", -1, 5],
            "calls": [{"us": 1e300}, 7], "events": [
                {"kind": "kernel", "name": "k", "startUs": 1, "durationUs": 2, "grid": [1, -2, 99999999999], "stream": 1e99, "threads": -4},
                {"kind": "kernel", "startUs": 1}, {"kind": "kernel", "startUs": 1, "durationUs": -2}, {"kind": "other", "startUs": 1, "durationUs": 1},
                {"kind": "op", "startUs": 0, "durationUs": 1}, null]}], "device": [], "problems": 7})")
                                  .value());
        QVERIFY(timeline.hasValue());
        QCOMPARE(timeline.value().arms.size(), std::size_t{1});
        const TimelineArm &arm = timeline.value().arms.front();
        QCOMPARE(arm.events.size(), std::size_t{2});
        QCOMPARE(arm.events[0].kind, Kind::Operator); // sorted by their starts
        QCOMPARE(arm.events[1].grid, (std::array<int, 3>{1, 0, 2147483647}));
        QVERIFY(!arm.events[1].stream);
        QCOMPARE(arm.callMicroseconds(), 0.0);
        QCOMPARE(arm.untracedMicroseconds, (std::vector<double>{5}));
        QVERIFY(!said(arm).isEmpty());
    }

    void findsWhatTheEndWaitsFor_data() {
        QTest::addColumn<TimelineArm>("arm");
        QTest::addColumn<QString>("path");
        const auto row = [](const char *name, const MadeArm &arm, const char *path) {
            QTest::newRow(name) << arm.arm() << QString::fromLatin1(path);
        };
        const QString a = QStringLiteral("a");
        const QString b = QStringLiteral("b");
        const QString x = QStringLiteral("arm");
        row("nothing", MadeArm(x, 10), "host 0-10");
        row("one kernel", MadeArm(x, 20).kernel(a, 2, 4, 9, 8), "host 0-2, launch 2-9, a 9-17, host 17-20");
        row("queued in time", MadeArm(x, 40).kernel(a, 2, 4, 9, 20).kernel(b, 6, 4, 30, 5),
            "host 0-2, launch 2-9, a 9-29, next 29-30, b 30-35, host 35-40");
        row("launched too late", MadeArm(x, 40).kernel(a, 2, 4, 9, 5).kernel(b, 20, 4, 26, 5),
            "host 0-20, launch 20-26, b 26-31, host 31-40");
        row("the host waits between",
            MadeArm(x, 60).kernel(a, 2, 4, 9, 20).sync(7, 25).kernel(b, 40, 4, 48, 5),
            "host 0-2, launch 2-9, a 9-29, host 29-40, launch 40-48, b 48-53, host 53-60");
        row("a wait that ended long before is none",
            MadeArm(x, 60).kernel(a, 2, 4, 9, 2).sync(20, 1).kernel(b, 40, 4, 48, 5),
            "host 0-40, launch 40-48, b 48-53, host 53-60");
        row("a graph",
            MadeArm(x, 40).launch(2, 6, Kind::Graph).runs(a, 10, 5, 7, true).runs(b, 16, 9, 7, true),
            "host 0-2, launch 2-10, a 10-15, next 15-16, b 16-25, host 25-40");
        MadeArm joined(x, 60);
        joined.kernel(a, 2, 3, 8, 30, 9)
            .kernel(b, 6, 3, 11, 10, 7)
            .kernel(QStringLiteral("c"), 10, 3, 39, 10, 7);
        row("two streams that meet, by their times", joined,
            "host 0-2, launch 2-8, a 8-38, next 38-39, c 39-49, host 49-60");
        MadeArm told = joined;
        TimelineEvent &wait = told.add(Kind::Wait, QStringLiteral("Stream Wait Event"), 12, 27);
        wait.stream = 7;
        wait.forStream = 3;
        row("two streams, and no wait of one for the other", told,
            "host 0-6, launch 6-11, b 11-21, next 21-39, c 39-49, host 49-60");
        row("a launch that nobody saw", MadeArm(x, 30).runs(a, 9, 5), "host 0-9, a 9-14, host 14-30");
        MadeArm regions(x, 50);
        regions.add(Kind::Region, a, 5, 10);
        regions.add(Kind::Region, b, 20, 25);
        regions.add(Kind::Operator, QStringLiteral("aten::empty"), 1, 2);
        row("parallel regions", regions, "host 0-5, a 5-15, host 15-20, b 20-45, host 45-50");
    }

    void findsWhatTheEndWaitsFor() {
        QFETCH(TimelineArm, arm);
        const QString path = pathOf(arm);
        QTEST(path, "path");
        double reached = 0;
        for (const PathStep &step : criticalPath(arm)) {
            QCOMPARE(step.startUs, reached);
            reached = step.endUs;
        }
        QCOMPARE(reached, arm.callMicroseconds());
    }

    void measuresIdleTimeAndItsCauses() {
        const TimelineAnalysis analysis = analysed(*madeTimeline().arm(QStringLiteral("eager")));
        QCOMPARE(analysis.busyUs, 80.0);
        QCOMPARE(analysis.idleUs(), 70.0);
        QCOMPARE(analysis.gaps.size(), std::size_t{4});
        QCOMPARE(analysis.gaps[0].cause, TimelineGap::Cause::First);
        QCOMPARE(analysis.gaps[1].cause, TimelineGap::Cause::Launch);
        QCOMPARE(analysis.gaps[1].microseconds(), 30.0);
        QCOMPARE(analysis.gaps[2].cause, TimelineGap::Cause::Between);
        QCOMPARE(analysis.gaps[2].microseconds(), 1.0);
        QCOMPARE(analysis.gaps[3].cause, TimelineGap::Cause::Last);
        QCOMPARE(analysis.work[0].count, 2);
        QCOMPARE(analysis.work[0].microseconds, 50.0);
        QCOMPARE(*analysis.work[0].launchMicroseconds, 16.0);
        QCOMPARE(*analysis.work[1].queueMicroseconds, 4.0);
        QCOMPARE(analysis.launches, 3);
    }

    void countsOverlapOnce() {
        MadeArm arm(QStringLiteral("arm"), 40);
        arm.kernel("a", 0, 1, 10, 10, 1).kernel("b", 1, 1, 15, 10, 2).kernel("c", 2, 1, 18, 4, 3);
        const TimelineAnalysis analysis = analysed(arm.arm());
        QCOMPARE(analysis.busyUs, 15.0);
        QCOMPARE(analysis.streams.size(), std::size_t{3});
        QVERIFY(analysis.overlapUs > 8.9 && analysis.overlapUs < 9.1); // 5 of a and b, 4 of b and c
    }

    void saysWhatItSees() {
        const QString graph = said(*madeTimeline().arm(QStringLiteral("candidate")));
        QVERIFY2(graph.contains("2 kernels in a call of 70.00 µs: the device works for 45.00 µs of it (64.3"),
                 qPrintable(graph));
        QVERIFY2(graph.contains("1 replay of a graph: 2 steps without a launch of their own"),
                 qPrintable(graph));
        QVERIFY2(graph.contains("host 4.000 µs → launch 10.00 µs → rowSums<4> 20.00 µs"), qPrintable(graph));
        QVERIFY2(graph.contains(
                     "3 traced calls took 63.00–77.00 µs, the median one is shown; untraced ones 56.00 µs"),
                 qPrintable(graph));
        const QString eager = said(*madeTimeline().arm(QStringLiteral("eager")));
        QVERIFY2(eager.contains("30.00 µs in 1 gap where the host had not launched what follows"),
                 qPrintable(eager));
        QCOMPARE(said(*madeTimeline().arm(QStringLiteral("compile"))),
                 QStringLiteral("It was not traced: RuntimeError: no compiler"));
    }

    void saysHowTheTimesBelongTogether() {
        const Timeline timeline = madeTimeline();
        const TimelineArm &candidate = *timeline.arm(QStringLiteral("candidate"));
        QCOMPARE(timesSentence(candidate, false, 45),
                 QStringLiteral("The same call takes 70.00 µs traced, with the profiler's own work in it; "
                                "56.00 µs untraced, until the host knows of its end; 45.00 µs in the check "
                                "(median), where the host launches the next call while the device works."));
        QVERIFY(
            timesSentence(candidate, false, {}).contains("a check measures a third time, where the host"));
        QVERIFY(
            timesSentence(candidate, true, 45).endsWith("where calls follow one another with other inputs."));
        TimelineArm alone = candidate;
        alone.untracedMicroseconds.clear();
        QVERIFY(!timesSentence(alone, false, 45).contains("untraced"));
        QCOMPARE(timesSentence(*timeline.arm(QStringLiteral("compile")), false, 45), QString());
    }

    // As one graph nothing is launched between the calls: that time does not belong into the sentence.
    void takesTheTimeCallByCallOfACheckWhoseGraphIsCertified() {
        const auto candidateOf = [](double median) {
            ArmFigures arm;
            arm.name = QStringLiteral("candidate");
            arm.medianMicroseconds = median;
            return arm;
        };
        MeasuredFigures figures;
        QVERIFY(!checkedCallMicroseconds(figures));
        figures.profile = StageStatus::Passed;
        QVERIFY(!checkedCallMicroseconds(figures));
        figures.arms = {candidateOf(45)};
        figures.graph.arms = {candidateOf(8)};
        figures.certificate.status = StageStatus::Passed;
        figures.certificate.lane = QStringLiteral("graph");
        QCOMPARE(headlineFigures(figures).candidate()->medianMicroseconds, 8.0);
        QCOMPARE(checkedCallMicroseconds(figures), std::optional(45.0));
        figures.profile = StageStatus::Failed;
        QVERIFY(!checkedCallMicroseconds(figures));
    }

    void readsACpusRegions() {
        const Timeline timeline = ofACpu();
        QVERIFY(timeline.isOnCpu);
        const QString candidate = said(*timeline.arm(QStringLiteral("candidate")));
        QVERIFY2(candidate.startsWith("2 parallel regions in a call of "), qPrintable(candidate));
        QVERIFY2(candidate.contains("Up to 2 threads work in them"), qPrintable(candidate));
        QVERIFY2(candidate.contains("Outside of them, in one thread: "), qPrintable(candidate));
        QVERIFY2(candidate.contains("→ kernels::scaleRows, region 2 "), qPrintable(candidate));
        const QString eager = said(*timeline.arm(QStringLiteral("eager")));
        QVERIFY2(eager.startsWith("3 operators in a call of "), qPrintable(eager));
    }

    void reportsForATerminal() {
        const QString text = timelineText(madeTimeline(), {false, false, 80});
        QVERIFY2(text.startsWith("Timeline of one call on NVIDIA H200, iteration 3\n"), qPrintable(text));
        for (const char *word : {"stream 7", "host", "rowSums<4>", "evidence", "no compiler"})
            QVERIFY2(text.contains(QLatin1String(word)), word);
        for (const QString &line : text.split(QLatin1Char('\n')))
            QVERIFY2(line.size() <= 80, qPrintable(line));
        QVERIFY(!text.contains(QChar(0x1b)));
    }

    void takesTenThousandEventsInMilliseconds() {
        MadeArm arm(QStringLiteral("arm"), 60000);
        for (int i = 0; i < 5000; ++i)
            arm.kernel(QStringLiteral("k%1").arg(i % 7), i * 10, 4, i * 11 + 6, 9, i % 4);
        QElapsedTimer timer;
        timer.start();
        const TimelineArm made = arm.arm();
        QVERIFY(!said(made).isEmpty());
        QVERIFY2(timer.elapsed() < 500, qPrintable(QString::number(timer.elapsed())));
    }
};

QObject *makeTestTimeline() {
    return new TestTimeline;
}

#include "tst_timeline.moc"
