// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/failure_map/wrong_element.h"

#include "toolchain/base/figures.h"
#include "toolchain/failure_map/failure_pattern.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr std::size_t mostWorst = 8;

QString valueText(double value) {
    return std::isfinite(value) ? QString::number(value, 'g', 7).replace(QLatin1Char('-'), QChar(0x2212))
                                : numberText(value);
}

/// How bad a block is; 5: NaN.
int levelOf(const FailureCell &cell) {
    return cell.wrong == 0      ? 0
           : cell.isNan()       ? 5
           : cell.ratio <= 10.0 ? 1
           : cell.ratio <= 1e3  ? 2
           : cell.ratio <= 1e5  ? 3
                                : 4;
}

int pieces(int count, int most) {
    return (count + most - 1) / std::max(most, 1);
}

} // namespace

QString elementWords(const WrongElement &element) {
    return QStringLiteral("%1%2, round %3: expected %4, got %5")
        .arg(element.output, indexText(element.index))
        .arg(element.round)
        .arg(valueText(element.expected), valueText(element.got));
}

QString pictureText(const OutputFailure &output, const FailurePicture &picture, int mostRows,
                    int mostColumns) {
    if (picture.cells.empty())
        return {};
    const int down = pieces(picture.rows, mostRows);
    const int across = pieces(picture.columns, mostColumns);
    const bool isOneAxis = picture.rowAxis == picture.columnAxis;
    QString text =
        isOneAxis ? QStringLiteral("%1 across").arg(output.axisWord(picture.columnAxis, 2))
                  : QStringLiteral("%1 down, %2 across")
                        .arg(output.axisWord(picture.rowAxis, 2), output.axisWord(picture.columnAxis, 2));
    text += QStringLiteral(", %1 by %2 in a letter; . right, 1 to 4 error over allowed (to 10, 10³, 10⁵, "
                           "above), N NaN\n")
                .arg(isOneAxis ? 1 : picture.rowBlock * down)
                .arg(picture.columnBlock * across);
    for (int row = 0; row < picture.rows; row += down) {
        for (int column = 0; column < picture.columns; column += across) {
            int worst = 0;
            for (int r = row; r < std::min(row + down, picture.rows); ++r)
                for (int c = column; c < std::min(column + across, picture.columns); ++c)
                    worst = std::max(worst, levelOf(picture.at(r, c)));
            text += QLatin1String(".1234N")[worst];
        }
        text += QLatin1Char('\n');
    }
    return text;
}

QString failureQuestion(const OrderedJson &verify, const WrongElement &element, const QString &stores) {
    QString text = QStringLiteral("The result is wrong. Why, and what is to be changed?\n\n") +
                   elementWords(element) + QStringLiteral(".\n");
    if (!stores.isEmpty())
        text += stores + QLatin1Char('\n');
    for (const QString &line : patternLines(verify))
        text += line + QLatin1Char('\n');
    for (const FailureMap &map : failureMaps(verify)) {
        for (const OutputFailure &output : map.outputs) {
            if (map.round != element.round || output.name != element.output)
                continue;
            text += QStringLiteral("\nWorst elements (index: expected, got):\n");
            for (std::size_t i = 0; i < std::min(output.worst.size(), mostWorst); ++i)
                text += QStringLiteral("%1: %2, %3\n")
                            .arg(indexText(output.worst[i].index), valueText(output.worst[i].expected),
                                 valueText(output.worst[i].got));
            const auto axes = shownAxes(output);
            text += QStringLiteral("\nFailure map of %1, %2 %3: ")
                        .arg(output.name, output.dtype, indexText(output.sizes)) +
                    pictureText(output, pictureOf(output, axes.first, axes.second));
        }
    }
    return text;
}

} // namespace warpwright
