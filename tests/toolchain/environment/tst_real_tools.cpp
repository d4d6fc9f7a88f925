// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/places.h"
#include "tests/toolchain/real_toolchain.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/environment/python_probe.h"

#include <QFileInfo>
#include <QTest>

using namespace warpwright;

class TestRealTools : public QObject {
    Q_OBJECT

private slots:
    void findsWhatThisMachineHas() {
        NEED_TOOL(missingTools(true).isEmpty(), missingTools(true));
        const Toolchain &tools = realToolchain();
        QVERIFY(QFileInfo(tools.hostCompiler->path).isExecutable());
        QVERIFY(QFileInfo::exists(tools.cuda->includeFolder + "/cuda_runtime.h"));
        QVERIFY(tools.cuda->architectures.contains("sm_90"));
        QVERIFY(!tools.cuda->ptxas.isEmpty() && !tools.cuda->libraryFolders.isEmpty());
        for (const QString &library : tools.python->torchLibraries)
            QVERIFY(QFileInfo::exists(tools.python->torchLibraryFolder() + "/" + library));
        for (const QString &folder : tools.python->torchIncludeFolders())
            QVERIFY(QFileInfo(folder).isDir());
        QVERIFY(tools.devicesMessage.isEmpty());
    }

    void saysTheSameOfATorchThatItImports() {
        NEED_TOOL(realToolchain().python.has_value(), realToolchain().pythonMessage);
        PythonProbe probe({realToolchain().python->interpreter, "a test"}, sourceFolder("/resources"));
        QSignalSpy finished(&probe, &PythonProbe::finished);
        QSignalSpy failed(&probe, &PythonProbe::failed);
        probe.start(true);
        QVERIFY(QTest::qWaitFor([&] { return finished.count() + failed.count() == 1; }, 120000));
        QVERIFY2(failed.isEmpty(), qPrintable(failed.value(0).value(0).toString()));
        QCOMPARE(finished[0][0].value<PythonEnvironment>(), *realToolchain().python);
    }
};

QObject *makeTestRealTools() {
    return new TestRealTools;
}

#include "tst_real_tools.moc"
