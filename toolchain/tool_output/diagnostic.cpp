// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/tool_output/diagnostic.h"

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

int countErrors(const std::vector<Diagnostic> &diagnostics) {
    return static_cast<int>(
        std::count_if(diagnostics.begin(), diagnostics.end(), [](const Diagnostic &diagnostic) {
            return diagnostic.severity == Severity::Error || diagnostic.severity == Severity::Fatal;
        }));
}

} // namespace warpwright
