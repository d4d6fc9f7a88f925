// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/inspect/inspection_plan.h"

#include <QCryptographicHash>
#include <QFileInfo>

#include <utility>

namespace warpwright {
namespace {

QString keyOf(const QString &text) {
    return QString::fromLatin1(
        QCryptographicHash::hash(text.toUtf8(), QCryptographicHash::Sha256).toHex().left(32));
}

CompileStep ptxStep(CompileStep step) {
    QStringList arguments;
    for (int i = 0; i < step.arguments.size(); ++i) {
        const QString &argument = step.arguments[i];
        if (argument == QLatin1String("-c")) {
            arguments << QStringLiteral("-ptx");
        } else if (argument == QLatin1String("-Xptxas")) {
            ++i; // ptxas does not run
        } else if (argument.startsWith(QLatin1String("-gencode=arch="))) {
            // PTX is for the virtual architecture alone.
            const QString virtualOne = argument.section(QLatin1Char('='), 2).section(QLatin1Char(','), 0, 0);
            arguments << QStringLiteral("-gencode=arch=%1,code=%1").arg(virtualOne);
        } else {
            arguments << argument;
        }
    }
    step.arguments = arguments;
    step.objectKey = std::exchange(step.ptxKey, {});
    step.isLinked = false;
    return step;
}

} // namespace

bool isPtxStep(const CompileStep &step) {
    return step.arguments.contains(QStringLiteral("-ptx"));
}

CompilePlan inspectionPlan(const CompilePlan &plan, bool withPtx) {
    CompilePlan made = plan;
    made.steps.clear();
    made.linker.clear();
    made.linkArguments.clear();
    made.pythonFiles.clear();
    made.pythonHashes.clear();
    made.notRunnable.clear();
    QString all = QStringLiteral("inspection");
    for (const CompileStep &step : plan.steps)
        if (step.source.endsWith(QLatin1String(".cu"))) {
            made.steps.push_back(step);
            if (withPtx)
                made.steps.push_back(ptxStep(step));
        }
    for (const CompileStep &step : made.steps)
        all += QLatin1Char('\n') + step.objectKey;
    made.key = keyOf(all);
    made.buildFolder = QFileInfo(plan.buildFolder).path() + QLatin1Char('/') + made.key;
    return made;
}

} // namespace warpwright
