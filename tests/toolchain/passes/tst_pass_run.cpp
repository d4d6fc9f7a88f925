// SPDX-License-Identifier: GPL-3.0-or-later
// warpwright-nvcc beside nvcc: the same object to the byte, the same words, the same end.
#include "tests/toolchain/places.h"
#include "tests/toolchain/real_toolchain.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/compile/compile_flags.h"

#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

using namespace warpwright;

namespace {

const QString samples = sourceFolder("/resources/samples");

const QString oneArchitecture = QStringLiteral("-gencode=arch=compute_90a,code=sm_90a");

struct Ended {
    int exitCode = -1;
    QString output;
    QString error;
    QByteArray object;
    QByteArray ptx;
    QByteArray moduleId;
    QByteArray stub;
    QString told;
};

/// ptxas tells how long it took.
QString withoutTimes(const QByteArray &text) {
    static const QRegularExpression time(QStringLiteral("Compile time = [0-9.]+ ms"));
    return QString::fromUtf8(text).remove(time);
}

QByteArray onlyFile(const QDir &folder, const QString &pattern) {
    const QStringList names = folder.entryList({pattern}, QDir::Files);
    return names.size() == 1 ? textOf(folder.filePath(names.first())) : QByteArray();
}

/// Each time in the same, empty folder: its name is in what nvcc makes.
Ended compile(const QString &workspace, const QString &source, const QStringList &flags,
              const QStringList &before, const QString &kept) {
    QDir(kept).removeRecursively();
    QDir().mkpath(kept);
    QStringList words = before;
    if (!before.isEmpty())
        words << "--tell" << kept + "/told"
              << "--";
    words << realToolchain().cuda->nvcc << flags << source << "-o" << kept + "/object.o"
          << "-keep"
          << "-keep-dir" << kept;
    ChildProcess process; // it ends what a killed g++ leaves behind, as in a run
    ProcessRequest request;
    request.program = words.first();
    request.arguments = words.mid(1);
    request.workingFolder = workspace;
    request.environment =
        buildEnvironment(QProcessEnvironment::systemEnvironment(), realToolchain().cuda->nvcc, kept);
    QSignalSpy finished(&process, &ChildProcess::finished);
    process.start(request);
    finished.wait(120000);
    const auto ended = finished.value(0).value(0).value<ProcessOutcome>();
    const QDir folder(kept);
    return {finished.empty() ? -1 : ended.exitCode,
            withoutTimes(ended.standardOutput),
            withoutTimes(ended.standardError),
            onlyFile(folder, "*.o"),
            onlyFile(folder, "*.ptx"),
            onlyFile(folder, "*.module_id"),
            onlyFile(folder, "*.cudafe1.stub.c"),
            QString::fromUtf8(onlyFile(folder, "told")).trimmed()};
}

} // namespace

class TestPassRun : public QObject {
    Q_OBJECT

private slots:
    void init() {
        NEED_TOOL(realToolchain().cuda.has_value() && realToolchain().hostCompiler.has_value(), "nvcc, g++");
        QVERIFY2(!findPasses().isEmpty(), "warpwright-nvcc is not beside this program");
    }

