// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"

namespace warpwright {

/// A share of samples of one reason for which warps waited.
struct StallShare {
    QString reason; ///< "long_scoreboard"
    double samples = 0;
    double share = 0; ///< of all samples, 0 … 1

    bool operator==(const StallShare &) const = default;
};

/// A line of a source, with what its instructions cost.
struct HotLine {
    QString file; ///< as the report names it
    int line = 0;
    double samples = 0;
    double share = 0;   ///< of the kernel's samples, 0 … 1
    QString topStall;   ///< reason with the most samples; empty: none
    double sectors = 0; ///< of global memory, 32 bytes
    double sectorsIdeal = 0;
    double wavefronts = 0; ///< of shared memory
    double wavefrontsIdeal = 0;

    bool operator==(const HotLine &) const = default;
};

/// Reasons by samples, the most first. "selected" is among them: those warps issued.
[[nodiscard]] std::vector<StallShare> stallShares(const KernelCounters &kernel);

/// Lines by samples, the most first; instructions without a line are summed up under line 0.
[[nodiscard]] std::vector<HotLine> hotLines(const KernelCounters &kernel);

/// "long scoreboard" in words: "waits for global or local memory". Of a reason that we do not know: its name.
[[nodiscard]] QString stallWords(const QString &reason);

/// "SM 16.2 %", bytes of DRAM and their rate: what two places write the same way. Empty: not collected.
[[nodiscard]] std::optional<double> dramBytes(const KernelCounters &kernel);
/// Bytes per second over the profiled duration.
[[nodiscard]] std::optional<double> dramBytesPerSecond(const KernelCounters &kernel);
/// FLOP of FP32, FP64 and FP16 on the CUDA cores; an FMA counts two. Those of tensor cores are not among
/// them.
[[nodiscard]] std::optional<double> coreFlops(const KernelCounters &kernel);
/// FLOP of the tensor cores: how often each HMMA and DMMA was executed, by the shape in its name (a
/// multiply-add counts two). Nothing where the listing has not all of them, or where others were executed
/// (HGMMA, IMMA, of sparse matrices), whose shares nobody has held against a product of known size.
[[nodiscard]] std::optional<double> matrixFlops(const KernelCounters &kernel);

} // namespace warpwright
