// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>

namespace warpwright {

/// What one chip has, as far as a decision of the playbook hangs on it: a row of resources/playbook/devices,
/// or what was made for a chip without one (known_devices).
struct Device {
    QString name; ///< as the driver says it: "NVIDIA H200"
    int computeMajor = 0;
    int computeMinor = 0;
    int processors = 0;            ///< streaming multiprocessors
    int registersOfProcessor = 0;  ///< of 32 bits, for all threads on it
    int threadsOfProcessor = 0;    ///< resident at once
    int sharedBytesOfBlock = 0;    ///< the most a block may ask for
    int sectorBytes = 0;           ///< of memory: what is moved at least
    double launchSeconds = 0;      ///< from one small kernel to the next
    double memoryBytesASecond = 0; ///< where nothing was measured yet
    // What kernels have reached, beside the ceilings: bytes a second.
    double passBytesASecond = 0;             ///< of a pass over a whole tensor
    double convolutionTailBytesASecond = 0;  ///< of what a convolution reads and stores beside its sums
    double branchBytesASecond = 0;           ///< of small kernels beside each other
    double cacheBytesASecond = 0;            ///< from L2, by all multiprocessors
    double cacheBytesOfProcessorASecond = 0; ///< from L2, by one that waits for it
    // Multiplications and additions a second: a library's, by the type that is multiplied.
    double float64ASecond = 0;
    double float32ASecond = 0;
    double tf32ASecond = 0;
    double halfASecond = 0;
    double oddChannelsASecond = 0; ///< of a convolution whose channels are no whole loads
    double fewChannelsASecond = 0; ///< of one of up to four channels, in TF32
    // The same of attention, whose threads have a softmax to do between its products.
    double attentionFloat32ASecond = 0;
    double attentionTf32ASecond = 0;
    double attentionHalfASecond = 0;
    double attentionWarpGroupsASecond = 0; ///< in halves, by four warps together
    double instructionsASecond = 0;        ///< of single threads, while the tensor cores wait for them
    double comparisonsASecond = 0;         ///< pairs of elements, each twice, in a sorting network

    bool operator==(const Device &) const = default;
};

/// Threads that keep its memory busy, if each asks ahead: half of all that it holds.
[[nodiscard]] double threadsForMemory(const Device &device);
/// Tiles with which more than three in four multiprocessors have one.
[[nodiscard]] std::int64_t tilesForMost(const Device &device);

/// Fewer than two for each multiprocessor: some are left without a block.
[[nodiscard]] bool hasFewRowsForDevice(const Device &device, std::int64_t rows);

} // namespace warpwright
