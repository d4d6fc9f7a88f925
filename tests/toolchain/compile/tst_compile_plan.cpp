// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/compile/compile_plan.h"

#include <QFileInfo>
#include <QTest>

#include <algorithm>

using namespace warpwright;

namespace {

/// A toolchain of which only the names matter: planning starts nothing.
Toolchain toolchain() {
    Toolchain tools;
    tools.hostCompiler = HostCompiler{"/usr/bin/g++", "12.2.0", "g++ 12.2.0", "cpu one", {}, {}};
    tools.cuda = CudaToolkit{"/cuda",
                             "/cuda/bin/nvcc",
                             "PATH",
                             "13.0.88",
                             {"sm_80", "sm_90", "sm_120"},
                             "/cuda/include",
                             {},
                             {},
                             {},
                             {},
                             {}};
    PythonEnvironment python;
    python.interpreter = "/e/bin/python";
    python.includeFolder = "/e/include";
    python.torchFolder = "/e/torch";
    python.torchVersion = "2.11.0";
    python.torchCuda = "13.0";
    tools.python = python;
    return tools;
}

Workspace filled(const Scratch &scratch, const QStringList &names) {
    scratch.writeModel();
    for (const QString &name : names)
        scratch.write(name, "// " + name.toUtf8() + "\nint x;\n");
    return Workspace::open(scratch.path(), scratch.folders()).value();
}

const QStringList candidate = {"model_new.py", "binding.cpp", "kernels/a.cu", "kernels/a.cpp",
                               "kernels/a_binding.cpp"};
const CompileTarget cpu{TargetKind::Cpu, "sm_90a"};
const CompileTarget cuda{TargetKind::Cuda, "sm_90a"};

CompileStep stepOf(const CompilePlan &plan, const QString &source) {
    const auto found = std::find_if(plan.steps.begin(), plan.steps.end(),
                                    [&source](const CompileStep &step) { return step.source == source; });
    return found == plan.steps.end() ? CompileStep() : *found;
}

QStringList sourcesOf(const CompilePlan &plan, bool linkedOnly) {
    QStringList names;
    for (const CompileStep &step : plan.steps)
        if (step.isLinked || !linkedOnly)
            names << step.source;
    return names;
}

} // namespace

class TestCompilePlan : public QObject {
    Q_OBJECT

private slots:
    void saysWhichFilesRun_data() {
        QTest::addColumn<TargetKind>("kind");
        QTest::addColumn<bool>("hasNvcc");
        QTest::addColumn<QStringList>("files"); // "name kind compiled run"
        QTest::newRow("a CPU runs the twin")
            << TargetKind::Cpu << true
            << QStringList{"binding.cpp cpp 1 1",    "kernels/a.cpp twin 1 1",        "kernels/a.cu cuda 1 0",
                           "kernels/a.cuh cuda 1 0", "kernels/a_binding.cpp cpp 1 1", "kernels/b.h twin 1 1",
                           "kernels/t.h twin 1 1"};
        QTest::newRow("a GPU runs the kernel")
            << TargetKind::Cuda << true
            << QStringList{"binding.cpp cpp 1 1",    "kernels/a.cpp twin 0 0",        "kernels/a.cu cuda 1 1",
                           "kernels/a.cuh cuda 1 1", "kernels/a_binding.cpp cpp 1 1", "kernels/b.h cuda 1 1",
                           "kernels/t.h twin 0 0"};
        QTest::newRow("a CPU without nvcc")
            << TargetKind::Cpu << false
            << QStringList{"binding.cpp cpp 1 1",    "kernels/a.cpp twin 1 1",        "kernels/a.cu cuda 0 0",
                           "kernels/a.cuh cuda 0 0", "kernels/a_binding.cpp cpp 1 1", "kernels/b.h twin 1 1",
                           "kernels/t.h twin 1 1"};
    }
    void saysWhichFilesRun() {
        QFETCH(TargetKind, kind);
        QFETCH(bool, hasNvcc);
        QFETCH(QStringList, files);
        const Scratch scratch;
        filled(scratch, candidate);
        scratch.write("kernels/a.cuh", "int a;\n");
        scratch.write("kernels/b.h", "int b;\n");
        scratch.write("kernels/t.h", "int t;\n");
        scratch.write("kernels/unread.h", "int u;\n");
        scratch.write("kernels/a.cu", "#include \"a.cuh\"\n#include \"b.h\"\n");
        scratch.write("kernels/a.cpp", "#include \"b.h\"\n#include \"t.h\"\n");
        Toolchain tools = toolchain();
        if (!hasNvcc)
            tools.cuda.reset();
        const Workspace workspace = Workspace::open(scratch.path(), scratch.folders()).value();
        const CompilePlan plan = makeCompilePlan(workspace, tools, {kind, "sm_90a"}).value();
        QStringList said;
        for (const ExercisedFile &file : plan.files)
            said << QStringLiteral("%1 %2 %3 %4")
                        .arg(file.file, sourceKindName(file.as))
                        .arg(file.isCompiled)
                        .arg(file.isRun);
        QCOMPARE(said, files);
    }

