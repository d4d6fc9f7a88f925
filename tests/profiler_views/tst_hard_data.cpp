// SPDX-License-Identifier: GPL-3.0-or-later
// Data that nobody draws on purpose: one value of 1,000 times the others, NaN and infinity, names of 300
// letters, one point, ten thousand. Each view takes it without a warning, says a number or none, and never
// "nan".
#include "profiler_views/comparison/comparison_view.h"
#include "profiler_views/counters/counters_view.h"
#include "profiler_views/csv_text.h"
#include "profiler_views/distribution_view.h"
#include "profiler_views/findings/findings_view.h"
#include "profiler_views/heat/hot_lines_view.h"
#include "profiler_views/history_view.h"
#include "profiler_views/occupancy/occupancy_view.h"
#include "profiler_views/roofline/roofline_view.h"
#include "profiler_views/speedup_view.h"
#include "tests/heat/recorded_heat.h"
#include "tests/profiler_views/counters/recorded_counters.h"
#include "tests/profiler_views/recorded.h"
#include "tests/toolchain/comparison/recorded_states.h"
#include "widgets/look/look.h"

#include <QDir>
#include <QElapsedTimer>
#include <QLabel>
#include <QRegularExpression>
#include <QTest>

#include <limits>

using namespace warpwright;

extern QString picturesFolder;

namespace {

constexpr double noNumber = std::numeric_limits<double>::quiet_NaN();
constexpr double endless = std::numeric_limits<double>::infinity();

QString longName() {
    return QStringLiteral("void kernel_of_a_library::detail::") + QString(300, QLatin1Char('n')) +
           QStringLiteral("<float, 128>");
}

MeasuredFigures figuresOf(const QByteArray &kind) {
    MeasuredFigures figures = measuredFigures(recorded(QStringLiteral("h200-gemm-bias-gelu")));
    if (kind == "outlier") {
        figures.arms.back().medianMicroseconds *= 1000;
        figures.arms.back().lowMicroseconds *= 1000;
        figures.arms.back().highMicroseconds *= 1000;
        figures.blocks.front().microseconds *= 1000;
    } else if (kind == "nan") {
        figures.arms.back().medianMicroseconds = noNumber;
        figures.arms.front().highMicroseconds = endless;
        for (std::size_t i = 0; i < figures.blocks.size(); i += 3)
            figures.blocks[i].microseconds = i % 2 == 0 ? noNumber : endless;
        figures.device.bytesPerSecond = noNumber;
        figures.device.fp32FlopsPerSecond = endless;
    } else if (kind == "names") {
        figures.device.name = longName();
        for (ArmFigures &arm : figures.arms)
            arm.label += longName();
    } else if (kind == "one") {
        figures.arms = {*figures.candidate()};
        figures.blocks.resize(1);
    } else if (kind == "many") {
        const std::vector<BlockFigures> some = figures.blocks;
        while (figures.blocks.size() < 10000)
            figures.blocks.insert(figures.blocks.end(), some.begin(), some.end());
    }
    return figures;
}

std::vector<HistoryPoint> historyOf(const QByteArray &kind) {
    std::vector<HistoryPoint> points;
    const int count = kind == "one" ? 1 : kind == "many" ? 10000 : 9;
    for (int i = 1; i <= count; ++i) {
        const double time = 200.0 + 3.0 * (i * 37 % 29);
        points.push_back({i, "you", Verdict::Pass, time, time - 1, time + 1,
                          kind == "names" ? longName() : QStringLiteral("a try")});
    }
    if (kind == "outlier")
        points[4].medianMicroseconds = points[4].highMicroseconds = 250000;
    if (kind == "nan") {
        points[3].medianMicroseconds = noNumber;
        points[5].highMicroseconds = endless;
        points[6].lowMicroseconds = -endless;
    }
    return points;
}

std::shared_ptr<const Counters> countersOf(const QByteArray &kind) {
    auto counters = std::make_shared<Counters>(*recordedCounters());
    for (KernelCounters &kernel : counters->kernels) {
        if (kind == "names")
            kernel.name = kernel.function = longName();
        int i = 0;
        for (auto &[name, value] : kernel.metrics) {
            if (!value.number)
                continue;
            if (kind == "nan")
                value.number = ++i % 2 == 0 ? noNumber : endless;
            else if (kind == "outlier" && ++i % 7 == 0)
                value.number = *value.number * 1000;
        }
    }
    if (kind == "one")
        counters->kernels.resize(1);
    return counters;
}

SharedHeat heatOf(const QByteArray &kind) {
    auto heat = std::make_shared<Heat>(RecordedHeat(QStringLiteral("sum_by_label")).heat());
    if (kind == "one")
        heat->lines.resize(1);
    for (HeatLine &line : heat->lines) {
        if (kind == "names") {
            line.file = QStringLiteral("kernels/") + longName();
            line.text = QString(300, QLatin1Char('x'));
        } else if (kind == "nan") {
            line.share = noNumber;
            line.counts.cost = noNumber;
            line.counts.sectors = endless;
        }
    }
    while (kind == "many" && heat->lines.size() < 10000)
        heat->lines.push_back(heat->lines[heat->lines.size() % 7]);
    return heat;
}

std::vector<Finding> findingsOf(const QByteArray &kind) {
    Finding one;
    one.id = QStringLiteral("uncoalesced");
    one.title = QStringLiteral("Uncoalesced global loads");
    one.kernel = kind == "names" ? longName() : QStringLiteral("strided");
    one.file = kind == "names" ? longName() : QStringLiteral("kernels/strided.cu");
    one.line = 27;
    one.message = kind == "names" ? longName() : QStringLiteral("Loads touch 8.0× the sectors.");
    one.gainMicroseconds = kind == "nan" ? noNumber : kind == "outlier" ? 4e9 : 151.25;
    one.gainShare = kind == "nan" ? endless : 0.72;
    one.isMeasured = true;
    return std::vector<Finding>(kind == "one" ? 1 : kind == "many" ? 1000 : 5, one);
}

SharedComparison comparisonOf(const QByteArray &kind) {
    const ComparedState text = iterationState(1);
    auto made =
        std::make_shared<StateComparison>(compareStates(armState(QStringLiteral("eager"), text), text));
    for (ComparisonRow &row : made->rows) {
        if (kind == "names")
            row.kernel = row.name = row.left = row.remark = longName();
        else if (kind == "nan")
            row.leftValue = row.rightValue = noNumber;
        else if (kind == "outlier" && row.rightValue)
            row.rightValue = *row.rightValue * 1000;
    }
    if (kind == "one")
        made->rows.resize(1);
    return made;
}

RooflineInput rooflineOf(const QByteArray &kind) {
    RooflineInput input;
    input.figures = figuresOf(kind);
    input.iteration = 7;
    input.counters = countersOf(kind);
    for (const HistoryPoint &point : historyOf(kind))
        input.iterations.push_back({point.number, point.medianMicroseconds.value_or(0)});
    return input;
}

std::vector<OccupancyKernel> occupancyOf(const QByteArray &kind) {
    OccupancyKernel kernel;
    kernel.name = kind == "names" ? longName() : QStringLiteral("gemm<128>");
    kernel.architecture = QStringLiteral("sm_90a");
    kernel.needs.threads = kind == "outlier" ? 1'000'000 : 256;
    kernel.needs.registers = kind == "outlier" ? 100'000 : 168;
    kernel.needs.sharedBytes = kind == "nan" ? -1 : 33000;
    return std::vector<OccupancyKernel>(kind == "many" ? 10000 : 1, kernel);
}

} // namespace

