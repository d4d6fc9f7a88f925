// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/compile/device_choice.h"
#include "toolchain/tool_output/kernel_name.h"

#include <QTest>

using namespace warpwright;

namespace {

Toolchain machine(int devices, bool hasCuda) {
    Toolchain toolchain;
    PythonEnvironment python;
    python.interpreter = "/e/bin/python";
    python.torchVersion = "2.11.0";
    python.torchCuda = hasCuda ? "13.0" : "";
    toolchain.python = python;
    for (int index = 0; index < devices; ++index) {
        GpuDevice device;
        device.index = index;
        device.name = "NVIDIA H200";
        device.computeMajor = 9;
        toolchain.devices.push_back(device);
    }
    return toolchain;
}

} // namespace

class TestDeviceChoice : public QObject {
    Q_OBJECT

private slots:
    void chooses_data() {
        QTest::addColumn<QString>("asked");
        QTest::addColumn<int>("devices");
        QTest::addColumn<bool>("hasCuda");
        QTest::addColumn<QString>("chosen"); // empty: an error
        QTest::addColumn<QString>("words");  // of the doubt or the error
        QTest::newRow("auto, nothing there") << "auto" << 0 << true << "cpu"
                                             << "";
        QTest::newRow("auto, a GPU") << "auto" << 2 << true << "cuda:0"
                                     << "";
        QTest::newRow("auto, a torch without CUDA") << "auto" << 1 << false << "cpu"
                                                    << "NVIDIA H200 is here and was not used";
        QTest::newRow("not said") << "" << 1 << true << "cuda:0"
                                  << "";
        QTest::newRow("cpu beside a GPU") << "cpu" << 1 << true << "cpu"
                                          << "";
        QTest::newRow("the second") << "cuda:1" << 2 << true << "cuda:1"
                                    << "";
        QTest::newRow("no number") << "cuda" << 2 << true << "cuda:0"
                                   << "";
        QTest::newRow("one too many") << "cuda:2" << 2 << true << ""
                                      << "shows only cuda:0 to cuda:1";
        QTest::newRow("no driver") << "cuda:0" << 0 << true << ""
                                   << "no NVIDIA driver answers here";
        QTest::newRow("a torch without CUDA, asked for") << "cuda:0" << 1 << false << ""
                                                         << "CUDA";
        QTest::newRow("nonsense") << "gpu" << 1 << true << ""
                                  << "Say auto, cpu or cuda:N";
    }

    void chooses() {
        QFETCH(QString, asked);
        QFETCH(int, devices);
        QFETCH(bool, hasCuda);
        QFETCH(QString, chosen);
        QFETCH(QString, words);
        const Result<DeviceChoice> choice = chooseDevice(asked, machine(devices, hasCuda));
        QCOMPARE(choice.hasValue(), !chosen.isEmpty());
        if (choice.hasValue()) {
            QCOMPARE(choice.value().torchName(), chosen);
            QVERIFY2(choice.value().doubt.contains(words), qPrintable(choice.value().doubt));
            QCOMPARE(choice.value().doubt.isEmpty(), words.isEmpty());
        } else {
            QVERIFY2(choice.message().contains(words), qPrintable(choice.message()));
        }
    }

    void shortensKernelNames_data() {
        QTest::addColumn<QString>("demangled");
        QTest::addColumn<QString>("name");
        QTest::newRow("template") << "void (anonymous namespace)::softmax<4>(float const*, int)"
                                  << "softmax<4>";
        QTest::newRow("plain C") << "launch"
                                 << "launch";
        QTest::newRow("no return type") << "gate(float const*, float*)"
                                        << "gate";
        QTest::newRow("parentheses in a template") << "void k<(Mode)1, float (*)(int)>(float*)"
                                                   << "k<(Mode)1, float (*)(int)>";
        QTest::newRow("of Nsight Compute")
            << "void <unnamed>::softmax<(int)4, (unsigned int)2, float>(const float *, int)"
            << "softmax<4, 2, float>";
        QTest::newRow("without parameters") << "<unnamed>::gate"
                                            << "gate";
        QTest::newRow("negative numbers") << "void k<(int)-1>(float *)"
                                          << "k<-1>";
        QTest::newRow("namespaces") << "void a::b::k<int>(int)"
                                    << "a::b::k<int>";
        QTest::newRow("nothing") << ""
                                 << "";
        QTest::newRow("odd") << "operator()(int)"
                             << "operator";
    }

    void shortensKernelNames() {
        QFETCH(QString, demangled);
        QFETCH(QString, name);
        QCOMPARE(shortKernelName(demangled), name);
    }
};

QObject *makeTestDeviceChoice() {
    return new TestDeviceChoice;
}

#include "tst_device_choice.moc"
