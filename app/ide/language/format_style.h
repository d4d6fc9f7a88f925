// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QString>

namespace warpwright {

/// Whether a .clang-format says how C++ and CUDA are laid out in the folder of this file or in one above it:
/// without one clangd would bring a style of its own. Reads folders: belongs in the pool.
[[nodiscard]] bool hasFormatStyle(const QString &file);

/// Writes one into the folder: that of the samples. Gives its path. Never overwrites one. For the pool.
[[nodiscard]] Result<QString> writeFormatStyle(const QString &folder, const QString &resources);

} // namespace warpwright
