// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/places.h"
#include "tests/toolchain/real_toolchain.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/environment/toolchain_probe.h"

#include <QFileInfo>
#include <QProcess>
#include <QTest>

using namespace warpwright;

class TestCompileCuda : public QObject {
    Q_OBJECT

private slots:
    void init() { NEED_TOOL(missingTools(true).isEmpty(), missingTools(true)); }

    void compilesAWorkspaceOfCudaAgentUnchanged() {
        const Scratch scratch;
        QProcess::execute("cp", {"-r", testData("/workspaces/cuda-agent"), scratch.path("ws")});
        const auto workspace = Workspace::open(scratch.path("ws"), scratch.folders());
        QVERIFY2(workspace.hasValue(), qPrintable(workspace.message()));
        QVERIFY(workspace.value().hasUtils);
        // Asked for the CPU: there is no twin, so it is compiled for CUDA and says that it cannot run here.
        const auto plan = makeCompilePlan(workspace.value(), realToolchain(), {TargetKind::Cpu, "sm_90a"});
        QVERIFY2(plan.hasValue(), qPrintable(plan.message()));
        QVERIFY(plan.value().notRunnable.contains("no CPU twin"));
        const RunResult result = runCompile(plan.value(), scratch.path("cache"));
        QVERIFY2(result.outcome && result.outcome->status == CompileStatus::Passed,
                 qPrintable(result.message + (result.outcome ? result.outcome->log : QString())));
        QVERIFY(result.outcome->log.contains("--use_fast_math"));
        QVERIFY(!result.outcome->kernels.empty());
        QCOMPARE(result.outcome->kernels[0].arch, QStringLiteral("sm_90a"));
        // It loads without a driver, too: nothing in it asks for libcuda.so.1 by name.
        QProcess python;
        python.setWorkingDirectory(result.outcome->runFolder);
        python.start(realToolchain().python->interpreter,
                     {"-c", "import sys; sys.path.insert(0, '.'); import torch, cuda_extension; "
                            "print(cuda_extension.__name__)"});
        QVERIFY(python.waitForFinished(120000));
        QCOMPARE(QString::fromUtf8(python.readAll()).trimmed(), QStringLiteral("cuda_extension"));
    }

    void compilesWithTheCompilerOfTheWheels() {
        const PythonEnvironment &environment = *realToolchain().python;
        const QString nvcc = environment.nvidiaRoot + "/bin/nvcc";
        if (!QFileInfo::exists(nvcc))
            QSKIP("this environment brings no nvcc");
        QProcess asked;
        asked.start(nvcc, {"--version"});
        QVERIFY(asked.waitForFinished());
        Toolchain tools = realToolchain();
        tools.cuda =
            readCudaToolkit({environment.nvidiaRoot, nvcc, "the Python environment"}, asked.readAll(), {})
                .value();
        const SmallWorkspace small;
        small.scratch.write("kernels/cub.cu",
                            "#include <cub/cub.cuh>\n#include <cuda_bf16.h>\n__global__ void k(float *y) { "
                            "using R = cub::BlockReduce<float, 128>; "
                            "__shared__ typename R::TempStorage t; y[0] = R(t).Sum(y[threadIdx.x]); }\n");
        const RunResult result = runCompile(small.plan(TargetKind::Cuda, tools), small.cache());
        QVERIFY2(result.outcome && result.outcome->status == CompileStatus::Passed,
                 qPrintable(result.message + (result.outcome ? result.outcome->log : QString())));
        QCOMPARE(result.outcome->kernels.size(), std::size_t(3)); // addOne, k, and one that cub brings
    }

    void tellsWhatIsWrongWithAKernel_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("words");
        const QByteArray launcher = "extern \"C\" int answer(int x) { return x; }\n";
        QTest::newRow("an error") << launcher + "__global__ void k() { missing = 1; }\n"
                                  << 2 << "identifier \"missing\" is undefined";
        QTest::newRow("too much shared memory")
            << launcher + "__global__ void k(float *y) { __shared__ float t[99999]; t[threadIdx.x] = y[1]; "
                          "__syncthreads(); y[0] = t[5]; }\n"
            << 0 << "uses too much shared data";
        QTest::newRow("an instruction that does not exist")
            << launcher +
                   "__global__ void k(float *y) { asm volatile(\"bogus.f32 %0, %0;\" : \"+f\"(y[0])); }\n"
            << 0 << "bogus";
        QTest::newRow("a function of no file")
            << QByteArray("extern __device__ int other(int);\n") + launcher +
                   "__global__ void k(int *y) { y[0] = other(y[1]); }\n"
            << 0 << "other(int)";
        QTest::newRow("a missing header")
            << QByteArray("#include \"none.cuh\"\n") << 1 << "none.cuh: No such file or directory";
    }

    void tellsWhatIsWrongWithAKernel() {
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        QFETCH(QString, words);
        const SmallWorkspace small;
        small.scratch.write("kernels/answer.cu", text);
        for (const TargetKind kind : {TargetKind::Cuda, TargetKind::Cpu}) {
            const RunResult result = runCompile(small.plan(kind), small.cache());
            QVERIFY2(result.outcome.has_value(), qPrintable(result.message));
            QCOMPARE(result.outcome->status, CompileStatus::Failed);
            const Diagnostic &first = result.outcome->diagnostics.at(0);
            QCOMPARE(first.file, QStringLiteral("kernels/answer.cu"));
            QCOMPARE(first.line, line);
            QVERIFY2(first.message.contains(words), qPrintable(first.message));
        }
    }

    void blamesTheTaskForItsOwnFlags() {
        const SmallWorkspace small;
        small.scratch.write(".warpwright/task.json", R"({"flags": {"nvcc": ["--no-such-option"]}})");
        const RunResult result = runCompile(small.plan(TargetKind::Cuda), small.cache());
        QVERIFY2(result.outcome.has_value(), qPrintable(result.message));
        QCOMPARE(result.outcome->status, CompileStatus::Failed);
        QVERIFY(result.outcome->diagnostics.at(0).message.contains("Unknown option"));
    }

    void letsAKernelIncludeTorchsHeaders() {
        const SmallWorkspace small;
        small.scratch.write("kernels/answer.cu",
                            "#include <c10/macros/Macros.h>\n#include <c10/util/Half.h>\n__global__ void "
                            "k(c10::Half *y) { y[0] = y[1]; }\n"
                            "extern \"C\" int answer(int x) { return x; }\n");
        const RunResult result = runCompile(small.plan(TargetKind::Cuda), small.cache());
        QVERIFY2(result.outcome && result.outcome->status == CompileStatus::Passed,
                 qPrintable(result.message + (result.outcome ? result.outcome->log : QString())));
    }
};

QObject *makeTestCompileCuda() {
    return new TestCompileCuda;
}

#include "tst_compile_cuda.moc"