    void whatIncludesByAMacroMayRunAnything() {
        const Scratch scratch;
        filled(scratch, candidate);
        scratch.write("kernels/a.cpp", "#define WHAT \"a.cu\"\n#include WHAT\n");
        const Workspace workspace = Workspace::open(scratch.path(), scratch.folders()).value();
        const CompilePlan plan = makeCompilePlan(workspace, toolchain(), cpu).value();
        for (const ExercisedFile &file : plan.files)
            QVERIFY2(file.isRun, qPrintable(file.file));
    }

    void aFolderOfHeadersNamesNoSource() {
        const Scratch scratch;
        filled(scratch, candidate);
        scratch.write(".warpwright/task.json", "{\"flags\": {\"cxx\": [\"-Isomewhere\"]}}");
        const Workspace workspace = Workspace::open(scratch.path(), scratch.folders()).value();
        const CompilePlan plan = makeCompilePlan(workspace, toolchain(), cpu).value();
        for (const ExercisedFile &file : plan.files)
            QVERIFY2(file.isRun == (file.as != SourceKind::Cuda), qPrintable(file.file));
    }

    void takesTwinsForTheCpuOnly() {
        const Scratch scratch;
        const Workspace workspace = filled(scratch, candidate);
        const CompilePlan onCpu = makeCompilePlan(workspace, toolchain(), cpu).value();
        QCOMPARE(sourcesOf(onCpu, false),
                 (QStringList{"kernels/a.cu", "binding.cpp", "kernels/a.cpp", "kernels/a_binding.cpp"}));
        QCOMPARE(sourcesOf(onCpu, true),
                 (QStringList{"binding.cpp", "kernels/a.cpp", "kernels/a_binding.cpp"}));
        QVERIFY(stepOf(onCpu, "binding.cpp").arguments.contains("-DWARPWRIGHT_CPU"));
        QVERIFY(stepOf(onCpu, "kernels/a.cpp").arguments.contains("-march=native"));
        QVERIFY(!stepOf(onCpu, "kernels/a.cu").arguments.contains("-DWARPWRIGHT_CPU"));
        QVERIFY(onCpu.notRunnable.isEmpty());

        const CompilePlan onCuda = makeCompilePlan(workspace, toolchain(), cuda).value();
        QCOMPARE(sourcesOf(onCuda, true),
                 (QStringList{"kernels/a.cu", "binding.cpp", "kernels/a_binding.cpp"}));
        QVERIFY(!stepOf(onCuda, "binding.cpp").arguments.contains("-DWARPWRIGHT_CPU"));
        QVERIFY(onCuda.key != onCpu.key);
        // The kernel's own object serves both.
        QCOMPARE(stepOf(onCuda, "kernels/a.cu").objectKey, stepOf(onCpu, "kernels/a.cu").objectKey);
        QVERIFY(stepOf(onCuda, "binding.cpp").objectKey != stepOf(onCpu, "binding.cpp").objectKey);
    }

    // GNU ld takes long to read them: an empty library stands for all.
    void linksWithTorchOrWhatStandsForIt() {
        const Scratch scratch;
        const Workspace workspace = filled(scratch, candidate);
        Toolchain tools = toolchain();
        QStringList keys;
        for (const char *linker : {"", "lld"}) {
            tools.hostCompiler->linker = linker;
            const CompilePlan onCpu = makeCompilePlan(workspace, tools, cpu).value();
            const CompilePlan onCuda = makeCompilePlan(workspace, tools, cuda).value();
            const bool stands = *linker == 0;
            QCOMPARE(onCuda.linkArguments.contains("-ltorch_cuda"), !stands);
            QCOMPARE(onCuda.standIn.libraries.filter("/libtorch_cuda.so").size(), stands ? 1 : 0);
            QCOMPARE(onCuda.standIn.name.isEmpty(), !stands);
            QVERIFY(!onCpu.linkArguments.contains("-ltorch_cuda"));
            QVERIFY(onCpu.standIn.libraries.filter("/libtorch_cuda.so").isEmpty());
            keys << onCuda.key;
        }
        QVERIFY(keys[0] != keys[1]);
    }

