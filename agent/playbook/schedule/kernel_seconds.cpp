// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/kernel_seconds.h"

#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/schedule/attention_space.h"
#include "agent/playbook/schedule/cluster_shapes.h"
#include "agent/playbook/schedule/loop_space.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/schedule/matmul/sm90_matmul.h"
#include "agent/playbook/schedule/sampled_tensors.h"
#include "agent/playbook/schedule/shared_memory_gather.h"
#include "agent/playbook/schedule/sm90_convolution.h"
#include "agent/playbook/schedule/sort_space.h"
#include "agent/playbook/schedule/thread_mapping.h"
#include "agent/playbook/target/program_device.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr double earlyShare = 0.6;   ///< of a launch, where it overlaps the end of the kernel before
constexpr double exposedShare = 0.2; ///< of the bytes of a matmul of ours: what nothing overlaps
constexpr double libraryPassSlowness =
    1.45;                          ///< of cuDNN's layout conversions, fitted to the programs of 26 tasks
constexpr double againShare = 0.4; ///< of bytes that were read before: the share that comes from memory again
constexpr double cacheRate = 1.2;  ///< sectors read in vain, mostly from a cache, by memory's rate: two tasks
                                   ///< on an H100 had 0.9 and 1.6
constexpr double transposedDepthwiseSlowness = 5; ///< of a depthwise convolution that transposes its images
/// Of a library's TF32 matmuls, where rows begin within sectors: an H100 took 58 us for 5000 x 1300 x 1100
/// with cuBLASLt's best algorithm, 65 with its first one, and 50 for copies with rows of 1120 floats; 9000 x
/// 5000 x 300 153 and 115.
constexpr double librarysShareWithinSectors = 0.7;
constexpr int alignedBytes = 16;
constexpr double wideEntrySlowness = 2.5; ///< of a sorting network, with entries of more than 32 bits

double libraryOperations(const Kernel &kernel, const Knobs &knobs) {
    // Channels that do not fill a load keep cuDNN from using tensor cores.
    if (kernel.isConvolution() && !kernel.isDepthwiseConvolution() &&
        kernel.convolution()->sizes.weight[1] * bytesOf(kernel.inputs[0].type) % alignedBytes != 0)
        return deviceOf(kernel).oddChannelsASecond;
    const Device &device = deviceOf(kernel);
    switch (kernel.inputs[0].type) {
    case ElementType::Float64:
        return device.float64ASecond;
    case ElementType::Float32:
        if (knobs.usesTf32 && kernel.isConvolution() &&
            kernel.convolution()->sizes.weight[1] * bytesOf(ElementType::Float32) <= alignedBytes)
            return device.fewChannelsASecond;
        return !knobs.usesTf32 ? device.float32ASecond
               : kernel.isMatmul() && !isSm90Matmul(kernel) && !beginAtSectors(kernel)
                   ? device.tf32ASecond * librarysShareWithinSectors
                   : device.tf32ASecond;
    default:
        return device.halfASecond;
    }
}

double attentionOperations(const Kernel &kernel, const Knobs &knobs) {
    const Device &device = deviceOf(kernel);
    return takesWarpGroups(kernel, knobs)                  ? device.attentionWarpGroupsASecond
           : kernel.inputs[0].type != ElementType::Float32 ? device.attentionHalfASecond
           : knobs.usesTf32                                ? device.attentionTf32ASecond
                                                           : device.attentionFloat32ASecond;
}

double loopSecondsAt(const Kernel &kernel, const Knobs &knobs, double bandwidth, double efficiency) {
    const Device &device = deviceOf(kernel);
    const ThreadMapping mapping = threadMappingOf(kernel, knobs);
    double bytes = kernel.bytes();
    // From the second pass on a part of the row is still in the caches.
    if (!mapping.isPersistent && kernel.hasReductions())
        bytes += againShare * (kernel.passCount() - 1) * (bytes - storedBytes(kernel));
    if (mapping.mode == MappingMode::BlockPerRow)
        efficiency *= std::min(1.0, static_cast<double>(kernel.rows()) *
                                        (mapping.isClustered ? maxClusterBlocks : 1) / device.processors);
    return (bytes / efficiency + scatteredBytes(kernel) / cacheRate) / bandwidth + device.launchSeconds;
}

double structuredSeconds(const Kernel &kernel, const Knobs &knobs, double bandwidth, double bytes) {
    bytes += againShare * kernel.rereadInputBytes();
    // A layout conversion before and one after, which read and write all of it.
    const double passes = isReorderedByLibrary(kernel, knobs) ? 2 * libraryPassSlowness * bytes : 0;
    return std::max(bytes / bandwidth, kernel.operations() / libraryOperations(kernel, knobs)) +
           passes / bandwidth + deviceOf(kernel).launchSeconds;
}

} // namespace

