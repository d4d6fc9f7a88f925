// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/depthwise_edges.h"

#include <QStringList>

#include <algorithm>

namespace warpwright {
namespace {

/// Of the three dimensions of space; one that is not there is of zeros.
Edge edgeAt(const ConvolutionSizes &sizes, std::size_t which) {
    const std::size_t absent = 3 - sizes.dimensions();
    return sizes.edges.empty() || which < absent ? Edge::Zeros : sizes.edges[which - absent];
}

struct EdgeText {
    Edge edge;
    const char *function;
    const char *words;
    const char *text;
};

// clang-format off
const EdgeText edgeTexts[] = {
    {Edge::Mirrored, "mirrored", "mirrored", R"(// The place inside that stands for one beyond a border, where the image goes on as in a mirror: -1 is 1.
@device@@integer@ mirrored(@integer@ place, @integer@ size) {
    const @integer@ ahead = place < 0 ? -place : place;
    return ahead < size ? ahead : 2 * (size - 1) - ahead;
}
)"},
    {Edge::Repeated, "nearestInside", "repeated", R"(// The place inside that stands for one beyond a border, where the image goes on with its outermost element.
@device@@integer@ nearestInside(@integer@ place, @integer@ size) {
    return place < 0 ? 0 : place < size ? place : size - 1;
}
)"},
    {Edge::Around, "otherEnd", "from its other end", R"(// The place inside that stands for one beyond a border, where the image goes on at its other end: -1 is the last.
@device@@integer@ otherEnd(@integer@ place, @integer@ size) {
    return place < 0 ? place + size : place < size ? place : place - size;
}
)"},
};
// clang-format on

const EdgeText *textOf(Edge edge) {
    const auto *const found = std::find_if(std::begin(edgeTexts), std::end(edgeTexts),
                                           [edge](const EdgeText &some) { return some.edge == edge; });
    return found == std::end(edgeTexts) ? nullptr : found;
}

} // namespace

QString edgeFunctions(const ConvolutionSizes &sizes, const QString &integer, bool isDevice) {
    QString text;
    for (const EdgeText &some : edgeTexts)
        if (std::find(sizes.edges.begin(), sizes.edges.end(), some.edge) != sizes.edges.end())
            text += QLatin1String(some.text) + QLatin1Char('\n');
    return text.replace(QLatin1String("@device@"), isDevice ? QStringLiteral("__device__ ") : QString())
        .replace(QLatin1String("@integer@"), integer);
}

QString edged(const ConvolutionSizes &sizes, std::size_t which, const QString &place) {
    constexpr const char *ends[] = {"kDepth", "kHeight", "kWidth"};
    const EdgeText *const text = textOf(edgeAt(sizes, which));
    return text == nullptr ? place
                           : QStringLiteral("%1(%2, %3)")
                                 .arg(QLatin1String(text->function), place, QLatin1String(ends[which]));
}

bool goesOnBeside(const ConvolutionSizes &sizes) {
    return edgeAt(sizes, 2) != Edge::Zeros;
}

QString edgeWords(const ConvolutionSizes &sizes) {
    constexpr const char *along[] = {" in depth", " above and below", " beside"};
    QStringList words;
    const bool isOne = std::all_of(sizes.edges.begin(), sizes.edges.end(), [&sizes](Edge edge) {
        return edge == sizes.edges.front() && edge != Edge::Zeros;
    });
    for (std::size_t which = 0; which < 3; ++which)
        if (const EdgeText *const text = textOf(edgeAt(sizes, which)); text != nullptr)
            words << QLatin1String(text->words) + QLatin1String(isOne ? " beyond its borders" : along[which]);
    words.removeDuplicates();
    return words.join(QLatin1String(", "));
}

} // namespace warpwright
