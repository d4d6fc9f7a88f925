// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/session/auto_policy.h"

namespace warpwright {

/// "1,200 tokens in, 30 out (estimated)"
[[nodiscard]] QString tokensText(qint64 in, qint64 out, bool isEstimated);
/// "0.0123 USD"
[[nodiscard]] QString moneyText(double cost, const QString &currency);
/// Both; a cost that no price and no agent tells is «not known». Empty: nothing was used.
[[nodiscard]] QString useText(const RunMeter &meter);

} // namespace warpwright
