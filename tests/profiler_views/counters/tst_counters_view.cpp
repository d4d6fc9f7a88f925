// SPDX-License-Identifier: GPL-3.0-or-later
// Counters of a launch: the numbers as text, against a baseline, with what is missing; the page offscreen.
#include "profiler_views/counters/counters_view.h"
#include "profiler_views/counters/launches_model.h"
#include "profiler_views/counters/metrics_model.h"
#include "profiler_views/csv_text.h"
#include "tests/profiler_views/counters/recorded_counters.h"
#include "tests/profiler_views/model_text.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace warpwright;

extern QString picturesFolder;

namespace {

constexpr int copy4 = 0;
constexpr int strided = 1;
constexpr int banks = 2;

/// The lines of one section.
QString sectionText(const CounterRowsModel &model, CounterSection section) {
    QStringList lines;
    for (int row = 0; row < model.rowCount(); ++row) {
        if (model.rows()[static_cast<std::size_t>(row)].section != section)
            continue;
        QStringList cells;
        for (const int column : {CounterRowsModel::Label, CounterRowsModel::Value, CounterRowsModel::Baseline,
                                 CounterRowsModel::Change})
            cells << model.index(row, column).data().toString();
        while (cells.size() > 1 && cells.last().isEmpty())
            cells.removeLast();
        lines << cells.join(QStringLiteral(" | "));
    }
    return lines.join(QLatin1Char('\n')).replace(QChar(0xa0), QLatin1Char(' '));
}

std::shared_ptr<Counters> basicSet() {
    auto counters = std::make_shared<Counters>(*recordedCounters());
    counters->set = QStringLiteral("basic");
    for (KernelCounters &kernel : counters->kernels) {
        kernel.opcodes.clear();
        std::erase_if(kernel.metrics, [](const auto &metric) {
            return !metric.first.startsWith(QLatin1String("launch__")) &&
                   !metric.first.contains(QLatin1String("throughput.avg"));
        });
    }
    return counters;
}

CountedLaunch launchOf(std::shared_ptr<const Counters> counters, int kernel, const QString &origin = {}) {
    return {std::move(counters), kernel, origin};
}

} // namespace