    void usesCudaAgentsFlagsWithItsUtils() {
        const Scratch scratch;
        const QStringList plain =
            stepOf(makeCompilePlan(filled(scratch, candidate), toolchain(), cuda).value(), "kernels/a.cu")
                .arguments;
        QVERIFY(!plain.contains("--use_fast_math") && plain.contains("-O3") &&
                plain.contains("-gencode=arch=compute_90a,code=sm_90a"));
        QVERIFY(plain.contains("-lineinfo") && plain.contains("-v") && plain.contains("-ccbin"));
        const QStringList theirs =
            stepOf(makeCompilePlan(filled(scratch, candidate + QStringList{"utils/compile.py"}), toolchain(),
                                   cuda)
                       .value(),
                   "kernels/a.cu")
                .arguments;
        QVERIFY(theirs.contains("--use_fast_math"));
    }

    void addsTheFlagsOfTheTaskLast() {
        const Scratch scratch;
        scratch.write(".warpwright/task.json",
                      R"({"flags": {"nvcc": ["-maxrregcount=32"], "cxx": ["-O1"]}})");
        const CompilePlan plan = makeCompilePlan(filled(scratch, candidate), toolchain(), cuda).value();
        QCOMPARE(
            stepOf(plan, "kernels/a.cu").arguments.mid(stepOf(plan, "kernels/a.cu").arguments.size() - 2),
            (QStringList{"-maxrregcount=32", "kernels/a.cu"}));
        QVERIFY(stepOf(plan, "binding.cpp").arguments.contains("-O1"));
        QVERIFY(plan.hasUserFlags);
    }

