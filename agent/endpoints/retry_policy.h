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

/// When is asked again, as the endpoints' own libraries do it: 408, 409, 429 and from 500 on, and lost
/// connections. Not where waiting helps nobody: a used up quota, a full context, a wrong key, a certificate.
/// `tries`: that were made so far. `chance`: 0 to 1, shortens the pause by up to a quarter. Empty: not again.
[[nodiscard]] std::optional<int> pauseBeforeRetryMs(const EndpointProblem &problem,
                                                    const RetryHeaders &headers, int tries,
                                                    const EndpointPatience &patience, const QDateTime &now,
                                                    double chance);

} // namespace warpwright
