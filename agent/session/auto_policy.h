// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent_events.h"
#include "agent/review/evidence.h"

#include <optional>

/// What answers in a person's place while a run goes by itself, and what ends it.
namespace warpwright {

enum class PolicyAnswer { Accept, KeepAsBranch, Discard };
[[nodiscard]] QString policyAnswerName(PolicyAnswer answer); ///< "accept", "keep-as-branch", "discard"

struct AutoPolicy {
    /// A verified proposal that is not faster beyond the interval: kept as a branch, else discarded.
    bool keepsVerifiedAsBranch = true;

    bool operator==(const AutoPolicy &) const = default;
};

struct PolicyDecision {
    PolicyAnswer answer = PolicyAnswer::Discard;
    QString why; ///< a sentence for the record and for the agent
    /// Verified, and whether it is faster or slower than the text before the clock could not say.
    bool isUndecided = false;

    bool operator==(const PolicyDecision &) const = default;
};
/// Why nothing follows from what was measured of this change: none of it ran on this device, and nothing was
/// found against the code that did. Empty: it ran.
[[nodiscard]] QString whyUnexercised(const EvaluationSummary &before, const EvaluationSummary &after);

/// Accepts what is verified and faster than `before` beyond the interval, or the first that is verified at
/// all. A verdict `inconclusive` is of the clock: its results were right. What was not exercised on this
/// device, and what is faster only by a baseline that moved itself, is undecided: it is kept or not as
/// what is not faster.
[[nodiscard]] PolicyDecision decide(const AutoPolicy &policy, const std::optional<EvaluationSummary> &before,
                                    const EvaluationSummary &after);

/// Empty: no limit.
struct RunBudgets {
    std::optional<int> iterations; ///< proposals dealt with
    std::optional<double> minutes; ///< of a clock, pauses not counted
    std::optional<qint64> tokens;  ///< in and out
    std::optional<double> cost;

    bool operator==(const RunBudgets &) const = default;
};
[[nodiscard]] Json budgetsToJson(const RunBudgets &budgets); ///< absent: no limit
[[nodiscard]] RunBudgets budgetsFromJson(const Json &json);  ///< what is none above 0 is no limit

/// What a run has used so far, and is measured against its budgets: one place, one number.
struct RunMeter {
    int iterations = 0;
    double minutes = 0;
    qint64 tokensIn = 0, tokensOut = 0, tokensCached = 0;
    double cost = 0;
    QString currency;
    bool isEstimated = false; ///< at least one call did not say what it cost
    std::optional<qint64> contextTokens, contextLimit;

    void add(const AgentUsage &usage);
    bool operator==(const RunMeter &) const = default;
};

struct ReachedBudget {
    QString budget; ///< "iterations", "minutes", "tokens", "cost"
    double limit = 0;
    double used = 0;

    bool operator==(const ReachedBudget &) const = default;
};
/// The first that is used up.
[[nodiscard]] std::optional<ReachedBudget> reachedBudget(const RunBudgets &budgets, const RunMeter &meter);

} // namespace warpwright
