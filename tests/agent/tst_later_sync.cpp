// SPDX-License-Identifier: GPL-3.0-or-later
// What is synced in the pool: a disk that refuses is told of once, and whoever wrote lets go of the file at
// once.
#include "agent/record/later_sync.h"
#include "agent/record/trajectory_reader.h"
#include "agent/record/trajectory_writer.h"
#include "tests/toolchain/scratch.h"

#include <QCoreApplication>
#include <QTest>
#include <QThread>
#include <QThreadPool>

#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <unistd.h>

using namespace warpwright;

class TestLaterSync : public QObject {
    Q_OBJECT

private slots:
    void tellsOnceWhatTheDiskRefuses() {
        int ends[2] = {-1, -1};
        QCOMPARE(pipe2(ends, O_CLOEXEC), 0); // a pipe lies on no disk
        LaterSync later(ends[1]);
        QStringList told;
        QThread *in = nullptr;
        later.setTold([&](const QString &reason) {
            told << reason;
            in = QThread::currentThread();
        });
        later.ask();
        QTRY_COMPARE_WITH_TIMEOUT(told, QStringList{qt_error_string(EINVAL)}, 20000);
        QCOMPARE(in, QThread::currentThread());
        for (int i = 0; i < 20; ++i)
            later.ask();
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();
        QCOMPARE(told.size(), 1);
        ::close(ends[0]);
    }

    void closesTheFileOnceAllIsDone() {
        int ends[2] = {-1, -1};
        QCOMPARE(pipe2(ends, O_CLOEXEC), 0);
        {
            LaterSync later(ends[1]);
            later.ask();
        }
        QThreadPool::globalInstance()->waitForDone();
        char none = 0;
        QCOMPARE(::read(ends[0], &none, 1), ssize_t{0}); // nobody holds the other end
        ::close(ends[0]);
    }

    void aWriterThatGoesLeavesTheRunToTheNext() {
        const Scratch scratch;
        const auto told = std::make_shared<QStringList>();
        QString folder;
        for (int round = 0; round < 20; ++round) {
            Result<TrajectoryWriter> opened = folder.isEmpty()
                                                  ? TrajectoryWriter::beginRun(scratch.path("state"))
                                                  : TrajectoryWriter::continueRun(folder);
            QVERIFY2(opened.hasValue(), qPrintable(opened.message()));
            TrajectoryWriter writer = std::move(opened).value();
            writer.syncLater([told](const QString &message) { *told << message; });
            folder = writer.folder();
            for (int i = 0; i < 10; ++i)
                QVERIFY(writer.append("message", {{"text", std::string(20000, 'x')}}).hasValue());
            QCOMPARE(writer.lastNumber(), (round + 1) * 10);
        }
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();
        QCOMPARE(*told, QStringList());
        const auto page = TrajectoryReader(trajectoryFile(folder)).page(0, 1000);
        QCOMPARE(page.value().events.size(), 200U);
        QCOMPARE(page.value().passedOver, 0);
    }
};

QObject *makeTestLaterSync() {
    return new TestLaterSync;
}

#include "tst_later_sync.moc"
