// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/lesson/bet_words.h"

#include "agent/prediction_outcome.h"
#include "toolchain/figures.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <cmath>

namespace warpwright {
namespace {

QString words(const char *text) {
    return QCoreApplication::translate("BetWords", text);
}

/// Empty: it is no unit of time.
std::optional<double> unitNamed(const QString &name) {
    if (name == QLatin1String("ns"))
        return 1e-3;
    if (name == QLatin1String("us") || name == QStringLiteral("µs") || name == QStringLiteral("μs"))
        return 1.0;
    if (name == QLatin1String("ms"))
        return 1e3;
    return name == QLatin1String("s") ? std::optional(1e6) : std::nullopt;
}

/// "1,000" groups thousands, "1,5" is written so on many keyboards.
std::optional<double> numberIn(QString text) {
    static const QRegularExpression grouped(QStringLiteral("^\\d{1,3}(,\\d{3})+(\\.\\d+)?$"));
    if (grouped.match(text).hasMatch())
        text.remove(u',');
    else
        text.replace(u',', u'.');
    bool isNumber = false;
    const double number = text.toDouble(&isNumber);
    return isNumber && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

} // namespace

std::optional<double> betTime(const QString &text, double nowMicroseconds, double unitMicroseconds) {
    static const QRegularExpression form(
        QStringLiteral("^([+\\-\u2212]?)\\s*([0-9.,]+)\\s*(%|x|\u00d7|ns|us|\u00b5s|\u03bcs|ms|s)?$"));
    const QRegularExpressionMatch match = form.match(text.simplified().toLower());
    if (!match.hasMatch())
        return std::nullopt;
    const QString sign = match.captured(1);
    const QString unit = match.captured(3);
    const std::optional<double> number = numberIn(match.captured(2));
    if (!number)
        return std::nullopt;
    const double change = sign == QLatin1String("+") ? *number : -*number;
    if (unit == QLatin1String("x") || unit == QStringLiteral("\u00d7"))
        return sign.isEmpty() && *number > 0 && nowMicroseconds > 0 ? std::optional(nowMicroseconds / *number)
                                                                    : std::nullopt;
    if (unit == QLatin1String("%"))
        return nowMicroseconds > 0
                   ? std::optional(nowMicroseconds * (sign.isEmpty() ? *number : 100 + change) / 100)
                   : std::nullopt;
    const double scale = unitNamed(unit).value_or(unitMicroseconds);
    return sign.isEmpty() ? *number * scale : nowMicroseconds + change * scale;
}

QString betText(double microseconds, double nowMicroseconds) {
    return words("%1 of %2, %3")
        .arg(baseTimeText(microseconds), baseTimeText(nowMicroseconds),
             timesFasterText(microseconds / nowMicroseconds));
}

QString betQuestion(double nowMicroseconds) {
    return words("now %1; what will it be?").arg(baseTimeText(nowMicroseconds));
}

QString betForms(double nowMicroseconds) {
    const double half = nowMicroseconds > 0 ? nowMicroseconds / 2 : 10;
    return words("a factor (2x is twice as fast, 0.5x half as fast), a share of the time (50 %, or \u221230 "
                 "% for "
                 "less), a time (%1) or a difference (\u2212%1)")
        .arg(baseTimeText(half));
}

} // namespace warpwright
