// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/batch_class_reductions.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/ir/kernel_rewriter.h"
#include "agent/playbook/schedule/vector_width.h"

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

constexpr std::int64_t mostClasses = 16;
constexpr std::ptrdiff_t mostSums = 36;    ///< that a thread has registers for, besides values in flight
constexpr std::size_t mostSteps = 400;     ///< of the unrolled kernel
constexpr double leastRead = 100e6;        ///< from the caches, by all classes
constexpr double cacheRate = 1.8;          ///< of L2, relative to DRAM
constexpr std::int64_t leastColumns = 512; ///< elements of a sum

/// Only reductions, with one result per row.
bool isRowReduction(const Kernel &kernel) {
    const bool areResultsOfRows =
        std::all_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
            return kernel.step(store.step).level <= StepLevel::Row &&
                   kernel.levelOf(store.address) <= StepLevel::Row;
        });
    return isLoopNest(kernel) && kernel.hasReductions() && !kernel.hasScans() && !kernel.hasKthValues() &&
           areResultsOfRows;
}

bool isLongReduction(const Kernel &kernel) {
    return isRowReduction(kernel) && familyOf(kernel) == KernelFamily::Rows && kernel.passCount() == 1 &&
           kernel.columns() >= leastColumns;
}

/// Bytes that the blocks of a row kernel read from L2.
double bytesReadByRows(const Kernel &kernel) {
    double bytes = 0;
    for (const KernelInput &input : kernel.inputs)
        if (kernel.levelOf(input.address) >= StepLevel::Column)
            bytes += static_cast<double>(kernel.rows() * kernel.columns()) * bytesOf(input.type);
    return bytes;
}

/// With these outer loops unrolled; empty: too many sums or steps, or nothing to unroll.
std::optional<Kernel> withClassesUnrolled(const Kernel &kernel, const std::vector<std::size_t> &loops) {
    std::int64_t classes = 1;
    for (const std::size_t loop : loops)
        classes *= kernel.loops[loop];
    const auto sums = std::count_if(kernel.steps.begin(), kernel.steps.end(),
                                    [](const KernelStep &step) { return isReduction(step.op); });
    if (classes < 2 || classes > mostClasses || classes * sums > mostSums ||
        static_cast<std::size_t>(classes) * kernel.steps.size() > mostSteps)
        return std::nullopt;
    Kernel all = kernel;
    for (const std::size_t loop : loops)
        all = unrolled(all, loop);
    return all;
}

bool isBetter(const Kernel &batched, const Kernel &kernel) {
    return isLongReduction(batched) && widthOf(batched) >= widthOf(kernel) &&
           batched.steps.size() <= mostSteps;
}

/// Outer loops that the address does not depend on.
std::vector<std::size_t> invariantLoops(const Kernel &kernel, const AffineExpr &address) {
    std::vector<std::size_t> loops;
    for (std::size_t k = 0; k < kernel.outer; ++k)
        if (address.steps[k] == 0 && kernel.loops[k] > 1)
            loops.push_back(k);
    return loops;
}

bool reads(const Kernel &kernel, const std::set<int> &buffers) {
    return std::any_of(kernel.inputs.begin(), kernel.inputs.end(),
                       [&](const KernelInput &input) { return buffers.contains(input.buffer); });
}

/// The only consumer of this kernel's stores, all of which are temporaries.
std::optional<std::size_t> onlyConsumerOfAll(const Program &program, std::size_t producer) {
    std::set<int> buffers;
    for (const KernelStore &store : program.kernels[producer].stores)
        buffers.insert(store.buffer);
    std::optional<std::size_t> consumer;
    for (std::size_t i = 0; i < program.kernels.size(); ++i)
        if (i != producer && reads(program.kernels[i], buffers)) {
            if (consumer)
                return std::nullopt;
            consumer = i;
        }
    const bool areTemporary = std::all_of(buffers.begin(), buffers.end(), [&program](int buffer) {
        return program.buffers[static_cast<std::size_t>(buffer)].kind == ProgramBuffer::Kind::Temporary;
    });
    return areTemporary ? consumer : std::nullopt;
}

/// The consumer with the producer's short row reductions unrolled among its classes.
std::optional<Kernel> withClassReductionInside(const Kernel &producer, const Kernel &consumer) {
    if (!isRowReduction(producer) || producer.columns() > mostClasses || !isLongReduction(consumer) ||
        bytesReadByRows(consumer) < leastRead)
        return std::nullopt;
    const auto chain = withReductionsUnrolled(producer);
    if (!chain)
        return std::nullopt;
    for (const KernelInput &input : consumer.inputs)
        for (const KernelStore &store : chain->stores) {
            if (store.buffer != input.buffer || !input.isPlain())
                continue;
            const auto batched = withClassesUnrolled(consumer, invariantLoops(consumer, input.address));
            const auto loops =
                batched ? loopsOfConsumer(*chain, store.address, *batched, input.address) : std::nullopt;
            auto both = loops ? fusedIn(*loops, *chain, *batched) : std::nullopt;
            if (!both)
                return std::nullopt;
            std::erase_if(both->stores, [&](const KernelStore &some) {
                return std::any_of(chain->stores.begin(), chain->stores.end(),
                                   [&](const KernelStore &made) { return made.buffer == some.buffer; });
            });
            both->finish();
            return isBetter(*both, consumer) && both->bytes() <= consumer.bytes() ? both : std::nullopt;
        }
    return std::nullopt;
}

/// Only if shared elements are most of the cache traffic.
std::optional<Kernel> withSharedElements(const Kernel &kernel) {
    if (!isLongReduction(kernel) || bytesReadByRows(kernel) < leastRead ||
        bytesReadByRows(kernel) < cacheRate * kernel.bytes())
        return std::nullopt;
    for (const KernelInput &input : kernel.inputs) {
        if (kernel.levelOf(input.address) < StepLevel::Column)
            continue;
        auto batched = withClassesUnrolled(kernel, invariantLoops(kernel, input.address));
        if (!batched)
            continue;
        batched->finish();
        if (isBetter(*batched, kernel) && bytesReadByRows(*batched) * cacheRate < bytesReadByRows(kernel))
            return batched;
    }
    return std::nullopt;
}

} // namespace

void batchClassReductions(Program &program) {
    for (std::size_t producer = 0; producer < program.kernels.size();) {
        const auto consumer = onlyConsumerOfAll(program, producer);
        auto inside = consumer && *consumer > producer
                          ? withClassReductionInside(program.kernels[producer], program.kernels[*consumer])
                          : std::nullopt;
        if (!inside) {
            ++producer;
            continue;
        }
        program.kernels[*consumer] = std::move(*inside);
        program.kernels.erase(program.kernels.begin() + static_cast<std::ptrdiff_t>(producer));
    }
    for (Kernel &kernel : program.kernels)
        if (auto batched = withSharedElements(kernel))
            kernel = std::move(*batched);
}

} // namespace warpwright
