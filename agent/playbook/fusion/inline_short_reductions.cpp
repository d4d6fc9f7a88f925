// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/inline_short_reductions.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/ir/kernel_rewriter.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/schedule/vector_width.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t longest = 8;    ///< elements of a row that is unrolled
constexpr std::size_t mostSteps = 200; ///< of the fused kernel
constexpr double clearShare = 0.9;     ///< of the bytes of both

// Empty: it would be recomputed too often, or nothing is saved.
std::optional<Kernel> withReductionInside(const Kernel &producer, const Kernel &consumer) {
    if (!isLoopNest(producer) || !isLoopNest(consumer) || producer.stores.size() != 1 ||
        !producer.hasReductions() || producer.columns() > longest || transposeTileOf(consumer) ||
        consumer.rows() * consumer.columns() > producer.rows())
        return std::nullopt;
    const auto chain = withReductionsUnrolled(producer);
    auto inside = chain && chain->stores.size() == 1 ? withProducerInside(*chain, consumer) : std::nullopt;
    if (!inside || inside->steps.size() > mostSteps)
        return std::nullopt;
    inside->finish();
    const bool isAsBefore = familyOf(*inside) == familyOf(consumer) &&
                            widthOf(*inside) >= widthOf(consumer) &&
                            inside->passCount() == consumer.passCount() && !transposeTileOf(*inside);
    return isAsBefore && inside->bytes() < clearShare * (producer.bytes() + consumer.bytes()) ? inside
                                                                                              : std::nullopt;
}

} // namespace

void inlineShortReductions(Program &program) {
    for (std::size_t producer = 0; producer < program.kernels.size();) {
        const auto consumer = onlyConsumer(program, producer);
        auto inside = consumer ? withReductionInside(program.kernels[producer], program.kernels[*consumer])
                               : std::nullopt;
        if (!inside) {
            ++producer;
            continue;
        }
        program.kernels[*consumer] = std::move(*inside);
        program.kernels.erase(program.kernels.begin() + static_cast<std::ptrdiff_t>(producer));
    }
}

} // namespace warpwright
