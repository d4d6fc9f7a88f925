// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/inspect/occupancy_reference.h"

#if __has_include(<cuda_occupancy.h>)

#include <climits>
#include <cstring>

#include <cuda_occupancy.h>

std::optional<ReferenceOccupancy> referenceOccupancy(const warpwright::MultiprocessorLimits &limits,
                                                     int major, int minor,
                                                     const warpwright::BlockNeeds &needs) {
    cudaOccDeviceProp device;
    device.computeMajor = major;
    device.computeMinor = minor;
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiprocessor = limits.warps * 32;
    device.regsPerBlock = limits.registers;
    device.regsPerMultiprocessor = limits.registers;
    device.warpSize = 32;
    device.sharedMemPerBlock = 48 * 1024;
    device.sharedMemPerMultiprocessor = static_cast<std::size_t>(limits.sharedBytes);
    device.numSms = 1;
    device.sharedMemPerBlockOptin = static_cast<std::size_t>(limits.sharedBytesPerBlock);
    device.reservedSharedMemPerBlock = static_cast<std::size_t>(limits.sharedBytesOfSystem);
    cudaOccFuncAttributes kernel;
    kernel.maxThreadsPerBlock = INT_MAX;
    kernel.numRegs = needs.registers;
    kernel.sharedSizeBytes = 0;
    kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    kernel.maxDynamicSharedSizeBytes = static_cast<std::size_t>(needs.sharedBytes);
    kernel.numBlockBarriers = needs.barriers;
    cudaOccDeviceState state;
    cudaOccResult result;
    std::memset(&result, 0, sizeof result);
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state, needs.threads,
                                                static_cast<std::size_t>(needs.sharedBytes)) !=
        CUDA_OCC_SUCCESS)
        return ReferenceOccupancy{-1, -1, -1, -1, -1};
    const auto limit = [](int blocks) {
        return blocks == INT_MAX ? -1 : blocks;
    };
    return ReferenceOccupancy{result.activeBlocksPerMultiprocessor, limit(result.blockLimitWarps),
                              limit(result.blockLimitRegs), limit(result.blockLimitSharedMem),
                              limit(result.blockLimitBlocks)};
}

#else

std::optional<ReferenceOccupancy> referenceOccupancy(const warpwright::MultiprocessorLimits &, int, int,
                                                     const warpwright::BlockNeeds &) {
    return std::nullopt;
}

#endif
