// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/language/text_delta.h"

#include <algorithm>
#include <cstring>

namespace warpwright {
namespace {

constexpr qsizetype block = 4096; // compared at once; a build for debugging compares single signs slowly

bool isSame(const QChar *one, const QChar *other, qsizetype count) {
    return std::memcmp(one, other, static_cast<std::size_t>(count) * sizeof(QChar)) == 0;
}

qsizetype commonStart(QStringView one, QStringView other) {
    const qsizetype most = std::min(one.size(), other.size());
    qsizetype at = 0;
    while (at + block <= most && isSame(one.data() + at, other.data() + at, block))
        at += block;
    while (at < most && one[at] == other[at])
        ++at;
    return at;
}

qsizetype commonEnd(QStringView one, QStringView other) {
    const qsizetype most = std::min(one.size(), other.size());
    qsizetype at = 0;
    while (at + block <= most &&
           isSame(one.data() + one.size() - at - block, other.data() + other.size() - at - block, block))
        at += block;
    while (at < most && one[one.size() - at - 1] == other[other.size() - at - 1])
        ++at;
    return at;
}

/// By what some server, those of Python above all, ends a line besides the usual end.
bool hasOtherLineEnds(const QString &text) {
    static const QString signs = QStringLiteral("\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029");
    return std::any_of(signs.begin(), signs.end(), [&text](QChar sign) { return text.contains(sign); });
}

TextPlace placeAt(QStringView text, qsizetype position) {
    const QStringView before = text.left(position);
    return {static_cast<int>(before.count(u'\n')) + 1,
            static_cast<int>(position - before.lastIndexOf(u'\n') - 1) + 1};
}

} // namespace

std::optional<TextReplacement> deltaOf(const QString &before, const QString &after) {
    if (hasOtherLineEnds(before) || hasOtherLineEnds(after))
        return std::nullopt;
    const QStringView was(before);
    const QStringView now(after);
    qsizetype start = commonStart(was, now);
    // A sign of two units is told as a whole.
    if (start > 0 && was[start - 1].isHighSurrogate())
        --start;
    qsizetype end = commonEnd(was.mid(start), now.mid(start));
    if (end > 0 && was[was.size() - end].isLowSurrogate())
        --end;
    return TextReplacement{{placeAt(was, start), placeAt(was, was.size() - end)},
                           now.mid(start, now.size() - end - start).toString()};
}

} // namespace warpwright
