// SPDX-License-Identifier: GPL-3.0-or-later
// Several wishes at once: the last text wins, none is lost, nothing runs twice.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/stage_row.h"
#include "app/ide/results/compile_page.h"
#include "tests/gui/window_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/history/iteration_store.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/diagnostic_marks.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

class TestNewestWins : public QObject {
    Q_OBJECT

    static void edit(const WindowWorld &world, int number) {
        CodeEditor *editor = world.editor("kernels/gate.cpp");
        editor->goTo(editor->lineCount(), 1);
        editor->SendScintilla(QsciScintillaBase::SCI_DOCUMENTEND);
        editor->insert(QStringLiteral("static_assert(%1 > %2);\n").arg(number + 1).arg(number));
        editor->SendScintilla(QsciScintillaBase::SCI_DOCUMENTEND);
    }
    static QString textHash(const WindowWorld &world) {
        return textHashOf(readCandidateTexts(*world.window->bench().workspace()).value());
    }
    /// The verdicts of all documents that were stored, oldest first.
    static QStringList verdicts(const WindowWorld &world) {
        QStringList words;
        const QDir folder(world.folder + "/.warpwright/evaluations");
        const EvaluationStore store(world.folder + "/.warpwright");
        for (const QString &name : folder.entryList({"*.json"}, QDir::Files, QDir::Name)) {
            const auto loaded = store.load(QFileInfo(name).completeBaseName());
            words << (loaded.hasValue() ? verdictName(loaded.value().verdict) : loaded.message());
        }
        return words;
    }

    /// What checks say that neither passed nor were stopped. One that sees its text change under it says so.
    static QStringList reasons(const WindowWorld &world) {
        QStringList words;
        const QDir folder(world.folder + "/.warpwright/evaluations");
        for (const QString &name : folder.entryList({"*.json"}, QDir::Files, QDir::Name))
            if (const auto loaded =
                    EvaluationStore(world.folder + "/.warpwright").load(QFileInfo(name).completeBaseName());
                loaded.hasValue() && loaded.value().verdict != Verdict::Pass &&
                loaded.value().verdict != Verdict::Cancelled &&
                !plainText(loaded.value().message).contains("was changed while it was compiled"))
                words << plainText(loaded.value().message);
        return words;
    }

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void theSameTextIsCheckedOnce() {
        WindowWorld world(QStringLiteral("base"), QStringLiteral("times=100,220,150 slow=profile:1"));
        QVERIFY(world.open(world.folder));
        Workbench &bench = world.window->bench();
        const QSignalSpy checked(&bench, &Workbench::checked);
        world.window->actions().check->trigger();
        world.window->actions().check->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(bench.progressNow().stage, QStringLiteral("profile"), 60000);
        world.window->actions().check->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(checked.size(), 1, 30000);
        QTest::qWait(300);
        QVERIFY(!bench.isRunning());
        QCOMPARE(checked.size(), 1);
        QCOMPARE(verdicts(world), QStringList{"pass"});
        QCOMPARE(bench.iterations().size(), std::size_t(1));
    }

    // A first check builds the judge between: nobody waits minutes for what took seconds.
    void whatWasCompiledIsShownWhileTheCheckGoesOn() {
        WindowWorld world(QStringLiteral("base"), QStringLiteral("times=100,220,150 slow=profile:2"));
        QVERIFY(world.open(world.folder));
        Workbench &bench = world.window->bench();
        const QSignalSpy checked(&bench, &Workbench::checked);
        const auto *stages = world.window->findChild<CompilePage *>()->findChild<StageRow *>();
        world.window->actions().check->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(bench.progressNow().stage, QStringLiteral("profile"), 60000);
        QVERIFY(bench.isRunning() && bench.compiledText() != nullptr);
        QCOMPARE(bench.compiledText()->compile.status, StageStatus::Passed);
        QVERIFY2(stages->accessibleName().contains("Verify checking"), qPrintable(stages->accessibleName()));
        QTRY_COMPARE_WITH_TIMEOUT(checked.size(), 1, 30000);
        QTRY_VERIFY(bench.shown().evaluation.has_value());
        QVERIFY(bench.compiledText() == nullptr);
    }

