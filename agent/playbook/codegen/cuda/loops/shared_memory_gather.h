// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"
#include "agent/playbook/schedule/shared_memory_gather.h"

#include <QStringList>

/// Gathers through shared memory, as lines of a CUDA kernel.
namespace warpwright {

/// Lines that bring the segment of a row into `staged`, by a block of THREADS; `begin`: the text of where it
/// begins.
[[nodiscard]] QStringList stagingLines(const SharedMemoryGather &gather, const Kernel &kernel,
                                       const KernelNames &names, const QString &begin);
/// "staged[7]", of several rows "staged[ofBlock * 4096 + 7]": what the leaf reads of it, but for what its
/// operands count.
[[nodiscard]] QString gatheredElement(const SharedMemoryGather &gather, const KernelInput &input);

} // namespace warpwright
