// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>
#include <vector>

/// What a reader makes of each result of a product, a convolution or attention, as steps of that kernel.
namespace warpwright {

/// What loops have to meet of a result.
enum class ConsumerCoverage {
    Block, ///< at its beginning, each element once; of a convolution as few rows and columns as they like
    Whole, ///< of a convolution all of it, or every second, third or fourth row or column
};

/// The first of these kernels with what `reader` makes of its result, and of the second one's: a product with
/// the same first matrix. ConsumerCoverage::Whole: what the first one stores it stores still.
[[nodiscard]] std::optional<Kernel> withConsumer(const std::vector<Kernel> &producers, const Kernel &consumer,
                                                 ConsumerCoverage coverage = ConsumerCoverage::Block,
                                                 bool mayMixTypes = false);

/// Products of one first matrix, or parts of one product's columns, with what `reader` makes of all of them:
/// in the loops of the first one. Empty: it reads more of them than each element once.
[[nodiscard]] std::optional<Kernel> matmulsInConsumer(const std::vector<Kernel> &matmuls,
                                                      const Kernel &consumer);

} // namespace warpwright
