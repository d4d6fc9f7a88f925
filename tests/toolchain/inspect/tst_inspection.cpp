// SPDX-License-Identifier: GPL-3.0-or-later
// From a plan and the tools' texts to what is known of each kernel; the tools themselves are in tst_compile.
#include "tests/toolchain/scratch.h"
#include "toolchain/environment/python_environment.h"
#include "toolchain/inspect/disassembly.h"
#include "toolchain/inspect/inspection_json.h"
#include "toolchain/inspect/inspection_plan.h"
#include "toolchain/tool_output/ptx_listing.h"
#include "toolchain/tool_output/sass_listing.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

class TestInspection : public QObject {
    Q_OBJECT

private:
    static CompilePlan plan() {
        CompilePlan plan;
        plan.workspace = "/w";
        plan.linker = "/usr/bin/g++";
        plan.pythonFiles = QStringList{"model_new.py"};
        plan.pythonHashes = QByteArrayList{"x"};
        plan.buildFolder = "/w/.warpwright/build/abc";
        CompileStep cuda;
        cuda.source = "kernels/rows.cu";
        cuda.arguments = QStringList{"-c",
                                     "-O3",
                                     "-gencode=arch=compute_90a,code=sm_90a",
                                     "-Xptxas",
                                     "-v",
                                     "-lineinfo",
                                     "kernels/rows.cu"};
        cuda.objectKey = "k1";
        CompileStep host;
        host.source = "kernels/rows_binding.cpp";
        host.objectKey = "k2";
        plan.steps = {cuda, host};
        return plan;
    }

    static Inspection inspection() {
        InspectedSource source{"kernels/rows.cu",
                               parsePtxasReport(recorded("nvdisasm/ptxas-sm_90a-13.0.88.txt")),
                               parseSass(recorded("nvdisasm/rows-sm_90a-13.2.51.txt")),
                               parsePtx(recorded("nvdisasm/rows-compute_90a-13.0.88.ptx"))};
        Inspection made;
        made.workspace = "/rows";
        made.architecture = "sm_90a";
        made.status = CompileStatus::Passed;
        made.kernels = inspectedKernels({source}, "/rows", 0);
        return made;
    }

    static QString failure(const CudaToolkit &toolkit, const QString &scratch) {
        Disassembly::Options options;
        options.scratchFolder = scratch;
        options.timeLimitMs = 5000;
        options.outputLimitBytes = 64 * 1024;
        Disassembly run(toolkit, {"/no/such.o"}, options);
        QSignalSpy failed(&run, &Disassembly::failed);
        QSignalSpy finished(&run, &Disassembly::finished);
        run.start();
        failed.wait(20000);
        return failed.size() == 1 && finished.isEmpty() ? failed[0][0].toString()
                                                        : QStringLiteral("(no failure)");
    }

private slots:
    void compilesNothingElse() {
        const CompilePlan made = inspectionPlan(plan(), false);
        QCOMPARE(made.steps.size(), std::size_t(1));
        QCOMPARE(made.steps[0], plan().steps[0]); // the same key: what is in the cache stays good
        QVERIFY(made.linker.isEmpty());
        QVERIFY(made.pythonFiles.isEmpty());
        QVERIFY(made.buildFolder != plan().buildFolder);
        QVERIFY(made.buildFolder.startsWith("/w/.warpwright/build/"));
        QVERIFY(!isPtxStep(made.steps[0]));
    }

    void ptxHasItsOwnStepAndKey() {
        const CompilePlan made = inspectionPlan(plan(), true);
        QCOMPARE(made.steps.size(), std::size_t(2));
        QVERIFY(isPtxStep(made.steps[1]));
        QCOMPARE(made.steps[1].arguments,
                 QStringList({"-ptx", "-O3", "-gencode=arch=compute_90a,code=compute_90a", "-lineinfo",
                              "kernels/rows.cu"}));
        QVERIFY(made.steps[1].objectKey != made.steps[0].objectKey);
        QVERIFY(made.key != inspectionPlan(plan(), false).key);
    }

    void bringsTheWordsOfThreeToolsTogether() {
        const Inspection made = inspection();
        QCOMPARE(made.kernels.size(), std::size_t(3));
        for (const InspectedKernel &kernel : made.kernels) {
            QVERIFY2(kernel.sass && kernel.ptx && kernel.mix, qPrintable(kernel.resources.name));
            QVERIFY(!kernel.occupancies.empty());
            QCOMPARE(kernel.sass->launchThreads, kernel.ptx->launchThreads);
        }
        const auto rows = kernelsNamed(made.kernels, "sumSquares<float");
        QCOMPARE(rows.size(), std::size_t(1));
        QCOMPARE(rows[0].launchThreads(), 256);
        QCOMPARE(rows[0].occupancies.back().threads, 256);
        QCOMPARE(rows[0].occupancies.back().warps, 64);
        // Files of the workspace are named as the editor names them.
        const auto lines = linesFrom(*rows[0].sass, "rows.cu", 26);
        QCOMPARE(lines.size(), std::size_t(5));
        QCOMPARE(kernelsNamed(made.kernels, "").size(), std::size_t(3));
        QCOMPARE(kernelsNamed(made.kernels, "sumSquares").size(), std::size_t(2));
        QVERIFY(kernelsNamed(made.kernels, "no such kernel").empty());
        QCOMPARE(kernelsNamed(made.kernels, rows[0].resources.mangled).size(), std::size_t(1));
    }

