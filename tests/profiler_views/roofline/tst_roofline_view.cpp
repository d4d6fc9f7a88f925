// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline: ceilings and points as text, and the chart offscreen.
#include "profiler_views/csv_text.h"
#include "profiler_views/roofline/names_place.h"
#include "profiler_views/roofline/roofline_frame.h"
#include "profiler_views/roofline/roofline_view.h"
#include "tests/profiler_views/counters/recorded_counters.h"
#include "tests/profiler_views/model_text.h"
#include "tests/profiler_views/recorded.h"
#include "toolchain/counters/kernel_figures.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QElapsedTimer>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

using namespace warpwright;

extern QString picturesFolder;

namespace {

RooflineInput inputOf(const char *name) {
    RooflineInput input;
    input.figures = measuredFigures(recorded(QString::fromLatin1(name)));
    input.iteration = 7;
    return input;
}

RooflineInput whole() {
    RooflineInput input = inputOf("h200-gemm-bias-gelu");
    const double now = input.figures.candidate()->medianMicroseconds;
    for (int i = 1; i < 7; ++i)
        input.iterations.push_back({i, now * (1 + 0.5 * (7 - i))});
    input.counters = recordedCounters();
    return input;
}

RooflineInput withCache(RooflineInput input) {
    input.figures.device.cacheBytesPerSecond = 6.1e12;
    return input;
}

RooflineInput softmaxWithCounters() {
    RooflineInput input = inputOf("h200-softmax-rows");
    input.counters = recordedCounters();
    return input;
}

RooflineInput manyIterations() {
    RooflineInput input = whole();
    for (int i = 100; i < 1100; ++i)
        input.iterations.push_back({i, 4.0 + 0.9 * (i % 997)});
    return input;
}

/// As the view is now: no point and no roof under the list of names, which is there.
void verifyNothingIsCovered(RooflineView &view, const RooflineModel &model) {
    QVERIFY(!view.grab().isNull()); // laid out
    const NamesPlace &place = view.namesPlace();
    QVERIFY(place.side != NamesPlace::Side::Nowhere);
    QVERIFY(place.rows > 0);
    QVERIFY(QRectF(view.rect()).contains(place.rect));
    const RooflineFrame frame = view.frame();
    QCOMPARE(frame.area, place.area);
    const QRectF area(frame.area);
    for (const RooflinePoint &point : model.points()) {
        const QPointF at = frame.at(point.intensity(), point.flopsPerSecond());
        QVERIFY(std::abs(at.x() - view.plot().xAxis->coordToPixel(point.intensity())) < 1e-6);
        QVERIFY(std::abs(at.y() - view.plot().yAxis->coordToPixel(point.flopsPerSecond() / frame.unit)) <
                1e-6);
        QVERIFY2(!area.contains(at) || !place.rect.contains(at), qPrintable(point.label));
    }
    for (const RoofLine &roof : roofLines(model.ceilings(), frame))
        for (int i = 0; i <= 1000; ++i) {
            const QPointF at = roof.line.pointAt(i / 1000.0);
            QVERIFY(!area.contains(at) || !place.rect.contains(at));
        }
}

QString rowsOf(const RooflineModel &model) {
    return modelText(model).replace(QChar(0xa0), QLatin1Char(' '));
}

} // namespace