    void aCheckOfNewerTextEndsTheOlder() {
        WindowWorld world(QStringLiteral("base"), QStringLiteral("times=100,220,150 slow=profile:2"));
        QVERIFY(world.open(world.folder));
        Workbench &bench = world.window->bench();
        const QSignalSpy checked(&bench, &Workbench::checked);
        world.window->actions().check->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(bench.progressNow().stage, QStringLiteral("profile"), 60000);
        edit(world, 7);
        world.window->actions().check->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(checked.size(), 1, 60000);
        QTRY_VERIFY(bench.shown().evaluation && bench.shown().iteration == 2);
        QCOMPARE(bench.edits(), 0);
        QCOMPARE(bench.shown().evaluation->verdict, Verdict::Pass);
        QCOMPARE(stringIn(bench.shown().evaluation->workspace, "textHash"), textHash(world));
        QCOMPARE(verdicts(world), (QStringList{"cancelled", "pass"}));
        // The first text is kept, and nobody says that it was measured.
        QCOMPARE(bench.iterations().size(), std::size_t(2));
        QVERIFY(bench.iterations()[0].evaluations.isEmpty());
        QCOMPARE(bench.iterations()[1].iteration.parent, 1);
    }

    void ofTwentyWishesInTwoSecondsTheLastTextIsMeasured() {
        // A stage longer than all wishes together, also on a busy machine: none of the older checks can end.
        WindowWorld world(QStringLiteral("base"), QStringLiteral("times=100,220,150 slow=profile:8"));
        QVERIFY(world.open(world.folder));
        Workbench &bench = world.window->bench();
        const QSignalSpy checked(&bench, &Workbench::checked);
        for (int i = 0; i < 20; ++i) {
            edit(world, 100 + i);
            world.window->actions().check->trigger();
            QTest::qWait(100);
        }
        QTRY_VERIFY_WITH_TIMEOUT(!checked.isEmpty() && !bench.isRunning(), 90000);
        QVERIFY2(checked.size() == 1, qPrintable(reasons(world).join("; ")));
        QTRY_VERIFY(bench.shown().evaluation.has_value());
        QCOMPARE(stringIn(bench.shown().evaluation->workspace, "textHash"), textHash(world));
        const QString text = world.editor("kernels/gate.cpp")->content();
        QVERIFY(text.contains("static_assert(120 > 119);") && text.contains("static_assert(101 > 100);"));
        QStringList words = verdicts(world);
        QCOMPARE(words.takeLast(), QString("pass"));
        QVERIFY2(reasons(world).isEmpty(), qPrintable(reasons(world).join("; ")));
    }

