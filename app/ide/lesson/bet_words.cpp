// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/lesson/bet_words.h"

#include "agent/interface/prediction.h"
#include "agent/review/bet_first.h"
#include "agent/review/prediction_outcome.h"
#include "app/ide/lesson/lesson_contents.h"
#include "toolchain/base/figures.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
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

std::optional<double> timeIn(const QString &text, double nowMicroseconds) {
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
    const std::optional<double> scale = unitNamed(unit);
    if (!scale)
        return std::nullopt;
    return sign.isEmpty() ? *number * *scale : nowMicroseconds + change * *scale;
}

} // namespace

std::optional<double> betTime(const QString &text, double nowMicroseconds) {
    const std::optional<double> time = timeIn(text, nowMicroseconds);
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

QString unitQuestion(const QString &text, const QString &unit) {
    static const QRegularExpression form(
        QStringLiteral("^([+\\-\u2212]?)\\s*([0-9.,]+)(\\s*(?:-|\u2013|\u2026|\\.\\.|to)\\s*[0-9.,]+)?$"));
    const QString number = plainSigns(text);
    const QRegularExpressionMatch match = form.match(number);
    if (!match.hasMatch() || !numberIn(match.captured(2)))
        return {};
    return match.captured(1).isEmpty() ? words("%1 what? %1x, %1 %2").arg(number, unit)
                                       : words("%1 what? %1 %, %1 %2").arg(number, unit);
}

std::optional<Bet> betIn(const QString &text, double nowMicroseconds) {
    static const QRegularExpression form(
        QStringLiteral("^([0-9.,]+)\\s*([^0-9.,\\s\\-\u2013\u2026]*)\\s*(?:-|\u2013|\u2026|\\.\\.|to)\\s*"
                       "([0-9.,]+)\\s*([^0-9.,\\s]*)$"));
    const QRegularExpressionMatch range = form.match(plainSigns(text));
    if (!range.hasMatch()) {
        const std::optional<double> time = betTime(text, nowMicroseconds);
        return time ? std::optional(Bet{*time, {}, {}}) : std::nullopt;
    }
    const QString unit = range.captured(4);
    const auto end = [&](int number, int own) {
        const QString &written = range.captured(own).isEmpty() ? unit : range.captured(own);
        return betTime(range.captured(number) + written, nowMicroseconds);
    };
    const std::optional<double> one = end(1, 2);
    const std::optional<double> other = end(3, 4);
    if (!one || !other || !(*one > 0) || !(*other > 0))
        return std::nullopt;
    return Bet{std::sqrt(*one * *other), std::min(*one, *other), std::max(*one, *other)};
}

Prediction predictionOf(const Bet &bet, double nowMicroseconds) {
    Prediction prediction;
    prediction.timeRatio = bet.microseconds / nowMicroseconds;
    prediction.beforeMicroseconds = nowMicroseconds;
    if (bet.low && bet.high) {
        prediction.low = *bet.low / nowMicroseconds;
        prediction.high = *bet.high / nowMicroseconds;
    }
    return prediction;
}

QString betText(const Bet &bet, double nowMicroseconds) {
    if (!bet.low || !bet.high)
        return words("%1 (±10 % counts as a hit)").arg(betText(bet.microseconds, nowMicroseconds));
    return words("%1 to %2 of %3, %4")
        .arg(baseTimeText(*bet.low), baseTimeText(*bet.high), baseTimeText(nowMicroseconds),
             rangeText({*bet.low / nowMicroseconds, *bet.high / nowMicroseconds}));
}

QString betSoFar(const PredictionLedger &ledger, const QString &proposal) {
    for (const LedgerRow &row : ledger.rows()) {
        const auto bet = row.bets.find(whoBets());
        if (row.proposal != proposal || bet == row.bets.end())
            continue;
        const Prediction &placed = bet->second;
        if (placed.timeRatio && row.measured && mayShowNumbers(row) && !row.isUnexercised)
            return judgedText(placed, *row.measured);
        if (!placed.timeRatio || !placed.beforeMicroseconds)
            continue;
        const double now = *placed.beforeMicroseconds;
        Bet said{*placed.timeRatio * now, {}, {}};
        if (placed.low && placed.high) {
            said.low = *placed.low * now;
            said.high = *placed.high * now;
        }
        return betText(said, now);
    }
    return {};
}

QString betQuestion(double nowMicroseconds) {
    return words("now %1; what will it be?").arg(baseTimeText(nowMicroseconds));
}

QString betForms(double nowMicroseconds) {
    const double half = nowMicroseconds > 0 ? nowMicroseconds / 2 : 10;
    return words("a factor (2x is twice as fast, 0.5x half as fast), a range (2-4x), a share of the time (50 "
                 "%, or \u221230 "
                 "% for "
                 "less), a time (%1) or a difference (\u2212%1)")
        .arg(baseTimeText(half));
}

} // namespace warpwright