class TestRooflineView : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support)")); }

    void saysWhichNumbersAreWhich() {
        RooflineModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        model.setInput(whole());
        const QString rows = rowsOf(model);
        QVERIFY2(rows.contains(QStringLiteral("ceiling | DRAM |  | 4.43 TB/s |  | best of several runs")),
                 qPrintable(rows));
        QVERIFY(rows.contains(QStringLiteral("ceiling | FP32 |  | 51.0 TFLOP/s")));
        QVERIFY(rows.contains(QStringLiteral("ceiling | FP16/BF16 |  | 790 TFLOP/s")));
        QVERIFY(rows.contains(QStringLiteral("whole call | iteration 7 | ")));
        QVERIFY(rows.contains(QStringLiteral("kernel | strided | ")));
        QVERIFY(rows.contains(QStringLiteral("counted by the hardware")));
        QVERIFY(rows.contains(QStringLiteral("the whole task: bytes and operations counted")));
        // A copy computes nothing: it is named, and no point at the edge.
        QVERIFY2(model.remarks().contains(QStringLiteral(
                     "copy4 executes no floating-point operation or moves no bytes: no point.")),
                 qPrintable(model.remarks().join(QLatin1Char('\n'))));
        QVERIFY(model.origin().contains(QStringLiteral("NVIDIA H200")));
        QVERIFY(csvText(model).contains("\r\nceiling,DRAM,,4429399573041.819,,"));
    }

    void aShareOfTheRoofHasItsSpread() {
        RooflineInput input = inputOf("h200-gemm-bias-gelu");
        for (ArmFigures &arm : input.figures.arms)
            if (arm.isCandidate()) {
                arm.lowMicroseconds = arm.medianMicroseconds / 1.25;
                arm.highMicroseconds = arm.medianMicroseconds * 2;
            }
        RooflineModel model;
        model.setInput(input);
        for (const RooflinePoint &point : model.points()) {
            const double share = 100 * point.flopsPerSecond() / *model.roofAt(point.intensity());
            const QString words = model.ofRoofText(point).replace(QChar(0xa0), QLatin1Char(' '));
            if (point.kind == RooflinePoint::Kind::Current)
                QCOMPARE(words, QStringLiteral("%1 % (%2–%3 %)")
                                    .arg(share, 0, 'f', 1)
                                    .arg(share / 2, 0, 'f', 1)
                                    .arg(share * 1.25, 0, 'f', 1));
        }
    }

    // Nothing is faster than the device.
    void aPointSurelyAboveTheRoofHasNoShareAndSaysWhy() {
        RooflineInput input = inputOf("h200-gemm-bias-gelu");
        RooflineModel model;
        model.setInput(input);
        const auto current = [&model] {
            return *std::find_if(
                model.points().begin(), model.points().end(),
                [](const RooflinePoint &point) { return point.kind == RooflinePoint::Kind::Current; });
        };
        const double roof = *model.roofAt(current().intensity());
        QVERIFY(!model.remarks().join(QLatin1Char(' ')).contains(QStringLiteral("measured too low")));
        QVERIFY(!model.ofRoofText(current()).isEmpty());
        for (ArmFigures &arm : input.figures.arms)
            if (arm.isCandidate()) {
                arm.medianMicroseconds = *input.figures.task.flops / roof * 1e6 / 1.46;
                arm.lowMicroseconds = arm.medianMicroseconds * 0.97;
                arm.highMicroseconds = arm.medianMicroseconds * 1.03;
            }
        model.setInput(input);
        QVERIFY2(model.ofRoofText(current()).isEmpty(), qPrintable(model.ofRoofText(current())));
        QVERIFY(!model.sentenceOf(current()).contains(QStringLiteral("of its roof")));
        const QString said = model.remarks().join(QLatin1Char(' '));
        QVERIFY2(said.contains(QStringLiteral("measured too low in this check")) &&
                     said.contains(QStringLiteral("iteration 7")),
                 qPrintable(said));
    }

    void theRoofIsTheLowerOfBoth() {
        RooflineInput input = inputOf("h200-gemm-bias-gelu");
        RooflineModel model;
        model.setInput(input);
        double memory = 0;
        double compute = 0;
        for (const RooflineCeiling &ceiling : model.ceilings())
            if (ceiling.isOfTask)
                (ceiling.isMemory ? memory : compute) = ceiling.perSecond;
        QVERIFY(memory > 0 && compute > 0);
        QCOMPARE(*model.roofAt(1), memory);
        QCOMPARE(*model.roofAt(1e6), compute);
        for (const RooflinePoint &point : model.points())
            QVERIFY2(point.flopsPerSecond() < 1.5 * *model.roofAt(point.intensity()),
                     qPrintable(point.label));
    }

    void matrixUnitsAreNotCountedByTheCores() {
        RooflineInput input = whole();
        auto counters = std::make_shared<Counters>(*recordedCounters());
        counters->kernels[1].opcodes[QStringLiteral("HMMA")] = 100;
        input.counters = counters;
        RooflineModel model;
        model.setInput(input);
        QVERIFY(!rowsOf(model).contains(QStringLiteral("kernel | strided |")));
        QVERIFY(model.remarks().join(QLatin1Char(' ')).contains(QStringLiteral("strided uses tensor cores")));
    }

    void matrixUnitsAreCountedByTheirInstructions() {
        RooflineInput input = whole();
        auto counters = std::make_shared<Counters>(*recordedCounters());
        KernelCounters &kernel = counters->kernels[1];
        const auto execute = [&kernel](const char *sass, double times) {
            InstructionCounters one;
            one.text = QString::fromLatin1(sass);
            one.values[QStringLiteral("executed")] = times;
            kernel.instructions.push_back(one);
        };
        execute("@P0 HMMA.16816.F32.BF16 R4, R8, R12, R4", 6291456);
        kernel.opcodes[QStringLiteral("HMMA")] = 6291456;
        // 2048 by 2048 by 3072, as an H200 has counted it.
        QCOMPARE(matrixFlops(kernel), std::optional(2.0 * 2048 * 2048 * 3072));
        input.counters = counters;
        RooflineModel model;
        model.setInput(input);
        QVERIFY2(rowsOf(model).contains(QStringLiteral("of the tensor cores")), qPrintable(rowsOf(model)));
        // What is not known as a whole is not told.
        execute("HGMMA.64x128x16.F32.BF16 R24, gdesc[UR8], R24", 10);
        QVERIFY(!matrixFlops(kernel));
        kernel.instructions.pop_back();
        kernel.opcodes[QStringLiteral("HMMA")] = 7e6;
        QVERIFY(!matrixFlops(kernel));
    }

    void doubleAndTheCacheHaveCeilingsWhereTheyWereMeasured() {
        RooflineInput input = inputOf("h200-softmax-rows");
        RooflineModel before;
        before.setInput(input);
        QVERIFY(!rowsOf(before).contains(QStringLiteral("ceiling | FP64")));
        QVERIFY(!rowsOf(before).contains(QStringLiteral("ceiling | L2")));
        input.figures.device.cacheBytesPerSecond = 6.1e12;
        input.figures.device.fp64FlopsPerSecond = 60e12;
        input.figures.precision = QStringLiteral("FP64");
        RooflineModel model;
        model.setInput(input);
        QVERIFY(rowsOf(model).contains(QStringLiteral("ceiling | FP64 |  | 60.0 TFLOP/s")));
        QVERIFY(rowsOf(model).contains(QStringLiteral("ceiling | L2 |  | 6.10 TB/s")));
        // The cache's is no roof that the task is held against.
        for (const RooflineCeiling &ceiling : model.ceilings())
            QCOMPARE(ceiling.isOfTask,
                     ceiling.name == QLatin1String("DRAM") || ceiling.name == QLatin1String("FP64"));
    }

    void whatIsNotThereIsSaid_data() {
        QTest::addColumn<RooflineInput>("input");
        QTest::addColumn<QString>("words");
        QTest::newRow("nothing") << RooflineInput() << QStringLiteral("appears here");
        QTest::newRow("wrong") << inputOf("cpu-wrong") << QStringLiteral("the result is wrong");
        RooflineInput none = inputOf("h200-softmax-rows");
        none.figures.task.flops = 0;
        QTest::newRow("no operation") << none << QStringLiteral("no floating-point operation");
        none.figures.task.flops.reset();
        QTest::newRow("not counted") << none << QStringLiteral("not counted");
    }

    void whatIsNotThereIsSaid() {
        QFETCH(RooflineInput, input);
        QFETCH(QString, words);
        Look look;
        RooflineView view(look);
        view.show(input);
        QVERIFY(view.isEmpty());
        QVERIFY2(view.summary().contains(words), qPrintable(view.summary()));
    }

    void oddNumbersMakeNoPoint() {
        RooflineInput input = whole();
        input.iterations.push_back({8, 0});
        input.iterations.push_back({9, std::nan("")});
        input.iterations.push_back({10, -3});
        input.figures.device.tf32FlopsPerSecond = std::nan("");
        RooflineModel model;
        model.setInput(input);
        for (const RooflinePoint &point : model.points())
            QVERIFY(std::isfinite(point.flopsPerSecond()) && point.iteration < 8);
        QCOMPARE(model.ceilings().size(), 3U);
    }

    void picksAnIteration() {
        Look look;
        RooflineView view(look);
        view.show(whole());
        view.resize(600, 360);
        QVERIFY(!view.grab().isNull());
        QSignalSpy picked(&view, &RooflineView::iterationPicked);
        for (int i = 0; i < 12; ++i) {
            QTest::keyClick(&view.plot(), Qt::Key_Right);
            QTest::keyClick(&view.plot(), Qt::Key_Return);
        }
        QVERIFY(!picked.isEmpty());
        QTest::keyClick(&view.plot(), Qt::Key_Plus);
        QVERIFY(view.plot().isZoomed());
        QVERIFY(view.plot().xAxis->range().lower > 0);
        QTest::keyClick(&view.plot(), Qt::Key_0);
        QVERIFY(!view.plot().isZoomed());
    }

    void theListCoversNothing_data() {
        QTest::addColumn<RooflineInput>("input");
        QTest::addColumn<QSize>("size");
        const std::vector<std::pair<const char *, RooflineInput>> inputs{
            {"gemm", whole()},
            {"softmax", softmaxWithCounters()},
            {"cache", withCache(softmaxWithCounters())},
            {"no counters", inputOf("h200-softmax-rows")},
            {"cpu", inputOf("cpu-pointwise-chain")},
            {"many", manyIterations()}};
        for (const auto &[name, input] : inputs)
            for (const QSize size : {QSize(420, 300), QSize(600, 390), QSize(1100, 560), QSize(1100, 200)})
                QTest::addRow("%s, %d", name, size.width() * 1000 + size.height()) << input << size;
    }

    void theListCoversNothing() {
        QFETCH(RooflineInput, input);
        QFETCH(QSize, size);
        Look look;
        RooflineView view(look);
        RooflineModel model;
        model.setInput(input);
        QVERIFY(!model.points().empty());
        view.show(input);
        view.resize(size);
        verifyNothingIsCovered(view, model);
        // Five steps of the wheel over each point.
        for (const RooflinePoint &point : model.points()) {
            if (point.kind == RooflinePoint::Kind::Iteration)
                continue;
            for (int step = 0; step < 5 && !QTest::currentTestFailed(); ++step) {
                const QPointF at = view.frame().at(point.intensity(), point.flopsPerSecond());
                QWheelEvent turn(at, view.plot().mapToGlobal(at), {}, QPoint(0, 120), Qt::NoButton,
                                 Qt::NoModifier, Qt::NoScrollPhase, false);
                QCoreApplication::sendEvent(&view.plot(), &turn);
                QVERIFY(view.plot().isZoomed());
                verifyNothingIsCovered(view, model);
            }
            view.plot().resetZoom();
        }
        QVERIFY(!view.plot().isZoomed());
    }

    void theListHasItsPlace_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QRect>("whole");
        QTest::addColumn<std::vector<QRectF>>("marks");
        QTest::addColumn<int>("side");
        QTest::addColumn<QRectF>("rect");
        QTest::addColumn<QRect>("area");
        using Side = NamesPlace::Side;
        const QSize size(600, 400);
        const QRect whole(60, 30, 526, 325);
        const QRectF lowerRight(500, 300, 18, 18);
        const QRectF upperLeft(80, 60, 18, 18);
        const auto row = [&](const char *name, const QSize &of, const QRect &all,
                             const std::vector<QRectF> &marks, Side side, const QRectF &rect,
                             const QRect &area) {
            QTest::newRow(name) << of << all << marks << static_cast<int>(side) << rect << area;
        };
        row("free", size, whole, {}, Side::Inside, QRectF(278, 275, 300, 72), whole);
        row("a mark there", size, whole, {lowerRight}, Side::Inside, QRectF(68, 38, 300, 72), whole);
        // The roof ends at the upper right; below it the short words find the middle.
        row("two marks", size, whole, {lowerRight, upperLeft}, Side::Inside, QRectF(223, 275, 200, 72),
            whole);
        // Two columns of the short words, 24 between them.
        row("marks everywhere", size, whole, {QRectF(whole)}, Side::Below, QRectF(12, 358, 424, 36),
            QRect(60, 30, 526, 283));
        row("low", QSize(900, 200), QRect(60, 30, 826, 125), {}, Side::Beside, QRectF(690, 30, 200, 72),
            QRect(60, 30, 621, 125));
        row("tiny", QSize(160, 90), QRect(60, 30, 86, 15), {}, Side::Nowhere, QRectF(),
            QRect(60, 30, 86, 15));
    }

    void theListHasItsPlace() {
        QFETCH(QSize, size);
        QFETCH(QRect, whole);
        QFETCH(std::vector<QRectF>, marks);
        QFETCH(int, side);
        QFETCH(QRectF, rect);
        QFETCH(QRect, area);
        const Look look;
        QCOMPARE(look.px(24), 24);
        // A roof from corner to corner: above and below it there is room for four rows.
        const NamesPlace place =
            placeNames(size, whole, {4, 18, 300, 200},
                       {marks, {QLineF(whole.left(), whole.bottom(), whole.right(), whole.top())}}, look);
        QCOMPARE(static_cast<int>(place.side), side);
        QCOMPARE(place.rect, rect);
        QCOMPARE(place.area, area);
        QCOMPARE(place.rows, side == static_cast<int>(NamesPlace::Side::Nowhere) ? 0U : 4U);
    }

    void aKernelIsNoOtherThanTheCall() {
        RooflineInput input = whole();
        auto counters = std::make_shared<Counters>(*recordedCounters());
        counters->kernels[1].arm = QStringLiteral("candidate"); // the others are of a report
        input.counters = counters;
        RooflineModel model;
        model.setInput(input);
        QStringList tips;
        for (std::size_t i = 0; i < model.points().size(); ++i)
            tips << model.toolTipOf(i);
        const QString all = QLatin1Char('\n') + tips.join(QLatin1Char('\n'));
        for (const char *words : {"\niteration 7, whole call\n",
                                  "\nstrided (candidate), GPU counters\none launch inside the whole call\n"})
            QVERIFY2(all.contains(QLatin1String(words)), qPrintable(all));
        QCOMPARE(all.count(QStringLiteral("one launch inside")), 1);
        QVERIFY(model.summary().contains(QStringLiteral("iteration 7, whole call: ")));
        QVERIFY(model.summary().contains(QStringLiteral("strided, GPU counters: ")));
    }

    void drawsAtManySizes_data() {
        QTest::addColumn<bool>("isDark");
        QTest::addColumn<double>("scale");
        QTest::newRow("light") << false << 1.0;
        QTest::newRow("dark") << true << 1.0;
        QTest::newRow("dark, twice as large") << true << 2.0;
    }

    void drawsAtManySizes() {
        QFETCH(bool, isDark);
        QFETCH(double, scale);
        Look look;
        look.set(isDark ? Theme::dark() : Theme::light(), scale);
        RooflineView view(look);
        RooflineInput many = whole();
        for (int i = 100; i < 10100; ++i)
            many.iterations.push_back({i, 40.0 + 0.01 * (i % 997)});
        many.iterations.push_back({10100, 40000}); // an outlier
        RooflineInput one = inputOf("h200-softmax-rows");
        one.figures.arms = {*one.figures.candidate()};
        for (const QSize size : {QSize(300, 220), QSize(620, 380), QSize(1100, 560)}) {
            for (const auto &[kind, input] :
                 {std::pair{"gpu", whole()}, std::pair{"cpu", inputOf("cpu-pointwise-chain")},
                  std::pair{"one", one}, std::pair{"many", many}, std::pair{"empty", RooflineInput()}}) {
                QElapsedTimer timer;
                timer.start();
                view.show(input);
                view.resize(size * scale);
                const QPixmap picture = view.grab();
                QVERIFY2(timer.elapsed() < 2000, kind);
                if (picturesFolder.isEmpty())
                    continue;
                QDir().mkpath(picturesFolder);
                QVERIFY(picture.save(QStringLiteral("%1/roofline-%2-%3-%4-%5.png")
                                         .arg(picturesFolder)
                                         .arg(size.width())
                                         .arg(isDark ? QStringLiteral("dark") : QStringLiteral("light"))
                                         .arg(scale)
                                         .arg(QLatin1String(kind))));
            }
        }
    }

    void exportsWhatItShows() {
        Look look;
        RooflineView view(look);
        const QTemporaryDir folder;
        QVERIFY(!view.exportPng(folder.filePath(QStringLiteral("a.png"))).hasValue());
        view.show(whole());
        view.resize(700, 420);
        QVERIFY(!view.grab().isNull());
        QVERIFY(view.exportPng(folder.filePath(QStringLiteral("a.png"))).hasValue());
        QVERIFY(view.exportCsv(folder.filePath(QStringLiteral("a.csv"))).hasValue());
        QVERIFY(view.exportSvg(folder.filePath(QStringLiteral("a.svg"))).hasValue());
        QFile drawing(folder.filePath(QStringLiteral("a.svg")));
        QVERIFY(drawing.open(QIODevice::ReadOnly));
        const QByteArray svg = drawing.readAll();
        for (const char *word : {"iteration 7", "DRAM", "FP32", "arithmetic intensity", "NVIDIA H200"})
            QVERIFY2(svg.contains(word), word);
    }
};

QObject *makeTestRooflineView() {
    return new TestRooflineView;
}

#include "tst_roofline_view.moc"