    void twentySavesGiveTheDiagnosticsOfTheLast() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        Workbench &bench = world.window->bench();
        const QSignalSpy compiled(&bench, &Workbench::compiledTextChanged);
        for (int i = 0; i < 20; ++i) {
            edit(world, 200 + i);
            if (i == 19)
                world.editor("kernels/gate.cpp")->insert(QStringLiteral("int broken = ;\n"));
            world.window->actions().save->trigger();
            QTest::qWait(100);
        }
        const auto errors = [&bench] {
            return bench.compiledText() != nullptr ? countErrors(bench.compiledText()->compile.diagnostics)
                                                   : 0;
        };
        QTRY_VERIFY_WITH_TIMEOUT(!bench.isCompiling() && errors() == 1, 90000);
        QCOMPARE(verdicts(world), QStringList()); // nothing was checked
        QVERIFY(bench.iterations().empty());
        QVERIFY(compiled.size() >= 1);
        // The table shows it, and the editor marks its line.
        QVERIFY(bench.compileShown()->status == StageStatus::Failed);
        CodeEditor *editor = world.editor("kernels/gate.cpp");
        const int line = editor->lineCount() - 1;
        const auto isMarked = [editor, line] {
            const std::vector<EditorMark> marks = editor->decorator<DiagnosticMarks>().marks();
            return std::any_of(marks.begin(), marks.end(),
                               [line](const EditorMark &mark) { return mark.line == line; });
        };
        QTRY_VERIFY(isMarked());
    }

    // And what was measured of it stays, also when another text was saved between.
    void anUnchangedTextIsNeitherWrittenNorCompiled() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(world.check());
        Workbench &bench = world.window->bench();
        const QString path = world.folder + "/kernels/gate.cpp";
        const QDateTime before = QFileInfo(path).lastModified();
        const QSignalSpy saved(world.window->findChild<CandidatePanel *>(), &CandidatePanel::saved);
        const QSignalSpy compiled(&bench, &Workbench::compiledTextChanged);
        CodeEditor *editor = world.editor("kernels/gate.cpp");
        const QString text = editor->content();
        for (const bool isTakenBack : {false, true}) {
            if (isTakenBack) {
                editor->insertAt(QStringLiteral("x"), 0, 0);
                editor->setSelection(0, 0, 0, 1);
                editor->removeSelectedText();
                QVERIFY(editor->isModified() && editor->content() == text);
            }
            world.window->actions().save->trigger();
            QTest::qWait(500);
            QVERIFY(!editor->isModified() && !bench.isCompiling());
        }
        QCOMPARE(saved.size(), 0);
        QCOMPARE(compiled.size(), 0);
        QCOMPARE(QFileInfo(path).lastModified(), before);

        const auto *stages = world.window->findChild<CompilePage *>()->findChild<StageRow *>();
        edit(world, 400);
        world.window->actions().save->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(bench.compiledText() != nullptr, 60000);
        QTRY_VERIFY2(stages->accessibleName().contains("Verify not run"),
                     qPrintable(stages->accessibleName()));
        editor->selectAll();
        editor->replaceSelectedText(text);
        world.window->actions().save->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(bench.compiledText() == nullptr, 60000);
        QTRY_VERIFY2(!stages->accessibleName().contains("not run"), qPrintable(stages->accessibleName()));
        QCOMPARE(bytesOf(path), text.toUtf8());
    }

    // It is on the disk already, and nobody has compiled it.
    void savingCompilesWhatAnotherProgramWrote() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        Workbench &bench = world.window->bench();
        const QString path = world.folder + "/kernels/gate.cpp";
        CodeEditor *editor = world.editor("kernels/gate.cpp");
        const QString text = editor->content() + QStringLiteral("int broken = ;\n");
        QFile disk(path);
        QVERIFY(disk.open(QIODevice::WriteOnly));
        disk.write(text.toUtf8());
        disk.close();
        QTRY_COMPARE(editor->content(), text);
        QVERIFY(!editor->isModified());
        world.window->actions().save->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(bench.compiledText() != nullptr, 60000);
        QCOMPARE(bench.compiledText()->compile.status, StageStatus::Failed);
    }

    void compilesWhenAPersonPausesWhereTheyWantThat() {
        WindowWorld world;
        world.cli.write(QStringLiteral("config/warpwright/settings.json"),
                        "{\"device\": \"cpu\", \"theme\": \"light\", \"compileOn\": \"idle\", "
                        "\"languageServer\": \"off\"}");
        world.reopen();
        QVERIFY(world.open(world.folder));
        edit(world, 300);
        Workbench &bench = world.window->bench();
        QTRY_VERIFY_WITH_TIMEOUT(bench.compiledText() != nullptr, 60000);
        QCOMPARE(bench.compiledText()->compile.status, StageStatus::Passed);
    }
};

QObject *makeTestNewestWins() {
    return new TestNewestWins;
}

#include "tst_newest_wins.moc"
