// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/timeline/trace_plan.h"

#include <QFileInfo>

namespace warpwright {
namespace {

QProcessEnvironment environmentOf(const TracePlan &plan, bool isCandidate) {
    QProcessEnvironment environment = isCandidate ? QProcessEnvironment() : plan.environment;
    if (isCandidate) {
        environment.insert(QStringLiteral("PATH"), QStringLiteral("/usr/bin:/bin"));
        environment.insert(QStringLiteral("LANG"), QStringLiteral("C.UTF-8"));
        environment.insert(QStringLiteral("USER"), QStringLiteral("candidate"));
        environment.insert(QStringLiteral("HOME"), plan.scratch);
        for (const QString &name : {QStringLiteral("LD_LIBRARY_PATH"), QStringLiteral("OMP_NUM_THREADS")})
            if (const QString value = plan.environment.value(name); !value.isEmpty())
                environment.insert(name, value);
    }
    environment.insert(QStringLiteral("TMPDIR"), plan.scratch);
    environment.insert(QStringLiteral("PYTHONDONTWRITEBYTECODE"), QStringLiteral("1"));
    environment.insert(QStringLiteral("PYTHONHASHSEED"), QStringLiteral("0"));
    environment.insert(QStringLiteral("PYTHONSAFEPATH"), QStringLiteral("1"));
    environment.insert(QStringLiteral("PYTHONUNBUFFERED"), QStringLiteral("1"));
    environment.insert(QStringLiteral("CUDA_DEVICE_ORDER"), QStringLiteral("PCI_BUS_ID"));
    environment.insert(QStringLiteral("CUDA_VISIBLE_DEVICES"), plan.device);
    return environment;
}

} // namespace

QString tracePathOf(const TracePlan &plan, bool isCandidate) {
    return plan.scratch +
           (isCandidate ? QStringLiteral("/candidate.json") : QStringLiteral("/reference.json"));
}

ProcessRequest traceRequest(const TracePlan &plan, bool isCandidate, int limitMs) {
    QStringList words{plan.interpreter,
                      QStringLiteral("-I"),
                      plan.script,
                      plan.inputs,
                      plan.runFolder,
                      plan.modelFile,
                      tracePathOf(plan, isCandidate),
                      plan.device.isEmpty() ? QStringLiteral("cpu") : QStringLiteral("cuda:0"),
                      QStringLiteral("--arms"),
                      isCandidate ? QStringLiteral("candidate") : QStringLiteral("eager,compile")};
    if (isCandidate && !plan.regionWatch.isEmpty())
        words << QStringLiteral("--regions") << plan.regionWatch;
    ProcessRequest request;
    if (isCandidate) {
        QStringList sandbox = plan.sandboxWords;
        sandbox << QStringLiteral("--or-weaker") << QStringLiteral("1") << QStringLiteral("--profile")
                << QStringLiteral("tools") << QStringLiteral("--folder") << plan.scratch
                << QStringLiteral("--write") << plan.scratch << QStringLiteral("--tell")
                << plan.scratch + QStringLiteral("/sandbox");
        QStringList readable{QFileInfo(plan.script).path(), plan.inputs, plan.runFolder};
        if (!plan.toolkit.isEmpty())
            readable << plan.toolkit;
        if (!plan.regionWatch.isEmpty())
            readable << QFileInfo(plan.regionWatch).path();
        for (const QString &path : std::as_const(readable))
            sandbox << QStringLiteral("--read") << path;
        words = sandbox << QStringLiteral("--") << words;
        request.program = plan.sandboxProgram;
    } else {
        request.program = words.takeFirst();
    }
    request.arguments = words;
    request.workingFolder = plan.scratch;
    request.environment = environmentOf(plan, isCandidate);
    request.timeLimitMs = limitMs;
    request.outputLimitBytes = 8LL << 20;
    return request;
}

} // namespace warpwright
