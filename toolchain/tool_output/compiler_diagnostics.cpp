// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/tool_output/compiler_diagnostics.h"

#include "toolchain/tool_output/diagnostic_reader.h"

#include <algorithm>

namespace warpwright {

QString severityName(Severity severity) {
    switch (severity) {
    case Severity::Note:
        return QStringLiteral("note");
    case Severity::Warning:
        return QStringLiteral("warning");
    case Severity::Error:
        return QStringLiteral("error");
    case Severity::Fatal:
        return QStringLiteral("fatal");
    }
    return {};
}

std::vector<Diagnostic> parseDiagnostics(const QByteArray &text, const QString &workspace, int limit) {
    DiagnosticReader reader(workspace, limit);
    for (const QByteArray &line : text.split('\n')) {
        if (reader.isFull())
            break;
        reader.read(QString::fromUtf8(line));
    }
    return reader.take();
}

int countErrors(const std::vector<Diagnostic> &diagnostics) {
    return static_cast<int>(
        std::count_if(diagnostics.begin(), diagnostics.end(), [](const Diagnostic &diagnostic) {
            return diagnostic.severity == Severity::Error || diagnostic.severity == Severity::Fatal;
        }));
}

} // namespace warpwright
