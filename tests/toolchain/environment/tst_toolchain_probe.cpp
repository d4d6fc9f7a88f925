// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/environment/toolchain_probe.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

QByteArray nvccSaying(const char *version) {
    return QByteArray("#!/bin/sh\ncase $1 in --version) echo 'Cuda compilation tools, release X, V") +
           version + "';; *) echo sm_90;; esac\n";
}

Toolchain probed(const ToolchainProbe::Request &request) {
    ToolchainProbe probe(request);
    QSignalSpy finished(&probe, &ToolchainProbe::finished);
    probe.start();
    return QTest::qWaitFor([&finished] { return finished.count() == 1; }, 20000)
               ? finished[0][0].value<Toolchain>()
               : Toolchain();
}

/// An interpreter that says it has a torch of this CUDA, with the wheels of `nvidiaRoot`.
QByteArray pythonWith(const Scratch &scratch, const char *cuda) {
    scratch.write("include/Python.h", "");
    return "#!/bin/sh\ncat <<'END'\n{\"version\": \"3.11.2\", \"includeFolder\": \"" +
           scratch.path("include").toUtf8() +
           "\", \"torchFolder\": \"/t\", \"torchVersion\": \"2.11.0\", \"torchCuda\": \"" + cuda +
           "\", \"torchLibraries\": [\"libc10.so\", \"libc10_cuda.so\", \"libtorch.so\", "
           "\"libtorch_cpu.so\", \"libtorch_cuda.so\", \"libtorch_python.so\"],"
           " \"nvidiaRoot\": \"" +
           scratch.path("wheels").toUtf8() + "\"}\nEND\n";
}

} // namespace

class TestToolchainProbe : public QObject {
    Q_OBJECT

private slots:
    void hasASentenceForEachMissingPart() {
        const Scratch scratch;
        ToolchainProbe::Request request;
        request.folders = scratch.folders();
        request.environment = {};
        request.settings.cuda = scratch.path("none"); // keeps this machine's own toolkit out
        const Toolchain toolchain = probed(request);
        QVERIFY(!toolchain.python && !toolchain.cuda && !toolchain.hostCompiler);
        QVERIFY(toolchain.pythonMessage.contains("Cannot find a Python with torch"));
        QVERIFY(toolchain.hostCompilerMessage.contains("Cannot find the C++ compiler"));
        QVERIFY2(toolchain.cudaMessage.startsWith(
                     QStringLiteral("Cannot start \"%1\": No such file or directory. Set \"cuda\"")
                         .arg(scratch.path("none/bin/nvcc"))),
                 qPrintable(toolchain.cudaMessage));
    }

    void prefersTheToolkitThatFitsTorch_data() {
        QTest::addColumn<QByteArray>("torchCuda");
        QTest::addColumn<int>("version");
        QTest::newRow("torch of the same CUDA") << QByteArray("12.8") << 12;
        QTest::newRow("torch of another CUDA") << QByteArray("13.0") << 13;
        QTest::newRow("torch without CUDA") << QByteArray("") << 12;
    }

    void prefersTheToolkitThatFitsTorch() {
        QFETCH(QByteArray, torchCuda);
        const Scratch scratch;
        scratch.writeProgram("old/bin/nvcc", nvccSaying("12.8.1"));
        scratch.writeProgram("wheels/bin/nvcc", nvccSaying("13.0.88"));
        ToolchainProbe::Request request;
        request.folders = scratch.folders();
        request.python = scratch.writeProgram("python", pythonWith(scratch, torchCuda.constData()));
        request.environment.insert("CUDA_HOME", scratch.path("old"));
        request.environment.insert("PATH", "/bin");
        const Toolchain toolchain = probed(request);
        QVERIFY2(toolchain.cuda.has_value(), qPrintable(toolchain.cudaMessage + toolchain.pythonMessage));
        QTEST(toolchain.cuda->majorVersion(), "version");
        QVERIFY(toolchain.cuda->architectures.contains("sm_90"));
    }

    void namesABrokenCompiler() {
        const Scratch scratch;
        ToolchainProbe::Request request;
        request.folders = scratch.folders();
        request.environment.insert("PATH", scratch.path("bin") + ":/bin");
        scratch.writeProgram("bin/g++", "#!/bin/sh\necho 'g++: cannot execute cc1plus' >&2\nexit 1\n");
        scratch.writeProgram("cuda/bin/nvcc", "#!/bin/sh\nkill -ABRT $$\n");
        request.settings.cuda = scratch.path("cuda");
        const Toolchain toolchain = probed(request);
        QVERIFY2(toolchain.hostCompilerMessage.contains("g++: cannot execute cc1plus"),
                 qPrintable(toolchain.hostCompilerMessage));
        QVERIFY2(toolchain.cudaMessage.contains("ended by signal 6"), qPrintable(toolchain.cudaMessage));
    }

    void canBeCancelled() {
        const Scratch scratch;
        ToolchainProbe::Request request;
        request.folders = scratch.folders();
        request.python = scratch.writeProgram("python", "#!/bin/sh\nsleep 60\n");
        request.settings.cuda = scratch.path("none");
        ToolchainProbe probe(request);
        QSignalSpy finished(&probe, &ToolchainProbe::finished);
        probe.start();
        QTest::qWait(50);
        probe.cancel();
        QTRY_COMPARE(finished.count(), 1);
        QVERIFY(!finished[0][0].value<Toolchain>().python);
    }
};

QObject *makeTestToolchainProbe() {
    return new TestToolchainProbe;
}

#include "tst_toolchain_probe.moc"
