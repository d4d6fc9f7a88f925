// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/endpoint_problem.h"

#include <QNetworkReply>

namespace warpwright {

/// No answer of HTTP at all: what became of the connection. `words`: Qt's.
[[nodiscard]] EndpointProblem problemOfNetwork(const ModelProfile &profile, QNetworkReply::NetworkError error,
                                               const QString &words);

} // namespace warpwright
