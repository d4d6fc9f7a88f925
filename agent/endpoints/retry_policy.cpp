// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/retry_policy.h"

#include "agent/endpoints/endpoint_patience.h"

#include <QLocale>
#include <QTimeZone>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int longestOwnPauseMs = 30'000;

bool isPassing(const EndpointProblem &problem) {
    using Kind = EndpointProblem::Kind;
    switch (problem.kind) {
    case Kind::NoNetwork:
    case Kind::NoHost: // also of a machine that has just woken up
    case Kind::Busy:
    case Kind::Broken:
    case Kind::CutOff:
        return true;
    case Kind::Tls:
    case Kind::Proxy:
    case Kind::NoKey:
    case Kind::Payment:
    case Kind::Forbidden:
    case Kind::NoModel:
    case Kind::TooLarge:
    case Kind::ContextFull:
    case Kind::NoTools:
    case Kind::BadRequest:
    case Kind::BadAnswer:
    case Kind::Silent:
    case Kind::Cancelled:
        break;
    }
    return false;
}

/// Those of which the endpoint itself may know better than we do.
bool mayBeOverruled(const EndpointProblem &problem) {
    using Kind = EndpointProblem::Kind;
    return problem.status >= 400 && problem.kind != Kind::ContextFull && problem.kind != Kind::Payment &&
           problem.kind != Kind::NoTools && problem.kind != Kind::NoKey;
}

QDateTime httpDate(const QByteArray &text) {
    static const QLocale english = QLocale::c();
    QDateTime date = english.toDateTime(QString::fromLatin1(text.trimmed()),
                                        QStringLiteral("ddd, dd MMM yyyy hh:mm:ss 'GMT'"));
    date.setTimeSpec(Qt::UTC);
    return date;
}

} // namespace

std::optional<qint64> RetryHeaders::pauseMs(const QDateTime &now) const {
    bool isNumber = false;
    const double milliseconds = retryAfterMs.trimmed().toDouble(&isNumber);
    if (isNumber && milliseconds > 0 && milliseconds < 1e12)
        return static_cast<qint64>(milliseconds);
    const double seconds = retryAfter.trimmed().toDouble(&isNumber);
    if (isNumber)
        return seconds > 0 && seconds < 1e9 ? std::optional(static_cast<qint64>(seconds * 1000))
                                            : std::nullopt;
    const QDateTime date = httpDate(retryAfter);
    const qint64 pause = date.isValid() ? now.msecsTo(date) : 0;
    return pause > 0 ? std::optional(pause) : std::nullopt;
}

std::optional<int> pauseBeforeRetryMs(const EndpointProblem &problem, const RetryHeaders &headers,
                                      const RetryState &state, const EndpointPatience &patience,
                                      const QDateTime &now, double chance) {
    const QByteArray said = headers.shouldRetry.trimmed().toLower();
    bool isAgain = isPassing(problem);
    if (mayBeOverruled(problem) && (said == "true" || said == "false"))
        isAgain = said == "true";
    if (!isAgain)
        return std::nullopt;
    const bool isLong = problem.kind == EndpointProblem::Kind::Busy || state.hasAnswered;
    const qint64 left = isLong ? patience.keepsTryingMs - state.failingForMs : 0;
    std::optional<qint64> asked = headers.pauseMs(now);
    if (!asked)
        asked = problem.retryAfterMs;
    if (asked && (*asked <= left || (state.tries < patience.tries && *asked <= patience.longestPauseMs)))
        return static_cast<int>(*asked);
    double pause = patience.firstPauseMs;
    for (int doubled = 1; doubled < state.tries && pause < longestOwnPauseMs; ++doubled)
        pause *= 2;
    pause = std::min<double>(pause, longestOwnPauseMs);
    // One that asks for longer than we would wait is not asked again and again until then.
    if (state.tries >= patience.tries && (asked || pause > static_cast<double>(left)))
        return std::nullopt;
    return static_cast<int>(pause * (1 - 0.25 * std::clamp(chance, 0.0, 1.0)));
}

} // namespace warpwright
