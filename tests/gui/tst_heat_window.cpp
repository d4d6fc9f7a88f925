// SPDX-License-Identifier: GPL-3.0-or-later
// The heat in the window: beside the lines of the text that was counted, without colour once it is another
// one.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/measured/counter_controller.h"
#include "app/ide/measured/profile_panel.h"
#include "profiler_views/code_listing_view.h"
#include "profiler_views/heat/hot_lines_view.h"
#include "tests/gui/window_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/counters/counter_store.h"
#include "toolchain/evaluation/evaluation_json.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/workspace/candidate_texts.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/heat_marks.h"

#include <QAbstractButton>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace warpwright;

namespace {

const QString file = QStringLiteral("kernels/sum_by_label.cu");

void storeCounters(const QString &folder) {
    const auto workspace = Workspace::open(folder, DataFolders::find());
    const auto json = parseJson(bytesOf(testData("/heat/sum_by_label.counters.json")));
    Counters counters = countersFromJson(json.value()).value();
    counters.id.clear();
    counters.textHash = textHashOf(readCandidateTexts(workspace.value()).value());
    QVERIFY(CounterStore(workspace.value().state).store(counters, {}).hasValue());
}

int lineOfAtomic(const CodeEditor &editor) {
    for (const HeatMark &mark : editor.decorator<HeatMarks>().marks())
        if (mark.toolTip.contains("60,530 of 305,510 samples"))
            return mark.line;
    return 0;
}

} // namespace

class TestHeatWindow : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void greysOutWhenTheTextIsEdited() {
        WindowWorld world;
        QVERIFY(QFile::copy(testData("/heat/sum_by_label.cu"), world.folder + QLatin1Char('/') + file));
        storeCounters(world.folder);
        QVERIFY(world.open(world.folder));
        QVERIFY(world.check());
        CodeEditor *editor = world.editor(file);
        QVERIFY(editor != nullptr);
        HeatMarks &marks = editor->decorator<HeatMarks>();
        QTRY_VERIFY_WITH_TIMEOUT(!marks.marks().empty(), 20000);
        QVERIFY(!marks.isPast());
        QCOMPARE(lineOfAtomic(*editor), 18);
        auto *head = world.find<QAbstractButton>("heatHead");
        QVERIFY(head->isVisible());
        QCOMPARE(head->text(), QStringLiteral("heat: stall samples"));

        // The table leads to the line.
        auto *panel = world.window->findChild<ProfilePanel *>();
        QVERIFY(panel->showPage(QStringLiteral("heat")));
        auto *view = world.find<HotLinesView>("heatView");
        QTRY_VERIFY(!view->isEmpty());
        auto *table = view->findChild<QTableView *>(QStringLiteral("hotLines"));
        editor->goTo(1, 1);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(1, HotLinesModel::Place)).center());
        QTRY_COMPARE(editor->cursorPlace().line, view->lines().line(1).line);

        // A line more above, another one changed: the heat moves, and is of another text.
        editor->applyEdits(
            {{1, 0, QStringLiteral("// one more\n")}, {19, 1, QStringLiteral("    // gone\n")}});
        QTRY_VERIFY_WITH_TIMEOUT(marks.isPast(), 20000);
        QTRY_COMPARE(lineOfAtomic(*editor), 19);
        for (const HeatMark &mark : marks.marks())
            QVERIFY(mark.line != 20);
        QTRY_VERIFY2(head->text().startsWith("heat of"), qPrintable(head->text()));
        QTRY_VERIFY(view->isPast());
        const QString origin = view->findChild<QLabel *>(QStringLiteral("heatOrigin"))->text();
        QVERIFY2(origin.contains("the text that is shown is another one now"), qPrintable(origin));

        // The act hides the column, and nothing else.
        world.window->actions().showHeat->trigger();
        QTRY_VERIFY(marks.marks().empty());
        QVERIFY(head->isVisible() && !view->isEmpty());
        QCOMPARE(head->text(), QStringLiteral("heat is hidden"));
        world.window->actions().showHeat->trigger();
        QTRY_VERIFY(!marks.marks().empty());
    }

    void keepsAReportOfItsOwnKernels_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<bool>("isKept");
        QTest::newRow("one is the report's") << "strided(float const*, float*, int, int)" << true;
        QTest::newRow("none is") << "void rows<4>(float const*)" << false;
    }
    void keepsAReportOfItsOwnKernels() {
        QFETCH(QString, kernel);
        QFETCH(bool, isKept);
        WindowWorld world;
        const Workspace workspace = Workspace::open(world.folder, DataFolders::find()).value();
        const CandidateTexts texts = readCandidateTexts(workspace).value();
        Evaluation checked =
            evaluationFromJson(bytesOf(testData("/evaluations/h200-softmax-rows.json"))).value();
        checked.id = newEvaluation().id;
        checked.workspace["textHash"] = toJson(textHashOf(texts));
        checked.compile.kernels.resize(1);
        checked.compile.kernels[0].name = kernel;
        const IterationStore store(workspace.state);
        QVERIFY(store.commit(texts, 0, Author{}).hasValue());
        QVERIFY(EvaluationStore(workspace.state).store(checked).hasValue());
        QVERIFY(store.link(1, checked.id).hasValue());
        QVERIFY(world.open(world.folder));
        const QAction *attach = world.window->actions().attachReport;
        QVERIFY(!attach->isEnabled());
        auto *controller = world.window->findChild<CounterController *>();
        controller->openReport(testData("/ncu/h200-three-kernels.ncu-rep"));
        QTRY_VERIFY2_WITH_TIMEOUT(controller->isReport(), qPrintable(world.toasts()), 60000);
        QTRY_VERIFY2(attach->isEnabled(), qPrintable(controller->whyNotAttach()));
        // Pressed twice it is kept once, and until then nothing else begins.
        const QSignalSpy refused(controller, &CounterController::failed);
        world.window->actions().attachReport->trigger();
        QVERIFY(controller->isKeeping() && !attach->isEnabled());
        QCOMPARE(controller->whyNotAttach(), QStringLiteral("it is being kept"));
        world.window->actions().attachReport->trigger();
        controller->attachReport();
        QCOMPARE(refused.size(), 0);
        controller->collect({});
        QCOMPARE(refused.size(), 1);
        QCOMPARE(refused.last().value(1).toString(), QStringLiteral("a report is being kept"));
        controller->closeReport();
        QVERIFY(controller->isReport());
        if (isKept)
            QTRY_VERIFY2(!controller->isReport(), qPrintable(world.toasts()));
        else
            QTRY_VERIFY2(world.toasts().contains("The report is not kept here"), qPrintable(world.toasts()));
        QCOMPARE(controller->isReport(), !isKept);
        QVERIFY(!controller->isKeeping());
        QCOMPARE(CounterStore(workspace.state).ids().size(), isKept ? 1 : 0);
        const auto kept = CounterStore(workspace.state).latestOf(textHashOf(texts));
        QCOMPARE(kept.has_value(), isKept);
        QCOMPARE(controller->ofText() != nullptr, isKept);
        if (isKept)
            QCOMPARE(controller->ofText()->importedFrom, QStringLiteral("h200-three-kernels.ncu-rep"));
    }
};

QObject *makeTestHeatWindow() {
    return new TestHeatWindow;
}

#include "tst_heat_window.moc"
