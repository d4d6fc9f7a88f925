// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <QStringList>

#include <vector>

namespace warpwright {

/// Elements of a query and of a value, padded to the tile sizes of the tensor cores.
struct AttentionWidths {
    std::int64_t query = 0;
    std::int64_t value = 0;
};

/// The loops of attention by what they iterate over, and the names of their counters.
struct AttentionLoops {
    std::size_t firstRow = 0; ///< loops before it are over batches
    std::size_t rowLoops = 0;
    std::size_t firstKey = 0;
    std::size_t keyLoops = 0;
    std::size_t last = 0; ///< over a value's elements; the one before it is over a query's
    std::int64_t batches = 1;
    std::int64_t rows = 1;
    std::int64_t keys = 1;
    QStringList counters; ///< "batch0", "row", "key0", "key1"; none for the elements

    /// `kernel`: attention.
    explicit AttentionLoops(const Kernel &kernel);

    /// Declarations that split "row" and "key" into their counters, where there are several.
    [[nodiscard]] QStringList rowLines() const { return lines(firstRow, rowLoops, QStringLiteral("row")); }
    [[nodiscard]] QStringList keyLines() const { return lines(firstKey, keyLoops, QStringLiteral("key")); }
    /// The same for batches, from blockIdx.x.
    [[nodiscard]] QString batchLines() const;

private:
    [[nodiscard]] QStringList lines(std::size_t first, std::size_t count, const QString &number) const;

    const Kernel &m_kernel;
};

/// Batch loops along which these keys or values move: the TMA dimensions after the keys.
[[nodiscard]] std::vector<std::size_t> batchLoopsOf(const Kernel &kernel, std::size_t input);
/// The loop over the elements of a key (input 1) or of a value (2).
[[nodiscard]] std::size_t elementLoopOf(const AttentionLoops &loops, std::size_t input);

/// Whether TMA can load keys and values: one loop over keys, and strides that are multiples of 16 bytes.
[[nodiscard]] bool canUseTma(const Kernel &kernel);

} // namespace warpwright
