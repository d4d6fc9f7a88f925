// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// Whether a command starts one of CUDA-Agent's scripts, which need the device: `bash utils/compile.sh`,
/// `python3 -m utils.verification`.
[[nodiscard]] bool startsUtils(const QString &command);

/// Without the `sudo` before its parts: CUDA-Agent's skill asks for it, and in the sandbox there is none.
[[nodiscard]] QString withoutSudo(const QString &command);

} // namespace warpwright
