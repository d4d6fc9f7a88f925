// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/compile_report.h"

#include <QRegularExpression>

namespace warpwright {

namespace {

/// ld names a source by its last part, and objects by our keys.
QString sourceOf(const QString &name, const CompilePlan &plan) {
    for (const CompileStep &step : plan.steps)
        if (!name.isEmpty() && (step.source == name || step.source.endsWith(QLatin1Char('/') + name) ||
                                name.contains(step.objectKey)))
            return step.source;
    return name;
}

} // namespace

std::vector<Diagnostic> linkDiagnostics(const QByteArray &text, const CompilePlan &plan) {
    static const QRegularExpression undefined(QStringLiteral("^undefined reference to \"(.*)\"$"));
    std::vector<Diagnostic> kept;
    // Dozens of Python's symbols come before the one that matters.
    for (Diagnostic &diagnostic : parseDiagnostics(text, {}, 20000)) {
        diagnostic.file = sourceOf(diagnostic.file, plan);
        for (DiagnosticNote &note : diagnostic.notes)
            note.file = sourceOf(note.file, plan);
        if (const auto match = undefined.match(diagnostic.message); match.hasMatch()) {
            const QString symbol = match.captured(1);
            if (symbol.startsWith(QLatin1String("Py")) || symbol.startsWith(QLatin1String("_Py")))
                continue;
            diagnostic.severity = Severity::Error;
            diagnostic.notes.push_back(
                {{},
                 0,
                 0,
                 QStringLiteral("declared, but defined in none of the sources that are linked: a wrong name, "
                                "a missing extern \"C\", or a missing file")});
        }
        kept.push_back(std::move(diagnostic));
    }
    return kept;
}

void reportInto(CompileOutcome &outcome, const CompilePlan &plan, const std::vector<QByteArray> &logs,
                const QByteArray &linkLog) {
    for (std::size_t i = 0; i < logs.size(); ++i) {
        const QString &source = plan.steps[i].source;
        for (Diagnostic &diagnostic : parseDiagnostics(logs[i], plan.workspace)) {
            // ptxas and nvlink know no sources, but we know whose they are.
            if (diagnostic.file.isEmpty())
                diagnostic.file = source;
            outcome.diagnostics.push_back(std::move(diagnostic));
        }
        for (KernelResources &kernel : parsePtxasReport(logs[i]))
            outcome.kernels.push_back(std::move(kernel));
        if (!logs[i].isEmpty())
            outcome.log += source + QStringLiteral(":\n") + QString::fromUtf8(logs[i]);
    }
    for (Diagnostic &diagnostic : linkDiagnostics(linkLog, plan))
        outcome.diagnostics.push_back(std::move(diagnostic));
    for (const QString &sentence : plan.skipped)
        outcome.log += sentence + QLatin1Char('\n');
}

} // namespace warpwright
