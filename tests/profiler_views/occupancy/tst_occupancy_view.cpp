// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch's numbers do to the occupancy: curves as text, sliders, the charts offscreen.
#include "profiler_views/csv_text.h"
#include "profiler_views/occupancy/occupancy_view.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QRegularExpression>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>

using namespace warpwright;

extern QString picturesFolder;

namespace {

OccupancyKernel gemm() {
    OccupancyKernel kernel;
    kernel.name = QStringLiteral("gemm<128>");
    kernel.architecture = QStringLiteral("sm_90a");
    kernel.needs.threads = 256;
    kernel.needs.registers = 168;
    kernel.needs.sharedBytes = 33000;
    kernel.basis = QStringLiteral("256 threads assumed: the compiler does not say");
    return kernel;
}

OccupancyQuestion questionOf(const BlockNeeds &now, const BlockNeeds &wanted) {
    return {QStringLiteral("gemm"), *multiprocessorLimits(QStringLiteral("sm_90")), now, wanted};
}

} // namespace

class TestOccupancyView : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support)")); }

    void saysWhatAChangeBuys_data() {
        QTest::addColumn<BlockNeeds>("now");
        QTest::addColumn<BlockNeeds>("wanted");
        QTest::addColumn<QString>("verdict");
        const BlockNeeds now = gemm().needs;
        BlockNeeds wanted = now;
        QTest::newRow("nothing asked")
            << now << wanted << QString("8 of 64 warps, 13 %, 1 block, limited by registers");
        wanted.registers = 128;
        QTest::newRow("fewer registers")
            << now << wanted << QString("13 % → 16 of 64 warps, 25 %, 2 blocks, limited by registers");
        wanted.registers = 150;
        QTest::newRow("too few fewer")
            << now << wanted << QString("stays at 8 of 64 warps, 13 %, 1 block, limited by registers");
        wanted.threads = 1024;
        QTest::newRow("too large") << now << wanted << QString("13 % → does not launch, for its registers");
        wanted = now;
        wanted.registers = 32;
        QTest::newRow("then shared memory")
            << now << wanted << QString("13 % → 48 of 64 warps, 75 %, 6 blocks, limited by shared memory");
    }

    void saysWhatAChangeBuys() {
        QFETCH(BlockNeeds, now);
        QFETCH(BlockNeeds, wanted);
        QFETCH(QString, verdict);
        OccupancyModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setQuestion(questionOf(now, wanted));
        QCOMPARE(model.verdict().replace(QChar(0xa0), QLatin1Char(' ')), verdict);
    }

    void curvesAreThoseOfTheToolchain() {
        OccupancyModel model;
        model.setQuestion(questionOf(gemm().needs, gemm().needs));
        QCOMPARE(model.samples(OccupancyModel::Registers).size(), 255U);
        QCOMPARE(model.samples(OccupancyModel::Threads).size(), 32U);
        QCOMPARE(model.samples(OccupancyModel::SharedMemory).size(), 228U);
        for (const OccupancyModel::Sample &sample : model.samples(OccupancyModel::Registers)) {
            BlockNeeds needs = gemm().needs;
            needs.registers = sample.x;
            QCOMPARE(sample.occupancy, occupancyOf(*multiprocessorLimits(QStringLiteral("sm_90")), needs));
        }
        const QByteArray csv = csvText(model);
        QVERIFY(csv.startsWith("curve,value,warps_a_multiprocessor,occupancy,blocks,limited_by\r\n"));
        QVERIFY(csv.contains("\r\nregisters a thread,168,8,0.125,1,registers\r\n"));
    }

    void slidersAsk() {
        Look look;
        OccupancyView view(look);
        QVERIFY(view.isEmpty());
        QVERIFY(view.summary().contains(QStringLiteral("without a GPU")));
        view.show({gemm()});
        view.resize(700, 400);
        auto *verdict = view.findChild<QLabel *>(QStringLiteral("occupancyVerdict"));
        auto *registers = view.findChild<QSlider *>(QStringLiteral("occupancySlider0"));
        auto *architecture = view.findChild<QComboBox *>(QStringLiteral("occupancyArchitecture"));
        QCOMPARE(architecture->currentText(), QStringLiteral("sm_90"));
        QVERIFY2(verdict->text().startsWith(QStringLiteral("8 of 64 warps")), qPrintable(verdict->text()));
        registers->setValue(64);
        QVERIFY2(verdict->text().endsWith(QStringLiteral("blocks, limited by registers")),
                 qPrintable(verdict->text()));
        // The same kernels again, as after saving: what was asked stays.
        view.show({gemm()});
        QCOMPARE(registers->value(), 64);
        auto *reset = view.findChild<QAbstractButton *>(QStringLiteral("occupancyReset"));
        QVERIFY(reset->isEnabled());
        reset->click();
        QCOMPARE(registers->value(), 168);
        QVERIFY(!reset->isEnabled());
        architecture->setCurrentText(QStringLiteral("sm_75"));
        QVERIFY(view.summary().contains(QStringLiteral("on sm_75")));
        // Other kernels: their own launch.
        OccupancyKernel other = gemm();
        other.name = QStringLiteral("other");
        other.needs.registers = 40;
        view.show({other, gemm()});
        QCOMPARE(registers->value(), 168); // the one that was shown
        view.findChild<QComboBox *>(QStringLiteral("occupancyKernel"))->setCurrentIndex(0);
        QCOMPARE(registers->value(), 40);
        // A kernel for an architecture without numbers: another is offered, and said so.
        other.architecture = QStringLiteral("sm_999");
        view.show({other});
        QVERIFY(!view.isEmpty());
        QCOMPARE(architecture->currentText(), QStringLiteral("sm_90"));
        view.show({});
        QVERIFY(view.isEmpty());
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
        OccupancyView view(look);
        for (const QSize size : {QSize(320, 420), QSize(620, 600), QSize(1000, 420)}) {
            for (const char *kind : {"now", "asked", "empty"}) {
                const QByteArray which(kind);
                view.show(which == "empty" ? std::vector<OccupancyKernel>()
                                           : std::vector<OccupancyKernel>{gemm()});
                if (which == "asked")
                    view.findChild<QSlider *>(QStringLiteral("occupancySlider0"))->setValue(64);
                view.resize(size * scale);
                const QPixmap picture = view.grab();
                if (picturesFolder.isEmpty())
                    continue;
                QDir().mkpath(picturesFolder);
                QVERIFY(picture.save(QStringLiteral("%1/occupancy-%2-%3-%4-%5.png")
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
        OccupancyView view(look);
        const QTemporaryDir folder;
        QVERIFY(!view.exportPng(folder.filePath(QStringLiteral("a.png"))).hasValue());
        view.show({gemm()});
        view.resize(800, 420);
        QVERIFY(view.exportPng(folder.filePath(QStringLiteral("a.png"))).hasValue());
        QVERIFY(view.exportSvg(folder.filePath(QStringLiteral("a.svg"))).hasValue());
        QVERIFY(view.exportCsv(folder.filePath(QStringLiteral("a.csv"))).hasValue());
    }
};

QObject *makeTestOccupancyView() {
    return new TestOccupancyView;
}

#include "tst_occupancy_view.moc"
