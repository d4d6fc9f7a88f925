// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/gpu_device.h"

#include <QFileInfo>
#include <QTest>

using namespace warpwright;

class TestGpuDevice : public QObject {
    Q_OBJECT

private slots:
    void namesTheArchitecture_data() {
        QTest::addColumn<int>("major");
        QTest::addColumn<int>("minor");
        QTest::addColumn<QString>("architecture");
        QTest::newRow("T4") << 7 << 5 << "sm_75";
        QTest::newRow("A100") << 8 << 0 << "sm_80";
        QTest::newRow("H100") << 9 << 0 << "sm_90a";
        QTest::newRow("B200") << 10 << 0 << "sm_100a";
        QTest::newRow("RTX 50") << 12 << 0 << "sm_120a";
    }

    void namesTheArchitecture() {
        QFETCH(int, major);
        QFETCH(int, minor);
        QTEST(architectureFor(major, minor), "architecture");
    }

    void showsWhatCudaWouldShow_data() {
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("one") << "1" << QStringList{"b"};
        QTest::newRow("another order") << "2,0" << QStringList{"c", "a"};
        QTest::newRow("ends at what is not there") << "0,7,1" << QStringList{"a"};
        QTest::newRow("none") << "" << QStringList{};
        QTest::newRow("minus one") << "-1" << QStringList{};
        QTest::newRow("by the beginning of a UUID") << "GPU-cc" << QStringList{"c"};
        QTest::newRow("with spaces") << " 0 , 1 " << QStringList{"a", "b"};
    }

    void showsWhatCudaWouldShow() {
        QFETCH(QString, variable);
        std::vector<GpuDevice> all(3);
        for (int i = 0; i < 3; ++i) {
            GpuDevice &device = all[static_cast<std::size_t>(i)];
            device.index = i;
            device.name = QChar('a' + i);
            device.uuid = "GPU-" + device.name + device.name;
        }
        QStringList names;
        int index = 0;
        for (const GpuDevice &device : visibleDevices(all, variable)) {
            names << device.name;
            QCOMPARE(device.index, index++);
        }
        QTEST(names, "names");
    }

    void isNoErrorWithoutADriver() {
        const auto devices = findGpuDevices();
        QVERIFY2(devices.hasValue(), qPrintable(devices.message()));
        if (!QFileInfo::exists("/proc/driver/nvidia/version"))
            QVERIFY(devices.value().empty());
        for (const GpuDevice &device : devices.value())
            QVERIFY(!device.name.isEmpty() && device.uuid.startsWith("GPU-") && device.memoryBytes > 0 &&
                    device.computeMajor > 0);
    }
};

QObject *makeTestGpuDevice() {
    return new TestGpuDevice;
}

#include "tst_gpu_device.moc"
