// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <QStringList>

#include <vector>

namespace warpwright {

/// Elements of a query and of a value, filled up to what the matrix units take at once.
struct AttentionWidths {
    std::int64_t query = 0;
    std::int64_t value = 0;
};

/// The loops of attention by what they are over, and what a text calls their counters.
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

    /// `kernel`: of Anchor::Attention.
    explicit AttentionLoops(const Kernel &kernel);

    /// The counters of rows from one, "row", and those of keys from "key", where they are several.
    [[nodiscard]] QStringList rowLines() const { return lines(firstRow, rowLoops, QStringLiteral("row")); }
    [[nodiscard]] QStringList keyLines() const { return lines(firstKey, keyLoops, QStringLiteral("key")); }
    /// Those of batches from the block's number.
    [[nodiscard]] QString batchLines() const;

private:
    [[nodiscard]] QStringList lines(std::size_t first, std::size_t count, const QString &number) const;

    const Kernel &m_kernel;
};

/// Loops over batches that these keys or values go along with: the engine's dimensions behind the keys.
[[nodiscard]] std::vector<std::size_t> batchLoopsOf(const Kernel &kernel, std::size_t input);
/// The loop over the elements of a key (leaf 1) or of a value (2).
[[nodiscard]] std::size_t elementLoopOf(const AttentionLoops &loops, std::size_t input);

/// Whether the copy engine (TMA) can bring keys and values: keys that one loop counts, and steps of whole 16
/// bytes.
[[nodiscard]] bool canBeCopiedInBoxes(const Kernel &kernel);

} // namespace warpwright