    void doesWhatNvccDoes_data() {
        QTest::addColumn<QString>("workspace");
        QTest::addColumn<QString>("source");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<bool>("isSideBySide");
        const QStringList none;
        for (const QString &sample : QDir(samples).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            for (const QString &name : QDir(samples + '/' + sample + "/kernels").entryList({"*.cu"}))
                QTest::newRow(qPrintable(sample))
                    << samples + '/' + sample << "kernels/" + name << QByteArray() << none << true;
        const QByteArray kernels =
            "#include <cuda_fp16.h>\n__constant__ float C[8];\nstatic __device__ int count;\n__device__ int "
            "g;\n"
            "__managed__ int m;\nnamespace {\n__device__ float h;\ntemplate <typename T, int N> __global__ "
            "void "
            "k(T *y) {\n    y[threadIdx.x] = T(C[N] + h);\n    atomicAdd(&count, 1);\n}\n}\ntemplate "
            "<typename T> "
            "__global__ void open(T *y) { y[0] = g + m; }\nextern \"C\" void launch(float *x, cudaStream_t "
            "s) {\n"
            "    k<float, 3><<<1, 32, 0, s>>>(x);\n    k<__half, 2><<<1, 32, 0, s>>>((__half *)x);\n"
            "    open<int><<<1, 1, 0, s>>>((int *)x);\n}\n";
        const auto row = [&none](const char *name, const QByteArray &text) {
            QTest::newRow(name) << QString() << "kernels/k.cu" << text << none << true;
        };
        row("templates and variables", kernels);
        // The host compiler is at work for longer than cicc: it is stopped where its stub was another one.
        row("host code that takes its time",
            "template <int A, int B> struct F { static int f() { return F<A - 1, B>::f() * 3 + F<A - 1, B + "
            "1>::f(); } };\ntemplate <int B> struct F<0, B> { static int f() { return B; } };\n"
            "int f() { return F<60, 0>::f(); }\n__global__ void k(float *y) { y[0] = 1; }\n"
            "extern \"C\" void launch(float *x) { k<<<1, 1>>>(x); }\n");
        row("a name like a stub's own",
            "typedef int __T5;\nextern \"C\" __global__ void k(__T5 *y) { y[0] = 1; }\n");
        row("no kernel", "int f(int x) { return x + 1; }\n");
        row("warnings of both", "#warning here\n__global__ void k(float *y) { int unused; y[0] = 1 / 0; }\n"
                                "int f() { int z; }\n");
        row("an error in a kernel", "__global__ void k(float *y) { y[0] = missing; }\n");
        row("an error in a kernel that only the device sees",
            "__global__ void k(float *y) {\n#ifdef __CUDA_ARCH__\n    y[0] = missing;\n#endif\n}\n");
        row("an error in host code",
            "__global__ void k(float *y) { y[0] = 1; }\nvoid f() {\n    int x = ;\n}\n");
        row("an error that the host compiler finds", "void f() { asm(\"x %0\" ::\"Z\"(1)); }\n");
        row("an error that the host's assembler finds", "void f() { asm(\"no_such_instruction\"); }\n");
        row("an error that ptxas finds",
            "__global__ void k(float *y) { asm(\"bogus.f32 %0;\" ::\"f\"(y[0])); }\n");
        row("too much shared memory", "__global__ void k(float *y) { __shared__ float s[100000]; "
                                      "s[threadIdx.x] = y[0]; __syncthreads(); "
                                      "y[1] = s[3]; }\n");
        row("an error for the device alone", "#ifdef __CUDA_ARCH__\n#error device\n#endif\n");
        row("a missing header", "#include \"nowhere.h\"\n");
        const auto with = [&kernels](const QStringList &flags, bool isSideBySide) {
            QTest::newRow(qPrintable(flags.join(' ')))
                << QString() << "kernels/k.cu" << kernels << flags << isSideBySide;
        };
        with({"-Xcompiler", "-g"}, true);
        with({"-g"}, true);
        with({"--use_fast_math", "-maxrregcount=32"}, true);
        with({"-Xcompiler", "-ffast-math"}, true);
        with({"-rdc=true"}, true);
        with({"-G"}, false); // nvcc warns
        with({"-gencode=arch=compute_80,code=sm_80"}, false);
        with({"-DX=\"a b\""}, false);
        with({"--no-such-flag"}, false);
    }

    void doesWhatNvccDoes() {
        QFETCH(QString, workspace);
        QFETCH(QString, source);
        QFETCH(QByteArray, text);
        QFETCH(QStringList, more);
        QFETCH(bool, isSideBySide);
        const Scratch scratch;
        if (workspace.isEmpty()) {
            scratch.write(source, text);
            workspace = scratch.path();
        }
        Workspace described;
        described.folder = workspace;
        const QStringList flags = nvccArguments(described, realToolchain(), "sm_90a") + more;
        const Ended nvcc = compile(workspace, source, flags, {}, scratch.path("kept"));
        const QString id = QString::fromUtf8(nvcc.moduleId);
        // What was known is right; nothing is known yet; it is wrong.
        scratch.write("stub", nvcc.stub);
        scratch.write("moved", "# 99 \"elsewhere.cu\"\n\n" + QByteArray(nvcc.stub).replace("__T", "__T7"));
        // It compiles, and whoever compiled it shows it.
        scratch.write("old", QByteArray(nvcc.stub).replace(
                                 "#pragma GCC diagnostic pop",
                                 "extern \"C\" void ofTheOldStub() {}\n#pragma GCC diagnostic pop"));
        scratch.write("bad", "this does not compile\n");
        QList<QStringList> guesses = {{"--module-id", id, "--stub", scratch.path("stub")}};
        const bool hasMany = isSideBySide && more.isEmpty() && workspace == scratch.path();
        if (hasMany) {
            guesses << QStringList() << QStringList{"--module-id", id};
            for (const char *stub : {"stub", "moved", "old", "bad"})
                if (!nvcc.stub.isEmpty())
                    guesses << QStringList{"--module-id", id, "--stub", scratch.path(stub)};
            if (!nvcc.stub.isEmpty())
                guesses << QStringList{"--module-id", "_0badf00d_4_k_cu_launch", "--stub",
                                       scratch.path("old")};
        }
        for (const QStringList &guess : guesses) {
            const Ended ours =
                compile(workspace, source, flags, QStringList(findPasses()) + guess, scratch.path("kept"));
            QCOMPARE(ours.exitCode, nvcc.exitCode);
            QCOMPARE(ours.output, nvcc.output);
            QCOMPARE(ours.error, nvcc.error);
            if (nvcc.exitCode == 0) {
                QCOMPARE(ours.moduleId, nvcc.moduleId);
                QVERIFY(ours.stub == nvcc.stub);
            }
            QVERIFY(ours.object == nvcc.object);
            QVERIFY(!ours.object.contains("ofTheOldStub"));
            QVERIFY(nvcc.exitCode != 0 || (!ours.object.isEmpty() && ours.ptx == nvcc.ptx));
            QVERIFY2(ours.told.startsWith("passes side by side") == isSideBySide, qPrintable(ours.told));
            const bool isIdWrong = guess.size() > 1 && guess[1] != id;
            const bool isStubWrong =
                guess.size() > 3 && (guess[3].endsWith("/old") || guess[3].endsWith("/bad"));
            if (isSideBySide && nvcc.exitCode == 0) {
                QCOMPARE(ours.told.contains("module id was another one"), isIdWrong);
                const bool mayDiffer = !text.contains("__T5") || !guess.value(3).endsWith("/moved");
                if (mayDiffer)
                    QCOMPARE(ours.told.contains("stub was another one"), !isIdWrong && isStubWrong);
            }
        }
    }

    /// Where a file exports nothing, cudafe++ takes its own process number into the id.
    void isNotMisledByAnIdThatIsNeverTheSame() {
        const Scratch scratch;
        scratch.write("kernels/k.cu", "namespace { __global__ void k(int *y) { *y = 1; } }\n"
                                      "static void f(int *y) { k<<<1, 1>>>(y); }\nstatic auto used = &f;\n");
        const QStringList flags = {"-c", oneArchitecture};
        const Ended ours =
            compile(scratch.path(), "kernels/k.cu", flags,
                    {findPasses(), "--module-id", "_0badf00d_4_k_cu_00000000"}, scratch.path("kept"));
        QCOMPARE(ours.exitCode, 0);
        QVERIFY2(ours.told.contains("another one"), qPrintable(ours.told));
        QVERIFY(!ours.object.contains("0badf00d"));
        QVERIFY(!ours.ptx.contains("0badf00d"));
        QVERIFY(ours.object.contains(ours.moduleId));
    }

    void anotherCompilerIsLeftToItself() {
        const Scratch scratch;
        const QString other = scratch.writeProgram("nvcc", "#!/bin/sh\necho \"other nvcc: $*\"\nexit 7\n");
        QProcess process;
        process.start(findPasses(), {"--", other, "-c", "x.cu"});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 7);
        QCOMPARE(process.readAllStandardOutput(), QByteArray("other nvcc: -c x.cu\n"));
    }

