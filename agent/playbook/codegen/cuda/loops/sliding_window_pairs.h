// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/element_type.h"
#include "agent/playbook/schedule/sliding_window.h"

#include <QString>

#include <cstdint>
#include <set>

namespace warpwright {

[[nodiscard]] QString vectorOfType(ElementType type, std::int64_t count);
[[nodiscard]] QString unrolledLoop(const QString &counter, std::int64_t size, int indent,
                                   const QString &lines);
/// Lines repeated for each `lane` of the adjacent windows, or for each `pair` of them.
[[nodiscard]] QString forEachAdjacent(const QString &lines, int indent);
[[nodiscard]] QString forEachPair(const QString &lines, int indent);

/// Extremes of two adjacent windows at once, in 16 bits: the type `Pair`, elementOf(pair, which) as a float,
/// `functions` as overloads of those of floats, and vectors.
[[nodiscard]] QString windowPairsText(ElementType type, const std::set<QString> &functions);
/// A vector of `count` pairs of this infinity.
[[nodiscard]] QString absentPairs(ElementType type, int count, double value);
/// Lines that fill the array `name` with the pairs of adjacent columns from `vecs`.
[[nodiscard]] QString pairsOfColumns(const QString &name, const QString &vecs, const RowVectors &parts,
                                     std::int64_t columns, const QString &indent);

} // namespace warpwright
