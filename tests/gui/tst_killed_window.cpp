// SPDX-License-Identifier: GPL-3.0-or-later
// kill -9 while typing: what is older than a second is there again. While hunks are answered: the review goes
// on where it stood.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "tests/gui/review_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/history/iteration_store.h"
#include "widgets/editor/code_editor.h"
#include "widgets/frame/empty_state.h"

#include <QProcess>
#include <QTest>

#include <cstdio>
#include <map>

using namespace warpwright;

namespace {

/// Another process that does something in a window, and is killed a second after it has said so.
struct OtherWindow {
    QProcess process;

    [[nodiscard]] bool says(const char *word, const std::map<QString, QString> &variables) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const auto &[name, value] : variables)
            environment.insert(name, value);
        process.setProcessEnvironment(environment);
        process.start(QCoreApplication::applicationFilePath(), {});
        QByteArray said;
        return process.waitForStarted() && QTest::qWaitFor(
                                               [&] {
                                                   process.waitForReadyRead(100);
                                                   said += process.readAllStandardOutput();
                                                   return said.contains(word);
                                               },
                                               120000);
    }
    [[nodiscard]] bool isKilled() {
        QTest::qWait(1000);
        process.kill();
        return process.waitForFinished() && process.exitStatus() == QProcess::CrashExit;
    }
};

void say(const char *word) {
    std::puts(word);
    std::fflush(stdout);
}

/// The text of a step of ReviewWorld with its first hunks alone.
QString textWith(const ReviewWorld &world, int hunks) {
    QByteArray text = world.base;
    if (hunks > 0)
        text.replace("#include <cmath>", "#include <cmath>\n// step 1");
    if (hunks > 1)
        text.replace("for (int row = 0;", "/* 1 */ for (int row = 0;");
    if (hunks > 2)
        text += "// fake judge: times=95,220,150 \n";
    return QString::fromUtf8(text);
}

} // namespace

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
        OtherWindow typist;
        QVERIFY(typist.says("typed", {{QStringLiteral("TYPE_INTO"), world.folder}}));
        QVERIFY(typist.isKilled());

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

    // By its record it looks like one that was left.
    void aRunThatLivesInAnotherWindowIsNotOffered() {
        ReviewWorld world(1);
        world.window.window.reset();
        OtherWindow reviewer;
        QVERIFY(reviewer.says("answered", {{QStringLiteral("ANSWER_IN"), world.window.folder},
                                           {QStringLiteral("ANSWER_SCRIPT"), world.script},
                                           {QStringLiteral("ANSWER_HUNKS"), QStringLiteral("1")}}));
        world.window.reopen();
        QVERIFY(world.window.open(world.window.folder));
        const QString words =
            QStringLiteral("runs in another window (process %1)").arg(reviewer.process.processId());
        const auto said = [&world] {
            const auto *empty = world.panel().findChild<EmptyState *>(QString(), Qt::FindDirectChildrenOnly);
            return empty->isVisible() ? empty->accessibleName() : QString();
        };
        QTRY_VERIFY2_WITH_TIMEOUT(said().contains(words), qPrintable(said()), 30000);
        QVERIFY2(!said().contains("go on"), qPrintable(said()));
        QVERIFY(!world.actions().continueRun->isEnabled());
        QVERIFY(reviewer.isKilled());
    }

    // What was accepted comes back as a draft. Some save it before they go on.
    void aReviewGoesOnWhereItStood_data() {
        QTest::addColumn<int>("accepted");
        QTest::addColumn<bool>("isSaved");
        for (int accepted = 0; accepted <= 3; ++accepted)
            for (const bool isSaved : {false, true})
                if (accepted > 0 || !isSaved)
                    QTest::addRow("%d accepted, %s", accepted, isSaved ? "saved" : "a draft")
                        << accepted << isSaved;
    }
    void aReviewGoesOnWhereItStood() {
        QFETCH(const int, accepted);
        QFETCH(const bool, isSaved);
        ReviewWorld world(1);
        world.window.window.reset(); // the other process has it to itself
        OtherWindow reviewer;
        QVERIFY(reviewer.says("answered", {{QStringLiteral("ANSWER_IN"), world.window.folder},
                                           {QStringLiteral("ANSWER_SCRIPT"), world.script},
                                           {QStringLiteral("ANSWER_HUNKS"), QString::number(accepted)}}));
        QVERIFY(reviewer.isKilled());
        QCOMPARE(world.onDisk(), world.base);
        const IterationStore history(world.window.folder + QStringLiteral("/.warpwright"));
        const std::size_t before = history.list().value().size();

        world.window.reopen();
        world.actions().betsFirst->setChecked(true);
        QVERIFY(world.window.open(world.window.folder));
        QTRY_COMPARE_WITH_TIMEOUT(world.editor()->content(), textWith(world, accepted), 10000);
        if (isSaved) {
            world.actions().save->trigger();
            QTRY_COMPARE_WITH_TIMEOUT(QString::fromUtf8(world.onDisk()), textWith(world, accepted), 10000);
        }
        QTRY_VERIFY_WITH_TIMEOUT(world.actions().continueRun->isEnabled(), 30000);
        // Nobody is told to save or to undo what the run takes up by itself.
        if (accepted > 0 && !isSaved) {
            QTRY_VERIFY2_WITH_TIMEOUT(
                world.window.toasts().contains("What you accepted of proposal 1 stands in kernels/gate.cpp"),
                qPrintable(world.window.toasts()), 10000);
            QVERIFY2(!world.window.toasts().contains("Unsaved text is back"),
                     qPrintable(world.window.toasts()));
        }
        world.trigger(world.actions().continueRun);
        QVERIFY2(world.waitsForReview(), qPrintable(world.window.toasts()));
        const ReviewCount count = world.session()->review()->count();
        QCOMPARE(count.accepted, accepted);
        QCOMPARE(count.open, 3 - accepted);
        QCOMPARE(world.onDisk(), world.base);
        QCOMPARE(history.list().value().size(), before);
        QTRY_COMPARE(world.editor()->content(), textWith(world, accepted));
        // The bet that was placed, and what it was placed on.
        QVERIFY(world.session()->hasBet() && !world.session()->isResultHidden());
        QTRY_VERIFY(world.panel().view().proposal && world.panel().view().proposal->bet.contains("5"));
        QTRY_COMPARE(world.panel().view().ledger.back().who, QStringLiteral("you"));
        // Each answer is a step of the editor's undo, as before.
        if (accepted > 0) {
            world.editor()->undo();
            QTRY_COMPARE(world.session()->review()->count().accepted, accepted - 1);
            QCOMPARE(world.session()->review()->count().conflict, 0);
            QCOMPARE(world.editor()->content(), textWith(world, accepted - 1));
            world.editor()->redo();
            QTRY_COMPARE(world.session()->review()->count().accepted, accepted);
        }
        world.actions().acceptAllHunks->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(world.actions().run->isEnabled(), 30000);
        world.actions().run->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 180000);
        QCOMPARE(QString::fromUtf8(world.onDisk()), textWith(world, 3));
        QCOMPARE(history.list().value().size(), before + 1);
        world.actions().betsFirst->setChecked(false);
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
        say("typed");
    });
    window.openWorkspace(folder);
    return QCoreApplication::exec();
}

