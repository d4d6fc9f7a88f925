// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/failure_map/stepped_pattern.h"

#include "toolchain/base/figures.h"
#include "toolchain/failure_map/stepped_lines.h"

#include <algorithm>

namespace warpwright {
namespace {

QString count(qint64 number) {
    return numberText(static_cast<double>(number));
}

/// "every 7th element (3, 10, 17, …): …, and 100 % of the elements there are wrong."
QString shareOfPlace(qint64 wrong, qint64 elements) {
    const double share =
        static_cast<double>(std::min(wrong, elements)) / static_cast<double>(std::max<qint64>(1, elements));
    return QStringLiteral("%1 of the elements there are wrong.")
        .arg(wrong >= elements ? percentText(1, 0) : percentText(std::min(share, 0.999), 1));
}

QString lowered(QString words) {
    if (!words.isEmpty())
        words[0] = words[0].toLower();
    return words;
}

} // namespace

std::vector<FailurePattern> steppedPatterns(const OutputFailure &output, const QString &content) {
    const std::optional<SteppedLines> lines = steppedLinesOf(output);
    if (!lines)
        return {};
    const QString words = setText(output, lines->axis, lines->steps);
    const QString share = shareOfPlace(lines->inSteps, lines->stepElements);
    FailurePattern steps;
    steps.kind = FailurePattern::Kind::EveryNth;
    steps.name = lowered(words.section(QStringLiteral(" ("), 0, 0));
    if (!lines->tail) {
        steps.sentence =
            QStringLiteral("%1: nearly all wrong elements lie there, and %2%3").arg(words, share, content);
        return {steps};
    }
    const QString part = QStringLiteral("%1 of the %2 wrong elements: %3, and %4");
    steps.sentence = part.arg(count(lines->inSteps), count(output.wrong), lowered(words), share);
    const IndexSet &set = *lines->tail;
    FailurePattern tail;
    tail.kind = FailurePattern::Kind::LastOfTile;
    tail.breaks = {{lines->axis, set.first, set.last}};
    const std::optional<qint64> tile = tileBefore(set);
    tail.name = tile ? QStringLiteral("last %1 of a tile").arg(output.axisWord(lines->axis, 2))
                     : QStringLiteral("last %1").arg(output.axisWord(lines->axis, set.count()));
    tail.sentence =
        part.arg(count(lines->inTail), count(output.wrong), lowered(setText(output, lines->axis, set)),
                 shareOfPlace(lines->inTail, lines->tailElements));
    if (tile)
        tail.sentence +=
            QStringLiteral(" %1 is a multiple of %2 and %3 is not: they lie behind the last whole tile.")
                .arg(count(set.first), count(*tile), count(set.size));
    std::vector<FailurePattern> both{steps, tail};
    if (lines->inTail > lines->inSteps)
        std::swap(both[0], both[1]);
    both[0].name += QStringLiteral(", and ") + both[1].name;
    both[1].sentence += content;
    return both;
}

} // namespace warpwright
