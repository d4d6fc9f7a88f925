// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/tool_output/compiler_diagnostics.h"

#include "toolchain/tool_output/diagnostic_reader.h"

namespace warpwright {

std::vector<Diagnostic> parseDiagnostics(const QByteArray &text, const QString &workspace, int limit) {
    DiagnosticReader reader(workspace, limit);
    for (const QByteArray &line : text.split('\n')) {
        if (reader.isFull())
            break;
        reader.read(QString::fromUtf8(line));
    }
    return reader.take();
}

} // namespace warpwright