bool isComputeBoundInLibrary(const Kernel &kernel, const Knobs &knobs) {
    const Device &device = deviceOf(kernel);
    return kernel.operations() / libraryOperations(kernel, knobs) >
           std::max(kernel.bytes() / device.memoryBytesASecond, device.launchSeconds);
}

double loopSeconds(const Kernel &kernel, const Knobs &knobs, double bandwidth) {
    const bool gathersLines = !threadMappingOf(kernel, knobs).usesSharedGather &&
                              sharedMemoryGatherOf(kernel).has_value(); // a line for each element
    const double efficiency = gathersLines                                    ? 0.45
                              : knobs.hasWideLoads && canBeVectorized(kernel) ? 0.9
                                                                              : 0.75;
    return loopSecondsAt(kernel, knobs, bandwidth, efficiency);
}

double transposeTileSeconds(const Kernel &kernel, const Knobs &knobs, double bandwidth) {
    constexpr double efficiency = 0.6; // threads synchronize between reading and writing
    return loopSecondsAt(kernel, knobs, bandwidth, efficiency);
}

double attentionSeconds(const Kernel &kernel, const Knobs &knobs, double bandwidth) {
    return std::max(kernel.bytes() / bandwidth, kernel.operations() / attentionOperations(kernel, knobs)) +
           deviceOf(kernel).launchSeconds;
}

double sortSeconds(const Kernel &kernel, const Knobs &, double bandwidth) {
    const Device &device = deviceOf(kernel);
    return std::max(kernel.bytes() / bandwidth, kernel.operations() / device.comparisonsASecond *
                                                    (bytesOfEntry(kernel) > 4 ? wideEntrySlowness : 1)) +
           device.launchSeconds;
}

// Its launch overlaps the end of the time step before.
double cellMatmulLaunchSeconds(const Kernel &kernel, const Knobs &, double bandwidth) {
    return kernel.bytes() / bandwidth + earlyShare * deviceOf(kernel).launchSeconds;
}

// Here and below: a matmul's epilogue does not overlap other multiplications.
double sm90MatmulSeconds(const Kernel &kernel, const Knobs &knobs, double bandwidth) {
    const Device &device = deviceOf(kernel);
    const double bytes = kernel.bytes();
    return std::max(bytes / bandwidth,
                    kernel.operations() / sm90ShareOfCublas(kernel) / libraryOperations(kernel, knobs)) +
           exposedShare * bytes / bandwidth + epilogueInstructions(kernel) / device.instructionsASecond +
           device.launchSeconds;
}

double sm90ConvolutionLaunchSeconds(const Kernel &kernel, const Knobs &, double) {
    return sm90ConvolutionSeconds(kernel) +
           epilogueInstructions(kernel) / deviceOf(kernel).instructionsASecond;
}

double depthwiseSeconds(const Kernel &kernel, const Knobs &knobs, double bandwidth) {
    double bytes = kernel.bytes();
    // Reads along rows and stores across them: a memory line is written in pieces.
    if (kernel.convolution()->sizes.inputStrides.back() == 1 && kernel.stores[0].address.steps.back() != 1)
        bytes *= transposedDepthwiseSlowness;
    return structuredSeconds(kernel, knobs, bandwidth, bytes);
}

double librarySeconds(const Kernel &kernel, const Knobs &knobs, double bandwidth) {
    return structuredSeconds(kernel, knobs, bandwidth, kernel.bytes());
}

bool isReorderedByLibrary(const Kernel &kernel, const Knobs &knobs) {
    if (!kernel.isConvolution())
        return false;
    const ConvolutionSizes &sizes = kernel.convolution()->sizes;
    const ElementType type = kernel.inputs[0].type;
    const bool usesTensorCores =
        type != ElementType::Float64 && (type != ElementType::Float32 || knobs.usesTf32);
    return usesTensorCores && !sizes.isDepthwise() && !sizes.isChannelsLast;
}

double storedBytes(const Kernel &kernel) {
    double sum = 0;
    for (const KernelStore &store : kernel.stores) {
        double count = bytesOf(store.type);
        for (std::size_t k = 0; k < kernel.loops.size(); ++k)
            count *= store.address.steps[k] != 0 ? static_cast<double>(kernel.loops[k]) : 1;
        sum += count;
    }
    return sum;
}

} // namespace warpwright
