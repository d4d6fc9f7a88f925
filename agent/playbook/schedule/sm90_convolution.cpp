// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/sm90_convolution.h"

#include "agent/playbook/analysis/instruction_cost.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/target/program_device.h"

#include <algorithm>
#include <limits>

namespace warpwright {
namespace {

constexpr std::int64_t stageBytes = 128; ///< of channels, of each row of a stage
constexpr std::int64_t chunkBytes = 32;  ///< of channels, per tensor core instruction
constexpr std::int64_t mostUnrolled = 4; ///< stages of a tap, that are unrolled
constexpr double leastOfStage = 0.6;     ///< of its time, however few chunks are multiplied: a guess
constexpr std::int64_t warpGroupFilters = 64;
constexpr std::int64_t vec = 4;
constexpr std::size_t maxEpilogueOperands = 6; ///< tensors: registers are for loads in flight
// Fitted to 43 kernels of 20 convolutions on an H100: a stage takes as long as if it had so many more
// positions. The wide values are for tiles of 64 filters: of stages with 256 positions few fit.
constexpr double startOfStage = 72;
constexpr double startOfWideStage = 150;
constexpr int widestOfOneGroup = 160;
// Fitted to 16 others: the time of a stage per position, and how much longer stores and epilogue operands
// take than memory needs, since nothing is multiplied meanwhile.
constexpr double positionSeconds = 1.95e-9;
constexpr double exposedSlowness = 1.3;
constexpr double usualWaste = 1.1; ///< a library rounds filters and channels up as well
// Of NCHW tensors whose rows are not aligned to vectors: the whole, and stores alone (57 x 55 positions, 65 x
// 65, 127 x 127).
constexpr double unevenSlowness = 1.5;
constexpr double unevenStoreSlowness = 3.5;
constexpr double leastLibrarySeconds = 8e-6; ///< of however small a convolution

std::int64_t parts(std::int64_t whole, std::int64_t part) {
    return (whole + part - 1) / part;
}

std::int64_t positionsOf(const Kernel &kernel) {
    return elementCount(Shape(kernel.loops.begin() + 2, kernel.loops.end()));
}

/// Sums per result: one, or two (secondSumOf()).
std::int64_t convolutionsOf(const Kernel &kernel) {
    return secondSumOf(kernel) < 0 ? 1 : 2;
}

std::int64_t tilesOf(const Kernel &kernel, const ConvolutionTile &tile) {
    return parts(kernel.loops[1] * convolutionsOf(kernel), tile.rows()) *
           parts(kernel.loops[0] * positionsOf(kernel), tile.positions * tile.groupsAcross());
}

/// In an arbitrary unit.
double timeOf(const Kernel &kernel, const ConvolutionTile &tile) {
    const bool isWide = tile.groupsDown == 1 && tile.positions > widestOfOneGroup;
    return static_cast<double>(parts(tilesOf(kernel, tile), deviceOf(kernel).processors)) *
           (tile.positions + (isWide ? startOfWideStage : startOfStage));
}

/// The limits of TMA's im2col mode on corners, offsets between taps and strides:
/// https://docs.nvidia.com/cuda/cuda-driver-api, cuTensorMapEncodeIm2col, and PTX's im2col offsets.
bool isWithinReach(const ConvolutionSizes &sizes) {
    const std::size_t dimensions = sizes.dimensions();
    constexpr std::int64_t corners[] = {1 << 15, 1 << 7, 1 << 4};
    constexpr std::int64_t offsets[] = {1 << 16, 1 << 8, 1 << 5};
    constexpr std::int64_t mostStride = 8;
    if (dimensions < 1 || dimensions > 3)
        return false;
    for (std::size_t d = 0; d < dimensions; ++d) {
        const std::int64_t corner = corners[dimensions - 1];
        const std::int64_t end =
            (sizes.output[2 + d] - 1) * sizes.stride[d] - sizes.padding[d] - (sizes.input[2 + d] - 1);
        const bool isFine = sizes.padding[d] <= corner && end >= -corner && end < corner &&
                            (sizes.weight[2 + d] - 1) * sizes.dilation[d] < offsets[dimensions - 1] &&
                            sizes.stride[d] <= mostStride;
        if (!isFine || sizes.padding[d] < 0 || sizes.hasNonZeroBoundary(d))
            return false;
    }
    return true;
}

/// Contiguous along positions, in full vectors.
bool isVectorAligned(const ConvolutionAddress &address) {
    return address.position == 1 && address.offset % vec == 0 && address.image % vec == 0 &&
           address.filter % vec == 0;
}

bool isOrdinary(const Kernel &kernel, const AffineExpr &index) {
    const auto address = convolutionAddress(kernel, index);
    if (!address || std::min({address->offset, address->image, address->filter, address->position}) < 0)
        return false;
    return address->offset + (kernel.loops[0] - 1) * address->image + kernel.loops[1] * address->filter +
               positionsOf(kernel) * address->position <=
           std::numeric_limits<int>::max();
}

/// Padding and waiting of the tensor cores costs less than a pass over the result.
bool isWorthIt(const Kernel &kernel) {
    const double bytes = 2.0 * static_cast<double>(elementCount(kernel.loops)) *
                         static_cast<double>(bytesOf(kernel.stores[0].type));
    const double share = kernel.inputs[0].type == ElementType::Float32 ? 1 : 0.5;
    const Device &device = deviceOf(kernel);
    const double seconds = share * kernel.operations() / device.tf32ASecond;
    return seconds * sm90ConvolutionSlowness(kernel) < std::max(seconds, leastLibrarySeconds) +
                                                           bytes / device.convolutionTailBytesASecond +
                                                           device.launchSeconds;
}

} // namespace

bool isSm90Convolution(const Kernel &kernel) {
    const Convolution *convolution = kernel.convolution();
    return convolution != nullptr && convolution->sizes.isChannelsLast && !convolution->sizes.isTransposed &&
           !convolution->sizes.isDepthwise() && convolution->epilogue.isEmpty() &&
           (kernel.stores[0].step != kernel.resultStep() || kernel.stores[0].address.steps[1] != 1);
}

bool canBeSm90Convolution(const Kernel &kernel) {
    if (!isSm90Convolution(kernel))
        return false;
    const ConvolutionSizes &sizes = kernel.convolution()->sizes;
    if (sizes.groups != 1 || kernel.stores.size() != 1 || !isWithinReach(sizes) || hasSlowSteps(kernel))
        return false;
    const ElementType type = kernel.inputs[0].type;
    const bool isOfUnits =
        type == ElementType::Float32 || type == ElementType::Float16 || type == ElementType::BFloat16;
    const bool areInputsSupported =
        std::all_of(kernel.inputs.begin(), kernel.inputs.end(), [&](const KernelInput &input) {
            return input.isPlain() && input.type == type && isOrdinary(kernel, input.address);
        });
    const bool areStepsSupported =
        std::none_of(kernel.steps.begin(), kernel.steps.end(),
                     [](const KernelStep &step) { return step.op == Opcode::Index || step.isGuarded; });
    return isOfUnits && areInputsSupported && areStepsSupported &&
           kernel.inputs.size() <= firstEpilogueInput(kernel) + maxEpilogueOperands &&
           kernel.stores[0].type == type && kernel.stores[0].every.empty() &&
           isOrdinary(kernel, kernel.stores[0].address) &&
           elementCount(sizes.input) <= std::numeric_limits<int>::max() && isWorthIt(kernel);
}

std::optional<ConvolutionAddress> convolutionAddress(const Kernel &kernel, const AffineExpr &address) {
    ConvolutionAddress flat{address.offset, address.steps[0], address.steps[1], 0};
    std::int64_t inner = 1; // positions per step of this dimension
    bool isFirst = true;
    for (std::size_t d = kernel.loops.size(); d-- > 2;) {
        if (kernel.loops[d] == 1)
            continue;
        if (isFirst)
            flat.position = address.steps[d];
        else if (address.steps[d] != flat.position * inner)
            return std::nullopt;
        isFirst = false;
        inner *= kernel.loops[d];
    }
    return flat;
}

ConvolutionStoreWidth convolutionStoreWidth(const Kernel &kernel) {
    const auto isFine = [&](const AffineExpr &index) {
        const ConvolutionAddress address = *convolutionAddress(kernel, index);
        return address.position != 1 || isVectorAligned(address);
    };
    if (convolutionAddress(kernel, kernel.stores[0].address)->position != 1)
        return ConvolutionStoreWidth::Single;
    const bool isVectorized =
        positionsOf(kernel) % vec == 0 && isFine(kernel.stores[0].address) &&
        std::all_of(kernel.inputs.begin() + static_cast<std::ptrdiff_t>(firstEpilogueInput(kernel)),
                    kernel.inputs.end(), [&](const KernelInput &input) { return isFine(input.address); });
    return isVectorized ? ConvolutionStoreWidth::Vector4 : ConvolutionStoreWidth::Coalesced;
}

ConvolutionTile convolutionTile(const Kernel &kernel) {
    ConvolutionTile best;
    double least = std::numeric_limits<double>::max();
    // Of equal ones the first: stacked warpgroups share what is read once.
    for (const int down : {2, 1})
        for (const int positions : {256, 224, 192, 160, 128, 96, 64}) {
            const ConvolutionTile tile{down, positions};
            if (const double time = timeOf(kernel, tile); time < least) {
                least = time;
                best = tile;
            }
        }
    return best;
}

int lastStageChunks(const Kernel &kernel) {
    const std::int64_t bytes = kernel.convolution()->sizes.weight[1] * bytesOf(kernel.inputs[0].type);
    const std::int64_t rest = bytes % stageBytes;
    const bool isWhole = rest == 0 || bytes > mostUnrolled * stageBytes;
    return static_cast<int>(parts(isWhole ? stageBytes : rest, chunkBytes));
}

double sm90ConvolutionSeconds(const Kernel &kernel) {
    const ConvolutionSizes &sizes = kernel.convolution()->sizes;
    const std::int64_t taps = elementCount(Shape(sizes.weight.begin() + 2, sizes.weight.end()));
    const std::int64_t stages = parts(sizes.weight[1] * bytesOf(kernel.inputs[0].type), stageBytes);
    const double last =
        std::max(leastOfStage, static_cast<double>(lastStageChunks(kernel)) * chunkBytes / stageBytes);
    const double ofInput = static_cast<double>(elementCount(sizes.input) + elementCount(sizes.weight)) *
                           static_cast<double>(bytesOf(kernel.inputs[0].type));
    const Device &device = deviceOf(kernel);
    const double exposed =
        std::max(0.0, kernel.bytes() - ofInput) / device.convolutionTailBytesASecond * exposedSlowness;
    const bool isUneven = convolutionStoreWidth(kernel) == ConvolutionStoreWidth::Coalesced;
    return timeOf(kernel, convolutionTile(kernel)) * positionSeconds * static_cast<double>(taps) *
               (static_cast<double>(stages) - 1 + last) +
           exposed * (isUneven ? unevenStoreSlowness : 1) + device.launchSeconds;
}

double sm90ConvolutionSlowness(const Kernel &kernel) {
    const ConvolutionSizes &sizes = kernel.convolution()->sizes;
    const auto bytes = static_cast<double>(sizes.weight[1] * bytesOf(kernel.inputs[0].type));
    const std::int64_t stages = parts(sizes.weight[1] * bytesOf(kernel.inputs[0].type), stageBytes);
    const double last =
        std::max(leastOfStage, static_cast<double>(lastStageChunks(kernel)) * chunkBytes / stageBytes);
    const std::int64_t filters = kernel.loops[1] * convolutionsOf(kernel);
    const double waste = static_cast<double>(parts(filters, warpGroupFilters) * warpGroupFilters) /
                         static_cast<double>(filters) * (static_cast<double>(stages) - 1 + last) *
                         static_cast<double>(stageBytes) / bytes;
    // With few tiles a library splits its sums.
    const double fewTiles = deviceOf(kernel).processors / 2.0;
    const double idle = fewTiles / static_cast<double>(tilesOf(kernel, convolutionTile(kernel)));
    const bool isUneven = convolutionStoreWidth(kernel) == ConvolutionStoreWidth::Coalesced;
    return std::max(1.0, waste / usualWaste) * std::max(1.0, idle) * (isUneven ? unevenSlowness : 1);
}

} // namespace warpwright