class TestCountersView : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support)")); }

    void numbersAreAsTheToolCountedThem() {
        CounterRowsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        model.setLaunch(launchOf(recordedCounters(), copy4), {});
        QCOMPARE(sectionText(model, CounterSection::SpeedOfLight),
                 QString("Compute (SM) | 16.3 %\n"
                         "Memory | 74.2 %\n"
                         "L1/TEX | 29.9 %\n"
                         "L2 | 89.4 %\n"
                         "DRAM | 74.2 %\n"
                         "Time under the profiler | 31.23 µs\n"
                         "SM clock | 1.98 GHz"));
        QCOMPARE(sectionText(model, CounterSection::Memory),
                 QString("kernel → L1: loads | 67.1 MB\n"
                         "kernel → L1: stores | 67.1 MB\n"
                         "kernel → shared | not used: the kernel has no shared memory\n"
                         "L1 → L2: reads | 67.1 MB\n"
                         "L1 → L2: writes | 67.1 MB\n"
                         "L2 → DRAM: reads | 67.1 MB\n"
                         "L2 → DRAM: writes | 44.3 MB\n"
                         "L1 hit rate | 0.0 %\n"
                         "L2 hit rate | 50.9 %\n"
                         "Bank conflicts | 0"));
        const QString launch = sectionText(model, CounterSection::Launch);
        QVERIFY2(launch.startsWith(QLatin1String("Grid | 16,384\nBlock | 256\nRegisters a thread | 16\n")),
                 qPrintable(launch));
        QVERIFY2(launch.contains(QLatin1String("Achieved occupancy | 77.7 %")), qPrintable(launch));
        QVERIFY(
            sectionText(model, CounterSection::WarpStates).startsWith(QLatin1String("long scoreboard | 16")));
        QVERIFY(sectionText(model, CounterSection::Instructions).startsWith(QLatin1String("LDC | 524 k\n")));
        QVERIFY(model.summary().contains(QLatin1String("Warps wait most for long scoreboard")));
        // Each value's own name and exact number are at hand.
        const QString tip = model.index(0, 0).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(QLatin1String("sm__throughput.avg.pct_of_peak_sustained_elapsed = 16.28162")),
                 qPrintable(tip));
    }

    void theToolsRulesAreItsOwn() {
        CounterRowsModel model;
        model.setLaunch(launchOf(recordedCounters(), strided), {});
        const QString rules = sectionText(model, CounterSection::Rules);
        QVERIFY2(rules.startsWith(QLatin1String("Low Utilization | est. local speedup 95.9 %\n"
                                                "Uncoalesced Global Accesses | est. speedup 87.3 %\n")),
                 qPrintable(rules));
        QVERIFY(sectionRemark(CounterSection::Rules).contains(QLatin1String("overlap")));
    }

    void whatIsMissingIsNoZero() {
        CounterRowsModel model;
        model.setLaunch(launchOf(basicSet(), banks), {});
        const QString memory = sectionText(model, CounterSection::Memory);
        QVERIFY2(memory.startsWith(QString::fromUtf8("kernel → L1: loads | not collected (set basic)\n")),
                 qPrintable(memory));
        for (const CounterSection section : {CounterSection::WarpStates, CounterSection::Instructions})
            QVERIFY(sectionText(model, section).endsWith(QLatin1String("| not collected (set basic)")));
        for (const CounterRow &row : model.rows())
            if (!row.missing.isEmpty())
                QVERIFY(!row.value && row.text.isEmpty());
        const QByteArray csv = csvText(model);
        QVERIFY2(csv.contains("Memory,L2 → DRAM: reads,,byte,,,dram__bytes_read.sum\r\n"), csv.constData());
        auto unsaid = std::make_shared<Counters>(*basicSet());
        unsaid->set.clear();
        unsaid->kernels[0]
            .metrics[QStringLiteral("lts__throughput.avg.pct_of_peak_sustained_elapsed")]
            .number.reset();
        model.setLaunch(launchOf(unsaid, copy4), {});
        QVERIFY(sectionText(model, CounterSection::SpeedOfLight)
                    .contains(QLatin1String("L2 | no value: the tool says n/a\n")));
        QVERIFY(sectionText(model, CounterSection::Memory).contains(QLatin1String("| not collected\n")));
    }

    void aBaselineIsNamedAndItsWorthSaid() {
        CounterRowsModel model;
        model.setLaunch(launchOf(recordedCounters(), copy4),
                        launchOf(countersTimes(0.5), copy4, QStringLiteral("iteration 6")));
        QVERIFY(sectionText(model, CounterSection::SpeedOfLight)
                    .startsWith(QLatin1String("Compute (SM) | 16.3 % | 8.1 % | +100.0 %\n")));
        QVERIFY(model.origin().contains(
            QLatin1String("Against iteration 6: copy4, launch 1; one measurement each")));
        QVERIFY(model.index(0, 0)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QLatin1String("one measurement, no spread")));
        // Measured twice each, and their ranges meet: noise, and it says so.
        auto twice = std::make_shared<Counters>(*recordedCounters());
        KernelCounters again = twice->kernels[0];
        again.launch = 9;
        for (auto &[name, value] : again.metrics)
            if (value.number)
                *value.number *= 1.1;
        twice->kernels.push_back(again);
        model.setLaunch(launchOf(twice, copy4), launchOf(twice, 3));
        QVERIFY2(sectionText(model, CounterSection::SpeedOfLight).contains(QString::fromUtf8("| ≈ −9.1 %\n")),
                 qPrintable(sectionText(model, CounterSection::SpeedOfLight)));
        QVERIFY(model.rows()[0].spread.startsWith(QLatin1String("2 launches, 16.3")));
    }

    void changesAreWritten_data() {
        QTest::addColumn<double>("now");
        QTest::addColumn<double>("before");
        QTest::addColumn<QString>("text");
        QTest::newRow("more") << 112.3 << 100.0 << QString("+12.3\u00a0%");
        QTest::newRow("less") << 50.0 << 100.0 << QString("\u221250.0\u00a0%");
        QTest::newRow("the same") << 7.0 << 7.0 << QString("same");
        QTest::newRow("nearly") << 100.001 << 100.0 << QString("\u00b1 0.0\u00a0%");
        QTest::newRow("from nothing") << 5.0 << 0.0 << QString("was 0");
        QTest::newRow("both nothing") << 0.0 << 0.0 << QString("same");
        QTest::newRow("a factor") << 3200.0 << 100.0 << QString("× 32.0");
    }

    void changesAreWritten() {
        QFETCH(double, now);
        QFETCH(double, before);
        QTEST(changeOf(now, before, {}, {}).text(), "text");
    }

    void unitsFitTheSize() {
        QCOMPARE(counterText(31232, QStringLiteral("ns")), QStringLiteral("31.23 µs"));
        QCOMPARE(counterText(67108864, QStringLiteral("byte")), QStringLiteral("67.1 MB"));
        QCOMPARE(counterText(3.566e12, QStringLiteral("byte/s")), QStringLiteral("3.57 TB/s"));
        QCOMPARE(counterText(2097152, QStringLiteral("inst")), QStringLiteral("2.10 M inst"));
        QCOMPARE(counterText(2614.379, QStringLiteral("%/byte")), QStringLiteral("2614\u00a0%/byte"));
        QCOMPARE(metricWords(QStringLiteral("lts__d_sectors.avg.pct")), QStringLiteral("lts d sectors"));
    }

    void allMetricsAreThere() {
        MetricsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setLaunch(launchOf(recordedCounters(), copy4), launchOf(recordedCounters(), strided));
        QCOMPARE(model.rowCount(), static_cast<int>(recordedCounters()->kernels[0].metrics.size()));
        const QString text = modelText(model);
        QVERIFY2(text.contains(QLatin1String("\ndram__bytes_read.sum | 67.1 MB | ")),
                 qPrintable(text.left(2000)));
        QVERIFY(csvText(model).contains("\r\ndram__bytes_read.sum,67113728,byte,"));
        LaunchesModel launches;
        const QAbstractItemModelTester second(&launches,
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        launches.setCounters(recordedCounters());
        QCOMPARE(modelText(launches).section(QLatin1Char('\n'), 1),
                 QStringLiteral("1 · copy4 · 16,384 × 256 · 31.23 µs\n2 · strided · 65,536 × 256 · 345.6 µs\n"
                                "3 · banks<32> · 2,048 × 1,024 · 80.13 µs"));
        // Kernels of a library share their namespaces and their beginning: what differs is left.
        auto arms = std::make_shared<Counters>(*recordedCounters());
        arms->kernels[1].arm = QStringLiteral("eager");
        arms->kernels[1].name = QStringLiteral("void at::native::vectorized_elementwise_kernel<4, "
                                               "at::native::CUDAFunctor_add<float>>(int)");
        launches.setCounters(arms);
        const QString name = launches.index(1).data().toString();
        QVERIFY2(name.startsWith(QStringLiteral("2 · vectorized_elemen…")) &&
                     !name.contains(QLatin1String("::")) &&
                     name.endsWith(QStringLiteral("· 345.6 µs · eager")),
                 qPrintable(name));
    }

    void findsTheLaunchOfAnother() {
        QCOMPARE(matchingLaunch(*countersTimes(2), *recordedCounters(), banks), banks);
        Counters fewer = *recordedCounters();
        fewer.kernels.erase(fewer.kernels.begin());
        QCOMPARE(matchingLaunch(fewer, *recordedCounters(), banks), 1);
        QCOMPARE(matchingLaunch(fewer, *recordedCounters(), copy4), -1);
    }

    void picksFiltersAndCompares() {
        Look look;
        CountersView view(look);
        QVERIFY(view.isEmpty());
        QVERIFY(view.summary().contains(QLatin1String("appears here")));
        view.show(recordedCounters(), {{QStringLiteral("iteration 6"), countersTimes(0.5)}});
        QVERIFY(!view.isEmpty());
        auto *launch = view.findChild<QComboBox *>(QStringLiteral("launchPicker"));
        auto *baseline = view.findChild<QComboBox *>(QStringLiteral("baselinePicker"));
        auto *filter = view.findChild<QLineEdit *>(QStringLiteral("counterFilter"));
        auto *origin = view.findChild<QLabel *>(QStringLiteral("counterOrigin"));
        QCOMPARE(launch->count(), 3);
        filter->setText(QStringLiteral("BANK"));
        QCOMPARE(launch->count(), 1);
        QVERIFY(origin->text().startsWith(QLatin1String("banks<32>, launch 3")));
        filter->setText(QStringLiteral("nothing such"));
        QCOMPARE(launch->count(), 0);
        QCOMPARE(origin->text(), QStringLiteral("No launch matches the filter."));
        filter->clear();
        QVERIFY(view.showKernel(QStringLiteral("strided")));
        QVERIFY(!view.showKernel(QStringLiteral("other")));
        baseline->setCurrentIndex(1);
        QVERIFY2(origin->text().contains(QLatin1String("Against iteration 6: strided")),
                 qPrintable(origin->text()));
        // The same collection comes again: what was chosen stays.
        view.show(recordedCounters(), {{QStringLiteral("iteration 6"), countersTimes(0.5)}});
        QVERIFY(origin->text().contains(QLatin1String("Against iteration 6: strided")));
        baseline->setCurrentIndex(2); // of the same collection: copy4
        QVERIFY(origin->text().contains(QLatin1String("Against copy4")));
        view.findChild<QTabBar *>(QStringLiteral("counterForm"))->setCurrentIndex(1);
        auto *table = view.findChild<QTableView *>(QStringLiteral("allMetrics"));
        filter->setText(QStringLiteral("dram__bytes_read.sum.p"));
        QCOMPARE(table->model()->rowCount(), 2);
        // Nothing was collected, and why: no zero, and no old cards.
        Counters refused;
        refused.problems = {QStringLiteral("The driver refuses counters.")};
        QAction collect(QStringLiteral("Collect counters"), nullptr);
        view.show(std::make_shared<const Counters>(refused), {}, &collect);
        QVERIFY(view.isEmpty());
        QVERIFY(view.summary().contains(QLatin1String("The driver refuses counters.")));
    }

    void keysGoThroughTheRowsAndScroll() {
        Look look;
        CountersView view(look);
        view.show(recordedCounters(), {});
        view.resize(520, 300);
        static_cast<QWidget &>(view).show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        auto *bar = view.findChild<QScrollArea *>()->verticalScrollBar();
        QTRY_VERIFY(bar->maximum() > 0);
        for (int i = 0; i < 30; ++i)
            QTest::keyClick(&view.plot(), Qt::Key_Down);
        QCOMPARE(view.plot().currentStop(), 29);
        QVERIFY(bar->value() > 0);
        bar->setValue(0);
        // As from a mouse: what is only sent is not passed on to the parents.
        QWheelEvent wheel(QPointF(50, 50), view.plot().mapToGlobal(QPointF(50, 50)), {}, QPoint(0, -120), {},
                          {}, Qt::NoScrollPhase, false);
        QSpontaneKeyEvent::setSpontaneous(&wheel);
        qApp->notify(&view.plot(), &wheel);
        QVERIFY(bar->value() > 0);
        // Over what stands above the cards, too.
        bar->setValue(0);
        auto *origin = view.findChild<QLabel *>(QStringLiteral("counterOrigin"));
        QWheelEvent above(QPointF(5, 5), origin->mapToGlobal(QPointF(5, 5)), {}, QPoint(0, -120), {}, {},
                          Qt::NoScrollPhase, false);
        QSpontaneKeyEvent::setSpontaneous(&above);
        qApp->notify(origin, &above);
        QVERIFY(bar->value() > 0);
        // Another report begins at its top, against nothing.
        auto *baseline = view.findChild<QComboBox *>(QStringLiteral("baselinePicker"));
        baseline->setCurrentIndex(1);
        auto other = std::make_shared<Counters>(*recordedCounters());
        other->id = QStringLiteral("another");
        view.show(other, {});
        QCOMPARE(baseline->currentIndex(), 0);
        QCOMPARE(bar->value(), 0);
    }

    void theCsvIsOfTheFormThatIsOpen() {
        const QTemporaryDir folder;
        Look look;
        CountersView view(look);
        view.show(recordedCounters(), {});
        const auto rows = [&] {
            const QString path = folder.filePath(QStringLiteral("a.csv"));
            if (!view.exportCsv(path).hasValue())
                return QByteArrayList();
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll().split('\n') : QByteArrayList();
        };
        QVERIFY(rows().value(0).startsWith("section,what,value,unit,"));
        view.findChild<QTabBar *>(QStringLiteral("counterForm"))->setCurrentIndex(1);
        QVERIFY(rows().value(0).startsWith("metric,value,unit,"));
        QCOMPARE(rows().size(), static_cast<int>(recordedCounters()->kernels[0].metrics.size()) + 2);
    }

    void anEditTurnsTheNumbersGrey() {
        Look look;
        CountersView view(look);
        view.resize(620, 900);
        view.show(recordedCounters(), {});
        const QImage before = view.plot().grab().toImage(); // the tabs above it have the same colour
        const auto count = [](const QImage &image, const QColor &color) {
            int found = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    found += image.pixelColor(x, y) == color ? 1 : 0;
            return found;
        };
        const QColor series = look.color("series.candidate");
        QVERIFY(count(before, series) > 1000);
        view.setStale(true);
        QCOMPARE(count(view.plot().grab().toImage(), series), 0);
    }

    void holdsTenThousandLaunchesAndLongNames() {
        auto many = std::make_shared<Counters>(*recordedCounters());
        many->kernels[0].name = QString(300, QLatin1Char('k')) + QStringLiteral("(int)");
        const KernelCounters &one = many->kernels[1];
        KernelCounters small;
        small.arm = one.arm;
        small.function = small.name = QStringLiteral("small");
        small.metrics[QStringLiteral("gpu__time_duration.sum")] = {1500.0, {}, QStringLiteral("ns")};
        for (int i = 0; i < 10000; ++i) {
            small.launch = i + 3;
            many->kernels.push_back(small);
        }
        Look look;
        CountersView view(look);
        view.resize(500, 300);
        QElapsedTimer timer;
        timer.start();
        view.show(many, {});
        view.findChild<QComboBox *>(QStringLiteral("launchPicker"))->setCurrentIndex(5000);
        QVERIFY(!view.grab().isNull());
        QVERIFY2(timer.elapsed() < 3000, qPrintable(QString::number(timer.elapsed())));
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
        CountersView view(look);
        for (const QSize size : {QSize(360, 420), QSize(620, 1300), QSize(1100, 1000)}) {
            for (const char *kind : {"alone", "baseline", "basic", "empty"}) {
                const QByteArray which(kind);
                QAction collect(QStringLiteral("Collect counters"), nullptr);
                view.show(which == "empty"   ? nullptr
                          : which == "basic" ? basicSet()
                                             : recordedCounters(),
                          {{QStringLiteral("iteration 6"), countersTimes(0.83)}}, &collect);
                (void)view.showKernel(which == "baseline" ? QStringLiteral("banks")
                                                          : QStringLiteral("strided"));
                view.findChild<QComboBox *>(QStringLiteral("baselinePicker"))
                    ->setCurrentIndex(which == "baseline" ? 1 : 0);
                view.resize(size * scale);
                const QPixmap picture = view.grab();
                QVERIFY(!picture.isNull());
                if (picturesFolder.isEmpty())
                    continue;
                QDir().mkpath(picturesFolder);
                QVERIFY(picture.save(QStringLiteral("%1/counters-%2-%3-%4-%5.png")
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
        CountersView view(look);
        const QTemporaryDir folder;
        QVERIFY(!view.exportCsv(folder.filePath(QStringLiteral("a.csv"))).hasValue());
        view.show(recordedCounters(), {});
        view.resize(700, 400);
        QVERIFY(!view.grab().isNull());
        for (const auto &[name, result] :
             {std::pair{"csv", view.exportCsv(folder.filePath(QStringLiteral("a.csv")))},
              std::pair{"png", view.exportPng(folder.filePath(QStringLiteral("a.png")))},
              std::pair{"svg", view.exportSvg(folder.filePath(QStringLiteral("a.svg")))}})
            QVERIFY2(result.hasValue(), name);
        QFile drawing(folder.filePath(QStringLiteral("a.svg")));
        QVERIFY(drawing.open(QIODevice::ReadOnly));
        const QByteArray svg = drawing.readAll();
        for (const char *word : {"Speed of light", "74.2", "long scoreboard", "DRAM", "NVIDIA H200"})
            QVERIFY2(svg.contains(word), word);
    }
};

QObject *makeTestCountersView() {
    return new TestCountersView;
}

#include "tst_counters_view.moc"
