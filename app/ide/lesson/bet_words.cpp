// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/lesson/bet_words.h"

#include "agent/prediction.h"
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

/// As on the keyboards that bets are mostly typed on: digits of other scripts, full-width signs, and the
/// dashes that editors make of a minus.
QString plainSigns(const QString &typed) {
    QString plain;
    for (const QChar typedSign : typed) {
        const bool isWide = typedSign.unicode() >= 0xff01 && typedSign.unicode() <= 0xff5e;
        const QChar sign = isWide ? QChar(typedSign.unicode() - 0xfee0) : typedSign;
        plain += sign.isDigit()                                         ? QChar(u'0' + sign.digitValue())
                 : sign.unicode() >= 0x2010 && sign.unicode() <= 0x2014 ? QChar(u'-')
                                                                        : sign;
    }
    return plain.simplified().toLower();
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

std::optional<double> timeIn(const QString &text, double nowMicroseconds, double unitMicroseconds) {
    static const QRegularExpression form(
        QStringLiteral("^([+\\-\u2212]?)\\s*([0-9.,]+)\\s*(%|x|\u00d7|ns|us|\u00b5s|\u03bcs|ms|s)?$"));
    const QRegularExpressionMatch match = form.match(plainSigns(text));
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

} // namespace

std::optional<double> betTime(const QString &text, double nowMicroseconds, double unitMicroseconds) {
    const std::optional<double> time = timeIn(text, nowMicroseconds, unitMicroseconds);
    // Nothing and less is a number, too, and its reader says why it is no bet; this is a slip of the keys.
    const bool isSlip =
        time && *time > 0 && nowMicroseconds > 0 &&
        (*time < timeRatioAtLeast * nowMicroseconds || *time > timeRatioAtMost * nowMicroseconds);
    return isSlip ? std::nullopt : time;
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
