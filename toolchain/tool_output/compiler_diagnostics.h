// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/tool_output/diagnostic.h"

#include <QByteArray>

namespace warpwright {

/// Reads the text of nvcc (its front end, host compiler, ptxas and nvlink), g++ and ld, in any mixture.
/// Text that is no diagnostic is passed over. `workspace`: absolute folder that file names are made relative
/// to. At most `limit` diagnostics and 32 notes each; the rest of a flood is dropped.
[[nodiscard]] std::vector<Diagnostic> parseDiagnostics(const QByteArray &text, const QString &workspace,
                                                       int limit = 1000);

} // namespace warpwright
