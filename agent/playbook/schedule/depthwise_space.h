// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

/// How the work of a depthwise convolution is cut for a GPU: the parameter space of depthwise_cuda.
namespace warpwright {

/// The threads of one block, and what each of them makes.
struct DepthwiseTiling {
    int across = 1; ///< neighbouring results of a row that one thread makes
    int down = 1;   ///< rows of them
    int threadsAcross = 1;
    int threadsDown = 1;
    int planes = 1; ///< channels of images; where they read directly: strips of `across` by `down` results

    bool operator==(const DepthwiseTiling &) const = default;
};

/// Whether threads read memory directly: where neighbours there are channels, so that neighbouring threads
/// are channels as well, or where the window is too wide for shared memory. Else that holds a block's part of
/// the input. `bytes`: of an element as it is computed, here and below.
[[nodiscard]] bool readsDirectly(const ConvolutionSizes &sizes, int bytes);
/// Whether a thread's registers can hold the filter, or one slice of a deep one.
[[nodiscard]] bool holdsFilter(const ConvolutionSizes &sizes);
/// Taps of a filter's row that are unrolled together: all, but for very long windows.
[[nodiscard]] std::int64_t tapsAtOnce(const ConvolutionSizes &sizes);
/// Threads of a block side by side along the channels; 1 where they lie apart.
[[nodiscard]] int channelThreads(const ConvolutionSizes &sizes, int bytes);
/// Neighbours of the input that one load can fetch: four, two or one.
[[nodiscard]] std::int64_t loadWidth(const ConvolutionSizes &sizes);
/// Elements before a thread's first one that a tile holds so that loads of that width are aligned in memory.
[[nodiscard]] std::int64_t leadOf(const ConvolutionSizes &sizes);
/// The one that promises most first.
[[nodiscard]] std::vector<DepthwiseTiling> depthwiseTilings(const ConvolutionSizes &sizes, int bytes);

/// Of a shape's dimensions of space, counted as three: `which` is 0 for depth; `missing` where there are
/// fewer. `first`: how many come before space.
[[nodiscard]] std::int64_t spaceOf(const ConvolutionSizes &sizes, const Shape &shape, std::size_t which,
                                   std::size_t first, std::int64_t missing);

} // namespace warpwright
