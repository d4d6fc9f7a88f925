// SPDX-License-Identifier: GPL-3.0-or-later
// Findings as text, and their list offscreen.
#include "profiler_views/csv_text.h"
#include "profiler_views/findings/findings_view.h"
#include "tests/profiler_views/model_text.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace warpwright;

extern QString picturesFolder;

namespace {

std::vector<Finding> three() {
    Finding uncoalesced;
    uncoalesced.id = QStringLiteral("uncoalesced");
    uncoalesced.title = QStringLiteral("Uncoalesced global loads");
    uncoalesced.kernel = QStringLiteral("strided");
    uncoalesced.file = QStringLiteral("kernels/strided.cu");
    uncoalesced.line = 27;
    uncoalesced.message =
        QStringLiteral("Loads touch 8.0× the sectors that their bytes need: 33.6 M of 4.19 M.");
    uncoalesced.advice = QStringLiteral("Let neighbouring threads read neighbouring elements.");
    uncoalesced.evidence = {{QStringLiteral("sectors, of those that would do"), 8, QStringLiteral("×"),
                             QStringLiteral("ncu: memory_l2_theoretical_sectors_global")}};
    uncoalesced.gainMicroseconds = 151.25;
    uncoalesced.gainShare = 0.72;
    uncoalesced.gainBasis = QStringLiteral("0.82 of the kernel's time waits for global memory");
    uncoalesced.isMeasured = true;
    Finding spill;
    spill.id = QStringLiteral("spill");
    spill.title = QStringLiteral("Spills to local memory");
    spill.kernel = QStringLiteral("gemm<128>");
    spill.file = QStringLiteral("kernels/gemm.cu");
    spill.message = QStringLiteral("ptxas spills 96 bytes a thread.");
    spill.advice = QStringLiteral("Try a smaller tile, or __launch_bounds__.");
    Finding note;
    note.id = QStringLiteral("occupancy");
    note.title = QStringLiteral("Low occupancy that does not matter");
    note.message = QStringLiteral("25 % of the warps, and yet 93 % of the memory's speed.");
    note.gainMicroseconds = 0;
    note.isNote = true;
    note.isMeasured = true;
    return {uncoalesced, spill, note};
}

} // namespace

class TestFindingsView : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support)")); }

    void saysWhatItKnows() {
        FindingsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setFindings(three());
        QStringList lines;
        for (int row = 0; row < model.rowCount(); ++row)
            lines << QStringList{model.index(row, FindingsModel::Title).data().toString(),
                                 model.index(row, FindingsModel::Gain).data().toString(),
                                 model.index(row, FindingsModel::Place).data().toString(),
                                 model.index(row, FindingsModel::Basis).data().toString()}
                         .join(QStringLiteral(" | "));
        QCOMPARE(
            lines.join(QLatin1Char('\n')),
            QStringLiteral("Uncoalesced global loads | up to 151.3 µs | kernels/strided.cu:27 | measured\n"
                           "Spills to local memory | gain not known | kernels/gemm.cu | text and compiler\n"
                           "Low occupancy that does not matter | a note |  | measured"));
        const QString tip = model.index(0, 0).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(QStringLiteral("8 × (ncu: memory_l2_theoretical_sectors_global)")),
                 qPrintable(tip));
        QVERIFY(csvText(model).startsWith("finding,gain_at_most_us,kernel,place,message,advice,basis\r\n"
                                          "Uncoalesced global loads,151.25,strided,kernels/strided.cu:27,"));
    }

    void leadsToTheLine() {
        Look look;
        FindingsView view(look);
        QVERIFY(view.isEmpty());
        QVERIFY(view.summary().contains(QStringLiteral("Nsight Compute")));
        view.show(three(), QStringLiteral("No counters of this text: what was measured is missing."));
        view.resize(420, 500);
        QVERIFY(!view.grab().isNull());
        QSignalSpy led(&view, &FindingsView::lineActivated);
        QTest::keyClick(&view.plot(), Qt::Key_Down);
        QTest::keyClick(&view.plot(), Qt::Key_Return);
        QCOMPARE(led.size(), 1);
        QCOMPARE(led[0], QVariantList({QStringLiteral("kernels/strided.cu"), 27}));
        // Without a line it leads nowhere.
        QTest::keyClick(&view.plot(), Qt::Key_Down);
        QTest::keyClick(&view.plot(), Qt::Key_Return);
        QCOMPARE(led.size(), 1);
    }

    void whatIsGoneIsNotDrawn() {
        Look look;
        FindingsView view(look);
        view.resize(420, 500);
        view.show(three(), {});
        QVERIFY(!view.grab().isNull());
        view.show({}, {});
        view.setStale(true); // replots at once, whatever is shown
        look.set(Theme::dark(), 1.5);
        view.plot().replot();
        QVERIFY(view.isEmpty());
        view.show({three().front()}, {});
        QVERIFY(!view.grab().isNull());
        QVERIFY(!view.isEmpty());
    }

    void drawsAndExports_data() {
        QTest::addColumn<bool>("isDark");
        QTest::addColumn<double>("scale");
        QTest::newRow("light") << false << 1.0;
        QTest::newRow("dark") << true << 1.0;
        QTest::newRow("dark, twice as large") << true << 2.0;
    }

    void drawsAndExports() {
        QFETCH(bool, isDark);
        QFETCH(double, scale);
        Look look;
        look.set(isDark ? Theme::dark() : Theme::light(), scale);
        FindingsView view(look);
        const QTemporaryDir folder;
        QVERIFY(!view.exportSvg(folder.filePath(QStringLiteral("a.svg"))).hasValue());
        for (const bool isEmpty : {true, false}) {
            for (const int width : {280, 460, 900}) {
                std::vector<Finding> findings = isEmpty ? std::vector<Finding>() : three();
                if (width == 280 && !isEmpty)
                    findings[0].title = QString(300, QLatin1Char('t'));
                view.show(findings,
                          QStringLiteral("No counters of this text: «Collect counters» brings more."));
                view.resize(static_cast<int>(width * scale), static_cast<int>(360 * scale));
                const QPixmap picture = view.grab();
                if (picturesFolder.isEmpty())
                    continue;
                QDir().mkpath(picturesFolder);
                QVERIFY(picture.save(QStringLiteral("%1/findings-%2-%3-%4-%5.png")
                                         .arg(picturesFolder)
                                         .arg(width)
                                         .arg(isDark ? QStringLiteral("dark") : QStringLiteral("light"))
                                         .arg(scale)
                                         .arg(isEmpty ? QStringLiteral("empty") : QStringLiteral("three"))));
            }
        }
        QVERIFY(view.exportPng(folder.filePath(QStringLiteral("a.png"))).hasValue());
        QVERIFY(view.exportSvg(folder.filePath(QStringLiteral("a.svg"))).hasValue());
        QVERIFY(view.exportCsv(folder.filePath(QStringLiteral("a.csv"))).hasValue());
    }
};

QObject *makeTestFindingsView() {
    return new TestFindingsView;
}

#include "tst_findings_view.moc"
