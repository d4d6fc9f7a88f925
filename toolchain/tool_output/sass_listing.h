// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/tool_output/kernel_code.h"

#include <QByteArray>

namespace warpwright {

/// Reads what `nvdisasm -gi` printed of a cubin: every kernel in its order, with the line information of a
/// compilation with -lineinfo and the launch bounds of its .nv.info. The empty instructions that fill a
/// kernel's end are left out. Of a text that is cut or no listing, what can be read of it.
/// Recorded from nvdisasm 13.2 for sm_75 to sm_120; in «inlined at» each level stands on a line of its own.
[[nodiscard]] std::vector<KernelCode> parseSass(const QByteArray &text);

} // namespace warpwright
