// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/real_toolchain.h"
#include "tests/toolchain/places.h"

#include <QTest>
#include <QTimer>

using namespace warpwright;

const Toolchain &realToolchain() {
    static const Toolchain toolchain = [] {
        ToolchainProbe::Request request;
        request.folders = DataFolders::find();
        request.folders.resources = sourceFolder("/resources");
        request.settings = Settings::load(request.folders.settingsFile()).value();
        ToolchainProbe probe(request);
        QSignalSpy finished(&probe, &ToolchainProbe::finished);
        probe.start();
        return QTest::qWaitFor([&finished] { return finished.count() == 1; }, 60000)
                   ? finished[0][0].value<Toolchain>()
                   : Toolchain();
    }();
    return toolchain;
}

QString missingTools(bool forCuda) {
    const Toolchain &tools = realToolchain();
    QStringList missing;
    if (!tools.hostCompiler)
        missing << tools.hostCompilerMessage;
    if (!tools.python)
        missing << tools.pythonMessage;
    else if (forCuda)
        missing << whyNoTorchCuda(*tools.python);
    if (forCuda && !tools.cuda)
        missing << tools.cudaMessage;
    missing.removeAll(QString());
    return missing.join(QLatin1Char(' '));
}

RunResult runCompile(const CompilePlan &plan, const QString &cache, int cancelAfterMs, int maxJobs,
                     const QString &preparer) {
    RunResult result;
    CompileRun::Options options;
    options.cacheFolder = cache;
    options.maxJobs = maxJobs;
    options.preparer = preparer;
    CompileRun run(plan, options);
    QObject::connect(&run, &CompileRun::progress,
                     [&result](const QString &step, int index, int count, const QString &text) {
                         result.steps
                             << QStringLiteral("%1 %2/%3 %4").arg(step).arg(index).arg(count).arg(text);
                     });
    QObject::connect(&run, &CompileRun::finished, [&result](const CompileOutcome &outcome) {
        result.outcome = outcome;
        ++result.answers;
    });
    QObject::connect(&run, &CompileRun::failed, [&result](const QString &message) {
        result.message = message;
        ++result.answers;
    });
    if (cancelAfterMs >= 0)
        QTimer::singleShot(cancelAfterMs, &run, &CompileRun::cancel);
    run.start();
    if (QTest::qWaitFor([&result] { return result.answers > 0; }, 300000))
        QTest::qWait(20); // a second answer would be an error
    return result;
}

SmallWorkspace::SmallWorkspace() {
    scratch.writeModel();
    scratch.write("model_new.py", "import cuda_extension\n");
    scratch.write("binding.cpp", R"(#include <Python.h>
extern "C" int answer(int);
static PyObject *call(PyObject *, PyObject *x) { return PyLong_FromLong(answer(static_cast<int>(PyLong_AsLong(x)))); }
static PyMethodDef methods[] = {{"answer", call, METH_O, ""}, {nullptr, nullptr, 0, nullptr}};
static PyModuleDef module_ = {PyModuleDef_HEAD_INIT, "cuda_extension", "", -1, methods, nullptr, nullptr, nullptr, nullptr};
PyMODINIT_FUNC PyInit_cuda_extension() { return PyModule_Create(&module_); }
)");
    scratch.write("kernels/answer.cpp", "extern \"C\" int answer(int x) { return x + 1; }\n");
    scratch.write("kernels/answer.cu", R"(#include "shared.cuh"
__global__ void addOne(const float *x, float *y, int n)
{
    __shared__ float tile[THREADS];
    const int i = blockIdx.x * THREADS + threadIdx.x;
    tile[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (i < n) y[i] = tile[THREADS - 1 - threadIdx.x];
}
extern "C" int answer(int x) { addOne<<<1, THREADS>>>(nullptr, nullptr, 0); return x + 1; }
)");
    scratch.write("kernels/shared.cuh", "#pragma once\nconstexpr int THREADS = 256;\n");
}

CompilePlan SmallWorkspace::plan(TargetKind kind, const Toolchain &tools) const {
    const auto workspace = Workspace::open(scratch.path(), scratch.folders());
    const auto plan = makeCompilePlan(workspace.value(), tools, {kind, "sm_90a"});
    if (!plan.hasValue())
        qFatal("no plan: %s", qPrintable(plan.message()));
    return plan.value();
}
