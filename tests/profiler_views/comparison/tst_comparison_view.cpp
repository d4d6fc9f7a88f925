// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison as a tree and as CSV; the page offscreen.
#include "profiler_views/comparison/comparison_view.h"
#include "profiler_views/csv_text.h"
#include "tests/toolchain/comparison/recorded_states.h"
#include "widgets/look/look.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QDir>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPixmap>
#include <QRegularExpression>
#include <QTest>
#include <QTreeView>

using namespace warpwright;

extern QString picturesFolder;

namespace {

SharedComparison withEager() {
    const ComparedState text = iterationState(1);
    return std::make_shared<const StateComparison>(
        compareStates(armState(QStringLiteral("eager"), text), text));
}

SharedComparison manyRows(int count) {
    auto made = std::make_shared<StateComparison>(*withEager());
    const ComparisonRow one = made->rows.back();
    made->rows.clear();
    for (int i = 0; i < count; ++i) {
        ComparisonRow row = one;
        row.kernel = QStringLiteral("k%1").arg(i / 100);
        row.name = QStringLiteral("metric %1").arg(i);
        row.state = i % 3 == 0 ? ComparisonRow::State::Differs : ComparisonRow::State::Same;
        made->rows.push_back(row);
    }
    return made;
}

int rowsIn(const QAbstractItemModel &model) {
    int rows = 0;
    for (int group = 0; group < model.rowCount(); ++group)
        rows += model.rowCount(model.index(group, 0));
    return rows;
}

} // namespace

