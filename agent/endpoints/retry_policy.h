// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/endpoint_problem.h"

#include <QByteArray>
#include <QDateTime>

#include <optional>

namespace warpwright {

struct EndpointPatience;

/// What an answer's header says of another try.
struct RetryHeaders {
    QByteArray retryAfterMs; ///< "retry-after-ms"
    QByteArray retryAfter;   ///< "retry-after": seconds, or a date of HTTP
    QByteArray shouldRetry;  ///< "x-should-retry": "true", "false"

    bool operator==(const RetryHeaders &) const = default;
    /// Milliseconds from `now`; empty: it says nothing that can be understood, or a time that is over.
    [[nodiscard]] std::optional<qint64> pauseMs(const QDateTime &now) const;
};

/// How one ask() has gone so far.
struct RetryState {
    int tries = 1;            ///< that were made
    qint64 failingForMs = 0;  ///< since the first of them failed
    bool hasAnswered = false; ///< the endpoint has, to an earlier ask()

    bool operator==(const RetryState &) const = default;
};

/// When is asked again, as the endpoints' own libraries do it: 408, 409, 425, 429 and from 500 on, lost
/// connections and cut streams. Not where waiting helps nobody: a used up quota, a full context, a wrong key,
/// a certificate. For minutes where it is busy or has answered before; what was never right is told soon.
/// `chance`: 0 to 1, shortens the pause by up to a quarter. Empty: not again.
[[nodiscard]] std::optional<int> pauseBeforeRetryMs(const EndpointProblem &problem,
                                                    const RetryHeaders &headers, const RetryState &state,
                                                    const EndpointPatience &patience, const QDateTime &now,
                                                    double chance);

} // namespace warpwright
