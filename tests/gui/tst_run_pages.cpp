// SPDX-License-Identifier: GPL-3.0-or-later
// While a run writes the text by itself: what a person types is no part of the verdict that is shown, and
// each page is of the text that the run has come to.
#include "app/ide/measured/overview_page.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/results/assembly_page.h"
#include "profiler_views/occupancy/occupancy_view.h"
#include "tests/gui/script_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "widgets/editor/code_editor.h"

#include <QListView>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

/// Two steps of the kernel that runs, by the script agent.
struct TwoSteps : ScriptWorld {
    TwoSteps() {
        addStep(base + "// fake judge: times=80,220,150\n");
        addStep(base + "// fake judge: times=60,220,150\n");
    }
    [[nodiscard]] Workbench &bench() const { return window.window->bench(); }
    [[nodiscard]] bool ends() const {
        return QTest::qWaitFor([this] { return !agent().isRunning(); }, 120000) &&
               QTest::qWaitFor(
                   [this] {
                       return bench().shown().evaluation &&
                              bench().shown().iteration == bench().liveIteration();
                   },
                   20000);
    }
};

} // namespace

class TestRunPages : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void whatIsTypedMeanwhileIsNotOfTheVerdict() {
        TwoSteps world;
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin(SessionMode::Auto));
        CodeEditor *model = world.window.editor(QStringLiteral("model_new.py"));
        model->SendScintilla(QsciScintillaBase::SCI_DOCUMENTEND);
        model->insert(QStringLiteral("# typed meanwhile\n"));
        QVERIFY(world.ends());
        QVERIFY(world.onDisk().contains("times=60"));
        QVERIFY(model->content().endsWith("# typed meanwhile\n"));
        QTRY_VERIFY(world.window.editor(TwoSteps::kernelFile)->content().contains("times=60"));
        QTest::qWait(500); // all that the run wrote has been read and counted
        QVERIFY(world.bench().edits() > 0);
        QCOMPARE(world.window.word(), QString("Stale"));
        // Taken back it is the text that was measured.
        model->undo();
        QTRY_COMPARE(world.bench().edits(), 0);
        QTRY_COMPARE(world.window.word(), QString("Pass"));
    }

    void whatARunAloneHasWrittenIsNotStale() {
        TwoSteps world;
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin(SessionMode::Auto));
        QVERIFY(world.ends());
        QTest::qWait(500);
        QCOMPARE(world.bench().edits(), 0);
        QTRY_COMPARE(world.window.word(), QString("Pass"));
    }

    // Whoever looks at an earlier iteration meanwhile comes back to what the run has come to.
    void theWayBackLeadsToTheTextOfNow() {
        TwoSteps world;
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.window.check(240000));
        QVERIFY(world.begin());
        QTRY_VERIFY_WITH_TIMEOUT(world.session() != nullptr && world.session()->review() != nullptr &&
                                     world.session()->state() == SessionState::AwaitingReview,
                                 60000);
        world.actions().acceptAllHunks->trigger();
        QTRY_VERIFY(world.actions().run->isEnabled());
        world.actions().modeAuto->trigger();
        world.actions().run->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(world.bench().liveIteration(), 2, 60000);
        world.bench().showIteration(1);
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 120000);
        QTRY_COMPARE_WITH_TIMEOUT(world.bench().iterations().size(), std::size_t(3), 20000);
        world.bench().backToText();
        QTRY_COMPARE_WITH_TIMEOUT(world.bench().shown().iteration, 3, 20000);
        QTRY_VERIFY(world.bench().shown().evaluation.has_value());
        QTRY_COMPARE(world.window.word(), QString("Pass"));
    }

    // A click is answered although the run makes an iteration before its answer is there, and the history has
    // that one all the same.
    void aPickedIterationIsShownWhileTheRunGoesOn() {
        TwoSteps world;
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.window.check(240000));
        QVERIFY(world.begin());
        QTRY_VERIFY_WITH_TIMEOUT(world.session() != nullptr && world.session()->review() != nullptr &&
                                     world.session()->state() == SessionState::AwaitingReview,
                                 60000);
        world.actions().acceptAllHunks->trigger();
        QTRY_VERIFY(world.actions().run->isEnabled());
        world.actions().modeAuto->trigger();
        world.actions().run->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 120000);
        QTRY_COMPARE_WITH_TIMEOUT(world.bench().iterations().size(), std::size_t(3), 20000);
        QTRY_COMPARE_WITH_TIMEOUT(world.bench().shown().iteration, 3, 20000);
        QVERIFY(!world.bench().shown().isEarlier);
        QSignalSpy history(&world.bench(), &Workbench::iterationsChanged);
        world.bench().showIteration(1);
        world.bench().followRun(3); // as a run does that has made it
        QTRY_COMPARE_WITH_TIMEOUT(world.bench().shown().iteration, 1, 20000);
        QTRY_VERIFY_WITH_TIMEOUT(!history.isEmpty(), 20000);
        QTest::qWait(200);
        QVERIFY(world.bench().shown().isEarlier);
        QCOMPARE(world.bench().shown().iteration, 1);
        // The other way round: the history is read when somebody clicks.
        history.clear();
        world.bench().followRun(3);
        world.bench().showIteration(2);
        QTRY_COMPARE_WITH_TIMEOUT(world.bench().shown().iteration, 2, 20000);
        QTRY_VERIFY_WITH_TIMEOUT(!history.isEmpty(), 20000);
        // And the way back leads to what the run has come to meanwhile.
        world.bench().backToText();
        world.bench().followRun(3);
        QTRY_VERIFY_WITH_TIMEOUT(!world.bench().shown().isEarlier, 20000);
        QTRY_COMPARE_WITH_TIMEOUT(world.bench().shown().iteration, 3, 20000);
        QTest::qWait(200);
        // Two that are selected to be compared stay it.
        const auto *list = world.window.find<QListView>("iterationsList");
        const int other = list->currentIndex().row() == 0 ? 1 : 0;
        list->selectionModel()->select(list->model()->index(other, 0), QItemSelectionModel::Select);
        QCOMPARE(list->selectionModel()->selectedIndexes().size(), 2);
        history.clear();
        world.bench().followRun(3);
        QTRY_VERIFY_WITH_TIMEOUT(!history.isEmpty(), 20000);
        QTest::qWait(200);
        QCOMPARE(list->selectionModel()->selectedIndexes().size(), 2);
        QVERIFY(list->selectionModel()->isSelected(list->model()->index(other, 0)));
    }

    void eachPageIsOfTheTextThatTheRunHasComeTo_data() {
        QTest::addColumn<QString>("page");
        for (const char *page : {"overview", "occupancy", "findings", "assembly", "speedup"})
            QTest::newRow(page) << QString::fromLatin1(page);
    }

    // The page is open while the run goes on: nobody chooses the iteration anew.
    void eachPageIsOfTheTextThatTheRunHasComeTo() {
        NEED_TOOL(CliWorld().toolchain().cuda.has_value(), "nvcc");
        QFETCH(QString, page);
        TwoSteps world;
        const QString cuda = QStringLiteral("kernels/gate.cu");
        QByteArray text = bytesOf(world.window.folder + '/' + cuda);
        text.replace("gateKernel", "anotherKernel");
        text.replace("    const int i =", "    __shared__ float held[12000];\n"
                                          "    held[threadIdx.x] = x[threadIdx.x];\n"
                                          "    __syncthreads();\n"
                                          "    const int i =");
        text.replace("expf(-x[i])", "expf(-held[threadIdx.x ^ 1])");
        world.window.cli.write(world.script + "/02-step/" + cuda, text);
        QVERIFY(world.window.open(world.window.folder));
        auto *profile = world.window.window->findChild<ProfilePanel *>();
        QVERIFY(profile->showPage(page));
        QVERIFY(world.window.check(240000));
        auto *occupancy = world.window.find<OccupancyView>("occupancyView");
        QTRY_VERIFY_WITH_TIMEOUT(!occupancy->isEmpty(), 120000);
        const QString before = occupancy->summary();
        QVERIFY(world.begin(SessionMode::Auto));
        QVERIFY(world.ends());
        const AssemblyPage &assembly = profile->assembly();
        if (assembly.isInView())
            QTRY_VERIFY_WITH_TIMEOUT(assembly.isSettled() && assembly.inspection() != nullptr, 120000);
        const QString after = occupancy->summary();
        QVERIFY2(after != before, qPrintable(after));
        for (const OverviewRow &row : world.window.find<OverviewPage>("overviewPage")->rows())
            if (page == QLatin1String("overview") && row.page == QLatin1String("occupancy"))
                QCOMPARE(row.words, after);
        if (const auto inspection = assembly.inspection())
            QVERIFY2(inspection->kernels.front().resources.name.contains("anotherKernel"),
                     qPrintable(inspection->kernels.front().resources.name));
        for (const KernelResources &kernel : world.bench().shown().evaluation->compile.kernels)
            QVERIFY2(kernel.name.contains("anotherKernel"), qPrintable(kernel.name));
        // Chosen anew, it says nothing else.
        const int last = world.bench().shown().iteration;
        world.bench().showIteration(1);
        QTRY_COMPARE_WITH_TIMEOUT(world.bench().shown().iteration, 1, 20000);
        world.bench().backToText();
        QTRY_COMPARE_WITH_TIMEOUT(world.bench().shown().iteration, last, 20000);
        if (assembly.isInView())
            QTRY_VERIFY_WITH_TIMEOUT(assembly.isSettled() && assembly.inspection() != nullptr, 120000);
        QTRY_COMPARE(occupancy->summary(), after);
    }
};

QObject *makeTestRunPages() {
    return new TestRunPages;
}

#include "tst_run_pages.moc"