    /// A run of a workspace takes the passes side by side, and knows the module id the second time.
    void aRunRemembersTheModuleId() {
        NEED_TOOL(missingTools(true).isEmpty(), missingTools(true));
        const SmallWorkspace small;
        const CompileOutcome first = runCompile(small.plan(), small.cache()).outcome.value();
        QVERIFY2(first.log.contains("kernels/answer.cu: passes side by side; ms: "), qPrintable(first.log));
        const QString kept = small.scratch.path("kept-guesses");
        QVERIFY(QDir().mkpath(kept));
        QStringList words;
        for (const CompileStep &step : small.plan().steps)
            if (!step.moduleKey.isEmpty())
                words = passesWords("p", ObjectCache(small.cache() + "/objects"), step.moduleKey, kept);
        QVERIFY2(words.value(4).contains("_9_answer_cu_"), qPrintable(words.join(' ')));
        QVERIFY(words.contains(kept + "/stub.guess"));
        QVERIFY(textOf(kept + "/stub.guess").contains("__cudaRegisterEntry"));
        const QString text = QString::fromUtf8(textOf(small.scratch.path("kernels/answer.cu")));
        small.scratch.write("kernels/answer.cu",
                            text.toUtf8() + "\nextern \"C\" __global__ void another() {}\n");
        const CompileOutcome second = runCompile(small.plan(), small.cache()).outcome.value();
        QVERIFY2(
            second.log.contains("kernels/answer.cu: passes side by side; the stub was another one; ms: "),
            qPrintable(second.log));
        QCOMPARE(second.kernels.size(), std::size_t(2));
        small.scratch.write("kernels/answer.cu",
                            "\n\n" + text.toUtf8() +
                                "\nextern \"C\" __global__ void another() {\n    __syncthreads();\n}\n");
        const CompileOutcome third = runCompile(small.plan(), small.cache()).outcome.value();
        QVERIFY2(third.log.contains("kernels/answer.cu: passes side by side; ms: "), qPrintable(third.log));
    }

