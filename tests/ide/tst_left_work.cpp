// SPDX-License-Identifier: GPL-3.0-or-later
// Work that goes on: what was left before its end, and what the window remembers of itself.
#include "app/ide/layout/left_work.h"
#include "app/ide/layout/window_state.h"
#include "tests/toolchain/scratch.h"

#include <QFile>
#include <QTest>

#include <thread>

using namespace warpwright;

class TestLeftWork : public QObject {
    Q_OBJECT

private slots:
    void aLessonIsBegunInTheFirstFreeFolder() {
        const Scratch scratch;
        const QString data = scratch.path("data");
        BegunLesson begun = begunLesson("softmax", data);
        QVERIFY(begun.last.isEmpty());
        QCOMPARE(begun.next, data + "/lessons/softmax");
        scratch.write("data/lessons/softmax/model.py", "");
        scratch.write("data/lessons/softmax-2/model.py", "");
        begun = begunLesson("softmax", data);
        QCOMPARE(begun.last, data + "/lessons/softmax-2");
        QCOMPARE(begun.next, data + "/lessons/softmax-3");
    }

    void aFolderWithoutALessonIsNoneThatWasBegun() {
        const Scratch scratch;
        scratch.write("data/lessons/softmax/notes.txt", "");
        const BegunLesson begun = begunLesson("softmax", scratch.path("data"));
        QVERIFY(begun.last.isEmpty());
        QVERIFY(begun.next.endsWith("softmax-2"));
    }

    void itSaysWhereItStopped_data() {
        QTest::addColumn<int>("steps");
        QTest::addColumn<bool>("isByBudget");
        QTest::addColumn<QString>("title");
        QTest::newRow("a lesson") << 7 << false << "The lesson stopped at step 3 of 7";
        QTest::newRow("a run") << 0 << false << "A run was left before its end";
        QTest::newRow("a budget") << 0 << true << "A run has used up its budget";
    }
    void itSaysWhereItStopped() {
        QFETCH(int, steps);
        QFETCH(bool, isByBudget);
        QFETCH(QString, title);
        LeftWork work;
        work.steps = steps;
        work.left.run = "20260101";
        work.left.agent.kind = AuthorKind::Script;
        work.left.step = 3;
        work.left.proposal = 4; // of another run's numbers
        work.left.title = "Vector loads";
        work.left.isByBudget = isByBudget;
        QCOMPARE(leftTitle(work), title);
        QVERIFY2(isByBudget || leftWords(work).contains("Vector loads"), qPrintable(leftWords(work)));
    }

    // Another window works on it: nothing was left, and nothing is offered.
    void itSaysThatAnotherWindowRunsIt() {
        LeftWork work;
        work.left.run = "20260101";
        work.left.agent.kind = AuthorKind::Script;
        work.left.proposal = 2;
        work.left.title = "Vector loads";
        work.left.process = 22727;
        QCOMPARE(leftTitle(work), QString("An agent runs in another window (process 22727)"));
        work.steps = 7;
        QCOMPARE(leftTitle(work), QString("The lesson runs in another window (process 22727)"));
        QVERIFY2(leftWords(work).contains("Vector loads"), qPrintable(leftWords(work)));
        QVERIFY2(!leftWords(work).contains("go on"), qPrintable(leftWords(work)));
    }

    void aWorkspaceWithoutARunLeftNothing() {
        const Scratch scratch;
        scratch.writeModel("plain");
        QVERIFY(leftWorkIn(scratch.path("plain"), scratch.folders()).left.run.isEmpty());
        QVERIFY(leftWorkIn(scratch.path("nowhere"), scratch.folders()).left.run.isEmpty());
    }

    void theLaterStateStaysInWhateverOrderItIsWritten() {
        const Scratch scratch;
        const QString file = scratch.path("window.json");
        WindowState state(file);
        QVERIFY(!state.writer()); // nothing has changed
        state.setBytes("open", "first");
        const auto first = state.writer();
        state.setBytes("open", "second");
        const auto second = state.writer();
        QVERIFY(first && second);
        second();
        first();
        QCOMPARE(WindowState(file).bytes("open"), QByteArray("second"));
        QVERIFY(!state.writer());
    }

    void anotherWindowsWorkspacesStay() {
        const Scratch scratch;
        const QString file = scratch.path("window.json");
        WindowState one(file);
        WindowState other(file);
        one.setWorkspace("/a", {{"file", "a.cu"}});
        one.writer()();
        other.setWorkspace("/b", {{"file", "b.cu"}});
        other.writer()();
        const WindowState read(file);
        QCOMPARE(read.workspace("/a")["file"].toString(), QStringLiteral("a.cu"));
        QCOMPARE(read.workspace("/b")["file"].toString(), QStringLiteral("b.cu"));
    }

    void windowsThatWriteAtOneMomentLoseNothing() {
        const Scratch scratch;
        const QString file = scratch.path("window.json");
        const auto writeMany = [file](const QString &name) {
            WindowState state(file);
            for (int i = 0; i < 200; ++i) {
                state.setWorkspace(QStringLiteral("/%1/%2").arg(name).arg(i % 20), {{"line", i}});
                state.setBytes(name, QByteArray::number(i));
                state.writer()();
                std::this_thread::sleep_for(
                    std::chrono::milliseconds(2)); // a lock is free between two writes
            }
        };
        std::thread one(writeMany, QStringLiteral("one")), other(writeMany, QStringLiteral("other"));
        one.join();
        other.join();
        const WindowState read(file);
        for (const char *name : {"one", "other"}) {
            QCOMPARE(read.bytes(name), QByteArray("199"));
            for (int i = 0; i < 20; ++i)
                QCOMPARE(read.workspace(QStringLiteral("/%1/%2").arg(name).arg(i))["line"].toInt(), 180 + i);
        }
    }

    void whatThisWindowHasNotChangedStaysAsAnotherWroteIt() {
        const Scratch scratch;
        const QString file = scratch.path("window.json");
        WindowState first(file);
        first.setBytes("panes", "narrow");
        first.setBytes("folds", "0");
        first.writer()();
        WindowState one(file), other(file);
        other.setBytes("panes", "wide");
        other.writer()();
        one.setBytes("folds", "1");
        one.writer()();
        QCOMPARE(WindowState(file).bytes("panes"), QByteArray("wide"));
        QCOMPARE(WindowState(file).bytes("folds"), QByteArray("1"));
        one.setBytes("panes", "one's own");
        one.writer()();
        QCOMPARE(WindowState(file).bytes("panes"), QByteArray("one's own"));
    }

    void whatCouldNotBeWrittenIsTriedAgain() {
        const Scratch scratch;
        scratch.write("data", "a file is in the way");
        const QString file = scratch.path("data/window.json");
        WindowState state(file);
        state.setBytes("open", "kept");
        state.writer()();
        QVERIFY(QFile::remove(scratch.path("data")));
        const auto again = state.writer();
        QVERIFY(again);
        again();
        QCOMPARE(WindowState(file).bytes("open"), QByteArray("kept"));
        QVERIFY(!state.writer());
    }

    void aBrokenFileIsAForgottenLayout() {
        const Scratch scratch;
        const QString file = scratch.write("window.json", "{ \"open\": ");
        WindowState state(file);
        QVERIFY(state.bytes("open").isEmpty());
        state.setBytes("open", "again");
        state.writer()();
        QCOMPARE(WindowState(file).bytes("open"), QByteArray("again"));
    }
};

QObject *makeTestLeftWork() {
    return new TestLeftWork;
}

#include "tst_left_work.moc"
