// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent_tools/tools_world.h"

#include "toolchain/compile/device_choice.h"
#include "toolchain/environment/gpu_device.h"

#include <QTest>

using namespace warpwright;
using Outcome = ToolAnswer::Outcome;

/// `bash` with the device: on a CPU it says that there is none; on a GPU it runs with it.
class TestBashDevice : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_world = std::make_unique<ToolsWorld>();
        m_world->addUtils();
    }
    void saysThatThereIsNone() {
        m_world->open("cpu");
        for (const Json &arguments : {Json{{"command", "nvidia-smi"}, {"device", true}},
                                      Json{{"command", "sudo python3 -m utils.verification"}},
                                      Json{{"command", "bash utils/compile.sh"}}}) {
            const ToolAnswer answer = m_world->call("bash", arguments);
            QCOMPARE(answer.outcome, Outcome::Failed);
            QVERIFY2(answer.text.contains("there is no GPU here"), qPrintable(answer.text));
        }
    }
    void runsWithIt() {
        NEED_SANDBOX();
        const auto devices = findGpuDevices();
        if (!devices.hasValue() || devices.value().empty())
            QSKIP("needs a GPU");
        m_world->place.request.python = qEnvironmentVariable("WARPWRIGHT_TEST_PYTHON");
        m_world->open("cuda:0");
        (void)m_world->bash("cd kernels; export MARK='it''s \"here\"'");
        const ToolAnswer answer = m_world->call(
            "bash", {{"command", "pwd; echo \"$MARK\"; ls /dev | grep nvidia"}, {"device", true}});
        if (answer.text.contains("torch"))
            QSKIP("needs a torch with CUDA");
        QVERIFY2(answer.outcome == Outcome::Ok, qPrintable(answer.text));
        QVERIFY2(answer.text.contains("/kernels\nits \"here\"\n") && answer.text.contains("nvidia"),
                 qPrintable(answer.text));
    }

private:
    std::unique_ptr<ToolsWorld> m_world;
};

QObject *makeTestBashDevice() {
    return new TestBashDevice;
}

#include "tst_bash_device.moc"