class TestHardData : public QObject {
    Q_OBJECT

private:
    /// Grabs at two widths; the words of it and of its labels never hold a number that is none.
    template <typename View>
    void look(View &view, const char *name, const QByteArray &kind, const QString &tail, double scale) {
        for (const QSize size : {QSize(360, 320), QSize(900, 520)}) {
            view.resize(size * scale);
            QVERIFY2(view.minimumSizeHint().width() < 900 * scale, name); // no name makes it wider
            const QPixmap picture = view.grab();
            if (picturesFolder.isEmpty())
                continue;
            QDir().mkpath(picturesFolder);
            QVERIFY(picture.save(QStringLiteral("%1/hard-%2-%3-%4-%5.png")
                                     .arg(picturesFolder, QLatin1String(name), QString::fromLatin1(kind))
                                     .arg(size.width())
                                     .arg(tail)));
        }
        QStringList words{view.accessibleDescription()};
        for (const QLabel *label : view.template findChildren<QLabel *>())
            words << label->text();
        static const QRegularExpression noNumbers(QStringLiteral("\\b(nan|inf|-?9223372036854775808)\\b"));
        for (const QString &word : words)
            QVERIFY2(!noNumbers.match(word).hasMatch(), qPrintable(QLatin1String(name) + ": " + word));
    }

private slots:
    void init() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support)")); }

    void isTaken_data() {
        QTest::addColumn<QByteArray>("kind");
        for (const char *kind : {"outlier", "nan", "names", "one", "many"})
            QTest::newRow(kind) << QByteArray(kind);
    }

    void isTaken() {
        QFETCH(const QByteArray, kind);
        for (const bool isDark : {false, true}) {
            const double scale = isDark ? 2.0 : 1.0;
            Look theme;
            theme.set(isDark ? Theme::dark() : Theme::light(), scale);
            const QString tail = isDark ? QStringLiteral("dark-2") : QStringLiteral("light-1");
            QElapsedTimer clock;
            clock.start();
            SpeedupView speedup(theme);
            speedup.show(figuresOf(kind));
            look(speedup, "speedup", kind, tail, scale);
            DistributionView distribution(theme);
            distribution.show(figuresOf(kind));
            look(distribution, "distribution", kind, tail, scale);
            HistoryView history(theme);
            history.show(historyOf(kind), {712.6, 243.1, 188.6});
            look(history, "history", kind, tail, scale);
            RooflineView roofline(theme);
            roofline.show(rooflineOf(kind));
            look(roofline, "roofline", kind, tail, scale);
            CountersView counters(theme);
            counters.show(countersOf(kind), {{QStringLiteral("iteration 6"), countersTimes(0.83)}});
            look(counters, "counters", kind, tail, scale);
            OccupancyView occupancy(theme);
            occupancy.show(occupancyOf(kind));
            look(occupancy, "occupancy", kind, tail, scale);
            FindingsView findings(theme);
            findings.show(findingsOf(kind), {});
            look(findings, "findings", kind, tail, scale);
            HotLinesView heat(theme);
            heat.show(heatOf(kind), false);
            look(heat, "heat", kind, tail, scale);
            ComparisonView comparison(theme);
            comparison.show(comparisonOf(kind));
            look(comparison, "comparison", kind, tail, scale);
            QVERIFY2(clock.elapsed() < 30000, qPrintable(QString::number(clock.elapsed())));
        }
    }
};

QObject *makeTestHardData() {
    return new TestHardData;
}

#include "tst_hard_data.moc"
