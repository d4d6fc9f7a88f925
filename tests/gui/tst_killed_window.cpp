// SPDX-License-Identifier: GPL-3.0-or-later
// kill -9 while typing: what is older than a second is there again.
#include "app/ide/actions.h"
#include "tests/gui/window_world.h"
#include "tests/toolchain/run_rooms.h"
#include "widgets/code_editor.h"

#include <QProcess>
#include <QTest>

#include <cstdio>

using namespace warpwright;

class TestKilledWindow : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void typedTextComesBack() {
        WindowWorld world;
        world.window.reset(); // the other process has it to itself
        const QByteArray before = [&] {
            QFile file(world.folder + "/kernels/gate.cpp");
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        }();
        QProcess typist;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("TYPE_INTO", world.folder);
        typist.setProcessEnvironment(environment);
        typist.start(QCoreApplication::applicationFilePath(), {});
        QVERIFY(typist.waitForStarted());
        QByteArray said;
        const auto hasTyped = [&] {
            typist.waitForReadyRead(100);
            said += typist.readAllStandardOutput();
            return said.contains("typed");
        };
        QVERIFY2(QTest::qWaitFor(hasTyped, 20000), said.constData());
        QTest::qWait(1000);
        typist.kill();
        QVERIFY(typist.waitForFinished());
        QCOMPARE(typist.exitStatus(), QProcess::CrashExit);

        QFile file(world.folder + "/kernels/gate.cpp");
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), before); // nothing was saved

        world.reopen();
        QVERIFY(world.open(world.folder));
        QTRY_VERIFY_WITH_TIMEOUT(
            world.editor("kernels/gate.cpp")->content().startsWith("// typed before the kill"), 5000);
        QVERIFY2(world.window->bench().readOnlyReason().isEmpty(),
                 qPrintable(world.window->bench().readOnlyReason()));
    }
};

/// The process that is killed: opens the workspace, types, says so and waits.
int typeAndWait(const QString &folder) {
    MainWindow window(DataFolders::find(), QStringLiteral("test"));
    window.resize(1600, 1000);
    window.show();
    QObject::connect(&window, &MainWindow::settled, &window, [&window] {
        auto *editor = window.findChild<CodeEditor *>(QStringLiteral("editor:kernels/gate.cpp"));
        editor->setCursorPosition(0, 0);
        QTest::keyClicks(editor, "// typed before the kill");
        QTest::keyClick(editor, Qt::Key_Return);
        std::puts("typed");
        std::fflush(stdout);
    });
    window.openWorkspace(folder);
    return QCoreApplication::exec();
}

QObject *makeTestKilledWindow() {
    return new TestKilledWindow;
}

#include "tst_killed_window.moc"
