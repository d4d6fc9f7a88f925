// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

/// How a depthwise convolution is tiled for a GPU: the search space of depthwise_cuda.
namespace warpwright {

/// The threads of one block, and the results of each.
struct DepthwiseTiling {
    int across = 1; ///< adjacent results of a row per thread
    int down = 1;   ///< rows of them
    int threadsAcross = 1;
    int threadsDown = 1;
    int planes = 1; ///< channels of images; with direct reads: strips of `across` by `down` results

    bool operator==(const DepthwiseTiling &) const = default;
};

/// Whether threads read global memory directly: in NHWC, where adjacent threads take adjacent channels, or
/// where the window is too wide for shared memory, which else holds a block's part of the input. `bytes`: of
/// an element as it is computed, here and below.
[[nodiscard]] bool readsDirectly(const ConvolutionSizes &sizes, int bytes);
/// Whether a thread's registers can hold the filter, or one slice of a deep one.
[[nodiscard]] bool holdsFilter(const ConvolutionSizes &sizes);
/// Taps of a filter row that are unrolled together: all, except in very long windows.
[[nodiscard]] std::int64_t tapsAtOnce(const ConvolutionSizes &sizes);
/// Adjacent threads of a block along the channels; 1 where these are strided.
[[nodiscard]] int channelThreads(const ConvolutionSizes &sizes, int bytes);
/// Adjacent input elements per load: four, two or one.
[[nodiscard]] std::int64_t loadWidth(const ConvolutionSizes &sizes);
/// Elements that a tile holds before a thread's first one so that loads of that width are aligned.
[[nodiscard]] std::int64_t leadOf(const ConvolutionSizes &sizes);
/// Best expected first.
[[nodiscard]] std::vector<DepthwiseTiling> depthwiseTilings(const ConvolutionSizes &sizes, int bytes);
/// Results per thread of each tiling.
[[nodiscard]] std::vector<int> depthwiseConfigs(const Kernel &kernel);

/// Of a shape's spatial dimensions, counted as three: `which` is 0 for depth; `missing` where there are
/// fewer. `first`: dimensions before the spatial ones.
[[nodiscard]] std::int64_t spaceOf(const ConvolutionSizes &sizes, const Shape &shape, std::size_t which,
                                   std::size_t first, std::int64_t missing);

} // namespace warpwright
