// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/process/worker_faults.h"

#include "tests/referee/tests.h"

#include <QTest>

#include <csignal>
#include <string>

namespace warpwright {

class WorkerFaultsTest : public QObject {
    Q_OBJECT

private slots:
    void whoIsToBlame_data() {
        QTest::addColumn<QByteArray>("message");
        QTest::addColumn<bool>("isOutOfMemory");
        QTest::addColumn<QByteArray>("verdict");
        QTest::newRow("the reference")
            << QByteArray("mat1 and mat2 shapes cannot be multiplied") << false << QByteArray("task-failed");
        QTest::newRow("no memory") << QByteArray("CUDA out of memory. Tried to allocate 2 GiB") << true
                                   << QByteArray("environment");
        // Seen in a warm-up beside two other checks.
        QTest::newRow("a library in itself")
            << QByteArray("cuDNN error: CUDNN_STATUS_INTERNAL_ERROR") << false << QByteArray("environment");
        QTest::newRow("a library asked wrongly")
            << QByteArray("cuDNN error: CUDNN_STATUS_BAD_PARAM") << false << QByteArray("task-failed");
    }
    void whoIsToBlame() {
        QFETCH(QByteArray, message);
        QFETCH(bool, isOutOfMemory);
        QFETCH(QByteArray, verdict);
        WorkerFault fault;
        fault.phase = "warm-up";
        fault.type = "RuntimeError";
        fault.message = message.toStdString();
        fault.outOfMemory = isOutOfMemory;
        const Fault said = faultOfReference("model.py", fault);
        QCOMPARE(QByteArray::fromStdString(said.verdict), verdict);
        QVERIFY(said.whatFailed.find("model.py") != std::string::npos);
        QVERIFY(said.why.find(message.toStdString()) != std::string::npos);
        QVERIFY(!said.advice.empty());
    }

    // Stress inputs and other parameters are the judge's: what they bring about is no fault of the task's.
    void whatOtherValuesMayMend() {
        WorkerFault raised;
        QVERIFY(raised.mayBeOfValues());
        WorkerFault aborted;
        aborted.kind = WorkerFault::Kind::Died;
        aborted.signal = SIGABRT;
        QVERIFY(aborted.mayBeOfValues());
        WorkerFault killed = aborted;
        killed.wasKilled = true; // by the kernel, when memory ran out
        QVERIFY(!killed.mayBeOfValues());
        WorkerFault full = raised;
        full.outOfMemory = true;
        QVERIFY(!full.mayBeOfValues());
        WorkerFault late;
        late.kind = WorkerFault::Kind::TimedOut;
        QVERIFY(!late.mayBeOfValues());
    }

    void saysWhatTheDeviceSaid() {
        WorkerFault lost;
        lost.kind = WorkerFault::Kind::Died;
        lost.lostDevice = true;
        lost.phase = "forward";
        lost.message = "raised AcceleratorError (CUDA error: device-side assert triggered), and the device "
                       "takes no more work from it: CUDA error: device-side assert triggered";
        lost.detail = "Assertion `t >= 0 && t < n_classes` failed.\n";
        const Fault said = faultOfReference("model.py", lost);
        QCOMPARE(said.verdict, std::string("task-failed"));
        QVERIFY(said.why.starts_with("Its process raised AcceleratorError"));
        QVERIFY(said.why.find("n_classes") != std::string::npos);
    }
};

QObject *workerFaultsTest() {
    return new WorkerFaultsTest;
}

} // namespace warpwright

#include "tst_worker_faults.moc"