/// The other one: begins a run, bets, accepts some hunks, says so and waits.
int answerAndWait(const QString &folder) {
    MainWindow window(DataFolders::find(), QStringLiteral("test"));
    window.resize(1600, 1000);
    window.show();
    window.actions().betsFirst->setChecked(true);
    window.openWorkspace(folder);
    const auto *candidate = window.findChild<CandidatePanel *>();
    if (!QTest::qWaitFor([&] { return candidate->editorOf(ScriptWorld::kernelFile) != nullptr; }, 20000))
        return 1;
    AgentController &agent = window.agent();
    agent.begin({AuthorKind::Script, {}}, qEnvironmentVariable("ANSWER_SCRIPT"), SessionMode::Review);
    const auto isAsked = [&agent] {
        const Session *session = agent.session();
        return session != nullptr && session->state() == SessionState::AwaitingReview &&
               session->evidence() != nullptr && agent.proposal() && agent.proposal()->asksBet;
    };
    if (!QTest::qWaitFor(isAsked, 60000))
        return 1;
    Prediction bet;
    bet.timeRatio = 0.95;
    bet.beforeMicroseconds = 100;
    if (!agent.session()->bet(QStringLiteral("person"), bet).hasValue())
        return 1;
    for (int hunk = 0; hunk < qEnvironmentVariableIntValue("ANSWER_HUNKS"); ++hunk)
        window.actions().acceptHunkOnly->trigger();
    say("answered");
    return QCoreApplication::exec();
}

QObject *makeTestKilledWindow() {
    return new TestKilledWindow;
}

#include "tst_killed_window.moc"