    void writesOneDocument() {
        const OrderedJson json = toJson(inspection(), {true, true, "sumSquares<float"}, "test");
        QCOMPARE(stringIn(json, "schema"), QStringLiteral("warpwright.inspect/1"));
        QCOMPARE(json["kernels"].size(), std::size_t(1));
        const OrderedJson &kernel = json["kernels"][0];
        QCOMPARE(kernel["launchThreads"].get<int>(), 256);
        QCOMPARE(kernel["mix"]["classes"]["exchange"].get<int>(), 8);
        const OrderedJson &sass = kernel["sass"];
        std::size_t instructions = 0;
        for (const OrderedJson &line : sass["lines"]) {
            if (line.contains("label"))
                continue;
            ++instructions;
            QVERIFY(line["places"].get<std::size_t>() < sass["places"].size());
        }
        QCOMPARE(instructions, std::size_t(81));
        QVERIFY(kernel["ptx"]["lines"][0]["address"].is_null());
        QVERIFY(!toJson(inspection(), {}, "test")["kernels"][0].contains("sass"));
    }

    void saysWhatIsWrongWithTheTools() {
        const Scratch scratch;
        CudaToolkit toolkit;
        toolkit.nvcc = "/opt/cuda/bin/nvcc";
        toolkit.version = "13.0.88";
        QString said = failure(toolkit, scratch.path());
        QVERIFY2(said.contains("no cuobjdump beside \"/opt/cuda/bin/nvcc\"") &&
                     said.contains("wright doctor"),
                 qPrintable(said));
        toolkit.cuobjdump = "/no/such/cuobjdump";
        said = failure(toolkit, scratch.path());
        QVERIFY2(said.contains("no nvdisasm"), qPrintable(said));
        toolkit.nvdisasm = scratch.writeProgram("nvdisasm", "#!/bin/sh\nexec yes\n");
        said = failure(toolkit, scratch.path());
        QVERIFY2(said.contains("Cannot start \"/no/such/cuobjdump\""), qPrintable(said));
        toolkit.cuobjdump = scratch.writeProgram("cuobjdump", "#!/bin/sh\necho 'it is Friday' >&2\nexit 3\n");
        said = failure(toolkit, scratch.path());
        QVERIFY2(said.contains("/no/such.o") && said.contains("it is Friday") && said.contains("13.0.88"),
                 qPrintable(said));
        toolkit.cuobjdump = scratch.writeProgram("cuobjdump", "#!/bin/sh\n: > a.cubin\n");
        toolkit.nvdisasm = scratch.writeProgram("nvdisasm", "#!/bin/sh\nhead -c 200000 /dev/zero\n");
        said = failure(toolkit, scratch.path());
        QVERIFY2(said.contains("longer than"), qPrintable(said));
        toolkit.nvdisasm = scratch.writeProgram("nvdisasm", "#!/bin/sh\nkill -SEGV $$\n");
        said = failure(toolkit, scratch.path());
        QVERIFY2(said.contains("signal 11"), qPrintable(said));
    }

    void aCancelEndsOnce() {
        const Scratch scratch;
        CudaToolkit toolkit;
        toolkit.cuobjdump = scratch.writeProgram("cuobjdump", "#!/bin/sh\nsleep 60\n");
        toolkit.nvdisasm = toolkit.cuobjdump;
        Disassembly::Options options;
        options.scratchFolder = scratch.path();
        Disassembly run(toolkit, {"/no/such.o"}, options);
        QSignalSpy failed(&run, &Disassembly::failed);
        run.start();
        QTest::qWait(100);
        run.cancel();
        run.cancel();
        QVERIFY(failed.wait(5000));
        QTest::qWait(100);
        QCOMPARE(failed.size(), 1);
    }

    void toolsComeFromThePythonEnvironmentToo() {
        const Scratch scratch;
        PythonEnvironment python;
        python.torchFolder = scratch.path("site/torch");
        python.nvidiaRoot = scratch.path("site/nvidia/cu13");
        const QString wheel = scratch.writeProgram("site/nvidia/cu13/bin/cuobjdump", "");
        const QString triton = scratch.writeProgram("site/triton/backends/nvidia/bin/nvdisasm", "");
        CudaToolkit toolkit = withBinaryTools({}, &python, {});
        QCOMPARE(toolkit.cuobjdump, wheel);
        QCOMPARE(toolkit.nvdisasm, triton);
        QVERIFY(toolkit.binaryToolsSource.contains("Python environment"));
        // What lies beside nvcc stays, another toolkit is the last resort, and nothing is nothing.
        CudaToolkit own;
        own.nvdisasm = "/opt/cuda/bin/nvdisasm";
        own.cuobjdump = "/opt/cuda/bin/cuobjdump";
        QCOMPARE(withBinaryTools(own, &python, {}), own);
        const QString other = scratch.writeProgram("cuda/bin/nvdisasm", "");
        CudaPlace place;
        place.nvcc = scratch.path("cuda/bin/nvcc");
        place.source = "PATH";
        QCOMPARE(withBinaryTools({}, nullptr, {place}).nvdisasm, other);
        QCOMPARE(withBinaryTools({}, nullptr, {}), CudaToolkit());
    }
};

QObject *makeTestInspection() {
    return new TestInspection;
}

#include "tst_inspection.moc"
