// SPDX-License-Identifier: GPL-3.0-or-later
// What a person may meet: a message where they look, nothing lost.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/status_line.h"
#include "app/ide/results/verdict_banner.h"
#include "tests/gui/window_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "tests/toolchain/tiny_disk.h"
#include "widgets/editor/code_editor.h"
#include "widgets/frame/pane.h"
#include "widgets/frame/tab_strip.h"

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>
#include <QThreadPool>

#include <unistd.h>

using namespace warpwright;

class TestBadWorkspaces : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void noSuchFolder() {
        WindowWorld world;
        QSignalSpy failed(&world.window->bench(), &Workbench::failed);
        world.window->openWorkspace("/nowhere/at/all");
        QVERIFY(failed.wait());
        QVERIFY2(world.toasts().contains("/nowhere/at/all"), qPrintable(world.toasts()));
    }

    void aFolderDeletedWhileOpen() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        CodeEditor *editor = world.editor("kernels/gate.cpp");
        QTest::keyClicks(editor, "typed");
        const QString text = editor->content();
        QVERIFY(QDir(world.folder).removeRecursively());
        QTRY_VERIFY_WITH_TIMEOUT(!world.toasts().isEmpty(), 20000);
        QCOMPARE(editor->content(), text);
    }

    void theSecondWindowIsReadOnlyAndSaysWhy() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        MainWindow second(DataFolders::find(), QStringLiteral("test"));
        second.show();
        QSignalSpy settled(&second, &MainWindow::settled);
        second.openWorkspace(world.folder);
        QVERIFY(settled.wait(10000));
        QVERIFY(!second.bench().readOnlyReason().isEmpty());
        QVERIFY2(second.bench().readOnlyReason().contains(QString::number(getpid())),
                 qPrintable(second.bench().readOnlyReason()));
        QVERIFY(!second.actions().check->isEnabled());
        auto *editor = second.findChild<CodeEditor *>("editor:kernels/gate.cpp");
        const QString before = editor->content();
        QTest::keyClicks(editor, "xyz");
        QCOMPARE(editor->content(), before);
        const QString words = QStringLiteral("read-only: open in process %1").arg(getpid());
        QVERIFY2(second.findChild<VerdictBanner *>()->below().contains(words),
                 qPrintable(second.findChild<VerdictBanner *>()->below()));
        bool isInHead = false;
        for (const QLabel *label : second.findChild<CandidatePanel *>()->findChildren<QLabel *>())
            isInHead = isInHead || label->text() == words;
        QVERIFY(isInHead);
        int told = 0; // once, whatever is typed
        for (const QWidget *toast : second.findChildren<QWidget *>(QStringLiteral("toast")))
            told += toast->accessibleName().startsWith("Read-only") ? 1 : 0;
        QCOMPARE(told, 1);
    }

    void aCorruptSettingsFile() {
        WindowWorld world;
        const QString file = world.cli.path("config/warpwright/settings.json");
        world.window.reset();
        world.cli.write(file, "{ \"device\": ");
        world.reopen();
        QVERIFY2(world.toasts().contains("settings"), qPrintable(world.toasts()));
        QVERIFY(world.window->findChild<StatusLine *>()->unreadNotices() > 0); // told before it was heard of
        QVERIFY(world.open(world.folder));
        QVERIFY(QDir(world.cli.path("config/warpwright")).entryList(QDir::Files).size() >= 1); // kept aside
    }

    void aReferenceThatIsNoText() {
        WindowWorld world;
        world.cli.write(world.folder + "/model.py",
                        QByteArray("\x7f\x45\x4c\x46\x00\x01\x02\x00", 8).repeated(500));
        QVERIFY(world.open(world.folder));
        const auto *editor = world.find<CodeEditor>("referenceEditor");
        QTRY_VERIFY2(editor->content().contains("no text"), qPrintable(editor->content()));
    }

    void aReferenceThatIsReadAfterItsWorkspaceWasClosed() {
        WindowWorld world;
        Workbench &bench = world.window->bench();
        connect(&bench, &Workbench::opened, &bench, &Workbench::close, Qt::QueuedConnection);
        QSignalSpy closed(&bench, &Workbench::closed);
        world.window->openWorkspace(world.folder);
        QVERIFY(closed.wait(10000));
        QThreadPool::globalInstance()->waitForDone(5000);
        QTest::qWait(100); // what was read comes in
        QVERIFY(!bench.workspace());
        const auto *editor = world.find<CodeEditor>("referenceEditor");
        QVERIFY2(editor->content().isEmpty(), qPrintable(editor->content()));
    }

    void oddFiles_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<bool>("isEditable");
        QTest::newRow("binary") << QByteArray("\x7f\x45\x4c\x46\x00\x01\x02\x00", 8).repeated(500) << false;
        QTest::newRow("not UTF-8") << QByteArray("// gr\xfc\xdf\n") << true;
        QTest::newRow("CR LF") << QByteArray("// one\r\n// two\r\n") << true;
        QTest::newRow("one line of 2 MB") << QByteArray(2 * 1024 * 1024, 'x') << false;
        QTest::newRow("50 MB") << QByteArray("// a line of text that goes on\n").repeated(1'700'000) << false;
    }

    void oddFiles() {
        QFETCH(QByteArray, bytes);
        QFETCH(bool, isEditable);
        WindowWorld world;
        const QString file = world.cli.write(world.folder + "/kernels/odd.cpp", bytes);
        QVERIFY(world.open(world.folder));
        CodeEditor *editor = world.editor("kernels/odd.cpp");
        QTRY_VERIFY(!editor->content().isEmpty() || !editor->readOnlyReason().isEmpty());
        QCOMPARE(editor->readOnlyReason().isEmpty(), isEditable);
        // Saved unchanged, it has the same bytes.
        QSignalSpy saved(world.window->findChild<CandidatePanel *>(), &CandidatePanel::saved);
        world.window->actions().save->trigger();
        QTest::qWait(300);
        QFile read(file);
        QVERIFY(read.open(QIODevice::ReadOnly));
        QVERIFY(read.readAll() == bytes);
    }

    void aDiskThatFillsUpWhileOpen() {
        WindowWorld world;
        const TinyDisk disk(world.cli.path("disk"), 512);
        if (!disk.isMounted())
            QSKIP("only root may mount a small disk");
        const QString folder = world.cli.path("disk/work");
        QVERIFY(QProcess::execute("cp", {"-r", world.folder, folder}) == 0);
        QVERIFY(world.open(folder));
        CodeEditor *editor = world.editor("kernels/gate.cpp");
        QFile filler(world.cli.path("disk/filler"));
        QVERIFY(filler.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
        while (filler.write(QByteArray(4096, 'x')) == 4096) {
        }
        QTest::keyClicks(editor, "typed");
        const QString text = editor->content();
        // The draft has nowhere to go, and that is said before anything is lost.
        QTRY_VERIFY_WITH_TIMEOUT(world.toasts().contains("in memory only"), 20000);
        world.window->actions().save->trigger();
        QTRY_VERIFY2_WITH_TIMEOUT(world.toasts().contains("Not saved"), qPrintable(world.toasts()), 20000);
        QVERIFY2(world.toasts().contains("Free some space"), qPrintable(world.toasts()));
        QCOMPARE(editor->content(), text);
        QVERIFY(filler.remove());
        QVERIFY(world.saves(folder + "/kernels/gate.cpp", text));
    }

    void aFolderMadeReadOnlyWhileOpen() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        CodeEditor *editor = world.editor("kernels/gate.cpp");
        auto taken = std::make_unique<ReadOnlyFolder>(world.folder + "/kernels");
        if (!taken->isMounted())
            QSKIP("only root may take rights away from root");
        QTest::keyClicks(editor, "typed");
        const QString text = editor->content();
        world.window->actions().check->trigger(); // a check saves first, so it must say that it cannot
        QTRY_VERIFY2_WITH_TIMEOUT(world.toasts().contains("Not saved"), qPrintable(world.toasts()), 20000);
        QVERIFY2(world.toasts().contains("gate.cpp"), qPrintable(world.toasts()));
        QVERIFY(!world.window->bench().isRunning());
        QCOMPARE(editor->content(), text);
        taken.reset();
        QVERIFY(world.saves(world.folder + "/kernels/gate.cpp", text));
    }

    void aFolderMovedWhileOpen() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        CodeEditor *editor = world.editor("kernels/gate.cpp");
        QTest::keyClicks(editor, "typed");
        const QString text = editor->content();
        QDir(world.folder + "-elsewhere").removeRecursively(); // of a run that was stopped
        QVERIFY(QDir().rename(world.folder, world.folder + "-elsewhere"));
        QTRY_VERIFY_WITH_TIMEOUT(!world.toasts().isEmpty(), 20000);
        QCOMPARE(editor->content(), text);
        QVERIFY(QDir().rename(world.folder + "-elsewhere", world.folder));
        QVERIFY(world.saves(world.folder + "/kernels/gate.cpp", text));
    }

    void aModelThatIsLongToImport() {
        // The judge stays in this stage, as it does while Python imports.
        WindowWorld world(QStringLiteral("base"), QStringLiteral("slow=open:20"));
        QVERIFY(world.open(world.folder));
        world.window->actions().check->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(world.word(), QString("Opening the task"), 30000);
        QTest::keyClicks(world.editor("kernels/gate.cpp"), "x"); // the window goes on meanwhile
        QVERIFY(world.editor("kernels/gate.cpp")->isModified());
        world.window->actions().stop->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!world.window->bench().isRunning(), 10000);
    }

    void theJudgeDiesDuringACheck() {
        WindowWorld world(QStringLiteral("base"), QStringLiteral("die=verify:9"));
        QVERIFY(world.open(world.folder));
        QVERIFY(world.check());
        QCOMPARE(world.word(), QString("Environment error"));
        QVERIFY2(world.toasts().contains("killed by signal 9"), qPrintable(world.toasts()));
        QTRY_VERIFY(world.window->actions().check->isEnabled());
    }

    void aSmallScreen() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        world.window->resize(1280, 720);
        QCoreApplication::processEvents();
        for (const Pane *pane : world.window->findChildren<Pane *>()) {
            QVERIFY(pane->isVisible());
            QVERIFY2(pane->width() >= 280 && pane->height() >= 120, qPrintable(pane->title()));
        }
        QVERIFY(world.find<Dock>("agentDock")->isFolded());
    }
};

QObject *makeTestBadWorkspaces() {
    return new TestBadWorkspaces;
}

#include "tst_bad_workspaces.moc"
