// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/findings/findings.h"

#include <initializer_list>
#include <utility>

/// A kernel with hand-made counters, as Nsight Compute would tell them of an H200: 132 SMs, ten
/// full waves, memory at half of its peak, full occupancy. A row changes what it is about.
class CountedKernel {
public:
    explicit CountedKernel(const char *name = "k", double microseconds = 100);

    using Values = std::initializer_list<std::pair<const char *, double>>;
    /// An instruction of k.cu; "executed" is once for each warp where it is not said, "threads" 32 of each.
    CountedKernel &at(const char *sass, int line, Values values = {});
    CountedKernel &metric(const char *name, double value);
    CountedKernel &shape(int blocks, int threads);

    [[nodiscard]] double warps() const;
    warpwright::KernelCounters value;
};

/// Counters of a candidate that launches these.
[[nodiscard]] warpwright::Counters countersOf(const std::vector<CountedKernel> &kernels);
/// The whole input, of no text that is known.
[[nodiscard]] warpwright::FindingInput inputOf(const std::vector<CountedKernel> &kernels);
/// A check on an H200: a call of so many microseconds, a task of so many bytes and FLOPs of products.
[[nodiscard]] warpwright::Evaluation checkOf(double callMicroseconds, double taskBytes,
                                             double matrixFlops = 0,
                                             const QStringList &allowed = {QStringLiteral("FP32")});
[[nodiscard]] QStringList idsOf(const warpwright::Findings &findings);
