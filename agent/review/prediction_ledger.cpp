// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/prediction_ledger.h"

#include "agent/review/prediction_outcome.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace warpwright {
namespace {

int numberIn(const Json &body, const char *key) {
    const auto found = body.find(key);
    return found != body.end() && found->is_number_integer() ? found->get<int>() : 0;
}

Json objectIn(const Json &body, const char *key) {
    const auto found = body.find(key);
    return found != body.end() && found->is_object() ? *found : Json::object();
}

Calibration calibrate(const std::vector<LedgerRow> &rows,
                      const std::function<const Prediction *(const LedgerRow &)> &expected) {
    Calibration sum;
    double absolute = 0;
    for (const LedgerRow &row : rows) {
        const Prediction *prediction = expected(row);
        if (prediction == nullptr || !prediction->timeRatio || row.isUnexercised || !row.measured ||
            !(row.measured->value > 0))
            continue;
        ++sum.count;
        sum.sameDirection += (*prediction->timeRatio < 1) == row.measured->isFaster() ? 1 : 0;
        if (prediction->low && prediction->high) {
            ++sum.withRange;
            sum.insideRange += outcomeOf(*prediction, *row.measured) == PredictionOutcome::Hit ? 1 : 0;
        }
        const double error = std::log(row.measured->value / *prediction->timeRatio);
        sum.meanLogError += error;
        absolute += std::abs(error);
    }
    if (sum.count > 0) {
        sum.meanLogError /= sum.count;
        sum.typicalFactor = std::exp(absolute / sum.count);
    }
    return sum;
}

} // namespace

LedgerRow *PredictionLedger::row(const QString &proposal) {
    // What is spoken of mostly came last: a long run is not gone through for each event.
    const auto found = std::find_if(m_rows.rbegin(), m_rows.rend(),
                                    [&proposal](const LedgerRow &row) { return row.proposal == proposal; });
    return found == m_rows.rend() ? nullptr : &*found;
}

void PredictionLedger::take(const QString &kind, const Json &body) {
    if (!body.is_object())
        return;
    const QString proposal = stringIn(body, "proposal");
    if (!proposal.isEmpty() && proposal == m_latest)
        m_answers.take(kind, body);
    if (kind == QLatin1String("proposal")) {
        m_latest = proposal;
        m_answers = HunkAnswers(body);
        LedgerRow added;
        added.proposal = proposal;
        added.title = stringIn(body, "title");
        added.move = stringIn(body, "move");
        added.agent = stringIn(objectIn(body, "author"), "name");
        if (added.agent.isEmpty())
            added.agent = stringIn(objectIn(body, "author"), "kind");
        added.prediction = predictionFromJson(objectIn(body, "prediction"));
        m_bases[proposal] = numberIn(body, "iteration");
        if (LedgerRow *before = row(proposal);
            before != nullptr) { // proposed once more, by a run that went on
            added.bets = std::move(before->bets);
            *before = std::move(added);
        } else {
            m_rows.push_back(std::move(added));
        }
    } else if (kind == QLatin1String("applied")) {
        if (LedgerRow *found = row(proposal); found != nullptr && proposal == m_latest)
            takeApplied(*found, body);
    } else if (kind == QLatin1String("step")) { // of the one that was applied last
        if (LedgerRow *found = row(m_latest);
            found != nullptr && stringIn(body, "answer") != QLatin1String("keep"))
            found->hunks = found->taken = found->edited = 0;
    } else if (kind == QLatin1String("bet")) {
        // Once the result is shown there is nothing to bet on any more.
        if (LedgerRow *found = row(proposal); found != nullptr && (!found->verdict || found->isHidden)) {
            const Prediction placed = predictionFromJson(objectIn(body, "prediction"));
            if (placed == Prediction{}) // taken back
                found->bets.erase(stringIn(body, "by"));
            else
                found->bets[stringIn(body, "by")] = placed;
        }
    } else if (kind == QLatin1String("result-hidden") || kind == QLatin1String("result-shown")) {
        // One that was shown cannot be hidden again.
        if (LedgerRow *found = row(proposal); found != nullptr)
            found->isHidden = kind == QLatin1String("result-hidden") && !found->verdict;
    } else if (kind == QLatin1String("evaluation")) {
        const std::optional<EvaluationSummary> summary = summaryFromJson(objectIn(body, "summary"));
        if (!summary)
            return;
        const QString of = stringIn(body, "of");
        if (of == QLatin1String("iteration")) {
            m_iterations[numberIn(body, "iteration")] = *summary;
        } else if (LedgerRow *found = row(proposal); found != nullptr && of == QLatin1String("proposal")) {
            found->verdict = summary->verdict;
            const auto base = m_iterations.find(m_bases[proposal]);
            found->measured = base == m_iterations.end() ? std::nullopt : timeRatio(base->second, *summary);
            found->before =
                base == m_iterations.end() ? std::nullopt : measuredBefore(base->second, *summary);
            found->isUnexercised =
                base != m_iterations.end() && !unexercisedFiles(base->second, *summary).empty();
        }
    }
}

void PredictionLedger::takeApplied(LedgerRow &applied, const Json &body) const {
    applied.hunks = applied.taken = applied.edited = 0;
    for (const auto &[hunk, given] : m_answers.given()) {
        ++applied.hunks;
        applied.taken += given.answer == QLatin1String("reject") ? 0 : 1;
        applied.edited += given.answer == QLatin1String("edit") ? 1 : 0;
    }
    applied.isBesideCode = body.contains("besideCode");
}

Calibration PredictionLedger::ofAgent(const QString &agent) const {
    return calibrate(
        m_rows, [&agent](const LedgerRow &row) { return row.agent == agent ? &row.prediction : nullptr; });
}

Calibration PredictionLedger::ofMove(const QString &move) const {
    return calibrate(m_rows,
                     [&move](const LedgerRow &row) { return row.move == move ? &row.prediction : nullptr; });
}

Calibration PredictionLedger::ofBets(const QString &by) const {
    return calibrate(m_rows, [&by](const LedgerRow &row) {
        const auto bet = row.bets.find(by);
        return bet == row.bets.end() ? nullptr : &bet->second;
    });
}

} // namespace warpwright
