// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/kernel_text.h"

namespace warpwright {

/// How threads share a kernel's loops.
enum class CudaMode {
    Flat,        ///< element by element, as many at a time as there are threads
    BlockOfRow,  ///< one block, one row
    LanesOfRows, ///< a warp's threads take neighbouring rows, several warps share their length
    ThreadOfRow, ///< one thread, one row
    Tiles,       ///< one block, one tile, that is read along one loop and written along another
};
[[nodiscard]] CudaMode cudaModeOf(const FusedKernel &kernel);

/// What stands above the kernel: its formula, why its threads share the work as they do, includes.
[[nodiscard]] QString cudaHead(const FusedKernel &kernel, const KernelNames &names, CudaMode mode,
                               bool isOnePass);

/// Of the number of a pack: a division of 32 bits takes a quarter of the time of one of 64.
[[nodiscard]] QString packType(const FusedKernel &kernel, int width);
/// Sizes that the kernel was written for. `width`: elements that a thread takes at once.
[[nodiscard]] QString cudaConstants(const FusedKernel &kernel, CudaMode mode, int width);

} // namespace warpwright
