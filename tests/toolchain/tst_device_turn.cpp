// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/device_turn.h"

#include <QCoreApplication>
#include <QSignalSpy>
#include <QTest>

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

    void whereNoLockCanBeWrittenItIsGivenAtOnce() {
        DeviceTurn turn("/proc/nowhere", "cpu");
        turn.take();
        QTRY_VERIFY(turn.isHeld());
    }
};

QObject *makeTestDeviceTurn() {
    return new TestDeviceTurn;
}

#include "tst_device_turn.moc"
