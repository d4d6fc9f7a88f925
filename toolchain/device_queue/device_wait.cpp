// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/device_queue/device_wait.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

double secondsBetween(const QDateTime &from, const QDateTime &to) {
    return std::max(0.0, static_cast<double>(from.msecsTo(to)) / 1000);
}

QString ordinal(int number) {
    const int tens = number % 100;
    const bool isTeen = tens >= 11 && tens <= 13;
    const char *ending = isTeen             ? "th"
                         : number % 10 == 1 ? "st"
                         : number % 10 == 2 ? "nd"
                         : number % 10 == 3 ? "rd"
                                            : "th";
    return QString::number(number) + QLatin1String(ending);
}

QString doing(const DeviceHolder &holder) {
    const QString who = holder.process == 0 ? QStringLiteral("another program")
                        : holder.process == QCoreApplication::applicationPid()
                            ? QStringLiteral("this program")
                            : QStringLiteral("process %1").arg(holder.process);
    const QString named =
        holder.use.workspace.isEmpty() ? QString() : QLatin1Char(' ') + holder.use.workspace;
    return QStringLiteral("%1 %2%3").arg(who, holder.use.what, named);
}

QString place(const DeviceWait &wait) {
    if (!wait.disorder.isEmpty())
        return QStringLiteral("in no order, for the list of who waits cannot be written: %1")
            .arg(wait.disorder);
    return wait.position > 1 ? QStringLiteral("%1 in line").arg(ordinal(wait.position))
                             : QStringLiteral("next in line");
}

} // namespace

QString clockText(double seconds) {
    const auto whole = static_cast<qint64>(std::max(0.0, std::floor(seconds)));
    const QString minutes = QString::number(whole / 60 % 60);
    const QString rest = QStringLiteral("%1").arg(whole % 60, 2, 10, QLatin1Char('0'));
    if (whole < 3600)
        return QStringLiteral("%1:%2").arg(minutes, rest);
    return QStringLiteral("%1:%2:%3").arg(whole / 3600).arg(minutes, 2, QLatin1Char('0')).arg(rest);
}

QString waitStep(const DeviceWait &wait) {
    const QString line = place(wait);
    return wait.holder ? QStringLiteral("%1 · %2").arg(doing(*wait.holder), line) : line;
}

QString waitText(const DeviceWait &wait, const QDateTime &now) {
    QString text = clockText(secondsBetween(wait.since, now));
    if (const std::optional<DeviceHolder> &holder = wait.holder) {
        text += QStringLiteral(" · ") + doing(*holder);
        if (holder->since.isValid()) {
            const double held = secondsBetween(holder->since, now);
            text += QStringLiteral(", since %1").arg(clockText(held));
            // Who takes longer than the last time has no known end.
            if (const double left = holder->use.expectedSeconds.value_or(0) - held; left >= 1)
                text += QStringLiteral(", about %1 more").arg(clockText(left));
        }
    }
    return text + QStringLiteral(" · ") + place(wait);
}

} // namespace warpwright
