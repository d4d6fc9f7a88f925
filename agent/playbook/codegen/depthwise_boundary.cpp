// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/depthwise_boundary.h"

#include <QStringList>

#include <algorithm>

namespace warpwright {
namespace {

/// By dimension of space; a missing one is zero-padded.
BoundaryMode boundaryAt(const ConvolutionSizes &sizes, std::size_t which) {
    const std::size_t absent = 3 - sizes.dimensions();
    return sizes.boundaryModes.empty() || which < absent ? BoundaryMode::Zeros
                                                         : sizes.boundaryModes[which - absent];
}

struct BoundaryFunction {
    BoundaryMode mode;
    const char *function;
    const char *description;
    const char *text;
};

// clang-format off
const BoundaryFunction boundaryFunctionTable[] = {
    {BoundaryMode::Reflect, "mirrored", "mirrored", R"(// Maps an index beyond a border into the image, which goes on mirrored (PyTorch's reflect): -1 is 1.
@device@@integer@ mirrored(@integer@ place, @integer@ size) {
    const @integer@ ahead = place < 0 ? -place : place;
    return ahead < size ? ahead : 2 * (size - 1) - ahead;
}
)"},
    {BoundaryMode::Replicate, "nearestInside", "repeated", R"(// Maps an index beyond a border to the nearest one inside (PyTorch's replicate).
@device@@integer@ nearestInside(@integer@ place, @integer@ size) {
    return place < 0 ? 0 : place < size ? place : size - 1;
}
)"},
    {BoundaryMode::Circular, "otherEnd", "from its other end", R"(// Maps an index beyond a border into the image, wrapped around (PyTorch's circular): -1 is the last.
@device@@integer@ otherEnd(@integer@ place, @integer@ size) {
    return place < 0 ? place + size : place < size ? place : place - size;
}
)"},
};
// clang-format on

const BoundaryFunction *boundaryFunctionOf(BoundaryMode mode) {
    const auto *const found =
        std::find_if(std::begin(boundaryFunctionTable), std::end(boundaryFunctionTable),
                     [mode](const BoundaryFunction &some) { return some.mode == mode; });
    return found == std::end(boundaryFunctionTable) ? nullptr : found;
}

} // namespace

QString boundaryFunctions(const ConvolutionSizes &sizes, const QString &integer, bool isDevice) {
    QString text;
    for (const BoundaryFunction &some : boundaryFunctionTable)
        if (std::find(sizes.boundaryModes.begin(), sizes.boundaryModes.end(), some.mode) !=
            sizes.boundaryModes.end())
            text += QLatin1String(some.text) + QLatin1Char('\n');
    return text.replace(QLatin1String("@device@"), isDevice ? QStringLiteral("__device__ ") : QString())
        .replace(QLatin1String("@integer@"), integer);
}

QString boundedIndex(const ConvolutionSizes &sizes, std::size_t which, const QString &index) {
    constexpr const char *ends[] = {"kDepth", "kHeight", "kWidth"};
    const BoundaryFunction *const text = boundaryFunctionOf(boundaryAt(sizes, which));
    return text == nullptr ? index
                           : QStringLiteral("%1(%2, %3)")
                                 .arg(QLatin1String(text->function), index, QLatin1String(ends[which]));
}

bool hasWidthBoundary(const ConvolutionSizes &sizes) {
    return boundaryAt(sizes, 2) != BoundaryMode::Zeros;
}

QString boundaryDescription(const ConvolutionSizes &sizes) {
    constexpr const char *along[] = {" in depth", " above and below", " beside"};
    QStringList words;
    const bool isOne =
        std::all_of(sizes.boundaryModes.begin(), sizes.boundaryModes.end(), [&sizes](BoundaryMode mode) {
            return mode == sizes.boundaryModes.front() && mode != BoundaryMode::Zeros;
        });
    for (std::size_t which = 0; which < 3; ++which)
        if (const BoundaryFunction *const text = boundaryFunctionOf(boundaryAt(sizes, which));
            text != nullptr)
            words << QLatin1String(text->description) +
                         QLatin1String(isOne ? " beyond its borders" : along[which]);
    words.removeDuplicates();
    return words.join(QLatin1String(", "));
}

} // namespace warpwright
