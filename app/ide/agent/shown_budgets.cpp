// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/shown_budgets.h"

#include <QCoreApplication>

#include <algorithm>

namespace warpwright {
namespace {

QString words(const char *text) {
    return QCoreApplication::translate("ShownBudgets", text);
}

QString tokenDetail(const RunMeter &meter) {
    if (meter.tokensIn + meter.tokensOut == 0)
        return {};
    QString text = words("%1 in, %2 out")
                       .arg(tokensText(static_cast<double>(meter.tokensIn)),
                            tokensText(static_cast<double>(meter.tokensOut)));
    if (meter.tokensCached > 0)
        text += words("; %1 of those in came from the cache")
                    .arg(tokensText(static_cast<double>(meter.tokensCached)));
    return text;
}

} // namespace

bool isCostUnknown(const RunMeter &meter) {
    return meter.tokensIn + meter.tokensOut > 0 && meter.cost <= 0 && meter.currency.isEmpty();
}

std::vector<Budget> budgetsOf(const RunBudgets &budgets, const RunMeter &meter) {
    const auto limit = [](const auto &value) {
        return value ? std::optional<double>(static_cast<double>(*value)) : std::nullopt;
    };
    Budget tokens{Budget::Tokens, static_cast<double>(meter.tokensIn + meter.tokensOut),
                  limit(budgets.tokens)};
    tokens.isEstimated = meter.isEstimated && tokens.used > 0;
    tokens.detail = tokenDetail(meter);
    Budget cost{Budget::Cost, meter.cost, limit(budgets.cost)};
    if (meter.currency != QLatin1String("USD"))
        cost.currency = meter.currency;
    cost.isEstimated = meter.isEstimated && meter.cost > 0;
    if (cost.isEstimated)
        cost.detail = words("estimated: not every answer said how much it took");
    cost.isUnknown = isCostUnknown(meter);
    if (cost.isUnknown)
        cost.detail = words("no prices are set for the model: Settings > Models > Change > More");
    std::vector<Budget> all{
        {Budget::Iterations, static_cast<double>(meter.iterations), limit(budgets.iterations)},
        {Budget::Minutes, meter.minutes, limit(budgets.minutes)},
        tokens,
        cost};
    if (meter.contextTokens && meter.contextLimit)
        all.push_back(
            {Budget::Context, static_cast<double>(*meter.contextTokens), limit(meter.contextLimit)});
    return all;
}

std::vector<Budget> shownBudgets(const RunBudgets &budgets, const RunMeter &meter, AuthorKind kind) {
    std::vector<Budget> all = budgetsOf(budgets, meter);
    if (kind == AuthorKind::Script)
        all.erase(std::remove_if(all.begin(), all.end(), [](const Budget &budget) { return !budget.limit; }),
                  all.end());
    return all;
}

} // namespace warpwright
