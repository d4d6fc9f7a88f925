// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/workspace/workspace_lock.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QScopeGuard>
#include <QTest>

#include <unistd.h>

using namespace warpwright;

class TestWorkspaceLock : public QObject {
    Q_OBJECT

private slots:
    void letsOneIn() {
        const Scratch scratch;
        WorkspaceLock first(scratch.path("w/.warpwright"));
        QVERIFY(first.take() == WorkspaceLock::State::Held);
        QVERIFY(first.mayWrite() && first.message().isEmpty());
        QVERIFY(QFileInfo::exists(scratch.path("w/.warpwright/.gitignore"))); // a checkout takes nothing back
        QVERIFY(first.take() == WorkspaceLock::State::Held);
        {
            WorkspaceLock second(scratch.path("w/.warpwright"));
            QVERIFY(second.take() == WorkspaceLock::State::HeldByOther);
            QVERIFY(!second.mayWrite());
            QCOMPARE(second.holder().processId, static_cast<qint64>(getpid()));
            QCOMPARE(second.holder().program, QFileInfo(QCoreApplication::applicationFilePath()).fileName());
            QCOMPARE(second.message(),
                     QStringLiteral(
                         "This workspace is open in tst_toolchain (process %1), so it is read-only here. "
                         "Close it there to write here. The lock is \"%2/lock\".")
                         .arg(getpid())
                         .arg(scratch.path("w/.warpwright")));
        }
        // The second one's end takes nothing from the first.
        WorkspaceLock third(scratch.path("w/.warpwright"));
        QVERIFY(third.take() == WorkspaceLock::State::HeldByOther);
        first.release();
        QVERIFY(third.take() == WorkspaceLock::State::Held);
        const WorkspaceLock moved = std::move(third);
        QVERIFY(moved.mayWrite());
        QVERIFY(WorkspaceLock(scratch.path("w/.warpwright")).take() == WorkspaceLock::State::HeldByOther);
    }

    void takesOverFromTheDead() {
        const Scratch scratch;
        QProcess other;
        other.start(fakeTool(), {"--hang"});
        QVERIFY(other.waitForStarted());
        const QByteArray pid = QByteArray::number(other.processId());
        const QByteArray host = QSysInfo::machineHostName().toUtf8();
        scratch.write("state/lock", pid + "\nfake_tool\n" + host + "\n");
        WorkspaceLock lock(scratch.path("state"));
        QVERIFY(lock.take() == WorkspaceLock::State::HeldByOther);
        QCOMPARE(lock.holder(),
                 (WorkspaceLock::Holder{other.processId(), QString::fromUtf8(host), "fake_tool"}));
        other.kill();
        QVERIFY(other.waitForFinished());
        QVERIFY(lock.take() == WorkspaceLock::State::Held);
    }

    void leavesALockOfAnotherHostAlone() {
        const Scratch scratch;
        scratch.write("state/lock", "1\nwarpwright\nelsewhere\n");
        WorkspaceLock lock(scratch.path("state"));
        QVERIFY(lock.take() == WorkspaceLock::State::HeldByOther);
        QVERIFY2(lock.message().contains("open in warpwright (process 1 on elsewhere)"),
                 qPrintable(lock.message()));
    }

    void needsNoLockWhereNothingCanBeWritten() {
        if (geteuid() == 0)
            QSKIP("root may write everywhere");
        const Scratch scratch;
        scratch.write("w/model.py", "");
        QFile::setPermissions(scratch.path("w"), QFileDevice::ReadOwner | QFileDevice::ExeOwner);
        WorkspaceLock lock(scratch.path("w/.warpwright"));
        QVERIFY(lock.take() == WorkspaceLock::State::NotNeeded);
        QVERIFY(!lock.mayWrite() && lock.message().contains("read-only"));
        QFile::setPermissions(scratch.path("w"),
                              QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    }

    // The file would be there and empty, and look like another window's.
    void aFullDiskIsNoOtherWindow() {
        const Scratch scratch;
        scratch.write("small/w/model.py", "");
        const QString small = scratch.path("small");
        if (geteuid() != 0 ||
            QProcess::execute("mount", {"-t", "tmpfs", "-o", "size=64k", "tmpfs", small}) != 0)
            QSKIP("needs root, to mount a small disk");
        const auto unmount = qScopeGuard([&small] { QProcess::execute("umount", {small}); });
        scratch.write("small/w/.warpwright/task.json", "{}");
        QFile fill(small + "/fill");
        QVERIFY(fill.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
        while (fill.write(QByteArray(1024, 'x')) > 0) {
        }
        fill.close();
        WorkspaceLock lock(small + "/w/.warpwright");
        QVERIFY(lock.take() == WorkspaceLock::State::Failed);
        QVERIFY(lock.mayWrite()); // nobody else is known to
        QVERIFY2(lock.message().contains("the disk is full. Free some space"), qPrintable(lock.message()));
        QVERIFY(!QFileInfo::exists(small + "/w/.warpwright/lock"));
        WorkspaceLock second(small + "/w/.warpwright");
        QVERIFY(second.take() == WorkspaceLock::State::Failed);
        QVERIFY(fill.remove());
        QVERIFY(lock.take() == WorkspaceLock::State::Held);
        QVERIFY(second.take() == WorkspaceLock::State::HeldByOther);
        lock.release();
    }

    void saysWhyItCannotLock() {
        const Scratch scratch;
        scratch.write("state", "a file");
        WorkspaceLock lock(scratch.path("state"));
        const auto state = lock.take();
        QVERIFY(state == WorkspaceLock::State::NotNeeded || state == WorkspaceLock::State::Failed);
        QVERIFY2(lock.message().contains(scratch.path("state")), qPrintable(lock.message()));
    }
};

QObject *makeTestWorkspaceLock() {
    return new TestWorkspaceLock;
}

#include "tst_workspace_lock.moc"
