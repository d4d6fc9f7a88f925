// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/csv_text.h"
#include "profiler_views/lesson/lesson_times_view.h"
#include "tests/profiler_views/model_text.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace warpwright;

extern QString picturesFolder;

namespace {

ArmTiming time(double median, double low, double high) {
    ArmTiming timing;
    timing.medianMicroseconds = median;
    timing.lowMicroseconds = low;
    timing.highMicroseconds = high;
    return timing;
}

StepTimes step(int number, const QString &title) {
    StepTimes made;
    made.number = number;
    made.title = title;
    return made;
}

/// Of a lesson of three steps: one kept, one left out, one to come.
LessonTimes lesson() {
    LessonTimes times;
    times.lesson = QStringLiteral("Softmax over rows");
    times.device = QStringLiteral("NVIDIA H200");
    times.when = QDateTime(QDate(2026, 11, 29), QTime(12, 0), Qt::UTC);
    StepTimes start = step(0, QStringLiteral("the start"));
    start.measured = time(400, 396, 404);
    StepTimes kept = step(1, QStringLiteral("A block for a row"));
    kept.measured = time(160, 158, 162);
    kept.expected = time(120, 40, 240);
    kept.bet = time(200, 200, 200);
    kept.outcome = QStringLiteral("kept");
    kept.isKept = true;
    StepTimes left = step(2, QStringLiteral("One pass for maximum and sum"));
    left.measured = time(170, 168, 172);
    left.expected = time(144, 128, 800); // the far end need not be on the axis
    left.outcome = QStringLiteral("left out: slower");
    times.steps = {start, kept, left, step(3, QStringLiteral("The row in registers"))};
    return times;
}

} // namespace

