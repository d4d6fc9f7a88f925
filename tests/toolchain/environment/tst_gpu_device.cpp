// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/environment/gpu_device.h"

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
