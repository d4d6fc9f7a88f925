// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench/use_words.h"

#include "toolchain/base/figures.h"

namespace warpwright {

QString tokensText(qint64 in, qint64 out, bool isEstimated) {
    return QStringLiteral("%1 tokens in, %2 out%3")
        .arg(numberText(static_cast<double>(in)), numberText(static_cast<double>(out)),
             isEstimated ? QStringLiteral(" (estimated)") : QString());
}

QString moneyText(double cost, const QString &currency) {
    return QStringLiteral("%1 %2").arg(numberText(cost, cost < 1 ? 4 : 2), currency);
}

QString useText(const RunMeter &meter) {
    if (meter.tokensIn == 0 && meter.tokensOut == 0 && meter.cost <= 0)
        return {};
    return QStringLiteral("%1, %2").arg(tokensText(meter.tokensIn, meter.tokensOut, meter.isEstimated),
                                        meter.currency.isEmpty() ? QStringLiteral("cost not known")
                                                                 : moneyText(meter.cost, meter.currency));
}

} // namespace warpwright
