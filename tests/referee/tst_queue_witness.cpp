// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/process/queue_witness.h"
#include "tests/referee/tests.h"

#include <QTest>

#include <chrono>
#include <fstream>
#include <thread>
#include <unistd.h>
#include <vector>

namespace warpwright {

namespace {

bool keepsAccount() {
    std::ifstream file("/proc/thread-self/schedstat");
    unsigned long long ran = 0;
    return file >> ran && ran > 0;
}

void workFor(std::chrono::milliseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
    }
}

} // namespace

/// Time that a process's threads stand in line for a processor.
class QueueWitnessTest : public QObject {
    Q_OBJECT

private slots:
    void moreThreadsThanProcessorsWait() {
        if (!keepsAccount())
            QSKIP("this kernel keeps no account of waits");
        QueueWitness witness(getpid());
        witness.begin();
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < 4 * std::thread::hardware_concurrency(); ++i)
            threads.emplace_back(workFor, std::chrono::milliseconds(200));
        // While they live: who has ended is in no list.
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        const double waited = witness.waitedSeconds();
        QueueWitness later(getpid());
        later.begin(); // what was before does not count
        QVERIFY(later.waitedSeconds() < waited);
        for (std::thread &thread : threads)
            thread.join();
        QVERIFY2(waited > 0.02, qPrintable(QString::number(waited)));
    }

    void whoIsGoneIsNoError() {
        QueueWitness gone(0x3fffffff);
        gone.begin();
        QVERIFY(gone.waitedSeconds() < 0.5); // the judge's own wait alone
    }
};

QObject *queueWitnessTest() {
    return new QueueWitnessTest;
}

} // namespace warpwright

#include "tst_queue_witness.moc"
