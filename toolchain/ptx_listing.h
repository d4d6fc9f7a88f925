// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/kernel_code.h"

#include <QByteArray>

namespace warpwright {

/// Reads PTX as `nvcc -ptx -lineinfo` writes it and `cuobjdump -ptx` shows it: every .entry and .func with a
/// body, in their order, with their .loc lines and .maxntid. Of a text that is cut, what can be read of it.
[[nodiscard]] std::vector<KernelCode> parsePtx(const QByteArray &text);

} // namespace warpwright
