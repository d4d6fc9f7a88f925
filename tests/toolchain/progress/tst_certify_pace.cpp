// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/progress/certify_pace.h"

#include <QTest>

using namespace warpwright;

class TestCertifyPace : public QObject {
    Q_OBJECT
private slots:
    void saysHowFarItIs() {
        CertifyPace pace(5);
        QCOMPARE(pace.told("prepare the arms", 0), QString("prepare the arms"));
        QCOMPARE(pace.processes(), 0);
        QCOMPARE(pace.told("warm up (process 1)", 10), QString("warm up (process 1 of about 5)"));
        QCOMPARE(pace.told("block 3 of at most 30 in process 1", 20),
                 QString("block 3 of at most 30 in process 1 of about 5"));
        QCOMPARE(pace.told("block 1 of at most 30 in process 2", 50),
                 QString("block 1 of at most 30 in process 2 of about 5, about 2:40 left"));
        QCOMPARE(pace.told("block 2 of at most 30 in process 2", 60),
                 QString("block 2 of at most 30 in process 2 of about 5, about 2:30 left"));
        // The first took longer than those after it.
        QCOMPARE(pace.told("warm up (process 3)", 80),
                 QString("warm up (process 3 of about 5, about 1:30 left)"));
        QCOMPARE(pace.processes(), 3);
    }

    void expectsTheFewestWhereNothingIsKnown() {
        CertifyPace pace;
        QCOMPARE(pace.told("warm up (process 1)", 0), QString("warm up (process 1 of about 3)"));
        // One more than expected is the last as far as anybody knows.
        for (int process = 2; process <= 4; ++process)
            static_cast<void>(pace.told(QString("warm up (process %1)").arg(process), 30 * process));
        QCOMPARE(pace.told("block 9 of at most 30 in process 4", 140),
                 QString("block 9 of at most 30 in process 4 of about 4, about 0:10 left"));
    }
};

QObject *makeTestCertifyPace() {
    return new TestCertifyPace;
}

#include "tst_certify_pace.moc"
