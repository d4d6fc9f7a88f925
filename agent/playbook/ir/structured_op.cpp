// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/structured_op.h"

namespace warpwright {

std::int64_t ConvolutionSizes::taps() const {
    std::int64_t count = 1;
    for (std::size_t d = 2; d < weight.size(); ++d)
        count *= weight[d];
    return count;
}

double ConvolutionSizes::operations() const {
    // Each kernel element visits every position of the output, or, transposed, of the input.
    const Shape &positions = isTransposed ? input : output;
    return 2.0 * static_cast<double>(elementCount(positions)) * static_cast<double>(weight[1] * taps());
}

std::int64_t nextPowerOfTwo(std::int64_t columns) {
    std::int64_t power = 1;
    while (power < columns)
        power *= 2;
    return power;
}

double SortedRows::comparisons(std::int64_t columns) {
    const std::int64_t power = nextPowerOfTwo(columns);
    int doublings = 0;
    while ((std::int64_t(1) << doublings) < power)
        ++doublings;
    return static_cast<double>(power) / 2 * doublings * (doublings + 1) / 2;
}

QString scatterKindName(ScatterKind kind) {
    switch (kind) {
    case ScatterKind::Put:
        return QStringLiteral("written");
    case ScatterKind::Add:
        return QStringLiteral("added");
    case ScatterKind::Maximum:
        return QStringLiteral("raised");
    case ScatterKind::Minimum:
        return QStringLiteral("lowered");
    }
    return {};
}

} // namespace warpwright