class TestLessonTimes : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support)")); }

    void theNumbersAreThere() {
        LessonTimesModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.axisEnd(), 1.0);
        model.setTimes(lesson());
        QCOMPARE(model.rowCount(), 4);
        QVERIFY(model.axisEnd() > 404 && model.axisEnd() < 500);
        const QByteArray csv = csvText(model);
        QVERIFY2(
            csv.startsWith("step,title,measured_us,low_us,high_us,before_us,predicted_us,predicted_low_us,"
                           "predicted_high_us,bet_us,outcome,lesson,device,date\r\n"
                           "0,the start,400,396,404,,,,,,,Softmax over rows,NVIDIA H200,"
                           "2026-11-29T12:00:00Z\r\n"
                           "1,A block for a row,160,158,162,,120,40,240,200,kept,"),
            csv.constData());
        QVERIFY(csv.contains("\r\n3,The row in registers,,,,,,,,,,Softmax over rows,"));
        const QString text = modelText(model);
        QVERIFY2(text.contains(QStringLiteral("1 | A block for a row | 160.0 | 158.0 | 162.0 |  | 120.0")),
                 qPrintable(text));
        model.setTimes({});
        QCOMPARE(model.rowCount(), 0);
    }

    void whatLiesFarApartStandsOnALogarithmicAxis() {
        Look look;
        LessonTimesView view(look);
        LessonTimes times = lesson();
        view.show(times);
        view.resize(900, 300);
        QVERIFY(view.plot().xAxis->scaleType() == QCPAxis::stLinear);
        QCOMPARE(view.plot().xAxis->range().lower, 0.0);
        times.steps[0].measured = time(2871, 2860, 2882);
        times.steps[3].measured = time(12.174999, 12.1, 12.2);
        times.steps[3].base = 17.6;
        times.steps[3].factor = QStringLiteral("1.45×");
        times.steps[3].outcome = QStringLiteral("kept, time undecided");
        times.steps[3].isUndecided = times.steps[3].isKept = true;
        view.show(times);
        QVERIFY(view.plot().xAxis->scaleType() == QCPAxis::stLogarithmic);
        const QCPRange range = view.plot().xAxis->range();
        QVERIFY2(range.lower == 5 && range.upper > 2882, qPrintable(QString::number(range.lower)));
        QVERIFY(view.plot().xAxis->label().contains(QStringLiteral("logarithmic")));
        QVERIFY(!view.grab().isNull());
        QVERIFY(view.plot().xAxis->tickVectorLabels().size() >= 2);
        QVERIFY2(view.summary().contains(QStringLiteral("the text before in the same run 17.6")),
                 qPrintable(view.summary()));
        const QByteArray csv = csvText(view.model());
        QVERIFY2(csv.contains("12.175,12.1,12.2,17.6,"), csv.constData()); // five digits are enough
        view.show(lesson());                                               // and back
        QVERIFY(view.plot().xAxis->scaleType() == QCPAxis::stLinear);
        QCOMPARE(view.plot().xAxis->range().lower, 0.0);
    }

    void saysInSentencesWhatItShows() {
        LessonTimesModel model;
        model.setTimes(lesson());
        const QString summary = model.summary();
        for (const char *words :
             {"Softmax over rows · NVIDIA H200 · 29 Nov 2026.", "the start: measured 400.0 ± 4.0 µs.",
              "Step 1, A block for a row: measured 160.0 ± 2.0 µs, predicted 120.0 µs, bet 200.0 µs, kept.",
              "Step 2, One pass for maximum and sum: ", "left out: slower."})
            QVERIFY2(summary.contains(QString::fromUtf8(words)), qPrintable(summary));
        QVERIFY(!summary.contains("Step 3")); // nothing is known of it
        QVERIFY(model.index(1, 0).data(Qt::ToolTipRole).toString().contains("your bet 200.0"));
    }

    void drawsAtManySizes_data() {
        QTest::addColumn<bool>("isDark");
        QTest::addColumn<double>("scale");
        QTest::newRow("light") << false << 1.0;
        QTest::newRow("dark") << true << 1.0;
        QTest::newRow("dark, large") << true << 1.5;
    }
    void drawsAtManySizes() {
        QFETCH(const bool, isDark);
        QFETCH(const double, scale);
        Look look;
        look.set(isDark ? Theme::dark() : Theme::light(), scale);
        LessonTimesView view(look);
        for (const QSize size : {QSize(280, 220), QSize(480, 300), QSize(900, 400)}) {
            view.show(lesson());
            view.resize(size * scale);
            QVERIFY(!view.isEmpty());
            const QPixmap picture = view.grab();
            if (picturesFolder.isEmpty())
                continue;
            QDir().mkpath(picturesFolder);
            QVERIFY(picture.save(QStringLiteral("%1/lesson-%2-%3-%4.png")
                                     .arg(picturesFolder)
                                     .arg(size.width())
                                     .arg(isDark ? QStringLiteral("dark") : QStringLiteral("light"))
                                     .arg(scale)));
        }
    }

    // A title that is cut says less than a short one.
    void theAxisTitleFits() {
        Look look;
        look.set(Theme::dark(), 1.5);
        LessonTimesView view(look);
        view.show(lesson());
        QString before;
        for (const int width : {360, 480, 700, 1600}) {
            view.resize(width, 400);
            view.grab();
            const QCPAxis *axis = view.plot().xAxis;
            const QRect bars = view.plot().axisRect()->rect();
            const double half = QFontMetricsF(axis->labelFont()).horizontalAdvance(axis->label()) / 2;
            const QString said = QStringLiteral("%1: %2").arg(width).arg(axis->label());
            QVERIFY2(!axis->label().isEmpty() && axis->label().size() >= before.size(), qPrintable(said));
            QVERIFY2(bars.center().x() - half >= -1 && bars.center().x() + half <= width + 1,
                     qPrintable(said));
            before = axis->label();
        }
        QVERIFY2(before.endsWith("(less is better)"), qPrintable(before));
    }

    void isEmptyUntilSomethingIsMeasured() {
        Look look;
        LessonTimesView view(look);
        QVERIFY(view.isEmpty());
        LessonTimes times = lesson();
        for (StepTimes &one : times.steps)
            one.measured.reset();
        view.show(times);
        QVERIFY(view.isEmpty() && view.summary().contains("appear here"));
        view.show(lesson());
        QVERIFY(!view.isEmpty());
        // A row a step finds its room, however low the place is.
        QVERIFY(view.minimumHeight() >= 4 * 38);
        view.show(times);
        QVERIFY(view.isEmpty() && view.minimumHeight() == 0);
    }

    void keysLeadFromStepToStep() {
        Look look;
        LessonTimesView view(look);
        view.show(lesson());
        view.resize(900, 300);
        static_cast<QWidget &>(view).show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const QSignalSpy picked(&view, &LessonTimesView::stepPicked);
        view.plot().setFocus();
        QTest::keyClick(&view.plot(), Qt::Key_Right); // the start, which is no step
        QTest::keyClick(&view.plot(), Qt::Key_Return);
        QCOMPARE(picked.size(), 0);
        QTest::keyClick(&view.plot(), Qt::Key_Right);
        QTest::keyClick(&view.plot(), Qt::Key_Return);
        QCOMPARE(picked.size(), 1);
        QCOMPARE(picked[0][0].toInt(), 1);
    }

    void exportsWithLessonDeviceAndDate() {
        Look look;
        LessonTimesView view(look);
        const QTemporaryDir folder;
        const auto file = [&folder](const char *name) {
            return folder.filePath(QString::fromLatin1(name));
        };
        QVERIFY(!view.exportPng(file("a.png")).hasValue());
        view.show(lesson());
        view.resize(900, 300);
        view.grab();
        for (const Result<void> &written :
             {view.exportPng(file("a.png")), view.exportSvg(file("a.svg")), view.exportCsv(file("a.csv"))})
            QVERIFY2(written.hasValue(), qPrintable(written.message()));
        const QImage picture(file("a.png"));
        QVERIFY(picture.width() >= 1800);
        QFile svg(file("a.svg"));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        const QByteArray drawn = svg.readAll();
        for (const char *word : {"NVIDIA H200", "29 Nov 2026", "predicted", "not kept", "your bet"})
            QVERIFY2(drawn.contains(word), word);
    }
};

QObject *makeTestLessonTimes() {
    return new TestLessonTimes;
}

#include "tst_lesson_times.moc"
