// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/comparison/comparison_parts.h"

#include "toolchain/base/figures.h"

namespace warpwright {

std::vector<KernelPair> pairKernels(const QStringList &left, const QStringList &right, bool byRank) {
    std::vector<KernelPair> pairs;
    std::vector<bool> isTaken(static_cast<std::size_t>(left.size()), false);
    for (qsizetype i = 0; i < right.size(); ++i) {
        KernelPair pair{-1, static_cast<int>(i)};
        for (qsizetype j = 0; j < left.size() && pair.left < 0; ++j)
            if (!isTaken[static_cast<std::size_t>(j)] && left[j] == right[i])
                pair.left = static_cast<int>(j);
        if (pair.left >= 0)
            isTaken[static_cast<std::size_t>(pair.left)] = true;
        pairs.push_back(pair);
    }
    for (KernelPair &pair : pairs)
        for (qsizetype j = 0; byRank && pair.left < 0 && j < left.size(); ++j)
            if (!isTaken[static_cast<std::size_t>(j)]) {
                isTaken[static_cast<std::size_t>(j)] = true;
                pair.left = static_cast<int>(j);
            }
    for (std::size_t j = 0; j < isTaken.size(); ++j)
        if (!isTaken[j])
            pairs.push_back({static_cast<int>(j), -1});
    return pairs;
}

QString pairName(const QString &left, const QString &right) {
    if (left.isEmpty() || right.isEmpty() || left == right)
        return right.isEmpty() ? left : right;
    return QStringLiteral("%1 → %2").arg(left, right);
}

void setCounts(ComparisonRow &row, const std::optional<double> &left, const std::optional<double> &right,
               const QString &unit) {
    const QString behind = unit.isEmpty() ? QString() : QLatin1Char(' ') + unit;
    row.leftValue = left;
    row.rightValue = right;
    row.unit = unit;
    if (left)
        row.left = numberText(*left) + behind;
    if (right)
        row.right = numberText(*right) + behind;
    if (left && right) {
        row.state = *left == *right ? ComparisonRow::State::Same : ComparisonRow::State::Differs;
        row.difference = *left == *right ? QString() : signedText(*right - *left) + behind;
    } else {
        row.state = left    ? ComparisonRow::State::LeftOnly
                    : right ? ComparisonRow::State::RightOnly
                            : ComparisonRow::State::Missing;
    }
}

} // namespace warpwright
