// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/environment/shown_devices.h"

#include <QTest>

using namespace warpwright;

namespace {

std::vector<GpuDevice> three() {
    std::vector<GpuDevice> all(3);
    for (int i = 0; i < 3; ++i) {
        GpuDevice &device = all[static_cast<std::size_t>(i)];
        device.index = i;
        device.name = QChar('a' + i);
        device.uuid = device.cardUuid = "GPU-" + device.name + "b" + device.name;
        device.driver = "580.1";
    }
    return all;
}

} // namespace

class TestShownDevices : public QObject {
    Q_OBJECT

private slots:
    void showsWhatCudaWouldShow_data() {
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("one") << "1" << QStringList{"b"};
        QTest::newRow("another order") << "2,0" << QStringList{"c", "a"};
        QTest::newRow("ends at what is not there") << "0,7,1" << QStringList{"a"};
        QTest::newRow("ends at minus one") << "2,-1,1" << QStringList{"c"};
        QTest::newRow("none") << "" << QStringList{};
        QTest::newRow("minus one") << "-1" << QStringList{};
        QTest::newRow("one twice") << "0,1,0" << QStringList{};
        QTest::newRow("by the beginning of a UUID") << "GPU-cb" << QStringList{"c"};
        QTest::newRow("by UUIDs, another order") << "GPU-cbc,GPU-aba" << QStringList{"c", "a"};
        QTest::newRow("a beginning of several") << "GPU-" << QStringList{};
        QTest::newRow("a UUID twice") << "GPU-aba,GPU-ab" << QStringList{};
        QTest::newRow("a number after a UUID") << "GPU-aba,1" << QStringList{"a"};
        QTest::newRow("a UUID after a number") << "1,GPU-aba" << QStringList{"b"};
        QTest::newRow("letters after a number") << "1st,2nd" << QStringList{"b", "c"};
        QTest::newRow("with spaces") << " 0 , 1 " << QStringList{"a", "b"};
    }

    void showsWhatCudaWouldShow() {
        QFETCH(QString, variable);
        QStringList names;
        int index = 0;
        for (const GpuDevice &device : visibleDevices(three(), variable)) {
            names << device.name;
            QCOMPARE(device.index, index++);
        }
        QTEST(names, "names");
    }

    void takesTheDriversOrder() {
        const auto shown = readDriverAnswer(
            R"({"devices": [{"name": "c", "uuid": "GPU-cbc", "cardUuid": "GPU-cbc", "computeMajor": 9, "computeMinor": 0, "memoryBytes": 7},
                {"name": "a MIG 1g", "uuid": "MIG-x", "cardUuid": "GPU-aba", "computeMajor": 8, "computeMinor": 0, "memoryBytes": 5}]})",
            three());
        QVERIFY(shown.hasValue());
        QCOMPARE(shown.value().size(), std::size_t{2});
        const GpuDevice &slice = shown.value()[1];
        QCOMPARE(shown.value()[0].index, 0);
        QCOMPARE(shown.value()[0].uuid, QString("GPU-cbc"));
        QCOMPARE(slice.index, 1);
        QCOMPARE(slice.uuid, QString("MIG-x"));
        QCOMPARE(slice.cardUuid, QString("GPU-aba"));
        QCOMPARE(slice.driver, QString("580.1"));
        QCOMPARE(slice.memoryBytes, 5);
        QCOMPARE(slice.architecture(), QString("sm_80"));
    }

    void isAnErrorWhereTheDriverTellsNothing_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("no JSON") << QByteArray("Traceback");
        QTest::newRow("a problem") << QByteArray(R"({"problem": "cuInit answers 999"})");
        QTest::newRow("something else") << QByteArray("[]");
    }

    void isAnErrorWhereTheDriverTellsNothing() {
        QFETCH(QByteArray, json);
        QVERIFY(!readDriverAnswer(json, three()).hasValue());
    }

    void asksOnlyWhereItCannotKnow() {
        std::vector<GpuDevice> all = three();
        QVERIFY(needsDriver(all));
        all.resize(1);
        QVERIFY(!needsDriver(all));
        all.front().isSliced = true;
        QVERIFY(needsDriver(all));
        QVERIFY(!needsDriver({}));
    }
};

QObject *makeTestShownDevices() {
    return new TestShownDevices;
}

#include "tst_shown_devices.moc"
