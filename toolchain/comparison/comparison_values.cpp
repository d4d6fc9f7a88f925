// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/comparison/comparison_values.h"

#include "toolchain/evaluation/said_difference.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpwright {

namespace {

using Group = ComparisonRow::Group;
using State = ComparisonRow::State;

QString exact(const std::optional<double> &value, const QString &unit, const QString &text) {
    if (!value)
        return text.isEmpty() ? QStringLiteral("none") : text;
    const QString number = QString::number(*value, 'g', QLocale::FloatingPointShortest);
    return unit.isEmpty() ? number : number + QLatin1Char(' ') + unit;
}

} // namespace

double ComparisonRow::distance() const {
    if (!leftValue && !rightValue)
        return 0;
    if (!leftValue || !rightValue || *leftValue == 0 || *rightValue == 0)
        return leftValue == rightValue ? 0 : std::numeric_limits<double>::infinity();
    return std::abs(std::log(std::abs(*rightValue / *leftValue)));
}

QString ComparisonRow::differenceWords() const {
    return difference.isEmpty() || state == State::Noise ? stateWord(state) : difference;
}

QString ComparisonRow::remarkWords() const {
    if (state != State::Noise || difference.isEmpty())
        return remark;
    const QChar about(0x2248);
    const QString numbers = difference.contains(about) ? difference : about + QLatin1Char(' ') + difference;
    return remark.isEmpty() ? numbers : QStringLiteral("%1: %2").arg(numbers, remark);
}

QString ComparisonRow::toolTip() const {
    QStringList lines{kernel.isEmpty() ? name : QStringLiteral("%1, %2").arg(kernel, name)};
    if (!help.isEmpty())
        lines << help;
    lines << QStringLiteral("left: %1").arg(exact(leftValue, unit, left))
          << QStringLiteral("right: %1").arg(exact(rightValue, unit, right));
    if (!difference.isEmpty())
        lines << QStringLiteral("%1: %2").arg(
            state == State::Noise ? noDifferenceWords() : QStringLiteral("difference"), difference);
    if (!remark.isEmpty())
        lines << remark;
    if (!source.isEmpty())
        lines << QStringLiteral("from: %1").arg(source);
    return lines.join(QLatin1Char('\n'));
}

QString MissingPart::text() const {
    return command.isEmpty() ? what : QStringLiteral("%1: %2").arg(what, command);
}

int StateComparison::count(ComparisonRow::State state) const {
    return static_cast<int>(std::count_if(rows.begin(), rows.end(),
                                          [state](const ComparisonRow &row) { return row.state == state; }));
}

int StateComparison::differences() const {
    return static_cast<int>(
        std::count_if(rows.begin(), rows.end(), [](const ComparisonRow &row) { return row.isDifference(); }));
}

QString groupName(ComparisonRow::Group group) {
    switch (group) {
    case Group::Verdict:
        return QStringLiteral("Verdict");
    case Group::Time:
        return QStringLiteral("Time");
    case Group::Findings:
        return QStringLiteral("Findings");
    case Group::Resources:
        return QStringLiteral("Resources");
    case Group::Code:
        return QStringLiteral("SASS");
    case Group::Counters:
        break;
    }
    return QStringLiteral("Counters");
}

QString stateWord(ComparisonRow::State state) {
    switch (state) {
    case State::Differs:
        return QStringLiteral("differs");
    case State::LeftOnly:
        return QStringLiteral("only left");
    case State::RightOnly:
        return QStringLiteral("only right");
    case State::NotComparable:
        return QStringLiteral("not comparable");
    case State::Noise:
        return noDifferenceWords();
    case State::Missing:
        return QStringLiteral("not collected");
    case State::Same:
        break;
    }
    return QStringLiteral("same");
}

} // namespace warpwright
