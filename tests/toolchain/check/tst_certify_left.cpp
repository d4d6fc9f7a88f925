// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/check/certify_left.h"

#include <QTest>

using namespace warpwright;

class TestCertifyLeft : public QObject {
    Q_OBJECT

private slots:
    void saysHowFarItCame() {
        CertifyLeft left;
        QVERIFY(left.words(5).isEmpty());
        for (int process = 0; process < 3; ++process)
            left.add({{"calls", {{"eager", {95.0, 96.0, 97.0}}, {"candidate", {24.0, 25.0 + process}}}},
                      {"graph", Json::object()}});
        QCOMPARE(left.words(5), QString("after 3 of about 5 processes, no verdict"));
        // There was to be another one.
        QCOMPARE(left.words(3), QString("after 3 of about 4 processes, no verdict"));
        QCOMPARE(left.detail(), QString("candidate: 24.5, 25, 25.5 us\neager: 96, 96, 96 us"));
        const OrderedJson section = left.section(5);
        QCOMPARE(section["processes"].get<int>(), 3);
        QCOMPARE(section["expected"].get<int>(), 5);
        QCOMPARE(section["measured"].size(), std::size_t{3});
        QVERIFY(section["measured"][2]["calls"]["candidate"] == OrderedJson::array({24.0, 27.0}));
    }

    void whatIsNoTimeIsLeftOut() {
        CertifyLeft left;
        left.add("no object");
        QCOMPARE(left.processes(), 0);
        left.add({{"calls", {{"candidate", {24.0, "quick", -1.0, nullptr}}, {"eager", "95"}}}, {"graph", 7}});
        const OrderedJson section = left.section(3);
        QCOMPARE(section["measured"][0]["calls"].size(), std::size_t{1});
        QVERIFY(section["measured"][0]["calls"]["candidate"] == OrderedJson::array({24.0}));
        QVERIFY(section["measured"][0]["graph"].empty());
        QCOMPARE(left.detail(), QString("candidate: 24 us"));
    }
};

QObject *makeTestCertifyLeft() {
    return new TestCertifyLeft;
}

#include "tst_certify_left.moc"
