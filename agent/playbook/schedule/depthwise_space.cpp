// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/depthwise_space.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr int vectorWidth = 4;                 ///< 16 bytes of floats
constexpr std::int64_t sharedBytes = 48 << 10; ///< of a block, without opting in for more
constexpr std::int64_t mostHeld = 49;          ///< taps in registers: 7 by 7
constexpr std::int64_t mostUnrolledRows = 7;
constexpr std::int64_t longestRow = 32;     ///< taps: longer rows are processed in chunks
constexpr std::int64_t tapChunk = 16;       ///< a multiple of the vector width
constexpr std::int64_t longestSegment = 48; ///< elements of an input row in registers: beyond it they spill
constexpr int widestBlock = 32;             ///< threads along a row where the block has several rows
constexpr int mostPlanes = 32;
constexpr int mostThreads = 256;

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

std::int64_t sharedBytesOf(const ConvolutionSizes &sizes, const DepthwiseTiling &tiling, int bytes) {
    const std::int64_t stride = sizes.stride.back();
    const std::int64_t at = tapsAtOnce(sizes);
    const std::int64_t taps = sizes.weight.back();
    const std::int64_t segment =
        leadOf(sizes) + (tiling.across - 1) * stride + (at - 1) * sizes.dilation.back() + 1;
    const std::int64_t vecs = (tiling.threadsAcross - 1) * tiling.across * stride / vectorWidth +
                              ceilDiv(segment, vectorWidth) +
                              (ceilDiv(taps, at) - 1) * at * sizes.dilation.back() / vectorWidth;
    const std::int64_t rows =
        (tiling.threadsDown * tiling.down - 1) * spaceOf(sizes, sizes.stride, 1, 0, 1) +
        (spaceOf(sizes, sizes.weight, 1, 2, 1) - 1) * spaceOf(sizes, sizes.dilation, 1, 0, 1) + 1;
    const std::int64_t filter =
        holdsFilter(sizes) ? 0 : sizes.taps() / taps * ceilDiv(taps, vectorWidth) * vectorWidth;
    return tiling.planes * (rows * vecs * vectorWidth + filter) * bytes;
}

bool isOfChannels(const ConvolutionSizes &sizes) {
    return sizes.inputStrides[1] == 1 && sizes.input[1] > 1;
}

int threadsOf(const DepthwiseTiling &tiling) {
    return tiling.threadsAcross * tiling.threadsDown * tiling.planes;
}

/// The threads of a block for a tile of results.
DepthwiseTiling fullTiling(const ConvolutionSizes &sizes, int across, int down, int threads) {
    const std::int64_t height = spaceOf(sizes, sizes.output, 1, 2, 1);
    const std::int64_t strips = ceilDiv(sizes.output.back(), across);
    const std::int64_t rows = ceilDiv(height, down);
    const std::int64_t planes =
        elementCount(sizes.output) / (height * std::max<std::int64_t>(sizes.output.back(), 1));
    // As many as divide the work evenly.
    const auto evenly = [](std::int64_t work, std::int64_t most) {
        return static_cast<int>(ceilDiv(work, ceilDiv(work, std::max<std::int64_t>(most, 1))));
    };
    DepthwiseTiling tiling{across, down, 1, 1, 1};
    tiling.threadsAcross = evenly(strips, height == 1 ? threads : widestBlock);
    tiling.threadsDown = evenly(rows, threads / tiling.threadsAcross);
    tiling.planes =
        static_cast<int>(std::clamp<std::int64_t>(threads / (tiling.threadsAcross * tiling.threadsDown), 1,
                                                  std::min<std::int64_t>(planes, mostPlanes)));
    return tiling;
}

/// Fewer where the tile would not fit into shared memory.
DepthwiseTiling fittingTiling(const ConvolutionSizes &sizes, int across, int down, int threads, int bytes) {
    DepthwiseTiling tiling = fullTiling(sizes, across, down, threads);
    for (int *number : {&tiling.planes, &tiling.threadsDown, &tiling.threadsAcross})
        while (*number > 1 && sharedBytesOf(sizes, tiling, bytes) > sharedBytes)
            *number = (*number + 1) / 2;
    return tiling;
}

} // namespace

std::int64_t spaceOf(const ConvolutionSizes &sizes, const Shape &shape, std::size_t which, std::size_t first,
                     std::int64_t missing) {
    const std::size_t absent = 3 - sizes.dimensions();
    return which < absent ? missing : shape[first + which - absent];
}

