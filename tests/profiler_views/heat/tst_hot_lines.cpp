// SPDX-License-Identifier: GPL-3.0-or-later
// The table of hottest lines, the column beside an editor's lines, and that of a listing.
#include "profiler_views/code_listing_view.h"
#include "profiler_views/csv_text.h"
#include "profiler_views/heat/heat_text.h"
#include "profiler_views/heat/hot_lines_view.h"
#include "tests/heat/recorded_heat.h"
#include "tests/profiler_views/model_text.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/heat/code_match.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/heat_marks.h"
#include "widgets/editor_setup.h"
#include "widgets/look/heat_scale.h"
#include "widgets/look/look.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace warpwright;

extern QString picturesFolder;

namespace {

SharedHeat recordedHeat(const QString &name = QStringLiteral("sum_by_label")) {
    return std::make_shared<const Heat>(RecordedHeat(name).heat());
}

void keep(QWidget &widget, const QString &name) {
    if (!picturesFolder.isEmpty())
        widget.grab().save(picturesFolder + QLatin1Char('/') + name + QStringLiteral(".png"));
}

} // namespace

class TestHotLines : public QObject {
    Q_OBJECT

private slots:
    void readsAsAPersonWould() {
        HotLinesModel model;
        QAbstractItemModelTester tester(&model);
        model.setHeat(recordedHeat(), -1);
        const QStringList rows = modelText(model).split('\n');
        QVERIFY2(rows[0].contains("share") && rows[0].contains("most of it"), qPrintable(rows[0]));
        QVERIFY2(rows[1].contains("sum_by_label.cu:22") && rows[1].contains("waits for its stores"),
                 qPrintable(rows[1]));
        QVERIFY2(rows[2].contains("20\u00a0%") && rows[2].contains("sum_by_label.cu:18") &&
                     rows[2].contains("atomicAdd(sums + first.x, v.x);"),
                 qPrintable(rows[2]));
        const QString tip = model.index(1, 0).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains("of 305,510 samples") && tip.contains("executed"), qPrintable(tip));
        model.setHeat(nullptr, -1);
        QCOMPARE(model.rowCount(), 0);
    }

    void aCsvHoldsTheValues() {
        HotLinesModel model;
        model.setHeat(recordedHeat(), 0);
        const QList<QByteArray> rows = csvText(model).split('\n');
        QVERIFY2(rows[0].startsWith("share,place,source,top_stall,samples"), rows[0].constData());
        QVERIFY2(rows[1].contains("kernels/sum_by_label.cu:22") && rows[1].contains("drain"),
                 rows[1].constData());
    }

    void leadsToTheLine() {
        Look look;
        HotLinesView view(look);
        view.resize(1000, 420);
        QVERIFY(view.isEmpty());
        view.show(recordedHeat(), false);
        QVERIFY(!view.isEmpty());
        view.QWidget::show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        auto *table = view.findChild<QTableView *>(QStringLiteral("hotLines"));
        QSignalSpy activated(&view, &HotLinesView::lineActivated);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(1, HotLinesModel::Source)).center());
        QCOMPARE(activated.size(), 1);
        QCOMPARE(activated[0][0].toString(), QStringLiteral("kernels/sum_by_label.cu"));
        QCOMPARE(activated[0][1].toInt(), 18);
        keep(view, QStringLiteral("hot-lines"));
    }

    void sortsByValuesAndFilters() {
        Look look;
        HotLinesView view(look);
        view.show(recordedHeat(QStringLiteral("embed_tokens")), false);
        auto *table = view.findChild<QTableView *>(QStringLiteral("hotLines"));
        const int rows = table->model()->rowCount();
        QVERIFY(rows > 3);
        table->sortByColumn(HotLinesModel::Executed, Qt::AscendingOrder);
        double before = -1;
        for (int row = 0; row < rows; ++row) {
            const double now =
                table->model()->index(row, HotLinesModel::Executed).data(Qt::UserRole).toDouble();
            QVERIFY(now >= before);
            before = now;
        }
        view.findChild<QLineEdit *>(QStringLiteral("heatFilter"))->setText("__ldg");
        QVERIFY(table->model()->rowCount() > 0 && table->model()->rowCount() < rows);
    }

    void saysWhenTheTextIsAnotherOne() {
        Look look;
        HotLinesView view(look);
        Heat heat = *recordedHeat();
        heat.iteration = 3;
        view.show(std::make_shared<const Heat>(heat), true);
        const QString origin = view.findChild<QLabel *>(QStringLiteral("heatOrigin"))->text();
        QVERIFY2(origin.startsWith("Heat of iteration 3: the text that is shown is another one now."),
                 qPrintable(origin));
        view.show(std::make_shared<const Heat>(heat), false);
        QVERIFY(!view.findChild<QLabel *>(QStringLiteral("heatOrigin"))->text().contains("another"));
    }

    void exportsWhatItShows() {
        Look look;
        QTemporaryDir folder;
        HotLinesView view(look);
        QVERIFY(!view.exportPng(folder.filePath("none.png")).hasValue());
        view.show(recordedHeat(), false);
        QVERIFY(view.exportPng(folder.filePath("a.png")).hasValue());
        QVERIFY(view.exportCsv(folder.filePath("a.csv")).hasValue());
        const QImage picture(folder.filePath("a.png"));
        QVERIFY(picture.width() > 900);
        const QRgb hot = heatGround(look, heatStep(0.2)).rgb();
        bool hasHot = false;
        for (int y = 0; y < picture.height() && !hasHot; ++y)
            hasHot = picture.pixel(8, y) == hot;
        QVERIFY(hasHot);
        if (!picturesFolder.isEmpty())
            picture.save(picturesFolder + QStringLiteral("/hot-lines-export.png"));
    }

    void theEditorHasAColumnOnlyWithMarks() {
        Look look;
        const auto ownedEditor = makeCodeEditor(look, nullptr);
        CodeEditor &editor = *ownedEditor;
        editor.setContent(QStringLiteral("a\nb\nc\n"));
        QCOMPARE(editor.marginWidth(CodeEditor::HeatColumn), 0);
        HeatMarks &marks = editor.decorator<HeatMarks>();
        marks.setMarks({{2, 0.46, QStringLiteral("a tip")}, {9, 0.1, {}}}, false);
        QVERIFY(editor.marginWidth(CodeEditor::HeatColumn) > 20);
        QCOMPARE(marks.marks().size(), std::size_t(1)); // the text has no ninth line
        editor.insertAt(QStringLiteral("x\n"), 0, 0);
        QCOMPARE(marks.marks()[0].line, 3); // it moves with the text
        editor.resize(400, 200);
        editor.show();
        QVERIFY(QTest::qWaitForWindowExposed(&editor));
        QCOMPARE(marks.toolTip(QPoint(10, 2 * editor.rowHeight() + 4)), QStringLiteral("a tip"));
        QCOMPARE(marks.toolTip(QPoint(200, 2 * editor.rowHeight() + 4)), QString());
        const QColor hot = heatGround(look, heatStep(0.46));
        const auto cell = [&editor] {
            return editor.grab().toImage().pixelColor(8, 2 * editor.rowHeight() + 3);
        };
        QCOMPARE(cell(), hot);
        marks.setMarks({{3, 0.46, {}}}, true);
        QVERIFY(cell() != hot);
        marks.setEnabled(false);
        QCOMPARE(editor.marginWidth(CodeEditor::HeatColumn), 0);
        marks.setEnabled(true);
        marks.setMarks({}, false);
        QCOMPARE(editor.marginWidth(CodeEditor::HeatColumn), 0);
    }

    void theListingHasAColumnOnlyWithHeat() {
        Look look;
        const RecordedHeat recorded("sum_by_label");
        const Heat heat = recorded.heat();
        const auto code = std::make_shared<const KernelCode>(*recorded.inspection.kernels[0].sass);
        CodeListingView view(look);
        view.resize(700, 500);
        view.setCode(code, true);
        QVERIFY(view.heat().empty());
        std::vector<double> shares;
        for (const HeatCounts &counts : countsByLine(heat.kernels[0], *code))
            shares.push_back(counts.cost / heat.kernels[0].counts.cost);
        view.setHeat(
            shares, [](int line) { return QString::number(line); }, false);
        QCOMPARE(view.heat().size(), code->lines.size());
        keep(view, QStringLiteral("listing-heat"));
        view.setHeat({0.5}, {}, false); // of another code
        QVERIFY(view.heat().empty());
        view.setHeat(shares, {}, false);
        view.setCode(code, true);
        QVERIFY(view.heat().empty());
    }

    void stepsAreOfTwelvePercent() {
        QCOMPARE(heatStep(0), 0);
        QCOMPARE(heatStep(0.119), 0);
        QCOMPARE(heatStep(0.12), 1);
        QCOMPARE(heatStep(0.61), 5);
        QCOMPARE(heatStep(1), 5);
        QCOMPARE(heatWord(0.001), QStringLiteral("<1\u00a0%"));
        QCOMPARE(heatWord(0.456), QStringLiteral("46\u00a0%"));
        QCOMPARE(heatWord(0), QStringLiteral("0\u00a0%"));
        QCOMPARE(heatStepName(5), QStringLiteral("60\u00a0% and more"));
    }
};

QObject *makeTestHotLines() {
    return new TestHotLines;
}

#include "tst_hot_lines.moc"
