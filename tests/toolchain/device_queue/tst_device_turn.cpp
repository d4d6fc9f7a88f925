// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/device_queue/device_turn.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include <sys/file.h>
#include <sys/stat.h>

using namespace warpwright;

class TestDeviceTurn : public QObject {
    Q_OBJECT
private slots:
    void isGivenToOneAfterTheOther() {
        const Scratch scratch;
        DeviceTurn first(scratch.path(), "cpu"), second(scratch.path(), "cpu"),
            other(scratch.path(), "GPU-1");
        const QSignalSpy secondTaken(&second, &DeviceTurn::taken), waiting(&second, &DeviceTurn::waiting);
        first.take();
        QTRY_VERIFY(first.isHeld());
        second.take();
        other.take();
        QTRY_VERIFY(other.isHeld()); // another device
        QTRY_COMPARE(waiting.size(), 1);
        const DeviceWait wait = waiting[0][0].value<DeviceWait>();
        QCOMPARE(wait.position, 1);
        QVERIFY(wait.holder);
        QCOMPARE(wait.holder->process, QCoreApplication::applicationPid());
        QVERIFY(!second.isHeld());
        first.release();
        QTRY_VERIFY(second.isHeld());
        QCOMPARE(secondTaken.size(), 1);
    }

    void aDeadHoldersTurnIsOver() {
        const Scratch scratch;
        scratch.write("devices/cpu.lock",
                      "999999999\nwright\n" + QSysInfo::machineHostName().toUtf8() + "\n");
        DeviceTurn turn(scratch.path(), "cpu");
        turn.take();
        QTRY_VERIFY(turn.isHeld());
    }

    void theTurnOfOneWhoDiedNamelessIsOver() {
        const Scratch scratch;
        scratch.write("devices/cpu.lock", "");
        DeviceTurn turn(scratch.path(), "cpu");
        turn.take();
        QTRY_VERIFY(turn.isHeld());
        DeviceTurn next(scratch.path(), "cpu");
        next.take();
        QTest::qWait(LifetimeLock::ownerlessMs * 3 / 2);
        QVERIFY(!next.isHeld()); // the file that it made names its holder
        turn.release();
        QTRY_VERIFY(next.isHeld());
    }

    void isTakenAlthoughSomethingElseLiesInThePlaceOfTheLock_data() {
        QTest::addColumn<QString>("what");
        for (const char *what : {"a folder", "a pipe", "a link to nowhere"})
            QTest::newRow(what) << what;
    }
    void isTakenAlthoughSomethingElseLiesInThePlaceOfTheLock() {
        QFETCH(const QString, what);
        const Scratch scratch;
        QVERIFY(QDir().mkpath(scratch.path("devices")));
        const QString lock = scratch.path("devices/cpu.lock");
        if (what == QLatin1String("a folder"))
            QVERIFY(QDir().mkdir(lock));
        else if (what == QLatin1String("a pipe"))
            QCOMPARE(::mkfifo(qPrintable(lock), 0600), 0);
        else
            QVERIFY(QFile::link("/nowhere/lock", lock));
        DeviceTurn turn(scratch.path(), "cpu"), next(scratch.path(), "cpu");
        turn.take();
        QTRY_VERIFY(turn.isHeld());
        next.take();
        QTRY_VERIFY(next.wait().has_value());
        QVERIFY(!next.isHeld());
        turn.release();
        QTRY_VERIFY(next.isHeld());
    }

    void aListThatIsNoneHoldsNobodyUp_data() {
        QTest::addColumn<QByteArray>("list");
        QTest::newRow("deep") << QByteArray(20'000'000, '[');
        QTest::newRow("a pipe for a place") << QByteArray(R"([{"ticket": "ticket-1-00000001"}])");
    }
    void aListThatIsNoneHoldsNobodyUp() {
        QFETCH(const QByteArray, list);
        const Scratch scratch;
        scratch.write("devices/cpu.line/line.json", list);
        QCOMPARE(::mkfifo(qPrintable(scratch.path("devices/cpu.line/ticket-1-00000001")), 0600), 0);
        DeviceTurn turn(scratch.path(), "cpu");
        turn.take();
        QTRY_VERIFY(turn.isHeld());
    }

    void endsWithItsObject() {
        const Scratch scratch;
        {
            DeviceTurn first(scratch.path(), "cpu");
            first.take();
            QTRY_VERIFY(first.isHeld());
        }
        DeviceTurn second(scratch.path(), "cpu");
        second.take();
        QTRY_VERIFY(second.isHeld());
    }

    void whereNoLockCanBeWrittenItIsOneAtATime() {
        DeviceTurn turn("/proc/nowhere", "cpu"), next("/proc/nowhere", "cpu");
        turn.take();
        QTRY_VERIFY(turn.isHeld());
        next.take();
        QTRY_VERIFY(next.wait().has_value());
        QVERIFY(next.wait()->disorder.contains("/proc/nowhere"));
        QVERIFY(!next.isHeld());
        turn.release();
        QTRY_VERIFY(next.isHeld());
        QVERIFY2(next.trouble().isEmpty(), qPrintable(next.trouble()));
    }

    // A program that was stopped while it wrote the list keeps the list's lock.
    void whereTheListIsNeverFreeItGoesWithoutAnOrder() {
        const Scratch scratch;
        QVERIFY(QDir().mkpath(scratch.path("devices/cpu.line")));
        QFile guard(scratch.path("devices/cpu.line/guard"));
        QVERIFY(guard.open(QIODevice::WriteOnly));
        QVERIFY(::flock(guard.handle(), LOCK_EX | LOCK_NB) == 0);
        DeviceTurn turn(scratch.path(), "cpu");
        turn.take();
        QTRY_VERIFY_WITH_TIMEOUT(turn.isHeld(), 10 * DeviceTurn::patienceMs);
    }
};

QObject *makeTestDeviceTurn() {
    return new TestDeviceTurn;
}

#include "tst_device_turn.moc"