bool readsDirectly(const ConvolutionSizes &sizes, int bytes) {
    const DepthwiseTiling tile = fittingTiling(sizes, vectorWidth, 1, mostThreads, bytes);
    return isOfChannels(sizes) || sharedBytesOf(sizes, tile, bytes) > sharedBytes ||
           threadsOf(tile) * 4 < threadsOf(fullTiling(sizes, vectorWidth, 1, mostThreads));
}

bool holdsFilter(const ConvolutionSizes &sizes) {
    const std::int64_t down = spaceOf(sizes, sizes.weight, 1, 2, 1);
    return down <= mostUnrolledRows && tapsAtOnce(sizes) == sizes.weight.back() &&
           down * sizes.weight.back() <= mostHeld;
}

std::int64_t tapsAtOnce(const ConvolutionSizes &sizes) {
    return sizes.weight.back() <= longestRow ? sizes.weight.back() : tapChunk;
}

int channelThreads(const ConvolutionSizes &sizes, int bytes) {
    int lanes = isOfChannels(sizes) ? 32 : 1; // a warp's
    while (lanes > 1 && (lanes / 2 >= sizes.output[1] || lanes * (sizes.taps() | 1) * bytes > sharedBytes))
        lanes /= 2;
    return lanes;
}

std::int64_t loadWidth(const ConvolutionSizes &sizes) {
    std::int64_t width = vectorWidth;
    const auto isAligned = [&width](std::int64_t number) {
        return number % width == 0;
    };
    while (width > 1 && !(isAligned(sizes.inputOffset) && isAligned(sizes.input.back()) &&
                          sizes.inputStrides.back() == 1 &&
                          std::all_of(sizes.inputStrides.begin(), sizes.inputStrides.end() - 1, isAligned)))
        width /= 2;
    return width;
}

std::int64_t leadOf(const ConvolutionSizes &sizes) {
    const std::int64_t width = loadWidth(sizes);
    return (width - sizes.padding.back() % width) % width;
}

std::vector<DepthwiseTiling> depthwiseTilings(const ConvolutionSizes &sizes, int bytes) {
    const bool isFlat = spaceOf(sizes, sizes.output, 1, 2, 1) == 1;
    const bool isTall = spaceOf(sizes, sizes.weight, 1, 2, 1) > 3;
    std::vector<DepthwiseTiling> tilings;
    const auto add = [&tilings](const DepthwiseTiling &tiling) {
        if (std::find(tilings.begin(), tilings.end(), tiling) == tilings.end())
            tilings.push_back(tiling);
    };
    using Results = std::pair<int, int>;
    if (readsDirectly(sizes, bytes)) {
        const int lanes = channelThreads(sizes, bytes);
        // A row in registers serves more results the more rows a thread computes.
        const std::vector<Results> wanted = isFlat   ? std::vector<Results>{{8, 1}, {16, 1}, {4, 1}, {2, 1}}
                                            : isTall ? std::vector<Results>{{8, 4}, {8, 2}, {4, 4}, {8, 1}}
                                                     : std::vector<Results>{{4, 2}, {8, 2}, {4, 4}, {4, 1}};
        for (auto [across, down] : wanted) {
            const auto segment = [&sizes](std::int64_t count) {
                const std::int64_t taps = tapsAtOnce(sizes);
                return std::min((count - 1) * sizes.stride.back() + (taps - 1) * sizes.dilation.back() + 1,
                                count * taps);
            };
            while (across > 1 && (across / 2 >= sizes.output.back() || segment(across) > longestSegment))
                across /= 2;
            add({across, down, lanes, 1, mostThreads / lanes});
        }
        return tilings;
    }
    // Threads four floats apart have no bank conflicts in shared memory; a long window gains more from eight.
    const std::vector<Results> wanted = isFlat                ? std::vector<Results>{{4, 1}, {8, 1}}
                                        : !holdsFilter(sizes) ? std::vector<Results>{{4, 4}, {8, 4}, {8, 2}}
                                        : isTall              ? std::vector<Results>{{4, 4}, {4, 2}, {8, 2}}
                                                              : std::vector<Results>{{4, 2}, {4, 4}, {4, 1}};
    for (const auto &[across, down] : wanted)
        add(fittingTiling(sizes, across, down, mostThreads, bytes));
    add(fittingTiling(sizes, wanted[0].first, wanted[0].second, mostThreads / 2, bytes));
    return tilings;
}

std::vector<int> depthwiseConfigs(const Kernel &kernel) {
    std::vector<int> results;
    const int bytes = kernel.inputs[0].type == ElementType::Float64 ? 8 : 4;
    for (const DepthwiseTiling &tiling : depthwiseTilings(kernel.convolution()->sizes, bytes))
        results.push_back(tiling.across * tiling.down);
    return results;
}

} // namespace warpwright