    void keysFollowEverythingThatCounts_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QStringList>("changed"); ///< of a.cu, binding.cpp, a.cpp
        const QString kernel = "kernels/a.cu";
        const QString binding = "binding.cpp";
        const QString twin = "kernels/a.cpp";
        QTest::newRow("nothing") << "nothing" << QStringList{};
        QTest::newRow("the kernel") << "kernel" << QStringList{kernel};
        QTest::newRow("a comment of the kernel") << "comment" << QStringList{};
        QTest::newRow("the linker") << "linker" << QStringList{};
        QTest::newRow("another build of the linker") << "build of the linker" << QStringList{};
        QTest::newRow("torch") << "torch" << QStringList{kernel, binding, twin};
        QTest::newRow("nvcc") << "nvcc" << QStringList{kernel};
        QTest::newRow("g++") << "g++" << QStringList{kernel, binding, twin};
        QTest::newRow("the processor") << "processor" << QStringList{binding, twin};
        QTest::newRow("the architecture") << "architecture" << QStringList{kernel};
        QTest::newRow("model_new.py") << "python" << QStringList{};
    }

    void keysFollowEverythingThatCounts() {
        QFETCH(QString, what);
        const Scratch scratch;
        const Workspace workspace = filled(scratch, candidate);
        const CompilePlan before = makeCompilePlan(workspace, toolchain(), cpu).value();
        Toolchain tools = toolchain();
        CompileTarget target = cpu;
        if (what == "kernel")
            scratch.write("kernels/a.cu", "int other;\n");
        else if (what == "comment")
            scratch.write("kernels/a.cu", "// other\nint x;\n");
        else if (what == "linker")
            tools.hostCompiler->linker = "lld";
        else if (what == "build of the linker")
            tools.hostCompiler->linkerIdentity = "/usr/bin/ld.lld 2";
        else if (what == "torch")
            tools.python->torchVersion = "2.12.0";
        else if (what == "nvcc")
            tools.cuda->version = "13.0.99";
        else if (what == "g++")
            tools.hostCompiler->description = "g++ 12.3.0";
        else if (what == "processor")
            tools.hostCompiler->processor = "cpu two";
        else if (what == "architecture")
            target.architecture = "sm_120a";
        else if (what == "python")
            scratch.write("model_new.py", "# other\n");
        const CompilePlan after = makeCompilePlan(workspace, tools, target).value();
        QStringList changed;
        for (const char *source : {"kernels/a.cu", "binding.cpp", "kernels/a.cpp"})
            if (stepOf(before, source).objectKey != stepOf(after, source).objectKey)
                changed << source;
        QTEST(changed, "changed");
        QCOMPARE(before.key == after.key, what == "nothing" || what == "comment");
    }

    void countsCommentsWhereWarningsReadThem() {
        const Scratch scratch;
        scratch.write(".warpwright/task.json", R"({"flags": {"cxx": ["-Wextra"]}})");
        const Workspace workspace = filled(scratch, candidate);
        const CompilePlan before = makeCompilePlan(workspace, toolchain(), cpu).value();
        scratch.write("kernels/a.cpp", "// fall through\nint x;\n");
        const CompilePlan after = makeCompilePlan(workspace, toolchain(), cpu).value();
        QVERIFY(stepOf(before, "kernels/a.cpp").objectKey != stepOf(after, "kernels/a.cpp").objectKey);
    }

    void asksForPrecompiledHeadersByWhatTheyDependOn() {
        const Scratch scratch;
        const Workspace workspace = filled(scratch, candidate);
        scratch.write("kernels/a_binding.cpp", "#include <torch/types.h>\n");
        const auto keyWith = [&workspace](const Toolchain &tools, const CompileTarget &target) {
            return stepOf(makeCompilePlan(workspace, tools, target).value(), "kernels/a_binding.cpp")
                .headers.key;
        };
        const QString key = keyWith(toolchain(), cpu);
        QVERIFY(!key.isEmpty());
        QVERIFY(
            stepOf(makeCompilePlan(workspace, toolchain(), cpu).value(), "binding.cpp").headers.isEmpty());
        Toolchain tools = toolchain();
        tools.python->torchVersion = "2.12.0";
        QVERIFY(keyWith(tools, cpu) != key);
        tools = toolchain();
        tools.hostCompiler->description = "g++ 12.3.0";
        QVERIFY(keyWith(tools, cpu) != key);
        tools = toolchain();
        tools.hostCompiler->processor = "cpu two";
        QVERIFY(keyWith(tools, cpu) != key);
        tools.hostCompiler->description = "Debian clang version 14.0.6";
        QVERIFY(keyWith(tools, cpu).isEmpty());
        QVERIFY(keyWith(toolchain(), cuda) != key);
        QVERIFY(!usualHeaders(toolchain(), TargetKind::Cpu).isEmpty());
    }

    void sharesTheBindingOfAllWorkspaces() {
        const Scratch one;
        const Scratch two;
        const CompilePlan first = makeCompilePlan(filled(one, candidate), toolchain(), cpu).value();
        const CompilePlan second =
            makeCompilePlan(filled(two, candidate + QStringList{"kernels/more.cuh"}), toolchain(), cpu)
                .value();
        QCOMPARE(stepOf(first, "binding.cpp").objectKey, stepOf(second, "binding.cpp").objectKey);
        // -lineinfo writes the folder into a kernel's object.
        QVERIFY(stepOf(first, "kernels/a.cu").objectKey != stepOf(second, "kernels/a.cu").objectKey);
    }

    void compilesAKernelWithoutATwinAsForCuda() {
        const Scratch scratch;
        const Workspace workspace =
            filled(scratch, {"model_new.py", "binding.cpp", "kernels/b.cu", "kernels/b_binding.cpp"});
        const CompilePlan plan = makeCompilePlan(workspace, toolchain(), cpu).value();
        QCOMPARE(plan.notRunnable,
                 QStringLiteral(
                     "kernels/b.cu has no CPU twin (kernels/b.cpp), so it runs only on a CUDA device."));
        QCOMPARE(plan.target.kind, TargetKind::Cuda);
        QVERIFY(!stepOf(plan, "binding.cpp").arguments.contains("-DWARPWRIGHT_CPU"));

        Toolchain withoutCudaTorch = toolchain();
        withoutCudaTorch.python->torchCuda.clear();
        const CompilePlan kernelsOnly = makeCompilePlan(workspace, withoutCudaTorch, cpu).value();
        QCOMPARE(sourcesOf(kernelsOnly, false), QStringList{"kernels/b.cu"});
        QVERIFY(kernelsOnly.linker.isEmpty());
        QCOMPARE(kernelsOnly.skipped.size(), 2);
    }

    void leavesKernelsOutWithoutNvcc() {
        const Scratch scratch;
        Toolchain tools = toolchain();
        tools.cuda.reset();
        tools.cudaMessage = "Cannot find nvcc.";
        const CompilePlan plan = makeCompilePlan(filled(scratch, candidate), tools, cpu).value();
        QCOMPARE(sourcesOf(plan, false), sourcesOf(plan, true));
        QCOMPARE(plan.skipped, QStringList{"kernels/a.cu was not compiled. Cannot find nvcc."});
    }

    void saysWhatIsMissing_data() {
        QTest::addColumn<QString>("part");
        QTest::addColumn<bool>("forCuda");
        QTest::addColumn<QString>("message");
        QTest::newRow("g++") << "g++" << false << "no g++ here";
        QTest::newRow("torch") << "python" << false << "no torch here";
        QTest::newRow("nvcc") << "nvcc" << true << "no nvcc here";
        QTest::newRow("torch with CUDA") << "torch-cuda" << true << "is built without CUDA";
        QTest::newRow("a device too new") << "architecture" << true
                                          << "Cannot compile for sm_150a: nvcc 13.0.88 (\"/cuda/bin/nvcc\") "
                                             "knows only sm_80, sm_90, sm_120.";
    }

    void saysWhatIsMissing() {
        QFETCH(QString, part);
        QFETCH(bool, forCuda);
        QFETCH(QString, message);
        const Scratch scratch;
        Toolchain tools = toolchain();
        tools.hostCompilerMessage = "no g++ here";
        tools.pythonMessage = "no torch here";
        tools.cudaMessage = "no nvcc here";
        CompileTarget target = forCuda ? cuda : cpu;
        if (part == "g++")
            tools.hostCompiler.reset();
        else if (part == "python")
            tools.python.reset();
        else if (part == "nvcc")
            tools.cuda.reset();
        else if (part == "torch-cuda")
            tools.python->torchCuda.clear();
        else
            target.architecture = "sm_150a";
        const auto plan = makeCompilePlan(filled(scratch, candidate), tools, target);
        QVERIFY(!plan.hasValue());
        QVERIFY2(plan.message().contains(message), qPrintable(plan.message()));
    }

    void needsNoCompilerForPythonAlone() {
        const Scratch scratch;
        const CompilePlan plan =
            makeCompilePlan(filled(scratch, {"model_new.py", "helper.py"}), Toolchain(), cpu).value();
        QVERIFY(plan.steps.empty() && plan.linker.isEmpty());
        QCOMPARE(plan.pythonFiles, (QStringList{"helper.py", "model_new.py"}));
    }

    void findsCudaInItsWheels_data() {
        QTest::addColumn<QStringList>("files");
        QTest::addColumn<QString>("runtime");
        QTest::addColumn<QString>("headers");
        QTest::newRow("CUDA 13: one folder")
            << QStringList{"cu13/lib/libcudart.so.13", "cu13/include/cusparse.h"}
            << "cu13/lib/libcudart.so.13"
            << "cu13/include";
        QTest::newRow("CUDA 12: one folder each")
            << QStringList{"cuda_runtime/lib/libcudart.so.12", "cusparse/include/cusparse.h"}
            << "cuda_runtime/lib/libcudart.so.12"
            << "cusparse/include";
    }

    void findsCudaInItsWheels() {
        QFETCH(QStringList, files);
        QFETCH(QString, runtime);
        QFETCH(QString, headers);
        const Scratch scratch;
        Toolchain tools = toolchain();
        for (const QString &file : files) {
            scratch.write("nvidia/" + file, "x");
            tools.python->nvidiaFolders << scratch.path("nvidia/" + file.section('/', 0, 0));
        }
        if (files[0].startsWith("cu13"))
            tools.python->nvidiaRoot = scratch.path("nvidia/cu13");
        const CompilePlan plan = makeCompilePlan(filled(scratch, candidate), tools, cuda).value();
        const QString library = scratch.path("nvidia/" + runtime);
        QVERIFY(plan.linkArguments.contains(library));
        QVERIFY(plan.linkArguments.contains("-Wl,-rpath," + QFileInfo(library).path()));
        QVERIFY(stepOf(plan, "binding.cpp").arguments.contains(scratch.path("nvidia/" + headers)));
        QVERIFY(
            !makeCompilePlan(filled(scratch, candidate), tools, cpu).value().linkArguments.contains(library));
    }

    void choosesTheArchitecture() {
        Workspace workspace;
        Settings settings;
        GpuDevice device;
        device.computeMajor = 12;
        QCOMPARE(chooseArchitecture(workspace, settings, nullptr), QStringLiteral("sm_90a"));
        settings.architecture = "sm_80";
        QCOMPARE(chooseArchitecture(workspace, settings, nullptr), QStringLiteral("sm_80"));
        QCOMPARE(chooseArchitecture(workspace, settings, &device), QStringLiteral("sm_120a"));
        workspace.task.architecture = "sm_100f";
        QCOMPARE(chooseArchitecture(workspace, settings, &device), QStringLiteral("sm_100f"));
    }
};

QObject *makeTestCompilePlan() {
    return new TestCompilePlan;
}

#include "tst_compile_plan.moc"
