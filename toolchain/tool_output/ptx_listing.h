// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/tool_output/kernel_code.h"

#include <QByteArray>
#include <QHash>

namespace warpwright {

/// Reads PTX as `nvcc -ptx -lineinfo` writes it and `cuobjdump -ptx` shows it: every .entry and .func with a
/// body, in their order, with their .loc lines and .maxntid. Of a text that is cut, what can be read of it.
[[nodiscard]] std::vector<KernelCode> parsePtx(const QByteArray &text);

/// Threads of a block by the __launch_bounds__ of each kernel, by its mangled name; 0: it has none. Reads the
/// heads alone.
[[nodiscard]] QHash<QString, int> launchBoundsIn(const QByteArray &ptx);

} // namespace warpwright
