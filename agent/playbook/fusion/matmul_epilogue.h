// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>
#include <vector>

/// What a consumer computes from each result of a matmul, convolution or attention, as steps of that kernel.
namespace warpwright {

/// Which results the consumer's loops have to cover.
enum class ConsumerCoverage {
    Block, ///< from the beginning, each element once; of a convolution any number of rows and columns
    Whole, ///< of a convolution all, or every second, third or fourth row or column
};

/// The first producer fused with what `consumer` computes from its result and the second one's, a matmul with
/// the same first matrix. ConsumerCoverage::Whole: the first one keeps its stores.
[[nodiscard]] std::optional<Kernel> withConsumer(const std::vector<Kernel> &producers, const Kernel &consumer,
                                                 ConsumerCoverage coverage = ConsumerCoverage::Block,
                                                 bool mayMixTypes = false);

/// Matmuls of one first matrix, or column slices of one matmul, fused with what `consumer` computes from all
/// of them, in the loops of the first. Empty: it does not read each element exactly once.
[[nodiscard]] std::optional<Kernel> matmulsInConsumer(const std::vector<Kernel> &matmuls,
                                                      const Kernel &consumer);

} // namespace warpwright
