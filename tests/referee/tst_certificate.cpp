// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/timing/certificate.h"
#include "tests/referee/tests.h"

#include <QTest>

#include <limits>

namespace warpwright {

namespace {

LaneOutcome lane(double half, double againLow, double againHigh) {
    LaneOutcome outcome;
    outcome.speedup = Interval{2.0, 2.0 * (1.0 - half), 2.0 * (1.0 + half)};
    outcome.sameAgain = Interval{(againLow + againHigh) / 2.0, againLow, againHigh};
    return outcome;
}

LaneOutcome noLane(const char *why) {
    LaneOutcome outcome;
    outcome.missing = why;
    return outcome;
}

} // namespace

class CertificateTest : public QObject {
    Q_OBJECT

private slots:
    void isGivenForANarrowIntervalBesideACleanGate() {
        const Certificate certificate("eager", lane(0.005, 0.996, 1.004), noLane("a CPU has no CUDA graphs"));
        QVERIFY(certificate.isGiven());
        QCOMPARE(certificate.lane(), std::string("calls"));
        const Json json = certificate.toJson(3);
        QVERIFY(json["status"] == "passed");
        QVERIFY(json["reason"] == "");
        QVERIFY(json["sameAgain"]["arm"] == "eager");
        QVERIFY(json["sameAgain"]["graph"].is_null());
    }

    void isNotGiven_data() {
        QTest::addColumn<double>("half");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::newRow("wide") << 0.011 << 0.999 << 1.001;
        QTest::newRow("the same code was slower") << 0.005 << 0.985 << 0.995;
        QTest::newRow("the same code was faster") << 0.005 << 1.001 << 1.012;
        QTest::newRow("the gate itself is wide") << 0.005 << 0.98 << 1.02;
        QTest::newRow("no number") << std::numeric_limits<double>::quiet_NaN() << 0.999 << 1.001;
        QTest::newRow("the gate is no number") << 0.005 << 0.999 << std::numeric_limits<double>::quiet_NaN();
    }
    void isNotGiven() {
        QFETCH(double, half);
        QFETCH(double, low);
        QFETCH(double, high);
        const Certificate certificate("compile", lane(half, low, high), noLane("no graph"));
        QVERIFY(!certificate.isGiven());
        const Json json = certificate.toJson(12);
        QVERIFY(json["status"] == "failed");
        QVERIFY(json["lane"].is_null());
        QVERIFY(json["reason"].get<std::string>().find("no graph") != std::string::npos);
    }

    void fallsBackToTheGraphAndSaysWhyNotTheCalls() {
        const Certificate certificate("eager", lane(0.03, 0.98, 1.03), lane(0.004, 0.998, 1.003));
        QCOMPARE(certificate.lane(), std::string("graph"));
        QVERIFY(!certificate.whyNotCalls().empty());
    }
};

QObject *certificateTest() {
    return new CertificateTest;
}

} // namespace warpwright

#include "tst_certificate.moc"
