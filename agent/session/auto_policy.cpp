// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/session/auto_policy.h"

#include "agent/review/prediction_outcome.h"
#include "toolchain/base/figures.h"

namespace warpwright {

QString policyAnswerName(PolicyAnswer answer) {
    switch (answer) {
    case PolicyAnswer::Accept:
        return QStringLiteral("accept");
    case PolicyAnswer::KeepAsBranch:
        return QStringLiteral("keep-as-branch");
    case PolicyAnswer::Discard:
        break;
    }
    return QStringLiteral("discard");
}

QString whyUnexercised(const EvaluationSummary &before, const EvaluationSummary &after) {
    const ExercisedFiles files = unexercisedFiles(before, after);
    const Verdict measured = after.unexercised ? after.unexercised->measuredVerdict : after.verdict;
    const auto isGood = [](Verdict verdict) {
        return verdict == Verdict::Pass || verdict == Verdict::Inconclusive;
    };
    if (files.empty() || !isGood(measured) || !isGood(after.verdict))
        return {};
    return QStringLiteral("It is not exercised on this device: %1.").arg(notRunSentence(files));
}

PolicyDecision decide(const AutoPolicy &policy, const std::optional<EvaluationSummary> &before,
                      const EvaluationSummary &after) {
    const auto isVerified = [](Verdict verdict) {
        return verdict == Verdict::Pass || verdict == Verdict::Inconclusive;
    };
    const PolicyAnswer otherwise =
        policy.keepsVerifiedAsBranch ? PolicyAnswer::KeepAsBranch : PolicyAnswer::Discard;
    if (const QString why = before ? whyUnexercised(*before, after) : QString(); !why.isEmpty())
        return {otherwise, why, true};
    if (!isVerified(after.verdict))
        return {PolicyAnswer::Discard,
                QStringLiteral("It is not verified: %1.").arg(verdictName(after.verdict)), false};
    // Right they were; where both were timed side by side, that counts, and no verdict on the clock.
    const bool isBeside = before && besideOf(*before, after) != nullptr;
    if (after.verdict == Verdict::Inconclusive && !isBeside)
        return {PolicyAnswer::Discard,
                QStringLiteral("It is verified, but the clock could not decide how fast it is: %1.")
                    .arg(verdictName(after.verdict)),
                true};
    if (before && before->verdict == Verdict::Inconclusive && !isBeside)
        return {
            PolicyAnswer::Accept,
            QStringLiteral("It is verified, and its time is certain; that of the text before it was not."),
            false};
    if (!before || !isVerified(before->verdict))
        return {PolicyAnswer::Accept, QStringLiteral("It is verified, and the text before it was not."),
                false};
    const std::optional<TimeRatio> ratio = timeRatio(*before, after);
    if (!ratio)
        return {otherwise, QStringLiteral("It is verified, but its time cannot be compared."), true};
    // A ratio over eager says nothing of the two texts where eager itself was another.
    if (const std::optional<double> moved = movedBaseline(*before, after))
        return {otherwise,
                QStringLiteral("It is verified, but the comparison is inconclusive: %1, so the machine did "
                               "other work.")
                    .arg(movedBaselineWords(*moved)),
                true};
    QString words = QStringLiteral("%1 of the time before (%2–%3)")
                        .arg(percentText(ratio->value), percentText(ratio->low), percentText(ratio->high));
    // That time is of this run, and may be another than the one of its own check.
    if (isBeside)
        words +=
            QStringLiteral(", which took %1 beside it").arg(baseTimeText(*measuredBefore(*before, after)));
    if (ratio->isFaster())
        return {PolicyAnswer::Accept, QStringLiteral("It is verified, and takes %1.").arg(words), false};
    if (ratio->isSlower())
        return {otherwise, QStringLiteral("It is verified, and slower: it takes %1.").arg(words), false};
    if (after.verdict == Verdict::Inconclusive)
        return {PolicyAnswer::Discard,
                QStringLiteral("It is verified, but the clock could not decide (%1): it takes %2.")
                    .arg(verdictName(after.verdict), words),
                true};
    return {otherwise,
            QStringLiteral("It is verified, but %1: it takes %2.")
                .arg(ratio->holdsOne() ? QStringLiteral("not faster beyond the interval")
                                       : QStringLiteral("no faster than the two times can tell"),
                     words),
            true};
}

Json budgetsToJson(const RunBudgets &budgets) {
    Json json = Json::object();
    if (budgets.iterations)
        json["iterations"] = *budgets.iterations;
    if (budgets.minutes)
        json["minutes"] = *budgets.minutes;
    if (budgets.tokens)
        json["tokens"] = *budgets.tokens;
    if (budgets.cost)
        json["cost"] = *budgets.cost;
    return json;
}

RunBudgets budgetsFromJson(const Json &json) {
    RunBudgets budgets;
    const auto set = [&json](auto &budget, const char *field) {
        const auto found = json.find(field);
        if (found != json.end() && found->is_number() && found->template get<double>() > 0)
            budget = found->template get<typename std::decay_t<decltype(budget)>::value_type>();
    };
    set(budgets.iterations, "iterations");
    set(budgets.minutes, "minutes");
    set(budgets.tokens, "tokens");
    set(budgets.cost, "cost");
    return budgets;
}

void RunMeter::add(const AgentUsage &usage) {
    tokensIn += usage.tokensIn;
    tokensOut += usage.tokensOut;
    tokensCached += usage.tokensCached; // a part of tokensIn, never added to it
    cost += usage.cost;
    isEstimated = isEstimated || usage.isEstimated;
    if (!usage.currency.isEmpty())
        currency = usage.currency;
    if (usage.contextTokens)
        contextTokens = usage.contextTokens;
    if (usage.contextLimit)
        contextLimit = usage.contextLimit;
}

std::optional<ReachedBudget> reachedBudget(const RunBudgets &budgets, const RunMeter &meter) {
    if (budgets.iterations && meter.iterations >= *budgets.iterations)
        return ReachedBudget{QStringLiteral("iterations"), static_cast<double>(*budgets.iterations),
                             static_cast<double>(meter.iterations)};
    if (budgets.minutes && meter.minutes >= *budgets.minutes)
        return ReachedBudget{QStringLiteral("minutes"), *budgets.minutes, meter.minutes};
    if (const qint64 tokens = meter.tokensIn + meter.tokensOut; budgets.tokens && tokens >= *budgets.tokens)
        return ReachedBudget{QStringLiteral("tokens"), static_cast<double>(*budgets.tokens),
                             static_cast<double>(tokens)};
    if (budgets.cost && meter.cost >= *budgets.cost)
        return ReachedBudget{QStringLiteral("cost"), *budgets.cost, meter.cost};
    return std::nullopt;
}

} // namespace warpwright