    void twoFilesMayHideKernelsOfOneName() {
        NEED_TOOL(missingTools(true).isEmpty(), missingTools(true));
        const SmallWorkspace small;
        for (const char *name : {"one", "two"})
            small.scratch.write(
                QStringLiteral("kernels/%1.cu").arg(QLatin1String(name)),
                QByteArray("namespace {\n__device__ int seen;\n__global__ void hidden(int *y) { *y "
                           "= seen; }\n}\nextern \"C\" void ") +
                    name + "(int *y) { hidden<<<1, 1>>>(y); }\n");
        const RunResult result = runCompile(small.plan(TargetKind::Cuda), small.cache());
        QVERIFY2(result.outcome && result.outcome->status == CompileStatus::Passed,
                 qPrintable(result.message + (result.outcome ? result.outcome->log : QString())));
        QStringList hidden;
        for (const KernelResources &kernel : result.outcome->kernels)
            if (kernel.mangled.contains("hidden"))
                hidden << kernel.mangled;
        QCOMPARE(hidden.size(), 2);
        QVERIFY(hidden[0] != hidden[1]);
        QCOMPARE(result.outcome->log.count(".cu: passes side by side; ms: "), 3);
    }

    void diesWithEveryPass() {
        const Scratch scratch;
        // cudafe++ and cicc are busy for a minute, side by side.
        scratch.write(
            "kernels/k.cu",
            "template <int A, int B> struct F { static constexpr int v = F<A - 1, B>::v + F<A - 1, B + "
            "1>::v; };\ntemplate <int B> struct F<0, B> { static constexpr int v = 1; };\n"
            "__global__ void k(int *y) { y[0] = F<150, 0>::v; }\n");
        ChildProcess process;
        ProcessRequest request;
        request.program = findPasses();
        request.arguments = {"--module-id",   "_0badf00d_4_k_cu_k", "--", realToolchain().cuda->nvcc, "-c",
                             oneArchitecture, "kernels/k.cu",       "-o", scratch.path("k.o"),        "-keep",
                             "-keep-dir",     scratch.path()};
        request.workingFolder = scratch.path();
        QSignalSpy finished(&process, &ChildProcess::finished);
        process.start(request);
        QByteArrayList pids;
        const auto findAll = [&process, &pids] {
            QProcess found;
            found.start("pgrep", {"-g", QString::number(process.processId())});
            found.waitForFinished();
            pids = found.readAllStandardOutput().simplified().split(' ');
            QProcess named;
            named.start("pgrep", {"-l", "-g", QString::number(process.processId())});
            named.waitForFinished();
            const QByteArray names = named.readAllStandardOutput();
            return names.contains("cudafe++") && names.contains("cicc");
        };
        QTRY_VERIFY_WITH_TIMEOUT(findAll(), 20000);
        process.cancel();
        QVERIFY(finished.wait(5000));
        QVERIFY(finished.first().first().value<ProcessOutcome>().cancelled);
        QVERIFY(pids.size() >= 3);
        for (const QByteArray &pid : pids)
            QTRY_VERIFY(!isAlive(pid.toLongLong()));
    }
};

QObject *makeTestPassRun() {
    return new TestPassRun;
}

#include "tst_pass_run.moc"
