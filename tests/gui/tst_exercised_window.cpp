// SPDX-License-Identifier: GPL-3.0-or-later
// On a machine without a GPU the window says of a pass what was measured, and of a change of which nothing
// ran that it was not exercised: in banner, tree, comparison and review. The fake judge reads times in the
// kernel that never runs, as noise would give it.
#include "app/ide/compare/compare_head.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/results/verdict_banner.h"
#include "tests/gui/review_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/history/iteration_store.h"
#include "widgets/editor/code_editor.h"
#include "widgets/review/hunk_head.h"
#include "widgets/review/hunk_marks.h"

#include <QTest>

using namespace warpwright;

namespace {

constexpr auto kernelFile = "kernels/gate.cu";
const QString nothingRan = QStringLiteral("kernels/gate.cu was compiled, not run");

QStringList bannerWords(const VerdictBanner &banner) {
    QStringList words;
    for (const VerdictBanner::Cell &cell : banner.cells())
        words << cell.value + QLatin1Char('|') + cell.label;
    return words;
}

/// WARPWRIGHT_PICTURES=DIR keeps the window as it stands.
void take(const WindowWorld &world, const char *name) {
    const QString folder = qEnvironmentVariable("WARPWRIGHT_PICTURES");
    if (folder.isEmpty())
        return;
    for (const char *theme : {"light", "dark"}) {
        world.useTheme(theme);
        QTest::qWait(300);
        QVERIFY(world.window->grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, name, theme)));
    }
}

} // namespace

class TestExercisedWindow : public QObject {
    Q_OBJECT

    static void append(const WindowWorld &world, const char *file, const QString &text) {
        CodeEditor *editor = world.editor(QString::fromLatin1(file));
        editor->SendScintilla(QsciScintillaBase::SCI_DOCUMENTEND);
        editor->insert(text);
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        NEED_TOOL(CliWorld().toolchain().cuda.has_value(), "nvcc");
    }

