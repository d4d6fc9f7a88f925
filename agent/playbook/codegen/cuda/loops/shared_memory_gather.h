// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"
#include "agent/playbook/schedule/shared_memory_gather.h"

#include <QStringList>

/// Gathers through shared memory, as lines of a CUDA kernel.
namespace warpwright {

/// Lines by which a block of THREADS copies the segment of a row into `staged`; `begin`: the text of its
/// first element's index.
[[nodiscard]] QStringList stagingLines(const SharedMemoryGather &gather, const Kernel &kernel,
                                       const KernelNames &names, const QString &begin);
/// "staged[7]", with several rows "staged[ofBlock * 4096 + 7]": the element that the input reads, without the
/// offset by its operands.
[[nodiscard]] QString gatheredElement(const SharedMemoryGather &gather, const KernelInput &input);

} // namespace warpwright
