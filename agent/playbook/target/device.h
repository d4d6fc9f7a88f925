// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>

namespace warpwright {

/// The properties of a chip that decisions of the playbook depend on: a row of resources/playbook/devices, or
/// estimates for a chip without one (known_devices).
struct Device {
    QString name; ///< as the driver reports it: "NVIDIA H200"
    int computeMajor = 0;
    int computeMinor = 0;
    int processors = 0;            ///< SMs
    int registersOfProcessor = 0;  ///< 32-bit registers of an SM
    int threadsOfProcessor = 0;    ///< resident threads of an SM
    int sharedBytesOfBlock = 0;    ///< the most shared memory that a block may request
    int sectorBytes = 0;           ///< DRAM sector: the least that is moved
    double launchSeconds = 0;      ///< from one small kernel to the next
    double memoryBytesASecond = 0; ///< until a check measures it (Target)
    // What kernels achieved, besides the ceilings, in bytes a second.
    double passBytesASecond = 0;             ///< pointwise pass over a whole tensor
    double convolutionTailBytesASecond = 0;  ///< a convolution's epilogue: reads and stores besides sums
    double branchBytesASecond = 0;           ///< small concurrent kernels
    double cacheBytesASecond = 0;            ///< from L2, all SMs together
    double cacheBytesOfProcessorASecond = 0; ///< from L2, a single SM, latency-bound
    // Multiplications and additions a second of libraries, by operand type.
    double float64ASecond = 0;
    double float32ASecond = 0;
    double tf32ASecond = 0;
    double halfASecond = 0;
    double oddChannelsASecond = 0; ///< convolution with misaligned channels
    double fewChannelsASecond = 0; ///< convolution with up to four channels, in TF32
    // The same of attention, whose threads compute a softmax between its matmuls.
    double attentionFloat32ASecond = 0;
    double attentionTf32ASecond = 0;
    double attentionHalfASecond = 0;
    double attentionWarpGroupsASecond = 0; ///< half precision, by warpgroup instructions (wgmma)
    double instructionsASecond = 0;        ///< of CUDA cores, while the tensor cores wait for them
    double comparisonsASecond = 0;         ///< element pairs of a sorting network, each compared twice

    bool operator==(const Device &) const = default;
};

/// Thread block clusters: from compute capability 9.0 on.
[[nodiscard]] bool hasClusters(const Device &device);
/// Warpgroup instructions (wgmma): compute capability 9.0 alone.
[[nodiscard]] bool hasWarpGroups(const Device &device);
/// Tensor-core instructions of a warp on TF32 and 16-bit types (mma.sync m16n8k8, m16n8k16): compute
/// capability 8.0 on.
[[nodiscard]] bool hasWarpMma(const Device &device);
/// Threads that saturate memory bandwidth, if each prefetches: half of the resident threads.
[[nodiscard]] double threadsForMemory(const Device &device);
/// Tiles for more than three quarters of the SMs.
[[nodiscard]] std::int64_t tilesForMost(const Device &device);

/// Fewer than two rows for each SM, so that some SMs are idle.
[[nodiscard]] bool hasFewRowsForDevice(const Device &device, std::int64_t rows);

} // namespace warpwright
