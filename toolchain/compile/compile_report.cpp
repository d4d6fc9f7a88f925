// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/compile/compile_report.h"

#include "toolchain/tool_output/compiler_diagnostics.h"
#include "toolchain/tool_output/diagnostic_reader.h"
#include "toolchain/workspace/python_registrations.h"

#include <QRegularExpression>

#include <algorithm>
#include <utility>

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

/// Two files that each bring the Python module: behind macros and conditions only the linker sees it.
void tellOfModules(Diagnostic &diagnostic) {
    const auto first = std::find_if(diagnostic.notes.begin(), diagnostic.notes.end(),
                                    [](const DiagnosticNote &note) { return note.message == firstDefined; });
    if (!diagnostic.message.startsWith(QLatin1String("multiple definition of \"PyInit_")) ||
        first == diagnostic.notes.end())
        return;
    if (diagnostic.file == QLatin1String("binding.cpp"))
        std::swap(diagnostic.file, first->file);
    diagnostic.message = secondModuleText(
        first->file, QStringLiteral("its PYBIND11_MODULE, which a macro or an #if of it makes,"));
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
        tellOfModules(diagnostic);
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