    void aPassOnACpuSaysWhatWasMeasured() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(world.check(240000));
        QCOMPARE(world.word(), QString("Pass"));
        const QStringList words = bannerWords(*world.banner());
        QVERIFY2(words.contains("CPU twin ran|kernels/gate.cu compiled, not run"),
                 qPrintable(words.join('\n')));
        QVERIFY(world.banner()->toolTip().contains("CPU twin ran; kernels/gate.cu compiled, not run"));
        take(world, "cpu-pass");
    }

    void aChangeOfWhichNothingRanIsNoPass() {
        WindowWorld world(QStringLiteral("base"), QStringLiteral("intext times=100,220,150"));
        QVERIFY(world.open(world.folder));
        QVERIFY(world.check(240000));
        const Workbench &bench = world.window->bench();
        QTRY_COMPARE(bench.tree()->best, 1);
        append(world, kernelFile, QStringLiteral("// fake judge: times=20,220,150\n"));
        QVERIFY(world.check(240000));
        QCOMPARE(bench.shown().iteration, 2);

        QCOMPARE(world.word(), QString("Not exercised"));
        QVERIFY2(world.banner()->below().contains("Pass kept from 1"), qPrintable(world.banner()->below()));
        const QStringList words = bannerWords(*world.banner());
        QCOMPARE(words.value(0), QString("kernels/gate.cu|was compiled, not run"));
        QVERIFY2(words.contains("3|reward, kept"), qPrintable(words.join('\n')));

        // The tree: no speed-up, and not the best, though the clock saw it five times as fast.
        const auto two = [&bench]() -> const IterationRecord & {
            return *bench.tree()->byNumber(2);
        };
        QTRY_VERIFY(two().latest.has_value());
        QCOMPARE(headlineOf(two()), QString("Not exercised"));
        QVERIFY2(bench.tree()->words[1].contains(nothingRan), qPrintable(bench.tree()->words[1]));
        QCOMPARE(bench.tree()->best, 1);
        QCOMPARE(two().latest->reward, 3);
        take(world, "not-exercised");

        // The comparison says why there is no difference.
        world.window->actions().compareWithParent->trigger();
        const auto *strip = world.window->findChild<MetricStrip *>();
        QTRY_VERIFY(strip != nullptr && !strip->metrics().empty());
        QCOMPARE(strip->metrics().front().remark, QString("not exercised: the same code ran"));
        QVERIFY(strip->metrics().front().delta.isEmpty());
        QTest::qWait(500);
        take(world, "compared");

        // Of the next change, which runs, a difference is told again.
        world.window->actions().backToText->trigger();
        append(world, "kernels/gate.cpp", QStringLiteral("// fake judge: times=50,220,150\n"));
        QVERIFY(world.check(240000));
        QCOMPARE(world.word(), QString("Pass"));
        QTRY_COMPARE(bench.tree()->best, 3);
    }

    void aHunkThatDoesNotRunIsNotMeasured() {
        ReviewWorld world(0);
        world.addStep(world.base + "// fake judge: times=80,220,150\n");
        world.window.cli.write(world.script + "/01-step/" + kernelFile,
                               bytesOf(world.window.folder + '/' + kernelFile) + "// another word\n");
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        QVERIFY(world.isMeasured());
        world.trigger(world.actions().measureHunks);
        const auto shown = [&world]() -> ProposalView {
            return world.agent().proposal().value_or(ProposalView());
        };
        const auto of = [&shown](ShownFigure::State state) {
            const std::vector<ProposalView::Hunk> hunks = shown().hunks;
            return std::count_if(hunks.begin(), hunks.end(), [state](const ProposalView::Hunk &hunk) {
                return hunk.alone.state == state && hunk.allBut.state == state;
            });
        };
        QTRY_COMPARE_WITH_TIMEOUT(of(ShownFigure::Measuring), 0, 60000);
        QCOMPARE(shown().hunks.size(), std::size_t(2));
        QCOMPARE(of(ShownFigure::Unexercised), 1);
        QCOMPARE(shown().measured.state, ShownFigure::Known); // the other one ran
        CodeEditor *editor = world.window.editor(QString::fromLatin1(kernelFile));
        QTRY_COMPARE(editor->decorator<HunkMarks>().hunks().size(), std::size_t(1));
        QCOMPARE(editor->decorator<HunkMarks>().hunks().front().measure, ShownHunk::Unexercised);
        const auto *head = editor->findChild<HunkHead *>();
        QVERIFY(head != nullptr);
        QVERIFY2(head->accessibleName().contains("not exercised on this device"),
                 qPrintable(head->accessibleName()));
        take(world.window, "hunks");
        QVERIFY(world.stop());
    }

    void aProposalOfWhichNothingRanHasNoTime() {
        ReviewWorld world(0);
        world.window.cli.write(world.script + "/01-step/" + kernelFile,
                               bytesOf(world.window.folder + '/' + kernelFile) +
                                   "// fake judge: times=20,220,150\n");
        world.window.cli.write(world.script + "/01-step.json", "{\"title\": \"only the kernel\"}");
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        QVERIFY(world.isMeasured());
        QTRY_VERIFY(world.agent().proposal().has_value());
        QTRY_COMPARE(world.agent().proposal()->measured.state, ShownFigure::Unexercised);
        // The clock saw it five times as fast: no gain is shown, and what was verified is the code before it.
        const ProposalView shown = *world.agent().proposal();
        QCOMPARE(shown.wouldBe.state, ShownFigure::None);
        QCOMPARE(shown.wouldBe.value, QString("as before"));
        QCOMPARE(shown.checks.at(0).state, ProposalView::Check::Passed);
        QCOMPARE(shown.checks.at(1).state, ProposalView::Check::NotRun);
        QCOMPARE(shown.checks.at(1).words, QString("verifies: not exercised"));
        const QStringList cells = bannerWords(*world.window.banner());
        QVERIFY2(cells.contains("not exercised|on this device") && cells.filter("resulting").isEmpty(),
                 qPrintable(cells.join('\n')));
        take(world.window, "proposal-not-exercised");
        // Nor does the end of the run tell of one.
        world.trigger(world.actions().acceptAllHunks);
        QTRY_VERIFY(world.actions().run->isEnabled());
        world.trigger(world.actions().run);
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 60000);
        const QString said = world.said();
        QVERIFY2(said.contains("«only the kernel»: accepted. On this device not exercised: " + nothingRan),
                 qPrintable(said));
        QVERIFY2(said.contains("The text is iteration 2 now, not exercised: " + nothingRan) &&
                     !said.contains("over eager"),
                 qPrintable(said));
    }
};

QObject *makeTestExercisedWindow() {
    return new TestExercisedWindow;
}

#include "tst_exercised_window.moc"
