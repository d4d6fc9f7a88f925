// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/process/worker_faults.h"

#include "tests/referee/tests.h"

#include <QTest>

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
};

QObject *workerFaultsTest() {
    return new WorkerFaultsTest;
}

} // namespace warpwright

#include "tst_worker_faults.moc"