class TestComparisonView : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support)")); }

    void isATreeOfGroups() {
        ComparisonModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setComparison(withEager());
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("Verdict"));
        const QModelIndex times = model.index(1, 0);
        QCOMPARE(times.data().toString(), QStringLiteral("Time"));
        QStringList cells;
        for (int column = 0; column < ComparisonModel::Remark; ++column)
            cells << model.index(0, column, times).data().toString();
        QCOMPARE(cells[ComparisonModel::Name], QStringLiteral("Call"));
        QVERIFY2(cells[ComparisonModel::Left].startsWith("93.99"), qPrintable(cells.join(" | ")));
        QVERIFY2(cells[ComparisonModel::Difference].startsWith(QStringLiteral("−70.2")),
                 qPrintable(cells.join(" | ")));
        const QString tip = model.index(0, 0, times).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains("left: 93.98981170886077 µs") && tip.contains("in turn in one check"),
                 qPrintable(tip));
        QCOMPARE(model.headerData(ComparisonModel::Left, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("Eager"));
        QCOMPARE(rowsIn(model), static_cast<int>(model.comparison()->rows.size()));
        model.setComparison(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void showsOnlyDifferencesUntilAsked() {
        Look look;
        ComparisonView view(look);
        view.show(withEager());
        auto *tree = view.findChild<QTreeView *>(QStringLiteral("comparisonTree"));
        const QAbstractItemModelTester tester(tree->model(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        const int differing = rowsIn(*tree->model());
        view.findChild<QCheckBox *>(QStringLiteral("onlyDifferences"))->setChecked(false);
        QCOMPARE(rowsIn(*tree->model()), static_cast<int>(view.model().comparison()->rows.size()));
        QVERIFY(differing < rowsIn(*tree->model()));
        view.findChild<QLineEdit *>(QStringLiteral("comparisonFilter"))
            ->setText(QStringLiteral("DRAM traffic"));
        QCOMPARE(rowsIn(*tree->model()), 1);
        const QString csv = QString::fromUtf8(view.csv());
        QVERIFY2(
            csv.startsWith("group,kernel,section,name,left,right,unit,difference,state,remark,source\r\n"),
            qPrintable(csv));
        QCOMPARE(csv.count(QStringLiteral("\r\n")), 2);
        QVERIFY2(csv.contains("Counters,,,DRAM traffic,"), qPrintable(csv));
    }

    // Neither what is the same is a difference, nor what was not measured to be one, of times, too.
    void hidesWhatIsTheSameOfVerdictAndTimes() {
        Look look;
        ComparisonView view(look);
        view.show(
            std::make_shared<const StateComparison>(compareStates(iterationState(1), iterationState(2))));
        QString csv = QString::fromUtf8(view.csv());
        QVERIFY2(csv.contains("Verdict,,,Text,") && !csv.contains("Verdict,,,Verdict,"), qPrintable(csv));
        QVERIFY2(!csv.contains("Time,,,Call,") && !csv.contains(",same,"), qPrintable(csv));
        for (const char *name : {"Trust", "Precision", "Device", "Software"})
            QVERIFY2(!csv.contains(QStringLiteral("Verdict,,,%1,").arg(QLatin1String(name))),
                     qPrintable(csv));
        auto *only = view.findChild<QCheckBox *>(QStringLiteral("onlyDifferences"));
        only->setChecked(false);
        csv = QString::fromUtf8(view.csv());
        QVERIFY2(csv.contains("Time,,,Call,") && csv.contains(",no difference measured,") &&
                     csv.contains("Verdict,,,Device,"),
                 qPrintable(csv));
        const auto *tree = view.findChild<QTreeView *>(QStringLiteral("comparisonTree"));
        const QModelIndex times = tree->model()->index(1, 0);
        const QModelIndex call = tree->model()->index(0, ComparisonModel::Difference, times);
        QCOMPARE(call.data().toString(), QStringLiteral("no difference measured"));
        QVERIFY(
            call.siblingAtColumn(ComparisonModel::Remark).data().toString().contains("the intervals meet"));
        only->setChecked(true);
        const auto *counts = view.findChild<QLabel *>(QStringLiteral("comparisonCounts"));
        QVERIFY2(counts->text().contains(" same"), qPrintable(counts->text()));
        view.say(QStringLiteral("Both sides are being read"));
        QCOMPARE(counts->text(), QStringLiteral("Both sides are being read"));
        QCOMPARE(view.model().rowCount(), 0);
    }

    void isQuickWithTenThousandRows() {
        Look look;
        ComparisonView view(look);
        view.resize(1280, 720);
        static_cast<QWidget &>(view).show();
        const SharedComparison many = manyRows(10000);
        QElapsedTimer clock;
        clock.start();
        view.show(many);
        const qint64 shown = clock.restart();
        view.findChild<QLineEdit *>(QStringLiteral("comparisonFilter"))->setText(QStringLiteral("metric 99"));
        const qint64 filtered = clock.elapsed();
        QVERIFY2(shown < 1000 && filtered < 1000,
                 qPrintable(QStringLiteral("%1 and %2 ms").arg(shown).arg(filtered)));
        QCOMPARE(ComparisonModel::ColumnCount, view.model().columnCount());
    }

    void looksAsItShould_data() {
        QTest::addColumn<QString>("theme");
        QTest::addColumn<QSize>("size");
        for (const char *theme : {"light", "dark"})
            for (const QSize size : {QSize(1600, 800), QSize(1280, 560)})
                QTest::newRow(qPrintable(QStringLiteral("%1 %2").arg(theme).arg(size.width())))
                    << QString(theme) << size;
    }
    void looksAsItShould() {
        QFETCH(const QString, theme);
        QFETCH(const QSize, size);
        Look look;
        look.set(theme == "dark" ? Theme::dark() : Theme::light(), 1);
        ComparisonView view(look);
        view.resize(size);
        view.show(withEager());
        const QPixmap picture = view.grab();
        QCOMPARE(picture.size(), size * picture.devicePixelRatio());
        if (!picturesFolder.isEmpty())
            QVERIFY(picture.save(
                QDir(picturesFolder)
                    .filePath(QStringLiteral("comparison-%1-%2.png").arg(theme).arg(size.width()))));
    }
};

QObject *makeTestComparisonView() {
    return new TestComparisonView;
}

#include "tst_comparison_view.moc"
